//! Appending and reading back under every disturbance.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write as _,
    path::Path,
    process::{Child, Command, Stdio},
};

use portcullis_audit::{
    Answer, Appended, Event, Filter, Log, LogOptions, Reader, RuleRef, Status, Verdict, read,
};
use serde_json::json;

fn options(path: &Path) -> LogOptions {
    LogOptions::new(path, "session")
}

fn mode(name: &str) -> Event {
    Event::SandboxMode { mode: name.into() }
}

fn modes(path: &Path) -> Vec<String> {
    let reading = read(path, &Filter::default()).unwrap();
    assert!(reading.problems.is_empty(), "{:?}", reading.problems);
    reading.records.into_iter().map(|record| name(&record.event).to_owned()).collect()
}

fn name(event: &Event) -> &str {
    match event {
        Event::SandboxMode { mode } => mode,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_torn_at_every_byte_costs_the_torn_line_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let log = Log::open(options(&path), || 1).unwrap();
    for name in ["one", "two\u{e9}", "three"] {
        let _ = log.append(mode(name)).unwrap();
    }
    drop(log);
    let whole = std::fs::read(&path).unwrap();
    let ends: Vec<usize> =
        whole.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    for length in 0..=whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        // A line that only lost its line end is whole.
        let complete = ends.iter().filter(|end| **end <= length + 1).count();
        let torn = length != 0 && !ends.contains(&length) && !ends.contains(&(length + 1));
        let reading = read(&path, &Filter::default()).unwrap();
        assert_eq!(reading.records.len(), complete, "{length}");
        assert_eq!(reading.problems.len(), usize::from(torn), "{length}");
        if let Some(problem) = reading.problems.first() {
            assert!(problem.torn);
            assert_eq!(
                (problem.line, problem.message.as_str()),
                (complete as u64 + 1, "the last line is not complete")
            );
        }

        // What is appended next is not lost with it.
        let log = Log::open(options(&path), || 1).unwrap();
        let _ = log.append(mode("next")).unwrap();
        let reading = read(&path, &Filter::default()).unwrap();
        assert_eq!(reading.records.len(), complete + 1, "{length}");
        assert_eq!(name(&reading.records.last().unwrap().event), "next");
        assert!(reading.problems.iter().all(|problem| !problem.torn));
    }
}

#[test]
fn lines_that_cannot_be_read_are_named_by_their_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let log = Log::open(options(&path), || 1).unwrap();
    let _ = log.append(mode("a")).unwrap();
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"not json\n\n\xff\xfe\n{\"type\":\"nothing\"}\n[1]\n").unwrap();
    let _ = log.append(mode("b")).unwrap();
    let reading = read(&path, &Filter::default()).unwrap();
    let lines: Vec<u64> = reading.problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [2, 4, 5, 6]);
    assert!(reading.problems[0].to_string().starts_with(&format!("{}:2: ", path.display())));
    assert_eq!(reading.records.len(), 2);
}

#[test]
fn a_line_without_end_does_not_fill_the_memory() {
    let line = std::io::repeat(b'x');
    let input = std::io::BufReader::new(std::io::Read::take(line, 40 << 20));
    let lines: Vec<_> = Reader::new("log", input).map(Result::unwrap).collect();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].as_ref().unwrap_err().message, "the line is too long");
}

#[test]
fn threads_keep_their_order_and_whole_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let log = Log::open(options(&path), || 1).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let log = &log;
            scope.spawn(move || {
                for number in 0..50 {
                    let _ = log.append(mode(&format!("{thread}-{number}"))).unwrap();
                }
            });
        }
    });
    let reading = read(&path, &Filter::default()).unwrap();
    let numbers: Vec<u64> = reading.records.iter().map(|record| record.seq).collect();
    assert_eq!(numbers, (1..=400).collect::<Vec<_>>());
    let distinct: BTreeSet<_> = reading.records.iter().map(|record| name(&record.event)).collect();
    assert_eq!(distinct.len(), 400);
}

const PATH: &str = "PORTCULLIS_TEST_LOG";
const NAME: &str = "PORTCULLIS_TEST_NAME";

/// Not a test of its own: what the child processes of the others run.
#[test]
fn child() {
    let (Ok(path), Ok(name)) = (std::env::var(PATH), std::env::var(NAME)) else { return };
    let log = Log::open(LogOptions { rotate_at: Some(20_000), ..LogOptions::new(path, name.clone()) }, || 1)
        .unwrap();
    for number in 0..200 {
        let _ = log.append(mode(&format!("{name}-{number}-{}", "x".repeat(number)))).unwrap();
    }
}

fn spawn(path: &Path, name: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--test-threads=1"])
        .env(PATH, path)
        .env(NAME, name)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn processes_share_a_file_through_rotations() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let mut children: Vec<Child> = (0..8).map(|child| spawn(&path, &format!("p{child}"))).collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let reading = read(&path, &Filter::default()).unwrap();
    assert!(reading.problems.is_empty(), "{:?}", reading.problems);
    let mut last: BTreeMap<String, u64> = BTreeMap::new();
    for record in &reading.records {
        let before = last.insert(record.session.clone(), record.seq).unwrap_or(0);
        assert_eq!(record.seq, before + 1, "the order of a writer is kept");
    }
    assert_eq!(last.len(), 8);
    assert!(last.values().all(|seq| *seq == 200));
    let parts = std::fs::read_dir(folder.path()).unwrap().count();
    assert!(parts > 5, "rotated {parts} times");
}

#[test]
fn old_parts_go_when_there_are_too_many() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    std::fs::write(folder.path().join("log.jsonl.old"), "mine").unwrap();
    let options = LogOptions { rotate_at: Some(1), keep: Some(2), ..options(&path) };
    let log = Log::open(options, || 1).unwrap();
    for name in ["a", "b", "c", "d", "e"] {
        let _ = log.append(mode(name)).unwrap();
    }
    assert_eq!(modes(&path), ["c", "d", "e"]);
    let mut names: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["log.jsonl", "log.jsonl.3", "log.jsonl.4", "log.jsonl.old"]);
}

#[test]
fn filters() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let rule = |rule: &str| RuleRef { rule: rule.into(), scope: "user".into(), file: None, line: None };
    let decision = |tool: &str, decision, by: Option<&str>| Event::Decision {
        call: "c".into(),
        tool: tool.into(),
        decision,
        gate: "g".into(),
        rule: by.map(rule),
        reason: None,
        mode: "standard".into(),
        duration_us: 1,
    };
    for session in ["s1", "s2"] {
        let log = Log::open(LogOptions::new(&path, session), || 1).unwrap();
        for event in [
            Event::ToolCall {
                call_id: None,
                call: "c".into(),
                tool: "Bash".into(),
                arguments: json!({}),
                cwd: None,
            },
            decision("Bash", Verdict::Deny, Some("Bash(rm:*)")),
            decision("Read", Verdict::Allow, None),
            Event::RuleSaved { rule: rule("Bash(rm:*)"), list: "deny".into(), removed: false },
            Event::ToolResult { call: "c".into(), status: Status::Error, bytes: 1, duration_ms: 1 },
        ] {
            let _ = log.append(event).unwrap();
        }
    }
    let count = |filter: Filter| read(&path, &filter).unwrap().records.len();
    let none = Filter::default();
    assert_eq!(count(none.clone()), 10);
    assert_eq!(count(Filter { session: Some("s2".into()), ..none.clone() }), 5);
    assert_eq!(count(Filter { tool: Some("Bash".into()), ..none.clone() }), 4);
    assert_eq!(count(Filter { decision: Some(Verdict::Allow), ..none.clone() }), 2);
    assert_eq!(count(Filter { rule: Some("Bash(rm:*)".into()), ..none.clone() }), 4);
    let all = Filter {
        session: Some("s1".into()),
        tool: Some("Bash".into()),
        decision: Some(Verdict::Deny),
        rule: Some("Bash(rm:*)".into()),
    };
    assert_eq!(count(all), 1);
}

#[test]
fn a_log_that_is_missing_is_an_error_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let error = read(&folder.path().join("gone.jsonl"), &Filter::default()).unwrap_err();
    assert!(error.to_string().contains("gone.jsonl"));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn bits(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn files_and_folders_are_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/log.jsonl");
        let log = Log::open(LogOptions { rotate_at: Some(1), ..options(&path) }, || 1).unwrap();
        let _ = log.append(mode("a")).unwrap();
        let _ = log.append(mode("b")).unwrap();
        assert_eq!(bits(&folder.path().join("a")), 0o700);
        assert_eq!(bits(&folder.path().join("a/b")), 0o700);
        assert_eq!(bits(&path), 0o600);
        assert_eq!(bits(&folder.path().join("a/b/log.jsonl.1")), 0o600);
    }

    #[test]
    fn a_log_that_was_taken_away_is_begun_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let log = Log::open(options(&path), || 1).unwrap();
        let _ = log.append(mode("a")).unwrap();
        std::fs::remove_file(&path).unwrap();
        let _ = log.append(mode("b")).unwrap();
        assert_eq!(modes(&path), ["b"]);
    }

    fn call() -> Event {
        Event::ToolCall { call_id: None, call: "c".into(), tool: "t".into(), arguments: json!({}), cwd: None }
    }

    fn asked() -> Event {
        Event::ApprovalAsked {
            id: "i".into(),
            call: "c".into(),
            tool: "t".into(),
            reason: None,
            widening: None,
            timeout_ms: None,
        }
    }

    fn decided() -> Event {
        Event::ApprovalDecided { id: "i".into(), outcome: Answer::AllowedOnce, by: None, comment: None }
    }

    /// `/dev/full` answers every write as a full disk does (full(4)).
    #[test]
    fn a_full_disk_stops_what_depends_on_the_record_and_warns_once_for_the_rest() {
        let log = Log::open(options(Path::new("/dev/full")), || 1).unwrap();
        for event in [call(), asked(), decided()] {
            assert!(event.is_indispensable());
            let error = log.append(event).unwrap_err();
            assert!(error.to_string().contains("/dev/full"), "{error}");
        }
        assert!(matches!(log.append(mode("a")), Ok(Appended::Lost(Some(_)))));
        assert!(matches!(log.append(mode("b")), Ok(Appended::Lost(None))));
        assert!(log.append(call()).is_err(), "a warning that was given changes nothing for these");
    }

    #[test]
    fn a_required_log_stops_everything() {
        let log = Log::open(LogOptions { required: true, ..options(Path::new("/dev/full")) }, || 1).unwrap();
        assert!(log.append(mode("a")).is_err());
        assert!(log.append(mode("b")).is_err());
    }

    #[test]
    fn a_number_is_not_used_up_by_a_failure() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sub/log.jsonl");
        let log = Log::open(options(&path), || 1).unwrap();
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path.parent().unwrap(), "in the way").unwrap();
        assert!(log.append(call()).is_err());
        std::fs::remove_file(path.parent().unwrap()).unwrap();
        assert!(matches!(log.append(call()), Ok(Appended::Written(1))));
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error_with_its_path() {
        let error = Log::open(options(Path::new("/dev/null/log.jsonl")), || 1).unwrap_err();
        assert!(error.to_string().contains("/dev/null/log.jsonl"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn what_never_ends_or_never_speaks_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [pipe.as_path(), Path::new("/dev/zero"), Path::new("/dev/null")] {
        let error = read(path, &Filter::default()).unwrap_err().to_string();
        assert!(error.contains("not a regular file"), "{error}");
    }
}

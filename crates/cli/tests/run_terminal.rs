//! `run` with a person at the terminal.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]
#![cfg(unix)]

mod support;

use support::{Place, terminal::Session, there};

#[test]
fn n_removes_nothing_and_y_removes() {
    let place = Place::new();
    let file = place.write("build/out.o", "x");
    let mut session = Session::start(&place, &["run", "--", "rm", "-rf", "build"]);
    session.wait_for("y once");
    session.type_keys("n");
    let (code, seen) = session.end();
    assert_eq!(code, Some(126), "{seen}");
    assert!(there(&file), "{seen}");
    assert!(seen.contains("rm -rf build"), "{seen}");

    let mut session = Session::start(&place, &["run", "--", "rm", "-rf", "build"]);
    session.wait_for("y once");
    session.type_keys("y");
    let (code, seen) = session.end();
    assert_eq!(code, Some(0), "{seen}");
    assert!(!there(&file), "{seen}");
}

#[test]
fn walking_away_runs_nothing() {
    for keys in ["\u{3}", "\u{4}"] {
        let place = Place::new();
        let file = place.write("build/out.o", "x");
        let mut session = Session::start(&place, &["run", "--", "rm", "-rf", "build"]);
        session.wait_for("y once");
        session.type_keys(keys);
        let (code, seen) = session.end();
        assert_eq!(code, Some(126), "{seen}");
        assert!(there(&file) && seen.contains("no answer"), "{seen}");
    }
}

#[test]
fn what_was_typed_ahead_is_no_answer() {
    let mut last = String::new();
    // A key counts from a moment on, and a busy machine may let us type later than that: this is judged by the
    // time at which we were quick enough. Keys that count from the beginning count each time.
    for _ in 0..6 {
        let place = Place::new();
        let file = place.write("build/out.o", "x");
        let mut session = Session::start(&place, &["run", "--", "rm", "-rf", "build"]);
        session.type_at_once("yyy\n");
        session.wait_for("y once");
        session.type_at_once("y");
        session.type_keys("n");
        let (code, seen) = session.end();
        if code == Some(126) && there(&file) {
            return;
        }
        last = seen;
    }
    panic!("a key that came too soon was an answer:\n{last}");
}

#[test]
fn a_key_answers_the_question_that_stands_alone_at_the_terminal() {
    let place = Place::new();
    let files = ["first", "second"].map(|name| place.write(&format!("{name}/out.o"), "x"));
    let script = "for name in first second; do \"$0\" run -- rm -rf $name & done; wait";
    let arguments = ["-c", script, support::BINARY];
    let mut session = Session::start_program(&place, "bash", &arguments, |_| {});
    session.wait_for("y once");
    std::thread::sleep(std::time::Duration::from_secs(1));
    let seen = session.seen();
    assert_eq!(seen.matches("y once").count(), 1, "both ask at once:\n{seen}");
    let asked = if seen.contains("rm -rf first") { 0 } else { 1 };
    session.type_keys("y");
    session.wait_for(["rm -rf second", "rm -rf first"][asked]);
    session.type_keys("n");
    let (_, seen) = session.end();
    assert!(!there(&files[asked]) && there(&files[1 - asked]), "{seen}");
}

#[test]
fn a_comment_comes_back() {
    let place = Place::new();
    let mut session = Session::start(&place, &["run", "--", "rm", "-rf", "build"]);
    session.wait_for("y once");
    session.type_keys("c");
    session.wait_for("because");
    session.type_at_once("keep it\r");
    let (code, seen) = session.end();
    assert_eq!(code, Some(126), "{seen}");
    assert!(seen.contains("rejected: keep it"), "{seen}");
    let decided = place.events().into_iter().find(|event| event["type"] == "approval/decided").unwrap();
    assert_eq!((&decided["outcome"], &decided["comment"]), (&"rejected".into(), &"keep it".into()));
}

#[test]
fn the_kernel_stops_an_outside_write_and_one_wider_retry_is_offered() {
    let place = Place::new();
    let outside = place.path("outside");
    std::fs::create_dir(&outside).unwrap();
    let text = format!("echo x > {}/made", outside.display());
    let arguments = ["run", "--sandbox", "workspace-write", "--", "sh", "-c", &text];

    let mut session = Session::start(&place, &arguments);
    session.wait_for("y once");
    session.type_keys("y");
    session.wait_for("[sandbox: access was denied under workspace-write]");
    session.wait_for("with danger-full-access?");
    session.type_keys("n");
    let (code, seen) = session.end();
    assert!(code.is_some_and(|code| code != 0), "{seen}");
    assert!(!there(&outside.join("made")), "{seen}");
    assert_eq!(seen.matches("with danger-full-access?").count(), 1, "{seen}");
    assert!(seen.contains("not run again") && !seen.contains("nothing was run"), "{seen}");

    let mut session = Session::start(&place, &arguments);
    session.wait_for("y once");
    session.type_keys("y");
    session.wait_for("with danger-full-access?");
    session.type_keys("y");
    let (code, seen) = session.end();
    assert_eq!(code, Some(0), "{seen}");
    assert!(there(&outside.join("made")), "{seen}");
    let modes: Vec<String> = place
        .events()
        .iter()
        .filter(|event| event["type"] == "sandbox/run")
        .map(|event| event["facts"]["mode"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(modes.iter().filter(|mode| *mode == "danger-full-access").count(), 1, "{modes:?}");
}

#[test]
fn a_wide_run_still_hides_secrets() {
    let place = Place::new();
    place.write(".env", "hunter2");
    let text = format!("cat .env; echo x > {}", place.path("made").display());
    let mut session = Session::start(&place, &["run", "--mode", "unrestricted", "-c", &text]);
    session.wait_for("with danger-full-access?");
    session.type_keys("y");
    let (_, seen) = session.end();
    assert!(!seen.contains("hunter2"), "{seen}");
    assert!(there(&place.path("made")), "{seen}");
}

#[test]
fn an_agent_at_the_terminal_is_no_person() {
    let place = Place::new();
    let file = place.write("build/out.o", "x");
    let session = Session::start_with(&place, &["run", "--", "rm", "-rf", "build"], |command| {
        command.env("CLAUDECODE", "1");
    });
    let (code, seen) = session.end();
    assert_eq!(code, Some(126), "{seen}");
    assert!(seen.contains("CLAUDECODE") && there(&file), "{seen}");
}

#[test]
fn nothing_of_a_command_reaches_the_terminal_unescaped() {
    let place = Place::new();
    let mut session = Session::start(&place, &["run", "-c", "rm \u{1b}[2K\u{202e}x; rm y"]);
    session.wait_for("y once");
    session.type_keys("n");
    let (_, seen) = session.end();
    assert!(seen.contains(r"\u{1b}[2K\u{202e}x"), "{seen}");
    assert!(!seen.contains("\u{1b}[2K") && !seen.contains('\u{202e}'), "{seen}");
}

#[test]
fn always_shows_the_rule_and_its_file_and_saves_what_matches_next_time() {
    let place = Place::new();
    let arguments = ["run", "--net", "open", "--", "touch", "made"];
    let mut session = Session::start(&place, &arguments);
    session.wait_for("a always");
    session.type_keys("a");
    session.wait_for("save it and run? [y/n]");
    session.type_keys("y");
    let (code, seen) = session.end();
    assert_eq!(code, Some(0), "{seen}");
    let saved = place.events().into_iter().find(|event| event["type"] == "rule/saved").unwrap();
    let (rule, file) = (saved["rule"]["rule"].as_str().unwrap(), saved["rule"]["file"].as_str().unwrap());
    let shown = seen.replace(['\n', ' '], "");
    assert!(shown.contains(&rule.replace(' ', "")) && shown.contains(file), "{seen}");
    assert!(std::fs::read_to_string(file).unwrap().contains(rule));
    place.run(arguments).expect(0, &[]);
}

#[test]
fn what_is_dangerous_offers_no_always() {
    let place = Place::new();
    place.write("build/out.o", "x");
    let mut session = Session::start(&place, &["run", "--", "rm", "-rf", "build"]);
    session.wait_for("y once");
    session.type_keys("a");
    session.wait_for("why this is asked");
    session.type_keys("n");
    let (code, seen) = session.end();
    assert_eq!(code, Some(126), "{seen}");
    assert!(!seen.contains("a always"), "{seen}");
}

#[test]
fn a_wider_run_of_what_was_shut_in_may_use_another_back_end() {
    let place = Place::new();
    let outside = place.path("outside");
    std::fs::create_dir(&outside).unwrap();
    let code = format!("open('{}/made', 'w').write('x')", outside.display());
    // Unasked, because it can be shut in; then a person answers for the wider run.
    let mut session = Session::start(&place, &["run", "--", "python3", "-c", &code]);
    session.wait_for("with danger-full-access?");
    assert!(!there(&outside.join("made")));
    session.type_keys("y");
    let (status, seen) = session.end();
    assert_eq!(status, Some(0), "{seen}");
    assert!(there(&outside.join("made")), "{seen}");
}

#[test]
fn a_question_tells_of_writes_that_go_with_the_run() {
    let place = Place::new();
    place.write("a", "x");
    let mut session = Session::start(&place, &["run", "--", "cp", "a", "/tmp/portcullis-never-there"]);
    session.wait_for("gone with the run");
    session.wait_for("y once");
    session.type_keys("n");
    assert_eq!(session.end().0, Some(126));
    let mut session = Session::start(&place, &["run", "rm", "-rf", "a"]);
    session.wait_for("y once");
    session.type_keys("n");
    let (status, seen) = session.end();
    assert_eq!(status, Some(126), "{seen}");
    assert!(!seen.contains("gone with the run"), "{seen}");
}

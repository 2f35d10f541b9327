//! Standard input and output that are closed, full or left: an answer that reached nobody is no success.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use support::{BINARY, Ended, Place};

/// One call of every command that answers on standard output.
const ANSWERS: &[&str] = &[
    "check ls",
    "check --format json ls",
    "check --batch calls.jsonl",
    "explain ls",
    "explain --format json ls",
    "rules list",
    "rules list --format json",
    "rules test ls",
    "rules suggest make",
    "sandbox probe",
    "shell analyze ls",
    "shell analyze --format text ls",
    "shell effects ls",
    "shell split ls",
    "shell unwrap ls",
    "shell normalize ls",
    "shell confined --root / ls",
    "shell analyze --batch < calls.jsonl",
    "log show --log events.jsonl",
    "completions bash",
    "--help",
    "--version",
    "help check",
];

fn place() -> Place {
    let place = Place::new();
    place.write("calls.jsonl", "{\"tool\":\"Read\",\"arguments\":{},\"command\":\"ls\"}\n");
    place.write("shell.jsonl", "{\"command\":\"ls\"}\n");
    // An event to show.
    place.run(["run", "--log", "events.jsonl", "--", "true"]).expect(0, &[]);
    place
}

/// Runs a line of bash in which `portcullis` is the binary.
fn bash(place: &Place, line: &str) -> Ended {
    let line = line.replace("shell analyze --batch < calls", "shell analyze --batch < shell");
    let text = format!("portcullis() {{ {BINARY} \"$@\"; }}; {line}");
    Ended::of(&place.plain("bash").args(["-c", &text]).output().unwrap())
}

#[test]
fn what_could_not_be_written_is_no_success() {
    let place = place();
    for command in ANSWERS {
        let good = bash(&place, &format!("portcullis {command}"));
        assert!(matches!(good.code, Some(0 | 1)) && !good.stdout.is_empty(), "{command}: {good:#?}");
        for (output, words) in
            [(">&-", "standard output is closed"), (">/dev/full", "cannot write to standard output")]
        {
            let ended = bash(&place, &format!("portcullis {command} {output}"));
            assert_eq!(
                (ended.code, ended.stdout.as_str()),
                (Some(125), ""),
                "{command} {output}: {ended:#?}"
            );
            assert!(
                ended.stderr.contains(words) && !ended.stderr.contains("panicked"),
                "{command} {output}: {ended:#?}"
            );
        }
        // Open, but for reading.
        bash(&place, &format!("portcullis {command} 1</dev/null"))
            .expect(125, &["standard output is closed"]);
        // Whoever wants the status alone says so, in any of the ways in which the null device can be opened.
        for output in [">/dev/null", "1<>/dev/null"] {
            assert_eq!(
                bash(&place, &format!("portcullis {command} {output}")).code,
                good.code,
                "{command} {output}"
            );
        }
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_told_nothing_and_is_no_success() {
    let place = place();
    for command in ANSWERS {
        // The reader is gone before the first byte is written.
        let line = format!("{{ sleep 0.05; portcullis {command}; echo $? >&2; }} | true");
        let ended = bash(&place, &line);
        assert_eq!(ended.stderr, "141\n", "{command}: {ended:#?}");
    }
}

#[test]
fn an_input_that_is_not_there_is_no_empty_text() {
    let place = place();
    for command in [
        "shell analyze -",
        "shell confined --root / -",
        "shell analyze --command -",
        "shell effects --batch",
        "check --command -",
        "check --tool Read --args -",
        "check --batch",
        "check --batch -",
        "explain -",
        "rules test -",
        "rules suggest -",
    ] {
        for input in ["<&-", "0>/dev/null"] {
            let ended = bash(&place, &format!("portcullis {command} {input}"));
            assert_eq!((ended.code, ended.stdout.as_str()), (Some(125), ""), "{command} {input}: {ended:#?}");
            assert!(ended.stderr.contains("standard input is closed"), "{command} {input}: {ended:#?}");
        }
    }
    // An empty text is one.
    bash(&place, "portcullis shell analyze - </dev/null").expect(0, &[]);
    bash(&place, "portcullis check --batch </dev/null").expect(0, &[]);
}

/// A command that changed something says with its status whether that stands, also where nobody reads its answer.
#[test]
fn what_was_changed_stands_whoever_reads_of_it() {
    for (command, code) in [
        ("rules add Read --list deny --scope local", 0),
        ("rules add --format json Read --list deny --scope local", 0),
        ("rules remove Read --list deny --scope local", 0),
        ("rules remove Read --list deny --scope local", 1),
        ("trust allow", 0),
        ("trust deny --format json", 0),
        ("trust forget", 0),
        ("trust forget", 1),
    ] {
        for (output, words) in [
            (" >&-", "standard output is closed"),
            (" >/dev/full", "cannot write to standard output"),
            (" 1</dev/null", "standard output is closed"),
            ("; echo $? >&2; } | true", ""),
        ] {
            let place = Place::new();
            match command {
                "trust forget" if code == 0 => place.run(["trust", "allow"]).expect(0, &[]),
                _ if command.starts_with("rules remove") && code == 0 => {
                    place.run(["rules", "add", "Read", "--list", "deny", "--scope", "local"]).expect(0, &[]);
                }
                _ => {}
            }
            let read = output.contains('|');
            let start = if read { "{ sleep 0.05; " } else { "" };
            let ended = bash(&place, &format!("{start}portcullis {command}{output}"));
            if read {
                assert!(ended.stderr.ends_with(&format!("{code}\n")), "{command}: {ended:#?}");
            } else {
                ended.expect(code, &[words, "what was asked for is done"]);
            }
            if command.starts_with("rules add") {
                assert!(place.read(".letta/settings.local.json").contains("\"Read\""), "{command}{output}");
            }
        }
    }
}

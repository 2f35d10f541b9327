//! `explain` through the real binary: the pages as people see them, compared with the files in `golden/`, and the
//! same for machines. Nothing is run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use serde_json::{Value, json};
use support::{Ended, Place};

/// In directories that do not exist, so that pages are the same everywhere.
fn explain(place: &Place, arguments: &[&str]) -> Ended {
    let mut all = vec!["explain", "--cwd", "/repo", "--project-root", "/repo", "--home", "/home/u"];
    all.extend(arguments);
    place.run(all)
}

/// The page is what the file says, and no line is wider than 80 columns. `PORTCULLIS_WRITE_GOLDEN=1` writes the
/// files anew, for a person to read the difference.
#[track_caller]
fn page(name: &str, status: i32, arguments: &[&str]) {
    let ended = explain(&Place::new(), arguments);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(status), ""), "{ended:#?}");
    let wide: Vec<&str> = ended.stdout.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    assert!(!ended.stdout.contains('\u{1b}'), "colour without a terminal");
    let path = format!("{}/tests/golden/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("PORTCULLIS_WRITE_GOLDEN").is_some() {
        std::fs::write(&path, &ended.stdout).unwrap();
    }
    let golden = std::fs::read_to_string(&path).expect(&path);
    assert!(golden == ended.stdout, "{name}.txt differs\n--- is\n{}\n--- should be\n{golden}", ended.stdout);
}

#[test]
fn a_denied_command() {
    let command = "cd src && FOO=1 timeout 5 git push origin main > log.txt";
    page("denied", 2, &["--disallowed-tools", "Bash(git push:*)", "--command", command]);
}

#[test]
fn an_asked_command() {
    page("asked", 1, &["--command", "git status && cargo test --workspace"]);
}

#[test]
fn a_dangerous_command() {
    page("dangerous", 1, &["--command", "rm -rf build; git push --force origin main"]);
}

#[test]
fn an_allowed_command() {
    page("allowed", 0, &["--command", "grep -rn TODO src | head -5"]);
}

#[test]
fn an_unparsable_command() {
    let disallow = ["--disallowed-tools", "Bash(git push:*)"];
    page("unparsable", 1, &[disallow[0], disallow[1], "--command", "echo \"git push"]);
}

#[test]
fn a_file_tool() {
    page("file", 1, &["--tool", "Write", "--args", r#"{"file_path":"src/a.rs","content":"fn main() {}"}"#]);
}

#[test]
fn a_call_cannot_draw_on_the_terminal() {
    let ended = explain(&Place::new(), &["--command", "echo '\u{1b}[2J\u{202e}x'\r"]);
    assert!(!ended.stdout.contains(['\u{1b}', '\u{202e}', '\r']), "{ended:#?}");
}

#[test]
fn a_rule_is_shown_with_its_file_and_line() {
    let place = Place::new();
    let settings = "{\n  \"permissions\": {\n    \"deny\": [\n      \"Bash(git push:*)\"\n    ]\n  }\n}\n";
    place.write(".letta/settings.json", settings);
    let ended = place.run(["explain", "--command", "git push"]);
    ended.expect(2, &[]);
    // The page wraps long paths; put together it names the file and the line.
    let together: String = ended.stdout.split_whitespace().collect();
    assert!(together.contains(".letta/settings.json:4"), "{}", ended.stdout);
}

#[test]
fn for_machines() {
    let ended = explain(&Place::new(), &["--format", "json", "--command", "git status && cargo test"]);
    assert_eq!(ended.code, Some(1));
    let answer: Value = serde_json::from_str(&ended.stdout).unwrap();
    let keys: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    for key in
        ["decision", "gate", "rule", "source", "reason", "why", "possible", "exclude", "confinement", "trace"]
    {
        assert!(keys.contains(&key), "{keys:?}");
    }
    assert_eq!((&answer["tool"], &answer["mode"]), (&json!("Bash"), &json!("standard")));
    assert_eq!(answer["arguments"], json!({ "command": "git status && cargo test" }));
    assert_eq!(answer["suggestion"]["rules"], json!(["Bash(cargo test:*)"]));
    assert_eq!(
        answer["changes"],
        json!(["allow Bash(cargo test:*)", "`portcullis run` shuts it in and does not ask"])
    );
    let command = &answer["commands"][0];
    assert_eq!(command["command"], "git status && cargo test");
    assert_eq!(command["invocations"][1]["argv"], json!(["cargo", "test"]));
    let gates = answer["trace"].as_array().unwrap();
    assert_eq!(gates.last().unwrap()["gate"], "default");
    assert!(gates.iter().all(|event| event["matched"].is_boolean()));
}

#[test]
fn mistakes() {
    let place = Place::new();
    explain(&place, &[]).expect(125, &["no call was given"]);
    explain(&place, &["--format", "html", "--command", "ls"]).expect(125, &["[possible values: text, json]"]);
    explain(&place, &["--mode", "nonsense", "--command", "ls"]).expect(125, &["nonsense"]);
}

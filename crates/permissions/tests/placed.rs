//! Calls that say where, with which variables and by which shell their command runs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use portcullis_matcher::ListKind;
use portcullis_permissions::{Decision, Gate, Mode, suggest};
use portcullis_permissions::{Rules, ToolCall};
use serde_json::{Value, json};
use support::row::Row;

/// Tools with the spellings of their arguments for the command and for the directory.
const TOOLS: [(&str, &str, &str); 8] = [
    ("exec_command", "cmd", "workdir"),
    ("shell", "command", "workdir"),
    ("shell_command", "command", "workdir"),
    ("run_shell_command", "command", "directory"),
    ("run_shell_command", "command", "dir_path"),
    ("Bash", "command", "cwd"),
    ("local_shell", "command", "working_directory"),
    ("Monitor", "command", "dir"),
];

fn in_directory(command: &str, directory: impl Into<Value>) -> Row {
    Row::call("exec_command", json!({ "cmd": command, "workdir": directory.into() }))
}

#[test]
fn a_command_is_judged_in_its_directory() {
    for (tool, command, directory) in TOOLS {
        let call = |text: &str, there: &str| Row::call(tool, json!({ command: text, directory: there }));
        let outside = call("cat shadow", "/etc").verdict();
        assert_eq!((outside.gate, outside.decision), (Gate::Secret, Decision::Ask), "{tool} {directory}");
        let inside = call("cat a.txt", "src").verdict();
        assert_eq!((inside.gate, inside.decision), (Gate::ReadOnlyShell, Decision::Allow), "{tool}");
        let denied = call("cat key", "secrets").rule(ListKind::Deny, "Read(secrets/**)").verdict();
        assert_eq!((denied.gate, denied.decision), (Gate::DenyRule, Decision::Deny), "{tool} {directory}");
        let climbing = call("cat secrets/key", "a/..").rule(ListKind::Deny, "Read(secrets/**)").verdict();
        assert_eq!(climbing.decision, Decision::Deny, "{tool} {directory}");
    }
}

#[test]
fn what_is_written_or_run_elsewhere_is_no_longer_the_projects() {
    let written = in_directory("echo x > y", "/etc/cron.d").rule(ListKind::Allow, "Edit(**)").verdict();
    assert_ne!(written.decision, Decision::Allow, "{:?}", written.trace);
    let here = in_directory("echo x > y", "src").rule(ListKind::Allow, "Edit(**)").verdict();
    assert_eq!((here.gate, here.decision), (Gate::AllowRule, Decision::Allow));
    for git in ["git status", "git log", "git diff"] {
        assert_eq!(in_directory(git, "/tmp/evil").verdict().decision, Decision::Ask, "{git}");
        assert_eq!(in_directory(git, "src").verdict().decision, Decision::Allow, "{git}");
    }
    let edits = in_directory("touch x", "/elsewhere").mode(Mode::AcceptEdits).verdict();
    assert_eq!(edits.decision, Decision::Ask);
    let critical = in_directory("rm -rf .", "/home/u").mode(Mode::Unrestricted).verdict();
    assert_eq!((critical.gate, critical.decision), (Gate::CriticalRemoval, Decision::AlwaysAsk));
    let confined = in_directory("make", "/elsewhere").set(|context| context.confined_auto = true).verdict();
    assert_ne!(confined.decision, Decision::Allow, "{:?}", confined.trace);
}

#[test]
fn a_directory_that_is_not_known_blocks_what_would_be_allowed_and_keeps_denies() {
    for directory in [json!(7), json!(["src"]), json!("~/x"), json!("$X"), json!({})] {
        let read = in_directory("cat a.txt", directory.clone());
        assert_eq!(read.verdict().decision, Decision::Ask, "{directory}");
        let allowed = in_directory("make", directory.clone()).rule(ListKind::Allow, "Bash(make:*)");
        assert_eq!(allowed.verdict().decision, Decision::Ask, "{directory}");
        let possible = read.mode(Mode::Unrestricted).rule(ListKind::Deny, "Read(secrets/**)").verdict();
        assert_eq!((possible.gate, possible.decision), (Gate::PossibleDeny, Decision::Ask), "{directory}");
        let denied = in_directory("git push", directory.clone()).rule(ListKind::Deny, "Bash(git push:*)");
        assert_eq!(denied.verdict().decision, Decision::Deny, "{directory}");
    }
}

#[test]
fn variables_are_judged_as_env_in_front_would_be() {
    let with = |variables: Value| Row::call("shell", json!({ "command": "git status", "env": variables }));
    for harmless in [json!({}), json!({ "CI": "1" }), json!({ "LANG": "C", "GIT_PAGER": "cat" }), json!(null)]
    {
        assert_eq!(with(harmless.clone()).verdict().decision, Decision::Allow, "{harmless}");
    }
    for other in [
        json!({ "GIT_SSH_COMMAND": "x" }),
        json!({ "PATH": "/tmp" }),
        json!({ "LD_PRELOAD": "/tmp/x.so" }),
        json!({ "CI": "1", "FOO": "bar" }),
        json!({ "GIT_PAGER": "sh -c x" }),
        json!({ "BASH_FUNC_git%%": "() { x; }" }),
        json!({ "-S": "x" }),
        json!({ "HOME": "/tmp" }),
        json!("FOO=bar"),
        json!(["FOO=bar"]),
        json!({ "CI": 1 }),
    ] {
        let row = with(other.clone());
        assert_eq!(row.verdict().decision, Decision::Ask, "{other}");
        let allowed = row.clone().rule(ListKind::Allow, "Bash(git status:*)");
        assert_eq!(allowed.verdict().decision, Decision::Ask, "{other}");
        // No rule could say this much.
        let rules = portcullis_matcher::RuleSet::compile(
            std::sync::Arc::new(Rules::default()),
            &portcullis_matcher::Anchors {
                project_root: "/repo".into(),
                start_directory: "/repo".into(),
                home: None,
                user_settings: None,
            },
            &portcullis_matcher::Conventions::letta(),
        );
        assert!(suggest(&row.call, &row.context, &rules).unwrap().rules.is_empty(), "{other}");
    }
    let harmless = Row::call("shell", json!({ "command": "make", "env": { "CI": "1" } }));
    let allowed = harmless.rule(ListKind::Allow, "Bash(make:*)").verdict();
    assert_eq!((allowed.gate, allowed.decision), (Gate::AllowRule, Decision::Allow));
    // A value that the call replaces is no longer what it is here.
    let known = |call: ToolCall| {
        let mut row = Row::call("Bash", json!({})).rule(ListKind::Deny, "Read(secrets/**)");
        row.call = call;
        row.set(|context| context.environment = vec![("USER".into(), "u".into())]).verdict()
    };
    let text = "cat $USER/key";
    assert_eq!(known(ToolCall::new("Bash", json!({ "command": text }))).decision, Decision::Allow);
    let replaced = ToolCall::new("Bash", json!({ "command": text, "env": { "USER": "secrets" } }));
    assert_eq!(known(replaced).gate, Gate::PossibleDeny);
}

#[test]
fn a_shell_that_is_not_known_reads_a_text_that_is_not_known() {
    let by = |shell: Value| Row::call("exec_command", json!({ "cmd": "cat a.txt", "shell": shell }));
    for known in [json!("bash"), json!("/bin/sh"), json!("zsh"), json!(null)] {
        assert_eq!(by(known.clone()).verdict().decision, Decision::Allow, "{known}");
    }
    for other in [json!("fish"), json!("/tmp/bash"), json!("powershell"), json!("python3"), json!(false)] {
        assert_eq!(by(other.clone()).verdict().decision, Decision::Ask, "{other}");
        let allowed = by(other.clone()).rule(ListKind::Allow, "Bash(cat:*)");
        assert_eq!(allowed.verdict().decision, Decision::Ask, "{other}");
    }
    // `=ls` is the path of a program in zsh alone.
    let zsh = Row::call("exec_command", json!({ "cmd": "cat =ls", "shell": "zsh" })).verdict();
    let bash = Row::call("exec_command", json!({ "cmd": "cat =ls", "shell": "bash" })).verdict();
    assert_eq!((zsh.decision, bash.decision), (Decision::Ask, Decision::Allow));
}

//! File tools whose arguments name a directory beside the path: whether a host honours it is not known, so the path
//! counts from there and from the working directory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    dead_code,
    reason = "test code"
)]

mod support;

use portcullis_matcher::ListKind;
use portcullis_permissions::{Decision, Gate, Mode};
use serde_json::{Value, json};
use support::row::Row;

thread_local! {
    /// The tables are built once: they are most of what a row costs.
    static PLAIN: Row = Row::call("", Value::Null);
}

fn call(tool: &str, arguments: Value) -> Row {
    let mut row = PLAIN.with(Row::clone);
    row.call = portcullis_permissions::ToolCall::new(tool, arguments);
    row
}

/// Every spelling that a shell tool honours.
const DIRECTORIES: [&str; 11] = [
    "workdir",
    "cwd",
    "directory",
    "working_directory",
    "workingDirectory",
    "work_dir",
    "working_dir",
    "workingDir",
    "current_dir",
    "dir",
    "dir_path",
];

/// Tools of each class, the tool that rules name, and their arguments for one path.
fn tools(path: &str) -> Vec<(&'static str, &'static str, Value)> {
    let patch = format!("*** Begin Patch\n*** Update File: {path}\n@@\n-a\n+b\n*** End Patch");
    vec![
        ("Read", "Read", json!({ "file_path": path })),
        ("read_file", "Read", json!({ "absolute_path": path })),
        ("view_image", "Read", json!({ "path": path })),
        ("read_many_files", "Read", json!({ "paths": [path] })),
        ("read_many_files", "Read", json!({ "include": [path], "paths": [] })),
        ("ReadManyFiles", "Read", json!({ "files": [{ "path": path }] })),
        ("Write", "Write", json!({ "file_path": path, "content": "" })),
        ("write_file", "Write", json!({ "path": path, "content": "" })),
        ("Edit", "Edit", json!({ "file_path": path, "old_string": "a", "new_string": "b" })),
        ("replace", "Edit", json!({ "file_path": path })),
        ("MultiEdit", "Edit", json!({ "file_path": path, "edits": [] })),
        ("MultiEdit", "Edit", json!({ "edits": [{ "file_path": path }] })),
        ("NotebookEdit", "Edit", json!({ "notebook_path": path })),
        ("str_replace_editor", "Edit", json!({ "command": "create", "path": path })),
        ("apply_patch", "Edit", json!({ "input": patch })),
        ("ApplyPatch", "Edit", json!({ "patch": patch })),
        ("Grep", "Grep", json!({ "pattern": "x", "path": path })),
        ("search_file_content", "Grep", json!({ "pattern": "x", "path": path })),
        ("Glob", "Glob", json!({ "pattern": "*", "path": path })),
        ("LS", "ListDir", json!({ "path": path })),
        ("list_directory", "ListDir", json!({ "path": path })),
    ]
}

fn with(mut arguments: Value, key: &str, directory: impl Into<Value>) -> Value {
    arguments[key] = directory.into();
    arguments
}

#[test]
fn what_is_denied_is_denied_from_either_place() {
    let mut tried = 0;
    for key in DIRECTORIES {
        for (tool, family, arguments) in tools("a.txt") {
            let denied = |arguments: &Value, rule: &str| {
                let row = call(tool, arguments.clone()).mode(Mode::Unrestricted);
                let verdict = row.rule(ListKind::Deny, rule).verdict();
                let right = (Gate::DenyRule, Decision::Deny);
                assert_eq!((verdict.gate, verdict.decision), right, "{tool} {arguments} {rule}");
            };
            for directory in ["./secrets/", "/repo/secrets", "src/../secrets"] {
                let placed = with(arguments.clone(), key, directory);
                denied(&placed, &format!("{family}(secrets/a.txt)"));
                denied(&placed, &format!("{family}(secrets/**)"));
                // Where the host does not honour it.
                denied(&placed, &format!("{family}(/repo/a.txt)"));
                tried += 1;
            }
        }
    }
    assert!(tried > 600, "{tried}");
}

#[test]
fn what_is_allowed_is_allowed_from_both_places() {
    for key in DIRECTORIES {
        for (tool, family, arguments) in tools("src/a.rs") {
            // A claude context asks for reads outside, so that nothing but the rule allows.
            let decision = |directory: &str, rule: String| {
                let row = call(tool, with(arguments.clone(), key, directory)).claude().mode(Mode::Strict);
                row.rule(ListKind::Allow, &rule).verdict().decision
            };
            let rule = || format!("{family}(src/**)");
            assert_eq!(decision("/etc", rule()), Decision::Ask, "{tool} {key}");
            assert_eq!(decision("lib", rule()), Decision::Ask, "{tool} {key}");
            // A directory that is a path too has to be covered as one.
            let expected = if key == "dir_path" { Decision::Ask } else { Decision::Allow };
            assert_eq!(decision("/repo", rule()), expected, "{tool} {key}");
            assert_eq!(decision("src", rule()), expected, "{tool} {key}");
        }
    }
}

#[test]
fn automatic_answers_hold_for_both_places() {
    for key in DIRECTORIES {
        for (tool, _, arguments) in tools("a.txt") {
            let mode = if matches!(tool, "Read" | "Grep" | "Glob" | "LS") {
                Mode::Standard
            } else {
                Mode::AcceptEdits
            };
            let row =
                |directory: Value| call(tool, with(arguments.clone(), key, directory)).claude().mode(mode);
            assert_eq!(row(json!("src")).verdict().decision, Decision::Allow, "{tool} {key}");
            assert_ne!(row(json!("/etc")).verdict().decision, Decision::Allow, "{tool} {key}");
            assert_ne!(row(json!("../other")).verdict().decision, Decision::Allow, "{tool} {key}");
        }
    }
}

#[test]
fn a_directory_that_nobody_can_read_makes_the_target_unknown() {
    for key in DIRECTORIES {
        for (tool, family, arguments) in tools("a.txt") {
            for directory in
                [json!(7), json!(["a", 1]), json!({}), json!(true), json!("$HOME/x"), json!(" src")]
            {
                // Two readings of one argument: an array is a list of paths there.
                if key == "dir_path" && directory.is_array() {
                    continue;
                }
                let row = || call(tool, with(arguments.clone(), key, directory.clone())).claude();
                assert_ne!(row().verdict().decision, Decision::Allow, "{tool} {key} {directory}");
                let possible =
                    row().mode(Mode::Unrestricted).rule(ListKind::Deny, &format!("{family}(secrets/**)"));
                assert_ne!(possible.verdict().decision, Decision::Allow, "{tool} {key} {directory}");
            }
            for nothing in [json!(null), json!("")] {
                let row = call(tool, with(arguments.clone(), key, nothing.clone())).claude();
                let plain = call(tool, arguments.clone()).claude();
                assert_eq!(row.verdict().decision, plain.verdict().decision, "{tool} {key} {nothing}");
            }
        }
    }
}

#[test]
fn several_directories_count_each_and_one_in_the_other() {
    let denied = |arguments: Value, rule: &str| {
        let row = call("Read", arguments).mode(Mode::Unrestricted).rule(ListKind::Deny, rule);
        row.verdict().decision
    };
    let both = || json!({ "cwd": "a", "workdir": "b", "file_path": "x" });
    for rule in ["Read(a/x)", "Read(b/x)", "Read(a/b/x)", "Read(b/a/x)", "Read(/repo/x)"] {
        assert_eq!(denied(both(), rule), Decision::Deny, "{rule}");
    }
    // Which of them holds is not known.
    assert_eq!(denied(both(), "Read(c/**)"), Decision::Ask);
    let same = json!({ "cwd": "a", "workdir": "a", "file_path": "x" });
    assert_eq!(denied(same, "Read(c/**)"), Decision::Allow);
    let each = json!({ "files": [{ "path": "x", "cwd": "secrets" }, { "path": "y" }] });
    let row = call("read_many_files", each).rule(ListKind::Deny, "Read(secrets/x)");
    assert_eq!(row.verdict().decision, Decision::Deny);
}

#[test]
fn searches_begin_in_the_directory_that_is_named() {
    for key in DIRECTORIES {
        for (tool, arguments) in [
            ("Grep", json!({ "pattern": "x" })),
            ("Glob", json!({ "pattern": "**/*.txt" })),
            ("LS", json!({})),
        ] {
            let row = call(tool, with(arguments, key, "/etc/ssl")).claude();
            assert_ne!(row.verdict().decision, Decision::Allow, "{tool} {key}");
            let denied = row.rule(
                ListKind::Deny,
                &format!("{}(/etc/ssl/**)", if tool == "LS" { "ListDir" } else { tool }),
            );
            assert_eq!(denied.verdict().decision, Decision::Deny, "{tool} {key}");
        }
    }
}

#[test]
fn guards_see_the_directory_too() {
    for key in DIRECTORIES {
        for (tool, _, arguments) in tools("a.txt") {
            for directory in ["/home/u/.letta/agents/a2", "~/.letta/agents/a2", "$HOME/.letta/agents/a2"] {
                let row =
                    call(tool, with(arguments.clone(), key, directory)).agent().mode(Mode::Unrestricted);
                let verdict = row.verdict();
                assert_eq!(verdict.gate, Gate::CrossAgentGuard, "{tool} {key} {directory}");
            }
            let outside = call(tool, with(arguments, key, "/elsewhere")).workspace().mode(Mode::Unrestricted);
            assert_eq!(outside.verdict().gate, Gate::WorkspaceGuard, "{tool} {key}");
        }
    }
}

#[test]
fn what_other_agents_call_a_tool_is_that_tool() {
    for (name, arguments) in [
        ("str_replace_based_edit_tool", json!({ "command": "create", "path": "secrets/a.txt" })),
        ("multi_edit", json!({ "file_path": "secrets/a.txt", "edits": [] })),
        ("patch", json!({ "patchText": "*** Begin Patch\n*** Add File: secrets/a\n+x\n*** End Patch" })),
        ("view", json!({ "path": "secrets/a.txt" })),
        ("run_in_terminal", json!({ "command": "cat secrets/a.txt" })),
        ("functions.exec", json!({ "cmd": ["bash", "-lc", "cat secrets/a.txt"] })),
        ("container.exec", json!({ "cmd": ["cat", "secrets/a.txt"] })),
        ("WebFetch", json!({ "url": "file:///repo/secrets/a.txt", "prompt": "x" })),
    ] {
        let row = || call(name, arguments.clone()).mode(Mode::Unrestricted);
        assert_eq!(row().verdict().decision, Decision::Allow, "{name}");
        let denied = row().rule(ListKind::Deny, "Read(secrets/**)").verdict();
        assert_eq!(denied.decision, Decision::Deny, "{name}");
    }
    let fetched = call("WebFetch", json!({ "url": "file:///repo/.env" })).rule(ListKind::Allow, "WebFetch");
    assert_eq!(fetched.verdict().gate, Gate::Secret);
}

/// An editor that shows a file reads it, whatever it is called and wherever the call stands.
#[test]
fn what_an_editor_shows_is_read() {
    let view = json!({ "command": "view", "path": "secrets/a.txt" });
    let batch = json!({ "calls": [{ "tool": "str_replace_editor", "arguments": view }] });
    for (name, arguments) in [
        ("str_replace_editor", view.clone()),
        ("str_replace_editor", json!({ "command": " View", "path": "secrets/a.txt" })),
        ("str_replace_based_edit_tool", view.clone()),
        ("functions.str_replace_editor", view.clone()),
        ("Batch", batch),
    ] {
        let row = || call(name, arguments.clone()).mode(Mode::Unrestricted);
        assert_eq!(row().verdict().decision, Decision::Allow, "{name}");
        for mode in [Mode::Unrestricted, Mode::AcceptEdits] {
            for (list, decision) in [
                (ListKind::Deny, Decision::Deny),
                (ListKind::Ask, Decision::Ask),
                (ListKind::AlwaysAsk, Decision::AlwaysAsk),
            ] {
                let read = call("Read", json!({ "path": "secrets/a.txt" })).mode(mode);
                let read = read.rule(list, "Read(secrets/**)").verdict().decision;
                assert!(read == decision || list == ListKind::Ask, "{mode:?}");
                let ruled = row().mode(mode).rule(list, "Read(secrets/**)").verdict();
                assert!(ruled.decision == read || read == Decision::Allow, "{name} {mode:?} {list:?}");
            }
        }
    }
    let create = json!({ "command": "create", "path": "secrets/a.txt", "file_text": "x" });
    let created = call("str_replace_editor", create).mode(Mode::Unrestricted);
    assert_eq!(created.rule(ListKind::Ask, "Read(secrets/**)").verdict().decision, Decision::Allow);
}

#[test]
fn a_call_is_no_laxer_than_those_that_it_carries() {
    let carried = |inner: Value| {
        let carrying =
            [json!({ "invocations": [inner] }), json!({ "tool_calls": [{ "x": { "y": inner } }] }), inner];
        carrying.map(|arguments| call("multi_tool_use.parallel", arguments).mode(Mode::Unrestricted))
    };
    let deny =
        |row: Row| row.rule(ListKind::Deny, "Read(secrets/**)").rule(ListKind::Deny, "Bash(git push:*)");
    for inner in [
        json!({ "tool": "Read", "arguments": { "cwd": "secrets", "file_path": "a.txt" } }),
        json!({ "recipient_name": "functions.read_file", "parameters": { "path": "secrets/a.txt" } }),
        json!({ "function": "Read", "arguments": "{\"file_path\": \"secrets/a.txt\"}" }),
        json!({ "name": "Read", "input": { "file_path": "secrets/a.txt" } }),
        json!({ "tool_name": "Read", "file_path": "secrets/a.txt" }),
        json!({ "tool": "shell", "args": { "command": ["git", "push"] } }),
        json!({ "tool": { "name": "Read" }, "arguments": { "file_path": "secrets/a.txt" } }),
        json!({ "Tool": "Read", "Arguments": { "file_path": "secrets/a.txt" } }),
        json!({ "func": "Read", "kwargs": { "file_path": "secrets/a.txt" } }),
        json!({ "kind": "Read", "args_json": "{\"file_path\": \"secrets/a.txt\"}" }),
        json!({ "tool": "functions__Read", "json": "{\"file_path\": \"secrets/a.txt\"}" }),
        json!({ "Read": "{\"file_path\": \"secrets/a.txt\"}" }),
        json!(["Read", "{\"file_path\": \"secrets/a.txt\"}"]),
        json!({ "action": "read", "action_input": { "file_path": "secrets/a.txt" } }),
        json!({ "uri": "file:///repo/secrets/a.txt" }),
        json!({ "uri": "FILE:/repo/%73ecrets/a.txt" }),
        json!({ "tool": "apply_patch", "input": "*** Begin Patch\n*** Add File: secrets/a\n+x\n*** End Patch" }),
    ] {
        for row in carried(inner.clone()) {
            assert_eq!(row.verdict().decision, Decision::Allow, "{inner}");
            assert_eq!(deny(row).verdict().decision, Decision::Deny, "{inner}");
        }
    }
    for row in carried(json!({ "tool": "Read", "arguments": "{" })) {
        assert_eq!(deny(row).verdict().decision, Decision::Ask, "arguments that cannot be read");
    }
    for (inner, rule) in [
        (json!({ "tool_name": "Task", "subagent_type": "a" }), "Task(a)"),
        (json!({ "tool_name": "Skill", "skill": "s" }), "Skill(s)"),
        (json!({ "toolName": "mcp__x__y" }), "mcp__x__*"),
    ] {
        for row in carried(inner.clone()) {
            assert_eq!(row.rule(ListKind::Deny, rule).verdict().decision, Decision::Deny, "{inner}");
        }
    }
    // A rule for the carrying tool does not reach into what it carries.
    let written = json!({ "calls": [{ "tool": "Write", "arguments": { "file_path": "/etc/x" } }] });
    let row = call("Batch", written).rule(ListKind::Allow, "Batch");
    assert_eq!(row.verdict().decision, Decision::Ask);
    let read = json!({ "calls": [{ "tool": "Read", "arguments": { "file_path": "a.txt" } }] });
    assert_eq!(call("Batch", read).rule(ListKind::Allow, "Batch").verdict().decision, Decision::Allow);
    // Names are no calls.
    let todo = json!({ "todos": [{ "name": "Edit", "status": "pending" }] });
    assert_eq!(call("TodoWrite", todo).verdict().decision, Decision::Allow);
    let mut deep = json!({ "tool": "Read", "arguments": { "file_path": "secrets/a.txt" } });
    for _ in 0..64 {
        deep = json!([deep]);
    }
    assert_eq!(deny(call("Batch", deep).mode(Mode::Unrestricted)).verdict().decision, Decision::Ask);
}

//! The two guards against every class of target, through links, patterns, patches and lists, and what is critical.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use std::{io, sync::Arc};

use portcullis_matcher::ListKind;
use portcullis_paths::{FileKind, Resolver, normalize};
use portcullis_permissions::{Decision, Gate, Mode, Workspace};
use serde_json::{Value, json};
use support::row::Row;

/// `/repo/out` leads to `/elsewhere`, `/repo/peer` to another agent's directory, `/repo/trees` to the tree.
struct Links;

impl Resolver for Links {
    fn realpath(&self, path: &str) -> io::Result<String> {
        let path = normalize(path);
        for (link, target) in [
            ("/repo/out", "/elsewhere"),
            ("/repo/peer", "/home/u/.letta/agents/a2"),
            ("/repo/trees", "/home/u/.letta/agents"),
        ] {
            if let Some(rest) = path.strip_prefix(link)
                && (rest.is_empty() || rest.starts_with('/'))
            {
                return Ok(format!("{target}{rest}"));
            }
        }
        Ok(path)
    }

    fn kind(&self, path: &str) -> Option<FileKind> {
        (path == "/").then_some(FileKind::Directory)
    }

    fn read(&self, _path: &str, _limit: usize) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

fn linked(row: Row) -> Row {
    row.set(|context| context.resolver = Some(Arc::new(Links)))
}

fn patch(path: &str) -> Value {
    json!({ "input": format!("*** Begin Patch\n*** Update File: {path}\n@@\n-a\n+b\n*** End Patch") })
}

#[test]
fn cross_agent_classes() {
    let row =
        |tool: &str, arguments: Value| linked(Row::call(tool, arguments).agent()).mode(Mode::Unrestricted);
    let named = |row: &Row| {
        let verdict = row.verdict();
        (verdict.gate == Gate::CrossAgentGuard).then(|| {
            assert_eq!(verdict.decision, Decision::Deny);
            verdict.reason.split(['(', ')']).nth(1).unwrap().to_owned()
        })
    };
    let tree = "/home/u/.letta/agents";
    for (tool, arguments, wanted) in [
        // Another agent, its own, the tree, above the tree, elsewhere: for one file and for everything below.
        ("Read", json!({ "file_path": format!("{tree}/a2/x") }), Some("a2")),
        ("Read", json!({ "file_path": format!("{tree}/a1/x") }), None),
        ("Read", json!({ "file_path": tree }), Some("<unresolved>")),
        ("Read", json!({ "file_path": "/home/u" }), None),
        ("Read", json!({ "file_path": "/etc/hosts" }), None),
        ("Grep", json!({ "pattern": "x", "path": format!("{tree}/a2") }), Some("a2")),
        ("Grep", json!({ "pattern": "x", "path": format!("{tree}/a1") }), None),
        ("Grep", json!({ "pattern": "x", "path": tree }), Some("<unresolved>")),
        ("Grep", json!({ "pattern": "x", "path": "/home/u" }), Some("<unresolved>")),
        ("ListDir", json!({ "path": "/" }), Some("<unresolved>")),
        ("Grep", json!({ "pattern": "x", "path": "/etc" }), None),
        // Spellings.
        ("Read", json!({ "file_path": "~/.letta/agents/a2/x" }), Some("a2")),
        ("Read", json!({ "file_path": format!("{tree}/a1/../a2/x") }), Some("a2")),
        ("Write", json!({ "file_path": "$HOME/.letta/agents/a2/x" }), Some("a2")),
        // Patterns, alone and joined to a path.
        ("Glob", json!({ "pattern": format!("{tree}/a2/**") }), Some("a2")),
        ("Glob", json!({ "pattern": format!("{tree}/a1/**") }), None),
        ("Glob", json!({ "pattern": format!("{tree}/*/x") }), Some("<unresolved>")),
        ("Glob", json!({ "pattern": "/home/u/.l?tta/agent[s]/a2/x" }), Some("a2")),
        ("Glob", json!({ "pattern": "/home/u/{docs,.letta/agents/a2}/x" }), Some("a2")),
        ("Glob", json!({ "pattern": "/**/x" }), Some("<unresolved>")),
        ("Glob", json!({ "pattern": "../../a2/x", "path": format!("{tree}/a1/memory") }), Some("a2")),
        ("Glob", json!({ "pattern": "*.md", "path": "/repo" }), None),
        // Patches and lists.
        ("apply_patch", patch(&format!("{tree}/a2/m.md")), Some("a2")),
        ("apply_patch", patch("src/a.rs"), None),
        ("ReadManyFiles", json!({ "paths": ["a", format!("{tree}/a2/m.md")] }), Some("a2")),
        // Through links.
        ("Read", json!({ "file_path": "peer/memory/x" }), Some("a2")),
        ("Write", json!({ "file_path": "trees/a2/x" }), Some("a2")),
        ("Read", json!({ "file_path": "trees/a1/x" }), None),
        // Shell calls are the kernel's.
        ("Bash", json!({ "command": format!("cat {tree}/a2/x") }), None),
    ] {
        let found = named(&row(tool, arguments.clone()));
        // A wildcard's directory may be named beside what it leads to.
        let found = found.as_deref().map(|found| found.strip_prefix("<unresolved>, ").unwrap_or(found));
        assert_eq!(found, wanted, "{tool} {arguments}");
    }
    // A subagent may reach its parent's as well; nobody else may.
    let read = row("Read", json!({ "file_path": format!("{tree}/a0/x") }));
    let child = |subagent| {
        read.clone().set(|context| {
            context.agent.parent = Some("a0".into());
            context.agent.subagent = subagent;
        })
    };
    assert_eq!((named(&child(true)), named(&child(false)).as_deref()), (None, Some("a0")));
    let confined = read.set(|context| context.agent.confined = true);
    assert_eq!(named(&confined), None);
}

#[test]
fn workspace_targets() {
    let row = |tool: &str, arguments: Value| {
        linked(Row::call(tool, arguments)).mode(Mode::Unrestricted).set(|context| {
            context.workspace = Some(Workspace::unchecked("/repo", "/").unwrap());
        })
    };
    let inner = |tool: &str, arguments: Value| {
        row(tool, arguments).set(|context| {
            context.cwd = "/iso/one".into();
            context.workspace = Some(Workspace::unchecked("/iso/one", "/iso").unwrap());
        })
    };
    let denied = |row: Row| row.verdict().gate == Gate::WorkspaceGuard;
    for (row, wanted) in [
        (row("Write", json!({ "file_path": "src/x" })), false),
        (row("Write", json!({ "file_path": "../x" })), true),
        (row("Write", json!({ "file_path": "out/x" })), true),
        (row("Write", json!({})), true),
        (row("apply_patch", patch("/etc/x")), true),
        (row("memory", json!({ "path": "/etc/x" })), true),
        // Between the root and the isolation root nothing is read either.
        (inner("Read", json!({ "file_path": "a" })), false),
        (inner("Read", json!({ "file_path": "../two/a" })), true),
        (inner("Read", json!({ "file_path": "/etc/hosts" })), false),
        (inner("Write", json!({ "file_path": "/etc/hosts" })), true),
        (inner("Write", json!({ "file_path": "~/x" })), true),
        (inner("ReadManyFiles", json!({ "paths": ["a", "/iso/two/a"] })), true),
        (inner("Glob", json!({ "pattern": "*", "path": "/" })), true),
        (inner("Read", json!({ "file_path": "/" })), false),
        (inner("Glob", json!({ "pattern": "/iso/{one,two}/*" })), true),
        (inner("Glob", json!({ "pattern": "/is?/two/*" })), true),
        (inner("Glob", json!({ "pattern": "**/*.rs" })), false),
        (inner("Bash", json!({ "command": "touch /iso/two/a" })), false),
    ] {
        assert_eq!(denied(row.clone()), wanted, "{:?}", row.call);
    }
    let verdict = row("Write", json!({ "file_path": "out/x" })).verdict();
    assert_eq!(verdict.reason, "Permission denied by workspace sandbox: /repo/out/x is outside /repo");
}

#[test]
fn guards_stand_before_rules_and_modes() {
    use portcullis_matcher::ListKind::Allow;
    let write = Row::file("Write", "/etc/x").workspace().mode(Mode::Unrestricted).rule(Allow, "*");
    assert_eq!(write.verdict().decision, Decision::Deny);
    let read = Row::file("Read", "/home/u/.letta/agents/a2/x").agent().mode(Mode::Unrestricted);
    assert_eq!(read.rule(Allow, "Read(//home/u/.letta/agents/a2/x)").verdict().decision, Decision::Deny);
}

#[test]
fn what_is_critical() {
    for text in [
        "rm -rf /",
        "rm -rf //",
        "rm -rf /etc",
        "rm -rf /home",
        "rm -rf /home/u",
        "rm -rf ~/",
        "rm -rf $HOME",
        "rm -rf /repo",
        "rm -rf ../repo",
        "rm -rf *",
        "mv /repo /tmp/x",
        "rm -rf \"$D\"/*",
        "rm -rf ${D}/",
        "bash -c 'rm -rf /usr'",
        "true && (cd / && rm -rf usr)",
        "dd if=/dev/zero of=/dev/sda",
        "cat x > /dev/nvme0n1",
        "sudo rm -rf /var",
        "chmod -R 777 /",
    ] {
        let row = Row::shell(text).mode(Mode::Unrestricted);
        row.speaks(Gate::CriticalRemoval, Decision::AlwaysAsk, "Removes a critical path");
    }
    for text in ["rm -rf build", "rm -rf /tmp/x/y", "rm -rf src/*", "echo x > /dev/null", "rm -rf ~/.cache/x"]
    {
        Row::shell(text).mode(Mode::Unrestricted).abstains(Gate::CriticalRemoval);
    }
}

#[test]
fn defaults_of_every_tool() {
    let reason = "Default behavior for tool";
    let free = [
        "TodoWrite",
        "TaskOutput",
        "update_plan",
        "UpdatePlan",
        "write_todos",
        "WriteTodos",
        "memory",
        "MessageChannel",
    ];
    for tool in free {
        Row::call(tool, json!({})).speaks(Gate::Default, Decision::Allow, reason);
        Row::call(tool, json!({})).claude().speaks(Gate::Default, Decision::Allow, reason);
    }
    for kind in ["recall", "Recall", "reflection", "Reflection", "history-analyzer"] {
        Row::call("Task", json!({ "subagent_type": kind })).speaks(Gate::Default, Decision::Allow, reason);
    }
    let memory = "/home/u/.letta/agents/a1/memory/m.md";
    let inside = Row::call("memory_apply_patch", patch(memory)).agent();
    assert_eq!(inside.verdict().decision, Decision::Allow);
    for path in ["/home/u/.letta/agents/a1/x.md", "/repo/a.md"] {
        let outside = Row::call("memory_apply_patch", patch(path)).agent().verdict();
        assert_eq!(outside.decision, Decision::Ask, "{path}");
    }
    for chars in ["", "\u{3}", "\u{4}\n"] {
        let typed = Row::call("write_stdin", json!({ "session_id": 1, "chars": chars }));
        typed.speaks(Gate::Default, Decision::Allow, reason);
    }
    Row::call("write_stdin", json!({ "session_id": 1, "chars": "y\n" })).speaks(
        Gate::Default,
        Decision::Ask,
        reason,
    );
    for tool in ["WebFetch", "WebSearch", "mcp__gh__create_issue", "unheard_of"] {
        Row::call(tool, json!({})).speaks(Gate::Default, Decision::Ask, reason);
    }
}

#[test]
fn what_is_typed_may_be_part_of_anything() {
    let typed = |chars: &str| Row::call("write_stdin", json!({ "session_id": 1, "chars": chars }));
    for chars in
        ["gi", "t push\n", "push\n", "!!\n", "\u{1b}[A\n", "\u{12}push\n", "x\u{8}git push\n", "y\n", "ls\n"]
    {
        for mode in [Mode::Unrestricted, Mode::AcceptEdits, Mode::Standard] {
            let row = || typed(chars).mode(mode);
            for list in [ListKind::Deny, ListKind::AlwaysAsk] {
                for rule in ["Bash(git push:*)", "Read(secrets/**)", "Edit(src/**)"] {
                    row().rule(list, rule).speaks(Gate::PossibleDeny, Decision::Ask, &may_match(list, rule));
                }
            }
        }
        // A rule about something else leaves it as it was.
        let verdict = typed(chars).mode(Mode::Unrestricted).rule(ListKind::Deny, "WebFetch").verdict();
        assert_eq!(verdict.decision, Decision::Allow, "{chars:?}");
    }
    typed("git push\n").mode(Mode::Unrestricted).rule(ListKind::Deny, "Bash(git push:*)").speaks(
        Gate::DenyRule,
        Decision::Deny,
        "Matched deny rule",
    );
    let nothing = typed("\u{3}").mode(Mode::Unrestricted).rule(ListKind::Deny, "Bash(git push:*)");
    assert_eq!(nothing.verdict().decision, Decision::Allow);
}

fn may_match(list: ListKind, rule: &str) -> String {
    format!("May match {} rule {rule}", if list == ListKind::Deny { "deny" } else { "alwaysAsk" })
}

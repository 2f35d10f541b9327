//! Arguments that hosts may read in more than one way: a rule that restricts holds if one of them is meant, a rule that
//! allows only if all are.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    dead_code,
    reason = "test code"
)]

#[path = "support/rules.rs"]
mod support;

use portcullis_matcher::{
    Conventions, ListKind, RuleObject, RuleSource, RuleSpec, Rules, Scope, SourcedRule,
};
use portcullis_permissions::{Context, Decision, GateConventions, Mode, ToolCall, decide};
use serde_json::{Value, json};
use support::compile;

fn decision(list: ListKind, rule: &Value, tool: &str, arguments: &Value) -> Decision {
    let text = |key: &str| rule.get(key).map(|text| text.as_str().unwrap().to_owned());
    let rule = match rule.as_str() {
        Some(rule) => RuleSpec::Text(rule.to_owned()),
        None => RuleSpec::Object(RuleObject {
            tools: text("tool").into_iter().collect(),
            pattern: text("pattern"),
            regex: text("regex"),
        }),
    };
    let rule = SourcedRule { spec: rule, source: RuleSource::of(Scope::User), reason: None };
    let mut rules = Rules::default();
    let mode = if list == ListKind::Allow {
        rules.allow.push(rule);
        Mode::Standard
    } else {
        rules.deny.push(rule);
        Mode::Unrestricted
    };
    let context = Context::bare("/repo", mode, GateConventions::portcullis());
    let call = ToolCall { name: tool.to_owned(), arguments: arguments.clone(), call_id: None };
    decide(&call, &context, &compile(rules, &Conventions::portcullis())).decision
}

/// Rows of a rule, a tool and its arguments.
fn restricted(rows: &[(Value, &str, Value)]) {
    let passed: Vec<String> = rows
        .iter()
        .filter(|(rule, tool, arguments)| decision(ListKind::Deny, rule, tool, arguments) == Decision::Allow)
        .map(|(rule, tool, arguments)| format!("{rule}: {tool} {arguments}"))
        .collect();
    assert!(passed.is_empty(), "{}", passed.join("\n"));
}

#[test]
fn every_name_of_an_agent_or_a_skill_counts() {
    let (task, skill) = (json!("Task(review)"), json!("Skill(deploy)"));
    restricted(&[
        (task.clone(), "Task", json!({ "subagent_type": "ok", "agent_type": "review" })),
        (task.clone(), "Task", json!({ "subagent_type": "", "agent_type": "review" })),
        (task.clone(), "Task", json!({ "subagent_type": "ok", "subagentType": "review" })),
        (task.clone(), "Task", json!({ "subagent_type": "ok", "agent": "review" })),
        (task.clone(), "Task", json!({ "subagent_type": "ok", "tasks": [{ "subagent_type": "review" }] })),
        (task.clone(), "Task", json!({ "subagent_type": "ok", "tasks": [{ "name": "review" }] })),
        (task.clone(), "Task", json!({ "subagent_type": "ok", "agents": "[\"review\"]" })),
        (task, "Task", json!({ "prompt": "x" })),
        (skill.clone(), "Skill", json!({ "command": "load", "skills": ["deploy"] })),
        (skill.clone(), "Skill", json!({ "skill": "ok", "skills": ["deploy"] })),
        (skill.clone(), "Skill", json!({ "skill": "ok,deploy" })),
        (skill.clone(), "Skill", json!({ "skill": "ok", "skills": [{ "name": "deploy" }] })),
        (skill.clone(), "Skill", json!({ "skill": "ok", "name": "deploy" })),
        (skill.clone(), "Skill", json!({ "skill": "", "name": "deploy" })),
        (skill.clone(), "Skill", json!({ "skill": "ok", "command": "deploy" })),
        (skill.clone(), "Skill", json!({ "skill": "/deploy" })),
        (skill, "Skill", json!({ "skill": "deploy prod" })),
    ]);
    let allowed = |rule: &str, tool: &str, arguments: Value| {
        decision(ListKind::Allow, &json!(rule), tool, &arguments) == Decision::Allow
    };
    assert!(allowed("Task(ok)", "Task", json!({ "subagent_type": "ok" })));
    assert!(allowed("Task(ok)", "Task", json!({ "subagent_type": "ok", "name": "worker", "prompt": "x" })));
    for more in [
        json!({ "subagent_type": "ok", "agent_type": "evil" }),
        json!({ "subagent_type": "ok", "agent": "evil" }),
        json!({ "subagent_type": "ok", "tasks": [{ "subagent_type": "evil" }] }),
        json!({ "subagent_type": "ok", "tasks": [{ "name": "evil" }] }),
        json!({ "subagent_type": "ok", "agents": [7] }),
    ] {
        assert!(!allowed("Task(ok)", "Task", more.clone()), "{more}");
    }
    // What is automatic of itself is so only by all of its names.
    assert!(allowed("Read(x)", "Task", json!({ "subagent_type": "recall" })));
    assert!(!allowed("Read(x)", "Task", json!({ "subagent_type": "recall", "agent": "evil" })));
}

#[test]
fn every_path_of_a_file_tool_counts() {
    let read = json!("Read(secrets/**)");
    let keys = [
        "filePath",
        "target_file",
        "filename",
        "file",
        "filepath",
        "absolutePath",
        "relative_path",
        "uri",
        "FILE_PATH",
        "new_path",
        "destination",
    ];
    for key in keys {
        restricted(&[(read.clone(), "Read", json!({ "file_path": "src/ok", key: "secrets/a" }))]);
        let arguments = json!({ "file_path": "src/a", key: "/etc/passwd" });
        assert_ne!(
            decision(ListKind::Allow, &json!("Edit(src/**)"), "Edit", &arguments),
            Decision::Allow,
            "{key}"
        );
    }
    for key in ["base_dir", "base", "root", "folder", "Cwd", "target_directory", "base_path", "project_root"]
    {
        restricted(&[(read.clone(), "Read", json!({ "file_path": "a", key: "secrets" }))]);
    }
    for path in
        ["file:///repo/secrets/a", "FILE:/repo/secrets/a", " secrets/a", "${PWD}/secrets/a", "secrets%2Fa"]
    {
        restricted(&[(read.clone(), "Read", json!({ "file_path": path }))]);
    }
    restricted(&[
        (read.clone(), "Read", json!({ "file_path": "src/ok", "arguments": { "file_path": "secrets/a" } })),
        (
            json!("Edit(secrets/**)"),
            "Edit",
            json!({ "file_path": "a", "edits": [{ "filePath": "secrets/a" }] }),
        ),
        (
            json!("Edit(secrets/**)"),
            "apply_patch",
            json!({ "input": "*** Begin Patch\n*** Update File: src/a\n*** create file: secrets/x\n*** End Patch" }),
        ),
    ]);
    for (tool, arguments) in [
        ("Read", json!({ "file_path": "src/$id.tsx", "offset": 3, "limit": 10 })),
        ("Read", json!({ "file_path": "100%.txt" })),
    ] {
        assert_eq!(decision(ListKind::Deny, &read, tool, &arguments), Decision::Allow, "{tool} {arguments}");
    }
}

#[test]
fn tools_are_known_by_other_names_and_inside_other_calls() {
    restricted(&[
        (json!("mcp__github"), "functions.mcp__github__get_issue", json!({})),
        (json!("mcp__github__get_issue"), "mcp__github__get_issue ", json!({})),
        (json!("WebFetch(domain:evil.example)"), "web_fetch", json!({ "url": "https://evil.example/" })),
        (json!("WebFetch"), "functions.webfetch", json!({ "url": "https://a.example/" })),
        (json!("Bash(rm:*)"), "Bash\u{0}", json!({ "command": "rm x" })),
        (json!("Bash(rm:*)"), "B\u{200b}ash", json!({ "command": "rm x" })),
        (json!("Bash(rm:*)"), "\u{ff22}ash", json!({ "command": "rm x" })),
        (json!("Bash(rm:*)"), "functions.Ba\u{ad}sh", json!({ "command": "rm x" })),
        (json!("Read(secrets/**)"), "Re\u{7}ad", json!({ "file_path": "secrets/a" })),
        (json!("my_tool"), "my\u{200b}_tool", json!({})),
        (json!("mcp__github"), "mcp\u{2060}__github__get", json!({})),
        (
            json!("WebSearch"),
            "Batch",
            json!({ "calls": [{ "tool": "WebSearch", "arguments": { "query": "x" } }] }),
        ),
        (
            json!("Skill(deploy)"),
            "Batch",
            json!({ "calls": [{ "tool": "Skill", "arguments": { "skill": "deploy" } }] }),
        ),
    ]);
    for name in ["Bash\u{0}", "B\u{200b}ash", "\u{ff22}ash"] {
        let arguments = json!({ "command": "make" });
        let rule = json!("Bash(make:*)");
        assert_ne!(decision(ListKind::Allow, &rule, name, &arguments), Decision::Allow, "{name:?}");
    }
    let read = json!("Read(secrets/**)");
    let inner = json!({ "file_path": "secrets/a" });
    for carried in [
        json!([{ "tool": "Read", "arguments": { "file_path": "src/ok" }, "parameters": inner }]),
        json!("[{\"tool\":\"Read\",\"arguments\":{\"file_path\":\"secrets/a\"}}]"),
        json!(["{\"tool\":\"Read\",\"arguments\":{\"file_path\":\"secrets/a\"}}"]),
        json!([{ "Read": inner }]),
        json!([["Read", inner]]),
        json!([{ "tool": "Read", "arguments": [inner] }]),
        json!([{ "tool_name": "Read", "tool_args": inner }]),
        json!([{ "method": "Read", "params": inner }]),
        json!([{ "tool": "Read ", "arguments": inner }]),
        json!([{ "tool": "read", "arguments": inner }]),
        json!([{ "tool": "functions.Read", "payload": inner }]),
    ] {
        let text = json!({ "calls": carried }).to_string();
        restricted(&[
            (read.clone(), "Batch", json!({ "calls": carried })),
            (read.clone(), "Batch", json!(text)),
        ]);
    }
    // Deeper than anybody looks.
    let deep = format!("{}{inner}{}", "[".repeat(300), "]".repeat(300));
    for arguments in [json!({ "calls": deep }), json!(deep)] {
        assert_eq!(decision(ListKind::Deny, &read, "Batch", &arguments), Decision::Ask);
    }
    for (tool, arguments) in [
        ("mcp__fs__do", json!({ "action": "read", "options": { "deep": true } })),
        ("TodoWrite", json!({ "todos": [{ "content": "Read secrets", "status": "open" }] })),
    ] {
        assert_eq!(decision(ListKind::Deny, &read, tool, &arguments), Decision::Allow, "{tool} {arguments}");
    }
}

#[test]
fn rule_objects_see_texts_without_the_escapes_of_json() {
    let query = |key: &str, value: &str| json!({ "tool": "mcp__db__query", key: value });
    restricted(&[
        (query("regex", "DROP\\s+TABLE"), "mcp__db__query", json!({ "q": "DROP\nTABLE x" })),
        (
            query("pattern", "*DROP TABLE \"users\"*"),
            "mcp__db__query",
            json!({ "q": "DROP TABLE \"users\"" }),
        ),
        (query("regex", "^DROP"), "mcp__db__query", json!({ "q": ["x", { "y": "DROP TABLE x" }] })),
        (query("regex", "\"q\":\"DROP"), "mcp__db__query", json!({ "q": "DROP TABLE x" })),
        (json!({ "tool": "Task", "pattern": "review" }), "Task", json!({ "subagent_type": "review" })),
        // Whatever paths stand among them.
        (
            json!({ "tool": "mcp__fs__write_file", "pattern": "*secrets*" }),
            "mcp__fs__write_file",
            json!({ "path": "secrets/a" }),
        ),
        (json!({ "tool": "*", "pattern": "*secrets*" }), "Foo", json!({ "paths": ["secrets/a"] })),
        (json!({ "tool": "Foo", "pattern": "*secrets*" }), "Foo", json!({ "q": "secrets", "files": ["x"] })),
        (
            json!({ "tool": "WebFetch", "pattern": "*secrets*" }),
            "WebFetch",
            json!({ "url": "https://secrets.example", "path": "x" }),
        ),
        (
            json!({ "tool": "Task", "pattern": "*secrets*" }),
            "Task",
            json!({ "subagent_type": "secrets", "path": "x" }),
        ),
    ]);
}

#[test]
fn every_address_counts() {
    let evil = json!("WebFetch(domain:evil.example)");
    for arguments in [
        json!({ "url": "https://ok.example/ https://evil.example/" }),
        json!({ "url": "https://ok.example/,https://evil.example/" }),
        json!({ "url": "URL: https://evil.example" }),
        json!({ "url": "u:p@evil.example" }),
        json!({ "url": "https://ok.example/", "urlList": "evil.example" }),
        json!({ "url": "https://ok.example/", "url2": "evil.example" }),
        json!({ "url": "https://ok.example/", "proxyHost": "evil.example" }),
        json!({ "url": "https://ok.example/", "hosts": "evil.example" }),
        json!({ "url": "https://ev\u{1806}il.example/" }),
        json!({ "url": "https://ev\u{1bca0}il.example/" }),
        json!({ "url": "https://ev\u{2061}il.example/" }),
    ] {
        restricted(&[(evil.clone(), "WebFetch", arguments)]);
    }
    restricted(&[
        (json!("WebFetch(domain:αι.example)"), "WebFetch", json!({ "url": "https://\u{1fb3}.example/" })),
        (json!("WebFetch(domain:в.example)"), "WebFetch", json!({ "url": "https://\u{1c80}.example/" })),
    ]);
    let docs = |url: &str| {
        decision(ListKind::Allow, &json!("WebFetch(domain:docs.rs)"), "WebFetch", &json!({ "url": url }))
    };
    for key in ["target", "site", "page", "callback", "webhook", "input", "x"] {
        let arguments = json!({ "url": "https://docs.rs/x", key: "evil.example" });
        restricted(&[(evil.clone(), "WebFetch", arguments.clone())]);
        let rule = json!("WebFetch(domain:docs.rs)");
        assert_ne!(decision(ListKind::Allow, &rule, "WebFetch", &arguments), Decision::Allow, "{key}");
        let same = json!({ "url": "https://docs.rs/x", key: "docs.rs", "prompt": "what is evil.example?" });
        assert_eq!(decision(ListKind::Allow, &rule, "WebFetch", &same), Decision::Allow, "{key}");
        assert_eq!(decision(ListKind::Deny, &evil, "WebFetch", &same), Decision::Allow, "{key}");
    }
    assert_eq!(docs("https://docs.rs/x?a=1,2"), Decision::Allow);
    assert_ne!(docs("https://docs.rs/ https://evil.example/"), Decision::Allow);
    assert_ne!(docs("https://docs.rs/,https://evil.example/"), Decision::Allow);
}

#[test]
fn words_beside_a_command_may_be_part_of_it() {
    let push = json!("Bash(git push:*)");
    for arguments in [
        json!({ "command": "git", "args": ["push"] }),
        json!({ "command": ["git"], "args": ["push"] }),
        json!({ "cmd": "git", "args": "push origin" }),
        json!({ "command": "git", "arguments": ["push"] }),
        json!({ "command": "git", "argv": ["git", "push"] }),
        json!({ "command": "ls", "script": "git push" }),
        json!({ "command": "ls", "commands": ["git push"] }),
        json!({ "command": "ls", "Command": "git push" }),
        json!({ "command": "bash", "stdin": "git push" }),
    ] {
        for tool in ["Bash", "shell", "exec_command", "run_shell_command"] {
            restricted(&[(push.clone(), tool, arguments.clone())]);
            let allowed = decision(ListKind::Allow, &json!("Bash"), tool, &arguments);
            assert_ne!(allowed, Decision::Allow, "{tool} {arguments}");
        }
    }
    let plain = json!({ "command": "git status", "description": "x", "timeout": 5, "args": [], "run_in_background": false });
    assert_eq!(decision(ListKind::Deny, &push, "Bash", &plain), Decision::Allow);
}

#[test]
fn every_element_of_a_list_of_paths_counts() {
    let read = json!("Read(secrets/**)");
    for arguments in [
        json!({ "paths": ["src/ok", { "name": "secrets/a" }] }),
        json!({ "files": [{ "path": "src/ok" }, { "filePath": "secrets/a" }] }),
        json!({ "paths": "src/ok,secrets/a" }),
        json!({ "paths": "src/ok secrets/a" }),
        json!({ "paths": "[\"src/ok\",\"secrets/a\"]" }),
    ] {
        restricted(&[
            (read.clone(), "read_many_files", arguments.clone()),
            (read.clone(), "Read", arguments),
        ]);
    }
    let edit = json!({ "file_path": "src/a", "edits": [{ "old_string": "a", "new_string": "b" }] });
    assert_eq!(decision(ListKind::Deny, &read, "MultiEdit", &edit), Decision::Allow);
}

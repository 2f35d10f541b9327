//! The shape of requests and answers of `check`, field by field, through the real binary.
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
use support::{
    Ended, Place,
    batch::{answer, batch_of, keys, read, request},
};

/// Of every answer; the last one where the file system was not looked at.
const FIELDS: [&str; 11] = [
    "id",
    "decision",
    "gate",
    "rule",
    "source",
    "reason",
    "why",
    "possible",
    "exclude",
    "confinement",
    "asWritten",
];

/// Every field of a response, in every state that it can have.
#[test]
fn responses_have_these_fields() {
    let allowed = answer(&request(&json!("c1"), "git status"));
    assert_eq!(keys(&allowed), FIELDS);
    assert_eq!(
        allowed,
        json!({
            "id": "c1", "decision": "allow", "gate": "read-only-shell", "rule": null, "source": null,
            "reason": "Read-only shell command", "why": [], "possible": [], "exclude": [],
            "confinement": { "mode": "read-only", "network": "blocked", "required": false },
            "asWritten": true,
        })
    );
    // Where the file system was looked at, nothing need be said.
    let mut looked = request(&json!("c1"), "git status");
    looked["cwd"] = json!("/");
    assert!(answer(&looked).get("asWritten").is_none());

    let mut by_rule = request(&json!("c2"), "git push");
    by_rule["rules"] = json!({ "deny": [
        { "rule": "Bash(git push:*)", "scope": "project", "file": "/repo/s.json", "line": 4, "reason": "use a branch" },
    ] });
    let denied = answer(&by_rule);
    assert_eq!(denied["rule"], "Bash(git push:*)");
    assert_eq!(denied["source"], json!({ "scope": "project", "file": "/repo/s.json", "line": 4 }));
    assert_eq!((&denied["gate"], &denied["reason"]), (&json!("deny-rule"), &json!("Matched deny rule")));
    assert_eq!((&denied["ruleReason"], &denied["confinement"]), (&json!("use a branch"), &Value::Null));

    by_rule["arguments"]["command"] = json!("eval \"$x\"");
    by_rule["rules"]["deny"] = json!(["Bash(git push:*)"]);
    let possible = answer(&by_rule);
    assert_eq!((&possible["decision"], &possible["gate"]), (&json!("ask"), &json!("possible-deny")));
    let user = json!({ "scope": "user", "file": null, "line": null });
    assert_eq!(possible["possible"], json!([{ "rule": "Bash(git push:*)", "source": user }]));

    let recursive = answer(&request(&json!("c4"), "grep -r x ."));
    assert!(recursive["exclude"].as_array().unwrap().contains(&json!(".env")), "{recursive}");
    let hiding = json!({ "mode": "read-only", "network": "blocked", "required": true });
    assert_eq!((&recursive["decision"], &recursive["confinement"]), (&json!("allow"), &hiding));
    let mut unhidden = request(&json!("c4"), "grep -r x .");
    unhidden["hides"] = json!(false);
    assert_eq!(answer(&unhidden)["gate"], "secret");

    let mut confined = request(&json!("c5"), "cargo test");
    assert_eq!(answer(&confined)["decision"], "ask", "off unless the line says otherwise");
    confined["confinedAuto"] = json!(true);
    let expected = json!({ "mode": "workspace-write", "network": "blocked", "required": true });
    assert_eq!(answer(&confined)["confinement"], expected);
}

#[test]
fn one_call_has_the_same_fields() {
    let place = Place::new();
    let ended = place.run(["check", "--format", "json", "--suggest", "--trace", "--command", "cargo test"]);
    let answer = read(&ended.stdout);
    let all = [&FIELDS[..FIELDS.len() - 1], &["suggestion", "trace"]].concat();
    assert_eq!((ended.code, keys(&answer)), (Some(1), all));
    assert_eq!(ended.stderr, "");
    assert_eq!(
        keys(&answer["suggestion"]),
        ["rules", "description", "button", "scope", "allowPersistence", "safety"]
    );
    assert_eq!(keys(&answer["trace"][0]), ["gate", "matched", "decision", "pattern", "message"]);
}

#[test]
fn every_field_of_a_request_is_understood() {
    let decided = |change: &dyn Fn(&mut Value)| {
        let mut line = request(&json!(1), "cargo test");
        change(&mut line);
        let answer = answer(&line);
        assert!(answer.get("error").is_none() && answer.get("ignored").is_none(), "{answer}");
        format!("{} {}", answer["decision"].as_str().unwrap(), answer["gate"].as_str().unwrap())
    };
    let set = |field: &'static str, value: Value| {
        let change = move |line: &mut Value| line[field] = value.clone();
        decided(&change)
    };
    assert_eq!(set("mode", json!("unrestricted")), "allow mode");
    assert_eq!(set("mode", json!("dontAsk")), "deny dont-ask");
    assert_eq!(set("rules", json!({ "allow": ["Bash(cargo test:*)"] })), "allow allow-rule");
    assert_eq!(set("rules", json!({ "alwaysAsk": ["Bash(cargo test:*)"] })), "alwaysAsk always-ask-rule");
    assert_eq!(set("rules", json!({ "ask": [{ "pattern": "cargo *" }] })), "ask ask-rule");
    let restricted = json!({
        "allow": ["Bash(cargo test:*)"], "restrict": [{ "rule": "Bash(cargo:*)", "scope": "project" }],
        "additionalDirectories": ["/lib"],
    });
    assert_eq!(set("rules", restricted), "ask default");
    assert_eq!(set("session", json!({ "allow": ["Bash(cargo test:*)"] })), "allow session-allow");
    assert_eq!(set("session", json!({ "deny": ["Bash"] })), "deny deny-rule");
    assert_eq!(set("cli", json!({ "allowed": ["Bash(cargo test:*),Read"] })), "allow cli-allow");
    assert_eq!(set("cli", json!({ "disallowed": ["Bash"] })), "deny cli-disallow");
    for (field, value) in [
        ("interactive", json!(false)),
        ("trusted", json!(false)),
        ("hides", json!(false)),
        ("allowExternalPaths", json!(true)),
        ("settings", json!("none")),
        ("root", json!("/")),
        ("shell", json!("zsh")),
        ("engine", json!("v1")),
        ("profile", json!("claude")),
        ("env", json!({ "A": "b" })),
        ("tools", json!({ "x": "auto" })),
        ("agent", json!({ "id": "a1", "parent": "a0", "subagent": true })),
    ] {
        assert_eq!(set(field, value), "ask default", "{field}");
    }
    let tool = |line: &mut Value| {
        line["tool"] = json!("my_tool");
        line["tools"] = json!({ "my_tool": "alwaysAsk" });
    };
    assert_eq!(decided(&tool), "alwaysAsk tool-policy");
    let workspace = |line: &mut Value| {
        (line["tool"], line["arguments"]) = (json!("Write"), json!({ "file_path": "/etc/x" }));
        line["workspace"] = json!({ "root": "/ws/a", "isolationRoot": "/ws" });
    };
    assert_eq!(decided(&workspace), "deny workspace-guard");
    let other_agent = |line: &mut Value| {
        (line["tool"], line["arguments"]) =
            (json!("Read"), json!({ "file_path": "~/.letta/agents/a2/memory/x" }));
        line["agent"] = json!({ "id": "a1" });
    };
    assert_eq!(decided(&other_agent), "deny cross-agent-guard");
    let switched_off = |line: &mut Value| {
        other_agent(line);
        line["cli"] = json!({ "disableMemoryGuard": true });
    };
    assert_eq!(decided(&switched_off), "allow default");
}

#[test]
fn the_trace_is_printed_on_request() {
    let place = Place::new();
    let traced = |variables: &[(&str, &str)], command: &str| {
        let mut check = place.portcullis(["check", "--command", command]);
        check.envs(variables.iter().copied());
        Ended::of(&check.output().unwrap()).stderr
    };
    let one = [("LETTA_PERMISSION_TRACE", "1")];
    let all = [("LETTA_PERMISSION_TRACE_ALL", "1")];
    assert_eq!(traced(&[], "cargo test"), "");
    assert_eq!(traced(&one, "ls"), "");
    let asked = read(&traced(&one, "cargo test"));
    assert_eq!((&asked["decision"], &asked["gate"]), (&json!("ask"), &json!("default")));
    let gates = asked["gates"].as_array().unwrap();
    assert_eq!(
        gates[0],
        json!({
            "gate": "workspace-guard", "matched": false, "decision": null, "pattern": null, "message": null,
        })
    );
    assert_eq!(gates.last().unwrap()["decision"], "ask");
    assert_eq!(read(&traced(&all, "ls"))["decision"], "allow");
    for off in ["0", ""] {
        assert_eq!(traced(&[("LETTA_PERMISSION_TRACE_ALL", off)], "ls"), "");
    }

    let lines = place.run(["check", "--trace", "--command", "ls"]).stderr;
    assert!(
        lines.lines().any(|line| line == "* read-only-shell    allow Read-only shell command"),
        "{lines}"
    );
    assert!(lines.lines().any(|line| line == "  deny-rule"), "{lines}");

    let line = format!("{}\n", request(&json!("b"), "cargo test"));
    let batch = batch_of(&place, &["--trace", "--suggest"], line.as_bytes());
    let answer = read(&batch.stdout);
    assert_eq!(answer["trace"].as_array().unwrap().last().unwrap()["gate"], "default");
    assert_eq!(answer["suggestion"]["rules"], json!(["Bash(cargo test:*)"]));
}

/// In profile claude a path with one slash is anchored by the scope of its rule, as `check --help` says.
#[test]
fn the_scope_of_a_rule_anchors_its_paths() {
    let deny = |rule: Value, list: &str, path: &str| {
        let mut asked = request(&json!(1), "");
        asked["tool"] = json!("Read");
        asked["arguments"] = json!({ "file_path": path });
        for (key, value) in [("profile", "claude"), ("root", "/w"), ("cwd", "/w/sub"), ("home", "/h")] {
            asked[key] = json!(value);
        }
        let (outer, inner) = list.split_once('.').unwrap();
        asked[outer] = json!({ inner: [rule] });
        answer(&asked)["decision"] == "deny"
    };
    let scoped = |scope: &str| json!({ "rule": "Read(/x)", "scope": scope });
    for (rule, list, path) in [
        (json!("Read(/x)"), "rules.deny", "/h/.claude/x"),
        (scoped("user"), "rules.deny", "/h/.claude/x"),
        (scoped("project"), "rules.deny", "/w/x"),
        (scoped("local"), "rules.deny", "/w/sub/x"),
        (scoped("managed"), "rules.deny", "/x"),
        (json!("Read(/x)"), "session.deny", "/w/sub/x"),
        (json!("Read(/x)"), "cli.disallowed", "/w/sub/x"),
        (json!("Read(//x)"), "rules.deny", "/x"),
    ] {
        for other in ["/h/.claude/x", "/w/x", "/w/sub/x", "/x"] {
            assert_eq!(deny(rule.clone(), list, other), other == path, "{rule} in {list}: {other}");
        }
    }
}

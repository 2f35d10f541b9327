//! What is read, searched or listed in bulk, against every list that restricts and every source of rules, as data and
//! through the binary. Nothing is executed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

mod support;

use serde_json::{Value, json};
use support::batch;

/// A list, and the field of a request that holds it.
const LISTS: [(&str, &str); 7] = [
    ("deny", "rules"),
    ("alwaysAsk", "rules"),
    ("ask", "rules"),
    ("deny", "session"),
    ("alwaysAsk", "session"),
    ("ask", "session"),
    ("disallowed", "cli"),
];

fn cases() -> Vec<Value> {
    let path = format!("{}/../../conformance/bulk-reads.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn request(case: &Value, list: &str, source: &str, hides: bool) -> Value {
    let (tool, arguments) = match case.get("command") {
        Some(command) => (json!("Bash"), json!({ "command": command })),
        None => (case["tool"].clone(), case["arguments"].clone()),
    };
    let mut request = json!({
        "tool": tool, "arguments": arguments, "cwd": "/srv/app", "home": "/home/dev", "mode": "unrestricted",
        "profile": "portcullis", "rules": {}, "hides": hides,
    });
    request[source] = json!({ list: [case["rule"]] });
    request
}

/// Whether an answer is right where all, some, perhaps some or none of what a call reaches is what the rule names.
fn is_right(case: &Value, list: &str, hides: bool, answer: &Value) -> bool {
    let decision = answer["decision"].as_str().unwrap();
    let named = || answer["rule"].to_string().contains(case["rule"].as_str().unwrap());
    let hidden = || hides && decision == "allow" && answer["exclude"].to_string().contains("/");
    match (case["meets"].as_str().unwrap(), list) {
        // Without hiding, secrets may be asked about.
        ("none", _) => decision == "allow" || !hides && !named(),
        ("all", "deny" | "disallowed") => decision == "deny" && named(),
        ("some", "deny" | "disallowed") => decision == "ask" || hidden(),
        ("perhaps", "deny" | "disallowed") => decision == "ask",
        ("all" | "some", "alwaysAsk") => decision == "alwaysAsk" && named(),
        ("perhaps", "alwaysAsk") => matches!(decision, "ask" | "alwaysAsk"),
        ("all" | "some" | "perhaps", "ask") => decision == "ask",
        (other, _) => panic!("{other}"),
    }
}

#[test]
fn rules_hold_for_what_is_reached_in_bulk() {
    let cases = cases();
    assert!(cases.len() > 200, "{}", cases.len());
    let mut asked = Vec::new();
    for case in &cases {
        for (list, source) in LISTS {
            asked.extend([true, false].map(|hides| (case, list, source, hides)));
        }
    }
    let requests: Vec<Value> =
        asked.iter().map(|(case, list, source, hides)| request(case, list, source, *hides)).collect();
    let answers = batch::judged(&requests);
    let pairs = asked.iter().zip(&answers);
    let wrong: Vec<String> = pairs
        .filter(|((case, list, _, hides), answer)| !is_right(case, list, *hides, answer))
        .map(|((case, list, source, hides), answer)| {
            format!(
                "{case} {list} of {source}, hides {hides}: {} {} {}",
                answer["decision"], answer["reason"], answer["exclude"]
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A rule that allows a directory allows no pattern that leads out of it, nor does a pattern make it allow more.
#[test]
fn patterns_widen_no_allow_rule() {
    let allowed = |rule: &str, tool: &str, arguments: Value| {
        batch::answer(&json!({
            "tool": tool, "arguments": arguments, "cwd": "/srv/app", "home": "/home/dev", "mode": "strict",
            "profile": "portcullis", "rules": { "allow": [rule] },
        }))["decision"]
            == "allow"
    };
    assert!(allowed("Glob(src/**)", "Glob", json!({ "pattern": "*.rs", "path": "src/a" })));
    for arguments in [
        json!({ "pattern": "src/*.rs" }),
        json!({ "pattern": "src/**" }),
        json!({ "pattern": "../*.rs", "path": "src/a" }),
        json!({ "pattern": "../../*.rs", "path": "src/a" }),
        json!({ "pattern": "/etc/*", "path": "src/a" }),
        json!({ "pattern": "*.rs", "path": "src/a", "include": "../../docs/*" }),
    ] {
        let answer = allowed("Glob(src/a/**)", "Glob", arguments.clone());
        assert!(!answer, "{arguments}");
    }
}

/// A text or an expression cannot be taken out of what is found: it is asked about.
#[test]
fn rule_objects_hold_for_what_is_reached_in_bulk() {
    let object = |tool: &str| json!({ "tool": tool, "regex": "/srv/app/secrets/" });
    let calls = [
        ("Bash", "read", json!({ "command": "grep -r x ." })),
        ("Bash", "read", json!({ "command": "cat */k" })),
        ("Grep", "read", json!({ "pattern": "x" })),
        ("Grep", "grep", json!({ "pattern": "x", "glob": "*.md" })),
        ("Glob", "glob", json!({ "pattern": "*/k" })),
        ("LS", "list_dir", json!({ "path": "." })),
        ("read_many_files", "read", json!({ "paths": ["*/k"] })),
    ];
    for (tool, about, arguments) in calls {
        for (list, source) in LISTS.into_iter().filter(|(_, source)| *source == "rules") {
            let mut case = json!({ "tool": tool, "arguments": arguments, "rule": "" });
            case["rule"] = object(about);
            let answer = batch::answer(&request(&case, list, source, true));
            assert!(
                matches!(answer["decision"].as_str(), Some("ask" | "alwaysAsk")),
                "{case} {list}: {answer}"
            );
            let reason = answer["reason"].as_str().unwrap();
            assert!(reason.starts_with(&format!("May match {list} rule")), "{case} {list}: {answer}");
        }
    }
}

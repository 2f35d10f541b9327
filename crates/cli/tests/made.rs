//! Commands that first make a name (a link, a copy, a move, a file) and then use it, in a project that is on disk:
//! what guards, deny rules and the judgement of repositories say about them. Nothing is executed.
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
    Place,
    batch::{batch_of, read},
};

/// A project with settings, a secret, scripts and the parts of a bare repository.
fn project() -> Place {
    let place = Place::with_git();
    for (file, text) in [
        (".letta/settings.json", "{}"),
        ("secrets/key", "k"),
        ("s.sh", "rm x\n"),
        ("run.sh", "#!/bin/sh\nrm x\n"),
        ("fine.sh", "#!/bin/sh\nls\n"),
        ("a.md", "x\n"),
        ("b.md", "ref: refs/heads/main\n"),
        ("src/main.rs", "fn main() {}\n"),
        ("sub/HEAD", "ref: refs/heads/main\n"),
        ("sub/config", "[core]\n\tfsmonitor = touch x\n"),
        ("sub/objects/x", ""),
        ("sub/refs/x", ""),
        ("hooks/pre-commit", "#!/bin/sh\nrm x\n"),
        ("tpl/hooks/pre-commit", "rm x\n"),
        ("half", "r"),
        ("read.sql", ".shell rm x\n"),
        ("package.json", "{}"),
        ("shadow/argparse.py", ""),
        ("package/json/__init__.py", ""),
        ("namespace/json/x.md", ""),
    ] {
        place.write(file, text);
    }
    place
}

/// The groups of a project that is trusted.
const TRUSTED: [&str; 3] = ["source", "rule", "trust"];

/// The rules of each group of cases: its name, its mode and its rules.
fn groups() -> [(&'static str, &'static str, Value); 9] {
    let secrets = json!({
        "deny": ["Read(secrets/**)", "Edit(secrets/**)", "Read(//etc/shadow)"], "allow": ["Bash"],
    });
    [
        ("guard", "unrestricted", json!({})),
        ("edits", "acceptEdits", json!({})),
        ("secrets", "standard", secrets),
        ("programs", "standard", json!({ "deny": ["Bash(rm:*)"], "allow": ["Bash"] })),
        ("repository", "standard", json!({ "allow": ["Edit(src/**)"] })),
        ("source", "standard", json!({ "allow": ["Edit(src/**)"] })),
        ("kept", "unrestricted", json!({ "deny": ["Edit(.git/**)", "Edit(secrets/**)"] })),
        ("trust", "acceptEdits", json!({})),
        ("rule", "standard", json!({ "allow": RUNS })),
    ]
}

/// What the rules of one group cover.
const RUNS: [&str; 7] = [
    "Bash(npm test:*)",
    "Bash(go test:*)",
    "Bash(cargo test:*)",
    "Bash(pytest:*)",
    "Bash(make:*)",
    "Bash(jest:*)",
    "Bash(npx jest:*)",
];

#[test]
fn names_that_a_text_makes_lead_where_they_lead() {
    let path = format!("{}/../../conformance/made-names.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let groups = groups();
    for (group, _, _) in &groups {
        assert!(cases.iter().filter(|case| case["group"] == *group).count() >= 10, "{group}");
    }

    let place = project();
    let root = place.project().display().to_string();
    let requests: String = cases
        .iter()
        .map(|case| {
            let (_, mode, rules) = groups.iter().find(|(name, _, _)| case["group"] == *name).unwrap();
            let command = case["command"].as_str().unwrap().replace("$ROOT", &root);
            let request = json!({
                "tool": "Bash", "arguments": { "command": command }, "cwd": root, "mode": mode,
                "trusted": TRUSTED.contains(&case["group"].as_str().unwrap()),
                "home": place.path("home").display().to_string(), "profile": "letta", "rules": rules,
            });
            format!("{request}\n")
        })
        .collect();
    let ended = batch_of(&place, &[], requests.as_bytes());
    let answers: Vec<Value> = ended.stdout.lines().map(read).collect();
    assert_eq!(answers.len(), cases.len(), "{}", ended.stderr);
    let wrong: Vec<String> = cases
        .iter()
        .zip(&answers)
        .filter(|(case, answer)| case["right"] != answer["decision"])
        .map(|(case, answer)| format!("{case}: {} by {}", answer["decision"], answer["gate"]))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! `rules add` and `rules remove` of rule objects, and of rules named as `rules list` shows them, through the real binary.
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

const SETTINGS: &str = r#"{
  // the operators
  "permissions": {
    "deny": [
      { "pattern": "*production*", "reason": "ask the operators" }, // kept
      { "tool": ["write", "Edit"], "regex": "\\.lock$" },
      "Bash(git push:*)", // pushes
      { "rule": "Bash(rm:*)", "reason": "gone" }
    ],
    "allow": ["Bash(make:*)"]
  }
}
"#;

fn edit<'a>(place: &Place, what: &'a str, arguments: impl IntoIterator<Item = &'a str>) -> Ended {
    let start = ["rules", what, "--list", "deny", "--scope", "user"];
    place.run(start.into_iter().chain(arguments))
}

fn deny_list(place: &Place) -> Value {
    let text = std::fs::read_to_string(place.path("home/.letta/settings.json")).unwrap();
    let plain: String = text.lines().map(|line| format!("{}\n", line.split(" //").next().unwrap())).collect();
    let settings: Value = serde_json::from_str(&plain).unwrap();
    settings["permissions"]["deny"].clone()
}

#[test]
fn rule_objects_are_added_and_removed_by_flags() {
    let place = Place::new();
    edit(&place, "add", ["--pattern", "*production*", "--reason", "ask the operators"]).expect(0, &[]);
    edit(&place, "add", ["--regex", "\\.lock$", "--tool", "Write", "--tool", "Edit"]).expect(0, &[]);
    edit(&place, "add", ["Bash(rm:*)", "--reason", "gone"]).expect(0, &[]);
    let all = json!([
        { "tool": "Bash", "pattern": "*production*", "reason": "ask the operators" },
        { "tool": ["Write", "Edit"], "regex": "\\.lock$" },
        { "rule": "Bash(rm:*)", "reason": "gone" },
    ]);
    assert_eq!(deny_list(&place), all);
    let denied = place.run(["check", "deploy production now"]);
    assert_eq!(denied.code, Some(2), "{}", denied.stdout);

    // What means the same is there already, whatever its reason says.
    for again in [
        &["--pattern", "*production*", "--tool", "shell"] as &[&str],
        &["--regex", "\\.lock$", "--tool", "edit_file", "--tool", "Edit", "--tool", "write_file"],
        &["Bash(rm:*)"],
    ] {
        let added = edit(&place, "add", again.iter().copied());
        if again.contains(&"edit_file") {
            assert!(added.stdout.starts_with("added"), "another tool: {added:#?}");
            edit(&place, "remove", again.iter().copied()).expect(0, &[]);
        } else {
            assert!(added.stdout.starts_with("already there"), "{added:#?}");
        }
    }
    assert_eq!(deny_list(&place), all);
    edit(&place, "remove", ["--regex", "\\.lock$", "--tool", "Edit", "--tool", "Write"]).expect(0, &[]);
    edit(&place, "remove", ["--pattern", "*production*"]).expect(0, &[]);
    edit(&place, "remove", ["Bash(rm:*)"]).expect(0, &[]);
    assert_eq!(deny_list(&place), json!([]));
}

#[test]
fn what_rules_list_prints_can_be_removed() {
    let place = Place::new();
    place.write_home(".letta/settings.json", SETTINGS);
    let listed = place.run(["rules", "list", "--format", "json"]).stdout;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let lines = place.run(["rules", "list"]).stdout;
    for rule in listed["rules"].as_array().unwrap().iter().filter(|rule| rule["list"] == "deny") {
        let label = rule["rule"].as_str().unwrap();
        place.write_home(".letta/settings.json", SETTINGS);
        edit(&place, "remove", [label]).expect(0, &[]);
        assert_eq!(deny_list(&place).as_array().unwrap().len(), 3, "{label}");
        let line = lines.lines().find(|line| line.contains(label)).unwrap();
        place.write_home(".letta/settings.json", SETTINGS);
        edit(&place, "remove", [line]).expect(0, &[]);
        assert_eq!(deny_list(&place).as_array().unwrap().len(), 3, "{line}");
        let text = std::fs::read_to_string(place.path("home/.letta/settings.json")).unwrap();
        for comment in ["// the operators", "// kept", "// pushes"] {
            assert!(text.contains(comment), "{text}");
        }
    }
}

#[test]
fn what_is_not_there_is_told_with_what_to_name() {
    let place = Place::new();
    place.write_home(".letta/settings.json", SETTINGS);
    edit(&place, "remove", ["Bash(make:*)"]).expect(1, &["it stands in allow of scope user"]);
    edit(&place, "remove", ["nothing"]).expect(1, &["name the rule as `rules list` shows it"]);
    let lines = place.run(["rules", "list"]).stdout;
    let allow = lines.lines().find(|line| line.contains("Bash(make:*)")).unwrap();
    edit(&place, "remove", [allow]).expect(125, &["give --list allow --scope user"]);
}

#[test]
fn a_rule_object_that_cannot_be_is_refused() {
    let place = Place::new();
    edit(&place, "add", ["--regex", "("]).expect(125, &["does not compile"]);
    edit(&place, "add", [r#"{"patern":"x"}"#]).expect(125, &["the key `patern` is not known"]);
    edit(&place, "add", [r#"{"tool":"Bash"}"#]).expect(125, &["`rule`, `pattern` or `regex`"]);
    edit(&place, "add", ["--pattern", "x", "Bash(ls)"]).expect(125, &[]);
    edit(&place, "add", []).expect(125, &[]);
    edit(&place, "add", ["--tool", "Read", "Bash(ls)"]).expect(125, &[]);
    let allow = place.run(["rules", "add", "--list", "allow", "--scope", "user", "--pattern", "x"]);
    allow.expect(125, &["a rule object cannot stand in allow"]);
    assert!(!place.path("home/.letta/settings.json").exists());
    // As a label it is one.
    edit(&place, "add", [r#"{"tool":"Bash","pattern":"*x*"}"#]).expect(0, &[]);
    assert_eq!(deny_list(&place), json!([{ "tool": "Bash", "pattern": "*x*" }]));
}

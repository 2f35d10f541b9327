//! The example that joins the crates, held to what it answers.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "test code")]

#[allow(dead_code, reason = "its main function is for people")]
#[path = "../examples/embed.rs"]
mod embed;
mod support;

use embed::Project;
use portcullis_permissions::{Decision, Gate, ToolCall};
use serde_json::json;
use support::Place;

#[test]
fn settings_files_decide_calls() {
    let place = Place::new();
    let file = place.write(
        ".portcullis/settings.json",
        r#"{ "permissions": { "deny": ["Bash(git push:*)"], "allow": ["Bash(*)"], "secrets": { "add": ["*.vault"] } } }"#,
    );
    let (root, home) = (place.project(), place.path("home"));
    let (root, home) = (root.to_str().unwrap(), home.to_str().unwrap());
    let project = Project::new(root, Some(home));
    let decide = |call: ToolCall| project.decide(&call, root);

    let (denied, told) = decide(ToolCall::shell("cd . && git push"));
    assert_eq!(denied.decision, Decision::Deny);
    let source = denied.rule.unwrap().source.unwrap();
    assert_eq!((source.file.as_deref(), source.line, source.column), (file.to_str(), Some(1), Some(29)));
    assert!(told[0].contains("not in effect, because the project is not trusted: allow"), "{told:?}");

    assert_eq!(decide(ToolCall::shell("ls")).0.decision, Decision::Allow);
    assert_eq!(decide(ToolCall::shell("make")).0.decision, Decision::Ask, "a project cannot allow");
    assert_eq!(decide(ToolCall::shell("cat a.vault")).0.gate, Gate::Secret);
    let edit = ToolCall::new("Edit", json!({ "file_path": file }));
    assert_eq!(
        decide(edit).0.decision,
        Decision::AlwaysAsk,
        "what decides is not changed by what is decided"
    );

    // The user's own settings do allow; what breaks keeps what it said before.
    let own = place.path("home/.config/portcullis/settings.json");
    std::fs::create_dir_all(own.parent().unwrap()).unwrap();
    std::fs::write(&own, r#"{ "permissions": { "allow": ["Bash(make:*)"] } }"#).unwrap();
    assert_eq!(decide(ToolCall::shell("make")).0.decision, Decision::Allow);
    std::fs::write(&own, "{ broken").unwrap();
    let (kept, told) = decide(ToolCall::shell("make"));
    assert_eq!(kept.decision, Decision::Allow);
    assert!(told.iter().any(|one| one.contains("settings.json:1:3: error: ")), "{told:?}");
    let anew = Project::new(root, Some(home));
    assert_eq!(anew.decide(&ToolCall::shell("make"), root).0.gate, Gate::Degraded);
}

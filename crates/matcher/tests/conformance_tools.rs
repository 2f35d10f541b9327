//! Rules for tools without paths and commands, against `conformance/upstream-tool-match.jsonl`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use std::sync::Arc;

use portcullis_matcher::{Anchors, Conventions, RuleSet, RuleSource, Rules, Scope, SourcedRule, Subject};
use portcullis_tool_names::{Aliases, Family, Tool};
use serde_json::{Value, json};

#[test]
fn tool_rules_match_as_recorded() {
    let name = "upstream-tool-match.jsonl";
    let mut differences = support::Differences::default();
    for case in support::cases(name) {
        let text = |key: &str| case.args[key].as_str().unwrap_or_default();
        let (tool, rule) = (text("tool"), text("pattern"));
        let canonical = Aliases::standard().canonical(tool);
        let rules = Rules {
            allow: vec![SourcedRule::text(rule, RuleSource::of(Scope::Project))],
            ..Rules::default()
        };
        let anchors = Anchors {
            project_root: "/repo".to_owned(),
            start_directory: "/repo".to_owned(),
            home: None,
            user_settings: None,
        };
        let set = RuleSet::compile(Arc::new(rules), &anchors, &Conventions::letta());
        let arguments = json!({});
        let subject = Subject {
            name: tool,
            tool: canonical,
            paths: &[],
            reached: &[],
            unknown_target: canonical.map(Tool::family) == Some(Family::File),
            shell: &[],
            unknown_command: false,
            arguments: &arguments,
            resolver: None,
        };
        let answer = set.covering_allow(&subject).is_some();
        differences.check(&case, &Value::from(answer), || kind(tool, rule));
    }
    differences.finish(name);
}

fn kind(tool: &str, rule: &str) -> Option<&'static str> {
    Some(if rule.starts_with(' ') {
        "blanks around a tool name"
    } else if rule.contains("()") {
        "an empty payload allows nothing"
    } else if rule.contains('*') && rule.starts_with("mcp__") {
        "whole servers"
    } else if rule.contains('(') {
        "payloads are compared"
    } else if matches!(tool, "apply_patch" | "ApplyPatch" | "read_many_files") {
        "patch tools are Edit"
    } else {
        return None;
    })
}

//! Tools by other names, and tools that say what their rules are about.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test code"
)]

use std::sync::Arc;

use portcullis_matcher::{Anchors, Conventions, ListKind, RuleSet, SourcedRule};
use portcullis_permissions::{
    Context, Decision, FindingKind, GateConventions, Mode, RuleSource, Rules, Scope, ToolCall, decide, lint,
};
use portcullis_tool_names::{Aliases, Tool};
use serde_json::{Value, json};

/// A host whose model calls tools by names of its own, and has one that declares what rules for it are about.
struct Host {
    conventions: Conventions,
    context: Context,
}

impl Host {
    fn new() -> Self {
        let aliases = Aliases::standard()
            .with("my_read", Tool::Read)
            .with("my_shell", Tool::Bash)
            .with("my_edit", Tool::Edit);
        let payloads = [("Deploy", "target"), ("mcp__db__query", "sql")];
        let payloads = payloads.map(|(tool, argument)| (tool.to_owned(), argument.to_owned())).into();
        let conventions = Conventions { aliases: aliases.clone(), payloads, ..Conventions::portcullis() };
        let context =
            Context { aliases, ..Context::bare("/repo", Mode::Standard, GateConventions::portcullis()) };
        Self { conventions, context }
    }

    fn rules(&self, list: ListKind, rule: &str) -> RuleSet {
        let rule = vec![SourcedRule::text(rule, RuleSource::of(Scope::User))];
        let rules = match list {
            ListKind::Deny => Rules { deny: rule, ..Rules::default() },
            _ => Rules { allow: rule, ..Rules::default() },
        };
        let anchors = Anchors {
            project_root: "/repo".into(),
            start_directory: "/repo".into(),
            home: None,
            user_settings: None,
        };
        RuleSet::compile(Arc::new(rules), &anchors, &self.conventions)
    }

    fn decide(&self, list: ListKind, rule: &str, tool: &str, arguments: Value) -> Decision {
        decide(&ToolCall::new(tool, arguments), &self.context, &self.rules(list, rule)).decision
    }
}

#[test]
fn a_new_spelling_is_the_tool_in_calls_and_in_rules() {
    let host = Host::new();
    for (rule, tool, arguments) in [
        ("Read(x/**)", "my_read", json!({ "file_path": "x/a" })),
        ("my_read(x/**)", "Read", json!({ "file_path": "x/a" })),
        ("my_read(x/**)", "view_image", json!({ "path": "x/a" })),
        ("my_read(x/**)", "Bash", json!({ "command": "cat x/a" })),
        ("Bash(rm:*)", "my_shell", json!({ "command": "sudo rm a" })),
        ("my_shell(rm:*)", "shell", json!({ "command": ["rm", "a"] })),
        ("my_edit(x/**)", "Write", json!({ "file_path": "x/a" })),
    ] {
        assert_eq!(
            host.decide(ListKind::Deny, rule, tool, arguments.clone()),
            Decision::Deny,
            "{rule} {tool}"
        );
        let other = rule.replace("(x/", "(y/").replace("(rm", "(cp");
        assert_ne!(host.decide(ListKind::Deny, &other, tool, arguments), Decision::Deny, "{other} {tool}");
    }
    let allowed = |rule, tool, arguments| host.decide(ListKind::Allow, rule, tool, arguments);
    assert_eq!(allowed("my_edit(x/**)", "Edit", json!({ "file_path": "x/a" })), Decision::Allow);
    assert_eq!(allowed("Edit(x/**)", "my_edit", json!({ "file_path": "x/a" })), Decision::Allow);
    assert_eq!(allowed("my_edit(x/**)", "Edit", json!({ "file_path": "y/a" })), Decision::Ask);
    assert_eq!(allowed("my_shell(make:*)", "Bash", json!({ "command": "make x" })), Decision::Allow);
    // The built-in spellings mean what they mean.
    let aliases = Aliases::standard().with("Bash", Tool::Read);
    assert_eq!(aliases.canonical("Bash"), Some(Tool::Bash));
}

#[test]
fn a_payload_is_compared_where_the_tool_says_with_what() {
    let host = Host::new();
    let decide = |list, rule: &str, arguments| host.decide(list, rule, "Deploy", arguments);
    for (rule, arguments, matches) in [
        ("Deploy(staging)", json!({ "target": "staging" }), true),
        ("Deploy(staging)", json!({ "target": " staging " }), true),
        ("Deploy(staging)", json!({ "target": "production" }), false),
        ("Deploy(stag*)", json!({ "target": "staging-2" }), true),
        ("Deploy(*)", json!({}), true),
        ("Deploy", json!({}), true),
        ("Deploy(7)", json!({ "target": 7 }), true),
        ("Deploy(a)", json!({ "target": ["a"] }), true),
    ] {
        let denied = decide(ListKind::Deny, rule, arguments.clone());
        assert_eq!(denied, if matches { Decision::Deny } else { Decision::Ask }, "{rule} {arguments}");
        let allowed = decide(ListKind::Allow, rule, arguments.clone());
        assert_eq!(allowed, if matches { Decision::Allow } else { Decision::Ask }, "{rule} {arguments}");
    }
    // One of several is enough to deny, all are needed to allow.
    let several = json!({ "target": ["a", "b"] });
    assert_eq!(decide(ListKind::Deny, "Deploy(a)", several.clone()), Decision::Deny);
    assert_eq!(decide(ListKind::Allow, "Deploy(a)", several), Decision::Ask);
    // What is missing or is no text may be anything.
    for arguments in [json!({}), json!({ "target": null }), json!({ "target": {} }), json!({ "target": [] })]
    {
        let rules = host.rules(ListKind::Deny, "Deploy(staging)");
        let verdict = decide_with(&host, &rules, arguments.clone());
        assert_eq!((verdict.0, verdict.1), (Decision::Ask, 1), "{arguments}");
        assert_eq!(decide(ListKind::Allow, "Deploy(staging)", arguments), Decision::Ask);
    }
    let query = json!({ "sql": "select 1" });
    assert_eq!(
        host.decide(ListKind::Allow, "mcp__db__query(select *)", "mcp__db__query", query),
        Decision::Allow
    );
    // A rule of a tool that declares what it is about means what it says.
    assert!(host.rules(ListKind::Allow, "Deploy(staging)").notes().is_empty());
    let undeclared = lint(&host.context, &host.rules(ListKind::Allow, "Deplay_other(staging)"));
    assert!(undeclared.iter().any(|finding| finding.kind == FindingKind::Meaning), "{undeclared:?}");
}

fn decide_with(host: &Host, rules: &RuleSet, arguments: Value) -> (Decision, usize) {
    let verdict = decide(&ToolCall::new("Deploy", arguments), &host.context, rules);
    (verdict.decision, verdict.possible.len())
}

#[test]
fn a_verdict_says_that_paths_were_judged_as_they_are_written() {
    struct Real;
    impl portcullis_paths::Resolver for Real {
        fn realpath(&self, path: &str) -> std::io::Result<String> {
            Ok(path.to_owned())
        }
        fn kind(&self, _: &str) -> Option<portcullis_paths::FileKind> {
            None
        }
        fn read(&self, _: &str, _: usize) -> std::io::Result<Vec<u8>> {
            Err(std::io::ErrorKind::NotFound.into())
        }
    }
    let host = Host::new();
    let rules = host.rules(ListKind::Deny, "Read(x)");
    let call = ToolCall::new("Read", json!({ "file_path": "a" }));
    assert!(decide(&call, &host.context, &rules).as_written);
    let looking = Context { resolver: Some(Arc::new(Real)), ..host.context.clone() };
    assert!(!decide(&call, &looking, &rules).as_written);
}

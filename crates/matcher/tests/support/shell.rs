//! Rule sets and analysed commands for tests.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

use std::sync::Arc;

use portcullis_matcher::{
    Anchors, Conventions, ListKind, RuleSet, RuleSource, Rules, Scope, ShellPart, SourcedRule, Subject,
};
use portcullis_shell_analysis::{Settings, analyze};
use portcullis_tool_names::Tool;
use serde_json::json;

pub fn rule(text: &str) -> SourcedRule {
    SourcedRule::text(text, RuleSource::of(Scope::Project))
}

pub fn scoped(text: &str, scope: Scope) -> SourcedRule {
    SourcedRule::text(text, RuleSource::of(scope))
}

pub fn anchors() -> Anchors {
    Anchors {
        project_root: "/repo".to_owned(),
        start_directory: "/repo".to_owned(),
        home: Some("/home/u".to_owned()),
        user_settings: Some("/home/u/.config".to_owned()),
    }
}

pub fn compile(rules: Rules) -> RuleSet {
    RuleSet::compile(Arc::new(rules), &anchors(), &Conventions::portcullis())
}

pub fn deny(texts: &[&str]) -> RuleSet {
    compile(Rules { deny: texts.iter().map(|text| rule(text)).collect(), ..Rules::default() })
}

pub fn allow(texts: &[&str]) -> RuleSet {
    compile(Rules { allow: texts.iter().map(|text| rule(text)).collect(), ..Rules::default() })
}

/// What a set says about a command.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    pub denied: bool,
    pub possible: bool,
    pub allowed: bool,
}

pub fn ask(set: &RuleSet, text: &str) -> Answer {
    let roots = ["/repo".to_owned()];
    let settings = Settings { home: Some("/home/u"), trusted: true, ..Settings::new("/repo", &roots) };
    let analysis = analyze(text, &settings);
    let arguments = json!({ "command": text });
    let subject = Subject {
        name: "Bash",
        tool: Some(Tool::Bash),
        paths: &[],
        reached: &[],
        unknown_target: false,
        shell: &[ShellPart { text, analysis: &analysis }],
        unknown_command: false,
        arguments: &arguments,
        resolver: None,
    };
    Answer {
        denied: set.first_match(ListKind::Deny, &subject).is_some(),
        possible: !set.possible_matches(ListKind::Deny, &subject).is_empty(),
        allowed: set.covering_allow(&subject).is_some(),
    }
}

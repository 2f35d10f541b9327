//! Rules as lines, and what is said about them.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use std::sync::Arc;

use portcullis_matcher::{Anchors, Conventions, ListKind, RuleId, RuleSet, SourcedRule};
use portcullis_permissions::{
    Context, Evasion, Finding, FindingKind, GateConventions, Mode, RuleSource, Rules, Scope, evasion, lint,
};

pub fn context() -> Context {
    Context {
        home: Some("/home/u".to_owned()),
        ..Context::bare("/repo", Mode::Standard, GateConventions::portcullis())
    }
}

pub fn compile(rules: Rules, conventions: &Conventions) -> RuleSet {
    let anchors = Anchors {
        project_root: "/repo".to_owned(),
        start_directory: "/repo".to_owned(),
        home: Some("/home/u".to_owned()),
        user_settings: Some("/home/u/.claude".to_owned()),
    };
    RuleSet::compile(Arc::new(rules), &anchors, conventions)
}

/// Rules as `LIST SCOPE RULE`.
pub fn rules(lines: &[&str]) -> Rules {
    let mut rules = Rules::default();
    for (at, line) in lines.iter().enumerate() {
        let mut parts = line.splitn(3, ' ');
        let (list, scope, text) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
        let scope = match scope {
            "managed" => Scope::Managed,
            "user" => Scope::User,
            "project" => Scope::Project,
            "local" => Scope::Local,
            other => panic!("{other}"),
        };
        let line = u32::try_from(at + 1).unwrap();
        let source = RuleSource { scope, file: Some("settings.json".into()), line: Some(line), column: None };
        let own = match list {
            "deny" => &mut rules.deny,
            "alwaysAsk" => &mut rules.always_ask,
            "ask" => &mut rules.ask,
            "allow" => &mut rules.allow,
            "restrict" => &mut rules.restrict,
            other => panic!("{other}"),
        };
        own.push(SourcedRule::text(text, source));
    }
    rules
}

pub fn found(lines: &[&str]) -> Vec<Finding> {
    lint(&context(), &compile(rules(lines), &Conventions::portcullis()))
}

/// The kinds of findings but how deny rules can be got around.
pub fn kinds(lines: &[&str]) -> Vec<(FindingKind, String)> {
    let all = found(lines).into_iter().filter(|finding| finding.kind != FindingKind::Evaded);
    all.map(|finding| (finding.kind, finding.rule)).collect()
}

pub fn score(rule: &str) -> Evasion {
    let rules = compile(rules(&[&format!("deny user {rule}")]), &Conventions::portcullis());
    evasion(&context(), &rules, RuleId::new(ListKind::Deny, 0)).expect(rule)
}

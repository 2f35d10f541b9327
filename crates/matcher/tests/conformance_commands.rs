//! Shell rules, against `conformance/upstream-bash-match.jsonl`.
//!
//! The recorded function asks whether *one* pattern matches a whole line. A line of several commands is
//! allowed when each is covered by a rule or reads only; so that one rule is judged alone here, reading
//! counts for nothing but `cd` and the shells and wrappers around a command.
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

use portcullis_matcher::{
    Anchors, Conventions, ListKind, RuleSet, RuleSource, Rules, Scope, ShellPart, SourcedRule, Subject,
};
use portcullis_shell_analysis::{Analysis, Settings, analyze};
use portcullis_tool_names::Aliases;
use serde_json::{Value, json};

fn analysis(text: &str) -> Analysis {
    let roots = ["/repo".to_owned()];
    let settings = Settings { home: Some("/home/u"), trusted: true, ..Settings::new("/repo", &roots) };
    let mut analysis = analyze(text, &settings);
    let launchers: Vec<_> = analysis.invocations.iter().map(|i| i.launchers.clone()).collect();
    for invocation in &mut analysis.invocations {
        let depth = invocation.launchers.len();
        let launches = launchers.iter().any(|inner| {
            inner.get(depth).is_some_and(|launcher| {
                launcher.transparent && Some(launcher.name.as_str()) == invocation.base_name()
            })
        });
        let aside = launches || matches!(invocation.base_name(), None | Some("cd" | "export"));
        invocation.read_only &= aside;
    }
    analysis
}

/// Whether `rule` in `list` matches a call like `Bash(ls)`.
fn matches(query: &str, rule: &str, fold_names: bool, list: ListKind) -> bool {
    let (name, text) = query.split_once('(').unwrap_or((query, ""));
    let text = text.strip_suffix(')').unwrap_or(text);
    let rule = SourcedRule::text(rule, RuleSource::of(Scope::Project));
    let rules = match list {
        ListKind::Deny => Rules { deny: vec![rule], ..Rules::default() },
        _ => Rules { allow: vec![rule], ..Rules::default() },
    };
    let anchors = Anchors {
        project_root: "/repo".to_owned(),
        start_directory: "/repo".to_owned(),
        home: Some("/home/u".to_owned()),
        user_settings: None,
    };
    let conventions = Conventions { fold_names, ..Conventions::letta() };
    let set = RuleSet::compile(Arc::new(rules), &anchors, &conventions);
    let analysis = analysis(text);
    let parts = [ShellPart { text, analysis: &analysis }];
    let arguments = json!({ "command": text });
    let subject = Subject {
        name,
        tool: Aliases::standard().canonical(name),
        paths: &[],
        reached: &[],
        unknown_target: false,
        shell: if query.contains('(') { &parts } else { &[] },
        unknown_command: !query.contains('('),
        arguments: &arguments,
        resolver: None,
    };
    match list {
        ListKind::Deny => set.first_match(ListKind::Deny, &subject).is_some(),
        _ => set.covering_allow(&subject).is_some(),
    }
}

#[test]
fn shell_rules_match_as_recorded() {
    let name = "upstream-bash-match.jsonl";
    let mut differences = support::Differences::default();
    for case in support::cases(name) {
        let text = |key: &str| case.args[key].as_str().unwrap_or_default();
        let (query, rule) = (text("query"), text("pattern"));
        let list = if case.context.as_deref() == Some("deny") { ListKind::Deny } else { ListKind::Allow };
        let fold = case.args["options"]["canonicalizeToolNames"] != false;
        let answer = matches(query, rule, fold, list);
        differences.check(
            &case,
            &Value::from(answer),
            || {
                if fold { kind(query, rule, answer) } else { None }
            },
        );
    }
    differences.finish(name);
}

fn kind(query: &str, rule: &str, answer: bool) -> Option<&'static str> {
    let other = |name: &str| rule.starts_with(name) || query.starts_with(name);
    Some(if answer && matches!(rule, "*" | "Bash(*)" | "Bash(**)" | "Bash(:*)") {
        "a star is every command"
    } else if answer && other("bash(") {
        "bash is a spelling of Bash"
    } else if answer && rule.ends_with(" *)") {
        "a blank and a star are a prefix"
    } else if query.contains("B=1") || query.contains("FOO=1") {
        "assignments have to be harmless"
    } else if query.contains("-C /other") {
        "another repository"
    } else {
        return None;
    })
}

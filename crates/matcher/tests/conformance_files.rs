//! File globs, against `conformance/upstream-file-match.jsonl`.
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
    Anchors, Conventions, ListKind, RuleSet, RuleSource, Rules, Scope, SourcedRule, Subject,
};
use portcullis_paths::{expand_home, three_paths};
use portcullis_tool_names::Aliases;
use serde_json::{Value, json};

/// Whether `rule` in `list` matches a call like `Read(src/a)`.
fn matches(query: &str, rule: &str, cwd: &str, fold: bool, list: ListKind) -> bool {
    let cwd = portcullis_paths::normalize(cwd);
    let (name, path) = query.split_once('(').unwrap_or((query, ")"));
    let path = path.strip_suffix(')').unwrap();
    let rule = SourcedRule::text(rule, RuleSource::of(Scope::Project));
    let rules = match list {
        ListKind::Deny => Rules { deny: vec![rule], ..Rules::default() },
        _ => Rules { allow: vec![rule], ..Rules::default() },
    };
    let anchors = Anchors {
        project_root: cwd.clone(),
        start_directory: cwd.clone(),
        home: Some("/home/u".to_owned()),
        user_settings: None,
    };
    let conventions = Conventions { fold_names: fold, ..Conventions::letta() };
    let set = RuleSet::compile(Arc::new(rules), &anchors, &conventions);
    let paths = [three_paths(&expand_home(path, Some("/home/u")), &cwd, None)];
    let arguments = json!({});
    let subject = Subject {
        name,
        tool: Aliases::standard().canonical(name),
        paths: if path.is_empty() { &[] } else { &paths },
        reached: &[],
        unknown_target: path.is_empty(),
        shell: &[],
        unknown_command: false,
        arguments: &arguments,
        resolver: None,
    };
    match list {
        ListKind::Deny => set.first_match(ListKind::Deny, &subject).is_some(),
        _ => set.covering_allow(&subject).is_some(),
    }
}

#[test]
fn file_rules_match_as_recorded() {
    let name = "upstream-file-match.jsonl";
    let mut differences = support::Differences::default();
    for case in support::cases(name) {
        let text = |key: &str| case.args[key].as_str().unwrap_or_default();
        let (query, rule, cwd) = (text("query"), text("pattern"), text("cwd"));
        let fold = case.args["options"]["canonicalizeToolNames"] != false;
        let list = if case.context.as_deref() == Some("deny") { ListKind::Deny } else { ListKind::Allow };
        let answer = matches(query, rule, cwd, fold, list);
        if case.deny_right && !matches(query, rule, cwd, fold, ListKind::Deny) {
            differences.wrong(format!("{} {query} must be denied by {rule}", case.id));
        }
        differences.check(&case, &Value::from(answer), || kind(query, rule, cwd));
    }
    differences.finish(name);
}

fn kind(query: &str, rule: &str, cwd: &str) -> Option<&'static str> {
    let windows = |text: &str| text.contains('\\') || text.contains(":/") || text.contains("//?");
    Some(if rule.contains("(!") {
        "negated patterns are refused"
    } else if rule == "*" {
        "a star alone is every tool"
    } else if rule.contains("+(") || rule.contains("!(") {
        "no extended globs"
    } else if rule.contains("(**") && !under_root(query, cwd) {
        "relative allow outside the root"
    } else if windows(query) || windows(rule) || windows(cwd) {
        "windows shapes"
    } else {
        return None;
    })
}

/// Whether the path of a query lies below the project root.
fn under_root(query: &str, cwd: &str) -> bool {
    let path = query.split_once('(').map_or("", |(_, path)| path.trim_end_matches(')'));
    let root = portcullis_paths::normalize(cwd);
    portcullis_paths::is_within(&portcullis_paths::join(&root, path), &root)
}

//! What holds for every set of rules and every command: a text of rules, one a line, an empty line, and the command.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "a property that does not hold is a panic"
)]

use std::sync::Arc;

use portcullis_matcher::{
    Anchors, Conventions, ListKind, RuleSet, RuleSource, Rules, Scope, ShellPart, SourcedRule, Subject,
    equivalence_key, equivalent, normalize_rule, parse_tool_list,
};
use portcullis_shell_analysis::{Settings, analyze};
use portcullis_tool_names::Tool;

const LONGEST: usize = 4096;
const LISTS: [ListKind; 4] = [ListKind::Deny, ListKind::AlwaysAsk, ListKind::Ask, ListKind::Allow];

pub(crate) fn check(text: &str) {
    if text.len() > LONGEST {
        return;
    }
    let (head, command) = text.split_once("\n\n").unwrap_or(("Bash(rm:*)", text));
    let rules: Vec<&str> = head.lines().take(16).collect();
    rules.iter().for_each(|rule| normal_forms(rule));
    let _ = parse_tool_list(head);
    matching(&rules, command);
}

fn normal_forms(rule: &str) {
    let normal = normalize_rule(rule);
    assert_eq!(normalize_rule(&normal), normal, "{rule:?}");
    for list in LISTS {
        assert!(equivalent(rule, &normal, list), "{rule:?} and {normal:?}");
        let key = equivalence_key(rule, list);
        assert_eq!(equivalence_key(&key, list), key, "{rule:?}");
    }
}

fn compile(rules: Rules) -> RuleSet {
    let anchors = Anchors {
        project_root: "/repo".to_owned(),
        start_directory: "/repo".to_owned(),
        home: Some("/home/u".to_owned()),
        user_settings: Some("/home/u/.config".to_owned()),
    };
    RuleSet::compile(Arc::new(rules), &anchors, &Conventions::portcullis())
}

fn list(texts: &[&str]) -> Vec<SourcedRule> {
    texts.iter().map(|text| SourcedRule::text(*text, RuleSource::of(Scope::Project))).collect()
}

fn matching(rules: &[&str], command: &str) {
    let roots = ["/repo".to_owned()];
    let settings = Settings { home: Some("/home/u"), trusted: true, ..Settings::new("/repo", &roots) };
    let analysis = analyze(command, &settings);
    let arguments = serde_json::json!({ "command": command });
    let subject = Subject {
        name: "Bash",
        tool: Some(Tool::Bash),
        paths: &[],
        reached: &[],
        unknown_target: false,
        shell: &[ShellPart { text: command, analysis: &analysis }],
        unknown_command: false,
        arguments: &arguments,
        resolver: None,
    };
    let deny = |rules: &[&str]| compile(Rules { deny: list(rules), ..Rules::default() });
    let allow = |rules: &[&str]| compile(Rules { allow: list(rules), ..Rules::default() });
    let (mut denied, mut possible, mut allowed) = (false, 0, false);
    for count in 0..=rules.len() {
        let set = deny(&rules[..count]);
        let now = set.first_match(ListKind::Deny, &subject).is_some();
        assert!(now || !denied, "rule {count} of {rules:?} takes a match away from {command:?}");
        denied = now;
        let now = set.possible_matches(ListKind::Deny, &subject).len();
        assert!(now >= possible, "rule {count} of {rules:?} takes a possible match away from {command:?}");
        possible = now;
        let covering = allow(&rules[..count]).covering_allow(&subject).is_some();
        assert!(covering || !allowed, "rule {count} of {rules:?} takes an allow away from {command:?}");
        allowed = covering;
    }
    let wrong = analysis.error.is_some() || analysis.opaque.is_some();
    assert!(!(wrong && allowed), "{command:?} is not understood, and {rules:?} allow it");
    if !allowed {
        return;
    }
    let reversed: Vec<&str> = rules.iter().rev().copied().collect();
    assert!(allow(&reversed).covering_allow(&subject).is_some(), "the order of {rules:?} matters");
    // What is allowed covers all of a text: not what is written behind it.
    let evil = "evil-program-7 x";
    let covers = |text: &str| {
        let analysis = analyze(text, &settings);
        let subject = Subject { shell: &[ShellPart { text, analysis: &analysis }], ..subject };
        allow(rules).covering_allow(&subject).is_some()
    };
    let longer = format!("{command}\n{evil}");
    if !command.ends_with('\\') && !covers(evil) {
        assert!(!covers(&longer), "{rules:?} allow {longer:?}");
    }
}

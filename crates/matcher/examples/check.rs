//! Compares one rule with one command, as a deny rule and as an allow rule:
//! `cargo run -p portcullis-matcher --example check -- 'Bash(git push:*)' 'git -C sub push'`.

use std::process::ExitCode;
use std::sync::Arc;

use portcullis_matcher::{
    Anchors, Conventions, ListKind, RuleSet, RuleSource, Rules, Scope, ShellPart, SourcedRule, Subject,
};
use portcullis_shell_analysis::{Settings, analyze};
use portcullis_tool_names::Tool;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let rule = words.next().unwrap_or_else(|| "Bash(git push:*)".to_owned());
    let text = words.next().unwrap_or_else(|| "cd sub && git --no-pager push".to_owned());

    let root = "/work";
    let rule = SourcedRule::text(rule, RuleSource::of(Scope::Project));
    let rules = Rules { deny: vec![rule.clone()], allow: vec![rule], ..Rules::default() };
    let anchors = Anchors {
        project_root: root.to_owned(),
        start_directory: root.to_owned(),
        home: Some("/home/u".to_owned()),
        user_settings: None,
    };
    let set = RuleSet::compile(Arc::new(rules), &anchors, &Conventions::portcullis());
    if let Some(error) = set.errors().first() {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    for note in set.notes() {
        println!("note ({}): {}", note.list.as_str(), note.message);
    }

    let roots = [root.to_owned()];
    let settings = Settings { home: Some("/home/u"), ..Settings::new(root, &roots) };
    let analysis = analyze(&text, &settings);
    let arguments = serde_json::json!({ "command": text });
    let call = Subject {
        name: "Bash",
        tool: Some(Tool::Bash),
        paths: &[],
        reached: &[],
        unknown_target: false,
        shell: &[ShellPart { text: &text, analysis: &analysis }],
        unknown_command: false,
        arguments: &arguments,
        resolver: None,
    };
    let denied = set.first_match(ListKind::Deny, &call).is_some();
    let possible = !set.possible_matches(ListKind::Deny, &call).is_empty();
    let as_deny = if denied {
        "matches"
    } else if possible {
        "may match"
    } else {
        "does not match"
    };
    let as_allow = if set.covering_allow(&call).is_some() { "covers the call" } else { "does not cover it" };
    println!("as a deny rule it {as_deny}; as an allow rule it {as_allow}");
    ExitCode::SUCCESS
}

//! `rules list`: every rule in force, with where it stands.

use portcullis_approval::escape_line;
use portcullis_matcher::{ListKind, SourcedRule};
use serde_json::{Value, json};

use crate::{
    args::Options,
    exit::Exit,
    report::{self, CommandResult},
    session::{self, Purpose, Session, Surroundings},
};

/// Prints the lists in the order in which gates ask them.
pub(super) fn run(options: &Options, surroundings: &Surroundings) -> CommandResult {
    let session = Session::open(options, surroundings, Purpose::Judge)?;
    let text = if options.json() { format!("{}\n", as_json(&session)) } else { as_text(&session) };
    report::print(&text)?;
    Ok(Exit::Success)
}

fn lists(session: &Session) -> [(ListKind, &[SourcedRule]); 5] {
    let rules = session.rules.rules();
    [
        (ListKind::Deny, &rules.deny),
        (ListKind::AlwaysAsk, &rules.always_ask),
        (ListKind::Allow, &rules.allow),
        (ListKind::Ask, &rules.ask),
        (ListKind::Restrict, &rules.restrict),
    ]
}

fn as_json(session: &Session) -> Value {
    let rule = |list: ListKind, rule: &SourcedRule| {
        json!({
            "list": list.as_str(),
            "rule": rule.label(),
            "scope": rule.source.scope.as_str(),
            "file": rule.source.file,
            "line": rule.source.line,
            "reason": rule.reason,
        })
    };
    let rules: Vec<Value> = lists(session)
        .into_iter()
        .flat_map(|(list, rules)| rules.iter().map(move |one| rule(list, one)))
        .collect();
    let errors: Vec<Value> = session
        .rules
        .errors()
        .iter()
        .map(|error| {
            json!({
                "list": error.list.as_str(),
                "rule": error.rule,
                "message": error.message,
                "file": error.at.file,
                "line": error.at.line,
            })
        })
        .collect();
    json!({
        "rules": rules,
        "errors": errors,
        "mode": session.context.mode,
        "additionalDirectories": session.rules.rules().additional_directories,
        "degraded": session.context.degraded,
        "files": session.loaded.files,
    })
}

fn as_text(session: &Session) -> String {
    let mut text = String::new();
    for (list, rules) in lists(session) {
        for rule in rules {
            let place = session::place(&rule.source).unwrap_or_default();
            text.push_str(&format!(
                "{:<9} {:<40} {:<8} {}\n",
                list.as_str(),
                escape_line(&rule.label()),
                rule.source.scope.as_str(),
                escape_line(&place)
            ));
        }
    }
    if text.is_empty() {
        text.push_str("no rules\n");
    }
    for directory in &session.rules.rules().additional_directories {
        text.push_str(&format!("directory {}\n", escape_line(directory)));
    }
    text.push_str(&format!("mode      {}\n", session.context.mode.as_str()));
    text
}

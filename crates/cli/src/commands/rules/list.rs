//! `rules list`: every rule in force, with where it stands and which rule beats it.

use portcullis_approval::escape_line;
use portcullis_matcher::{ListKind, SourcedRule};
use portcullis_permissions::standing;
use serde_json::{Value, json};

use crate::{
    args::Options,
    commands::trust,
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

/// The lists in the order in which gates ask them.
const LISTS: [ListKind; 5] =
    [ListKind::Deny, ListKind::AlwaysAsk, ListKind::Allow, ListKind::Ask, ListKind::Restrict];

/// A rule in force.
struct Listed<'a> {
    list: ListKind,
    rule: &'a SourcedRule,
    /// The rule that goes before it and matches all that it matches, with its list.
    beaten: Option<(ListKind, &'a SourcedRule)>,
}

fn listed(session: &Session) -> Vec<Listed<'_>> {
    let rules = &session.rules;
    let standing = standing(&session.context, rules);
    let ids = LISTS.iter().flat_map(|list| rules.ids(*list).map(move |id| (*list, id)));
    ids.filter_map(|(list, id)| {
        let by = standing.beaten(id).map(|beaten| beaten.by);
        let beaten = by.and_then(|by| Some((rules.kind(by)?, rules.rule(by)?)));
        Some(Listed { list, rule: rules.rule(id)?, beaten })
    })
    .collect()
}

fn as_json(session: &Session) -> Value {
    let of = |list: ListKind, rule: &SourcedRule| {
        json!({
            "list": list.as_str(),
            "rule": rule.label(),
            "scope": rule.source.scope.as_str(),
            "file": rule.source.file,
            "line": rule.source.line,
            "reason": rule.reason,
        })
    };
    let rules: Vec<Value> = listed(session)
        .into_iter()
        .map(|one| {
            let mut fields = of(one.list, one.rule);
            if let Some(object) = fields.as_object_mut() {
                let by = one.beaten.map_or(Value::Null, |(list, rule)| of(list, rule));
                object.insert("beatenBy".to_owned(), by);
            }
            fields
        })
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
    let mut listed = json!({
        "rules": rules,
        "errors": errors,
        "mode": session.context.mode,
        "additionalDirectories": session.rules.rules().additional_directories,
        "degraded": session.context.degraded,
        "files": session.loaded.files,
    });
    if let Some(object) = listed.as_object_mut() {
        trust::add(object, session);
    }
    listed
}

fn as_text(session: &Session) -> String {
    let mut text = String::new();
    for Listed { list, rule, beaten } in listed(session) {
        let place = session::place(&rule.source).unwrap_or_default();
        text.push_str(&format!(
            "{:<9} {:<40} {:<8} {}\n",
            list.as_str(),
            escape_line(&rule.label()),
            rule.source.scope.as_str(),
            escape_line(&place)
        ));
        if let Some(reason) = &rule.reason {
            text.push_str(&format!("          because: {}\n", escape_line(reason)));
        }
        if let Some((list, by)) = beaten {
            let place = session::place(&by.source).unwrap_or_default();
            text.push_str(&format!(
                "          decides nothing: {} {} ({}) goes before\n",
                list.as_str(),
                escape_line(&by.label()),
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

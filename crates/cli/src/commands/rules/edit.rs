//! `rules add` and `rules remove`: one rule in one settings file, in place.

use std::{path::Path, sync::Arc};

use portcullis_approval::escape_line;
use portcullis_audit::{Event, RuleRef};
use portcullis_loader::{ListKind, SaveError, Scope, remove_rule, save_rule};
use portcullis_matcher::{Rules, SourcedRule};
use portcullis_permissions::{Finding, FindingKind, lint};
use portcullis_sandbox::tripwire;
use serde_json::json;

use super::named;
use crate::{
    args::{EditArgs, ListName, Options, ScopeName},
    commands::journal::Journal,
    exit::Exit,
    report::{self, CommandResult, Report},
    session::{self, Purpose, Session, Surroundings},
};

/// The session that the log names for changes that belong to none.
const SESSION: &str = "rules";

/// The status of a removal that found no such rule.
const ABSENT: u8 = 1;

/// What is done to the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Add,
    Remove,
}

/// Changes the file and records it.
pub(super) fn run(
    options: &Options,
    arguments: &EditArgs,
    change: Change,
    surroundings: &Surroundings,
) -> CommandResult {
    let session = Session::open(options, surroundings, Purpose::Judge)?;
    let (list, scope) = (list(arguments.list), scope(arguments.scope));
    let rule = named::rule(arguments, change)?;
    let done = match change {
        Change::Add => save_rule(&session.layout, &rule, list, &session.keeper),
        Change::Remove => remove_rule(&session.layout, &rule, list, &session.keeper),
    }
    .map_err(|error| failure(&error))?;
    if let Some(state) = session::state_directory(surroundings, session.home.as_deref()) {
        tripwire::acknowledge(Path::new(&state), &done.file);
    }
    for note in &done.notes {
        report::note(&format!("portcullis: note: {}", escape_line(note)));
    }
    let doubts = if change == Change::Add { doubts(&session, rule.clone(), list) } else { Vec::new() };
    for doubt in &doubts {
        report::note(&format!("portcullis: warning: {}", escape_line(&doubt.message)));
        report::note(&format!("  do: {}", escape_line(&doubt.remedy)));
    }
    if done.changed {
        record(&session, surroundings, change, list, scope, &done);
    }
    let word = match (change, done.changed) {
        (Change::Add, true) => "added",
        (Change::Add, false) => "already there",
        (Change::Remove, true) => "removed",
        (Change::Remove, false) => "not there",
    };
    let text = if options.json() {
        let fields = json!({
            "rule": done.rule,
            "list": list.as_str(),
            "scope": scope.as_str(),
            "file": done.file,
            "changed": done.changed,
            "warnings": doubts,
        });
        format!("{fields}\n")
    } else {
        let file = done.file.display().to_string();
        format!("{word}: {} in {} of {}\n", escape_line(&done.rule), list.as_str(), escape_line(&file))
    };
    report::print_done(&text);
    let absent = change == Change::Remove && !done.changed;
    if absent {
        named::tell_where(&session, &rule, list);
    }
    // A script that takes a rule away wants to know that there was none: it may have been spelled otherwise.
    Ok(if absent { Exit::Status(ABSENT) } else { Exit::Success })
}

/// What `rules lint` would say about the rule by itself: that it does not mean what it seems to.
fn doubts(session: &Session, rule: SourcedRule, list: ListKind) -> Vec<Finding> {
    let mut rules = Rules::default();
    match list {
        ListKind::Allow => rules.allow.push(rule),
        ListKind::Deny => rules.deny.push(rule),
        ListKind::Ask => rules.ask.push(rule),
        ListKind::AlwaysAsk => rules.always_ask.push(rule),
        _ => rules.restrict.push(rule),
    }
    let mut found = lint(&session.context, &session.rules.with_rules(Arc::new(rules)));
    found.retain(|one| {
        matches!(
            one.kind,
            FindingKind::UnknownTool
                | FindingKind::Meaning
                | FindingKind::Wholesale
                | FindingKind::LeavesProject
                | FindingKind::Anchor
        )
    });
    found
}

/// The change is made already: a log that cannot be written is a warning.
fn record(
    session: &Session,
    surroundings: &Surroundings,
    change: Change,
    list: ListKind,
    scope: Scope,
    done: &portcullis_loader::Saved,
) {
    let event = Event::RuleSaved {
        rule: RuleRef {
            rule: done.rule.clone(),
            scope: scope.as_str().to_owned(),
            file: Some(done.file.display().to_string()),
            line: None,
        },
        list: list.as_str().to_owned(),
        removed: change == Change::Remove,
    };
    let recorded =
        Journal::open(session, surroundings, None, SESSION).and_then(|journal| journal.append(event));
    if let Err(failure) = recorded {
        report::note(&format!("portcullis: warning: the change is not in the log: {}", failure.message()));
    }
}

fn failure(error: &SaveError) -> Report {
    let code = match error {
        SaveError::Scope(_) | SaveError::NoPlace(_) | SaveError::Users(_) => "scope",
        SaveError::Rule { .. } => "rule",
        _ => "save",
    };
    Report::failure(code, error.to_string())
}

pub(super) const fn list(name: ListName) -> ListKind {
    match name {
        ListName::Allow => ListKind::Allow,
        ListName::Deny => ListKind::Deny,
        ListName::Ask => ListKind::Ask,
        ListName::AlwaysAsk => ListKind::AlwaysAsk,
        ListName::Restrict => ListKind::Restrict,
    }
}

pub(super) const fn scope(name: ScopeName) -> Scope {
    match name {
        ScopeName::User => Scope::User,
        ScopeName::Project => Scope::Project,
        ScopeName::Local => Scope::Local,
    }
}

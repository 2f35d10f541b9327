//! Settings that could not be read, or a deny rule that nobody could read, forbid every automatic answer.

use portcullis_matcher::{ListKind, RuleError};

use crate::{
    Decision,
    case::Case,
    ruling::{RuleSetName, Ruling},
};

/// Asks, and says where to look.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    let place = case.context.degraded.clone().or_else(|| unreadable_rule(case))?;
    Some(Ruling::new(Decision::Ask, format!("Settings could not be read: {place}")).about(place))
}

fn unreadable_rule(case: &Case<'_>) -> Option<String> {
    [RuleSetName::Settings, RuleSetName::Session, RuleSetName::Cli]
        .into_iter()
        .flat_map(|set| case.rule_set(set).errors())
        .find(|error| matches!(error.list, ListKind::Deny | ListKind::AlwaysAsk))
        .map(place)
}

fn place(error: &RuleError) -> String {
    match (&error.at.file, error.at.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file.to_string(),
        (None, _) => format!("{} rule `{}`", error.at.scope.as_str(), error.rule),
    }
}

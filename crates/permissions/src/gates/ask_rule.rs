//! Ask rules from settings and session; before anything is let through where the profile says so.

use crate::{
    AskRules, Decision,
    case::Case,
    ruling::{Cited, Ruling},
};

/// Before anything automatic, where the profile wants that.
pub(crate) fn judge_early(case: &Case<'_>) -> Option<Ruling> {
    (case.context.conventions.ask_rules == AskRules::BeforeAutomatic).then(|| judge(case)).flatten()
}

/// Asks what an ask rule matches or may match.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    let cited = case.ask_rule()?.clone();
    let ruling = match cited {
        Cited::PossibleRule(set, id) => {
            let rule = case.rule_set(set).rule(id);
            let label = rule.map(portcullis_matcher::SourcedRule::label).unwrap_or_default();
            Ruling::new(Decision::Ask, format!("May match ask rule {label}"))
        }
        _ => Ruling::new(Decision::Ask, "Matched ask rule"),
    };
    Some(ruling.citing(cited))
}

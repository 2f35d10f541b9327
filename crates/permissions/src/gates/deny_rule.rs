//! Deny rules from settings and session.

use portcullis_matcher::ListKind;

use crate::{
    Decision,
    case::Case,
    ruling::{RuleSetName, Ruling},
};

/// Denies what a deny rule certainly matches, by the canonical or the original name.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    let rule = case
        .first_match(RuleSetName::Settings, ListKind::Deny)
        .or_else(|| case.first_match(RuleSetName::Session, ListKind::Deny))?;
    Some(Ruling::new(Decision::Deny, "Matched deny rule").citing(rule))
}

//! alwaysAsk rules from settings.

use portcullis_matcher::ListKind;

use crate::{
    Decision,
    case::Case,
    ruling::{RuleSetName, Ruling},
};

/// Asks, every time.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    let rule = case.first_match(RuleSetName::Settings, ListKind::AlwaysAsk)?;
    Some(Ruling::new(Decision::AlwaysAsk, "Matched alwaysAsk rule").citing(rule))
}

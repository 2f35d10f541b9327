//! Allow rules given in this session.

use crate::{
    Decision,
    case::Case,
    ruling::{RuleSetName, Ruling},
};

/// Allows what they cover.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    let rule = case.covering(RuleSetName::Session)?;
    Some(Ruling::new(Decision::Allow, "Matched session allow rule").citing(rule))
}

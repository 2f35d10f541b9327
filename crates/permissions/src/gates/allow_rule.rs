//! Allow rules from settings.

use portcullis_matcher::ListKind;

use crate::{
    Decision,
    case::Case,
    ruling::{RuleSetName, Ruling},
};

/// Allows what they cover, unless an ask rule of this session, the narrower scope, wants a person.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    let rule = case.covering(RuleSetName::Settings)?;
    if case.first_match(RuleSetName::Session, ListKind::Ask).is_some() {
        return None;
    }
    Some(Ruling::new(Decision::Allow, "Matched allow rule").citing(rule))
}

//! `--disallowed-tools`.

use portcullis_matcher::ListKind;

use crate::{
    Decision,
    case::Case,
    ruling::{RuleSetName, Ruling},
};

/// Denies what the command line disallows.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    let rule = case.first_match(RuleSetName::Cli, ListKind::Deny)?;
    Some(Ruling::new(Decision::Deny, "Matched --disallowedTools flag").citing(rule))
}

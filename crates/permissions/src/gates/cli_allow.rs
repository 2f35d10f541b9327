//! `--allowed-tools`.

use crate::{
    Decision,
    case::Case,
    ruling::{RuleSetName, Ruling},
};

/// Allows what the command line allows.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    let rule = case.covering(RuleSetName::Cli)?;
    Some(Ruling::new(Decision::Allow, "Matched --allowedTools flag").citing(rule))
}

//! Loading a skill only reads its description; what it then does is judged by itself.

use crate::{Decision, case::Case, ruling::Ruling};

/// Allows the Skill tool.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    (case.call.name == "Skill" && case.may_be_automatic())
        .then(|| Ruling::new(Decision::Allow, "Skill tool is always allowed (read-only)"))
}

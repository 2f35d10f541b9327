//! A shell command that only reads, within the roots.

use crate::{Decision, case::Case, ruling::Ruling};

/// Allows it.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    (holds(case) && case.may_be_automatic()).then(|| Ruling::new(Decision::Allow, "Read-only shell command"))
}

/// Whether every command of the call is read-only, and runs something at all. Text typed into a running program is not: nobody knows
/// that the program is a shell.
pub(crate) fn holds(case: &Case<'_>) -> bool {
    case.is_shell()
        && case.facts.typed.is_none()
        && !case.facts.unknown_command
        && !case.shell().is_empty()
        && case.shell().iter().all(|(_, analysis)| analysis.read_only() && !analysis.invocations.is_empty())
}

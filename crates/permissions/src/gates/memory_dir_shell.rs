//! A shell command confined to the agent's own memory directory.

use crate::{Decision, case::Case, memory::stays_inside, ruling::Ruling};

/// Allows it, writable memory roots only.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    if !case.is_shell() || case.facts.typed.is_some() {
        return None;
    }
    let roots = case.memory_roots();
    let confined = !roots.is_empty()
        && !case.facts.unknown_command
        && !case.shell().is_empty()
        && case.shell().iter().all(|(text, analysis)| stays_inside(case, text, analysis, roots))
        && case.may_be_automatic();
    confined.then(|| Ruling::new(Decision::Allow, "Agent memory directory operation"))
}

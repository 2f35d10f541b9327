//! A tool that says of itself that it wants a person every time.

use crate::{Decision, ToolPolicy, case::Case, ruling::Ruling};

/// Asks, every time.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    let name = &case.call.name;
    if case.context.tools.get(name) != Some(&ToolPolicy::AlwaysAsk) {
        return None;
    }
    Some(
        Ruling::new(Decision::AlwaysAsk, "Mod tool requires explicit approval")
            .named(format!("mod tool:{name}")),
    )
}

//! Plan mode: before anything can allow, what changes something is stopped.

use portcullis_matcher::Mode;
use portcullis_tool_names::Tool;

use crate::{Decision, case::Case, defaults::NOT_CHANGING, ruling::Ruling};

/// Denies writing and unknown tools; asks for shell commands that are not read-only.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    if case.context.mode != Mode::Plan {
        return None;
    }
    let decision = if case.is_shell() {
        if super::read_only_shell::holds(case) || case.facts.typed == Some(true) {
            return None;
        }
        Decision::Ask
    } else if changes_nothing(case) {
        return None;
    } else {
        Decision::Deny
    };
    Some(Ruling::new(decision, "Plan mode"))
}

fn changes_nothing(case: &Case<'_>) -> bool {
    match case.facts.tool {
        // A subagent's own calls are judged in the same mode.
        Some(Tool::Read | Tool::Glob | Tool::Grep | Tool::ListDir | Tool::Task) => true,
        Some(_) => false,
        None => {
            let name = case.call.name.as_str();
            NOT_CHANGING.contains(&name) || case.context.reading_tools.contains(name)
        }
    }
}

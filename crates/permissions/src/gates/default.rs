//! Nothing spoke: what the tool gets by default.

use portcullis_matcher::Mode;
use portcullis_tool_names::{Naming, Tool, given_names};

use crate::{
    Decision, ToolPolicy,
    case::Case,
    defaults::{HARMLESS, READING_SUBAGENTS},
    ruling::Ruling,
};

/// Always speaks.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    let allowed = case.context.mode != Mode::Strict && allowed(case);
    let decision = if allowed { Decision::Allow } else { Decision::Ask };
    Some(Ruling::new(decision, "Default behavior for tool"))
}

fn allowed(case: &Case<'_>) -> bool {
    let name = case.call.name.as_str();
    if let Some(policy) = case.context.tools.get(name) {
        return *policy == ToolPolicy::Auto;
    }
    match case.facts.tool {
        Some(Tool::Read | Tool::Glob | Tool::Grep | Tool::ListDir) => {
            super::working_directory::holds(case) || case.context.conventions.reads_outside_allowed
        }
        Some(Tool::Task) => {
            let given = given_names(Naming::Agent, &case.call.arguments);
            let mut all = given.names.iter().chain(&given.perhaps);
            !given.names.is_empty()
                && !given.unknown
                && all.all(|kind| READING_SUBAGENTS.contains(&kind.as_str()))
        }
        Some(Tool::Bash) => case.facts.typed == Some(true),
        Some(_) => false,
        None if name == "memory_apply_patch" => {
            let readable = ["input", "patch"]
                .iter()
                .any(|key| case.call.arguments.get(key).is_some_and(serde_json::Value::is_string));
            readable && case.facts.targets.iter().all(|target| case.inside(target, case.memory_roots()))
        }
        None => HARMLESS.contains(&name),
    }
}

//! Gate 12: a shell command confined to the agent's own memory directory (specification 4.7).

use crate::{Decision, case::Case, memory::confined_to, ruling::Ruling};

/// Allows it, writable memory roots only.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    if !case.may_be_automatic() || !case.is_shell() || case.facts.typed.is_some() {
        return None;
    }
    let roots = memory_roots(case);
    let confined = !roots.is_empty()
        && !case.facts.unknown_command
        && !case.shell().is_empty()
        && case.shell().iter().all(|(text, analysis)| confined_to(case, text, analysis, &roots));
    confined.then(|| Ruling::new(Decision::Allow, "Agent memory directory operation"))
}

/// The agent's memory and its work trees; the parent's too for a subagent.
pub(crate) fn memory_roots(case: &Case<'_>) -> Vec<String> {
    let agent = &case.context.agent;
    if !agent.memory_directories.is_empty() {
        return agent.memory_directories.iter().map(|path| portcullis_paths::normalize(path)).collect();
    }
    let parent = agent.parent.as_deref().filter(|_| agent.subagent);
    let ids = agent.id.as_deref().into_iter().chain(parent);
    // An id is one component of a path, or it is no id.
    ids.filter(|id| !id.is_empty() && !id.contains('/') && *id != "." && *id != "..")
        .flat_map(|id| {
            agent.trees.iter().flat_map(move |tree| {
                ["memory", "memory-worktrees"]
                    .map(|name| portcullis_paths::normalize(&format!("{tree}/{id}/{name}")))
            })
        })
        .collect()
}

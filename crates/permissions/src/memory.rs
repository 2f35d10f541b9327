//! The agent's own memory: where it is, and whether a shell call stays in it.

use portcullis_shell_analysis::{Analysis, Confinement, confined_to};

use crate::{Agent, case::Case};

/// Whether everything that `text` does lies inside `roots`. Its own analysis knows which shell it is for.
pub(crate) fn stays_inside(case: &Case<'_>, text: &str, analysis: &Analysis, roots: &[String]) -> bool {
    let context = case.context;
    let place = Confinement {
        roots,
        cwd: Some(&context.cwd),
        home: context.home.as_deref(),
        environment: &context.environment,
        shell: context.shell,
        resolver: context.resolver.as_deref(),
    };
    analysis.error.is_none() && analysis.opaque.is_none() && confined_to(text, &place).is_ok()
}

/// The agent's memory and its work trees; the parent's too for a subagent.
pub(crate) fn roots(agent: &Agent) -> Vec<String> {
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

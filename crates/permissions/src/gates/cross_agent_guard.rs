//! An agent's memory is its own. In-process file tools only; shell calls are left
//! to the kernel sandbox, which hides the trees.

use portcullis_paths::normalize;

use crate::{
    Agent, Decision,
    case::Case,
    reach::{Meeting, meet_tree},
    ruling::Ruling,
};

const UNRESOLVED: &str = "<unresolved>";

/// Denies whatever lies in, is, or (for recursive tools) holds another agent's tree.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    let agent = &case.context.agent;
    if case.is_shell() || agent.trees.is_empty() || switched_off(agent) {
        return None;
    }
    let trees = tree_roots(case);
    let allowed = allowed_ids(agent);
    let recursive = case.facts.recursive;

    let mut offending: Vec<String> = Vec::new();
    let mut blame = |meeting: Meeting| {
        let id = match meeting {
            Meeting::Child(id) if !allowed.contains(&id.as_str()) => id,
            Meeting::Tree => UNRESOLVED.to_owned(),
            Meeting::Above if recursive => UNRESOLVED.to_owned(),
            _ => return,
        };
        if !offending.contains(&id) {
            offending.push(id);
        }
    };
    for target in case.facts.targets.iter().chain(&case.facts.respelled) {
        if target.unknown {
            blame(Meeting::Tree);
        }
        for reading in target.iter() {
            trees.iter().for_each(|tree| blame(place_of(reading, tree)));
        }
    }
    for pattern in &case.facts.patterns {
        trees.iter().for_each(|tree| blame(meet_tree(pattern, tree)));
    }
    if offending.is_empty() {
        return None;
    }
    let allowed = if allowed.is_empty() { "(none)".to_owned() } else { allowed.join(", ") };
    let reason = format!(
        "Permission denied by cross-agent memory guard ({}). Allowed: {allowed}. Pass --disable-memory-guard \
         from the parent agent process to opt in; subagents cannot disable this guard.",
        offending.join(", ")
    );
    Some(Ruling::new(Decision::Deny, reason).named("cross-agent guard"))
}

/// Only a parent process can switch the guard off; a subagent that is already shut in as a whole needs none.
fn switched_off(agent: &Agent) -> bool {
    (agent.memory_guard_disabled && !agent.subagent) || agent.confined
}

fn tree_roots(case: &Case<'_>) -> Vec<String> {
    let mut roots: Vec<String> = case.context.agent.trees.iter().map(|tree| normalize(tree)).collect();
    if let Some(resolver) = case.context.resolver.as_deref() {
        let real: Vec<String> = roots.iter().filter_map(|tree| resolver.realpath(tree).ok()).collect();
        for tree in real {
            if !roots.contains(&tree) {
                roots.push(tree);
            }
        }
    }
    roots
}

fn allowed_ids(agent: &Agent) -> Vec<&str> {
    let parent = agent.parent.as_deref().filter(|_| agent.subagent);
    let mut ids: Vec<&str> = agent.id.as_deref().into_iter().chain(parent).collect();
    ids.dedup();
    ids
}

/// A path is not a pattern: its brackets and stars are names.
fn place_of(path: &str, tree: &str) -> Meeting {
    let mut components = path.split('/').filter(|component| !component.is_empty());
    for wanted in tree.split('/').filter(|component| !component.is_empty()) {
        match components.next() {
            None => return Meeting::Above,
            Some(component) if component == wanted => {}
            Some(_) => return Meeting::Outside,
        }
    }
    components.next().map_or(Meeting::Tree, |child| Meeting::Child(child.to_owned()))
}

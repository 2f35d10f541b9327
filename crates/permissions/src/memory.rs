//! Whether a command stays inside directories and does only what looking after a memory needs (specification 4.7).

use portcullis_paths::{expand_home, three_paths};
use portcullis_shell_analysis::{Analysis, Directories, EffectKind, Invocation};

use crate::{
    Agent,
    case::{Case, Place},
    memory_git,
};

/// Programs whose effects are files and output; git is judged by its own table.
const PROGRAMS: [&str; 14] =
    ["rm", "mv", "mkdir", "cp", "ls", "cat", "head", "tail", "find", "sort", "echo", "printf", "wc", "split"];

/// Programs that move or wait.
const INERT: [&str; 2] = ["cd", "sleep"];

/// Whether everything that `text` does lies inside `roots`.
pub(crate) fn confined_to<'a>(
    case: &Case<'a>,
    text: &'a str,
    analysis: &'a Analysis,
    roots: &[String],
) -> bool {
    analysis.error.is_none()
        && analysis.opaque.is_none()
        && !analysis.invocations.is_empty()
        && analysis.invocations.iter().all(|item| confined(case, text, item, roots))
}

fn confined<'a>(case: &Case<'a>, text: &'a str, invocation: &'a Invocation, roots: &[String]) -> bool {
    let plain = invocation.launchers.is_empty()
        && invocation.code.is_empty()
        && invocation.assignments.iter().all(|assignment| harmless(invocation, assignment));
    if !plain {
        return false;
    }
    let touches_inside = |redirections_only: bool| {
        case.invocation_touches(text, invocation)
            .filter(|touch| !redirections_only || touch.cause.is_some_and(|cause| cause.redirection))
            .all(|touch| inside_or_null(case, &touch.place, roots))
    };
    if invocation.words.is_empty() {
        return touches_inside(false);
    }
    match invocation.program() {
        Some("git") => {
            touches_inside(true)
                && starts_inside(case, invocation, roots)
                && memory_git::confined(invocation, |path| path_inside(case, invocation, path, roots))
        }
        Some("cd") => {
            let target = invocation.words.get(1).and_then(|word| word.value.known());
            invocation.words.len() == 2
                && target.is_some_and(|path| path_inside(case, invocation, path, roots))
        }
        Some(program) if INERT.contains(&program) => touches_inside(false) && only_paths(invocation),
        Some(program) if PROGRAMS.contains(&program) => {
            invocation.specified
                && only_paths(invocation)
                && !invocation.words.iter().any(|word| word.hazard)
                && touches_inside(false)
        }
        _ => false,
    }
}

/// Standing alone an assignment of a known value is just that; before a program it must change no meaning.
fn harmless(invocation: &Invocation, assignment: &portcullis_shell_analysis::Assignment) -> bool {
    let ordinary = assignment.value.known().is_some()
        && !["PATH", "IFS", "CDPATH", "ENV", "HOME", "SHELLOPTS", "BASHOPTS"]
            .contains(&assignment.name.as_str())
        && !["LD_", "DYLD_", "BASH_", "GIT_", "PS"].iter().any(|start| assignment.name.starts_with(start));
    assignment.harmless || (invocation.words.is_empty() && ordinary)
}

fn only_paths(invocation: &Invocation) -> bool {
    !invocation.effects.iter().any(|effect| {
        matches!(
            effect.kind,
            EffectKind::Execute(_)
                | EffectKind::Network(_)
                | EffectKind::Environment
                | EffectKind::Process
                | EffectKind::System
                | EffectKind::Opaque(_)
        )
    })
}

fn inside_or_null(case: &Case<'_>, place: &Place<'_>, roots: &[String]) -> bool {
    let null =
        matches!(place, Place::Path(path) if path.physical == "/dev/null" && path.lexical == "/dev/null");
    null || case.place_inside(place, roots)
}

fn starts_inside(case: &Case<'_>, invocation: &Invocation, roots: &[String]) -> bool {
    let Directories::Known(directories) = &invocation.directories else { return false };
    let resolver = case.context.resolver.as_deref();
    let start_or_option = |directory: &String| {
        let place = three_paths(directory, &case.context.cwd, resolver);
        case.inside(&place, roots) || changes_directory(case, invocation, directory, roots)
    };
    !directories.is_empty() && directories.iter().all(start_or_option)
}

/// `git -C DIR` with DIR inside.
fn changes_directory(case: &Case<'_>, invocation: &Invocation, from: &str, roots: &[String]) -> bool {
    let words = &invocation.words;
    let flag = words.get(1).and_then(|word| word.value.known());
    let directory = words.get(2).and_then(|word| word.value.known());
    let (Some("-C"), Some(directory)) = (flag, directory) else { return false };
    let expanded = expand_home(directory, case.context.home.as_deref());
    case.inside(&three_paths(&expanded, from, case.context.resolver.as_deref()), roots)
}

/// A path argument, from every directory that the program may start in.
fn path_inside(case: &Case<'_>, invocation: &Invocation, path: &str, roots: &[String]) -> bool {
    let Directories::Known(directories) = &invocation.directories else { return false };
    let resolver = case.context.resolver.as_deref();
    // The plan has expanded `~` already where the shell would; what is left is a name.
    !directories.is_empty()
        && directories.iter().all(|from| {
            let base = if changes_directory(case, invocation, from, roots) {
                let target = invocation.words.get(2).and_then(|word| word.value.known()).unwrap_or_default();
                portcullis_paths::join(from, target)
            } else {
                from.clone()
            };
            case.inside(&three_paths(path, &base, resolver), roots)
        })
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

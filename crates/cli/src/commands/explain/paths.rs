//! Other paths and narrow rules that could be tried on a call.

use portcullis_paths::{is_within, normalize, parent};
use portcullis_permissions::{Decision, Gate, ToolCall};
use portcullis_shell_analysis::{EffectKind, PathTarget, join_words};
use serde_json::Value;

use super::changes::Trial;

/// The same call with a path that lies elsewhere: `(instead of, path, call)`.
pub(super) fn others(trial: &Trial<'_>) -> Vec<(String, String, ToolCall)> {
    if trial.verdict.shell.is_empty() {
        return file(trial).into_iter().collect();
    }
    if trial.verdict.gate != Gate::CriticalRemoval {
        return Vec::new();
    }
    further_down(trial).into_iter().collect()
}

/// A file tool's one path that lies outside the project, moved into it.
fn file(trial: &Trial<'_>) -> Option<(String, String, ToolCall)> {
    let root = &trial.context.project_root;
    let outside = |path: &str| {
        let path = portcullis_paths::join(&trial.context.cwd, path);
        !is_within(&path, root) && path.rsplit('/').next().is_some_and(|name| !name.is_empty())
    };
    let keys = ["file_path", "path", "notebook_path", "dir_path"];
    let (key, given) = keys
        .into_iter()
        .find_map(|key| Some((key, trial.call.arguments.get(key)?.as_str().filter(|path| outside(path))?)))?;
    let name = given
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .filter(|name| !matches!(*name, "" | "." | ".." | "~"))?;
    let path = format!("{}/{name}", root.trim_end_matches('/'));
    let mut call = trial.call.clone();
    *call.arguments.get_mut(key)? = Value::from(path.as_str());
    Some((given.to_owned(), path, call))
}

/// A removal of what nobody can replace, of something further down.
fn further_down(trial: &Trial<'_>) -> Option<(String, String, ToolCall)> {
    let (text, analysis) = trial.verdict.shell.first()?;
    if trial.call.arguments.get("command").and_then(Value::as_str) != Some(text) {
        return None;
    }
    let deletes = analysis.invocations.iter().flat_map(|part| &part.effects);
    let span = deletes
        .filter(|effect| matches!(effect.kind, EffectKind::Delete { .. }))
        .map(|effect| effect.span)
        .next()?;
    let given = span.slice(text);
    let path = format!("{}/build", trial.context.project_root.trim_end_matches('/'));
    let (before, behind) = (text.get(..span.start as usize)?, text.get(span.end as usize..)?);
    let mut call = trial.call.clone();
    *call.arguments.get_mut("command")? =
        Value::from(format!("{before}{}{behind}", join_words(&[path.as_str()])));
    Some((given.to_owned(), path, call))
}

/// Directories that hold what is read outside the project, if they are few and nothing that a system is made of.
pub(super) fn directories(trial: &Trial<'_>) -> Vec<String> {
    let root = &trial.context.project_root;
    let mut found: Vec<String> = Vec::new();
    let mut add = |directory: &str| {
        let directory = normalize(directory);
        let home = trial.context.home.as_deref().unwrap_or("/");
        let whole =
            directory.matches('/').count() < 2 || is_within(home, &directory) || is_within(root, &directory);
        if !whole && !is_within(&directory, root) && !found.contains(&directory) {
            found.push(directory);
        }
    };
    for (_, analysis) in &trial.verdict.shell {
        for effect in analysis.invocations.iter().flat_map(|part| &part.effects) {
            let (EffectKind::Read { path, .. } | EffectKind::Metadata(path)) = &effect.kind else { continue };
            match path {
                PathTarget::Path(path) => parent(path).into_iter().for_each(&mut add),
                PathTarget::Glob(_, directory) | PathTarget::Below(directory) => add(directory),
                _ => {}
            }
        }
    }
    if trial.verdict.shell.is_empty() && trial.verdict.decision != Decision::Deny {
        for key in ["file_path", "path", "dir_path"] {
            if let Some(path) = trial.call.arguments.get(key).and_then(Value::as_str) {
                let path = portcullis_paths::join(&trial.context.cwd, path);
                parent(&path).into_iter().for_each(&mut add);
            }
        }
    }
    if found.len() > 2 { Vec::new() } else { found }
}

/// Rules that name the call, the narrowest first.
pub(super) fn naming(trial: &Trial<'_>) -> Vec<String> {
    let mut rules = Vec::new();
    for invocation in trial.verdict.shell.iter().flat_map(|(_, analysis)| &analysis.invocations) {
        let words: Vec<&str> = invocation.words.iter().map_while(|word| word.value.known()).collect();
        let Some(program) = words.first() else { continue };
        if words.len() == invocation.words.len() {
            rules.push(format!("Bash({})", join_words(&words)));
        }
        if let Some(subcommand) = words.get(1).filter(|word| word.chars().all(char::is_alphabetic)) {
            rules.push(format!("Bash({program} {subcommand}:*)"));
        }
        rules.push(format!("Bash({program}:*)"));
    }
    if trial.verdict.shell.is_empty() {
        let name = &trial.call.name;
        for key in ["file_path", "path", "notebook_path", "dir_path"] {
            if let Some(path) = trial.call.arguments.get(key).and_then(Value::as_str) {
                rules.push(format!("{name}(/{})", portcullis_paths::join(&trial.context.cwd, path)));
            }
        }
        rules.push(name.clone());
    }
    rules.truncate(24);
    rules
}

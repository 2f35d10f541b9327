//! What decides, and so must not be changed by what is decided about.

use portcullis_loader::{Loaded, Sourced};
use portcullis_paths::{expand_home, is_within, join, parent};
use serde_json::Value;

use super::{Place, Surroundings};

/// Settings in force, the state directory with its log and what is trusted, this program, and the scripts that hooks name.
pub(super) fn all(surroundings: &Surroundings, place: Place<'_>, loaded: &Loaded) -> Vec<String> {
    let mut paths: Vec<String> =
        loaded.files.iter().filter_map(|file| file.path.to_str()).map(ToOwned::to_owned).collect();
    paths.extend(super::state_directory(surroundings, place.home));
    if let Some(executable) = surroundings.executable.as_deref().and_then(std::path::Path::to_str) {
        paths.push(executable.to_owned());
    }
    paths.extend(
        loaded.settings.log.path.as_ref().and_then(|path| path.value.to_str().map(ToOwned::to_owned)),
    );
    for script in loaded.settings.hooks.iter().flat_map(|hooks| scripts(hooks, place)) {
        if !paths.contains(&script) {
            paths.push(script);
        }
    }
    paths
}

/// The files that the commands of hooks name, existing or not: what is not there yet could be put there.
fn scripts(hooks: &Sourced<Value>, place: Place<'_>) -> Vec<String> {
    let mut commands = Vec::new();
    collect(&hooks.value, &mut commands);
    // A relative name belongs to the folder of the settings; which of these that is depends on the host.
    let folder = hooks.source.file.as_deref().and_then(parent);
    let bases: Vec<&str> =
        folder.into_iter().chain(folder.and_then(parent)).chain([place.project_root]).collect();
    let words = commands.into_iter().flat_map(|command| {
        portcullis_shell_analysis::split_words(command)
            .unwrap_or_else(|| command.split_whitespace().map(|word| word.replace(['"', '\''], "")).collect())
    });
    words.flat_map(|word| candidates(&word, &bases, place.home)).filter(|path| may_be_script(path)).collect()
}

/// The texts of `command` fields, at any depth.
fn collect<'v>(value: &'v Value, commands: &mut Vec<&'v str>) {
    match value {
        Value::Object(fields) => {
            commands.extend(fields.get("command").and_then(Value::as_str));
            fields.values().for_each(|field| collect(field, commands));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, commands)),
        _ => {}
    }
}

/// The absolute paths that a word of a command can mean.
fn candidates(word: &str, bases: &[&str], home: Option<&str>) -> Vec<String> {
    let word = expand_home(word.trim_start_matches(['<', '>', '&', '(']), home);
    if word.starts_with('/') {
        return vec![portcullis_paths::normalize(&word)];
    }
    // `$CLAUDE_PROJECT_DIR/x`: the variable means one of the folders.
    let relative = match word.strip_prefix('$') {
        Some(rest) => rest.split_once('/').map(|(_, rest)| rest),
        None => Some(word.as_str()),
    };
    let Some(relative) = relative.filter(|relative| !relative.is_empty() && !relative.starts_with('-'))
    else {
        return Vec::new();
    };
    let named = relative.contains('/') || word.starts_with('$');
    let paths = bases.iter().map(|base| join(base, relative));
    paths.filter(|path| named || std::path::Path::new(path).is_file()).collect()
}

/// No directory, and nothing that only carries streams.
fn may_be_script(path: &str) -> bool {
    let streams = ["/dev", "/proc", "/sys"].iter().any(|tree| is_within(path, tree));
    !streams && std::fs::metadata(path).map_or(true, |found| found.is_file())
}

//! Names of tools that were surely meant otherwise.

use portcullis_matcher::{RuleSpec, SourcedRule};
use portcullis_tool_names::{Aliases, Tool};
use strsim::osa_distance;

use crate::defaults::{HARMLESS, NOT_CHANGING};

/// The canonical tools.
const TOOLS: [Tool; 8] =
    [Tool::Bash, Tool::Read, Tool::Write, Tool::Edit, Tool::Glob, Tool::Grep, Tool::ListDir, Tool::Task];

/// Tools that have no canonical name and that agents know all the same, beside those of other tables.
const OTHERS: [&str; 3] = ["Monitor", "KillShell", "memory_apply_patch"];

fn others<'a>() -> impl Iterator<Item = &'a str> {
    OTHERS.into_iter().chain(HARMLESS).chain(NOT_CHANGING)
}

/// A name differs from the one that was meant by at most this many inserted, left out, changed or swapped
/// characters, and by fewer in short names.
const MAX_DISTANCE: usize = 2;

/// The name of the rule's tool when no tool is known by it, and the known name that looks most alike.
pub(super) fn meant<'a>(rule: &'a SourcedRule, aliases: &Aliases) -> Option<(&'a str, String)> {
    let names: Vec<&str> = match &rule.spec {
        RuleSpec::Text(text) => vec![text.split('(').next().unwrap_or_default().trim()],
        RuleSpec::Object(object) => object.tools.iter().map(|name| name.trim()).collect(),
        _ => return None,
    };
    names.into_iter().find_map(|name| Some((name, alike(name, aliases)?)))
}

fn alike(name: &str, aliases: &Aliases) -> Option<String> {
    let plain = !name.is_empty() && !name.contains('*') && !name.starts_with("mcp__");
    if !plain || aliases.canonical(name).is_some() || others().any(|other| other == name) {
        return None;
    }
    let known = TOOLS.iter().flat_map(|tool| aliases.spellings(*tool)).chain(others());
    let distance = |known: &str| osa_distance(&name.to_lowercase(), &known.to_lowercase());
    let nearest = known.min_by_key(|known| distance(known))?;
    let allowed = MAX_DISTANCE.min(name.chars().count() / 3);
    // A name in the wrong case is read as the known one, and noted where rules are read.
    (distance(nearest) <= allowed && !nearest.eq_ignore_ascii_case(name)).then(|| nearest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_looks_like_a_tool_is_told() {
        let aliases = Aliases::standard();
        for (name, meant) in [
            ("Bsh", "Bash"),
            ("Raed", "Read"),
            ("WebFech", "WebFetch"),
            ("edti", "Edit"),
            ("WebSeach", "WebSearch"),
        ] {
            assert_eq!(alike(name, &aliases).as_deref(), Some(meant), "{name}");
        }
    }

    #[test]
    fn known_tools_and_names_of_their_own_are_left_alone() {
        let aliases = Aliases::standard();
        for name in [
            "Bash",
            "BASH",
            "shell",
            "mcp__x__reed",
            "deploy",
            "Notify",
            "my_tool",
            "*",
            "",
            "Tsk_runner",
            "x",
        ] {
            assert_eq!(alike(name, &aliases), None, "{name}");
        }
    }
}

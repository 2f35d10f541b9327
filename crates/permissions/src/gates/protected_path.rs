//! Writing where programs pick up what to run asks, unless a rule names the path literally.

use portcullis_paths::{Table, three_paths};

use crate::{
    Decision,
    case::{Access, Case, Place, Touch},
    existing,
    reach::{component_may_be, is_glob, may_meet},
    ruling::Ruling,
};

/// Asks for a write, removal or metadata change of a protected path.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    if !case.sensitive_asked() {
        return None;
    }
    let about =
        case.touches().iter().filter(|touch| touch.access.alters()).find_map(|touch| match &touch.place {
            Place::Path(path) => case.sensitive(Table::Protected, path),
            Place::Glob(pattern, _) => protected_match(case, pattern, takes_existing(touch)),
            Place::Below(_) | Place::Unknown => None,
        })?;
    Some(Ruling::new(Decision::Ask, "Writes a protected path").about(about))
}

/// Whether a touch through a glob is about what is there alone: only that can be removed, or get other attributes; and a
/// program that names its own output (`go build`) takes over what is there, and chooses no name that something else
/// looks for.
pub(crate) fn takes_existing(touch: &Touch<'_>) -> bool {
    let names_itself = || touch.cause.is_some_and(|cause| !is_glob(cause.span.slice(cause.text)));
    matches!(touch.access, Access::Delete | Access::Change) || names_itself()
}

/// Endings of names that nothing picks up by itself in a directory of settings, hooks or commands: sources of compiled
/// languages, what compilers and patches leave.
const INERT: [&str; 16] = [
    ".rs", ".go", ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".java", ".kt", ".swift", ".zig", ".o", ".d",
    ".orig", ".rej",
];

/// The protected path, or the row of the table, that a glob which is written through can match.
pub(crate) fn protected_match(case: &Case<'_>, pattern: &str, only_existing: bool) -> Option<String> {
    let last = pattern.rsplit('/').next().unwrap_or(pattern);
    let deep = pattern.contains("**");
    if only_existing
        && let Some(resolver) = case.context.resolver.as_deref()
        && let Some(found) = existing::matching(resolver, pattern)
    {
        return found.iter().find_map(|existing| {
            let paths = three_paths(&existing.path, "/", Some(resolver).filter(|_| existing.linked));
            case.sensitive(Table::Protected, &paths)
        });
    }
    let inert = INERT.iter().any(|ending| last.ends_with(ending));
    case.context.sensitive.globs(Table::Protected).into_iter().find(|glob| {
        // A wildcard of the shell matches no leading dot; one behind `**` is that of a program's own search.
        let name = glob.trim_end_matches("/**").rsplit('/').next().unwrap_or(glob);
        if deep && inert && glob.ends_with("/**") && !component_may_be(last, name) {
            return false;
        }
        if !deep && last.starts_with(['*', '?', '[']) && name.starts_with('.') {
            return false;
        }
        if glob.starts_with('/') {
            may_meet(pattern, glob)
        } else {
            may_meet(pattern, &format!("/**/{glob}"))
        }
    })
}

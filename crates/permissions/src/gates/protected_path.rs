//! Writing where programs pick up what to run asks, unless a rule names the path literally.

use portcullis_paths::Table;

use crate::{
    Decision,
    case::{Case, Place},
    reach::may_meet,
    ruling::Ruling,
};

/// Asks for a write, removal or metadata change of a protected path.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    if !case.sensitive_asked() {
        return None;
    }
    let about =
        case.touches().iter().filter(|touch| touch.access.alters()).find_map(|touch| match &touch.place {
            Place::Path(path) => case.sensitive(Table::Protected, path).map(str::to_owned),
            Place::Glob(pattern, _) => protected_match(case, pattern),
            Place::Below(_) | Place::Unknown => None,
        })?;
    Some(Ruling::new(Decision::Ask, "Writes a protected path").about(about))
}

/// Whether a glob that is written through can match a protected path.
pub(crate) fn protected_match(case: &Case<'_>, pattern: &str) -> Option<String> {
    let last = pattern.rsplit('/').next().unwrap_or(pattern);
    let deep = pattern.contains("**");
    case.context.sensitive.globs(Table::Protected).into_iter().find(|glob| {
        // A wildcard of the shell matches no leading dot; one behind `**` is that of a program's own search.
        let name = glob.trim_end_matches("/**").rsplit('/').next().unwrap_or(glob);
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

//! Reading a secret asks, even where a read would be automatic.

use portcullis_paths::{Table, normalize};
use portcullis_shell_analysis::{EffectKind, PathTarget};
use portcullis_tool_names::Tool;

use crate::{
    Decision,
    case::{Access, Case, Place},
    reach::component_may_be,
    ruling::Ruling,
};

/// Asks for a secret that no allow rule names literally, for a wildcard that finds one, and for a recursive read that
/// could reach one when the runner cannot hide it.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    if !case.sensitive_asked() {
        return None;
    }
    let read = case.touches().iter().find_map(|touch| match &touch.place {
        // An edit shows what it replaces.
        Place::Path(path) if touch.access == Access::Read || case.facts.tool == Some(Tool::Edit) => {
            case.sensitive(Table::Secret, path)
        }
        _ => None,
    });
    let exclusion = || case.exclusion();
    let about = read
        .or_else(|| out_of_objects(case))
        .or_else(|| exclusion().found.clone())
        .or_else(|| exclusion().secrets.first().filter(|_| !case.context.hides).cloned())?;
    Some(Ruling::new(Decision::Ask, "Reads a secret").about(about))
}

/// What git takes out of its objects in bulk, and a wildcard in a path that it is given, where it may mean a secret: no
/// runner can hide what lies there. A lone star says no more than no path at all.
fn out_of_objects(case: &Case<'_>) -> Option<String> {
    let effects = || {
        let git = case.invocations().filter(|(_, invocation)| invocation.base_name() == Some("git"));
        git.flat_map(|(_, invocation)| &invocation.effects)
    };
    // The last of an operand's readings is the path without its revision.
    let whole = effects().filter_map(|effect| match &effect.kind {
        EffectKind::Read { path: PathTarget::Below(directory), recursive: true } => Some(directory),
        _ => None,
    });
    if let Some(directory) = whole.last() {
        return Some(format!("git's objects, of anything below {}", normalize(directory)));
    }
    let mut patterns = effects()
        .filter_map(|effect| match &effect.kind {
            EffectKind::Read { path: PathTarget::Glob(pattern, _), .. } => Some(pattern.as_str()),
            _ => None,
        })
        .peekable();
    patterns.peek()?;
    // Names as they occur in a repository: two wildcards may meet in names that nobody has (`*.rs` and `.env.*`).
    let names: Vec<String> = case
        .context
        .sensitive
        .globs(Table::Secret)
        .iter()
        .filter(|glob| !glob.contains('/'))
        .map(|name| name.replace('*', "x"))
        .collect();
    patterns.find_map(|pattern| {
        let last = pattern.rsplit('/').next().unwrap_or(pattern);
        let lone = last.chars().all(|letter| letter == '*');
        (!lone && names.iter().any(|name| component_may_be(last, name))).then(|| pattern.to_owned())
    })
}

//! A read-type tool inside the project root or an additional directory.

use portcullis_tool_names::Tool;

use crate::{Decision, case::Case, reach::literal_directory, ruling::Ruling};

/// Allows it.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    (named(case) && holds(case) && case.may_be_automatic())
        .then(|| Ruling::new(Decision::Allow, "Within working directory"))
}

/// Arguments that hold one path.
const PATH_ARGUMENTS: [&str; 5] = ["file_path", "path", "notebook_path", "dir_path", "absolute_path"];

fn named(case: &Case<'_>) -> bool {
    let names = |key: &&str| {
        case.call.arguments.get(key).and_then(serde_json::Value::as_str).is_some_and(|path| !path.is_empty())
    };
    !case.context.conventions.only_named_paths || PATH_ARGUMENTS.iter().any(names)
}

/// Whether the call only reads and every target, patterns included, lies inside.
pub(crate) fn holds(case: &Case<'_>) -> bool {
    let facts = case.facts;
    let reading = matches!(facts.tool, Some(Tool::Read | Tool::Glob | Tool::Grep | Tool::ListDir));
    if !reading || facts.unknown_target || facts.targets.is_empty() {
        return false;
    }
    case.context.allow_external_paths
        || (facts.targets.iter().all(|target| case.inside_roots(target))
            && facts.patterns.iter().all(|pattern| {
                let climbs = pattern.split('/').any(|component| component == "..");
                let start = literal_directory(pattern);
                let place = portcullis_paths::three_paths(&start, "/", case.context.resolver.as_deref());
                !climbs && case.inside_roots(&place)
            }))
}

//! What to offer for file tools, fetches, subagents and other tools.

use portcullis_paths::{below, is_within, parent};
use portcullis_tool_names::Tool;

use super::{OfferedScope, Safety, Suggestion};
use crate::case::Case;

/// Offers in the order in which they are tried.
pub(super) fn offers(case: &Case<'_>) -> Vec<Suggestion> {
    match case.facts.tool {
        Some(tool @ (Tool::Read | Tool::Write | Tool::Edit | Tool::Glob | Tool::Grep | Tool::ListDir)) => {
            file_offers(case, tool)
        }
        Some(tool) => vec![by_name(tool.as_str(), "subagent", Safety::Moderate)],
        None if case.call.name == "WebFetch" => vec![fetch(case)],
        None => vec![by_name(&case.call.name, &case.call.name, Safety::Moderate)],
    }
}

fn file_offers(case: &Case<'_>, tool: Tool) -> Vec<Suggestion> {
    let mut targets = case.facts.targets.iter().map(|target| target.lexical.as_str());
    let Some(first) = targets.next() else {
        return vec![by_name(&case.call.name, &case.call.name, Safety::Moderate)];
    };
    let mut offers = Vec::new();
    // One shape for several targets only when it is the same one.
    let shape = shape(case, tool, first);
    if targets.all(|other| self::shape(case, tool, other).rules == shape.rules) {
        offers.push(shape);
    }
    offers.push(literal(case, tool));
    offers
}

/// The customary rule for one path.
fn shape(case: &Case<'_>, tool: Tool, path: &str) -> Suggestion {
    let root = case.facts.roots.first().map_or("/", String::as_str);
    let inside = is_within(path, root);
    // A recursive tool's target is the directory itself, a file tool's stands in one.
    let directory = if tool.is_recursive() { path } else { parent(path).unwrap_or("/") };
    let name = tool.as_str();
    let (verb, files) = match tool {
        Tool::Edit => ("editing", "editing files"),
        Tool::Glob | Tool::Grep => ("searching", "searching"),
        _ => ("reading", "reading"),
    };
    if tool == Tool::Write {
        let text = "Yes, allow all writes during this session";
        return Suggestion::new(
            vec!["Write(**)".into()],
            "all writes",
            text,
            OfferedScope::Session,
            Safety::Moderate,
        );
    }
    let safety = if tool == Tool::ListDir { Safety::Moderate } else { Safety::Safe };
    if !inside {
        let shown = shown(case, directory);
        let preposition = if tool == Tool::Edit { "in" } else { "from" };
        let preposition = if matches!(tool, Tool::Glob | Tool::Grep) { "in" } else { preposition };
        let rule = format!("{name}(/{}/**)", slashed(directory).trim_end_matches('/'));
        return Suggestion::new(
            vec![rule],
            format!("{files} {preposition} {shown}/"),
            format!("Yes, allow {files} {preposition} {shown}/ in this project"),
            OfferedScope::Project,
            safety,
        );
    }
    let relative = below(directory, root).unwrap_or_default();
    if matches!(tool, Tool::Glob | Tool::Grep) || relative.is_empty() {
        let rule = format!("{name}(**)");
        let (description, text) = match tool {
            Tool::Edit => {
                ("edits in this project", "Yes, switch to accept edits mode for this session".to_owned())
            }
            _ => ("project files", format!("Yes, allow {verb} project files during this session")),
        };
        return Suggestion::new(vec![rule], description, text, OfferedScope::Session, safety);
    }
    let rule = format!("{name}({relative}/**)");
    if tool == Tool::Edit {
        let text = format!("Yes, allow editing files in {relative}/ in this project");
        return Suggestion::new(
            vec![rule],
            format!("editing files in {relative}/"),
            text,
            OfferedScope::Project,
            safety,
        );
    }
    let text = format!("Yes, allow {verb} project files during this session");
    Suggestion::new(vec![rule], format!("{verb} files in {relative}/"), text, OfferedScope::Session, safety)
}

/// The very paths, for what no glob covers: dot files, secrets, protected paths.
fn literal(case: &Case<'_>, tool: Tool) -> Suggestion {
    let mut paths: Vec<&str> =
        case.facts.targets.iter().flat_map(portcullis_paths::ThreePaths::iter).collect();
    paths.sort_unstable();
    paths.dedup();
    if paths.len() > super::MOST || paths.iter().any(|path| crate::reach::is_glob(path)) {
        return Suggestion::nothing(Safety::Moderate);
    }
    let rules = paths.iter().map(|path| format!("{}(/{})", tool.as_str(), slashed(path))).collect();
    let named: Vec<String> = paths.iter().map(|path| shown(case, path)).collect();
    let description = format!("{} {}", tool.as_str(), named.join(", "));
    let text = format!("Yes, and don't ask again for {description} in this project");
    Suggestion::new(rules, description, text, OfferedScope::Project, Safety::Moderate)
}

/// `/x` for `/x`, `/C:/x` for `C:/x`: behind one more slash it is absolute in every profile.
fn slashed(path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("/{path}") }
}

/// A path below the home directory with `~`.
fn shown(case: &Case<'_>, path: &str) -> String {
    let rest = case.context.home.as_deref().and_then(|home| below(path, home));
    match rest {
        Some("") => "~".to_owned(),
        Some(rest) => format!("~/{rest}"),
        None => path.trim_end_matches('/').to_owned(),
    }
}

fn fetch(case: &Case<'_>) -> Suggestion {
    let url = case.call.arguments.get("url").and_then(serde_json::Value::as_str).unwrap_or_default();
    let Some((scheme, host)) = origin(url) else {
        return Suggestion::new(
            vec!["WebFetch".into()],
            "web requests",
            "Yes, allow web requests in this project",
            OfferedScope::Project,
            Safety::Moderate,
        );
    };
    Suggestion::new(
        vec![format!("WebFetch({scheme}://{host}/*)")],
        format!("requests to {host}"),
        format!("Yes, allow requests to {host} in this project"),
        OfferedScope::Project,
        Safety::Safe,
    )
}

/// Scheme and host of a plain web address, in lower case.
fn origin(url: &str) -> Option<(String, String)> {
    let (scheme, rest) = url.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let host = rest.split(['/', '?', '#']).next()?.to_ascii_lowercase();
    let plain = matches!(scheme.as_str(), "http" | "https")
        && !host.is_empty()
        && host
            .chars()
            .all(|character| character.is_alphanumeric() || matches!(character, '.' | '-' | ':' | '_'));
    plain.then_some((scheme, host))
}

fn by_name(rule: &str, shown: &str, safety: Safety) -> Suggestion {
    let description = format!("{shown} operations");
    let text = format!("Yes, allow {description} during this session");
    Suggestion::new(vec![rule.to_owned()], description, text, OfferedScope::Session, safety)
}

//! What a settings file loosens: all that has no effect while its project is not trusted.

use jsonc_parser::ast::{ObjectProp, Value as Parsed};
use serde_json::Value;

use crate::document::{self, Text};

/// Keys of `permissions` that only tighten, or that a project's file cannot use at all.
const TIGHTENING: [&str; 6] =
    ["deny", "ask", "alwaysAsk", "restrict", "allowManagedRulesOnly", "disableBypassPermissionsMode"];

/// Keys of `permissions` of which `add` only tightens.
const ADJUSTMENTS: [&str; 2] = ["secrets", "protected"];

/// Sections that a project's file cannot use at all.
const NEVER: [&str; 2] = ["trust", "log"];

/// Sections that this crate reads.
const OWN: [&str; 4] = ["permissions", "sandbox", "hooks", "spill"];

/// Keys that hosts keep beside ours and that run or loosen nothing: what was open last, how things look.
const HARMLESS: [&str; 22] = [
    "$schema",
    "cleanupPeriodDays",
    "conversationSwitchAlertEnabled",
    "enableReasoning",
    "forceLoginMethod",
    "globalSharedBlockIds",
    "includeCoAuthoredBy",
    "language",
    "lastAgent",
    "lastConversationId",
    "lastSession",
    "localSharedBlockIds",
    "memoryReminderInterval",
    "model",
    "outputStyle",
    "parallelToolCalls",
    "pinnedAgents",
    "pinnedAgentsByServer",
    "sessionsByServer",
    "showCompactions",
    "theme",
    "tokenStreaming",
];

/// What a file loosens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loosens {
    /// Equal for two files that loosen the same, whatever else they say and however they say it. Keys of others are
    /// compared as they are written.
    pub canonical: Vec<u8>,
    /// A line for each thing, for a person: `allow Bash(make:*)`, `mode unrestricted`.
    pub summary: Vec<String>,
}

/// What of a settings file has an effect in a trusted project alone; none when that is nothing. Keys that are not
/// known may mean anything to the host that reads them, and a file that does not parse may mean anything to a
/// looser reader: both loosen.
///
/// ```
/// use portcullis_loader::loosens;
///
/// let found = loosens(br#"{ "permissions": { "deny": ["Read(.env)"], "allow": ["Bash(make:*)"] } }"#).unwrap();
/// assert_eq!(found.summary, ["allow Bash(make:*)"]);
/// assert_eq!(loosens(br#"{ "permissions": { "deny": ["Read(.env)"] } } // tightens"#), None);
/// ```
#[must_use]
pub fn loosens(bytes: &[u8]) -> Option<Loosens> {
    let whole =
        || Loosens { canonical: bytes.to_vec(), summary: vec!["a file that does not parse".to_owned()] };
    let Ok(text) = Text::new(bytes) else { return Some(whole()) };
    let Ok(root) = text.parse() else { return Some(whole()) };
    let mut found: Vec<(String, Value)> = Vec::new();
    let mut summary = Vec::new();
    for property in &root.properties {
        let name = property.name.as_str();
        if OWN.contains(&name) {
            let Some(value) = document::to_json(&property.value) else { return Some(whole()) };
            if let Some(value) = section(name, value) {
                summarize(name, &value, &mut summary);
                found.push((name.to_owned(), value));
            }
        } else if !NEVER.contains(&name) && !HARMLESS.contains(&name) && !is_nothing(&property.value) {
            summary.push(foreign(property));
            // Other readers may choose otherwise between two of one name: each counts, as it stands there.
            let range = property.range;
            let written = text.text.get(range.start..range.end).unwrap_or(text.text);
            found.push((name.to_owned(), written.into()));
        }
    }
    if found.is_empty() {
        return None;
    }
    found.sort_by(|left, right| left.0.cmp(&right.0));
    let pairs = found.into_iter().map(|(name, value)| Value::Array(vec![name.into(), value])).collect();
    Some(Loosens { canonical: Value::Array(pairs).to_string().into_bytes(), summary })
}

fn is_nothing(value: &Parsed<'_>) -> bool {
    match value {
        Parsed::NullKeyword(_) => true,
        Parsed::Object(object) => object.properties.is_empty(),
        Parsed::Array(array) => array.elements.is_empty(),
        _ => false,
    }
}

/// A section without what tightens; none when nothing is left.
fn section(name: &str, value: Value) -> Option<Value> {
    let value = match value {
        Value::Object(mut fields) if name == "permissions" => {
            fields.retain(|key, _| !TIGHTENING.contains(&key.as_str()));
            for key in ADJUSTMENTS {
                if let Some(Value::Object(adjustment)) = fields.get_mut(key) {
                    adjustment.shift_remove("add");
                }
            }
            Value::Object(fields)
        }
        other => other,
    };
    pruned(value)
}

/// Without what is empty, and with keys in order.
fn pruned(value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::Array(elements) if elements.is_empty() => None,
        Value::Object(fields) => {
            let mut kept: Vec<_> =
                fields.into_iter().filter_map(|(key, value)| Some((key, pruned(value)?))).collect();
            kept.sort_by(|left, right| left.0.cmp(&right.0));
            (!kept.is_empty()).then(|| Value::Object(kept.into_iter().collect()))
        }
        Value::Array(elements) => Some(Value::Array(elements.into_iter().map(sorted).collect())),
        other => Some(other),
    }
}

/// With keys in order, and nothing left out: an element that is empty still counts its place.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            fields.sort_by(|left, right| left.0.cmp(&right.0));
            Value::Object(fields.into_iter().collect())
        }
        Value::Array(elements) => Value::Array(elements.into_iter().map(sorted).collect()),
        other => other,
    }
}

fn summarize(section: &str, value: &Value, summary: &mut Vec<String>) {
    let Value::Object(fields) = value else {
        summary.push(format!("{section} {value}"));
        return;
    };
    for (key, value) in fields {
        match (section, key.as_str(), value) {
            ("permissions", "allow", Value::Array(rules)) => {
                summary.extend(rules.iter().map(|rule| format!("allow {}", plain(rule))));
            }
            ("permissions", "additionalDirectories", Value::Array(directories)) => {
                summary.extend(directories.iter().map(|one| format!("directory {}", plain(one))));
            }
            ("permissions", "mode" | "defaultMode", mode) => summary.push(format!("mode {}", plain(mode))),
            ("hooks", event, entries) => {
                let mut commands = Vec::new();
                collect(entries, &mut commands);
                match commands.is_empty() {
                    true => summary.push(format!("hook {event}")),
                    false => summary.extend(commands.iter().map(|run| format!("hook {event}: {run}"))),
                }
            }
            (_, key, value) => summary.push(format!("{section}.{key} {value}")),
        }
    }
}

/// The commands and prompts of hooks, at any depth.
fn collect<'v>(value: &'v Value, commands: &mut Vec<&'v str>) {
    match value {
        Value::Object(fields) => {
            let said = ["command", "prompt"].iter().find_map(|key| fields.get(*key)?.as_str());
            commands.extend(said);
            fields.values().for_each(|value| collect(value, commands));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, commands)),
        _ => {}
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

/// A key of somebody else's, with its value or what is in it.
fn foreign(property: &ObjectProp<'_>) -> String {
    let name = property.name.as_str();
    match &property.value {
        Parsed::Object(object) => {
            let keys: Vec<_> = object.properties.iter().take(8).map(|inner| inner.name.as_str()).collect();
            format!("{name}: {}", keys.join(", "))
        }
        Parsed::Array(_) => name.to_owned(),
        value => format!("{name} {}", document::to_json(value).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::loosens;

    #[test]
    fn what_only_tightens_and_what_is_empty_loosens_nothing() {
        for text in [
            "{}",
            r#"{"permissions": {"deny": ["a"], "ask": ["b"], "alwaysAsk": ["c"], "restrict": ["d"]}}"#,
            r#"{"permissions": {"allow": [], "mode": null, "secrets": {"add": ["*.x"]}, "protected": {"add": ["y"]}}}"#,
            r#"{"hooks": {}, "sandbox": {"limits": {}}, "env": {}, "log": {"path": "/x"}, "trust": {"inheritIntoRepositories": true}}"#,
            r#"{"$schema": "x", "lastAgent": "a", "permissions": {"disableBypassPermissionsMode": "disable"}} // c"#,
        ] {
            assert_eq!(loosens(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn everything_else_loosens_and_is_named() {
        for (text, summary) in [
            (
                r#"{"permissions": {"allow": ["Bash(*)", {"rule": "Read"}]}}"#,
                r#"allow Bash(*)|allow {"rule":"Read"}"#,
            ),
            (r#"{"permissions": {"mode": "plan"}}"#, "mode plan"),
            (r#"{"permissions": {"defaultMode": "bypassPermissions"}}"#, "mode bypassPermissions"),
            (r#"{"permissions": {"additionalDirectories": ["/"]}}"#, "directory /"),
            (
                r#"{"permissions": {"secrets": {"remove": [".env"], "add": []}}}"#,
                r#"permissions.secrets {"remove":[".env"]}"#,
            ),
            (
                r#"{"permissions": {"confinedAuto": true, "new": 1}}"#,
                "permissions.confinedAuto true|permissions.new 1",
            ),
            (r#"{"sandbox": {"network": "open"}}"#, r#"sandbox.network "open""#),
            (
                r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "touch o"}]}], "disabled": true}}"#,
                "hook SessionStart: touch o|hook disabled",
            ),
            (
                r#"{"env": {"PATH": "."}, "apiKeyHelper": "./x", "list": [1]}"#,
                r#"env: PATH|apiKeyHelper "./x"|list"#,
            ),
            (r#"{"permissions": 1}"#, "permissions 1"),
            ("{", "a file that does not parse"),
            ("", "a file that does not parse"),
            (r#"{'permissions': {}}"#, "a file that does not parse"),
            (r#"{"permissions": {}, "permissions": {}}"#, "a file that does not parse"),
        ] {
            let mut found = loosens(text.as_bytes()).map(|found| found.summary).unwrap_or_default();
            let mut expected: Vec<_> = summary.split('|').map(ToOwned::to_owned).collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn the_canonical_form_is_about_what_is_loosened_alone() {
        let of = |text: &str| loosens(text.as_bytes()).map(|found| found.canonical);
        let one = of(
            r#"{"permissions": {"mode": "plan", "allow": ["a"]}, "hooks": {"Stop": [{"a": 1, "b": {}}]}}"#,
        );
        let same = r#"{ // other
            "hooks": { "Stop": [ { "b": {}, "a": 1 } ] }, "permissions": { "allow": ["a",], "deny": ["x"], "mode": "plan" } }"#;
        assert_eq!(one, of(same));
        for other in [
            r#"{"permissions": {"mode": "plan", "allow": ["a", "b"]}, "hooks": {"Stop": [{"a": 1, "b": {}}]}}"#,
            r#"{"permissions": {"mode": "plan", "allow": ["a"]}, "hooks": {"Stop": [{"a": 1}]}}"#,
            r#"{"permissions": {"mode": "plan", "allow": ["a"]}}"#,
        ] {
            assert_ne!(one, of(other), "{other}");
        }
        // A looser reader may take the first or the last of two.
        assert_ne!(
            of(r#"{"env": {"A": "1"}, "env": {"A": "2"}}"#),
            of(r#"{"env": {"A": "3"}, "env": {"A": "2"}}"#)
        );
        assert_ne!(of(r#"{"env": {"A": "1", "A": "2"}}"#), of(r#"{"env": {"A": "3", "A": "2"}}"#));
    }
}

//! Whether a change of a settings file can only restrict.

use serde_json::{Map, Value};

use crate::{
    document::{self, Text},
    loosening::loosens,
};

/// Lists of `permissions` that restrict: the more stands there, the less is allowed.
const LISTS: [&str; 4] = ["deny", "ask", "alwaysAsk", "restrict"];

/// Objects of `permissions` whose `add` is such a list.
const ADJUSTMENTS: [&str; 2] = ["secrets", "protected"];

/// Switches of `permissions` that restrict once they are on.
const SWITCHES: [&str; 2] = ["allowManagedRulesOnly", "disableBypassPermissionsMode"];

/// Sections that a project's file cannot use, and those of others can.
const OTHERS: [&str; 2] = ["trust", "log"];

/// Whether nothing is allowed by the file `now` that was not allowed by `before` (none: it was not there): all that may
/// loosen is the same, and all that restricts is there still. A file that does not parse says neither.
///
/// ```
/// use portcullis_loader::only_restricts;
///
/// let before = br#"{ "permissions": { "allow": ["Bash(make:*)"], "deny": ["Read(.env)"] } }"#;
/// let now = br#"{ "permissions": { "allow": ["Bash(make:*)"], "deny": ["Bash(rm:*)", "Read(.env)"] } }"#;
/// assert!(only_restricts(Some(before), now));
/// assert!(!only_restricts(Some(now), before));
/// assert!(only_restricts(None, br#"{ "permissions": { "deny": ["Read(.env)"] } }"#));
/// ```
#[must_use]
pub fn only_restricts(before: Option<&[u8]>, now: &[u8]) -> bool {
    let before = before.unwrap_or(b"{}");
    let canonical = |bytes| loosens(bytes).map(|found| found.canonical);
    let (Some(old), Some(new)) = (parsed(before), parsed(now)) else { return false };
    if canonical(before) != canonical(now) || OTHERS.iter().any(|name| old.get(*name) != new.get(*name)) {
        return false;
    }
    let (old, new) = (permissions(&old), permissions(&new));
    let (Some(old), Some(new)) = (old, new) else { return false };
    let adjustments = ADJUSTMENTS.iter().all(|key| {
        let added =
            |fields: &Map<String, Value>| fields.get(*key).and_then(|value| value.get("add")).cloned();
        grows(added(&old).as_ref(), added(&new).as_ref())
    });
    let switches = SWITCHES.iter().all(|key| {
        let (was, is) = (old.get(*key), new.get(*key));
        was == is
            || (matches!(was, None | Some(Value::Null | Value::Bool(false))) && is == Some(&true.into()))
    });
    adjustments && switches && LISTS.iter().all(|key| grows(old.get(*key), new.get(*key)))
}

/// The file as an object, strictly read; none where two readers could understand it differently.
fn parsed(bytes: &[u8]) -> Option<Map<String, Value>> {
    let text = Text::new(bytes).ok()?;
    let root = text.parse().ok()?;
    let mut fields = Map::new();
    for property in &root.properties {
        let value = document::to_json(&property.value)?;
        if fields.insert(property.name.as_str().to_owned(), value).is_some() {
            return None;
        }
    }
    Some(fields)
}

/// The section; an empty one where it is missing, none where it is something else.
fn permissions(root: &Map<String, Value>) -> Option<Map<String, Value>> {
    match root.get("permissions") {
        None | Some(Value::Null) => Some(Map::new()),
        Some(Value::Object(fields)) => Some(fields.clone()),
        Some(_) => None,
    }
}

/// Whether a list holds all that it held. Where it is no list, only if nothing changed.
fn grows(before: Option<&Value>, now: Option<&Value>) -> bool {
    let elements = |value: Option<&Value>| match value {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(Value::Array(elements)) => Some(elements.clone()),
        Some(_) => None,
    };
    match (elements(before), elements(now)) {
        (Some(before), Some(now)) => before.iter().all(|element| now.contains(element)),
        _ => before == now,
    }
}

#[cfg(test)]
mod tests {
    use super::only_restricts;

    #[test]
    fn what_restricts_may_grow_and_nothing_else_may_change() {
        let table = [
            ("{}", r#"{"permissions":{"deny":["a"]}}"#, true),
            ("{}", "// a remark\n{}", true),
            ("{}", r#"{"permissions":{"ask":["a"],"alwaysAsk":["b"],"restrict":["c"]}}"#, true),
            ("{}", r#"{"permissions":{"secrets":{"add":["x"]},"protected":{"add":["y"]}}}"#, true),
            ("{}", r#"{"permissions":{"allowManagedRulesOnly":true}}"#, true),
            ("{}", r#"{"theme":"dark"}"#, true),
            ("{}", r#"{"permissions":{"allow":["a"]}}"#, false),
            ("{}", r#"{"permissions":{"mode":"strict"}}"#, false),
            ("{}", r#"{"permissions":{"secrets":{"remove":["x"]}}}"#, false),
            ("{}", r#"{"hooks":{"PreToolUse":[{"command":"x"}]}}"#, false),
            ("{}", r#"{"trust":{"inheritIntoRepositories":true}}"#, false),
            ("{}", r#"{"log":{"path":"/dev/null"}}"#, false),
            ("{}", r#"{"sandbox":{"network":"full"}}"#, false),
            ("{}", r#"{"unknown":1}"#, false),
            ("{}", r#"{"permissions":{"deny":["a"]}"#, false),
            ("{}", r#"{"permissions":{"deny":["a"]},"permissions":{"deny":["a"]}}"#, false),
            ("{}", r#"{"permissions":[]}"#, false),
            ("not json", r#"{"permissions":{"deny":["a"]}}"#, false),
            (r#"{"permissions":{"deny":["a","b"]}}"#, r#"{"permissions":{"deny":["b","c","a"]}}"#, true),
            (r#"{"permissions":{"deny":["a","b"]}}"#, r#"{"permissions":{"deny":["b","c"]}}"#, false),
            (r#"{"permissions":{"ask":["a"]}}"#, r#"{"permissions":{"deny":["a"]}}"#, false),
            (r#"{"permissions":{"deny":"a"}}"#, r#"{"permissions":{"deny":["a"]}}"#, false),
            (r#"{"permissions":{"deny":["a"]}}"#, r#"{"permissions":{"deny":"a"}}"#, false),
            (r#"{"permissions":{"allowManagedRulesOnly":true}}"#, "{}", false),
            (r#"{"permissions":{"allow":["a"]}}"#, r#"{"permissions":{"allow":["a"],"deny":["b"]}}"#, true),
            // Fewer allow rules: that may be a wish, but is not asked here.
            (r#"{"permissions":{"allow":["a"]}}"#, r#"{"permissions":{"deny":["b"]}}"#, false),
        ];
        for (before, now, right) in table {
            assert_eq!(only_restricts(Some(before.as_bytes()), now.as_bytes()), right, "{before} -> {now}");
        }
    }
}

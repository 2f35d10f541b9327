//! Lists of rules: strings, and rule objects.

use jsonc_parser::{
    ast::{Object, Value},
    common::Ranged as _,
};
use portcullis_matcher::{ListKind, RuleObject, RuleSpec, Rules, SourcedRule};

use crate::{Severity, Sourced, fields::Reader};

/// The list of a kind.
pub(crate) fn list_mut(rules: &mut Rules, list: ListKind) -> &mut Vec<SourcedRule> {
    match list {
        ListKind::AlwaysAsk => &mut rules.always_ask,
        ListKind::Ask => &mut rules.ask,
        ListKind::Allow => &mut rules.allow,
        ListKind::Restrict => &mut rules.restrict,
        // A list that this crate does not know yet must not loosen anything.
        _ => &mut rules.deny,
    }
}

/// One element of a list; none, and a diagnostic, when it is no rule.
pub(crate) fn rule(reader: &mut Reader<'_>, list: ListKind, value: &Value<'_>) -> Option<SourcedRule> {
    match value {
        Value::StringLit(text) => {
            let source = reader.source(text.range.start);
            Some(SourcedRule::text(text.value.as_ref(), source))
        }
        Value::Object(object) => rule_object(reader, list, object),
        other => {
            let message = format!(
                "a rule in `permissions.{}` should be a string or an object, found {}",
                list.as_str(),
                crate::document::kind(other)
            );
            reader.say(Severity::Error, other.start(), message, "write it as `\"Tool(payload)\"`");
            None
        }
    }
}

const KEYS: &[&str] = &["rule", "tool", "pattern", "regex", "reason"];

fn rule_object(reader: &mut Reader<'_>, list: ListKind, object: &Object<'_>) -> Option<SourcedRule> {
    let mut rule = None;
    let mut tools = None;
    let mut pattern = None;
    let mut regex = None;
    let mut reason = None;
    let mut sound = true;
    for property in &object.properties {
        let value = &property.value;
        let read = match property.name.as_str() {
            "rule" => set(&mut rule, reader.string("rule", value)),
            "pattern" => set(&mut pattern, reader.string("pattern", value)),
            "regex" => set(&mut regex, reader.string("regex", value)),
            "reason" => set(&mut reason, reader.string("reason", value)),
            "tool" => {
                tools = tool_names(reader, value);
                tools.is_some()
            }
            other => {
                let message = format!("the key `{other}` in a rule object is not known");
                let known = KEYS.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
                reader.say(Severity::Error, property.range.start, message, format!("known are {known}"));
                false
            }
        };
        sound &= read;
    }
    if !sound {
        return None;
    }
    let mut refuse = |message: String, remedy: &str| {
        reader.say(Severity::Error, object.range.start, message, remedy);
        None
    };
    let spec = match (rule, pattern, regex) {
        (Some(_), None, None) if tools.is_some() => {
            return refuse("`tool` stands beside `rule`".into(), "name the tool inside `rule`");
        }
        (Some(rule), None, None) => RuleSpec::Text(rule),
        (None, None, None) => {
            return refuse(
                "a rule object needs one of `rule`, `pattern`, `regex`".into(),
                "add one of them, or remove the object",
            );
        }
        (None, pattern, regex) if pattern.is_none() || regex.is_none() => {
            if matches!(list, ListKind::Allow | ListKind::Restrict) {
                return refuse(
                    format!("`permissions.{}` takes no `pattern` and no `regex`", list.as_str()),
                    "write a rule `Tool(payload)`",
                );
            }
            RuleSpec::Object(RuleObject {
                tools: tools.unwrap_or_else(|| vec!["Bash".into()]),
                pattern,
                regex,
            })
        }
        _ => {
            return refuse(
                "a rule object takes only one of `rule`, `pattern`, `regex`".into(),
                "make two objects of it",
            );
        }
    };
    Some(SourcedRule { spec, reason, source: reader.source(object.range.start) })
}

fn set(slot: &mut Option<String>, value: Option<Sourced<String>>) -> bool {
    *slot = value.map(|text| text.value);
    slot.is_some()
}

/// A name or a list of names; none, and a diagnostic, when it names nothing.
fn tool_names(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<Vec<String>> {
    let Value::Array(array) = value else {
        return reader.string("tool", value).map(|name| vec![name.value]);
    };
    let mut names = Vec::new();
    for element in &array.elements {
        names.push(reader.string("tool[]", element)?.value);
    }
    if names.is_empty() {
        reader.say(Severity::Error, array.range.start, "`tool` names no tool", "name one, or remove the key");
        return None;
    }
    Some(names)
}

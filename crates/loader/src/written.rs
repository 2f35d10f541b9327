//! One rule as an element of a list in a settings file.

use jsonc_parser::cst::{CstArray, CstInputValue, CstNode};
use portcullis_matcher::{ListKind, RuleObject, RuleSpec, SourcedRule, equivalence_key, normalize_rule};
use serde_json::Value;

use crate::{document::value_of, edit::input};

/// The rule as it is written: a text in its normal form, an object as it is.
pub(crate) fn in_normal_form(rule: &SourcedRule) -> SourcedRule {
    match &rule.spec {
        RuleSpec::Text(text) => SourcedRule { spec: RuleSpec::Text(normalize_rule(text)), ..rule.clone() },
        _ => rule.clone(),
    }
}

/// The element that says this.
pub(crate) fn element(rule: &SourcedRule) -> CstInputValue {
    let mut fields = serde_json::Map::new();
    match &rule.spec {
        RuleSpec::Text(text) if rule.reason.is_none() => return text.as_str().into(),
        RuleSpec::Text(text) => drop(fields.insert("rule".to_owned(), text.as_str().into())),
        // A label is the object in JSON.
        _ => {
            if let Some(Value::Object(own)) = value_of(&rule.label()) {
                fields = own;
            }
        }
    }
    if let Some(reason) = &rule.reason {
        fields.insert("reason".to_owned(), reason.as_str().into());
    }
    input(&Value::Object(fields))
}

/// The elements that mean the same as this rule, whatever their reasons say.
pub(crate) fn alike(array: &CstArray, rule: &SourcedRule, list: ListKind) -> Vec<CstNode> {
    let same: Box<dyn Fn(&CstNode) -> bool> = match &rule.spec {
        RuleSpec::Text(text) => {
            let key = equivalence_key(text, list);
            Box::new(move |node| text_of(node).is_some_and(|text| equivalence_key(&text, list) == key))
        }
        RuleSpec::Object(object) => {
            let wanted = Wanted::of(object);
            Box::new(move |node| object_of(node).is_some_and(|object| Wanted::of(&object) == wanted))
        }
        _ => return Vec::new(),
    };
    array.elements().into_iter().filter(same).collect()
}

fn text_of(node: &CstNode) -> Option<String> {
    let text = match node.as_object() {
        Some(object) => object.get("rule").and_then(|property| property.value()),
        None => Some(node.clone()),
    };
    text?.as_string_lit()?.decoded_value().ok()
}

fn object_of(node: &CstNode) -> Option<RuleObject> {
    let value = value_of(&node.as_object()?.to_string())?;
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let tools = match value.get("tool") {
        None => vec!["Bash".to_owned()],
        Some(Value::String(name)) => vec![name.clone()],
        Some(Value::Array(names)) => {
            names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
        }
        Some(_) => return None,
    };
    let object = RuleObject { tools, pattern: text("pattern"), regex: text("regex") };
    (object.pattern.is_some() || object.regex.is_some()).then_some(object)
}

/// What two objects that mean the same have in common.
#[derive(PartialEq, Eq)]
struct Wanted {
    tools: Vec<String>,
    pattern: Option<String>,
    regex: Option<String>,
}

impl Wanted {
    fn of(object: &RuleObject) -> Self {
        // A tool's name alone is a rule.
        let mut tools: Vec<String> = object.tools.iter().map(|name| normalize_rule(name)).collect();
        tools.sort_unstable();
        tools.dedup();
        Self { tools, pattern: object.pattern.clone(), regex: object.regex.clone() }
    }
}

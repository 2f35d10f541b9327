//! Arbitrary edits of arbitrary files: what was not named stays, byte for byte where it can be compared.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

use portcullis_loader::edit;
use proptest::prelude::*;
use serde_json::{Map, Value};

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        ".{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-c~/]{1,2}", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn object() -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::btree_map("[a-c~/]{1,2}", value(), 0..4).prop_map(|fields| fields.into_iter().collect())
}

/// Writes a value with comments, odd indentation and trailing commas.
fn render(value: &Value, style: usize, depth: usize) -> String {
    let (open, close, parts): (_, _, Vec<String>) = match value {
        Value::Array(elements) => {
            ("[", "]", elements.iter().map(|element| render(element, style, depth + 1)).collect())
        }
        Value::Object(fields) => {
            let field = |(key, value): (&String, &Value)| {
                format!("{}: {}", Value::from(key.as_str()), render(value, style, depth + 1))
            };
            ("{", "}", fields.iter().map(field).collect())
        }
        other => return other.to_string(),
    };
    if parts.is_empty() || style.is_multiple_of(3) {
        return format!("{open}{}{close}", parts.join(", "));
    }
    let indent = " ".repeat(style).repeat(depth + 1);
    let lines: Vec<String> =
        parts.iter().map(|part| format!("\n{indent}/* kept */ {part}, // kept")).collect();
    let mut text = lines.concat();
    if style.is_multiple_of(2) {
        // No comma behind the last one.
        let at = text.rfind(", // kept").unwrap();
        text.replace_range(at..=at, "");
    }
    format!("{open}{text}\n{}{close}", " ".repeat(style).repeat(depth))
}

fn parsed(text: &str) -> Value {
    let (collect, options) = (jsonc_parser::CollectOptions::default(), jsonc_parser::ParseOptions::default());
    jsonc_parser::parse_to_ast(text, &collect, &options).unwrap().value.unwrap().into()
}

/// The naive edit: of the value, not of the text.
fn expected(mut root: Value, path: &[String], new: Option<&Value>) -> Option<Value> {
    let (last, way) = path.split_last()?;
    let mut place = &mut root;
    for key in way {
        let Value::Object(fields) = place else { return None };
        if new.is_none() && !fields.contains_key(key) {
            return Some(root);
        }
        place = fields.entry(key.clone()).or_insert_with(|| Value::Object(Map::new()));
    }
    let Value::Object(fields) = place else { return None };
    match new {
        Some(new) => {
            fields.insert(last.clone(), new.clone());
        }
        None => {
            fields.remove(last);
        }
    }
    Some(root)
}

proptest! {
    #[test]
    fn an_edit_changes_what_it_names(
        root in object(),
        style in 0_usize..6,
        path in prop::collection::vec("[a-c~/]{1,2}", 1..4),
        new in prop::option::of(value()),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f.json");
        let root = Value::Object(root);
        let before = format!("// head\n{}\n// tail", render(&root, style, 0));
        std::fs::write(&file, &before).unwrap();
        let pointer: String = path.iter().map(|key| format!("/{}", key.replace('~', "~0").replace('/', "~1"))).collect();
        // An element of an array is another way than the naive edit knows.
        let expected = expected(root.clone(), &path, new.as_ref());
        let outcome = edit(&file, &pointer, new.as_ref());
        let after = std::fs::read_to_string(&file).unwrap();
        match (outcome, expected) {
            (Ok(changed), Some(expected)) => {
                if changed && new.is_some() && root.pointer(&pointer).is_none() {
                    let comments = |text: &str| text.matches("kept").count();
                    prop_assert_eq!(comments(&after), comments(&before), "{}", after);
                }
                prop_assert_eq!(parsed(&after), expected);
                prop_assert_eq!(changed, after != before);
            }
            (Ok(changed), None) => prop_assert!(!changed && new.is_none()),
            (Err(_), _) => prop_assert_eq!(&after, &before),
        }
        prop_assert!(after.starts_with("// head\n") && after.ends_with("\n// tail"));
    }
}

//! Normal forms, equivalence and lists of rules, against `conformance/upstream-rules.jsonl`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use portcullis_matcher::{ListKind, Mode, canonical_path_like, equivalent, normalize_rule, parse_tool_list};
use serde_json::{Value, json};

#[test]
fn rules_are_normalised_as_recorded() {
    let name = "upstream-rules.jsonl";
    let mut differences = support::Differences::default();
    for case in support::cases(name) {
        let text = |key: &str| case.args[key].as_str().unwrap_or_default();
        let answer: Value = match case.function.as_str() {
            "normalizePermissionRule" => json!(normalize_rule(text("rule"))),
            "permissionRulesEquivalent" => {
                let (left, right) = (text("left"), text("right"));
                // What may not be merged in allow may not be merged in deny either.
                if case.right == Some(json!(false)) && equivalent(left, right, ListKind::Allow) {
                    differences.wrong(format!("{left} and {right} are merged in allow"));
                }
                json!(equivalent(left, right, ListKind::Deny))
            }
            "canonicalizePathLike" => json!(canonical_path_like(text("value"))),
            "migratePermissionMode" => json!(Mode::parse(text("value")).map(Mode::as_str)),
            "parseCliToolList" => parse_tool_list(text("list")).map_or(Value::Null, |rules| json!(rules)),
            // Names are the business of another crate.
            _ => continue,
        };
        differences.check(&case, &answer, || {
            let recorded = case.expect.to_string();
            let given = case.args.to_string();
            Some(if answer.is_null() {
                "a list that does not fit is refused"
            } else if given.contains("apply_patch") {
                "patch tools are Edit"
            } else if given.contains("git") && given.contains("-C") {
                "git -C stays in the normal form"
            } else if recorded.contains("\\t") || given.contains("  ") {
                "blanks between words"
            } else if recorded.contains('"') && given.contains("\\\"") {
                "quotes are put back minimally"
            } else {
                return None;
            })
        });
    }
    differences.finish(name);
}

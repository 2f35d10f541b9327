//! Hostile and everyday commands, as data, through the binary: what must never be automatic, which spellings
//! a deny rule must hold against, and what must not cost a question. Nothing is executed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use support::batch;

fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/../../conformance/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Judges each case's command in a project that does not exist on disk and is not trusted unless the case says so.
fn judged(cases: &[Value], mode: &str) -> Vec<Value> {
    let requests: Vec<Value> = cases
        .iter()
        .map(|case| {
            let rules = case.get("rules").cloned().unwrap_or_else(|| json!({}));
            json!({
                "tool": "Bash", "arguments": { "command": case["command"] }, "cwd": "/srv/app", "home": "/home/dev",
                "mode": mode, "profile": "portcullis", "trusted": case["trusted"] == true, "rules": rules,
            })
        })
        .collect();
    batch::judged(&requests)
}

/// The commands whose answer is not as wanted.
fn wrong(cases: &[Value], mode: &str, right: impl Fn(&Value, &str) -> bool) -> Vec<String> {
    let answers = judged(cases, mode);
    let pairs = cases.iter().zip(&answers);
    pairs
        .filter(|(case, answer)| !right(case, answer["decision"].as_str().unwrap_or("error")))
        .map(|(case, answer)| format!("{case}: {}", answer["decision"]))
        .collect()
}

/// Whether the decision is the one that the case names; `stop` is any but allow.
fn as_marked(case: &Value, decision: &str) -> bool {
    match case["right"].as_str().unwrap() {
        "stop" => matches!(decision, "deny" | "ask" | "alwaysAsk"),
        right => decision == right,
    }
}

#[test]
fn nothing_hostile_is_automatic() {
    let all = cases("hostile.jsonl");
    assert!(all.len() > 1200, "{}", all.len());
    let wrong = wrong(&all, "standard", |_, decision| matches!(decision, "ask" | "alwaysAsk" | "deny"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn deny_rules_hold_against_other_spellings() {
    let all = cases("evasion.jsonl");
    let answers = judged(&all, "unrestricted");
    let decisions: Vec<&str> =
        answers.iter().map(|answer| answer["decision"].as_str().unwrap_or("error")).collect();
    let pairs = || all.iter().zip(&decisions);
    let wrong: Vec<String> = pairs()
        .filter(|(case, decision)| !as_marked(case, decision))
        .map(|(case, decision)| format!("{case}: {decision}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Twenty rules with sixty spellings each at the least; nine of ten are stopped without a question.
    let mut rules: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (case, decision) in pairs().filter(|(case, _)| case["right"] != "allow") {
        let (spellings, denied) = rules.entry(case["rules"].to_string()).or_default();
        *spellings += 1;
        *denied += usize::from(*decision == "deny");
    }
    assert!(rules.len() >= 20 && rules.values().all(|(spellings, _)| *spellings >= 60), "{rules:?}");
    let (spellings, denied) =
        rules.values().fold((0, 0), |(all, stopped), (more, denied)| (all + more, stopped + denied));
    assert!(denied * 10 >= spellings * 9, "{denied} of {spellings} are denied outright");
}

#[test]
fn everyday_commands_cost_no_question() {
    let all = cases("everyday.jsonl");
    assert!(all.len() > 380, "{}", all.len());
    let wrong = wrong(&all, "standard", |_, decision| decision == "allow");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn allow_rules_carry_nothing_along() {
    let all = cases("carried.jsonl");
    assert!(all.len() > 180, "{}", all.len());
    let wrong = wrong(&all, "standard", |_, decision| decision != "allow");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Commands that run `rm` because an option, an operand, a variable, standard input or a file says so, and commands
/// that only look like them.
fn named_programs() -> Vec<Value> {
    let mut all = cases("named-programs.jsonl");
    for case in &mut all {
        case["rules"] = json!({ "deny": ["Bash(rm:*)"] });
    }
    all
}

#[test]
fn deny_rules_hold_for_programs_that_others_run() {
    let all = named_programs();
    let hidden = all.iter().filter(|case| case["right"] != "allow").count();
    let denied = all.iter().filter(|case| case["right"] == "deny").count();
    assert!(hidden > 2100 && denied > 1400 && all.len() - hidden > 320, "{denied} of {hidden}");
    let wrong = wrong(&all, "unrestricted", as_marked);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files that a deny rule names, reached by patterns, lists of names and options of the shell; and look-alikes.
#[test]
fn deny_rules_hold_for_files_that_are_reached_otherwise() {
    let all = cases("file-evasion.jsonl");
    assert!(all.len() > 28, "{}", all.len());
    let wrong = wrong(&all, "unrestricted", as_marked);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Nothing depends on what `rm` is known to do: a program that nobody specified is found as well.
#[test]
fn deny_rules_hold_for_unknown_programs_that_others_run() {
    let mut all = named_programs();
    all.retain(|case| case["right"] != "allow");
    let mut changed = Vec::new();
    // Some of them are enough, and the others cost time.
    for mut case in all.into_iter().step_by(3) {
        let text = case["command"].as_str().unwrap();
        let renamed = renamed(text, "rm", "zap");
        if renamed != text {
            case["command"] = renamed.into();
            case["rules"] = json!({ "deny": ["Bash(zap:*)"] });
            changed.push(case);
        }
    }
    assert!(changed.len() > 600, "{}", changed.len());
    let wrong = wrong(&changed, "unrestricted", |_, decision| decision != "allow");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The text with each whole word `from` replaced.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let behind = &rest[at + from.len()..];
        out.push_str(&rest[..at]);
        let glued = out.chars().next_back().is_some_and(|c| part(c) || matches!(c, '.' | '$'));
        out.push_str(if glued || behind.chars().next().is_some_and(part) { from } else { to });
        rest = behind;
    }
    out + rest
}

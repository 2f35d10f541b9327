//! `conformance/upstream-analyzer.jsonl`: what is offered for a shell call that asks. Rule, button and scope are this
//! crate's own wording; how careful a person should be, and whether anything may be remembered, is compared.
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

use portcullis_permissions::{Mode, Safety, Suggestion, suggest};
use serde_json::Value;
use support::{Situation, cases};

/// What is offered; none when the call is allowed as it is.
fn offered(case: &Value) -> Option<Suggestion> {
    let args = &case["args"];
    let tool = args["tool"].as_str().unwrap();
    let mut situation = Situation::new(tool, args["args"].clone(), Mode::Standard);
    situation.cwd = args["cwd"].as_str().unwrap().into();
    let (context, rules) = situation.compiled();
    suggest(&situation.call, &context, &rules)
}

fn shell_cases() -> Vec<Value> {
    let all = cases("upstream-analyzer.jsonl").into_iter();
    all.filter(|case| case["args"]["args"]["command"].is_string()).collect()
}

/// A rule that stands for the whole line may be remembered although a part of the line alone may not.
const WHOLE_LINE: [&str; 3] = ["analyzer-00353", "analyzer-00355", "analyzer-00356"];

#[test]
fn marked_cases_are_answered_right() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for case in shell_cases().iter().filter(|case| case["right"].is_object()) {
        checked += 1;
        let offer = offered(case);
        let id = case["id"].as_str().unwrap();
        for (field, right) in case["right"].as_object().unwrap() {
            let fine = match (field.as_str(), &offer) {
                ("safetyLevel", Some(offer)) => offer.safety != Safety::Safe,
                ("safetyLevel", None) => false,
                ("allowPersistence", Some(offer)) => !offer.allow_persistence || WHOLE_LINE.contains(&id),
                // It only reads, and nothing has to be remembered.
                ("allowPersistence", None) => true,
                other => panic!("{other:?}"),
            };
            if !fine {
                wrong.push(format!("{id} {} {field} {right}: {offer:?}", case["args"]["args"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(checked, 32);
}

/// How a call was rated and how it is here, and how many there are; `differences.md` has the reasons.
const KINDS: &[(&str, &str, usize)] = &[
    ("dangerous", "moderate", 2),
    ("dangerous", "safe", 1),
    ("moderate", "safe", 9),
    ("safe", "moderate", 6),
];

#[test]
fn unmarked_cases_are_rated_alike() {
    let (mut same, mut counts) = (0, BTreeMap::<(String, &str), usize>::new());
    let mut list = String::new();
    for case in shell_cases().iter().filter(|case| case["note"].is_null()) {
        let recorded = case["expect"]["safetyLevel"].as_str().unwrap();
        // What only reads is not asked, and so nothing is offered.
        let ours = match offered(case).map(|offer| offer.safety) {
            None | Some(Safety::Safe) => "safe",
            Some(Safety::Moderate) => "moderate",
            Some(_) => "dangerous",
        };
        if ours == recorded {
            same += 1;
        } else {
            *counts.entry((recorded.to_owned(), ours)).or_default() += 1;
            list.push_str(&format!("{} {} {recorded} {ours}\n", case["id"], case["args"]["args"]["command"]));
        }
    }
    let counts: Vec<_> =
        counts.iter().map(|((recorded, ours), count)| (recorded.as_str(), *ours, *count)).collect();
    assert_eq!(counts, KINDS, "{list}");
    assert_eq!(same, 63);
}

/// For calls of file tools and others rule, scope, rating and button are compared too.
#[test]
fn other_tools_are_offered_what_was_recorded() {
    let others = cases("upstream-analyzer.jsonl").into_iter();
    let others = others.filter(|case| case["note"].is_null() && !case["args"]["args"]["command"].is_string());
    let (mut same, mut automatic, mut different) = (0, 0, Vec::new());
    for case in others {
        let Some(offer) = offered(&case) else {
            automatic += 1;
            continue;
        };
        let expect = &case["expect"];
        let ours = serde_json::to_value(&offer).unwrap();
        let equal = ours["rules"] == serde_json::json!([expect["recommendedRule"]])
            && ours["scope"] == expect["defaultScope"]
            && ours["safety"] == expect["safetyLevel"]
            && ours["button"] == expect["approveAlwaysText"]
            && ours["allowPersistence"] == expect["allowPersistence"];
        if equal {
            same += 1;
        } else {
            different.push((case["id"].as_str().unwrap().to_owned(), case["args"]["args"].clone(), ours));
        }
    }
    let ids: Vec<&str> = different.iter().map(|(id, ..)| id.as_str()).collect();
    assert_eq!((same, automatic, ids.len()), OTHERS, "{different:#?}");
}

/// The same, allowed as they are, and different by the kinds that `differences.md` has for them.
const OTHERS: (usize, usize, usize) = (11, 17, 3);

//! Replays `conformance/upstream-shell-readonly.jsonl`: no command that writes or reads outside is judged
//! read-only, and what the original rightly called read-only is so here, up to the kinds below.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use portcullis_shell_analysis::{Analysis, Settings, Shell, analyze, analyze_argv};
use serde_json::Value;

fn cases() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/upstream-shell-readonly.jsonl");
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn judge(case: &Value) -> (String, Analysis) {
    let options = &case["args"]["options"];
    let roots: Vec<String> = options["allowedPathRoots"].as_array().map_or_else(
        || vec!["/repo".to_owned()],
        |roots| roots.iter().map(|root| root.as_str().unwrap().to_owned()).collect(),
    );
    let settings = Settings {
        shell: Shell::Bash,
        cwd: "/repo",
        home: Some("/home/u"),
        roots: &roots,
        allow_external_paths: options["allowExternalPaths"].as_bool().unwrap_or(false),
        trusted: false,
        scrubbed: false,
        environment: &[],
        resolver: None,
    };
    match &case["args"]["command"] {
        Value::String(text) => (text.clone(), analyze(text, &settings)),
        Value::Array(words) => {
            let argv: Vec<String> = words.iter().map(|word| word.as_str().unwrap().to_owned()).collect();
            (argv.join(" "), analyze_argv(&argv, &settings))
        }
        other => panic!("{other}"),
    }
}

/// Labels that this library answers otherwise on purpose, and why.
const LABELLED_OTHERWISE: &[(&str, &str)] =
    &[("set -e", "ends the text at the first failure and changes nothing else (specification 4.2)")];

/// Kinds of commands that the original calls read-only and this library does not.
fn kind_of_strictness(text: &str, analysis: &Analysis) -> Option<&'static str> {
    let reasons: Vec<&str> = analysis.blockers.iter().map(|blocker| blocker.reason.as_str()).collect();
    if analysis.error.is_some() {
        return Some("bash rejects the text");
    }
    if reasons.contains(&"prints the environment") {
        return Some("the environment may hold secrets");
    }
    if reasons.iter().any(|reason| reason.ends_with("may change what programs do")) {
        return Some("a variable that is not on the list of harmless ones");
    }
    if text.contains("bash -ic") {
        return Some("an interactive shell reads start files");
    }
    None
}

#[test]
fn nothing_that_writes_or_reads_outside_is_read_only() {
    let mut wrong = Vec::new();
    for case in cases() {
        let (text, analysis) = judge(&case);
        let truth = case["truth"].as_str().unwrap_or_default();
        let bug = case["note"] == "upstream-bug" && case["right"] == Value::Bool(false);
        let excused = LABELLED_OTHERWISE.iter().any(|(known, _)| *known == text);
        if analysis.read_only() && (truth == "mut" || truth == "ext" || bug) && !excused {
            wrong.push(format!("{}: {text}", case["id"]));
        }
    }
    assert!(wrong.is_empty(), "judged read-only:\n{}", wrong.join("\n"));
}

#[test]
fn what_only_reads_is_read_only() {
    let (mut all, mut kept, mut unexplained) = (0, 0, Vec::new());
    for case in cases() {
        if case["truth"] != "ro" || case["expect"] != Value::Bool(true) || !case["note"].is_null() {
            continue;
        }
        all += 1;
        let (text, analysis) = judge(&case);
        if analysis.read_only() {
            kept += 1;
        } else if kind_of_strictness(&text, &analysis).is_none() {
            let reason =
                analysis.opaque.as_ref().or(analysis.blockers.first()).map(|blocker| blocker.reason.clone());
            unexplained.push(format!("{}: {text}  [{}]", case["id"], reason.unwrap_or_default()));
        }
    }
    let limit = all * 3 / 100;
    assert!(
        unexplained.len() <= limit,
        "{kept} of {all}; {} unexplained:\n{}",
        unexplained.len(),
        unexplained.join("\n")
    );
}

//! The shell cases of `conformance/bug-reports.jsonl` that this crate alone can answer: those without rules.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use portcullis_shell_analysis::{Settings, analyze};
use serde_json::Value;

#[test]
fn read_only_where_reports_say_allow() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/bug-reports.jsonl");
    let roots = ["/work/app".to_owned()];
    let settings = Settings { home: Some("/home/dev"), ..Settings::new("/work/app", &roots) };
    let (mut checked, mut wrong) = (0, Vec::new());
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let setup = &case["setup"];
        let (Some(text), Some(right)) = (case["input"]["args"]["command"].as_str(), case["right"].as_str())
        else {
            continue;
        };
        let plain = case["input"]["tool"] == "Bash"
            && setup["mode"] == "default"
            && setup["cwd"] == "/work/app"
            && setup["rules"]
                .as_object()
                .is_none_or(|rules| rules.values().all(|list| list.as_array().is_none_or(Vec::is_empty)))
            && ["hook", "sandbox", "trust", "agent", "answer", "fs", "platform"]
                .iter()
                .all(|key| setup[*key].is_null());
        if !plain || !matches!(right, "allow" | "ask" | "deny") {
            continue;
        }
        checked += 1;
        let analysis = analyze(text, &settings);
        if analysis.read_only() != (right == "allow") {
            let reason = analysis.blockers.first().map(|blocker| blocker.reason.clone()).unwrap_or_default();
            wrong.push(format!("{}: {right}: {text} [{reason}]", case["id"]));
        }
    }
    assert!(checked > 30, "{checked}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

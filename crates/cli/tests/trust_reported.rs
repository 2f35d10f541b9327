//! Attacks on trust that were reported of programs of this kind, with the real binary.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

mod support;

use serde_json::{Value, json};
use support::{Ended, Place, there};

fn json_of(ended: &Ended) -> Value {
    serde_json::from_str(&ended.stdout).expect(&ended.stdout)
}

#[test]
fn reported() {
    let path = format!("{}/../../conformance/bug-reports.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let reports = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut seen = Vec::new();
    for report in reports.filter(|report| report["kind"] == "trust") {
        let id = report["id"].as_str().unwrap();
        let place = Place::with_git();
        for (file, what) in report["setup"]["fs"].as_object().into_iter().flatten() {
            place.write(file.strip_prefix("/work/app/").unwrap(), what["file"].as_str().unwrap());
        }
        let claude = |rest: &[&str]| place.run(["--profile", "claude"].iter().chain(rest));
        let status =
            |rest: &[&str]| json_of(&claude(&[&["trust", "status", "--format", "json"], rest].concat()));
        let held = |kind: &str, detail: &str| {
            let status = status(&[]);
            let resource = &status["resources"][0];
            assert_eq!((&status["trusted"], &resource["state"]), (&json!(false), &json!("held")), "{id}");
            assert_eq!((&resource["kind"], &resource["details"][0]), (&json!(kind), &json!(detail)), "{id}");
        };
        match id {
            "trust-hooks" => held("settings", "hook SessionStart: touch o"),
            "trust-mode" => {
                held("settings", "mode bypassPermissions");
                claude(&["check", "--command", "make"]).expect(1, &["mode bypassPermissions"]);
            }
            "trust-mcp" => held("mcp-servers", "x"),
            "trust-git-email" => {
                assert_eq!(status(&[])["state"], "nothing", "{id}: a value is data");
                claude(&["check", "--command", "git status"]).expect(0, &[]);
            }
            "trust-yarn" => claude(&["check", "--command", "yarn --version"]).expect(1, &[]),
            "trust-nested" => {
                place.write("vendor/clone/.mcp.json", "{}");
                std::fs::create_dir(place.project().join("vendor/clone/.git")).unwrap();
                place.trust("project");
                let nested = place.project().join("vendor/clone");
                assert_eq!(status(&[nested.to_str().unwrap()])["state"], "undecided", "{id}");
            }
            "trust-nearest" => {
                place.write("unreviewed/demo/.mcp.json", "{}");
                place.trust("project");
                let at = |relative: &str| place.project().join(relative).display().to_string();
                claude(&["trust", "deny", &at("unreviewed")]).expect(0, &[]);
                let found = status(&[&at("unreviewed/demo")]);
                assert_eq!(
                    (&found["state"], &found["recordedFor"]),
                    (&json!("denied"), &json!(at("unreviewed")))
                );
            }
            // A person who walks away: at_a_terminal_a_run_asks_first in trust.rs.
            "trust-eof" => assert_eq!(report["right"], "not trusted, nothing recorded"),
            "set-deeplink" => {
                place.write(".mcp.json", "{}");
                for value in ["--trust", "--project-root=/", "--settings={\"hooks\":{}}"] {
                    claude(&["check", "--command", value]).expect(1, &[]);
                    claude(&["run", "--", "echo", value]).expect(0, &[]);
                }
                assert!(!there(&place.path("home/.config/portcullis/trust.json")), "{id}");
            }
            other => panic!("no test for {other}"),
        }
        assert!(!there(&place.project().join("o")), "{id}");
        seen.push(id.to_owned());
    }
    assert_eq!(seen.len(), 9, "{seen:?}");
}

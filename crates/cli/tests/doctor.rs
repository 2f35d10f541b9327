//! `doctor`, with the real binary.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

mod support;

use serde_json::Value;
use support::Place;

#[test]
fn doctor_says_on_one_page_what_is_wrong() {
    let place = Place::with_git();
    let ended = place.run(["doctor"]);
    ended.expect(0, &[]);
    for line in [
        "trust     the project brings nothing",
        "hooks     none",
        "bwrap",
        "rules     none; mode standard",
        "all is well",
    ] {
        assert!(ended.stdout.contains(line), "{line}: {ended:#?}");
    }
    place.write_home(
        ".letta/settings.json",
        r#"{"permissions":{"denny":[],"allow":["bsh(x)"]},"hooks":{"Stop":[]}}"#,
    );
    place.write(".mcp.json", "{}");
    let ended = place.run(["doctor", "--format", "json"]);
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    let page = serde_json::from_str::<Value>(&ended.stdout).unwrap();
    let counts: Vec<(&str, usize)> = page["sections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|section| (section["name"].as_str().unwrap(), section["problems"].as_array().unwrap().len()))
        .collect();
    let expected = [("settings", 1), ("rules", 2), ("sandbox", 0), ("trust", 1), ("hooks", 1), ("log", 0)];
    assert_eq!(counts, expected, "{page:#}");
    place.write_home(".letta/trust.json", "[]");
    let ended = place.run(["doctor"]);
    assert!(
        ended.stdout.contains("trust.json` is broken") && ended.stdout.ends_with("6 problems\n"),
        "{ended:#?}"
    );
}

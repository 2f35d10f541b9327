//! Replays the recorded answers about tool names and patches (`conformance/`). Every difference belongs to
//! a kind that is listed here.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

use portcullis_tool_names::{Aliases, Family, Tool, patch_paths, targets};
use serde_json::Value;

/// Spellings that the recorded engine leaves as they are and ours folds, by kind.
const FOLDED_BEYOND: &[(&str, &[&str])] = &[
    ("several files at once are read like one", &["read_many_files", "ReadManyFiles"]),
    ("a patch is an edit", &["apply_patch", "ApplyPatch"]),
    ("lower-case names of search tools", &["glob", "grep", "ls"]),
];

/// Recorded cases of headings that name no file for the recorded engine, and one for whoever knows more of them.
const HEADINGS_BEYOND: &[&str] = &["guard-00235"];

fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/../../conformance/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn names_families_patches_and_paths() {
    let aliases = Aliases::standard();
    let family = |name: &str| aliases.canonical(name).map(Tool::family);
    let canonical =
        |tool: Option<Tool>, name: &str| tool.map_or(name.to_owned(), |tool| tool.as_str().to_owned());
    let mut replayed = 0;
    let mut differences = 0;
    for case in cases("upstream-rules.jsonl").into_iter().chain(cases("upstream-guard.jsonl")) {
        let arguments = &case["args"];
        let name = arguments["tool"].as_str().unwrap_or_default();
        let answer = match case["fn"].as_str().unwrap() {
            "isFileToolName" => Value::from(family(name) == Some(Family::File)),
            "isShellToolName" => Value::from(family(name) == Some(Family::Shell)),
            "canonicalToolName" => Value::from(canonical(aliases.canonical(name), name)),
            "toolNameForPermissionCheck" => {
                Value::from(canonical(aliases.of_call(name, &arguments["args"]), name))
            }
            "extractApplyPatchPaths" => Value::from_iter(patch_paths(arguments["input"].as_str().unwrap())),
            "extractFilePath" => {
                let found = targets("Read", Some(Tool::Read), &arguments["args"]);
                found.paths.first().map_or(Value::Null, |path| Value::from(path.as_str()))
            }
            _ => continue,
        };
        replayed += 1;
        let right = case.get("right").unwrap_or(&case["expect"]);
        if answer == *right {
            continue;
        }
        let kind = FOLDED_BEYOND.iter().find(|(_, names)| names.contains(&name));
        let heading = HEADINGS_BEYOND.iter().any(|id| case["id"] == *id);
        assert!(kind.is_some() || heading, "{}: {answer} instead of {right}", case["id"]);
        differences += 1;
    }
    assert_eq!((replayed, differences), (108, 10), "cases replayed, differences by the kinds above");
}

//! One file by several names, through the binary.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

mod support;

use serde_json::json;
use support::Place;

/// No file system here need ignore case; a hard link under the other name is what such a one looks like.
#[test]
fn deny_rules_hold_for_names_of_another_case_where_the_file_system_takes_them_for_one() {
    let settings = r#"{ "permissions": { "deny": ["Read(notes.txt)"], "allow": ["Edit(Src/**)"] } }"#;
    let exact = Place::new();
    let folding = Place::new();
    for place in [&exact, &folding] {
        place.write(".letta/settings.json", settings);
        place.write("notes.txt", "x");
    }
    std::fs::hard_link(folding.project().join("notes.txt"), folding.project().join("NOTES.TXT")).unwrap();
    for (tool, arguments) in
        [("Bash", json!({ "command": "cat Notes.TXT" })), ("Read", json!({ "file_path": "NOTES.txt" }))]
    {
        let arguments = arguments.to_string();
        let check = ["check", "--tool", tool, "--args", &arguments];
        exact.run(check).expect(0, &[]);
        folding.run(check).expect(2, &[]);
    }
    // An allow rule names what it names.
    let edit = ["check", "--tool", "Edit", "--args", r#"{"file_path":"src/a"}"#];
    folding.run(edit).expect(1, &[]);

    // A batch looks as well.
    let root = folding.project();
    let line = json!({
        "id": 1, "tool": "Read", "arguments": { "file_path": "NOTES.txt" }, "cwd": root, "root": root,
        "rules": { "deny": ["Read(notes.txt)"] },
    });
    let answered = support::feed(folding.portcullis(["check", "--batch"]), format!("{line}\n").as_bytes());
    assert!(answered.stdout.contains(r#""decision":"deny""#), "{answered:?}");
}

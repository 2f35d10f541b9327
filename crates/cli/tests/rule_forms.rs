//! Rules in forms that do not mean what they seem to, through the real binary: told where they stand, never taken without
//! a word.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use serde_json::json;
use support::{
    Place,
    batch::{answer, request},
};

#[test]
fn flags_take_rules_with_commas_or_blanks_between_them() {
    let place = Place::new();
    for list in
        ["Bash(git push:*) Read(x)", "Read(x), Bash(git push:*)", "Read,Bash(git push:*),", "Edit Bash"]
    {
        let denied = place.run(["check", "--disallowed-tools", list, "git push"]);
        assert_eq!(denied.code, Some(2), "{list}: {}{}", denied.stdout, denied.stderr);
    }
    let allowed = place.run(["check", "--allowed-tools", "Read(x) Bash(git push:*)", "git push"]);
    assert_eq!(allowed.code, Some(0), "{}", allowed.stdout);
}

#[test]
fn flags_refuse_what_is_no_rule() {
    let place = Place::new();
    for list in
        ["Read(a,Bash(git push:*)", "\"Bash(rm:*)\"", "Bash(rm:*", "Bash(rm:*))", "Bash git push", "Bash()"]
    {
        for flag in ["--disallowed-tools", "--allowed-tools"] {
            if (list, flag) == ("Bash()", "--disallowed-tools") {
                continue;
            }
            let refused = place.run(["check", flag, list, "ls"]);
            assert_eq!((refused.code, &*refused.stdout), (Some(125), ""), "{flag} {list}");
            let lines: Vec<_> = refused.stderr.lines().collect();
            assert!(lines[0].contains("cannot be read as a rule"), "{lines:?}");
            assert_eq!(lines[1], format!("  at: {flag}"));
            assert!(lines[2].starts_with("  do: "), "{lines:?}");
        }
    }
    let mut asked = request(&json!(1), "ls");
    asked["cli"] = json!({ "disallowed": ["Read(a,Bash(git push:*)"] });
    assert!(answer(&asked)["error"]["message"].as_str().unwrap().contains("parentheses"));
}

#[test]
fn quotes_around_a_payload_are_told() {
    let place = Place::new();
    let read = ["--tool", "Read", "--args", r#"{"file_path":"secrets/a"}"#];
    let flags = ["check", "--disallowed-tools", "Read(\"secrets/**\")"];
    let denied = place.run(flags.into_iter().chain(read));
    assert_eq!(denied.code, Some(2), "{}", denied.stdout);
    assert!(denied.stderr.contains("quotes stand around the payload"), "{}", denied.stderr);

    let added = place.run(["rules", "add", "--list", "deny", "--scope", "user", "Read(\"secrets/**\")"]);
    assert!(added.stderr.contains("quotes stand around the payload"), "{}", added.stderr);
    assert_eq!(place.run(["check"].into_iter().chain(read)).code, Some(2));
    let linted = place.run(["rules", "lint"]);
    assert!(
        linted.stdout.contains(": meaning: deny Read(\"secrets/**\"): quotes stand"),
        "{}",
        linted.stdout
    );
}

/// Told wherever the rule is read: by flags, `rules add`, every `check`, and lint.
#[test]
fn a_payload_that_is_hardly_meant_is_told() {
    for text in [
        "Read(secret/k:*)",
        "Read(path:x)",
        "Read(a,b)",
        "Read(a/@(k))",
        "Read($PWD/x)",
        "Bash(rm|mv)",
        "Bash(git push: *)",
        "Bash(git:push)",
        "Task(a,b)",
        "Skill(name:x)",
        "Bsh",
    ] {
        let place = Place::new();
        let flagged = place.run(["check", "--disallowed-tools", text, "ls"]);
        assert!(flagged.stderr.contains(&format!("warning: rule `{text}`")), "{text}: {}", flagged.stderr);
        let added = place.run(["rules", "add", "--list", "deny", "--scope", "user", text]);
        assert_eq!(added.code, Some(0), "{text}");
        assert!(added.stderr.contains("warning"), "{text}: {}", added.stderr);
        let checked = place.run(["check", "ls"]);
        assert_eq!(checked.code, Some(0), "{text}");
        assert!(checked.stderr.contains(&format!("warning: rule `{text}`")), "{text}: {}", checked.stderr);
        let linted = place.run(["rules", "lint"]);
        let found = linted.stdout.contains("meaning: deny") || linted.stdout.contains("unknown-tool: deny");
        assert!(found, "{text}: {}", linted.stdout);
    }
    let place = Place::new();
    for text in ["Bash('rm -rf':*)", "Bash(\"rm -rf\" *)"] {
        let denied = place.run(["check", "--disallowed-tools", text, "rm -rf x"]);
        assert_eq!(denied.code, Some(2), "{text}");
        assert!(denied.stderr.contains("it is read as `rm -rf"), "{}", denied.stderr);
    }
    let objects = json!({ "permissions": { "deny": [
        { "tool": "Bsh", "regex": "x" },
        { "tool": "Read", "pattern": "secret/*" },
    ] } });
    place.write_home(".letta/settings.json", &objects.to_string());
    let checked = place.run(["check", "ls"]);
    assert_eq!(checked.stderr.matches("warning: rule ").count(), 2, "{}", checked.stderr);
}

/// `rules add` writes none of them; where they stand all the same, lint names them and nothing is automatic.
#[test]
fn two_rules_in_one_text_are_no_rule() {
    for text in [
        "Bash(git push:*) Read(x)",
        "Read(a,Bash(git push:*)",
        "\"Bash(rm:*)\"",
        "Bash(rm:*),",
        "Bash,Read",
        "Bash(rm:*:*)",
        "Bash(^rm)",
        "Bash(command:rm)",
        "Bash({rm,mv}:*)",
        "Read(file:///x)",
        "Bash:ls",
        "mcp__github__",
        "WebFetch(domain:a.example,b.example)",
    ] {
        let place = Place::new();
        let added = place.run(["rules", "add", "--list", "deny", "--scope", "user", text]);
        assert_eq!(added.code, Some(125), "{text}");
        assert!(added.stderr.contains("is not a rule"), "{}", added.stderr);
        place.write_home(".letta/settings.json", &json!({ "permissions": { "deny": [text] } }).to_string());
        let asked = place.run(["check", "ls"]);
        assert_eq!(asked.code, Some(1), "{text}: {}", asked.stdout);
        assert!(asked.stderr.contains("cannot be read"), "{}", asked.stderr);
        assert!(place.run(["rules", "lint"]).stdout.contains("unreadable"), "{text}");
        assert_eq!(place.run(["rules", "remove", "--list", "deny", "--scope", "user", text]).code, Some(0));
        assert_eq!(place.run(["check", "ls"]).code, Some(0));
    }
}

//! `rules list`, `lint` and `diff` through the binary: what a person sees of rules that do nothing, allow too much, can
//! be got around, or would answer otherwise.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use serde_json::{Value, json};
use support::Place;

const SETTINGS: &str = r#"{
  "permissions": {
    "deny": [
      "Bash(git push:*)",
      "Bash(git push --force:*)"
    ],
    "allow": [
      "Bash(git push origin:*)",
      "Bash(python3:*)",
      "Bsh(ls)"
    ]
  }
}
"#;

fn json_of(output: &str) -> Value {
    serde_json::from_str(output).unwrap_or_else(|error| panic!("{error}: {output}"))
}

/// A place whose project has these settings.
fn with(settings: &str) -> Place {
    let place = Place::new().trusted();
    place.write(".letta/settings.json", settings);
    place
}

#[test]
fn list_says_which_rule_beats_which() {
    let place = with(SETTINGS);
    let listed = json_of(&place.run(["rules", "list", "--format", "json"]).stdout);
    let rules = listed["rules"].as_array().unwrap();
    let beaten: Vec<_> = rules
        .iter()
        .filter(|rule| !rule["beatenBy"].is_null())
        .map(|rule| (rule["rule"].as_str().unwrap(), rule["line"].as_u64().unwrap(), &rule["beatenBy"]))
        .collect();
    assert_eq!(beaten.len(), 2, "{listed}");
    for (rule, line, by) in beaten {
        assert!(
            matches!((rule, line), ("Bash(git push --force:*)", 5) | ("Bash(git push origin:*)", 8)),
            "{rule} {line}"
        );
        assert_eq!((by["list"].as_str(), by["rule"].as_str()), (Some("deny"), Some("Bash(git push:*)")));
        assert_eq!(by["line"], 4);
    }
    let text = place.run(["rules", "list"]);
    text.expect(0, &[]);
    let text = text.stdout;
    assert_eq!(text.matches("decides nothing: deny Bash(git push:*) (").count(), 2, "{text}");
}

#[test]
fn add_takes_rules_below_the_home_directory() {
    let place = Place::new();
    for (rule, list, scope) in [
        ("Read(~/.ssh/**)", "deny", "user"),
        ("Edit(~/x)", "ask", "project"),
        ("Read(~/notes/**)", "allow", "local"),
    ] {
        let change = |word| place.run(["rules", word, rule, "--list", list, "--scope", scope]);
        let says = |word, said: &str| {
            let ended = change(word);
            // A rule that is not there is no failure, but a script can tell.
            ended.expect(i32::from(said == "not there"), &[]);
            assert!(ended.stdout.starts_with(&format!("{said}: {rule} in {list} of ")), "{}", ended.stdout);
        };
        says("add", "added");
        let listed = place.run(["rules", "list"]).stdout;
        assert!(listed.contains(rule), "{listed}");
        says("remove", "removed");
        says("remove", "not there");
    }
}

#[test]
fn lint_finds_what_is_wrong_and_where() {
    let place = with(SETTINGS);
    let found = place.run(["rules", "lint", "--format", "json"]);
    assert_eq!(found.code, Some(1));
    let found = json_of(&found.stdout);
    let kinds: Vec<_> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["kind"].as_str().unwrap().to_owned(), one["line"].as_u64().unwrap()))
        .collect();
    assert_eq!(found["findings"][0]["column"], 7);
    let wanted = [
        ("evaded", 4),
        ("shadowed", 5),
        ("beaten", 8),
        ("wholesale", 9),
        ("meaning", 10),
        ("unknown-tool", 10),
    ];
    assert_eq!(kinds, wanted.map(|(kind, line)| (kind.to_owned(), line)));
    let evasion = &found["findings"][0]["evasion"];
    let (past, of) = (evasion["past"].as_array().unwrap().len(), evasion["of"].as_u64().unwrap());
    assert!(past > 3 && of > 60, "{evasion}");

    let text = place.run(["rules", "lint"]);
    assert_eq!(text.code, Some(1));
    let text = text.stdout;
    let first = format!(
        "{}:4:7: evaded: deny Bash(git push:*): {past} of {of} other ways to do the same get past it\n",
        place.project().join(".letta/settings.json").display()
    );
    assert!(text.starts_with(&first), "{text}");
    assert!(text.ends_with("6 findings in 1 settings file\n"), "{text}");
}

#[test]
fn lint_is_0_where_nothing_is_wrong_and_2_where_it_could_not_run() {
    let place = with(
        r#"{ "permissions": { "allow": ["Bash(npm test:*)"], "alwaysAsk": ["WebFetch(domain:a.example)"] } }"#,
    );
    place.run(["rules", "lint"]).expect(0, &[]);
    assert_eq!(place.run(["rules", "lint"]).stdout, "nothing found in 1 settings file\n");
    place.run(["rules", "lint", "no-such-file"]).expect(2, &["no-such-file"]);
    place.run(["rules", "lint", "--no-such-flag"]).expect(2, &["--no-such-flag"]);
    place.run(["rules", "lint", "--profile", "nobody"]).expect(2, &["nobody"]);
}

#[test]
fn what_the_sandbox_holds_or_a_person_accepts_is_no_finding() {
    let denied = r#""permissions": { "deny": ["Bash(git push:*)"] }"#;
    let lint = |settings: &str, more: &[&str]| {
        let arguments: Vec<&str> = ["rules", "lint"].iter().chain(more).copied().collect();
        with(settings).run(&arguments)
    };
    let open = lint(&format!("{{ {denied} }}"), &[]);
    assert_eq!(open.code, Some(1));
    let blocked = lint(&format!(r#"{{ {denied}, "sandbox": {{ "network": "blocked" }} }}"#), &[]);
    assert_eq!(
        (blocked.code, blocked.stdout.as_str()),
        (Some(0), "nothing found in 1 settings file, 1 held by the sandbox\n")
    );
    let off =
        format!(r#"{{ {denied}, "sandbox": {{ "network": "blocked", "mode": "danger-full-access" }} }}"#);
    assert_eq!(lint(&off, &[]).code, Some(1));
    // The words of an exact rule are what leaves it open.
    let exact = r#"{ "permissions": { "deny": ["Bash(git push)"] }, "sandbox": { "network": "blocked" } }"#;
    assert_eq!(lint(exact, &[]).code, Some(1));

    for accepted in ["evaded", "evaded:Bash(git push:*)"] {
        let known = lint(&format!("{{ {denied} }}"), &["--accept", accepted]);
        assert_eq!(
            (known.code, known.stdout.as_str()),
            (Some(0), "nothing found in 1 settings file, 1 accepted\n")
        );
        assert_eq!(known.stderr, "");
    }
    for other in ["evaded:Bash(git pull:*)", "wholesale"] {
        lint(&format!("{{ {denied} }}"), &["--accept", other]).expect(1, &["is about no finding", other]);
    }
}

#[test]
fn sections_and_lists_that_are_misspelt_or_misplaced_are_found() {
    for (settings, said) in [
        (r#"{ "permisions": { "deny": ["Read(x)"] } }"#, "did you mean `permissions`?"),
        (r#"{ "deny": ["Read(x)"] }"#, "move it into `permissions`"),
        (r#"{ "allowManagedRulesOnly": true }"#, "move it into `permissions`"),
    ] {
        let found = with(settings).run(["rules", "lint"]);
        assert_eq!(found.code, Some(1));
        assert!(found.stdout.contains(said), "{}", found.stdout);
    }
}

#[test]
fn list_says_where_allow_goes_before_ask() {
    let place = with(r#"{ "permissions": { "ask": ["Bash(npm test)"], "allow": ["Bash(npm test)"] } }"#);
    let text = place.run(["rules", "list"]).stdout;
    assert!(text.contains("decides nothing: allow Bash(npm test) ("), "{text}");
}

#[test]
fn lint_looks_at_named_files_alone_and_tells_what_cannot_be_parsed() {
    let place = with(SETTINGS);
    let good = place.write("good.json", r#"{ "permissions": { "allow": ["Bash(npm test:*)"] } }"#);
    place.run(["rules", "lint", good.to_str().unwrap()]).expect(0, &[]);
    let broken = place.write("broken.json", "{ \"permissions\": {\n  \"deny\": [ }\n}");
    let found = place.run(["rules", "lint", "good.json", "broken.json", "--format", "json"]);
    assert_eq!(found.code, Some(1));
    let found = json_of(&found.stdout);
    let one = &found["findings"][0];
    assert_eq!((one["kind"].as_str(), one["line"].as_u64()), (Some("file"), Some(2)), "{found}");
    assert_eq!(one["file"].as_str(), broken.to_str());
    let again = place.run(["rules", "lint", "broken.json"]);
    assert!(again.stdout.starts_with(&format!("{}:2:13: file: ", broken.display())), "{}", again.stdout);
    assert!(again.stderr.is_empty(), "told once, on standard output");
}

#[test]
fn diff_groups_what_would_be_answered_otherwise() {
    let place = with(SETTINGS);
    place
        .write("new.json", r#"{ "permissions": { "deny": ["Bash(rm:*)"], "allow": ["Bash(git push:*)"] } }"#);
    let calls = [
        json!({ "command": "git push origin main" }),
        json!({ "tool": "Bash", "arguments": { "command": "git push" } }),
        json!({ "type": "tool/call", "tool": "Bash", "arguments": { "command": "rm x" }, "cwd": place.project() }),
        json!({ "type": "decision", "tool": "Bash", "decision": "ask" }),
        json!({ "tool": "Read", "arguments": { "file_path": "a" } }),
        json!({ "command": "python3 x.py" }),
    ];
    let lines: String = calls.iter().map(|call| format!("{call}\n")).collect();
    place.write("calls.jsonl", &lines);
    let diff = ["rules", "diff", "--candidate", "new.json", "--calls", "calls.jsonl"];
    let found = place.run(diff.into_iter().chain(["--format", "json"]));
    assert_eq!(found.code, Some(1), "{found:?}");
    let found = json_of(&found.stdout);
    assert_eq!((found["calls"].as_u64(), found["changed"].as_u64()), (Some(5), Some(4)), "{found}");
    let groups: Vec<_> = found["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| {
            let side = |name: &str| {
                format!(
                    "{} {}",
                    group[name]["decision"].as_str().unwrap(),
                    group[name]["by"].as_str().unwrap()
                )
            };
            (side("from"), side("to"), group["count"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(
        groups[0],
        ("deny Bash(git push:*)".to_owned(), "allow Bash(git push:*)".to_owned(), 2),
        "{found}"
    );
    assert!(groups.contains(&("ask default".to_owned(), "deny Bash(rm:*)".to_owned(), 1)), "{found}");
    assert!(groups.contains(&("allow Bash(python3:*)".to_owned(), "ask default".to_owned(), 1)), "{found}");

    let text = place.run(diff);
    let text = text.stdout;
    assert!(text.starts_with("2 calls: deny by Bash(git push:*) (project scope, "), "{text}");
    assert!(text.ends_with("4 of 5 calls decided otherwise\n"), "{text}");
}

#[test]
fn diff_compares_scopes_modes_and_engines() {
    let place = with(r#"{ "permissions": { "allow": ["Bash(make:*)", "shell(just:*)"] } }"#);
    place.write("same.json", r#"{ "permissions": { "allow": ["shell(just:*)", "Bash(make:*)"] } }"#);
    place.write("none.json", "{}");
    let diff = |rest: &[&str]| {
        let output = place.run(["rules", "diff", "--candidate"].iter().chain(rest));
        (output.code, output.stdout)
    };
    assert_eq!(diff(&["same.json", "make x"]), (Some(0), "0 of 1 call decided otherwise\n".to_owned()));
    assert_eq!(diff(&["none.json", "make x"]).0, Some(1));
    // Another scope's file stays in force.
    assert_eq!(diff(&["none.json", "--as", "user", "make x"]).0, Some(0));
    assert_eq!(diff(&["none.json", "--as", "project", "make x"]).0, Some(1));
    assert_eq!(diff(&["none.json", "--candidate-mode", "unrestricted", "make x"]).0, Some(0));
    assert_eq!(diff(&["same.json", "--candidate-mode", "strict", "ls"]).0, Some(1));
    // By its spelling the rule is about a tool `shell`, and the call is of `Bash`.
    assert_eq!(diff(&["same.json", "--candidate-engine", "v1", "just x"]).0, Some(1));
    assert_eq!(diff(&["same.json", "--candidate-engine", "v2", "just x"]).0, Some(0));
}

#[test]
fn what_diff_cannot_read_is_125() {
    let place = with("{}");
    place.write("ok.json", "{}");
    place.write("broken.json", "{");
    place.write("calls.jsonl", "{\"command\":\"ls\"}\nnonsense\n{\"tool\":\"Bash\"}\n");
    place.run(["rules", "diff", "--candidate", "missing.json", "ls"]).expect(125, &["missing.json"]);
    place.run(["rules", "diff", "--candidate", "broken.json", "ls"]).expect(125, &["broken.json"]);
    place.run(["rules", "diff", "--candidate", "ok.json"]).expect(125, &["no call was given"]);
    place.run(["rules", "diff", "--candidate", "ok.json", "--calls", "nowhere"]).expect(125, &["nowhere"]);
    let partly = place.run(["rules", "diff", "--candidate", "ok.json", "--calls", "calls.jsonl"]);
    partly.expect(
        125,
        &[
            "line 2 of calls.jsonl is not JSON that can be read",
            "line 3 of calls.jsonl holds no call",
            "2 of the lines",
        ],
    );
    assert_eq!(partly.stdout, "0 of 1 call decided otherwise\n");
}

#[test]
fn lines_without_a_call_are_summed() {
    let place = with("{}");
    place.write("ok.json", "{}");
    let lines: String = (0..20).map(|at| if at % 2 == 0 { "{\"x\":1}\n" } else { "no\n" }).collect();
    place.write("calls.jsonl", &lines);
    let diff = place.run(["rules", "diff", "--candidate", "ok.json", "--calls", "calls.jsonl"]);
    diff.expect(
        125,
        &[
            "lines 1, 3, 5, 7, 9 and 5 more of calls.jsonl hold no call: they have neither",
            "lines 2, 4, 6, 8, 10 and 5 more of calls.jsonl are not JSON that can be read, the first for this: ",
            "20 of the lines hold no call",
        ],
    );
    assert_eq!(diff.stderr.lines().count(), 3, "{}", diff.stderr);
}

#[test]
fn add_says_what_lint_would_say_of_the_rule() {
    let place = Place::new();
    let add = |rule: &str| {
        place.run(["rules", "add", rule, "--list", "allow", "--scope", "project", "--format", "json"])
    };
    for (rule, said) in [
        ("Bsh(ls)", "did you mean `Bash`?"),
        ("Bash(python3:*)", "python3"),
        ("Edit(//**)", "far outside the project"),
        ("TodoWrite(x)", "the rule covers nothing"),
    ] {
        let added = add(rule);
        added.expect(0, &["portcullis: warning: ", said, "  do: "]);
        let fields = json_of(&added.stdout);
        assert!(!fields["warnings"].as_array().unwrap().is_empty(), "{fields}");
        assert_eq!(fields["changed"], true);
    }
    let fine = add("Bash(npm test:*)");
    fine.expect(0, &[]);
    assert!(fine.stderr.is_empty(), "{fine:?}");
    assert_eq!(json_of(&fine.stdout)["warnings"], json!([]));
}

#[test]
fn a_file_tool_without_a_path_is_told_to_be_about_that_tool_alone() {
    let place = Place::new();
    for (rule, list) in [("Edit", "deny"), ("Read", "ask"), ("Write", "alwaysAsk")] {
        let added = place.run(["rules", "add", rule, "--list", list, "--scope", "project"]);
        added.expect(0, &["portcullis: warning: without a path", &format!("write `{rule}(**)`")]);
    }
    let ended = place.run(["check", "ls"]);
    ended.expect(
        0,
        &["warning: rule `Edit` in deny: without a path", "do: write `Edit(**)`", "rule `Read` in ask"],
    );
    // What the list has for all of it says it.
    place.write(
        ".letta/settings.json",
        r#"{"permissions":{"deny":["Edit","Write(**)","Grep"],"allow":["Read"]}}"#,
    );
    assert_eq!(place.run(["check", "ls"]).stderr.matches("without a path").count(), 0);
}

#[test]
fn remove_makes_no_folder_where_nothing_is() {
    let place = Place::new();
    let removed = place.run(["rules", "remove", "Bash(ls)", "--list", "deny", "--scope", "project"]);
    removed.expect(1, &[]);
    assert!(removed.stdout.starts_with("not there: Bash(ls) in deny of "), "{removed:?}");
    assert!(!place.path("project/.letta").exists());
}

#[test]
fn diff_refuses_a_line_with_a_key_twice() {
    let place = Place::new();
    place.write("new.json", "{}");
    place.write("calls.jsonl", "{ \"command\": \"ls\", \"command\": \"rm x\" }\n{ \"command\": \"ls\" }\n");
    let found = place.run(["rules", "diff", "--candidate", "new.json", "--calls", "calls.jsonl"]);
    found.expect(
        125,
        &["line 1 of calls.jsonl is not JSON that can be read", "the key `command` stands twice"],
    );
    assert!(found.stdout.contains("0 of 1 call decided otherwise"), "{found:?}");
}

#[test]
fn a_second_local_rule_says_nothing_of_whose_the_file_is() {
    let place = Place::with_git();
    for rule in ["Bash(a:*)", "Bash(b:*)"] {
        let ended = place.run(["rules", "add", rule, "--list", "allow", "--scope", "local"]);
        ended.expect(0, &[]);
        assert!(!ended.stderr.contains("not written by us"), "{ended:#?}");
        assert!(!ended.stdout.contains("not written by us"), "{ended:#?}");
    }
}

//! Settings files through the binary: which of them count, what they may say, and what is told of faulty ones.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

mod support;

use serde_json::{Value, json};
use support::{Ended, Place};

/// `check` of a tool call, with these options.
fn check(place: &Place, options: &[&str], tool: &str, arguments: &Value) -> Ended {
    let arguments = arguments.to_string();
    let call = ["check", "--tool", tool, "--args", &arguments];
    place.run(options.iter().copied().chain(call))
}

fn read(path: &str) -> Value {
    json!({ "file_path": path })
}

/// Writes a settings file of the user's.
fn user(place: &Place, relative: &str, text: &str) -> std::path::PathBuf {
    let path = place.path("home").join(relative);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn folders_between_the_project_and_the_start_only_tighten() {
    let place = Place::new();
    place.write(
        "a/.letta/settings.json",
        r#"{"permissions":{"deny":["Bash(one:*)"],"allow":["Bash(make:*)"]}}"#,
    );
    place.write(
        "a/b/.letta/settings.local.json",
        r#"{"permissions":{"alwaysAsk":["Bash(two:*)"],"ask":["Bash(cat:*)"],"mode":"unrestricted",
            "additionalDirectories":["/etc"]}}"#,
    );
    place.write("a/b/c/d/.letta/settings.json", r#"{"permissions":{"deny":["Bash(cat:*)"]}}"#);
    let start = place.project().join("a/b/c");
    let from = |start: &std::path::Path, command: &str| {
        place.run(["check", "--cwd", start.to_str().unwrap(), "--command", command])
    };
    from(&start, "one x").expect(2, &[]);
    assert!(from(&start, "two x").stdout.starts_with("alwaysAsk: "));
    assert!(from(&start, "cat x").stdout.starts_with("ask: Matched ask rule"));
    // Neither their allow rules nor their modes count, and other folders are not looked at.
    from(&start, "make x").expect(1, &[]);
    let listed = place.run(["rules", "list", "--format", "json", "--cwd", start.to_str().unwrap()]).stdout;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["mode"], "standard");
    assert_eq!(listed["additionalDirectories"], json!([]));
    // From the root of the project they are not read.
    from(&place.project(), "one x").expect(1, &[]);
    from(&place.project(), "cat x").expect(0, &[]);
}

#[test]
fn additional_directories_are_roots_and_missing_ones_are_told() {
    let place = Place::new().trusted();
    for folder in ["shared/lib", "home/notes"] {
        std::fs::create_dir_all(place.path(folder)).unwrap();
    }
    let file = place.write(
        ".claude/settings.json",
        "{ \"permissions\": { \"additionalDirectories\": [\n  \"../shared/lib\", \"~/notes\",\n  \"../gone\"\n] } }",
    );
    let claude = ["--profile", "claude"];
    for (path, status) in [
        (place.path("shared/lib/a"), 0),
        (place.path("home/notes/a"), 0),
        (place.path("shared/other"), 1),
        (place.path("shared/lib-other/a"), 1),
    ] {
        let read = check(&place, &claude, "Read", &read(path.to_str().unwrap()));
        read.expect(status, &["warning: the additional directory `../gone` is missing"]);
        read.expect(status, &[&format!("at: {}:3:3", file.display())]);
    }
    let edit = json!({ "file_path": place.path("shared/lib/a") });
    check(&place, &["--profile", "claude", "--mode", "acceptEdits"], "Edit", &edit).expect(0, &[]);
}

#[test]
fn what_cannot_be_read_lets_nothing_through_and_denies_all_the_same() {
    let large = format!("{{ \"x\": \"{}\" }}", "x".repeat(4 << 20));
    for (broken, at) in [
        ("{\n \"permissions\": { \"allow\": [ 'x' ] } }", ":2"),
        ("{ \"permissions\": {},\n \"permissions\": {} }", ":2"),
        ("{ \"permissions\": { \"deny\": \"Bash\" } }", ":1"),
        ("{ \"permissions\": { \"ask\": [{ \"rule\": \"Bash\", \"resaon\": \"x\" }] } }", ":1"),
        (&large, ""),
    ] {
        let place = Place::new();
        user(
            &place,
            ".letta/settings.json",
            r#"{"permissions":{"allow":["Bash(make:*)"],"deny":["Bash(rm:*)"]}}"#,
        );
        place.run(["check", "make x"]).expect(0, &[]);
        let file = place.write(".letta/settings.json", broken);
        let place_of_it = format!("Settings could not be read: {}{at}", file.display());
        for command in ["make x", "ls"] {
            let asked = place.run(["check", command]);
            asked.expect(1, &["portcullis: error: ", file.to_str().unwrap()]);
            assert_eq!(asked.stdout, format!("ask: {place_of_it}\n"), "{broken:.60}");
        }
        place.run(["check", "rm x"]).expect(2, &[]);
        place.run(["check", "--mode", "unrestricted", "make x"]).expect(1, &[]);
    }
}

#[cfg(unix)]
#[test]
fn a_device_in_the_place_of_a_settings_file_is_not_waited_for() {
    let place = Place::new();
    std::fs::create_dir(place.project().join(".letta")).unwrap();
    let file = place.project().join(".letta/settings.json");
    let pipe = std::process::Command::new("mkfifo").arg(&file).status().unwrap();
    assert!(pipe.success(), "mkfifo (package coreutils) makes the pipe");
    let asked = place.run(["check", "ls"]);
    asked.expect(1, &["is not a regular file", "put an ordinary file there"]);
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
    place.run(["check", "ls"]).expect(1, &["is not a regular file"]);
    std::fs::remove_file(&file).unwrap();
    place.run(["check", "ls"]).expect(0, &[]);
}

#[test]
fn a_deny_rule_that_nobody_can_read_is_told_and_stops_what_is_automatic() {
    let place = Place::new().trusted();
    let file = place.write(
        ".letta/settings.json",
        "{ \"permissions\": {\n  \"deny\": [ \"Bash(git\", \"Bash(rm:*)\" ] } }",
    );
    let at = format!("at: {}:2:13", file.display());
    let asked = place.run(["check", "ls"]);
    asked.expect(1, &["rule `Bash(git` in deny cannot be read", &at]);
    assert!(asked.stdout.starts_with(&format!("ask: Settings could not be read: {}:2", file.display())));
    place.run(["check", "rm x"]).expect(2, &[]);
    // In an allow list it allows nothing, and costs nothing else.
    place.write(".letta/settings.json", r#"{ "permissions": { "allow": ["Bash(git", "Bash()"] } }"#);
    let ls = place.run(["check", "ls"]);
    ls.expect(
        0,
        &["`Bash(git` in allow cannot be read", "`Bash()` in allow cannot be read: the payload is empty"],
    );
    // An unknown mode and an unknown key are warnings.
    place.write(".letta/settings.json", r#"{ "permissions": { "mode": "lax", "alow": [] } }"#);
    let ls = place.run(["check", "ls"]);
    ls.expect(0, &["warning: the mode `lax` is not known", "did you mean `allow`?"]);
}

#[test]
fn one_slash_is_anchored_where_the_file_of_the_claude_profile_stands() {
    let place = Place::new();
    let rule = r#"{ "permissions": { "deny": ["Read(/keys/**)"] } }"#;
    let start = place.project().join("sub");
    std::fs::create_dir(&start).unwrap();
    let home = place.path("home");
    let paths = [
        place.project().join("keys/a"),
        start.join("keys/a"),
        home.join(".claude/keys/a"),
        std::path::PathBuf::from("/keys/a"),
    ];
    for (file, denied) in [
        (place.project().join(".claude/settings.json"), 0),
        (place.project().join(".claude/settings.local.json"), 1),
        (home.join(".claude/settings.json"), 2),
    ] {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, rule).unwrap();
        for (at, path) in paths.iter().enumerate() {
            let options = ["--profile", "claude", "--cwd", start.to_str().unwrap()];
            let code = check(&place, &options, "Read", &read(path.to_str().unwrap())).code;
            assert_eq!(code == Some(2), at == denied, "{} {}", file.display(), path.display());
        }
        std::fs::remove_file(&file).unwrap();
    }
    // In the other profiles it is the root of the file system.
    for (profile, folder) in [("letta", ".letta"), ("portcullis", ".portcullis")] {
        place.write(&format!("{folder}/settings.json"), rule);
        let denied = check(&place, &["--profile", profile], "Read", &read("/keys/a"));
        denied.expect(2, &[]);
        assert_ne!(check(&place, &["--profile", profile], "Read", &read("keys/a")).code, Some(2));
    }
}

#[test]
fn the_claude_profile_names_modes_and_hidden_paths_by_its_own_keys() {
    let place = Place::new().trusted();
    std::fs::create_dir_all(place.path("home/sealed")).unwrap();
    std::fs::write(place.path("home/sealed/a"), "sealed").unwrap();
    place.write("kept/a", "old");
    place.write(
        ".claude/settings.json",
        r#"{ "permissions": { "defaultMode": "acceptEdits" },
             "sandbox": { "filesystem": { "denyRead": ["~/sealed"], "denyWrite": ["kept/**"] } } }"#,
    );
    let listed = place.run(["--profile", "claude", "rules", "list"]).stdout;
    assert!(listed.ends_with("mode      acceptEdits\n"), "{listed}");
    let run = |words: &[&str]| {
        let confined = ["--profile", "claude", "sandbox", "run", "--"];
        place.run(confined.into_iter().chain(words.iter().copied()))
    };
    let sealed = place.path("home/sealed/a");
    let shown = run(&["cat", sealed.to_str().unwrap()]);
    assert!(shown.code != Some(0) && !shown.stdout.contains("sealed\n"), "{shown:?}");
    run(&["sh", "-c", "echo new > kept/a"]);
    run(&["sh", "-c", "echo new > free"]).expect(0, &[]);
    assert_eq!(std::fs::read_to_string(place.project().join("kept/a")).unwrap(), "old");
}

#[test]
fn writable_places_of_the_sandbox_stand_where_their_file_stands() {
    let place = Place::new().trusted();
    for folder in ["home/data", "beside"] {
        std::fs::create_dir_all(place.path(folder)).unwrap();
    }
    place.write(".letta/settings.json", r#"{ "sandbox": { "writable": ["~/data", "../beside"] } }"#);
    for (folder, fits) in [("home/data", true), ("beside", true), ("home", false)] {
        let file = place.path(folder).join("made");
        let run = place.run(["run", "--mode", "unrestricted", "--", "touch", file.to_str().unwrap()]);
        assert_eq!((run.code == Some(0), file.exists()), (fits, fits), "{folder}: {run:?}");
    }
}

#[test]
fn flags_beat_settings_and_narrower_settings_beat_broader_ones() {
    let place = Place::new().trusted();
    user(&place, ".letta/settings.json", r#"{ "permissions": { "mode": "strict" } }"#);
    place.run(["check", "ls"]).expect(1, &[]);
    place.write(".letta/settings.json", r#"{ "permissions": { "mode": "bypassPermissions" } }"#);
    place.run(["check", "make x"]).expect(0, &[]);
    place.run(["check", "--mode", "standard", "make x"]).expect(1, &[]);
}

#[test]
fn the_words_of_a_rule_reach_the_person_and_the_model() {
    let place = Place::new().trusted();
    let file = place.write(
        ".letta/settings.json",
        r#"{ "permissions": {
          "deny": [{ "pattern": "*evil*", "reason": "not from here" }],
          "ask": [{ "rule": "Bash(make:*)", "reason": "makes noise" }],
          "allow": [{ "rule": "Bash(just:*)", "reason": "is fine" }] } }"#,
    );
    let denied = place.run(["check", "curl evil.example"]);
    let label = r#"{"tool":"Bash","pattern":"*evil*"}"#;
    let said =
        format!("deny: Matched deny rule ({label}, project scope, {}:2): not from here\n", file.display());
    assert_eq!(denied.stdout, said);
    place.run(["run", "--", "curl", "evil.example"]).expect(126, &[label, "(not from here)"]);
    place.run(["run", "--", "make"]).expect(126, &["makes noise"]);
    let allowed = place.run(["check", "--format", "json", "just x"]).stdout;
    assert_eq!(serde_json::from_str::<Value>(&allowed).unwrap()["ruleReason"], "is fine");
    let listed = place.run(["rules", "list", "--format", "json"]).stdout;
    assert_eq!(listed.matches("not from here").count(), 1);
}

#[cfg(unix)]
#[test]
fn saved_rules_leave_the_rest_of_a_file_and_keep_local_ones_out_of_git() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = Place::with_git();
    let before = "{\n  // why\n  \"theme\": 'x',\n}\n".replace('\'', "\"");
    place.write(".letta/settings.local.json", &before);
    let add = |rule: &str, scope: &str| {
        place.run(["rules", "add", rule, "--list", "allow", "--scope", scope]).expect(0, &[]);
    };
    add("shell( git  status )", "local");
    let after = std::fs::read_to_string(place.project().join(".letta/settings.local.json")).unwrap();
    assert!(
        after.starts_with("{\n  // why\n  \"theme\": \"x\",\n") && after.contains("\"Bash(git status)\"")
    );
    add("Bash(git status)", "local");
    let again = std::fs::read_to_string(place.project().join(".letta/settings.local.json")).unwrap();
    assert_eq!(again, after, "an equivalent rule is there");
    let ignored = place.plain("git").args(["status", "--porcelain", "--ignored"]).output().unwrap();
    let ignored = String::from_utf8(ignored.stdout).unwrap();
    assert!(ignored.contains("!! .letta/"), "{ignored}");
    let lines = std::fs::read_to_string(place.project().join(".gitignore")).unwrap();
    assert_eq!(lines, ".letta/settings.local.json\n");
    add("Bash(ls)", "user");
    let folder = std::fs::metadata(place.path("home/.letta")).unwrap();
    assert_eq!(folder.permissions().mode() & 0o777, 0o700);
    // A file that does not parse stays as it is.
    let broken = place.write(".letta/settings.json", "{ \"permissions\": {\n");
    let refused = place.run(["rules", "add", "Bash(ls)", "--list", "allow", "--scope", "project"]);
    refused.expect(125, &["does not parse, so it was not changed: line 1, column 18"]);
    assert_eq!(std::fs::read_to_string(broken).unwrap(), "{ \"permissions\": {\n");
}

/// Whoever put a file where the folder of the settings belongs meant settings: none are read there, and that is told.
#[test]
fn a_file_in_the_place_of_the_settings_folder_is_told() {
    for (profile, folder) in [("letta", ".letta"), ("claude", ".claude"), ("portcullis", ".portcullis")] {
        let place = Place::new();
        let file = place.write(folder, "deny rm");
        let asked = place.run(["check", "--profile", profile, "ls"]);
        assert_eq!(asked.code, Some(1), "{asked:#?}");
        let at = format!("at: {}", file.display());
        asked.expect(1, &["is a file where the folder of the settings belongs", &at, "do: move it away"]);
        place.run(["rules", "lint", "--profile", profile]).expect(1, &[]);
        let add =
            ["rules", "add", "--profile", profile, "--list", "deny", "--scope", "project", "Bash(rm:*)"];
        place.run(add).expect(125, &["is a file where the folder of the settings belongs", "move it away"]);
        assert_eq!(std::fs::read_to_string(file).unwrap(), "deny rm");
    }
}

#[test]
fn in_the_home_directory_the_projects_settings_are_the_users() {
    let place = Place::new();
    let home = place.path("home").display().to_string();
    let add =
        |scope| place.run(["rules", "add", "--cwd", &home, "--list", "deny", "--scope", scope, "Read(x)"]);
    add("project").expect(125, &["because the project is the home directory (choose user or local)"]);
    add("user").expect(0, &[]);
}

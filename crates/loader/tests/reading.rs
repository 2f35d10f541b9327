//! How files are read, key by key.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

mod common;

use common::{World, labels};
use portcullis_loader::{RuleSpec, Scope, Severity, Status, Threshold};

#[test]
fn sections_that_are_misspelt_and_lists_beside_permissions_are_warned_of() {
    let warned = |text: &str| {
        let world = World::new();
        world.put(Scope::User, text);
        let all = world.load().diagnostics;
        all.into_iter().map(|found| (found.severity, found.column, found.remedy)).collect::<Vec<_>>()
    };
    for (key, meant) in [
        ("permisions", "permissions"),
        ("Permissions", "permissions"),
        ("permission", "permissions"),
        ("sandobx", "sandbox"),
        ("hook", "hooks"),
        ("logs", "log"),
    ] {
        let wanted = (Severity::Warning, Some(3), format!("did you mean `{meant}`?"));
        assert_eq!(warned(&format!("{{ \"{key}\": {{}} }}")), [wanted], "{key}");
    }
    let moved = warned(r#"{ "deny": ["Read(x)"] }"#);
    assert!(moved.len() == 1 && moved[0].2.starts_with("move it into `permissions`"), "{moved:?}");
    for key in ["allowManagedRulesOnly", "confinedAuto", "disableBypassPermissionsMode", "askTimeoutMs"] {
        let moved = warned(&format!("{{ \"{key}\": true }}"));
        let meant = format!("move it into `permissions`: `\"permissions\": {{ \"{key}\": ... }}`");
        assert!(moved.len() == 1 && moved[0].2 == meant, "{moved:?}");
    }
    // Keys of others.
    for text in [r#"{ "theme": {}, "env": {}, "model": "x", "logs": true, "ask": false, "blog": 1 }"#, "{}"] {
        assert_eq!(warned(text), [], "{text}");
    }
}

#[test]
fn comments_trailing_commas_and_a_byte_order_mark_are_accepted() {
    let world = World::new();
    world.put(
        Scope::User,
        "\u{feff}{ // why\n /* and */ \"permissions\": { \"deny\": [\"Read(.env)\",], \"allow\": [ ], },\r\n}\n// end",
    );
    let loaded = world.load();
    assert_eq!(labels(&loaded.rules.deny), ["Read(.env)"]);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
}

/// Text, and the line and column of what is wrong with it.
const BROKEN: &[(&str, u32, u32)] = &[
    ("", 1, 1),
    (" // only a comment", 1, 19),
    ("[]", 1, 1),
    ("null", 1, 1),
    ("{", 1, 1),
    ("{}\n{}", 2, 1),
    ("{\"a\":1}}", 1, 8),
    ("{'permissions':{}}", 1, 2),
    ("{permissions:{}}", 1, 2),
    ("{\"a\":[1\n 2]}", 1, 8),
    ("{\"a\":1\n\"b\":2}", 1, 7),
    ("{\"a\":0x1}", 1, 6),
    ("{\"permissions\":{\"askTimeoutMs\":01}}", 1, 33),
    ("{\"a\":+1}", 1, 6),
    ("{\"a\":.5}", 1, 6),
    ("{\"a\":NaN}", 1, 6),
    ("{\"a\":\"\\x41\"}", 1, 7),
    ("{\"a\":\"b\nc\"}", 1, 8),
    ("{\u{a0}}", 1, 2),
    ("{}\u{feff}", 1, 3),
    ("{\"é\":1,\u{2028}}", 1, 8),
    ("{\"permissions\":{},\n\"permissions\":{}}", 2, 1),
    ("{\"permissions\":{},\n\"\\u0070ermissions\":{}}", 2, 1),
    ("{\"permissions\":{\"deny\":[],\n \"deny\":[]}}", 2, 2),
    ("{\"hooks\":{\"Stop\":[{\"a\":1,\n\"a\":2}]}}", 2, 1),
    ("{\"permissions\":{\"ask\":[{\"regex\":\"a\",\"regex\":\"b\"}]}}", 1, 37),
];

#[test]
fn everything_looser_is_an_error_with_its_position() {
    let world = World::new();
    world.put(Scope::Project, r#"{"permissions":{"deny":["Bash(x)"]}}"#);
    let mut wrong = Vec::new();
    for (text, line, column) in BROKEN {
        let file = world.put(Scope::User, text);
        let loaded = world.load();
        let found = &loaded.diagnostics[0];
        assert_eq!(found.severity, Severity::Error, "{text:?}");
        if (found.line, found.column) != (Some(*line), Some(*column)) {
            wrong.push(format!("{text:?}: {found}"));
            continue;
        }
        assert_eq!(loaded.degraded, Some(format!("{}:{line}", file.display())), "{text:?}");
        let state = loaded.files.iter().find(|state| state.path == file).unwrap();
        assert_eq!(state.status, Status::Broken, "{text:?}");
        assert_eq!(labels(&loaded.rules.deny), ["Bash(x)"], "deny of other files still denies");
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn repeated_keys_outside_the_sections_that_are_read_are_left_alone() {
    let world = World::new();
    world.put(Scope::User, r#"{"theme":1,"theme":2,"env":{"A":1,"A":2},"permissions":{}}"#);
    assert!(world.load().diagnostics.is_empty());
}

#[test]
fn bytes_that_are_not_text_are_an_error_with_their_position() {
    let world = World::new();
    let file = world.put(Scope::User, "");
    std::fs::write(&file, b"{\n \"a\": \"\xff\"}").unwrap();
    let loaded = world.load();
    assert_eq!((loaded.diagnostics[0].line, loaded.diagnostics[0].column), (Some(2), Some(8)));
    // UTF-16 is not JSON either.
    std::fs::write(&file, b"\xff\xfe{\0}\0").unwrap();
    assert!(world.load().degraded.is_some());
}

/// Text, line, column, and a part of the message.
const WRONG: &[(&str, u32, u32, &str)] = &[
    ("{\"permissions\": 1}", 1, 17, "`permissions` should be an object, found a number"),
    ("{\"permissions\":{\n\"deny\": \"x\"}}", 2, 9, "`permissions.deny` should be an array, found a string"),
    ("{\"permissions\":{\"deny\":[\n5]}}", 2, 1, "should be a string or an object, found a number"),
    (
        "{\"permissions\":{\"deny\":{\"a\":1}}}",
        1,
        24,
        "`permissions.deny` should be an array, found an object",
    ),
    ("{\"permissions\":{\"allow\":[null]}}", 1, 26, "found null"),
    ("{\"permissions\":{\"mode\":5}}", 1, 24, "`permissions.mode` should be a string, found a number"),
    ("{\"permissions\":{\"additionalDirectories\":[1]}}", 1, 42, "should be a string"),
    ("{\"permissions\":{\"askTimeoutMs\":0}}", 1, 32, "from 1 to 2147483647, found `0`"),
    ("{\"permissions\":{\"askTimeoutMs\":2147483648}}", 1, 32, "found `2147483648`"),
    ("{\"permissions\":{\"askTimeoutMs\":1.5}}", 1, 32, "a whole number"),
    ("{\"permissions\":{\"askTimeoutMs\":\"1\"}}", 1, 32, "found a string"),
    ("{\"permissions\":{\"secrets\":[]}}", 1, 27, "`permissions.secrets` should be an object"),
    (
        "{\"permissions\":{\"protected\":{\"add\":\"x\"}}}",
        1,
        36,
        "`permissions.protected.add` should be an array",
    ),
    ("{\"permissions\":{\"confinedAuto\":\"yes\"}}", 1, 32, "true or false"),
    ("{\"hooks\":[]}", 1, 10, "`hooks` should be an object"),
    (
        "{\"sandbox\":{\"mode\":\"none\"}}",
        1,
        20,
        "one of `read-only`, `workspace-write`, `danger-full-access`",
    ),
    ("{\"sandbox\":{\"network\":true}}", 1, 23, "one of `open`, `blocked`, found a boolean"),
    ("{\"sandbox\":{\"hidden\":\"x\"}}", 1, 22, "an array"),
    ("{\"sandbox\":{\"limits\":1}}", 1, 22, "an object"),
    (
        "{\"sandbox\":{\"limits\":{\"processes\":0}}}",
        1,
        35,
        "`sandbox.limits.processes` should be a whole number",
    ),
    ("{\"sandbox\":{\"limits\":{\"cpuSeconds\":\"1\"}}}", 1, 36, "a whole number from 1"),
    ("{\"log\":{\"path\":\"here.jsonl\"}}", 1, 16, "should be an absolute path"),
    ("{\"sandbox\":{\"backend\":\"docker\"}}", 1, 23, "`bwrap`"),
    ("{\"sandbox\":{\"allowUnixSockets\":1}}", 1, 32, "true or false"),
    ("{\"trust\":{\"inheritIntoRepositories\":0}}", 1, 37, "true or false"),
    ("{\"log\":{\"path\":true}}", 1, 16, "a string"),
    ("{\"log\":{\"redact\":\"no\"}}", 1, 18, "true or false"),
    ("{\"spill\":{\"maxInlineTokens\":-1}}", 1, 29, "a whole number"),
    ("{\"spill\":{\"retainDays\":null}}", 1, 24, "a whole number"),
    ("{\"permissions\":{\"deny\":[{}]}}", 1, 25, "needs one of"),
    ("{\"permissions\":{\"deny\":[{\"rule\":\"a\",\"regex\":\"b\"}]}}", 1, 25, "only one of"),
    ("{\"permissions\":{\"deny\":[{\"regex\":\"b\",\"why\":\"b\"}]}}", 1, 38, "the key `why`"),
    ("{\"permissions\":{\"deny\":[{\"tool\":[],\"regex\":\"b\"}]}}", 1, 33, "names no tool"),
    ("{\"permissions\":{\"deny\":[{\"tool\":\"Bash\",\"rule\":\"b\"}]}}", 1, 25, "beside `rule`"),
    ("{\"permissions\":{\"allow\":[{\"regex\":\"b\"}]}}", 1, 26, "takes no `pattern`"),
    ("{\"permissions\":{\"restrict\":[{\"pattern\":\"b\"}]}}", 1, 29, "takes no `pattern`"),
];

#[test]
fn wrong_types_are_reported_with_position_and_expected_type() {
    let world = World::new();
    let mut wrong = Vec::new();
    for (text, line, column, message) in WRONG {
        let file = world.put(Scope::User, text);
        let loaded = world.load();
        let found = &loaded.diagnostics[0];
        assert_eq!(found.severity, Severity::Error, "{text}");
        if (found.line, found.column) != (Some(*line), Some(*column)) {
            wrong.push(format!("{text:?}: {found}"));
            continue;
        }
        assert!(found.message.contains(message), "{text}: {found}");
        assert!(!found.remedy.is_empty());
        assert_eq!(loaded.degraded, Some(format!("{}:{line}", file.display())), "{text}");
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn one_wrong_field_does_not_drop_the_others() {
    let world = World::new();
    world.put(
        Scope::User,
        r#"{"permissions":{"deny":[5,"Read(.env)"],"ask":1,"alwaysAsk":["Task"]},"log":{"required":true}}"#,
    );
    let loaded = world.load();
    assert_eq!(labels(&loaded.rules.deny), ["Read(.env)"]);
    assert_eq!(labels(&loaded.rules.always_ask), ["Task"]);
    assert!(loaded.settings.log.required.unwrap().value);
    assert_eq!(loaded.diagnostics.len(), 2);
    assert!(loaded.files.iter().any(|file| file.status == Status::Faulty));
}

#[test]
fn unknown_keys_inside_permissions_are_warnings_and_others_are_not_ours() {
    let world = World::new();
    world.put(
        Scope::User,
        "{\"theme\":{},\"permissions\":{\n \"alow\":[], \"always_ask\":[], \"read\":{\"deny\":[\"x\"]}}}",
    );
    let loaded = world.load();
    let found: Vec<_> = loaded
        .diagnostics
        .iter()
        .map(|found| (found.severity, found.line, found.column, found.remedy.as_str()))
        .collect();
    assert_eq!(found[0], (Severity::Warning, Some(2), Some(2), "did you mean `allow`?"));
    assert_eq!(found[1], (Severity::Warning, Some(2), Some(13), "did you mean `alwaysAsk`?"));
    assert!(found[2].3.starts_with("known here are `mode`, `allow`"));
    assert_eq!(found.len(), 3);
    assert_eq!(loaded.degraded, None);
}

#[test]
fn a_list_that_is_null_is_told() {
    for (text, severity) in [
        (r#"{"permissions":{"allow":null}}"#, Severity::Warning),
        (r#"{"permissions":{"deny":null}}"#, Severity::Error),
        (r#"{"permissions":{"ask":null}}"#, Severity::Error),
        (r#"{"permissions":{"alwaysAsk":null}}"#, Severity::Error),
        (r#"{"permissions":{"restrict":null}}"#, Severity::Error),
        (r#"{"permissions":{"additionalDirectories":null}}"#, Severity::Error),
        (r#"{"permissions":{"secrets":{"add":null}}}"#, Severity::Error),
        (r#"{"permissions":{"protected":{"remove":null}}}"#, Severity::Error),
        (r#"{"permissions":{"protected":{"add":["!x"]}}}"#, Severity::Error),
        (r#"{"permissions":{"secrets":{"add":[""]}}}"#, Severity::Error),
        (r#"{"sandbox":{"hidden":null}}"#, Severity::Error),
        (r#"{"sandbox":{"protected":["!x"]}}"#, Severity::Error),
    ] {
        let world = World::new();
        world.put(Scope::User, text);
        let loaded = world.load();
        let found: Vec<Severity> = loaded.diagnostics.iter().map(|found| found.severity).collect();
        assert_eq!(found, [severity], "{text}");
        assert_eq!(loaded.degraded.is_some(), severity == Severity::Error, "{text}");
        assert_eq!(loaded.rules, portcullis_loader::Rules::default(), "{text}");
    }
}

#[test]
fn every_key_of_the_table() {
    let world = World::new();
    world.put(
        Scope::User,
        r#"{
          "permissions": { "askTimeoutMs": 2147483647, "confinedAuto": false,
            "secrets": {"add":["a"],"remove":["b"]}, "protected": {"add":["c"],"remove":["d"]} },
          "hooks": {"disabled": false, "Stop": [{"hooks":[{"type":"command","timeout":1.5e3}]}]},
          "sandbox": { "mode":"read-only","network":"blocked","hidden":["h"],"writable":["w"],"protected":["p"],
            "env":"scrub","limits":{"cpuSeconds":5,"memoryBytes":6,"processes":7,"fileBytes":8},"backend":"landlock","allowUnixSockets":true,"failIfUnavailable":false },
          "trust": {"inheritIntoRepositories":true},
          "log": {"path":"~/log.jsonl","required":true,"sqlite":true,"redact":false},
          "spill": {"maxInlineTokens":null,"maxInlineBytes":100,"retainDays":0}
        }"#,
    );
    let loaded = world.load();
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let settings = loaded.settings;
    assert_eq!(settings.ask_timeout_ms.unwrap().value, 2_147_483_647);
    assert!(!settings.confined_auto.unwrap().value);
    assert_eq!(settings.secrets.remove[0].value, "b");
    assert_eq!(settings.protected.add[0].value, "c");
    let hooks = &settings.hooks[0];
    assert_eq!(hooks.value["Stop"][0]["hooks"][0]["timeout"], 1500.0);
    assert_eq!(hooks.source.line, Some(4));
    let sandbox = settings.sandbox;
    assert_eq!(sandbox.mode.unwrap().value, "read-only");
    assert_eq!(sandbox.network.unwrap().value, "blocked");
    assert_eq!(sandbox.hidden[0].value, "h");
    assert_eq!(sandbox.writable[0].value, "w");
    assert_eq!(sandbox.protected[0].value, "p");
    assert_eq!(sandbox.env.unwrap().value, "scrub");
    let limits = sandbox.limits;
    let limits = [limits.cpu_seconds, limits.memory_bytes, limits.processes, limits.file_bytes];
    assert_eq!(limits.map(|limit| limit.unwrap().value), [5, 6, 7, 8]);
    assert_eq!(sandbox.backend.unwrap().value, "landlock");
    assert!(sandbox.allow_unix_sockets.unwrap().value);
    assert!(!sandbox.fail_if_unavailable.unwrap().value);
    assert!(settings.inherit_into_repositories.unwrap().value);
    assert_eq!(settings.log.path.unwrap().value, world.home.join("log.jsonl"));
    assert!(settings.log.required.unwrap().value);
    assert!(settings.log.sqlite.unwrap().value);
    assert!(!settings.log.redact.unwrap().value);
    assert_eq!(settings.spill.max_inline_tokens.unwrap().value, Threshold::Off);
    assert_eq!(settings.spill.max_inline_bytes.unwrap().value, Threshold::At(100));
    assert_eq!(settings.spill.retain_days.unwrap().value, 0);
}

#[test]
fn rule_objects() {
    let world = World::new();
    world.put(
        Scope::User,
        r#"{"permissions":{"deny":[
          {"tool":["write","edit"],"pattern":"*secret*","reason":"why"},
          {"regex":"curl .*\\|"}],
         "allow":[{"rule":"Bash(git push:*)","reason":"often"}]}}"#,
    );
    let loaded = world.load();
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let RuleSpec::Object(first) = &loaded.rules.deny[0].spec else { panic!("not an object") };
    assert_eq!(first.tools, ["write", "edit"]);
    assert_eq!(first.pattern.as_deref(), Some("*secret*"));
    assert_eq!(loaded.rules.deny[0].reason.as_deref(), Some("why"));
    assert_eq!(loaded.rules.deny[0].source.line, Some(2));
    let RuleSpec::Object(second) = &loaded.rules.deny[1].spec else { panic!("not an object") };
    assert_eq!(second.tools, ["Bash"]);
    assert_eq!(second.regex.as_deref(), Some("curl .*\\|"));
    assert_eq!(loaded.rules.allow[0].spec, RuleSpec::Text("Bash(git push:*)".into()));
    assert_eq!(loaded.rules.allow[0].reason.as_deref(), Some("often"));
}

#[test]
fn a_file_that_is_too_large_degrades() {
    let world = World::new();
    let file = world.put(Scope::User, "");
    let pad = |length: usize| format!("{{}}{}", " ".repeat(length - 2));
    std::fs::write(&file, pad(4 << 20)).unwrap();
    assert_eq!(world.load().degraded, None);
    std::fs::write(&file, pad((4 << 20) + 1)).unwrap();
    let loaded = world.load();
    assert_eq!(loaded.degraded, Some(file.display().to_string()));
    assert!(loaded.diagnostics[0].message.contains("4 MiB"));
}

#[test]
fn deep_nesting_is_an_error_not_a_crash() {
    let world = World::new();
    world.put(Scope::User, &format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000)));
    assert!(world.load().degraded.is_some());
}

#[cfg(unix)]
#[test]
fn devices_pipes_folders_and_loops_degrade() {
    use std::os::unix::fs::symlink;
    let world = World::new();
    let file = world.put(Scope::User, "");
    for target in ["/dev/zero", "/dev/null"] {
        std::fs::remove_file(&file).unwrap();
        symlink(target, &file).unwrap();
        let loaded = world.load();
        assert_eq!(loaded.degraded, Some(file.display().to_string()), "{target}");
        assert!(loaded.diagnostics[0].message.contains("not a regular file"), "{target}");
    }
    std::fs::remove_file(&file).unwrap();
    symlink(&file, &file).unwrap();
    assert!(world.load().degraded.is_some(), "a link to itself");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert!(world.load().degraded.is_some(), "a folder");
    std::fs::remove_dir(&file).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&file).status().unwrap();
    assert!(made.success());
    assert!(world.load().degraded.is_some(), "a pipe, without waiting for its writer");
}

#[cfg(unix)]
#[test]
fn a_dangling_link_is_told_and_so_is_a_file_in_place_of_the_folder() {
    let world = World::new();
    let file = world.put(Scope::User, "");
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("/nowhere/at/all", &file).unwrap();
    let loaded = world.load();
    assert_eq!(loaded.degraded, Some(file.display().to_string()));
    assert!(
        loaded.diagnostics[0].message.contains("is a link that leads nowhere"),
        "{:?}",
        loaded.diagnostics
    );
    let folder = file.parent().unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    std::os::unix::fs::symlink("/nowhere/at/all", folder).unwrap();
    assert!(world.load().degraded.is_some(), "so is its folder");
    std::fs::remove_file(folder).unwrap();
    assert_eq!(world.load().degraded, None);
    let misplaced = world.project.join(".letta");
    std::fs::write(&misplaced, "").unwrap();
    let loaded = world.load();
    assert_eq!(loaded.degraded, Some(misplaced.display().to_string()));
    assert!(loaded.diagnostics[0].message.contains("is a file where the folder"), "{:?}", loaded.diagnostics);
    std::fs::remove_file(&misplaced).unwrap();
    assert_eq!(world.load().degraded, None);
}

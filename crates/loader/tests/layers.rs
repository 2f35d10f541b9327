//! Which layer may say what.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

mod common;

use common::{World, labels};
use portcullis_loader::{Mode, Scope, Severity, Standing, Status};

#[test]
fn lists_are_concatenated_broadest_first_with_exact_places() {
    let mut world = World::new();
    world.trusted = true;
    let managed = world.put(Scope::Managed, "{\n  \"permissions\": { \"allow\": [\"Bash(a)\"] }\n}");
    let user =
        world.put(Scope::User, "{ \"permissions\": {\n\n \"allow\": [\n  \"Bash(b)\",\n  \"Bash(c)\" ] } }");
    let project = world.put(Scope::Project, "// é\n{ \"permissions\": { \"allow\": [\"Bash(d)\"] } }");
    let local = world.put(Scope::Local, "{ \"permissions\": { \"allow\": [\r\n\"Bash(e)\"] } }");
    world.own_local("letta");
    let loaded = world.load();
    let places: Vec<_> = loaded
        .rules
        .allow
        .iter()
        .map(|rule| {
            let file = rule.source.file.as_deref().unwrap().to_owned();
            (rule.label(), rule.source.scope, file, (rule.source.line.unwrap(), rule.source.column.unwrap()))
        })
        .collect();
    let file = |path: &std::path::Path| path.to_str().unwrap().to_owned();
    assert_eq!(
        places,
        [
            ("Bash(a)".into(), Scope::Managed, file(&managed), (2, 30)),
            ("Bash(b)".into(), Scope::User, file(&user), (4, 3)),
            ("Bash(c)".into(), Scope::User, file(&user), (5, 3)),
            ("Bash(d)".into(), Scope::Project, file(&project), (2, 30)),
            ("Bash(e)".into(), Scope::Local, file(&local), (2, 1)),
        ]
    );
    assert_eq!(loaded.degraded, None);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
}

#[test]
fn a_missing_file_is_absent_and_nothing_else() {
    let world = World::new();
    let loaded = world.load();
    assert!(loaded.files.iter().all(|file| file.status == Status::Absent && file.standing.is_none()));
    assert_eq!(loaded.files.len(), 5);
    assert_eq!(loaded.degraded, None);
    assert_eq!(loaded.rules, portcullis_loader::Rules::default());
}

#[test]
fn a_narrower_mode_wins_and_a_managed_one_beats_all() {
    let mut world = World::new();
    world.trusted = true;
    world.put(Scope::User, r#"{"permissions":{"mode":"strict"}}"#);
    world.put(Scope::Project, r#"{"permissions":{"mode":"acceptEdits"}}"#);
    assert_eq!(world.load().rules.mode.unwrap().0, Mode::AcceptEdits);
    world.put(Scope::Managed, r#"{"permissions":{"mode":"plan"}}"#);
    let (mode, source) = world.load().rules.mode.unwrap();
    assert_eq!((mode, source.scope), (Mode::Plan, Scope::Managed));
}

#[test]
fn old_mode_names_are_migrated_and_unknown_ones_reported() {
    let world = World::new();
    for (name, mode) in [("default", Mode::Standard), ("bypassPermissions", Mode::Unrestricted)] {
        world.put(Scope::User, &format!(r#"{{"permissions":{{"mode":"{name}"}}}}"#));
        assert_eq!(world.load().rules.mode.unwrap().0, mode);
    }
    world.put(Scope::User, "{\"permissions\":{\n \"mode\": \"bogus\"}}");
    let loaded = world.load();
    assert_eq!(loaded.rules.mode, None);
    let found = &loaded.diagnostics[0];
    assert_eq!((found.severity, found.line, found.column), (Severity::Warning, Some(2), Some(10)));
    assert_eq!(loaded.degraded, None);
}

const EVERYTHING: &str = r#"{
  "permissions": {
    "mode": "unrestricted", "allow": ["Bash(*)"], "deny": ["Read(.env)"], "ask": ["Write(**)"],
    "alwaysAsk": ["Bash(git push:*)"], "restrict": ["Bash(rm:*)"], "additionalDirectories": ["."],
    "askTimeoutMs": 5, "confinedAuto": true,
    "secrets": { "add": ["s1"], "remove": ["s2"] }, "protected": { "add": ["p1"], "remove": ["p2"] }
  },
  "hooks": { "Stop": [] },
  "sandbox": { "mode": "danger-full-access", "writable": ["/"] },
  "trust": { "inheritIntoRepositories": true },
  "log": { "required": true },
  "spill": { "retainDays": 1 }
}"#;

fn assert_only_tightening(loaded: &portcullis_loader::Loaded) {
    let rules = &loaded.rules;
    assert_eq!(labels(&rules.deny), ["Read(.env)"]);
    assert_eq!(labels(&rules.ask), ["Write(**)"]);
    assert_eq!(labels(&rules.always_ask), ["Bash(git push:*)"]);
    assert_eq!(labels(&rules.restrict), ["Bash(rm:*)"]);
    assert!(rules.allow.is_empty() && rules.additional_directories.is_empty() && rules.mode.is_none());
    let settings = &loaded.settings;
    assert_eq!(settings.secrets.add[0].value, "s1");
    assert_eq!(settings.protected.add[0].value, "p1");
    let mut rest = settings.clone();
    rest.secrets.add.clear();
    rest.protected.add.clear();
    assert_eq!(rest, portcullis_loader::Settings::default());
}

#[test]
fn a_project_that_is_not_trusted_can_only_tighten() {
    let world = World::new();
    world.put(Scope::Project, EVERYTHING);
    let loaded = world.load();
    assert_only_tightening(&loaded);
    let note = loaded.diagnostics.iter().find(|found| found.severity == Severity::Note).unwrap();
    assert!(note.message.contains("allow, mode, additionalDirectories, hooks, other settings"), "{note}");
}

#[test]
fn a_trusted_project_says_all_but_trust_and_log() {
    let mut world = World::new();
    world.trusted = true;
    world.put(Scope::Project, EVERYTHING);
    let loaded = world.load();
    assert_eq!(loaded.rules.mode.as_ref().unwrap().0, Mode::Unrestricted);
    assert_eq!(labels(&loaded.rules.allow), ["Bash(*)"]);
    assert_eq!(loaded.settings.ask_timeout_ms.as_ref().unwrap().value, 5);
    assert_eq!(loaded.settings.hooks.len(), 1);
    assert_eq!(loaded.settings.log, portcullis_loader::LogSettings::default());
    assert_eq!(loaded.settings.inherit_into_repositories, None);
    let warnings = loaded.diagnostics.iter().filter(|found| found.severity == Severity::Warning);
    assert_eq!(warnings.count(), 2);
    world.put(Scope::User, EVERYTHING);
    let loaded = world.load();
    assert!(loaded.settings.log.required.unwrap().value);
    assert!(loaded.settings.inherit_into_repositories.unwrap().value);
}

#[test]
fn a_local_file_counts_as_ours_only_if_we_saved_it() {
    let mut world = World::new();
    world.put(Scope::Local, EVERYTHING);
    assert_only_tightening(&world.load());

    world.own_local("letta");
    assert_eq!(labels(&world.load().rules.allow), ["Bash(*)"]);
    let loaded = world.load();
    assert_eq!(loaded.files.last().unwrap().standing, Some(Standing::Own));

    world.tracked = true;
    assert_only_tightening(&world.load());
    world.trusted = true;
    assert_eq!(world.load().files.last().unwrap().standing, Some(Standing::Trusted));
}

#[cfg(unix)]
#[test]
fn a_local_file_reached_through_a_link_counts_as_brought_by_the_project() {
    let world = World::new();
    let target = world.project.join("elsewhere/settings.local.json");
    world.write(&target, EVERYTHING);
    std::os::unix::fs::symlink(world.project.join("elsewhere"), world.project.join(".letta")).unwrap();
    world.own_local("letta");
    assert_only_tightening(&world.load());

    std::fs::remove_file(world.project.join(".letta")).unwrap();
    std::fs::create_dir(world.project.join(".letta")).unwrap();
    std::os::unix::fs::symlink(&target, world.project.join(".letta/settings.local.json")).unwrap();
    assert_only_tightening(&world.load());
}

#[test]
fn folders_below_the_root_only_tighten_even_in_a_trusted_project() {
    let mut world = World::new();
    world.trusted = true;
    let inner = world.project.join("a/b");
    world.write(&world.project.join("a/.letta/settings.json"), EVERYTHING);
    assert_eq!(world.load().rules, portcullis_loader::Rules::default(), "not on the way to the root itself");
    assert_only_tightening(&world.load_from("letta", &inner));
}

#[test]
fn the_home_directory_is_the_users_own_installation() {
    let mut world = World::new();
    world.project.clone_from(&world.home);
    world.put(Scope::Local, EVERYTHING);
    assert_eq!(labels(&world.load().rules.allow), ["Bash(*)"]);
}

#[test]
fn managed_settings_can_drop_every_other_allow_rule() {
    let world = World::new();
    world.put(Scope::User, r#"{"permissions":{"allow":["Bash(b)"],"deny":["Bash(c)"]}}"#);
    world.put(Scope::Managed, r#"{"permissions":{"allow":["Bash(a)"],"allowManagedRulesOnly":true}}"#);
    let loaded = world.load();
    assert_eq!(labels(&loaded.rules.allow), ["Bash(a)"]);
    assert_eq!(labels(&loaded.rules.deny), ["Bash(c)"]);
    assert!(loaded.settings.allow_managed_rules_only.unwrap().value);
}

#[test]
fn a_managed_lock_that_cannot_be_read_counts_as_closed() {
    let world = World::new();
    world.put(Scope::User, r#"{"permissions":{"allow":["Bash(b)"]}}"#);
    for broken in [
        r#"{"permissions":{"allowManagedRulesOnly":"no"}}"#,
        r#"{"permissions":[]}"#,
        "{",
        "",
        "{\"permissions\":{\"allowManagedRulesOnly\":false,\"allowManagedRulesOnly\":true}}",
    ] {
        world.put(Scope::Managed, broken);
        let loaded = world.load();
        assert!(loaded.rules.allow.is_empty(), "{broken}");
        assert!(loaded.degraded.is_some(), "{broken}");
    }
    world.put(Scope::Managed, r#"{"permissions":{"allowManagedRulesOnly":false}}"#);
    assert_eq!(labels(&world.load().rules.allow), ["Bash(b)"]);
}

#[test]
fn only_an_administrator_can_lock() {
    let world = World::new();
    world.put(Scope::User, r#"{"permissions":{"allow":["Bash(b)"],"allowManagedRulesOnly":true}}"#);
    let loaded = world.load();
    assert_eq!(labels(&loaded.rules.allow), ["Bash(b)"]);
    assert_eq!(loaded.diagnostics[0].severity, Severity::Warning);
}

#[test]
fn what_an_administrator_says_is_not_withdrawn() {
    let world = World::new();
    world.put(
        Scope::Managed,
        r#"{"permissions":{"secrets":{"add":["x"]},"askTimeoutMs":1},"sandbox":{"mode":"read-only"}}"#,
    );
    world.put(Scope::User, r#"{"permissions":{"secrets":{"remove":["x","y"]},"askTimeoutMs":2},"sandbox":{"mode":"workspace-write"}}"#);
    let settings = world.load().settings;
    let removed: Vec<_> = settings.secrets.remove.iter().map(|glob| glob.value.as_str()).collect();
    assert_eq!(removed, ["y"]);
    assert_eq!(settings.ask_timeout_ms.unwrap().value, 1);
    assert_eq!(settings.sandbox.mode.unwrap().value, "read-only");
}

#[test]
fn the_same_rule_in_a_narrower_scope_is_kept_where_the_scope_decides() {
    let world = World::new();
    let text =
        r#"{"permissions":{"deny":["Bash(a)","Bash(a)"],"ask":["Bash(b)","Bash(b)"],"alwaysAsk":["Task"]}}"#;
    world.put(Scope::User, text);
    world.put(Scope::Project, text);
    let rules = world.load().rules;
    assert_eq!(labels(&rules.deny), ["Bash(a)"]);
    assert_eq!(labels(&rules.always_ask), ["Task"]);
    // An ask rule of the project beats allow rules of the user, one of the user does not.
    let scopes: Vec<_> = rules.ask.iter().map(|rule| rule.source.scope).collect();
    assert_eq!(scopes, [Scope::User, Scope::Project]);
}

#[test]
fn additional_directories_are_resolved_where_they_stand() {
    let world = World::new();
    std::fs::create_dir_all(world.home.join("lib")).unwrap();
    std::fs::create_dir_all(world.system().join("home/shared")).unwrap();
    let file = world.put(
        Scope::User,
        "{\"permissions\":{\"additionalDirectories\":[\n\"lib\", \"~/lib\", \"../shared\",\n\"gone\"]}}",
    );
    let loaded = world.load();
    let home = world.home.to_str().unwrap();
    let shared = world.system().join("home/shared");
    assert_eq!(
        loaded.rules.additional_directories,
        [format!("{home}/lib"), shared.to_str().unwrap().to_owned(), format!("{home}/gone")]
    );
    let missing = &loaded.diagnostics[0];
    assert_eq!((missing.severity, missing.line), (Severity::Warning, Some(3)));
    assert_eq!(missing.file, file);
    assert_eq!(loaded.degraded, None);
}

#[test]
fn the_managed_lock_has_a_name_of_its_own_in_the_claude_dialect() {
    for managed in [
        r#"{"permissions":{"allow":["Bash(a)"]},"allowManagedPermissionRulesOnly":true}"#,
        r#"{"permissions":{"allow":["Bash(a)"],"allowManagedPermissionRulesOnly":true}}"#,
        r#"{"permissions":{"allow":["Bash(a)"]},"allowManagedPermissionRulesOnly":"yes"}"#,
    ] {
        let world = World::new();
        world.put_in("claude", Scope::User, r#"{"permissions":{"allow":["Bash(b)"],"deny":["Bash(c)"]}}"#);
        world.put_in("claude", Scope::Managed, managed);
        let loaded = world.load_in("claude");
        assert_eq!(labels(&loaded.rules.allow), ["Bash(a)"], "{managed}");
        assert_eq!(labels(&loaded.rules.deny), ["Bash(c)"], "{managed}");
    }
}

#[test]
fn the_claude_dialect() {
    let world = World::new();
    world.put_in(
        "claude",
        Scope::User,
        r#"{"permissions":{"defaultMode":"acceptEdits"},
            "sandbox":{"enabled":true,"network":{"allowedDomains":[]},
                       "filesystem":{"denyRead":["~/.ssh"],"denyWrite":["/etc"],"allowWrite":["/tmp"]}}}"#,
    );
    let loaded = world.load_in("claude");
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    assert_eq!(loaded.rules.mode.unwrap().0, Mode::AcceptEdits);
    assert_eq!(loaded.settings.sandbox.hidden[0].value, "~/.ssh");
    assert_eq!(loaded.settings.sandbox.protected[0].value, "/etc");

    world.put(Scope::User, r#"{"permissions":{"defaultMode":"acceptEdits"}}"#);
    let loaded = world.load();
    assert_eq!(loaded.rules.mode, None);
    assert_eq!(loaded.diagnostics[0].severity, Severity::Warning);
}

#[test]
fn the_mode_unrestricted_can_be_switched_off_in_the_claude_dialect() {
    let world = World::new();
    world.put_in("claude", Scope::User, r#"{"permissions":{"defaultMode":"bypassPermissions"}}"#);
    assert_eq!(world.load_in("claude").rules.mode.unwrap().0, Mode::Unrestricted);
    world.put_in("claude", Scope::Managed, r#"{"permissions":{"disableBypassPermissionsMode":"disable"}}"#);
    let loaded = world.load_in("claude");
    assert_eq!(loaded.rules.mode.unwrap().0, Mode::Standard);
    assert!(loaded.settings.unrestricted_disabled.unwrap().value);
}

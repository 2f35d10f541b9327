//! Edits in place.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

mod common;

use std::path::{Path, PathBuf};

use common::World;
use portcullis_loader::{EditError, Layout, ListKind, Places, SaveError, Saved, Scope, edit, remove, save};

fn add(world: &World, rule: &str, list: ListKind, scope: Scope) -> Saved {
    save(&world.layout("letta"), rule, list, scope, &world.saved).unwrap()
}

/// What a text becomes when `Bash(ls)` is added to its allow list.
fn after_adding(text: &str) -> String {
    let world = World::new();
    let file = world.put(Scope::User, text);
    assert!(add(&world, "Bash(ls)", ListKind::Allow, Scope::User).changed, "{text}");
    std::fs::read_to_string(file).unwrap()
}

#[test]
fn only_the_list_changes() {
    let cases = [
        // order, comments, indentation, unknown keys
        (
            "// head\n{\n\t\"z\": 1, // z\n\t\"permissions\": {\n\t\t\"allow\": [\n\t\t\t\"Bash(a)\" // why a\n\t\t],\n\t\t\"deny\": [ \"Read(x)\" ]\n\t},\n\t\"a\": {\"b\":[1,  2]}\n}\n// tail\n",
            "// head\n{\n\t\"z\": 1, // z\n\t\"permissions\": {\n\t\t\"allow\": [\n\t\t\t\"Bash(a)\", // why a\n\t\t\t\"Bash(ls)\"\n\t\t],\n\t\t\"deny\": [ \"Read(x)\" ]\n\t},\n\t\"a\": {\"b\":[1,  2]}\n}\n// tail\n",
        ),
        // one line stays one line; no newline at the end
        (
            r#"{"permissions":{"allow":["Bash(a)"]},"theme":"dark"}"#,
            r#"{"permissions":{"allow":["Bash(a)", "Bash(ls)"]},"theme":"dark"}"#,
        ),
        // trailing commas stay
        (
            "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(a)\",\n    ],\n  },\n}\n",
            "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(a)\",\n      \"Bash(ls)\",\n    ],\n  },\n}\n",
        ),
        // carriage returns and the byte-order mark stay
        (
            "\u{feff}{\r\n  \"permissions\": {\r\n    \"allow\": [\r\n      \"Bash(a)\"\r\n    ]\r\n  }\r\n}\r\n",
            "\u{feff}{\r\n  \"permissions\": {\r\n    \"allow\": [\r\n      \"Bash(a)\",\r\n      \"Bash(ls)\"\r\n    ]\r\n  }\r\n}\r\n",
        ),
        // what is missing is added
        (
            "{\n  \"theme\": 1\n}\n",
            "{\n  \"theme\": 1,\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls)\"\n    ]\n  }\n}\n",
        ),
        ("{}", "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls)\"\n    ]\n  }\n}"),
        ("{ \"permissions\": { \"allow\": null } }", "{ \"permissions\": { \"allow\": [\"Bash(ls)\"] } }"),
    ];
    for (before, after) in cases {
        assert_eq!(after_adding(before), after, "{before}");
    }
}

#[test]
fn a_comment_inside_an_empty_list_survives() {
    let after = after_adding("{\"permissions\":{\"allow\":[ // nothing yet\n]}}");
    assert!(after.contains("// nothing yet\n"), "{after}");
    let after = after_adding("{\"permissions\":{\"allow\":[\n  // nothing yet\n]}}");
    assert!(after.contains("// nothing yet\n"), "{after}");
}

#[test]
fn odd_characters_in_rules_survive() {
    let world = World::new();
    let odd = "Bash(echo \"a\\b\" '\u{e9}\u{202e}\u{1f600}' \u{1}\n\t)";
    let saved = add(&world, odd, ListKind::Deny, Scope::User);
    let loaded = world.load();
    assert_eq!(common::labels(&loaded.rules.deny), [saved.rule]);
}

#[test]
fn a_rule_object_is_not_taken_for_the_name_of_a_tool() {
    let world = World::new();
    let rule = r#"{"pattern":"*production*"}"#;
    let saved =
        portcullis_loader::save(&world.layout("letta"), rule, ListKind::Deny, Scope::User, &world.saved);
    assert!(saved.unwrap_err().to_string().contains("give its `pattern` or `regex`"));
    assert!(!world.layout("letta").file(Scope::User).unwrap().exists());
}

#[test]
fn an_equivalent_rule_is_not_added_again() {
    let world = World::new();
    let file =
        world.put(Scope::User, r#"{"permissions":{"allow":["Bash(a)",{"rule":"Bash(b)","reason":"r"}]}}"#);
    let before = std::fs::read(&file).unwrap();
    for rule in ["Bash(a)", " Bash(b) "] {
        assert!(!add(&world, rule, ListKind::Allow, Scope::User).changed, "{rule}");
    }
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn removing_is_the_inverse_of_adding() {
    let texts = [
        "{\n  // c\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(a)\", // a\n      \"Bash(b)\"\n    ]\n  }\n}\n",
        r#"{"permissions":{"allow":["Bash(a)"]}}"#,
    ];
    for text in texts {
        let world = World::new();
        let file = world.put(Scope::User, text);
        add(&world, "Bash(ls)", ListKind::Allow, Scope::User);
        let layout = world.layout("letta");
        let gone = remove(&layout, "Bash(ls)", ListKind::Allow, Scope::User, &world.saved).unwrap();
        assert!(gone.changed);
        let after = std::fs::read_to_string(file).unwrap();
        assert_eq!(after.replace("\"Bash(b)\",", "\"Bash(b)\""), text);
        let again = remove(&layout, "Bash(ls)", ListKind::Allow, Scope::User, &world.saved).unwrap();
        assert!(!again.changed);
    }
}

#[test]
fn removing_leaves_every_comment_and_a_tidy_list() {
    let table = [
        ("[\"Bash(x)\"]", "[]"),
        ("[ \"Bash(x)\" ]", "[ ]"),
        ("[\"Bash(x)\", \"Bash(b)\"]", "[\"Bash(b)\"]"),
        ("[\"Bash(a)\", \"Bash(x)\", \"Bash(b)\"]", "[\"Bash(a)\", \"Bash(b)\"]"),
        ("[\"Bash(a)\", \"Bash(x)\"]", "[\"Bash(a)\"]"),
        ("[\n  \"Bash(x)\"\n]", "[\n]"),
        ("[\n  \"Bash(a)\",\n  \"Bash(x)\"\n]", "[\n  \"Bash(a)\"\n]"),
        ("[\n  \"Bash(a)\",\n  \"Bash(x)\",\n]", "[\n  \"Bash(a)\",\n]"),
        ("[\n  \"Bash(x)\",\n  \"Bash(b)\"\n]", "[\n  \"Bash(b)\"\n]"),
        ("[\r\n  \"Bash(x)\",\r\n  \"Bash(b)\"\r\n]", "[\r\n  \"Bash(b)\"\r\n]"),
        // Comments.
        ("[ // 1\n  // 2\n  \"Bash(x)\" // 3\n  // 4\n]", "[ // 1\n  // 2\n  // 3\n  // 4\n]"),
        ("[\n  // 1\n  \"Bash(x)\",\n  // 2\n]", "[\n  // 1\n  // 2\n]"),
        ("[ /* 1 */ \"Bash(x)\" /* 2 */ ]", "[ /* 1 */ /* 2 */ ]"),
        ("[\n  \"Bash(a)\", // 1\n  \"Bash(x)\" // 2\n]", "[\n  \"Bash(a)\" // 1\n  // 2\n]"),
        (
            "[\n  \"Bash(a)\", // 1\n  \"Bash(x)\", // 2\n  \"Bash(b)\" // 3\n]",
            "[\n  \"Bash(a)\", // 1\n  // 2\n  \"Bash(b)\" // 3\n]",
        ),
        // Several, and objects.
        ("[\"Bash(x)\", \"Bash(x)\" /* 1 */, \"Bash(x)\"]", "[/* 1 */]"),
        (
            "[\n  { \"rule\": \"Bash(x)\" }, // 1\n  \"Bash(x)\",\n  \"Bash(b)\"\n]",
            "[\n  // 1\n  \"Bash(b)\"\n]",
        ),
    ];
    for (before, after) in table {
        let world = World::new();
        let whole = |list: &str| format!("{{\n  \"permissions\": {{ \"ask\": {list} }} // end\n}}\n");
        let file = world.put(Scope::User, &whole(before));
        let layout = world.layout("letta");
        assert!(remove(&layout, "Bash(x)", ListKind::Ask, Scope::User, &world.saved).unwrap().changed);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), whole(after), "{before}");
        // What is left can be added to.
        add(&world, "Bash(y)", ListKind::Ask, Scope::User);
        let loaded = world.load();
        assert!(
            loaded.degraded.is_none() && common::labels(&loaded.rules.ask).contains(&"Bash(y)".to_owned()),
            "{before}"
        );
    }
}

#[test]
fn removing_takes_rule_objects_and_every_equivalent() {
    let world = World::new();
    world.put(
        Scope::User,
        r#"{"permissions":{"ask":["Bash(a)",{"rule":"Bash(a)","reason":"r"},"Bash(b)","Bash(a)"]}}"#,
    );
    remove(&world.layout("letta"), "Bash(a)", ListKind::Ask, Scope::User, &world.saved).unwrap();
    assert_eq!(common::labels(&world.load().rules.ask), ["Bash(b)"]);
}

#[test]
fn a_file_that_does_not_parse_is_never_overwritten() {
    let world = World::new();
    for broken in [
        "{ \"permissions\": { \"deny\": [\"Read(.env)\"] ",
        "",
        "{'a':1}",
        "{\"permissions\":{\"a\":1,\"a\":2}}",
        "[]",
    ] {
        let file = world.put(Scope::User, broken);
        let layout = world.layout("letta");
        let error = save(&layout, "Bash(ls)", ListKind::Allow, Scope::User, &world.saved).unwrap_err();
        let SaveError::File(EditError::Syntax { file: named, source }) = &error else { panic!("{error}") };
        assert_eq!((named, source.at.line), (&file, 1));
        assert!(error.to_string().contains("does not parse"), "{error}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), broken);
        assert!(remove(&layout, "Bash(ls)", ListKind::Allow, Scope::User, &world.saved).is_err());
        assert!(edit(&file, "/a", Some(&1.into())).is_err());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), broken);
    }
}

#[test]
fn a_value_of_another_type_is_never_replaced() {
    let world = World::new();
    for (text, pointer) in [
        (r#"{"permissions":1}"#, "/permissions"),
        (r#"{"permissions":{"allow":"Bash(a)"}}"#, "/permissions/allow"),
    ] {
        let file = world.put(Scope::User, text);
        let error =
            save(&world.layout("letta"), "Bash(ls)", ListKind::Allow, Scope::User, &world.saved).unwrap_err();
        assert!(
            matches!(&error, SaveError::File(EditError::Shape { pointer: at, .. }) if at == pointer),
            "{error}"
        );
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    }
}

#[test]
fn without_a_home_the_message_says_that_it_is_the_home_that_is_missing() {
    let world = World::new();
    let layout = Layout::letta(&Places::new(None, None, &world.layout("letta").project_root));
    let error = save(&layout, "Bash(ls)", ListKind::Allow, Scope::User, &world.saved).unwrap_err();
    assert!(matches!(error, SaveError::NoPlace(Scope::User)));
    assert!(error.to_string().contains("HOME"), "{error}");
}

#[test]
fn rules_below_the_home_directory_are_saved_and_removed_everywhere() {
    let world = World::new();
    let all = [ListKind::Allow, ListKind::Deny, ListKind::Ask, ListKind::AlwaysAsk, ListKind::Restrict];
    let some = [ListKind::Deny];
    for (profile, lists) in [("letta", &all[..]), ("claude", &some), ("portcullis", &some)] {
        let layout = world.layout(profile);
        for scope in [Scope::User, Scope::Project, Scope::Local] {
            for &list in lists {
                for rule in ["Read(~/.ssh/**)", "Edit(/etc/**)"] {
                    let done = save(&layout, rule, list, scope, &world.saved).unwrap();
                    assert_eq!(
                        (done.rule.as_str(), done.changed),
                        (rule, true),
                        "{profile} {scope:?} {list:?}"
                    );
                    assert!(remove(&layout, rule, list, scope, &world.saved).unwrap().changed, "{rule}");
                }
            }
        }
    }
    // Nobody knows where it would hold: this is said before it is saved.
    let system = world.system();
    let homeless = Layout::letta(&Places { system: &system, ..Places::new(None, None, &world.project) });
    let refused = save(&homeless, "Read(~/x)", ListKind::Deny, Scope::Project, &world.saved);
    assert!(matches!(refused, Err(SaveError::Rule { .. })), "{refused:?}");
}

#[test]
fn scopes_without_a_file_and_managed_settings_are_refused() {
    let world = World::new();
    for scope in [Scope::Managed, Scope::Cli, Scope::Session] {
        let error =
            save(&world.layout("letta"), "Bash(ls)", ListKind::Allow, scope, &world.saved).unwrap_err();
        assert!(matches!(error, SaveError::Scope(refused) if refused == scope));
    }
    let error = save(&world.layout("letta"), "  ", ListKind::Allow, Scope::User, &world.saved).unwrap_err();
    assert!(matches!(error, SaveError::Rule { .. }), "{error}");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn mode_bits_are_kept() {
        let world = World::new();
        let file = world.put(Scope::User, "{}");
        for bits in [0o640, 0o600, 0o644, 0o664] {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(bits)).unwrap();
            assert!(add(&world, &format!("Bash(a{bits})"), ListKind::Allow, Scope::User).changed);
            assert_eq!(mode(&file), bits);
        }
    }

    #[test]
    fn new_files_and_folders_of_the_user_are_private() {
        let world = World::new();
        let saved = add(&world, "Bash(a)", ListKind::Allow, Scope::User);
        assert_eq!(mode(&saved.file), 0o600);
        assert_eq!(mode(saved.file.parent().unwrap()), 0o700);
    }

    #[test]
    fn new_files_of_the_project_follow_the_umask() {
        let world = World::new();
        let reference = world.project.join("reference");
        std::fs::write(&reference, "").unwrap();
        let saved = add(&world, "Bash(a)", ListKind::Allow, Scope::Project);
        assert_eq!(mode(&saved.file), mode(&reference));
    }

    #[test]
    fn a_linked_settings_file_of_the_user_is_followed_and_stays_a_link() {
        let world = World::new();
        let target = world.home.join("dot/settings.json");
        world.write(&target, "{}");
        let link = world.home.join(".letta/settings.json");
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink("../dot/settings.json", &link).unwrap();
        add(&world, "Bash(a)", ListKind::Allow, Scope::User);
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(std::fs::read_to_string(&target).unwrap().contains("Bash(a)"));
        assert_eq!(names(&world.home.join(".letta")), ["settings.json"]);

        std::fs::remove_file(&target).unwrap();
        add(&world, "Bash(b)", ListKind::Allow, Scope::User);
        assert!(std::fs::read_to_string(&target).unwrap().contains("Bash(b)"), "a dangling link as well");
    }

    #[test]
    fn a_project_cannot_redirect_a_save_out_of_itself() {
        let world = World::new();
        let victim = world.home.join(".letta/settings.json");
        world.write(&victim, "{}");
        for scope in [Scope::Project, Scope::Local] {
            let file = world.layout("letta").file(scope).unwrap().to_owned();
            let folder = file.parent().unwrap();
            std::fs::create_dir_all(folder).unwrap();
            symlink(&victim, &file).unwrap();
            let layout = world.layout("letta");
            let error = save(&layout, "Bash(a)", ListKind::Allow, scope, &world.saved).unwrap_err();
            assert!(
                matches!(&error, SaveError::LeavesProject { target, .. } if *target == victim),
                "{error}"
            );
            std::fs::remove_dir_all(folder).unwrap();
            symlink(world.home.join(".letta"), folder).unwrap();
            let error = save(&layout, "Bash(a)", ListKind::Allow, scope, &world.saved).unwrap_err();
            assert!(matches!(error, SaveError::LeavesProject { .. }), "{error}");
            std::fs::remove_file(folder).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "{}");
        assert_eq!(names(&world.home.join(".letta")), ["settings.json"]);
    }

    #[test]
    fn an_error_of_the_file_system_changes_nothing() {
        let world = World::new();
        let folder = world.home.join(".letta");
        // A file where the folder should be: works for the superuser too.
        std::fs::write(&folder, "x").unwrap();
        let error =
            save(&world.layout("letta"), "Bash(a)", ListKind::Allow, Scope::User, &world.saved).unwrap_err();
        assert!(matches!(error, SaveError::File(EditError::Unreadable { .. })), "{error}");
        assert_eq!(std::fs::read_to_string(&folder).unwrap(), "x");
    }

    #[test]
    fn an_unchanged_file_is_not_touched() {
        let world = World::new();
        let file = world.put(Scope::User, r#"{"permissions":{"allow":["Bash(a)"]}}"#);
        let before = std::fs::metadata(&file).unwrap();
        add(&world, "Bash(a)", ListKind::Allow, Scope::User);
        let after = std::fs::metadata(&file).unwrap();
        assert_eq!((before.ino(), before.mtime_nsec()), (after.ino(), after.mtime_nsec()));
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn nothing_is_left_behind() {
    let world = World::new();
    let folder = world.home.join(".letta");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join(".portcullis-settings.json-killed.tmp"), "half").unwrap();
    std::fs::write(folder.join("mine.tmp"), "mine").unwrap();
    add(&world, "Bash(a)", ListKind::Allow, Scope::User);
    assert_eq!(names(&folder), ["mine.tmp", "settings.json"]);
}

fn ignore_lines(world: &World) -> String {
    std::fs::read_to_string(world.project.join(".gitignore")).unwrap_or_default()
}

#[test]
fn the_local_file_is_ignored_by_git_once() {
    let world = World::new();
    add(&world, "Bash(a)", ListKind::Allow, Scope::Local);
    assert_eq!(ignore_lines(&world), "", "not without a repository");

    std::fs::create_dir(world.project.join(".git")).unwrap();
    add(&world, "Bash(b)", ListKind::Allow, Scope::Local);
    add(&world, "Bash(c)", ListKind::Allow, Scope::Local);
    add(&world, "Bash(d)", ListKind::Allow, Scope::Project);
    assert_eq!(ignore_lines(&world), ".letta/settings.local.json\n");
}

#[test]
fn the_line_is_exact_and_the_rest_of_the_file_stays() {
    let line = ".letta/settings.local.json";
    for (before, after) in [
        ("target", format!("target\n{line}\n")),
        ("x.letta/settings.local.json\n", format!("x.letta/settings.local.json\n{line}\n")),
        ("# .letta/settings.local.json\r\n", format!("# .letta/settings.local.json\r\n{line}\r\n")),
        ("a\n.letta/settings.local.json", "a\n.letta/settings.local.json".to_owned()),
        ("/.letta/settings.local.json \n", "/.letta/settings.local.json \n".to_owned()),
        ("!.letta/settings.local.json\n", format!("!.letta/settings.local.json\n{line}\n")),
    ] {
        let world = World::new();
        std::fs::write(world.project.join(".git"), "gitdir: /elsewhere\n").unwrap();
        std::fs::write(world.project.join(".gitignore"), before).unwrap();
        let saved = add(&world, "Bash(a)", ListKind::Allow, Scope::Local);
        assert_eq!(ignore_lines(&world), after, "{before}");
        assert_eq!(saved.notes, Vec::<String>::new());
    }
}

#[cfg(unix)]
#[test]
fn a_linked_gitignore_is_left_alone() {
    let world = World::new();
    std::fs::create_dir(world.project.join(".git")).unwrap();
    let victim = world.home.join("rc");
    std::fs::write(&victim, "x\n").unwrap();
    std::os::unix::fs::symlink(&victim, world.project.join(".gitignore")).unwrap();
    let saved = add(&world, "Bash(a)", ListKind::Allow, Scope::Local);
    assert!(saved.changed);
    assert_eq!(saved.notes.len(), 1);
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "x\n");
}

#[test]
fn what_we_save_is_ours_and_what_a_project_brought_is_not_adopted() {
    let world = World::new();
    add(&world, "Bash(a)", ListKind::Allow, Scope::Local);
    add(&world, "Bash(b)", ListKind::Allow, Scope::Local);
    assert_eq!(common::labels(&world.load().rules.allow), ["Bash(a)", "Bash(b)"]);

    // Somebody else changes the file: it is not ours any more, and a further save does not make it so.
    world.put(Scope::Local, r#"{"permissions":{"allow":["Bash(*)"]}}"#);
    assert!(world.load().rules.allow.is_empty());
    let saved = add(&world, "Bash(c)", ListKind::Allow, Scope::Local);
    assert!(saved.changed);
    assert!(saved.notes[0].contains("still counts as brought by the project"), "{:?}", saved.notes);
    assert!(world.load().rules.allow.is_empty());
}

/// On a full disk a rule more is not worth all those that were there before.
#[test]
fn what_cannot_be_recorded_as_ours_is_not_written_over_what_is() {
    struct Full<'a>(&'a common::Memory);
    impl portcullis_loader::SavedHashes for Full<'_> {
        fn is_saved(&self, path: &Path, bytes: &[u8]) -> bool {
            self.0.is_saved(path, bytes)
        }
        fn prepare(&self, _: Scope, _: &Path, _: Option<&[u8]>, _: &[u8]) -> Result<(), String> {
            Err("no space left".to_owned())
        }
        fn record(&self, _: Scope, _: &Path, _: Option<&[u8]>, _: &[u8]) -> Result<bool, String> {
            Err("no space left".to_owned())
        }
    }
    let world = World::new();
    let save = |rule: &str, scope: Scope| {
        portcullis_loader::save(&world.layout("letta"), rule, ListKind::Allow, scope, &Full(&world.saved))
    };
    add(&world, "Bash(a)", ListKind::Allow, Scope::Local);
    let before = std::fs::read(world.layout("letta").file(Scope::Local).unwrap()).unwrap();
    let error = save("Bash(b)", Scope::Local).unwrap_err().to_string();
    assert!(error.contains("was not changed") && error.contains("no space left"), "{error}");
    assert_eq!(std::fs::read(world.layout("letta").file(Scope::Local).unwrap()).unwrap(), before);
    assert_eq!(common::labels(&world.load().rules.allow), ["Bash(a)"]);
    // Where nothing of ours stands, nothing is lost.
    assert!(save("Bash(b)", Scope::User).unwrap().changed);
    world.put(Scope::Local, r#"{"permissions":{"allow":["Bash(*)"]}}"#);
    assert!(save("Bash(b)", Scope::Local).unwrap().changed);
}

/// What the host is told of: its store of what we saved, and of what the person trusted, keep in step with that.
#[test]
fn edits_of_the_project_are_told_with_what_stood_there_before() {
    type Told = (Scope, PathBuf, Option<String>, String);
    #[derive(Default)]
    struct Store(std::cell::RefCell<Vec<Told>>);
    impl portcullis_loader::SavedHashes for Store {
        fn is_saved(&self, path: &Path, bytes: &[u8]) -> bool {
            let told = self.0.borrow();
            let last = told.iter().rfind(|(_, file, ..)| file == path);
            last.is_some_and(|(_, _, _, after)| after.as_bytes() == bytes)
        }
        fn record(
            &self,
            scope: Scope,
            path: &Path,
            before: Option<&[u8]>,
            after: &[u8],
        ) -> Result<bool, String> {
            // The file is written, and still ours alone.
            assert_eq!(std::fs::read(path).unwrap(), after);
            let text = |bytes: &[u8]| String::from_utf8(bytes.to_owned()).unwrap();
            self.0.borrow_mut().push((scope, path.to_owned(), before.map(text), text(after)));
            Ok(true)
        }
    }
    let (world, store) = (World::new(), Store::default());
    let layout = world.layout("letta");
    let brought = r#"{"permissions":{"allow":["Bash(x)"]}}"#;
    let project = world.put(Scope::Project, brought);
    for scope in [Scope::User, Scope::Project, Scope::Local, Scope::Local] {
        save(&layout, "Bash(a)", ListKind::Allow, scope, &store).unwrap();
    }
    remove(&layout, "Bash(a)", ListKind::Allow, Scope::Project, &store).unwrap();
    let told = store.0.borrow();
    let told: Vec<_> = told.iter().map(|(scope, _, before, _)| (*scope, before.as_deref())).collect();
    let added = r#"{"permissions":{"allow":["Bash(x)", "Bash(a)"]}}"#;
    assert_eq!(
        told,
        [
            (Scope::Project, Some(brought)),
            // Saved once: the second time nothing changed.
            (Scope::Local, None),
            (Scope::Project, Some(added)),
        ]
    );
    assert_eq!(std::fs::read_to_string(&project).unwrap(), brought);
}

#[test]
fn a_record_that_fails_is_a_note() {
    struct Full;
    impl portcullis_loader::SavedHashes for Full {
        fn is_saved(&self, _: &Path, _: &[u8]) -> bool {
            false
        }
        fn record(&self, _: Scope, _: &Path, _: Option<&[u8]>, _: &[u8]) -> Result<bool, String> {
            Err("the disk is full".into())
        }
    }
    let world = World::new();
    let saved = save(&world.layout("letta"), "Bash(a)", ListKind::Allow, Scope::Local, &Full).unwrap();
    assert!(saved.changed && saved.notes[0].ends_with("the disk is full"));
}

#[test]
fn the_public_editor() {
    let folder = tempfile::tempdir().unwrap();
    let file: PathBuf = folder.path().join("new/deep/settings.json");
    let value = serde_json::json!([{ "hooks": [{ "type": "command", "command": "x \"y\"" }] }]);
    assert!(edit(&file, "/hooks/PreToolUse", Some(&value)).unwrap());
    assert!(!edit(&file, "/hooks/PreToolUse", Some(&value)).unwrap(), "the same value changes nothing");
    let read =
        || serde_json::from_str::<serde_json::Value>(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(read()["hooks"]["PreToolUse"], value);

    assert!(edit(&file, "/hooks/PreToolUse/0/hooks/-", Some(&2.into())).unwrap());
    assert!(edit(&file, "/hooks/PreToolUse/0/hooks/0", Some(&1.5.into())).unwrap());
    assert_eq!(read()["hooks"]["PreToolUse"][0]["hooks"], serde_json::json!([1.5, 2]));
    assert!(edit(&file, "/hooks/PreToolUse/0/hooks/0", None).unwrap());
    assert_eq!(read()["hooks"]["PreToolUse"][0]["hooks"], serde_json::json!([2]));
    assert!(edit(&file, "/a~1b~0c", Some(&serde_json::Value::Null)).unwrap());
    assert!(read().as_object().unwrap().contains_key("a/b~c"));
    assert!(edit(&file, "/hooks", None).unwrap());
    assert!(!edit(&file, "/hooks/x/y", None).unwrap(), "nothing to remove");
    for wrong in ["", "a", "/a~2"] {
        assert!(matches!(edit(&file, wrong, None), Err(EditError::Pointer { .. })), "{wrong}");
    }
    edit(&file, "/n", Some(&1.into())).unwrap();
    let before = std::fs::read(&file).unwrap();
    let error = edit(&file, "/n/x", Some(&1.into())).unwrap_err();
    assert!(matches!(&error, EditError::Shape { pointer, .. } if pointer == "/n"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

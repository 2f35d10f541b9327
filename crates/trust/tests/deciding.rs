//! The order in which trust is found out, and what happens when something changes.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

mod common;

use common::{Person, World, changes};
use portcullis_trust::{Answer, Basis, DecideError, Decision, Edited, Request, SavedFiles, Via, decide};

const APP: &str = "work/app";

#[test]
fn nothing_to_trust_is_trusted_without_a_question_or_a_record() {
    let world = World::new();
    let person = Person::new(Answer::No);
    for flag in [None, Some(true), Some(false)] {
        let decision = world.decide(APP, flag, Some(&person));
        assert!(decision.trusted && !decision.stored);
        assert_eq!(decision.basis, Basis::Nothing);
        // That there is nothing to load is nobody's word for what else runs here.
        assert_eq!(decision.vouched, flag == Some(true));
    }
    assert!(person.asked.borrow().is_empty());
    assert_eq!(world.text(), "");
    world.store.set(&world.root, true).unwrap();
    assert!(world.decide(APP, None, None).vouched);
}

#[test]
fn flags_are_stored_and_obeyed_over_what_is_recorded() {
    let world = World::new();
    world.put(".mcp.json", "{}");
    assert!(!world.trusted());
    let decision = world.decide(APP, Some(true), None);
    assert!(decision.trusted && decision.stored && decision.vouched);
    assert_eq!(decision.basis, Basis::Flag);
    assert!(world.trusted());
    assert!(!world.decide(APP, Some(false), Some(&Person::new(Answer::Yes))).trusted);
    assert!(!world.trusted());
    assert_eq!(world.text(), format!("{{\n  \"{}\": false\n}}\n", world.root));
}

#[test]
fn what_is_recorded_is_obeyed_and_nobody_is_asked() {
    let world = World::new();
    world.put(".mcp.json", "{}");
    for trusted in [true, false] {
        world.store.set(&world.path("work"), trusted).unwrap();
        let person = Person::new(if trusted { Answer::No } else { Answer::Yes });
        let decision = world.decide(APP, None, Some(&person));
        assert_eq!(decision.trusted, trusted);
        assert_eq!(decision.basis, Basis::Recorded { key: world.path("work"), via: Via::Ancestor });
        assert!(person.asked.borrow().is_empty());
    }
}

#[test]
fn an_answer_is_stored_when_it_is_meant_for_later() {
    for (answer, trusted, text) in [
        (Answer::Yes, true, "\"trusted\": true"),
        (Answer::No, false, ": false"),
        (Answer::Session, true, ""),
        (Answer::Cancelled, false, ""),
    ] {
        let world = World::new();
        world.put(".mcp.json", "{}");
        let person = Person::new(answer);
        let decision = world.decide(APP, None, Some(&person));
        assert_eq!((decision.trusted, decision.stored), (trusted, !text.is_empty()), "{answer:?}");
        assert_eq!((decision.vouched, decision.basis), (trusted, Basis::Answered(answer)));
        assert!(world.text().contains(text), "{answer:?}: {}", world.text());
        assert_eq!(world.text().is_empty(), text.is_empty(), "{answer:?}");
        // Who has answered for later is not asked again.
        world.decide(APP, None, Some(&person));
        assert_eq!(person.asked.borrow().len(), if text.is_empty() { 2 } else { 1 }, "{answer:?}");
    }
}

#[test]
fn without_a_person_nothing_is_trusted_and_nothing_stored() {
    let world = World::new();
    world.put(".mcp.json", "{}");
    let decision = world.decide(APP, None, None);
    assert!(!decision.trusted && !decision.vouched && !decision.stored);
    assert_eq!(decision.basis, Basis::Undecided);
    assert_eq!(world.text(), "");
}

#[test]
fn trust_in_everything_is_refused() {
    let world = World::new();
    let saved = SavedFiles::default();
    for (root, what) in [
        ("/", "the root"),
        (world.home.as_str(), "the home directory"),
        ("/proc/self/root", "another one for each process"),
        ("/proc/1/root/", "another one for each process"),
        ("/proc/self/cwd/x", "another one for each process"),
    ] {
        let project = world.project(root, &saved);
        let request = Request {
            project,
            store: Some(&world.store),
            inherit: false,
            flag: Some(true),
            asker: None,
            now_ms: 0,
        };
        let error = decide(&request).unwrap_err();
        assert!(matches!(error, DecideError::Refused { .. }) && error.to_string().contains(what), "{error}");
        assert!(matches!(world.store.decide(&project, true, true, 0), Err(DecideError::Refused { .. })));
    }
    assert_eq!(world.text(), "");
    // The home directory itself is its own installation: nothing is asked.
    world.write("home/.mcp.json", "{}");
    let decision = world.decide("home", None, Some(&Person::new(Answer::No)));
    assert!(decision.trusted && !decision.vouched);
    assert_eq!(decision.basis, Basis::Nothing);
}

#[test]
fn a_change_makes_a_project_undecided_and_the_question_shows_it() {
    let world = World::new();
    world.put(".letta/settings.json", "one");
    world.put(".mcp.json", "{}");
    world.decide(APP, Some(true), None);
    let before = world.text();
    world.put(".letta/settings.json", "two");
    world.put(".letta/skills/a", "x");
    std::fs::remove_file(world.base.join("work/app/.mcp.json")).unwrap();
    let decision = world.decide(APP, None, None);
    assert!(!decision.trusted && !decision.vouched);
    let expected = ["changed .letta/settings.json", "new .letta/skills", "gone .mcp.json"];
    assert_eq!(changes(&decision), expected);
    assert_eq!(world.text(), before, "nobody answered");

    let person = Person::new(Answer::Session);
    assert!(world.decide(APP, None, Some(&person)).trusted);
    assert_eq!(person.asked.borrow()[0].len(), 3);
    assert!(!world.trusted());
    assert!(world.decide(APP, None, Some(&Person::new(Answer::Yes))).trusted);
    assert!(world.trusted());
    // And back again, what was trusted before is something else.
    world.put(".letta/settings.json", "one");
    assert!(!world.trusted());
}

#[test]
fn what_tightens_may_change() {
    let world = World::new();
    world.put(".mcp.json", "{}");
    world.put(".letta/settings.json", "tighten a");
    world.decide(APP, Some(true), None);
    world.put(".letta/settings.json", "tighten b");
    assert!(world.trusted());
}

#[test]
fn an_entry_without_a_fingerprint_is_obeyed_and_gets_one_at_its_next_use() {
    let world = World::new();
    world.put(".mcp.json", "{}");
    world.store.set(&world.root, true).unwrap();
    assert!(world.trusted());
    assert!(world.text().contains("fingerprint") && world.text().contains("1970-01-01T00:00:01Z"));
    world.put(".mcp.json", "{ }");
    assert!(!world.trusted());
}

#[test]
fn what_lies_below_a_trusted_directory_is_compared_by_itself() {
    let world = World::new();
    world.put(".mcp.json", "{}");
    world.write("work/other/.mcp.json", "{}");
    world.store.set(&world.path("work"), true).unwrap();
    assert!(world.trusted() && world.decide("work/other", None, None).trusted);
    world.put(".mcp.json", "{ }");
    assert!(!world.trusted() && world.decide("work/other", None, None).trusted);
    // Taken back above, it is taken back below, and what was seen goes with it.
    world.store.forget(&world.path("work")).unwrap();
    assert_eq!(world.text(), "{}\n");
    assert!(!world.decide("work/other", None, None).trusted);
    world.store.set(&world.path("work"), true).unwrap();
    assert!(world.trusted());
    world.store.set(&world.path("work"), false).unwrap();
    assert!(!world.trusted());
    assert!(!world.text().contains("under"));
}

#[test]
fn what_lay_below_when_a_directory_was_trusted_is_inherited_and_what_comes_later_waits() {
    let world = World::new();
    world.put(".mcp.json", "{}");
    world.put("deep/there/.mcp.json", "{}");
    world.put("clone/.git/HEAD", "ref: refs/heads/main\n");
    world.put("clone/.mcp.json", "{}");
    world.put("plain/a", "x");
    assert!(world.decide(APP, Some(true), None).trusted);
    let at = |below: &str| world.decide(&format!("{APP}/{below}"), None, None);
    assert!(at("deep/there").trusted);
    assert!(at("plain").vouched, "it brings nothing");
    world.put("new/.mcp.json", "{}");
    world.put("plain/.mcp.json", "{}");
    for later in ["new", "plain", "clone"] {
        let decision = at(later);
        assert!(!decision.trusted && !decision.vouched, "{later}");
        assert_eq!(decision.basis, Basis::Undecided);
    }
    assert_eq!(changes(&at("new")), ["new .mcp.json"]);
    world.put("deep/there/.mcp.json", "{ }");
    assert!(!at("deep/there").trusted);
    // Said again, it is about what is there then; the question shows it.
    assert!(world.decide(APP, Some(true), None).trusted);
    assert!(at("deep/there").trusted && at("new").trusted && at("plain").trusted && !at("clone").trusted);
}

#[test]
fn a_plain_entry_that_gets_a_fingerprint_covers_what_lies_below_then() {
    let world = World::new();
    world.put(".mcp.json", "{}");
    world.put("there/.mcp.json", "{}");
    world.store.set(&world.root, true).unwrap();
    assert!(world.trusted());
    world.put("new/.mcp.json", "{}");
    assert!(world.decide(&format!("{APP}/there"), None, None).trusted);
    assert!(!world.decide(&format!("{APP}/new"), None, None).trusted);
}

#[test]
fn a_fingerprint_of_another_program_is_compared_too() {
    let world = World::new();
    world.put(".mcp.json", "{}");
    let text = world.inventory().fingerprint().text();
    let entry = |fingerprint: &str| {
        let entry = serde_json::json!({ "trusted": true, "fingerprint": fingerprint, "at": "then" });
        world.write("home/.letta/trust.json", &serde_json::json!({ world.root.clone(): entry }).to_string());
    };
    entry(&text);
    assert!(world.trusted());
    entry("something else");
    let decision = world.decide(APP, None, None);
    assert!(!decision.trusted);
    assert_eq!(changes(&decision), ["changed ?"]);
}

#[test]
fn what_cannot_be_compared_is_never_trusted_by_record() {
    let world = World::new();
    std::fs::create_dir_all(world.base.join("work/app/.letta/skills")).unwrap();
    let pipe = world.base.join("work/app/.letta/skills/a");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    world.store.set(&world.root, true).unwrap();
    for _ in 0..2 {
        let decision = world.decide(APP, None, None);
        assert!(!decision.trusted);
        assert_eq!(changes(&decision), ["cannot be compared .letta/skills"]);
    }
    assert!(world.decide(APP, None, Some(&Person::new(Answer::Yes))).trusted);
    assert!(!world.trusted());
}

#[test]
fn a_worktree_is_trusted_as_far_as_the_same_things_are_in_it() {
    let world = World::new();
    world.git(APP, &["init", "--quiet"]);
    world.put(".letta/settings.json", "one");
    world.git(APP, &["config", "core.pager", "less"]);
    world.git(APP, &["add", "."]);
    world.git(APP, &["commit", "--quiet", "-m", "x"]);
    world.git(APP, &["worktree", "add", "--quiet", "../tree"]);
    world.decide(APP, Some(true), None);
    let decision = world.decide("work/tree", None, None);
    assert_eq!(decision.basis, Basis::Recorded { key: world.root.clone(), via: Via::Worktree });
    assert!(decision.trusted);
    world.write("work/tree/.letta/settings.json", "two");
    assert_eq!(changes(&world.decide("work/tree", None, None)), ["changed .letta/settings.json"]);
    assert!(world.trusted());
    assert!(world.decide("work/tree", None, Some(&Person::new(Answer::Yes))).trusted);
    assert!(world.decide("work/tree", None, None).trusted && world.trusted());
}

#[test]
fn only_the_very_bytes_that_were_decided_about_are_used() {
    let world = World::new();
    let path = world.put(".letta/settings.json", "one");
    let saved = SavedFiles::default();
    let project = world.project(&world.root, &saved);
    let covers = |decision: &Decision, bytes: &[u8]| decision.covers(&project, &path, bytes);
    assert!(!covers(&world.decide(APP, None, None), b"one"));
    let decision = world.decide(APP, Some(true), None);
    assert!(covers(&decision, b"one"));
    assert!(!covers(&decision, b"two"), "it was replaced meanwhile");
    assert!(covers(&decision, b"tighten"));
    assert!(!decision.covers(&project, &world.path("work/app/.ink/settings.json"), b"one"));
    // Nothing was there that needed trust.
    std::fs::remove_file(&path).unwrap();
    assert!(!covers(&world.decide(APP, None, None), b"one"));
}

impl World {
    fn edit(&self, relative: &str, after: &str) -> Edited {
        let path = self.path(&format!("work/app/{relative}"));
        let before = std::fs::read(&path).ok();
        self.put(relative, after);
        let saved = SavedFiles::default();
        let project = self.project(&self.root, &saved);
        self.store.edited(&project, false, &path, before.as_deref(), after.as_bytes(), 2_000).unwrap()
    }
}

#[test]
fn what_the_person_writes_is_their_own() {
    let world = World::new();
    for file in [".letta/settings.json", ".letta/settings.local.json"] {
        assert_eq!(world.edit(file, "one"), Edited::Own);
        assert_eq!(world.edit(file, "two"), Edited::Own, "also a second time");
    }
    assert!(world.inventory().is_empty() && world.trusted());
    assert_eq!(world.text(), "", "nothing had to be trusted");
    // Somebody else's version is not.
    world.put(".letta/settings.json", "three");
    world.put(".letta/settings.local.json", "three");
    assert_eq!(world.inventory().resources.len(), 2);
    assert_eq!(world.edit(".letta/settings.json", "four"), Edited::Brought);
    assert!(!world.trusted());
    // One that could only tighten brought nothing.
    world.put(".ink/settings.json", "tighten");
    assert_eq!(world.edit(".ink/settings.json", "one"), Edited::Own);
}

impl World {
    /// An edit that is killed after its first step, or after its second.
    fn killed_edit(&self, relative: &str, after: &str, written: bool) {
        let path = self.path(&format!("work/app/{relative}"));
        let before = std::fs::read(&path).ok();
        let saved = SavedFiles::default();
        let project = self.project(&self.root, &saved);
        self.store.editing(&project, false, &path, before.as_deref(), after.as_bytes(), 2_000).unwrap();
        if written {
            self.put(relative, after);
        }
    }

    /// Whether a settings file may loosen as it stands there, and the project is trusted.
    fn counts(&self, relative: &str) -> bool {
        let path = self.path(&format!("work/app/{relative}"));
        let saved = self.saved();
        let decision = self.decide(APP, None, None);
        let bytes = std::fs::read(&path).unwrap_or_default();
        decision.trusted && decision.covers(&self.project(&self.root, &saved), &path, &bytes)
    }
}

#[test]
fn a_killed_edit_loses_nothing_and_adopts_nothing() {
    const FILES: [&str; 2] = [".letta/settings.json", ".letta/settings.local.json"];
    for (file, written) in FILES.into_iter().flat_map(|file| [(file, false), (file, true)]) {
        // The person's own file.
        let world = World::new();
        world.edit(file, "one");
        for text in ["two", "three", "tighten", "four"] {
            world.killed_edit(file, text, written);
            assert!(world.counts(file), "{file} {text} {written}");
        }
        assert_eq!(world.edit(file, "five"), Edited::Own);
        assert!(world.counts(file));
        world.put(file, if written { "one" } else { "four" });
        assert!(!world.counts(file), "two at most count, and one when the edit is finished");

        // A new one.
        let world = World::new();
        world.killed_edit(file, "one", written);
        world.put(file, "one");
        assert!(world.counts(file));

        // One that is trusted, by itself or from above.
        for key in [APP, "work"] {
            let world = World::new();
            world.put(file, "one");
            world.put(".mcp.json", "{}");
            world.store.set(&world.path(key), true).unwrap();
            assert!(world.trusted());
            for text in ["two", "three", "tighten", "four"] {
                world.killed_edit(file, text, written);
                assert!(world.counts(file), "{file} {text} {written} {key}");
                let asked = world.store.read().unwrap();
                assert_eq!(asked.iter().count(), if key == APP { 1 } else { 2 });
            }
            assert_eq!(world.edit(file, "five"), Edited::Trusted, "{file} {written} {key}");
            assert!(world.counts(file));
            world.put(file, "six");
            assert!(!world.counts(file));
        }

        // One that was brought, and is not trusted.
        let world = World::new();
        world.put(file, "one");
        for _ in 0..2 {
            world.killed_edit(file, "two", written);
            assert!(!world.counts(file), "{file} {written}");
        }
    }
}

#[test]
fn an_edit_of_what_is_trusted_stays_trusted() {
    for key in [APP, "work"] {
        let world = World::new();
        world.put(".letta/settings.json", "one");
        world.put(".mcp.json", "{}");
        world.store.set(&world.path(key), true).unwrap();
        assert!(world.trusted());
        assert_eq!(world.edit(".letta/settings.json", "two"), Edited::Trusted, "{key}");
        assert!(world.trusted(), "{key}");
        assert_eq!(world.edit(".letta/settings.local.json", "one"), Edited::Trusted, "{key}");
        assert!(world.trusted(), "{key}");
        assert!(world.text().contains("1970-01-01T00:00:02Z"));
        // Only the edited file is looked at: what else changed still has to be confirmed.
        world.put(".mcp.json", "{ }");
        assert_eq!(world.edit(".letta/settings.json", "three"), Edited::Trusted);
        assert_eq!(changes(&world.decide(APP, None, None)), ["changed .mcp.json"]);
        // And an edit on top of somebody else's change adopts nothing.
        world.put(".letta/settings.json", "not ours");
        assert_eq!(world.edit(".letta/settings.json", "not ours, and more"), Edited::Brought);
        assert_eq!(changes(&world.decide(APP, None, None)).len(), 2);
    }
}

#[test]
fn a_local_file_that_git_tracks_or_a_link_leads_to_is_brought_whoever_wrote_it() {
    let world = World::new();
    world.git(APP, &["init", "--quiet"]);
    assert_eq!(world.edit(".letta/settings.local.json", "one"), Edited::Own);
    assert!(world.inventory().is_empty());
    world.git(APP, &["add", "-f", ".letta/settings.local.json"]);
    assert_eq!(world.names().len(), 1, "{:?}", world.names());
    assert_eq!(world.edit(".letta/settings.local.json", "two"), Edited::Brought);
    assert!(!world.trusted());
    world.git(APP, &["rm", "--quiet", "-f", "--cached", ".letta/settings.local.json"]);
    assert!(world.trusted());
    // Under another spelling of its name, as file systems without case have it.
    world.git(
        APP,
        &[
            "update-index",
            "--add",
            "--cacheinfo",
            "100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,.Letta/Settings.LOCAL.json",
        ],
    );
    assert!(!world.trusted());
    world.git(APP, &["rm", "--quiet", "-f", "--cached", ".Letta/Settings.LOCAL.json"]);
    // The index is not understood.
    world.put(".git/index", "DIRC and no more");
    assert!(!world.trusted());
    std::fs::remove_file(world.base.join("work/app/.git/index")).unwrap();
    assert!(world.trusted());
    std::fs::rename(world.base.join("work/app/.letta"), world.base.join("real")).unwrap();
    std::os::unix::fs::symlink(world.path("real"), world.base.join("work/app/.letta")).unwrap();
    assert_eq!(world.names().len(), 1);
    assert!(!world.trusted());
}

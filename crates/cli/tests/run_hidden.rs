//! Everyday work beside secrets that are hidden: git is right about them, and what cannot be right is told.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

mod support;

use std::time::{Duration, SystemTime};

use support::{Place, there};

/// A project of each user's with a tracked key in it, made a while ago.
fn for_each_user(body: impl Fn(&Place)) {
    let make = |nobody: bool| {
        let mut place = Place::with_git();
        let key = place.write("secrets/key.pem", "hunter2\n");
        place.write("notes.txt", "one\n");
        let past = SystemTime::now() - Duration::from_secs(600);
        std::fs::File::options().write(true).open(key).unwrap().set_modified(past).unwrap();
        for words in [
            &["config", "user.name", "x"][..],
            &["config", "user.email", "x@example.org"],
            &["add", "."],
            &["commit", "-qm", "x"],
        ] {
            assert!(place.plain("git").args(words).status().unwrap().success(), "git {words:?}");
        }
        if nobody {
            place.give_to_nobody();
        }
        place.write("notes.txt", "one\ntwo\n");
        place.settle();
        body(&place);
    };
    make(false);
    if nix::unistd::geteuid().is_root() {
        make(true);
    }
}

#[test]
fn git_sees_what_changed_and_nothing_else() {
    for_each_user(|place| {
        let says = |words: &[&str], expected: &str| {
            let ended = place.run(["run", "--"].iter().chain(words));
            assert_eq!(
                (ended.code, ended.stdout.as_str(), ended.stderr.as_str()),
                (Some(0), expected, ""),
                "{words:?}"
            );
        };
        says(&["git", "status", "--short"], " M notes.txt\n");
        says(&["git", "diff", "--name-only"], "notes.txt\n");
        says(&["git", "add", "-A"], "");
        says(&["git", "commit", "-qm", "two"], "");
        says(&["git", "status", "--short"], "");
        place.write("notes.txt", "three\n");
        place.settle();
        says(&["git", "add", "notes.txt"], "");
        says(&["git", "stash", "--quiet"], "");
        says(&["git", "status", "--short"], "");
        // A key that did change is seen, and its contents are not.
        place.write("secrets/key.pem", "hunter3 and more\n");
        place.settle();
        let ended = place.run(["run", "--", "git", "status", "--short"]);
        assert_eq!(ended.stdout, " M secrets/key.pem\n", "{ended:#?}");
        let ended = place.run(["run", "--", "git", "diff"]);
        assert!(ended.code != Some(0) && !ended.stdout.contains("hunter"), "{ended:#?}");
        assert!(ended.stderr.contains("`secrets/key.pem` is hidden from commands"), "{ended:#?}");
        assert!(there(&place.project().join("secrets/key.pem")));
    });
}

#[test]
fn who_meets_a_hidden_file_is_told_which_and_what_to_do() {
    for_each_user(|place| {
        let ended = place.run(["run", "--", "rg", "-n", "hunter|two"]);
        ended.expect(
            2,
            &[
                "note: `secrets/key.pem` is hidden from commands, so that this one could not read it",
                "\"permissions\": { \"secrets\": { \"remove\": [\"secrets/key.pem\"] } }",
            ],
        );
        assert_eq!(ended.stdout, "notes.txt:2:two\n", "{ended:#?}");
        // The remedy is one.
        place.write(".letta/settings.json", r#"{"permissions":{"secrets":{"remove":["secrets/key.pem"]}}}"#);
        place.trust("project");
        place.settle();
        let ended = place.run(["run", "--", "rg", "-n", "hunter"]);
        assert_eq!(
            (ended.code, ended.stdout.as_str()),
            (Some(0), "secrets/key.pem:1:hunter2\n"),
            "{ended:#?}"
        );
        place.write(".letta/settings.json", r#"{"permissions":{"deny":["Read(notes.txt)"]}}"#);
        place.settle();
        let ended = place.run(["run", "--", "rg", "-n", "two"]);
        ended.expect(
            2,
            &["`notes.txt` is hidden", "a deny rule or `sandbox.hidden` in the settings hides it"],
        );
    });
}

#[test]
fn a_key_that_git_cannot_be_sure_of_is_told() {
    let place = Place::with_git();
    // Written in the same second as the index: git has to read it (gitindex(5), racy entries).
    place.write("key.pem", "hunter2\n");
    assert!(place.plain("git").args(["add", "."]).status().unwrap().success());
    let now = SystemTime::now() + Duration::from_secs(5);
    for name in ["key.pem", ".git/index"] {
        let file = std::fs::File::options().write(true).open(place.project().join(name)).unwrap();
        file.set_modified(now).unwrap();
    }
    let ended = place.run(["run", "--", "git", "status", "--short"]);
    ended.expect(0, &["note: `key.pem` is hidden from commands, and git has to read it"]);
}

/// The sandbox works, and it is the program that is not there for it.
#[test]
fn a_program_that_is_hidden_is_refused_as_such() {
    for backend in ["bwrap", "landlock"] {
        let place = Place::new().trusted();
        place.write(".letta/settings.json", "{ \"sandbox\": { \"hidden\": [\"scripts/**\"] } }");
        let script = place.write("scripts/deploy.sh", "#!/bin/sh\necho deployed\n");
        std::fs::set_permissions(script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        place.settle();
        let words = ["sandbox", "run", "--backend", backend, "--", "scripts/deploy.sh"];
        let ended = place.run(words);
        ended.expect(126, &["scripts/deploy.sh` is hidden from commands", "do: "]);
        assert!(!ended.stderr.contains("no sandbox") && ended.stdout.is_empty(), "{ended:#?}");
    }
}

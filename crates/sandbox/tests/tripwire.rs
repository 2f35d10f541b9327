//! The tripwire without any sandbox: what a run might do is done by hand between arming and disarming.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use portcullis_sandbox::tripwire::{self, Armed, Change, Tripped, Tripwire};

struct World {
    dir: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for name in ["ws", "outside", "state"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        Self { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path(name)).ok()
    }

    fn tripwire(&self) -> Tripwire {
        Tripwire { state: self.path("state"), session: "s".into(), ..Tripwire::default() }
    }

    fn arm(&self, tripwire: &Tripwire, shielded: &[&str]) -> Armed {
        let shielded: Vec<String> =
            shielded.iter().map(|name| self.path(name).to_str().unwrap().to_owned()).collect();
        tripwire.arm(&[self.path("ws").to_str().unwrap().to_owned()], &shielded).unwrap()
    }

    fn git(&self, directory: &str, words: &[&str]) {
        let mut git = Command::new("git");
        git.args(words).current_dir(self.path(directory)).env("GIT_CONFIG_NOSYSTEM", "1");
        git.env("HOME", self.path("outside"));
        assert!(git.output().unwrap().status.success(), "git {words:?}");
    }

    /// Changes and names below the workspace.
    fn short(&self, tripped: &Tripped) -> Vec<(Change, String)> {
        assert!(tripped.complete);
        let short = |path: &Path| path.strip_prefix(self.path("ws")).unwrap().to_str().unwrap().to_owned();
        tripped.findings.iter().map(|finding| (finding.change, short(&finding.path))).collect()
    }
}

fn new(names: &[&str]) -> Vec<(Change, String)> {
    names.iter().map(|name| (Change::New, (*name).to_owned())).collect()
}

/// Nothing is harmless.
fn never(_: &Path, _: Option<&[u8]>, _: &[u8]) -> bool {
    false
}

#[test]
fn what_the_caller_takes_for_harmless_stays() {
    let world = World::new();
    world.write("ws/.claude/settings.json", "old");
    world.write("ws/.letta/settings.json", "old");
    fs::create_dir(world.path("ws/sub")).unwrap();
    drop(world.arm(&world.tripwire(), &[]));
    for name in [".claude/settings.json", ".letta/settings.json", "sub/.mcp.json", "sub/.envrc"] {
        world.write(&format!("ws/{name}"), if name.ends_with("rc") { "evil" } else { "fine" });
    }
    world.write("ws/linked", "fine");
    fs::hard_link(world.path("ws/linked"), world.path("ws/.letta/mcp.json")).unwrap();
    fs::remove_file(world.path("ws/.letta/settings.json")).unwrap();
    world.write("ws/.letta/settings.json", "fine");
    let asked = std::cell::RefCell::new(Vec::new());
    let harmless = |path: &Path, before: Option<&[u8]>, now: &[u8]| {
        let name = path.strip_prefix(world.path("ws")).unwrap().to_str().unwrap().to_owned();
        asked.borrow_mut().push((name, before.map(<[u8]>::to_vec)));
        now == b"fine"
    };
    let all = tripwire::recover(&world.path("state"), &harmless);
    let kept: Vec<_> = all[0].kept.iter().map(|path| path.strip_prefix(world.path("ws")).unwrap()).collect();
    let right = [".claude/settings.json", ".letta/settings.json", "sub/.mcp.json"];
    assert_eq!(kept, right.map(Path::new));
    let asked = asked.into_inner();
    assert!(asked.contains(&(".claude/settings.json".into(), Some(b"old".to_vec()))), "{asked:?}");
    assert!(asked.contains(&("sub/.mcp.json".into(), None)), "{asked:?}");
    let mut taken = world.short(&all[0]);
    taken.retain(|(_, name)| name != ".letta/mcp.json");
    assert_eq!(taken, new(&["sub/.envrc"]));
    assert!(!asked.iter().any(|(name, _)| name == ".letta/mcp.json"), "another name leads to it");
    assert_eq!(world.read("ws/.claude/settings.json").as_deref(), Some("fine"));
}

#[test]
fn what_was_announced_may_be_there() {
    let world = World::new();
    let file = world.write("ws/.letta/settings.json", "old");
    drop(world.arm(&world.tripwire(), &[]));
    let state = world.path("state");
    tripwire::announce(&state, &file, b"announced");
    let fresh = world.path("ws/.letta/settings.local.json");
    tripwire::announce(&state, &fresh, b"announced");
    world.write("ws/.letta/settings.json", "announced");
    world.write("ws/.letta/settings.local.json", "announced, but not this");
    assert_eq!(tripwire::suspects(&state, &[file, fresh.clone()]), [fresh]);
    let all = tripwire::recover(&state, &never);
    assert_eq!(world.short(&all[0]), new(&[".letta/settings.local.json"]));
    assert_eq!(world.read("ws/.letta/settings.json").as_deref(), Some("announced"));
}

#[test]
fn new_protected_names_are_moved_and_others_stay() {
    let world = World::new();
    world.write("ws/.claude/settings.json", "{}");
    let armed = world.arm(&world.tripwire(), &[]);
    for name in [
        ".letta/settings.json",
        "a/b/.envrc",
        ".claude/hooks/x.sh",
        "src/main.rs",
        "sub/.git/hooks/post-checkout",
    ] {
        world.write(&format!("ws/{name}"), name);
    }
    let tripped = armed.disarm(true, &never);
    let names = [".claude/hooks/x.sh", ".letta/settings.json", "a/b/.envrc", "sub/.git/hooks/post-checkout"];
    assert_eq!(world.short(&tripped), new(&names));
    for finding in &tripped.findings {
        let place = finding.quarantined.as_ref().unwrap();
        assert!(place.starts_with(world.path("state/quarantine/s")), "{place:?}");
        let name = finding.path.strip_prefix(world.path("ws")).unwrap().to_str().unwrap();
        assert_eq!(fs::read_to_string(place).unwrap(), name, "nothing is lost");
        assert!(!finding.path.exists());
    }
    assert!(!world.path("ws/.letta").exists(), "nor is a folder left that was made for it");
    assert!(world.path("ws/.claude/settings.json").exists() && world.path("ws/src/main.rs").exists());
    assert!(fs::read_dir(world.path("state/tripwire")).unwrap().next().is_none(), "the journal is gone");
}

#[test]
fn what_git_makes_stays_unless_it_runs_something() {
    let world = World::new();
    let source = world.path("outside/source");
    fs::create_dir(&source).unwrap();
    world.git("outside/source", &["init", "--quiet"]);
    world.git(
        "outside/source",
        &["-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "x", "--allow-empty"],
    );
    let armed = world.arm(&world.tripwire(), &[]);
    world.git("ws", &["init", "--quiet", "made"]);
    world.git("ws", &["clone", "--quiet", source.to_str().unwrap(), "cloned"]);
    assert_eq!(world.short(&armed.disarm(true, &never)), []);

    let armed = world.arm(&world.tripwire(), &[]);
    world.git("ws", &["init", "--quiet", "evil"]);
    world.git("ws/evil", &["config", "core.fsmonitor", "touch /tmp/x"]);
    fs::copy(world.path("ws/evil/.git/hooks/pre-commit.sample"), world.path("ws/evil/.git/hooks/pre-commit"))
        .unwrap();
    fs::rename(world.path("ws/made/.git"), world.path("ws/made/away")).unwrap();
    world.write("ws/made/away/hooks/update", "");
    fs::rename(world.path("ws/made/away"), world.path("ws/made/.git")).unwrap();
    let names = ["evil/.git/config", "evil/.git/hooks/pre-commit", "made/.git/hooks/update"];
    assert_eq!(world.short(&armed.disarm(true, &never)), new(&names));
}

#[test]
fn what_was_changed_or_removed_is_put_back() {
    let world = World::new();
    let settings = world.write("ws/.letta/settings.json", "deny");
    let hook = world.write("ws/.git/hooks/pre-commit", "honest");
    let config = world.write("ws/.git/config", "[remote \"origin\"]\n\turl = a\n");
    let armed = world.arm(&world.tripwire(), &[]);
    fs::remove_dir_all(settings.parent().unwrap()).unwrap();
    fs::write(&hook, "evil").unwrap();
    fs::write(&config, "[remote \"origin\"]\n\turl = b\n").unwrap();
    let tripped = armed.disarm(false, &never);
    let expected = [
        (Change::Changed, ".git/config".to_owned()),
        (Change::Changed, ".git/hooks/pre-commit".to_owned()),
        (Change::Removed, ".letta/settings.json".to_owned()),
    ];
    assert_eq!(world.short(&tripped), expected);
    assert!(tripped.findings.iter().all(|finding| finding.restored && finding.error.is_none()));
    assert_eq!(world.read("ws/.letta/settings.json").as_deref(), Some("deny"));
    assert_eq!(world.read("ws/.git/hooks/pre-commit").as_deref(), Some("honest"));
    assert_eq!(world.read("ws/.git/config").unwrap(), "[remote \"origin\"]\n\turl = a\n");

    // What a branch follows is git's own daily work.
    let armed = world.arm(&world.tripwire(), &[]);
    fs::write(&config, "[remote \"origin\"]\n\turl = a\n[branch \"x\"]\n\tremote = origin\n").unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(world.short(&armed.disarm(false, &never)), []);
}

#[test]
fn what_the_back_end_protects_was_changed_by_somebody_else_and_is_left() {
    let world = World::new();
    let hook = world.write("ws/.git/hooks/pre-commit", "honest");
    let config = world.write("ws/.git/config", "");
    let linked = world.write("ws/.npmrc", "");
    fs::hard_link(&linked, world.path("ws/other-name")).unwrap();
    let armed = world.arm(&world.tripwire(), &["ws/.git/hooks", "ws/.git/config", "ws/.npmrc"]);
    fs::write(&hook, "mine").unwrap();
    fs::write(&config, "[core]\n").unwrap();
    world.write("ws/.git/hooks/post-commit", "mine too");
    fs::write(world.path("ws/other-name"), "evil").unwrap();
    let expected = [
        (Change::Lost, ".git/config".to_owned()),
        (Change::Lost, ".git/hooks/post-commit".to_owned()),
        (Change::Lost, ".git/hooks/pre-commit".to_owned()),
        (Change::Changed, ".npmrc".to_owned()),
    ];
    assert_eq!(world.short(&armed.disarm(true, &never)), expected, "another name writes through");
    assert_eq!(world.read("ws/.git/hooks/pre-commit").as_deref(), Some("mine"));
    assert_eq!(world.read("ws/.npmrc").as_deref(), Some(""));
}

#[test]
fn no_link_leads_the_tripwire_out_of_the_workspace() {
    let world = World::new();
    world.write("outside/.letta/settings.json", "the user's own");
    world.write("outside/settings.json", "the user's own");
    let armed = world.arm(&world.tripwire(), &[]);
    symlink(world.path("outside"), world.path("ws/link")).unwrap();
    symlink(world.path("outside"), world.path("ws/.letta")).unwrap();
    symlink(world.path("outside/settings.json"), world.path("ws/.mcp.json")).unwrap();
    fs::create_dir(world.path("ws/sub")).unwrap();
    symlink("nowhere", world.path("ws/sub/.vscode")).unwrap();
    let tripped = armed.disarm(true, &never);
    assert_eq!(world.short(&tripped), new(&[".letta", ".mcp.json", "sub/.vscode"]));
    for finding in &tripped.findings {
        assert!(fs::symlink_metadata(finding.quarantined.as_ref().unwrap()).unwrap().is_symlink());
    }
    assert_eq!(world.read("outside/.letta/settings.json").as_deref(), Some("the user's own"));
    assert_eq!(world.read("outside/settings.json").as_deref(), Some("the user's own"));
}

#[test]
fn settings_behind_a_link_that_was_there_are_found() {
    let world = World::new();
    fs::create_dir(world.path("ws/conf")).unwrap();
    symlink("conf", world.path("ws/.letta")).unwrap();
    let mut tripwire = world.tripwire();
    tripwire.files = vec![world.path("ws/.letta/settings.json")];
    let armed = world.arm(&tripwire, &[]);
    world.write("ws/conf/settings.json", "evil");
    assert_eq!(world.short(&armed.disarm(true, &never)), new(&["conf/settings.json"]));
}

#[test]
fn globs_of_rules_are_protected_and_what_is_exempt_is_not() {
    let world = World::new();
    let mut tripwire = world.tripwire();
    tripwire.globs = vec![format!("{}/gen/**", world.path("ws").to_str().unwrap()), "*.lock".into()];
    tripwire.exempt = vec![world.path("ws/.vscode")];
    let armed = world.arm(&tripwire, &[]);
    for name in ["gen/a", "deep/x.lock", ".vscode/settings.json", ".envrc"] {
        world.write(&format!("ws/{name}"), "x");
    }
    assert_eq!(world.short(&armed.disarm(true, &never)), new(&[".envrc", "deep/x.lock", "gen/a"]));
    assert!(world.path("ws/.vscode/settings.json").exists());
}

#[test]
fn what_a_killed_caller_left_is_found_at_the_next_start() {
    let world = World::new();
    world.write("ws/.letta/settings.json", "deny");
    let armed = world.arm(&world.tripwire(), &[]);
    world.write("ws/.envrc", "evil");
    world.write("ws/.letta/settings.json", "allow");
    assert_eq!(tripwire::recover(&world.path("state"), &never), [], "it is still there");
    // The lock goes with the process; the journal stays.
    drop(armed);
    let all = tripwire::recover(&world.path("state"), &never);
    assert_eq!(all.len(), 1);
    let expected = [(Change::New, ".envrc".to_owned()), (Change::Changed, ".letta/settings.json".to_owned())];
    assert_eq!((all[0].session.as_str(), world.short(&all[0])), ("s", expected.to_vec()));
    assert_eq!(world.read("ws/.letta/settings.json").as_deref(), Some("deny"));
    assert_eq!(tripwire::recover(&world.path("state"), &never), []);
}

#[test]
fn runs_side_by_side_undo_neither_each_other_nor_what_is_acknowledged() {
    let world = World::new();
    let first = world.arm(&world.tripwire(), &[]);
    let mut allowed = world.tripwire();
    allowed.exempt = vec![world.path("ws/.vscode")];
    let second = world.arm(&allowed, &[]);
    world.write("ws/.vscode/settings.json", "approved");
    let settings = world.write("ws/.letta/settings.local.json", "saved");
    let files = [settings.clone(), world.path("ws/.letta/settings.json")];
    assert_eq!(tripwire::suspects(&world.path("state"), &files), files[..1]);
    tripwire::acknowledge(&world.path("state"), &settings);
    assert_eq!(tripwire::suspects(&world.path("state"), &files), [] as [PathBuf; 0]);
    world.write("ws/.envrc", "evil");
    assert_eq!(world.short(&second.disarm(true, &never)), new(&[".envrc"]));
    let third = world.arm(&world.tripwire(), &[]);
    assert_eq!(world.short(&first.disarm(true, &never)), []);
    fs::write(&settings, "evil").unwrap();
    assert_eq!(
        world.short(&third.disarm(true, &never)),
        [(Change::Changed, ".letta/settings.local.json".to_owned())]
    );
    assert_eq!(world.read("ws/.letta/settings.local.json").as_deref(), Some("saved"));
}

#[test]
fn names_that_are_no_text_are_looked_into_and_a_pipe_keeps_nobody_waiting() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let world = World::new();
    let armed = world.arm(&world.tripwire(), &[]);
    let odd = world.path("ws").join(OsStr::from_bytes(b"\xff%/.git/hooks"));
    fs::create_dir_all(&odd).unwrap();
    fs::write(odd.join("pre-commit"), "evil").unwrap();
    assert!(Command::new("mkfifo").arg(world.path("ws/.envrc")).status().unwrap().success());
    let tripped = armed.disarm(true, &never);
    assert_eq!(tripped.findings.len(), 2, "{tripped:?}");
    assert!(!odd.join("pre-commit").exists() && !world.path("ws/.envrc").exists());
}

#[test]
fn a_journal_that_cannot_be_kept_is_an_error() {
    let world = World::new();
    let mut tripwire = world.tripwire();
    tripwire.state = world.write("state/file", "");
    let error = tripwire.arm(&[], &[]).unwrap_err();
    assert!(error.to_string().starts_with("the tripwire cannot be kept in `"), "{error}");
}

#[test]
fn a_run_that_removes_the_journal_is_found_out_all_the_same() {
    let world = World::new();
    let armed = world.arm(&world.tripwire(), &[]);
    world.write("ws/.envrc", "evil");
    fs::remove_dir_all(world.path("state/tripwire")).unwrap();
    let tripped = armed.disarm(true, &never);
    assert!(!tripped.complete, "what others wrote there is lost");
    assert_eq!(tripped.findings.len(), 1);
    assert!(!world.path("ws/.envrc").exists());
}

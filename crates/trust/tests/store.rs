//! The store on disk: its form, what is refused, and many writers at once.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

mod common;

use std::{
    collections::BTreeSet,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use common::{World, reader};
use portcullis_paths::OsResolver;
use portcullis_trust::{DecideError, Project, Request, SavedFiles, Store, StoreError, StoreLayout, decide};

#[test]
fn each_host_has_a_place() {
    let home = Path::new("/h");
    let both = |layout: StoreLayout| (layout.trust, layout.saved);
    let pair = |folder: &str| {
        (PathBuf::from(format!("/h/{folder}/trust.json")), PathBuf::from(format!("/h/{folder}/saved.json")))
    };
    assert_eq!(both(StoreLayout::letta(home)), pair(".letta"));
    assert_eq!(both(StoreLayout::ink(home)), pair(".ink"));
    assert_eq!(both(StoreLayout::portcullis(home)), pair(".config/portcullis"));
}

#[test]
fn it_is_one_sorted_object_for_its_user_alone() {
    let world = World::new();
    assert_eq!(world.store.read().unwrap().iter().count(), 0);
    world.store.set("/work/b", true).unwrap();
    world.store.set("/work/a", false).unwrap();
    assert_eq!(world.text(), "{\n  \"/work/a\": false,\n  \"/work/b\": true\n}\n");
    assert!(world.store.forget("/work/b").unwrap());
    assert!(!world.store.forget("/work/b").unwrap());
    assert_eq!(world.text(), "{\n  \"/work/a\": false\n}\n");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let file = &world.store.layout().trust;
    assert_eq!((mode(file), mode(file.parent().unwrap())), (0o600, 0o700));
    // What another program wrote keeps its place, and a link stays one.
    let target = world.path("dotfiles.json");
    std::fs::rename(file, &target).unwrap();
    symlink(&target, file).unwrap();
    world.store.set("/work/c", true).unwrap();
    assert!(std::fs::symlink_metadata(file).unwrap().is_symlink());
    assert_eq!(
        std::fs::read_to_string(&target).unwrap(),
        "{\n  \"/work/a\": false,\n  \"/work/c\": true\n}\n"
    );
}

#[test]
fn what_is_none_of_its_forms_is_an_error_that_names_the_file_and_nothing_is_written() {
    let good = r#"{"/a": true, "/b": false, "/c": {"trusted": true, "fingerprint": "x", "at": "y"}, "/d": {"trusted": false}}"#;
    let bad = [
        "",
        " ",
        "[]",
        "null",
        "true",
        "{",
        r#"{"/a": true"#,
        r#"{"/a": true}x"#,
        r#"{"/a": true,}"#,
        r#"{"/a": true} // comment"#,
        r#"{"/a": "true"}"#,
        r#"{"/a": 1}"#,
        r#"{"/a": null}"#,
        r#"{"/a": []}"#,
        r#"{"/a": {}}"#,
        r#"{"/a": {"trusted": "yes"}}"#,
        r#"{"/a": {"trusted": 1}}"#,
        r#"{"/a": {"trusted": true, "trusted": false}}"#,
        r#"{"/a": {"trusted": true, "fingerprint": 1}}"#,
        r#"{"/a": {"trusted": true, "at": 1}}"#,
        r#"{"/a": {"trusted": true, "until": "tomorrow"}}"#,
        r#"{"/a": true, "/a": false}"#,
        r#"{"a": true}"#,
        r#"{"": true}"#,
        "{\"/a\u{0}",
    ];
    let world = World::new();
    let file = world.write("home/.letta/trust.json", good);
    assert_eq!(world.store.read().unwrap().iter().count(), 4);
    for text in bad.map(str::as_bytes).into_iter().chain([&b"{\"/\xff\": true}"[..]]) {
        std::fs::write(&file, text).unwrap();
        let told = String::from_utf8_lossy(text);
        let errors =
            [world.store.read().map(drop), world.store.set("/x", true), world.store.forget("/a").map(drop)];
        for error in errors {
            let error = error.expect_err(&told);
            assert!(matches!(error, StoreError::Broken { .. }), "{told}: {error}");
            assert!(error.to_string().contains(&file) && error.remedy().contains("--trust"), "{error}");
        }
        assert_eq!(std::fs::read(&file).unwrap(), text, "{told}");
    }
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let error = world.store.set("/x", true).unwrap_err();
    assert!(matches!(error, StoreError::Unreadable { .. }) && error.to_string().contains(&file), "{error}");
}

#[test]
fn what_was_saved_is_as_strict() {
    let world = World::new();
    let hash = "a".repeat(64);
    let file = world.write("home/.letta/saved.json", &format!("{{\"/a\": \"{hash}\"}}"));
    assert!(world.store.saved().is_ok());
    for text in [
        String::new(),
        "[]".to_owned(),
        r#"{"/a": true}"#.to_owned(),
        r#"{"/a": "x"}"#.to_owned(),
        format!("{{\"/a\": \"{hash}\", \"/a\": \"{hash}\"}}"),
    ] {
        std::fs::write(&file, &text).unwrap();
        let error = world.store.saved().expect_err(&text);
        assert!(error.to_string().contains(&file) && error.remedy().contains("remove"), "{error}");
    }
}

#[test]
fn only_a_flag_begins_a_broken_store_anew_and_every_broken_one_is_kept() {
    let world = World::new();
    world.put(".mcp.json", "{}");
    let file = world.write("home/.letta/trust.json", "{ broken 1");
    let saved = SavedFiles::default();
    let request = |flag| Request {
        project: world.project(&world.root, &saved),
        store: Some(&world.store),
        inherit: false,
        flag,
        asker: None,
        now_ms: 0,
    };
    assert!(matches!(decide(&request(None)), Err(DecideError::Store(StoreError::Broken { .. }))));
    assert!(world.store.decide(&world.project(&world.root, &saved), true, false, 0).is_err());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{ broken 1");

    let decision = decide(&request(Some(false))).unwrap();
    assert_eq!(decision.kept.as_deref(), Some(Path::new(&format!("{file}.corrupt-1"))));
    assert_eq!(std::fs::read_to_string(format!("{file}.corrupt-1")).unwrap(), "{ broken 1");
    std::fs::write(&file, "{ broken 2").unwrap();
    let decision = decide(&request(Some(true))).unwrap();
    assert!(decision.trusted && decision.stored);
    assert_eq!(std::fs::read_to_string(format!("{file}.corrupt-2")).unwrap(), "{ broken 2");
    assert!(decide(&request(None)).unwrap().trusted);
    assert_eq!(decide(&request(Some(true))).unwrap().kept, None, "a whole store is not put aside");
}

const BASE: &str = "PORTCULLIS_TEST_HOME";
const NAME: &str = "PORTCULLIS_TEST_NAME";
const COUNT: &str = "PORTCULLIS_TEST_COUNT";

/// Not a test of its own: what the child processes of the others run.
#[test]
fn child() {
    let (Ok(home), Ok(name), Ok(count)) = (std::env::var(BASE), std::env::var(NAME), std::env::var(COUNT))
    else {
        return;
    };
    let store = Store::new(StoreLayout::letta(Path::new(&home)));
    let saved = SavedFiles::default();
    for number in 0..count.parse::<usize>().unwrap() {
        store.set(&format!("/work/{name}/{number}"), number % 2 == 0).unwrap();
        let root = format!("/work/{name}");
        let project = Project {
            root: &root,
            home: None,
            settings_folder: ".letta",
            resolver: &OsResolver,
            settings: &reader,
            saved: &saved,
        };
        let path = format!("{root}/.letta/{number}.json");
        store.edited(&project, false, &path, None, b"x", 0).unwrap();
    }
}

fn spawn(home: &str, name: &str, count: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--test-threads=1"])
        .env(BASE, home)
        .env(NAME, name)
        .env(COUNT, count)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// A disk that does not make every writer wait, if there is one.
fn fast() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory).unwrap() } else { tempfile::tempdir().unwrap() }
}

#[test]
fn fifty_processes_that_write_at_once_lose_nothing() {
    let home = fast();
    let mut children: Vec<Child> =
        (0..50).map(|writer| spawn(home.path().to_str().unwrap(), &format!("w{writer}"), "4")).collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let store = Store::new(StoreLayout::letta(home.path()));
    let entries = store.read().unwrap();
    let found: BTreeSet<(String, bool)> =
        entries.iter().map(|(key, entry)| (key.to_owned(), entry.trusted)).collect();
    let expected: BTreeSet<(String, bool)> = (0..50)
        .flat_map(|writer| (0..4).map(move |number| (format!("/work/w{writer}/{number}"), number % 2 == 0)))
        .collect();
    assert_eq!(found, expected);
    let saved = store.saved().unwrap();
    for writer in 0..50 {
        for number in 0..4 {
            assert!(saved.is_saved(&format!("/work/w{writer}/.letta/{number}.json"), b"x"));
        }
    }
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_store_and_a_free_lock() {
    let home = fast();
    let store = Store::new(StoreLayout::letta(home.path()));
    store.set("/kept", false).unwrap();
    let mut counts = BTreeSet::new();
    for round in 0..60_u64 {
        let mut child = spawn(home.path().to_str().unwrap(), &format!("k{round}"), "1000000");
        let limit = Instant::now() + Duration::from_secs(60);
        let before = store.read().unwrap().iter().count();
        while round % 4 != 0 && store.read().unwrap().iter().count() == before {
            assert!(Instant::now() < limit, "round {round}: nothing was written");
        }
        std::thread::sleep(Duration::from_micros(round * 997 % 8_000));
        child.kill().unwrap();
        child.wait().unwrap();
        let entries = store.read().unwrap();
        store.saved().unwrap();
        assert!(entries.get("/kept").is_some_and(|entry| !entry.trusted), "round {round}");
        counts.insert(entries.iter().count());
    }
    assert!(counts.len() > 10, "killed at different states of the store: {counts:?}");
    store.set("/after", true).unwrap();
    let names: BTreeSet<_> = std::fs::read_dir(home.path().join(".letta"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names, ["trust.json", "saved.json", ".trust.lock"].map(ToOwned::to_owned).into());
}

#[test]
fn a_lock_file_that_was_left_behind_blocks_nobody_and_one_that_is_held_is_waited_for() {
    let world = World::new();
    let lock = world.write("home/.letta/.trust.lock", "left by somebody long ago");
    world.store.set("/a", true).unwrap();

    let held = std::fs::File::open(&lock).unwrap();
    held.lock().unwrap();
    let store = world.store.clone();
    let writer = std::thread::spawn(move || store.set("/b", true));
    std::thread::sleep(Duration::from_millis(300));
    assert!(!writer.is_finished(), "nobody goes on without the lock");
    assert!(world.store.read().unwrap().get("/b").is_none());
    // Another lock file in its place: who waits must not go on with the one that is gone.
    std::fs::remove_file(&lock).unwrap();
    let other = std::fs::File::create(&lock).unwrap();
    other.lock().unwrap();
    held.unlock().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(!writer.is_finished(), "the lock in its place is held as well");
    other.unlock().unwrap();
    writer.join().unwrap().unwrap();
    assert!(world.store.read().unwrap().get("/b").is_some());

    // Where no lock can be taken, nothing is written.
    std::fs::remove_file(&lock).unwrap();
    symlink(world.path("elsewhere"), &lock).unwrap();
    let before = world.text();
    assert!(matches!(world.store.set("/c", true), Err(StoreError::Unwritable { .. })));
    assert_eq!(world.text(), before);
    assert!(!Path::new(&world.path("elsewhere")).exists());
}

#[test]
fn settings_in_the_same_folder_may_be_locked_meanwhile() {
    let world = World::new();
    let settings = world.write("home/.letta/settings.json", "{}");
    let _locked = portcullis_paths::files::Locked::new(Path::new(&settings)).unwrap();
    world.store.set("/a", true).unwrap();
    assert!(world.store.read().unwrap().get("/a").is_some());
}

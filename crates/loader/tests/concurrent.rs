//! Many savers at once, and savers that are killed.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

mod common;

use std::{
    collections::BTreeSet,
    path::Path,
    process::{Child, Command, Stdio},
};

use common::{World, labels};
use portcullis_loader::{Layout, ListKind, NothingSaved, Places, Scope, remove, save};

const HOME: &str = "PORTCULLIS_TEST_HOME";
const NAME: &str = "PORTCULLIS_TEST_NAME";
const COUNT: &str = "PORTCULLIS_TEST_COUNT";
/// Instead of a count: until the process is killed.
const TURNS: &str = "turns";

fn save_many(home: &Path, name: &str, count: usize) {
    let layout = Layout::letta(&Places::new(Some(home), None, Path::new("/nowhere")));
    for number in 0..count {
        save(&layout, &format!("Read({name}/{number})"), ListKind::Allow, Scope::User, &NothingSaved)
            .unwrap();
    }
}

/// Saves rules and takes them away again until it is killed, so that the file grows and shrinks.
fn save_and_remove(home: &Path) {
    let layout = Layout::letta(&Places::new(Some(home), None, Path::new("/nowhere")));
    loop {
        for change in [save, remove] {
            for number in 0..8 {
                let rule = format!("Bash(rule {number} {})", "x".repeat(1 << number));
                change(&layout, &rule, ListKind::Allow, Scope::User, &NothingSaved).unwrap();
            }
        }
    }
}

/// Not a test of its own: what the child processes of the others run.
#[test]
fn child() {
    let (Ok(home), Ok(name), Ok(count)) = (std::env::var(HOME), std::env::var(NAME), std::env::var(COUNT))
    else {
        return;
    };
    match count.as_str() {
        TURNS => save_and_remove(Path::new(&home)),
        count => save_many(Path::new(&home), &name, count.parse().unwrap()),
    }
}

fn spawn(home: &Path, name: &str, count: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--test-threads=1"])
        .env(HOME, home)
        .env(NAME, name)
        .env(COUNT, count)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn expected(writers: usize, count: usize) -> BTreeSet<String> {
    (0..writers)
        .flat_map(|writer| (0..count).map(move |number| format!("Read(w{writer}/{number})")))
        .collect()
}

#[test]
fn twenty_threads_lose_nothing() {
    let world = World::new();
    world.put(Scope::User, "{\n  // kept\n  \"theme\": \"dark\"\n}\n");
    std::thread::scope(|scope| {
        for writer in 0..20 {
            let home = &world.home;
            scope.spawn(move || save_many(home, &format!("w{writer}"), 5));
        }
    });
    let loaded = world.load();
    assert_eq!(labels(&loaded.rules.allow).into_iter().collect::<BTreeSet<_>>(), expected(20, 5));
    assert_eq!(loaded.rules.allow.len(), 100);
    let text = std::fs::read_to_string(world.home.join(".letta/settings.json")).unwrap();
    assert!(text.contains("// kept") && text.contains("\"theme\": \"dark\""));
}

/// A thousand saves wait two thousand times for a disk, which is not what is tried here.
fn in_memory() -> World {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { World::within(memory) } else { World::new() }
}

#[test]
fn fifty_processes_lose_nothing() {
    let world = in_memory();
    let mut children: Vec<Child> =
        (0..50).map(|writer| spawn(&world.home, &format!("w{writer}"), "20")).collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let loaded = world.load();
    assert_eq!(labels(&loaded.rules.allow).into_iter().collect::<BTreeSet<_>>(), expected(50, 20));
    assert_eq!(loaded.rules.allow.len(), 1000);
}

#[test]
fn a_kill_leaves_a_whole_file() {
    let world = World::new();
    world.put(Scope::User, "{\n  // kept\n  \"permissions\": { \"deny\": [\"Read(.env)\"] }\n}\n");
    let mut saved = 0;
    for round in 0..40 {
        let mut child = spawn(&world.home, &format!("k{round}"), "1000000");
        // Some are killed at their start, the others while they save.
        let limit = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while round % 4 != 0 && world.load().rules.allow.len() == saved {
            assert!(std::time::Instant::now() < limit, "round {round}: nothing was saved");
        }
        std::thread::sleep(std::time::Duration::from_millis(round % 10));
        child.kill().unwrap();
        child.wait().unwrap();
        let loaded = world.load();
        assert_eq!(loaded.degraded, None, "round {round}: {:?}", loaded.diagnostics);
        assert_eq!(labels(&loaded.rules.deny), ["Read(.env)"]);
        let now = loaded.rules.allow.len();
        assert!(now >= saved, "round {round}: rules were lost");
        saved = now;
    }
    assert!(saved >= 30, "{saved}");
    // The lock of a killed process is free, and its litter is cleared away.
    save_many(&world.home, "after", 1);
    let text = std::fs::read_to_string(world.home.join(".letta/settings.json")).unwrap();
    assert!(text.contains("// kept"));
    let names: Vec<_> = std::fs::read_dir(world.home.join(".letta")).unwrap().collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn five_hundred_kills_at_any_moment_leave_a_whole_file() {
    let world = in_memory();
    let file = world.home.join(".letta/settings.json");
    let head = "{\n  // kept\n  \"theme\": { \"dark\": true },\n";
    world.put(
        Scope::User,
        &format!("{head}  \"permissions\": {{ \"deny\": [\"Read(.env)\"], \"allow\": [] }}\n}}\n"),
    );
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut seen = BTreeSet::new();
    for round in 0..500 {
        let mut child = spawn(&world.home, "k", TURNS);
        // xorshift64: moments that a failure can be repeated with.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        std::thread::sleep(std::time::Duration::from_micros(random % 16_000));
        child.kill().unwrap();
        child.wait().unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with(head) && text.ends_with("\n}\n"), "round {round}: {text}");
        let loaded = world.load();
        assert_eq!(loaded.degraded, None, "round {round}: {:?}", loaded.diagnostics);
        assert_eq!(labels(&loaded.rules.deny), ["Read(.env)"], "round {round}");
        seen.insert(loaded.rules.allow.len());
    }
    assert!(seen.len() > 3, "killed at different states of the file: {seen:?}");
}

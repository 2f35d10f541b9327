//! The watcher: changes are told, and nothing is left behind.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

mod common;

use std::{
    path::PathBuf,
    sync::{Arc, mpsc},
    time::{Duration, SystemTime},
};

use common::{World, labels};
use portcullis_loader::{Judges, Layout, Loader, NothingSaved, Places, Scope};

const PATIENCE: Duration = Duration::from_secs(30);

fn layout(world: &World) -> Layout {
    let system = world.system();
    Layout::letta(&Places { system: &system, ..Places::new(Some(&world.home), None, &world.project) })
}

fn load(loader: &Loader, world: &World) -> Arc<portcullis_loader::Loaded> {
    let judges = Judges {
        trust: &|_: &std::path::Path, _: &[u8]| true,
        saved: &NothingSaved,
        tracked: &|_: &std::path::Path| false,
    };
    // So late that every time stamp is old enough to be trusted.
    loader.load(&world.project, &judges, SystemTime::now() + Duration::from_secs(3600))
}

fn watched(loader: &Loader) -> mpsc::Receiver<PathBuf> {
    let (sender, receiver) = mpsc::channel();
    loader.watch(move |path| drop(sender.send(path.to_owned()))).unwrap();
    receiver
}

/// Waits until this file was told.
fn told(receiver: &mpsc::Receiver<PathBuf>, file: &std::path::Path) {
    while receiver.recv_timeout(PATIENCE).unwrap() != file {}
}

#[test]
fn a_change_that_leaves_time_and_size_as_they_were_is_seen() {
    let world = World::new();
    let file = world.home.join(".letta/settings.json");
    world.put(Scope::User, r#"{ "permissions": { "deny": ["Bash(a:*)"] } }"#);
    let time = std::fs::metadata(&file).unwrap().modified().unwrap();
    let loader = Loader::new(layout(&world));
    assert_eq!(labels(&load(&loader, &world).rules.deny), ["Bash(a:*)"]);
    let changes = watched(&loader);
    // In place: same size, same file, and its old time again.
    std::fs::write(&file, r#"{ "permissions": { "deny": ["Bash(b:*)"] } }"#).unwrap();
    std::fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
    told(&changes, &file);
    assert_eq!(labels(&load(&loader, &world).rules.deny), ["Bash(b:*)"]);
}

#[test]
fn files_that_are_replaced_and_made_are_told() {
    let world = World::new();
    world.put(Scope::User, "{}");
    let user = world.home.join(".letta/settings.json");
    let loader = Loader::new(layout(&world));
    load(&loader, &world);
    let changes = watched(&loader);
    let other = world.home.join(".letta/new");
    std::fs::write(&other, r#"{ "permissions": { "deny": ["Bash(b:*)"] } }"#).unwrap();
    std::fs::rename(&other, &user).unwrap();
    told(&changes, &user);
    assert_eq!(labels(&load(&loader, &world).rules.deny), ["Bash(b:*)"]);
    // The project has no settings folder yet.
    std::fs::create_dir(world.project.join(".letta")).unwrap();
    told(&changes, &world.project.join(".letta/settings.json"));
}

#[cfg(target_os = "linux")]
#[test]
fn no_watch_outlives_the_loader() {
    // The other tests of this file watch too: count the watches on this test's own folder (proc(5), fdinfo).
    let world = World::new();
    world.put(Scope::User, "{}");
    let inode = std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(world.home.join(".letta")).unwrap());
    let mark = format!("ino:{inode:x} ");
    let watches = || {
        let descriptors = std::fs::read_dir("/proc/self/fdinfo").unwrap();
        let texts = descriptors.filter_map(|entry| std::fs::read_to_string(entry.ok()?.path()).ok());
        texts
            .filter(|text| text.lines().any(|line| line.starts_with("inotify") && line.contains(&mark)))
            .count()
    };
    let loader = Loader::new(layout(&world));
    let changes = watched(&loader);
    assert_eq!(watches(), 1);
    drop(watched(&loader));
    drop(changes);
    drop(loader);
    // The thread that watches ends by itself.
    let limit = std::time::Instant::now() + PATIENCE;
    while watches() > 0 {
        assert!(std::time::Instant::now() < limit, "a watch is left behind");
        std::thread::sleep(Duration::from_millis(10));
    }
}

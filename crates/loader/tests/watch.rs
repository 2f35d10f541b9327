//! The watcher: changes are told, and nothing is left behind.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

mod common;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    time::{Duration, SystemTime},
};

use common::{World, labels};
use portcullis_loader::{Judges, Layout, ListKind, Loader, NothingSaved, Places, Scope, Status};

const PATIENCE: Duration = Duration::from_secs(30);

fn layout(world: &World) -> Layout {
    let system = world.system();
    Layout::letta(&Places { system: &system, ..Places::new(Some(&world.home), None, &world.project) })
}

fn load(loader: &Loader, world: &World) -> Arc<portcullis_loader::Loaded> {
    load_from(loader, &world.project)
}

fn load_from(loader: &Loader, start: &Path) -> Arc<portcullis_loader::Loaded> {
    let judges =
        Judges { trust: &|_: &Path, _: &[u8]| true, saved: &NothingSaved, tracked: &|_: &Path| false };
    // So late that every time stamp is old enough to be trusted.
    loader.load(start, &judges, SystemTime::now() + Duration::from_secs(3600))
}

fn watched(loader: &Loader) -> mpsc::Receiver<PathBuf> {
    let (sender, receiver) = mpsc::channel();
    loader.watch(move |path| drop(sender.send(path.to_owned()))).unwrap();
    receiver
}

/// A settings file that denies this program.
fn denying(program: &str) -> String {
    format!(r#"{{ "permissions": {{ "deny": ["Bash({program}:*)"] }} }}"#)
}

/// A host that loads only when it is told, and reads no file of which it was not told.
struct Host<'a> {
    world: &'a World,
    loader: Loader,
    changes: mpsc::Receiver<PathBuf>,
}

impl<'a> Host<'a> {
    fn new(world: &'a World, layout: Layout) -> Self {
        let loader = Loader::new(layout);
        let changes = watched(&loader);
        load(&loader, world);
        Self { world, loader, changes }
    }

    /// Waits until it is told of this file, and its only deny rules are then for these programs.
    fn learns(&self, file: &Path, programs: &[&str]) {
        let expected: Vec<String> = programs.iter().map(|program| format!("Bash({program}:*)")).collect();
        loop {
            let told = self.changes.recv_timeout(PATIENCE);
            let told = told.unwrap_or_else(|_| panic!("{}: not told of {programs:?}", file.display()));
            if told == file && labels(&load(&self.loader, self.world).rules.deny) == expected {
                return;
            }
        }
    }

    /// The next file that it is told of.
    fn next(&self) -> PathBuf {
        self.changes.recv_timeout(PATIENCE).unwrap()
    }

    /// Forgets what it was told, once nothing more comes.
    fn settles(&self) {
        while self.changes.recv_timeout(Duration::from_millis(200)).is_ok() {}
    }
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
    while changes.recv_timeout(PATIENCE).unwrap() != file {}
    assert_eq!(labels(&load(&loader, &world).rules.deny), ["Bash(b:*)"]);
}

#[test]
fn every_file_of_every_profile_is_told_when_it_is_made_changed_replaced_and_removed() {
    for profile in ["letta", "claude", "portcullis"] {
        let world = World::new();
        let layout = world.layout(profile);
        let files: Vec<PathBuf> = layout.files.iter().map(|file| file.path.clone()).collect();
        let host = Host::new(&world, layout);
        for file in files {
            // Not one of the folders is there yet.
            world.write(&file, &denying("a"));
            host.learns(&file, &["a"]);
            std::fs::write(&file, denying("b")).unwrap();
            host.learns(&file, &["b"]);
            let other = file.with_file_name("new");
            std::fs::write(&other, denying("c")).unwrap();
            std::fs::rename(&other, &file).unwrap();
            host.learns(&file, &["c"]);
            std::fs::remove_file(&file).unwrap();
            host.learns(&file, &[]);
            std::fs::write(&file, denying("d")).unwrap();
            host.learns(&file, &["d"]);
            std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
            host.learns(&file, &[]);
        }
    }
}

#[test]
fn a_folder_alone_is_no_change_and_rules_that_are_saved_are() {
    let world = World::new();
    let host = Host::new(&world, layout(&world));
    let project = world.project.join(".letta/settings.json");
    std::fs::create_dir(world.project.join(".letta")).unwrap();
    let user = world.put(Scope::User, &denying("a"));
    assert_eq!(host.next(), user);
    host.settles();
    let rule = "Bash(b:*)";
    portcullis_loader::save(&layout(&world), rule, ListKind::Deny, Scope::Project, &NothingSaved).unwrap();
    host.learns(&project, &["a", "b"]);
    portcullis_loader::remove(&layout(&world), rule, ListKind::Deny, Scope::Project, &NothingSaved).unwrap();
    host.learns(&project, &["a"]);
}

#[test]
fn a_folder_that_is_moved_away_and_made_again_is_told() {
    let world = World::new();
    let file = world.put(Scope::Project, &denying("a"));
    let host = Host::new(&world, layout(&world));
    let folder = world.project.join(".letta");
    let away = world.project.join("away");
    for round in ["b", "c", "d"] {
        std::fs::rename(&folder, &away).unwrap();
        host.learns(&file, &[]);
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(&file, denying(round)).unwrap();
        host.learns(&file, &[round]);
        std::fs::write(&file, denying("e")).unwrap();
        host.learns(&file, &["e"]);
        host.settles();
        // What was moved away is settings no more.
        std::fs::write(away.join("settings.json"), denying("x")).unwrap();
        let user = world.put(Scope::User, &format!("{{}}//{round}"));
        assert_eq!(host.next(), user);
        host.settles();
        std::fs::remove_dir_all(&away).unwrap();
    }
    // Replaced at once, as when another branch is checked out.
    std::fs::rename(&folder, &away).unwrap();
    world.write(&file, &denying("f"));
    host.learns(&file, &["f"]);
    std::fs::write(&file, denying("g")).unwrap();
    host.learns(&file, &["g"]);
}

#[test]
fn a_folder_far_above_that_is_replaced_is_told() {
    let world = World::new();
    let file = world.put(Scope::Project, &denying("a"));
    let host = Host::new(&world, layout(&world));
    let work = world.project.parent().unwrap().to_owned();
    let away = work.with_file_name("away");
    std::fs::rename(&work, &away).unwrap();
    host.learns(&file, &[]);
    world.write(&file, &denying("b"));
    host.learns(&file, &["b"]);
    std::fs::remove_dir_all(&work).unwrap();
    host.learns(&file, &[]);
    std::fs::rename(&away, &work).unwrap();
    host.learns(&file, &["a"]);
    std::fs::write(&file, denying("c")).unwrap();
    host.learns(&file, &["c"]);
}

#[test]
fn files_of_the_folders_down_to_the_start_are_told() {
    let world = World::new();
    let nested = world.project.join("a/b");
    std::fs::create_dir_all(&nested).unwrap();
    let host = Host::new(&world, layout(&world));
    let load = || load_from(&host.loader, &nested);
    load();
    for folder in [world.project.join("a"), nested.clone()] {
        let file = folder.join(".letta/settings.json");
        for program in ["a", "b"] {
            world.write(&file, &denying(program));
            while host.next() != file || labels(&load().rules.deny) != [format!("Bash({program}:*)")] {}
        }
        std::fs::remove_file(&file).unwrap();
        while host.next() != file || !load().rules.deny.is_empty() {}
    }
    // Another callback is told of them too.
    let changes = watched(&host.loader);
    let file = nested.join(".letta/settings.json");
    world.write(&file, &denying("c"));
    while changes.recv_timeout(PATIENCE).unwrap() != file {}
}

#[cfg(unix)]
#[test]
fn changes_behind_symbolic_links_are_told() {
    use std::os::unix::fs::symlink;

    let world = World::new();
    let dotfiles = world.system().join("dotfiles");
    let file = world.home.join(".letta/settings.json");
    let host = Host::new(&world, layout(&world));

    // The file is a link that leads to nothing yet, through a folder that is not there.
    std::fs::create_dir(world.home.join(".letta")).unwrap();
    symlink("../../../dotfiles/one/letta.json", &file).unwrap();
    let target = dotfiles.join("one/letta.json");
    world.write(&target, &denying("a"));
    host.learns(&file, &["a"]);
    std::fs::write(&target, denying("b")).unwrap();
    host.learns(&file, &["b"]);
    let other = dotfiles.join("new");
    std::fs::write(&other, denying("c")).unwrap();
    std::fs::rename(&other, &target).unwrap();
    host.learns(&file, &["c"]);
    std::fs::rename(dotfiles.join("one"), dotfiles.join("two")).unwrap();
    // A link that leads nowhere any more keeps what it said.
    host.learns(&file, &["c"]);
    // The link leads elsewhere.
    std::fs::remove_file(&file).unwrap();
    symlink(dotfiles.join("two/letta.json"), &file).unwrap();
    host.learns(&file, &["c"]);
    std::fs::write(dotfiles.join("two/letta.json"), denying("d")).unwrap();
    host.learns(&file, &["d"]);

    // The folder is a link, to a folder below another link.
    std::fs::remove_dir_all(world.home.join(".letta")).unwrap();
    host.learns(&file, &[]);
    symlink(dotfiles.join("two"), dotfiles.join("current")).unwrap();
    world.write(&dotfiles.join("two/home/settings.json"), &denying("e"));
    symlink(dotfiles.join("current/home"), world.home.join(".letta")).unwrap();
    host.learns(&file, &["e"]);
    world.write(&dotfiles.join("three/home/settings.json"), &denying("f"));
    let next = dotfiles.join("next");
    symlink(dotfiles.join("three"), &next).unwrap();
    std::fs::rename(&next, dotfiles.join("current")).unwrap();
    host.learns(&file, &["f"]);
    std::fs::write(dotfiles.join("three/home/settings.json"), denying("g")).unwrap();
    host.learns(&file, &["g"]);
    // A loop leads nowhere, and ends; what cannot be read keeps what it said.
    symlink("current", &next).unwrap();
    std::fs::rename(&next, dotfiles.join("current")).unwrap();
    let is_kept = || {
        load(&host.loader, &world)
            .files
            .iter()
            .any(|state| state.path == file && state.status == Status::LastGood)
    };
    while host.next() != file || !is_kept() {}
    assert_eq!(labels(&load(&host.loader, &world).rules.deny), ["Bash(g:*)"]);
    std::fs::remove_file(dotfiles.join("current")).unwrap();
    symlink("three", dotfiles.join("current")).unwrap();
    host.learns(&file, &["g"]);
}

#[test]
fn the_callback_may_load_from_the_same_loader_and_panic() {
    let world = World::new();
    let loader = Arc::new(Loader::new(layout(&world)));
    let own = Arc::downgrade(&loader);
    let project = world.project.clone();
    let (sender, receiver) = mpsc::channel();
    loader
        .watch(move |_| {
            if let Some(loader) = own.upgrade() {
                let deny = labels(&load_from(&loader, &project).rules.deny);
                let _ = sender.send(deny.clone());
                assert_ne!(deny, ["Bash(a:*)"]);
            }
        })
        .unwrap();
    for program in ["a", "b"] {
        world.put(Scope::User, &denying(program));
        while receiver.recv_timeout(PATIENCE).unwrap() != [format!("Bash({program}:*)")] {}
    }
}

/// How many watches this process has on these folders (proc(5), fdinfo); other tests watch too, but not them.
#[cfg(target_os = "linux")]
fn watches(folders: &[&Path]) -> usize {
    let marks: Vec<String> = folders
        .iter()
        .map(|folder| {
            format!("ino:{:x} ", std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(folder).unwrap()))
        })
        .collect();
    let descriptors = std::fs::read_dir("/proc/self/fdinfo").unwrap();
    let texts = descriptors.filter_map(|entry| std::fs::read_to_string(entry.ok()?.path()).ok());
    let is_own = |line: &str| line.starts_with("inotify") && marks.iter().any(|mark| line.contains(mark));
    texts.map(|text| text.lines().filter(|line| is_own(line)).count()).sum()
}

/// The thread that watches ends by itself.
#[cfg(target_os = "linux")]
fn ends(folders: &[&Path]) {
    let limit = std::time::Instant::now() + PATIENCE;
    while watches(folders) > 0 {
        assert!(std::time::Instant::now() < limit, "a watch is left behind");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_watch_outlives_the_loader() {
    let world = World::new();
    let user = world.put(Scope::User, "{}");
    let folder = world.home.join(".letta");
    let away = world.home.join("away");
    let host = Host::new(&world, layout(&world));
    assert_eq!(watches(&[&folder]), 1);
    assert_eq!(watches(&[&folder, &world.home, &world.project, &world.system()]), 4);
    // Replaced folders are watched, those that they replaced are not.
    for program in ["a", "b", "c"] {
        std::fs::rename(&folder, &away).unwrap();
        world.put(Scope::User, &denying(program));
        host.learns(&user, &[program]);
        host.settles();
        assert_eq!((watches(&[&folder]), watches(&[&away])), (1, 0));
        std::fs::remove_dir_all(&away).unwrap();
    }
    // Called again: the first callback hears no more.
    drop(watched(&host.loader));
    host.settles();
    world.put(Scope::User, "{} // again");
    assert_eq!(host.changes.recv_timeout(PATIENCE), Err(mpsc::RecvTimeoutError::Disconnected));
    drop(host);
    ends(&[&folder, &world.home, &world.project, &world.system()]);
}

#[cfg(target_os = "linux")]
#[test]
fn no_watch_outlives_a_loader_that_goes_during_a_call() {
    let world = World::new();
    let user = world.put(Scope::User, "{}");
    let folders = [user.parent().unwrap(), &world.home, &world.project];
    // The call itself lets the last one go.
    let slot = Arc::new(std::sync::Mutex::new(None));
    let loader = Arc::new(Loader::new(layout(&world)));
    let own = Arc::clone(&slot);
    loader.watch(move |_| drop(own.lock().unwrap().take())).unwrap();
    *slot.lock().unwrap() = Some(loader);
    world.put(Scope::User, "{} // a");
    ends(&folders);
    assert!(slot.lock().unwrap().is_none());

    // The call does not return.
    let loader = Loader::new(layout(&world));
    let (entered, is_entered) = mpsc::channel();
    let (leave, left) = mpsc::channel::<()>();
    loader
        .watch(move |_| {
            let _ = entered.send(());
            let _ = left.recv();
        })
        .unwrap();
    world.put(Scope::User, "{} // b");
    is_entered.recv_timeout(PATIENCE).unwrap();
    drop(loader);
    ends(&folders);
    drop(leave);
    // No other call followed.
    assert_eq!(is_entered.recv_timeout(PATIENCE), Err(mpsc::RecvTimeoutError::Disconnected));
}

/// Folders can be watched only by who may read them (inotify(7)), and root may read every one: the test then runs
/// itself again as a user who may not.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_may_not_be_watched_is_looked_at_every_second() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    const NOBODY: u32 = 65534;
    let may_read_all = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    if may_read_all {
        use std::os::unix::process::CommandExt as _;
        let place = tempfile::tempdir_in("/var/tmp").unwrap();
        let program = place.path().join("watch");
        std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        std::os::unix::fs::chown(place.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        let run = std::process::Command::new(&program)
            .args(["--exact", "a_folder_that_may_not_be_watched_is_looked_at_every_second"])
            .env("TMPDIR", place.path())
            .current_dir(place.path())
            .uid(NOBODY)
            .gid(NOBODY)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && said.contains("1 passed"), "{run:?}");
        return;
    }

    let world = World::new();
    let user = world.put(Scope::User, &denying("a"));
    let folder = user.parent().unwrap();
    let mode = |bits| std::fs::set_permissions(folder, std::fs::Permissions::from_mode(bits)).unwrap();
    mode(0o311);
    let host = Host::new(&world, layout(&world));
    assert_eq!((watches(&[folder]), watches(&[&world.home])), (0, 1), "what is looked at is not watched");
    host.settles();
    // In place: nothing happens to any folder that is watched.
    std::fs::write(&user, denying("bb")).unwrap();
    host.learns(&user, &["bb"]);
    std::fs::remove_file(&user).unwrap();
    host.learns(&user, &[]);
    std::fs::write(&user, denying("ccc")).unwrap();
    host.learns(&user, &["ccc"]);
    // What may be watched is told at once all the same.
    let project = world.put(Scope::Project, &denying("d"));
    host.learns(&project, &["ccc", "d"]);
    mode(0o700);
}

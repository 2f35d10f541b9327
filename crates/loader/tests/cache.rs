//! Settings that are loaded again and again.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

mod common;

use std::{
    cell::Cell,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime},
};

use common::{World, labels};
use portcullis_loader::{Judges, Loaded, Loader, Scope, Status};

struct Fixture {
    world: World,
    loader: Loader,
    trusted: Cell<bool>,
    asked: Cell<usize>,
}

impl Fixture {
    fn new() -> Self {
        let world = World::new();
        let loader = Loader::new(world.layout("letta"));
        Self { world, loader, trusted: Cell::new(false), asked: Cell::new(0) }
    }

    fn load_at(&self, now: SystemTime) -> Arc<Loaded> {
        let trust = |_: &Path, _: &[u8]| {
            self.asked.set(self.asked.get() + 1);
            self.trusted.get()
        };
        let judges = Judges { trust: &trust, saved: &self.world.saved, tracked: &|_: &Path| false };
        self.loader.load(&self.world.project, &judges, now)
    }

    /// As if the files had not been touched for a long time.
    fn load(&self) -> Arc<Loaded> {
        self.load_at(SystemTime::now() + Duration::from_secs(3600))
    }
}

fn rule(name: &str) -> String {
    format!(r#"{{"permissions":{{"deny":["Bash({name})"],"allow":["Bash({name})"]}}}}"#)
}

#[test]
fn an_unchanged_result_is_the_same_value() {
    let fixture = Fixture::new();
    fixture.world.put(Scope::User, &rule("a"));
    let first = fixture.load();
    assert!(Arc::ptr_eq(&first, &fixture.load()));
    assert_eq!(*first, fixture.world.load());
}

/// How often this thread has read anything (proc(5), `io`: `syscr`), reading this among it.
#[cfg(target_os = "linux")]
fn reads() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/io").unwrap();
    text.lines().find_map(|line| line.strip_prefix("syscr: ")).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn what_has_not_changed_is_looked_at_and_not_read() {
    let fixture = Fixture::new();
    fixture.trusted.set(true);
    for scope in [Scope::Managed, Scope::User, Scope::Project, Scope::Local] {
        fixture.world.put(scope, &rule(scope.as_str()));
    }
    fixture.world.own_local("letta");
    fixture.load();
    let read_during = |load: &dyn Fn()| {
        let before = reads();
        let itself = reads() - before;
        let before = reads();
        load();
        reads() - before - itself
    };
    assert_eq!(read_during(&|| drop(fixture.load())), 0);
    // Files that may still change within one time stamp are read and compared.
    let fresh =
        Fixture { world: fixture.world, loader: Loader::new(fixture.loader.layout().clone()), ..fixture };
    fresh.load_at(SystemTime::now());
    assert!(read_during(&|| drop(fresh.load_at(SystemTime::now()))) >= 4);
    fresh.load();
    fresh.world.put(Scope::User, &rule("other"));
    assert!(read_during(&|| drop(fresh.load())) > 0);
}

#[test]
fn every_kind_of_change_is_seen() {
    let fixture = Fixture::new();
    let names = || labels(&fixture.load().rules.deny);
    assert_eq!(names(), Vec::<String>::new());
    let user = fixture.world.put(Scope::User, &rule("a"));
    assert_eq!(names(), ["Bash(a)"], "created");
    fixture.world.put(Scope::User, &rule("bb"));
    assert_eq!(names(), ["Bash(bb)"], "another size");
    fixture.world.put(Scope::User, &rule("cc"));
    // File systems may count in steps that are longer than this test.
    let later = SystemTime::now() + Duration::from_secs(10);
    std::fs::File::options().write(true).open(&user).unwrap().set_modified(later).unwrap();
    assert_eq!(names(), ["Bash(cc)"], "the same size");
    fixture.world.put(Scope::Project, &rule("d"));
    assert_eq!(names(), ["Bash(cc)", "Bash(d)"], "another file");
    std::fs::remove_file(&user).unwrap();
    assert_eq!(names(), ["Bash(d)"], "removed");
    let other = user.with_extension("new");
    std::fs::write(&other, rule("ee")).unwrap();
    std::fs::rename(&other, &user).unwrap();
    assert_eq!(names(), ["Bash(ee)", "Bash(d)"], "replaced");
}

#[test]
fn a_change_that_keeps_size_and_times_is_seen_while_the_file_is_fresh() {
    let fixture = Fixture::new();
    let file = fixture.world.put(Scope::User, &rule("aa"));
    let modified = std::fs::metadata(&file).unwrap().modified().unwrap();
    let now = modified;
    assert_eq!(labels(&fixture.load_at(now).rules.deny), ["Bash(aa)"]);
    std::fs::write(&file, rule("bb")).unwrap();
    std::fs::File::options().write(true).open(&file).unwrap().set_modified(modified).unwrap();
    assert_eq!(labels(&fixture.load_at(now).rules.deny), ["Bash(bb)"]);
}

#[test]
fn a_fresh_file_with_the_same_content_gives_the_same_value() {
    let fixture = Fixture::new();
    let file = fixture.world.put(Scope::User, &rule("a"));
    let now = SystemTime::now();
    let first = fixture.load_at(now);
    assert!(Arc::ptr_eq(&first, &fixture.load_at(now)));
    std::fs::write(&file, rule("a")).unwrap();
    assert!(Arc::ptr_eq(&first, &fixture.load_at(now)));
}

#[test]
fn trust_is_asked_at_every_load() {
    let fixture = Fixture::new();
    fixture.world.put(Scope::Project, &rule("a"));
    assert!(fixture.load().rules.allow.is_empty());
    fixture.trusted.set(true);
    assert_eq!(labels(&fixture.load().rules.allow), ["Bash(a)"]);
    fixture.trusted.set(false);
    assert!(fixture.load().rules.allow.is_empty());
    assert_eq!(fixture.asked.get(), 3);
}

#[test]
fn a_file_that_breaks_keeps_its_last_good_version() {
    let fixture = Fixture::new();
    let file = fixture.world.put(Scope::User, &rule("a"));
    fixture.load();
    for broken in ["{", r#"{"permissions":{"deny":7}}"#, "[]"] {
        std::fs::write(&file, broken).unwrap();
        let loaded = fixture.load();
        assert_eq!(labels(&loaded.rules.deny), ["Bash(a)"], "{broken}");
        assert_eq!(labels(&loaded.rules.allow), ["Bash(a)"], "{broken}");
        assert_eq!(loaded.degraded, None, "{broken}");
        assert_eq!(loaded.diagnostics.len(), 1, "never silence: {broken}");
        assert!(loaded.files.iter().any(|state| state.status == Status::LastGood), "{broken}");
    }
    std::fs::write(&file, rule("b")).unwrap();
    let loaded = fixture.load();
    assert_eq!(labels(&loaded.rules.deny), ["Bash(b)"]);
    assert!(loaded.diagnostics.is_empty());

    std::fs::remove_file(&file).unwrap();
    assert!(fixture.load().rules.deny.is_empty(), "a file that is gone says nothing");
    std::fs::write(&file, "{").unwrap();
    assert!(fixture.load().degraded.is_some(), "and has no good version any more");
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_any_more_keeps_its_last_good_version() {
    let fixture = Fixture::new();
    let file = fixture.world.put(Scope::User, &rule("a"));
    fixture.load();
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
    let loaded = fixture.load();
    assert_eq!(labels(&loaded.rules.deny), ["Bash(a)"]);
    assert_eq!(loaded.degraded, None);
}

#[test]
fn a_broken_file_without_a_good_version_degrades_until_it_is_mended() {
    let fixture = Fixture::new();
    let file = fixture.world.put(Scope::User, "{");
    assert_eq!(fixture.load().degraded, Some(format!("{}:1", file.display())));
    fixture.world.put(Scope::User, &rule("a"));
    assert_eq!(fixture.load().degraded, None);
}

#[test]
fn the_last_good_version_is_judged_by_its_own_bytes() {
    let fixture = Fixture::new();
    let file = fixture.world.put(Scope::Local, &rule("a"));
    fixture.world.own_local("letta");
    assert_eq!(labels(&fixture.load().rules.allow), ["Bash(a)"]);
    std::fs::write(&file, "{").unwrap();
    assert_eq!(labels(&fixture.load().rules.allow), ["Bash(a)"], "these bytes were saved by us");
}

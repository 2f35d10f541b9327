//! Files that are replaced under a lock: what of them stays, and what is cleared away.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

use std::{
    fs::{self, File},
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink},
    path::Path,
    time::{Duration, SystemTime},
};

use portcullis_paths::files::{Locked, NewFile, ReadError, read, read_own};

fn names(folder: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

#[test]
fn mode_owner_and_group_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("settings.json");
    fs::write(&path, "old").unwrap();
    // Only root can give files away; to everybody else they are their own already.
    let own = fs::metadata(&path).unwrap();
    let (user, group) = if own.uid() == 0 { (12_345, 23_456) } else { (own.uid(), own.gid()) };
    chown(&path, Some(user), Some(group)).unwrap();
    for mode in [0o600, 0o640, 0o664] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        Locked::new(&path).unwrap().replace(b"new", NewFile::Private).unwrap();
        let found = fs::metadata(&path).unwrap();
        assert_eq!((found.uid(), found.gid(), found.mode() & 0o7777), (user, group, mode));
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
}

#[test]
fn what_killed_saves_left_is_cleared_away_and_what_is_being_written_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, age: u64| {
        let file = File::create(folder.path().join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
    };
    put(".portcullis-a.json-Xy12Zz.tmp", 0);
    // Saved under other locks, now...
    put(".portcullis-a.json-b-Xy12Zz.tmp", 0);
    put(".portcullis-b.json-Xy12Zz.tmp", 0);
    put(".portcullis-Xy12Zz.tmp", 0);
    // ...or long ago.
    put(".portcullis-c.json-Xy12Zz.tmp", 100_000);
    put(".portcullis-Xy12Z0.tmp", 100_000);
    put("mine.tmp", 100_000);
    put(".portcullis-notes", 100_000);
    Locked::new(&folder.path().join("a.json")).unwrap().replace(b"x", NewFile::Private).unwrap();
    let left = [
        ".portcullis-Xy12Zz.tmp",
        ".portcullis-a.json-b-Xy12Zz.tmp",
        ".portcullis-b.json-Xy12Zz.tmp",
        ".portcullis-notes",
        "a.json",
        "mine.tmp",
    ];
    assert_eq!(names(folder.path()), left);
}

#[test]
fn a_link_that_leads_nowhere_is_not_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    symlink("gone", path("link")).unwrap();
    symlink("gone", path("linked")).unwrap();
    symlink("link", path("twice")).unwrap();
    fs::create_dir(path("real")).unwrap();
    symlink("real", path("there")).unwrap();
    for name in ["link", "twice", "linked/settings.json", "linked/a/settings.json"] {
        assert!(matches!(read(&path(name), 9), Err(ReadError::Dangling)), "{name}");
    }
    for name in ["gone", "gone/settings.json", "real/settings.json", "there/settings.json"] {
        assert!(matches!(read(&path(name), 9), Ok(None)), "{name}");
    }
}

#[test]
fn what_others_may_write_is_not_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trust.json");
    fs::write(&path, "x").unwrap();
    let set = |path: &Path, mode: u32| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let refused = || match read_own(&path, 9) {
        Ok(bytes) => bytes.is_none().then(String::new),
        Err(error) => Some(error.to_string()),
    };
    for mode in [0o600, 0o644, 0o400] {
        set(&path, mode);
        assert_eq!(refused(), None, "{mode:o}");
    }
    for mode in [0o602, 0o646, 0o666] {
        set(&path, mode);
        assert_eq!(refused().as_deref(), Some("may be written by other users"), "{mode:o}");
    }
    set(&path, 0o600);
    set(folder.path(), 0o777);
    assert_eq!(refused().as_deref(), Some("lies in a folder that other users may write"));
    set(folder.path(), 0o1777);
    assert_eq!(refused(), None, "nobody replaces what belongs to others in a sticky folder");
    set(folder.path(), 0o700);
    let own = fs::metadata(&path).unwrap();
    if own.uid() == 0 {
        // A group that is the user's own, and one that is not.
        set(&path, 0o664);
        assert_eq!(refused(), None);
        chown(&path, Some(0), Some(12_345)).unwrap();
        assert_eq!(refused().as_deref(), Some("may be written by other users"));
        chown(&path, Some(12_345), Some(0)).unwrap();
        assert_eq!(refused().as_deref(), Some("belongs to another user"));
        chown(&path, Some(0), Some(0)).unwrap();
        chown(folder.path(), Some(12_345), Some(0)).unwrap();
        assert_eq!(refused().as_deref(), Some("lies in a folder of another user"));
    }
    assert!(read_own(&folder.path().join("absent"), 9).is_ok_and(|found| found.is_none()));
}

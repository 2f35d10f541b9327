//! What sessions left that were killed before they could clean up: nothing else would ever remove it.

use std::{
    fs::{self, File, OpenOptions},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::Path,
    time::Duration,
};

use nix::unistd::geteuid;

use crate::control_group::ControlGroup;

/// What the directories of sessions are called.
pub(crate) const PREFIX: &str = "portcullis-";

/// A younger directory may belong to a session that has not locked it yet.
const AGE: Duration = Duration::from_secs(60);

/// Removes the directories and control groups of this user's dead sessions. A living session holds a lock on its
/// directory. Whatever fails is left for the next time.
pub(crate) fn sweep(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(PREFIX.as_bytes()) && is_dead(&entry.path(), AGE) {
            ControlGroup::remove_left(&name);
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_dead(directory: &Path, age: Duration) -> bool {
    let flags = libc::O_DIRECTORY | libc::O_NOFOLLOW;
    let opened: Result<File, _> = OpenOptions::new().read(true).custom_flags(flags).open(directory);
    let Ok(opened) = opened else { return false };
    let Ok(found) = opened.metadata() else { return false };
    let is_old =
        found.modified().ok().and_then(|time| time.elapsed().ok()).is_some_and(|passed| passed >= age);
    // Only what looks like ours: this user's, with the mask in it that every session makes first.
    found.uid() == geteuid().as_raw()
        && is_old
        && directory.join("mask").symlink_metadata().is_ok_and(|mask| mask.is_file() && mask.len() == 0)
        && opened.try_lock().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_living_the_young_and_the_foreign_stay() {
        let base = tempfile::tempdir().unwrap();
        let make = |name: &str, mask: bool| {
            let directory = base.path().join(name);
            fs::create_dir(&directory).unwrap();
            if mask {
                fs::write(directory.join("mask"), "").unwrap();
                fs::create_dir_all(directory.join("tmp/deep")).unwrap();
            }
            directory
        };
        let (dead, alive, foreign) =
            (make("portcullis-a", true), make("portcullis-b", true), make("portcullis-c", false));
        let lock = File::open(&alive).unwrap();
        lock.lock().unwrap();
        sweep(base.path());
        assert!(dead.exists(), "young");
        let now = Duration::ZERO;
        assert!(is_dead(&dead, now) && !is_dead(&alive, now) && !is_dead(&foreign, now));
        let link = base.path().join("portcullis-d");
        std::os::unix::fs::symlink(&dead, &link).unwrap();
        assert!(!is_dead(&link, now));
        let old = std::time::SystemTime::now() - AGE * 2;
        for directory in [&dead, &alive, &foreign] {
            File::open(directory).unwrap().set_modified(old).unwrap();
        }
        sweep(base.path());
        assert!(!dead.exists() && alive.exists() && foreign.exists());
        drop(lock);
        sweep(base.path());
        assert!(!alive.exists());
    }
}

//! Settings files as they are seen from outside.

use std::{
    io,
    path::Path,
    time::{Duration, SystemTime},
};

use portcullis_paths::files::{is_absent, is_dangling};

/// A settings file may have 4 MiB.
pub(crate) const LIMIT: u64 = 4 << 20;

/// What can be seen of a file without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    length: u64,
    modified: Option<SystemTime>,
    identity: Option<Identity>,
}

/// What tells two files of one name apart, and a change whose time was set back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) device: u64,
    pub(crate) inode: u64,
    pub(crate) changed: Option<SystemTime>,
}

impl Signature {
    fn of(found: &std::fs::Metadata) -> Self {
        #[cfg(unix)]
        let identity = Some(crate::unix::identity(found));
        #[cfg(not(unix))]
        let identity = None;
        Self { length: found.len(), modified: found.modified().ok(), identity }
    }

    /// Whether the file last changed at least `age` before `now`. Times in the future are never old.
    pub(crate) fn is_older(&self, now: SystemTime, age: Duration) -> bool {
        let old = |time: SystemTime| now.duration_since(time).is_ok_and(|passed| passed >= age);
        let changed = self.identity.as_ref().and_then(|identity| identity.changed);
        self.modified.is_some_and(old) && changed.is_none_or(old)
    }
}

/// A signature, or why there is none.
pub(crate) type Found = Result<Signature, io::ErrorKind>;

/// What is at a path, links followed; everything that is not there is the same.
pub(crate) fn found(path: &Path) -> Found {
    match std::fs::metadata(path) {
        Ok(found) => Ok(Signature::of(&found)),
        // Not the same as nothing: it is told.
        Err(error) if is_absent(&error) && is_dangling(path) => Err(io::ErrorKind::InvalidData),
        Err(error) if is_absent(&error) && no_folder(path).is_some() => Err(io::ErrorKind::NotADirectory),
        Err(error) if is_absent(&error) => Err(io::ErrorKind::NotFound),
        Err(error) => Err(error.kind()),
    }
}

/// What stands where the folder of a settings file would be, if that is no folder: whoever made it meant settings, and
/// they cannot be there.
pub(crate) fn no_folder(file: &Path) -> Option<&Path> {
    let folder = file.parent()?;
    std::fs::metadata(folder).is_ok_and(|found| !found.is_dir()).then_some(folder)
}

/// What is wrong with that, and what to do.
pub(crate) const NO_FOLDER: (&str, &str) =
    ("is a file where the folder of the settings belongs", "move it away, or remove it");

//! What a session of runs shares: a private temporary directory, an unreadable empty file that masks
//! others, and a limit on processes. All of it goes when the session goes.

use std::{
    collections::HashMap,
    fs, io,
    os::{
        fd::OwnedFd,
        unix::fs::{DirBuilderExt, PermissionsExt, chown},
    },
    path::{Path, PathBuf},
    sync::Mutex,
    time::SystemTime,
};

use crate::{control_group::ControlGroup, stale};

/// The shared things of a session.
#[derive(Debug)]
pub(crate) struct Session {
    directory: tempfile::TempDir,
    group: Option<ControlGroup>,
    /// Held while the session lives, so that nobody takes its directory for one that was left behind.
    _alive: fs::File,
    /// Serialises the making of per-user directories.
    making: Mutex<()>,
    /// Masks by what they look like.
    masks: Mutex<HashMap<Looks, PathBuf>>,
}

/// What can be seen of a file without reading it: length, time of the last change of its contents, executable.
type Looks = (u64, SystemTime, bool);

impl Session {
    /// Makes the directory below `base`, and a control group for at most `processes` processes when this
    /// process may make one.
    pub(crate) fn new(base: &Path, processes: Option<u32>) -> io::Result<Self> {
        stale::sweep(base);
        let directory = tempfile::Builder::new().prefix(stale::PREFIX).tempdir_in(base)?;
        let alive = fs::File::open(directory.path())?;
        alive.lock()?;
        // Others may pass through to the directory that is theirs, and see nothing else.
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o711))?;
        let mask = directory.path().join("mask");
        fs::write(&mask, "")?;
        fs::set_permissions(&mask, fs::Permissions::from_mode(0o000))?;
        let name = directory.path().file_name().unwrap_or_default().to_owned();
        let group = processes.and_then(|limit| ControlGroup::new(&name, limit));
        Ok(Self { directory, group, _alive: alive, making: Mutex::new(()), masks: Mutex::default() })
    }

    /// The private temporary directory of this user (none: the own one), 0700.
    pub(crate) fn temporary(&self, user: Option<(u32, u32)>) -> io::Result<PathBuf> {
        let name = user.map_or_else(|| "tmp".to_owned(), |(uid, _)| format!("tmp-{uid}"));
        let path = self.directory.path().join(name);
        let _making = self.making.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match fs::DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => {
                if let Some((uid, gid)) = user {
                    chown(&path, Some(uid), Some(gid))?;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        path.canonicalize()
    }

    /// The empty file that nobody can read, bound over files to be hidden.
    pub(crate) fn mask(&self) -> io::Result<PathBuf> {
        self.directory.path().join("mask").canonicalize()
    }

    /// A mask that looks like the file that it hides: git and make compare these looks with what they know, and take
    /// a file for changed, or would read it, only where they differ.
    pub(crate) fn mask_like(&self, found: &fs::Metadata) -> io::Result<PathBuf> {
        let executable = found.permissions().mode() & 0o100 != 0;
        let looks = (found.len(), found.modified()?, executable);
        let mut masks = self.masks.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(made) = masks.get(&looks) {
            return Ok(made.clone());
        }
        let path = self.directory.path().join(format!("mask-{}", masks.len()));
        let file = fs::File::create_new(&path)?;
        // Nothing is written: the length of a hole takes no space.
        file.set_len(looks.0)?;
        file.set_modified(looks.1)?;
        file.set_permissions(fs::Permissions::from_mode(if executable { 0o100 } else { 0o000 }))?;
        let path = path.canonicalize()?;
        masks.insert(looks, path.clone());
        Ok(path)
    }

    /// Whether processes are limited by a control group.
    pub(crate) fn limits_processes(&self) -> bool {
        self.group.is_some()
    }

    /// The file through which a process enters the control group.
    pub(crate) fn entrance(&self) -> Option<io::Result<OwnedFd>> {
        self.group.as_ref().map(ControlGroup::entrance)
    }
}

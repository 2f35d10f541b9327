//! What a session of runs shares: a private temporary directory, an unreadable empty file that masks
//! others, and a limit on processes. All of it goes when the session goes.

use std::{
    fs, io,
    os::{
        fd::OwnedFd,
        unix::fs::{DirBuilderExt, PermissionsExt, chown},
    },
    path::{Path, PathBuf},
    sync::Mutex,
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
}

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
        Ok(Self { directory, group, _alive: alive, making: Mutex::new(()) })
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

    /// Whether processes are limited by a control group.
    pub(crate) fn limits_processes(&self) -> bool {
        self.group.is_some()
    }

    /// The file through which a process enters the control group.
    pub(crate) fn entrance(&self) -> Option<io::Result<OwnedFd>> {
        self.group.as_ref().map(ControlGroup::entrance)
    }
}

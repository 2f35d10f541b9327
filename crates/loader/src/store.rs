//! One file on disk under a lock: read, then replaced as a whole.

use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use crate::read::{self, ReadError};

/// As many links as Linux follows (path_resolution(7)).
pub(crate) const LINKS: usize = 40;

/// Temporary files of ours, for those that a kill left behind.
const PREFIX: &str = ".portcullis-";

/// Who may read a file that did not exist before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NewFile {
    /// The user alone.
    Private,
    /// As the umask says.
    Shared,
}

/// A file whose folder is locked. Everybody who edits it through this crate waits.
pub(crate) struct Locked {
    target: PathBuf,
    folder: PathBuf,
    _lock: File,
}

impl Locked {
    /// Waits for the lock. `path` may be a symbolic link: what it leads to is the file then, and stays one.
    /// The folder has to exist.
    ///
    /// What is locked is the folder of the file, which no save replaces; so nothing is left behind in a
    /// project, and two links to one file share one lock.
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        let target = follow(path)?;
        let folder = target.parent().unwrap_or_else(|| Path::new("/")).to_owned();
        let lock = lock_handle(&folder)?;
        lock.lock()?;
        Ok(Self { target, folder, _lock: lock })
    }

    /// Where the bytes are, links followed.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    pub(crate) fn read(&self) -> Result<Option<Vec<u8>>, ReadError> {
        read::read(&self.target)
    }

    /// The old bytes or the new ones, whole, whenever the machine stops.
    pub(crate) fn replace(&self, bytes: &[u8], new: NewFile) -> io::Result<()> {
        self.sweep();
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(".tmp");
        let before = match std::fs::metadata(&self.target) {
            Ok(found) => Some(found.permissions()),
            Err(error) if read::is_absent(&error) => None,
            Err(error) => return Err(error),
        };
        #[cfg(unix)]
        if before.is_none() && new == NewFile::Shared {
            builder.permissions(crate::unix::as_umask_says());
        }
        #[cfg(not(unix))]
        let _ = new;
        let mut temporary = builder.tempfile_in(&self.folder)?;
        temporary.write_all(bytes)?;
        if let Some(permissions) = before {
            temporary.as_file().set_permissions(permissions)?;
        }
        temporary.as_file().sync_all()?;
        temporary.persist(&self.target).map_err(|error| error.error)?;
        sync_folder(&self.folder)
    }

    /// Removes temporary files that a killed save left: with the lock in hand, nobody is writing one.
    fn sweep(&self) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_file = entry.file_type().is_ok_and(|found| found.is_file());
            if is_file && name.starts_with(PREFIX) && name.ends_with(".tmp") {
                // Left where it is if it cannot go: it is only in the way of the eye.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// Follows links in the last component also when they lead to nothing yet; the folder becomes a real path.
pub(crate) fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not the path of a file"));
        };
        let folder = folder.canonicalize()?;
        let here = folder.join(name);
        match std::fs::symlink_metadata(&here) {
            Ok(found) if found.is_symlink() => path = folder.join(std::fs::read_link(&here)?),
            Ok(_) => return Ok(here),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(here),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

#[cfg(unix)]
fn lock_handle(folder: &Path) -> io::Result<File> {
    File::open(folder)
}

#[cfg(not(unix))]
fn lock_handle(folder: &Path) -> io::Result<File> {
    // A folder cannot be opened for locking everywhere; this file is never replaced or removed.
    File::options().create(true).append(true).open(folder.join(".portcullis.lock"))
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same shape on every platform")]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Creates a folder and its missing parents.
pub(crate) fn create_folder(path: &Path, new: NewFile) -> io::Result<()> {
    #[cfg(unix)]
    if new == NewFile::Private {
        return crate::unix::create_private_folder(path);
    }
    let _ = new;
    std::fs::create_dir_all(path)
}

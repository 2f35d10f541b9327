//! One file on disk under a lock: read, then replaced as a whole.

use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use super::read::{self, ReadError, is_absent};

/// As many links as Linux follows (path_resolution(7)).
pub const LINKS: usize = 40;

/// Temporary files of ours, for those that a kill left behind.
const PREFIX: &str = ".portcullis-";

/// Who may read a file that did not exist before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewFile {
    /// The user alone.
    Private,
    /// As the umask says.
    Shared,
}

/// A file whose lock is held. Everybody who edits it through this type waits.
///
/// ```
/// use portcullis_paths::files::{Locked, NewFile};
///
/// let folder = tempfile::tempdir()?;
/// let file = Locked::new(&folder.path().join("counter"))?;
/// let count = file.read(64)?.unwrap_or_default().len();
/// file.replace(&vec![b'x'; count + 1], NewFile::Private)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Locked {
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
    ///
    /// # Errors
    /// The folder is not there or may not be opened.
    pub fn new(path: &Path) -> io::Result<Self> {
        let (target, folder) = place(path)?;
        let lock = lock_handle(&folder)?;
        lock.lock()?;
        Ok(Self { target, folder, _lock: lock })
    }

    /// The same under a lock of its own: the empty file `lock` beside it, made if it is not there and never
    /// removed. It is a lock only while a process holds it open (flock(2)): one that a killed process left behind
    /// keeps nobody waiting. For files that are written while the lock of another file in the same folder is held.
    ///
    /// # Errors
    /// The folder is not there, or nothing may be made in it.
    pub fn beside(path: &Path, lock: &str) -> io::Result<Self> {
        let (target, folder) = place(path)?;
        let name = folder.join(lock);
        loop {
            let held = super::open_lock(&name)?;
            held.lock()?;
            // Somebody may have removed the file meanwhile: who comes next would lock another one.
            if super::is_still(&held, &name) {
                return Ok(Self { target, folder, _lock: held });
            }
        }
    }

    /// Where the bytes are, links followed.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Its bytes; none when nothing is there.
    ///
    /// # Errors
    /// As for [`read`](super::read()).
    pub fn read(&self, limit: u64) -> Result<Option<Vec<u8>>, ReadError> {
        read::read(&self.target, limit)
    }

    /// The old bytes or the new ones, whole, whenever the machine stops.
    ///
    /// # Errors
    /// The file system refused; the old bytes stand there then.
    pub fn replace(&self, bytes: &[u8], new: NewFile) -> io::Result<()> {
        self.sweep();
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(".tmp");
        let before = match std::fs::metadata(&self.target) {
            Ok(found) => Some(found.permissions()),
            Err(error) if is_absent(&error) => None,
            Err(error) => return Err(error),
        };
        #[cfg(unix)]
        if before.is_none() && new == NewFile::Shared {
            builder.permissions(super::unix::as_umask_says());
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

/// The file that a path leads to, and its folder.
fn place(path: &Path) -> io::Result<(PathBuf, PathBuf)> {
    let target = follow(path)?;
    let folder = target.parent().unwrap_or_else(|| Path::new("/")).to_owned();
    Ok((target, folder))
}

/// Follows links in the last component also when they lead to nothing yet; the folder becomes a real path.
///
/// # Errors
/// The folder is not there, or links form a loop.
pub fn follow(path: &Path) -> io::Result<PathBuf> {
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
///
/// # Errors
/// The file system refused, or something else stands there.
pub fn create_folder(path: &Path, new: NewFile) -> io::Result<()> {
    #[cfg(unix)]
    if new == NewFile::Private {
        return super::unix::create_private_folder(path);
    }
    let _ = new;
    std::fs::create_dir_all(path)
}

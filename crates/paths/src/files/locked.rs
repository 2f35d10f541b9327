//! One file on disk under a lock: read, then replaced as a whole.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    read::{self, ReadError, is_absent},
    waiting,
};

/// As many links as Linux follows (path_resolution(7)).
pub const LINKS: usize = 40;

/// Temporary files of ours, for those that a kill left behind.
const PREFIX: &str = ".portcullis-";
const SUFFIX: &str = ".tmp";

/// No save lasts as long as this.
const STALE: Duration = Duration::from_secs(600);

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
    /// Waits for the lock, for a minute at most. `path` may be a symbolic link: what it leads to is the file then, and stays one.
    /// The folder has to exist.
    ///
    /// What is locked is the folder of the file, which no save replaces; so nothing is left behind in a
    /// project, and two links to one file share one lock.
    ///
    /// # Errors
    /// The folder is not there or may not be opened, or somebody holds the lock and does not end
    /// ([`io::ErrorKind::TimedOut`]).
    pub fn new(path: &Path) -> io::Result<Self> {
        let (target, folder) = place(path)?;
        let lock = lock_handle(&folder)?;
        waiting::lock(&lock, &folder)?;
        Ok(Self { target, folder, _lock: lock })
    }

    /// The same under a lock of its own: the empty file `lock` beside it, made if it is not there and never
    /// removed. It is a lock only while a process holds it open (flock(2)): one that a killed process left behind
    /// keeps nobody waiting. For files that are written while the lock of another file in the same folder is held.
    ///
    /// # Errors
    /// The folder is not there, or nothing may be made in it, or as for [`Locked::new`].
    pub fn beside(path: &Path, lock: &str) -> io::Result<Self> {
        let (target, folder) = place(path)?;
        let name = folder.join(lock);
        loop {
            let held = super::open_lock(&name)?;
            waiting::lock(&held, &name)?;
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

    /// [`Locked::read`] of a file that nobody else may write.
    ///
    /// # Errors
    /// As for [`read_own`](super::read_own()).
    pub fn read_own(&self, limit: u64) -> Result<Option<Vec<u8>>, ReadError> {
        read::read_own(&self.target, limit)
    }

    /// The old bytes or the new ones, whole, whenever the machine stops. A file that was there keeps its mode, and its
    /// owner and group as far as this process may give files away.
    ///
    /// # Errors
    /// The file system refused; the old bytes stand there then.
    pub fn replace(&self, bytes: &[u8], new: NewFile) -> io::Result<()> {
        let mut builder = tempfile::Builder::new();
        let prefix = self.prefix();
        builder.prefix(&prefix).suffix(SUFFIX);
        let before = match std::fs::metadata(&self.target) {
            Ok(found) => Some(found),
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
        self.sweep(&prefix, temporary.path(), temporary.as_file());
        temporary.write_all(bytes)?;
        if let Some(before) = before {
            // First the owner: a change of it takes bits of the mode away (chown(2)).
            #[cfg(unix)]
            super::unix::keep_owner(temporary.as_file(), &before)?;
            temporary.as_file().set_permissions(before.permissions())?;
        }
        temporary.as_file().sync_all()?;
        temporary.persist(&self.target).map_err(|error| error.error)?;
        sync_folder(&self.folder)
    }

    /// How the names of this file's temporary ones begin. Others in the folder may be saved under other locks.
    fn prefix(&self) -> OsString {
        let mut prefix = OsString::from(PREFIX);
        prefix.push(self.target.file_name().unwrap_or_default());
        prefix.push("-");
        prefix
    }

    /// Removes temporary files that a killed save left: those of this file, because with the lock in hand nobody is
    /// writing one, and of others those that are far older than `new`, which was made just now.
    fn sweep(&self, prefix: &OsStr, new: &Path, file: &File) {
        let now = file.metadata().and_then(|found| found.modified());
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten().filter(|entry| entry.path() != new) {
            let name = entry.file_name();
            let bytes = name.as_encoded_bytes();
            let ours = bytes.starts_with(PREFIX.as_bytes()) && bytes.ends_with(SUFFIX.as_bytes());
            let Some(found) = entry.metadata().ok().filter(|found| ours && found.is_file()) else { continue };
            // Random characters and nothing else: `a.json` is not to take away what belongs to `a.json-b`.
            let middle = bytes.strip_prefix(prefix.as_encoded_bytes());
            let middle = middle.and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
            let of_this = middle.is_some_and(|middle| middle.iter().all(u8::is_ascii_alphanumeric));
            let age = || now.as_ref().ok()?.duration_since(found.modified().ok()?).ok();
            if of_this || age().is_some_and(|age| age > STALE) {
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

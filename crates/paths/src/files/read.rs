//! Files as bytes: bounded, and only regular ones.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read as _},
    path::Path,
};

/// Why a file that is there has no bytes for us.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The system refused.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// A directory, a device, a pipe.
    #[error("is not a regular file")]
    NotRegular,
    /// It is a link, or lies behind one, whose target is not there.
    #[error("is a link that leads nowhere")]
    Dangling,
    /// Somebody else could have written it, or can. See [`read_own`].
    #[error("{0}")]
    Foreign(&'static str),
    /// In bytes.
    #[error("is larger than {} MiB", .limit >> 20)]
    TooLarge {
        /// What was allowed.
        limit: u64,
    },
}

impl ReadError {
    /// What a person can do about it.
    #[must_use]
    pub const fn remedy(&self) -> &'static str {
        match self {
            Self::Io(_) => "make it readable for this user, or remove it",
            Self::Dangling => "make what it leads to, or remove the link",
            Self::Foreign(_) => {
                "look at it, and if it is right: make it yours (chown) and writable for you alone (chmod go-w)"
            }
            Self::NotRegular => "put an ordinary file there, or remove it",
            Self::TooLarge { .. } => "shorten it, or remove it",
        }
    }
}

/// The bytes of `path`, links followed, at most `limit` of them; none when nothing is there. A link that leads nowhere is
/// something: whoever put it there meant a file.
///
/// # Errors
/// See [`ReadError`].
pub fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, ReadError> {
    read_if(path, limit, |_| Ok(()))
}

/// [`read`] of a file that nobody but this user (or root) may write, and whose folder is so too. A group that has the
/// user's own number is taken for the user's own. Elsewhere than on Unix the same as [`read`].
///
/// # Errors
/// As for [`read`], and [`ReadError::Foreign`].
pub fn read_own(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, ReadError> {
    #[cfg(unix)]
    return read_if(path, limit, |found| {
        let real = path.canonicalize()?;
        let folder = std::fs::metadata(real.parent().unwrap_or_else(|| Path::new("/")))?;
        super::unix::foreign(found, &folder).map_or(Ok(()), |why| Err(ReadError::Foreign(why)))
    });
    #[cfg(not(unix))]
    read(path, limit)
}

fn read_if(
    path: &Path,
    limit: u64,
    check: impl FnOnce(&std::fs::Metadata) -> Result<(), ReadError>,
) -> Result<Option<Vec<u8>>, ReadError> {
    match read_existing(path, limit, check) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(ReadError::Io(error)) if is_absent(&error) => {
            if is_dangling(path) {
                Err(ReadError::Dangling)
            } else {
                Ok(None)
            }
        }
        Err(error) => Err(error),
    }
}

/// Whether a path that leads to nothing does so through a link.
#[must_use]
pub fn is_dangling(path: &Path) -> bool {
    let mut there = path.ancestors().filter_map(|part| Some((part, std::fs::symlink_metadata(part).ok()?)));
    there.next().is_some_and(|(part, found)| found.is_symlink() && std::fs::metadata(part).is_err())
}

/// A path that leads through something that is no directory leads nowhere, too.
#[must_use]
pub fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn read_existing(
    path: &Path,
    limit: u64,
    check: impl FnOnce(&std::fs::Metadata) -> Result<(), ReadError>,
) -> Result<Vec<u8>, ReadError> {
    // Looked at before it is opened: opening some devices has effects. Looked at again once it is open:
    // that answer cannot change any more.
    if !std::fs::metadata(path)?.is_file() {
        return Err(ReadError::NotRegular);
    }
    let file = open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(ReadError::NotRegular);
    }
    check(&metadata)?;
    if metadata.len() > limit {
        return Err(ReadError::TooLarge { limit });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(bytes) }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    super::unix::never_wait(&mut options);
    options.open(path)
}

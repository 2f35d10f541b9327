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
            Self::NotRegular => "put an ordinary file there, or remove it",
            Self::TooLarge { .. } => "shorten it, or remove it",
        }
    }
}

/// The bytes of `path`, links followed, at most `limit` of them; none when nothing is there.
///
/// # Errors
/// See [`ReadError`].
pub fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, ReadError> {
    match read_existing(path, limit) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(ReadError::Io(error)) if is_absent(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A path that leads through something that is no directory leads nowhere, too.
#[must_use]
pub fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn read_existing(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
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

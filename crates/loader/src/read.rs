//! Settings files as bytes: bounded, and only regular ones.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read as _},
    path::Path,
    time::{Duration, SystemTime},
};

/// A settings file may have 4 MiB.
pub(crate) const LIMIT: u64 = 4 << 20;

/// Why a file that is there has no bytes for us.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("is not a regular file")]
    NotRegular,
    #[error("is larger than 4 MiB")]
    TooLarge,
}

impl ReadError {
    pub(crate) const fn remedy(&self) -> &'static str {
        match self {
            Self::Io(_) => "make it readable for this user, or remove it",
            Self::NotRegular => "put an ordinary file there, or remove it",
            Self::TooLarge => "shorten it, or remove it",
        }
    }
}

/// The bytes of `path`, links followed; none when nothing is there.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
    match read_existing(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(ReadError::Io(error)) if is_absent(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A path that leads through something that is no directory leads nowhere, too.
pub(crate) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn read_existing(path: &Path) -> Result<Vec<u8>, ReadError> {
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
    if metadata.len() > LIMIT {
        return Err(ReadError::TooLarge);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    file.take(LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LIMIT { Err(ReadError::TooLarge) } else { Ok(bytes) }
}

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
        Err(error) if is_absent(&error) => Err(io::ErrorKind::NotFound),
        Err(error) => Err(error.kind()),
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    crate::unix::never_wait(&mut options);
    options.open(path)
}

//! The store on disk: read as a whole, changed under a lock, never taken for empty when it is broken.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use portcullis_paths::files::{self, Locked, NewFile, ReadError, create_folder};
use serde::{Serialize, de::DeserializeOwned};

use crate::{Entries, SavedFiles, StoreLayout};

/// The largest store that is read, in bytes.
const LIMIT: u64 = 64 << 20;

/// The lock of a store: an empty file that stays. Not the folder, which is locked while settings in it are saved.
const LOCK: &str = ".trust.lock";

const MEND_TRUST: &str = "mend the file; or decide with --trust or --no-trust: it is kept beside as `.corrupt-N` then, and a new one begun";
const MEND_SAVED: &str =
    "mend the file, or remove it: settings that were saved through this tool count as brought along then";

/// How many broken stores are kept.
const KEPT: u32 = 1000;

/// Why a store was not read or not changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It says something that is none of what it may say. Nothing in it counts then.
    #[error("the store `{}` is broken at line {line}, column {column}: {message}", .file.display())]
    Broken {
        /// The store.
        file: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What is wrong.
        message: String,
        /// What to do.
        remedy: &'static str,
    },
    /// It cannot be read.
    #[error("the store `{}` {source}", .file.display())]
    Unreadable {
        /// The store.
        file: PathBuf,
        /// Why.
        source: ReadError,
    },
    /// The file system refused to change it. What stood there before stands there still.
    #[error("the store `{}` cannot be written: {source}", .file.display())]
    Unwritable {
        /// The store.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl StoreError {
    /// The file that it is about.
    #[must_use]
    pub fn file(&self) -> &Path {
        match self {
            Self::Broken { file, .. } | Self::Unreadable { file, .. } | Self::Unwritable { file, .. } => file,
        }
    }

    /// What a person can do about it.
    #[must_use]
    pub const fn remedy(&self) -> &'static str {
        match self {
            Self::Broken { remedy, .. } => remedy,
            Self::Unreadable { source, .. } => source.remedy(),
            Self::Unwritable { .. } => "check the permissions of its folder and the free space",
        }
    }
}

/// A host's trust store, and what it remembers of files that were saved.
///
/// ```
/// use portcullis_paths::OsResolver;
/// use portcullis_trust::{Store, StoreLayout};
///
/// let home = tempfile::tempdir()?;
/// let store = Store::new(StoreLayout::letta(home.path()));
/// store.set("/work/team", false)?;
/// let entries = store.read()?;
/// assert!(!entries.find(&OsResolver, "/work/team/demo", false).unwrap().entry.trusted);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Store {
    layout: StoreLayout,
}

impl Store {
    /// Nothing is read yet.
    #[must_use]
    pub const fn new(layout: StoreLayout) -> Self {
        Self { layout }
    }

    /// Where it is.
    #[must_use]
    pub const fn layout(&self) -> &StoreLayout {
        &self.layout
    }

    /// Everything that was decided. A store that is not there is empty.
    ///
    /// # Errors
    /// It cannot be read, or says something that it may not say.
    pub fn read(&self) -> Result<Entries, StoreError> {
        // Without the lock: whoever writes puts a whole file in its place.
        parsed(&self.layout.trust, files::read_own(&self.layout.trust, LIMIT), MEND_TRUST)
    }

    /// The hashes of what was saved.
    ///
    /// # Errors
    /// As for [`Store::read`].
    pub fn saved(&self) -> Result<SavedFiles, StoreError> {
        parsed(&self.layout.saved, files::read_own(&self.layout.saved, LIMIT), MEND_SAVED)
    }

    /// Records a decision about a directory, without what it looks like: that is added at its next use.
    ///
    /// # Errors
    /// The store is broken or cannot be written.
    pub fn set(&self, key: &str, trusted: bool) -> Result<(), StoreError> {
        self.change(|entries| entries.set(key, crate::Entry::plain(trusted)))
    }

    /// Takes back what was decided about a directory. Whether there was anything.
    ///
    /// # Errors
    /// The store is broken or cannot be written.
    pub fn forget(&self, key: &str) -> Result<bool, StoreError> {
        self.change(|entries| entries.forget(key))
    }

    /// Reads, changes and writes, while all others wait.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Entries) -> T) -> Result<T, StoreError> {
        let file = &self.layout.trust;
        let locked = lock(file)?;
        let entries = parsed(file, locked.read_own(LIMIT), MEND_TRUST)?;
        write(&locked, file, &entries, change)
    }

    /// The same, and a store that is broken is kept aside and begun anew: for an explicit decision of the person alone.
    /// Where the broken one is kept.
    pub(crate) fn rebuild<T>(
        &self,
        change: impl FnOnce(&mut Entries) -> T,
    ) -> Result<(T, Option<PathBuf>), StoreError> {
        let file = &self.layout.trust;
        let locked = lock(file)?;
        match parsed(file, locked.read_own(LIMIT), MEND_TRUST) {
            Ok(entries) => Ok((write(&locked, file, &entries, change)?, None)),
            Err(StoreError::Broken { .. }) => {
                let kept = keep(locked.target()).map_err(|source| unwritable(file, source))?;
                let mut entries = Entries::default();
                let made = change(&mut entries);
                replace(&locked, file, &entries)?;
                Ok((made, Some(kept)))
            }
            Err(error) => Err(error),
        }
    }

    /// Changes what is remembered of saved files, under the same lock.
    pub(crate) fn change_saved(&self, change: impl FnOnce(&mut SavedFiles)) -> Result<(), StoreError> {
        let file = &self.layout.saved;
        let locked = lock(file)?;
        let saved: SavedFiles = parsed(file, locked.read_own(LIMIT), MEND_SAVED)?;
        write(&locked, file, &saved, change)
    }
}

fn lock(file: &Path) -> Result<Locked, StoreError> {
    if let Some(folder) = file.parent() {
        create_folder(folder, NewFile::Private).map_err(|source| unwritable(file, source))?;
    }
    Locked::beside(file, LOCK).map_err(|source| unwritable(file, source))
}

fn parsed<T: DeserializeOwned + Default>(
    file: &Path,
    read: Result<Option<Vec<u8>>, ReadError>,
    remedy: &'static str,
) -> Result<T, StoreError> {
    let bytes = read.map_err(|source| StoreError::Unreadable { file: file.to_owned(), source })?;
    let Some(bytes) = bytes else { return Ok(T::default()) };
    serde_json::from_slice(&bytes).map_err(|error| {
        let said = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        StoreError::Broken {
            file: file.to_owned(),
            line: error.line(),
            column: error.column(),
            message: said.strip_suffix(&place).unwrap_or(&said).to_owned(),
            remedy,
        }
    })
}

/// Writes only what has changed.
fn write<T, V: Clone + PartialEq + Serialize>(
    locked: &Locked,
    file: &Path,
    before: &V,
    change: impl FnOnce(&mut V) -> T,
) -> Result<T, StoreError> {
    let mut after = before.clone();
    let made = change(&mut after);
    if after != *before {
        replace(locked, file, &after)?;
    }
    Ok(made)
}

fn replace<V: Serialize>(locked: &Locked, file: &Path, value: &V) -> Result<(), StoreError> {
    let text = serde_json::to_string_pretty(value).map_err(|error| unwritable(file, error.into()))?;
    let bytes = format!("{text}\n").into_bytes();
    locked.replace(&bytes, NewFile::Private).map_err(|source| unwritable(file, source))
}

/// Gives a broken store a second name. The first one stays until the new store takes it, so that there is a store at
/// every moment.
fn keep(file: &Path) -> io::Result<PathBuf> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    for number in 1..=KEPT {
        let kept = file.with_file_name(format!("{name}.corrupt-{number}"));
        match fs::hard_link(file, &kept) {
            Ok(()) => return Ok(kept),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // Not every file system has second names.
            Err(_) if fs::symlink_metadata(&kept).is_err() => return fs::copy(file, &kept).map(|_| kept),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(format!("there are {KEPT} broken stores already; remove some")))
}

fn unwritable(file: &Path, source: io::Error) -> StoreError {
    StoreError::Unwritable { file: file.to_owned(), source }
}

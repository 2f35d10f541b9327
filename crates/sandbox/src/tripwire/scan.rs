//! What protected names there are below some roots, and how each of them can be told from another.

use std::{
    collections::{BTreeMap, VecDeque},
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::ProtectedNames;

/// At most this many entries are looked at.
const ENTRIES: usize = 200_000;

/// Trees of the kernel's, which change while they are walked.
const KERNEL: [&str; 3] = ["/proc", "/sys", "/dev"];

/// What lies at a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    File,
    Directory,
    Link,
    Other,
}

/// A name's state; the time of the last change (`st_ctime`, inode(7)) is set by the kernel alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) kind: Kind,
    pub(crate) device: u64,
    pub(crate) inode: u64,
    pub(crate) changed: (i64, i64),
    pub(crate) size: u64,
    pub(crate) mode: u32,
    pub(crate) links: u64,
    /// The name of its copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) copy: Option<String>,
}

impl State {
    /// Of the name itself, not of what a link leads to.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let found = fs::symlink_metadata(path).ok()?;
        let kind = found.file_type();
        Some(Self {
            kind: match () {
                () if kind.is_dir() => Kind::Directory,
                () if kind.is_file() => Kind::File,
                () if kind.is_symlink() => Kind::Link,
                () => Kind::Other,
            },
            device: found.dev(),
            inode: found.ino(),
            changed: (found.ctime(), found.ctime_nsec()),
            size: found.size(),
            mode: found.mode(),
            links: found.nlink(),
            copy: None,
        })
    }

    /// The same inode, unchanged.
    pub(crate) fn is(&self, other: &Self) -> bool {
        let key = |state: &Self| (state.kind, state.device, state.inode, state.changed, state.size);
        key(self) == key(other)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) found: BTreeMap<PathBuf, State>,
    pub(crate) complete: bool,
}

/// Everything protected below `roots`, nearest first, and `files` where they lie below one, by their real paths.
pub(crate) fn scan(roots: &[PathBuf], names: &ProtectedNames, files: &[PathBuf]) -> Scan {
    let mut scan = Scan { complete: true, ..Scan::default() };
    for file in files {
        // The name itself, in the directory where it really lies, and what it leads to.
        let name = file.parent().zip(file.file_name());
        let name = name.and_then(|(parent, name)| Some(parent.canonicalize().ok()?.join(name)));
        for path in [name, file.canonicalize().ok()].into_iter().flatten() {
            if roots.iter().any(|root| path.starts_with(root))
                && let Some(state) = State::of(&path)
            {
                scan.found.insert(path, state);
            }
        }
    }
    let mut queue: VecDeque<PathBuf> = roots.iter().cloned().collect();
    let mut looked = 0usize;
    while let Some(directory) = queue.pop_front() {
        let Ok(entries) = fs::read_dir(&directory) else {
            // Gone meanwhile is no matter; what cannot be looked into is.
            scan.complete &= fs::symlink_metadata(&directory).is_err();
            continue;
        };
        for entry in entries.flatten() {
            looked += 1;
            if looked > ENTRIES {
                scan.complete = false;
                return scan;
            }
            let path = entry.path();
            if KERNEL.iter().any(|tree| path == Path::new(tree)) {
                continue;
            }
            if names.contains(&path.to_string_lossy())
                && let Some(state) = State::of(&path)
            {
                scan.found.insert(path.clone(), state);
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                queue.push_back(path);
            }
        }
    }
    scan
}

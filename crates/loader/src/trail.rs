//! The way to a file: which folders a name is looked up in, until the file is found or something is missing.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    ffi::OsString,
    path::{Component, Path, PathBuf},
};

use portcullis_paths::files::LINKS;

use crate::read::{self, Found};

/// Device and number of a folder; none where the system has no such thing.
pub(crate) type FolderIdentity = Option<(u64, u64)>;

/// A path that the system goes to find a file, links followed (path_resolution(7)). Whatever changes what is found
/// at its end changes one of its steps, and is told to who watches the folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trail {
    /// The real folders that hold the steps.
    pub(crate) folders: BTreeMap<PathBuf, FolderIdentity>,
    /// Each name that was looked up, in its real folder.
    pub(crate) steps: BTreeSet<PathBuf>,
    /// The file itself, if its folder was reached.
    pub(crate) end: Option<PathBuf>,
    /// What is there.
    pub(crate) found: Found,
}

impl Trail {
    /// Goes the way of an absolute path.
    pub(crate) fn new(path: &Path) -> Self {
        let mut trail =
            Self { folders: BTreeMap::new(), steps: BTreeSet::new(), end: None, found: read::found(path) };
        let mut folder = PathBuf::new();
        let mut ahead = VecDeque::new();
        push_front(&mut ahead, &mut folder, path);
        let mut links = 0;
        while let Some(name) = ahead.pop_front() {
            if name == ".." {
                folder.pop();
                continue;
            }
            trail.folders.entry(folder.clone()).or_insert_with(|| identity(&folder));
            let step = folder.join(&name);
            trail.steps.insert(step.clone());
            let link = match std::fs::symlink_metadata(&step) {
                Ok(found) if found.is_symlink() => std::fs::read_link(&step).ok(),
                Ok(_) => None,
                Err(_) if ahead.is_empty() => None,
                Err(_) => return trail,
            };
            match link {
                Some(_) if links == LINKS => return trail,
                Some(target) => {
                    links += 1;
                    push_front(&mut ahead, &mut folder, &target);
                }
                None if ahead.is_empty() => trail.end = Some(step),
                None => folder = step,
            }
        }
        trail
    }
}

/// What is looked up next; an absolute path begins anew.
fn push_front(ahead: &mut VecDeque<OsString>, folder: &mut PathBuf, path: &Path) {
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::Prefix(prefix) => *folder = PathBuf::from(prefix.as_os_str()),
            Component::RootDir if path.has_root() && cfg!(unix) => *folder = PathBuf::from("/"),
            Component::RootDir => folder.push(component),
            Component::CurDir => {}
            Component::ParentDir | Component::Normal(_) => names.push(component.as_os_str().to_owned()),
        }
    }
    for name in names.into_iter().rev() {
        ahead.push_front(name);
    }
}

#[cfg(unix)]
fn identity(folder: &Path) -> FolderIdentity {
    let found = crate::unix::identity(&std::fs::metadata(folder).ok()?);
    Some((found.device, found.inode))
}

#[cfg(not(unix))]
fn identity(_folder: &Path) -> FolderIdentity {
    None
}

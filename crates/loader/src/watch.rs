//! Being told by the system when a settings file changes.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

/// The system would not watch.
#[derive(Debug, thiserror::Error)]
#[error("cannot watch {}: {source}; settings are looked at when they are loaded all the same", folder.display())]
pub struct WatchError {
    /// The folder that was to be watched; empty when watching could not begin.
    pub folder: PathBuf,
    /// Why.
    pub source: notify::Error,
}

/// Watches folders until it is dropped.
#[derive(Debug)]
pub(crate) struct Watcher {
    _system: RecommendedWatcher,
}

impl Watcher {
    /// Calls `changed` with each of `files` that something happened to. Folders are watched, not files, because files
    /// are replaced as a whole; a folder that does not exist yet by the nearest one above that does.
    pub(crate) fn new(
        files: Vec<PathBuf>,
        changed: impl Fn(&Path) + Send + 'static,
    ) -> Result<Self, WatchError> {
        let folders: BTreeSet<PathBuf> = files.iter().filter_map(|file| existing(file.parent()?)).collect();
        // Events name files by the watched path, which may go through links.
        let handler = move |event: notify::Result<notify::Event>| match event {
            Ok(event) if !event.kind.is_access() => {
                for file in files.iter().filter(|file| event.paths.iter().any(|path| file.starts_with(path)))
                {
                    changed(file);
                }
            }
            // Events were lost, or the system stops to tell: everything may have changed.
            Err(_) => files.iter().for_each(|file| changed(file)),
            Ok(_) => {}
        };
        let unwatched = |folder: &Path| {
            let folder = folder.to_owned();
            move |source| WatchError { folder, source }
        };
        let mut system = notify::recommended_watcher(handler).map_err(unwatched(Path::new("")))?;
        for folder in &folders {
            system.watch(folder, RecursiveMode::NonRecursive).map_err(unwatched(folder))?;
        }
        Ok(Self { _system: system })
    }
}

/// The nearest folder at or above this one that exists.
fn existing(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|folder| folder.is_dir()).map(Path::to_owned)
}

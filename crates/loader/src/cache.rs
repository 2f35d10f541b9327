//! Settings that are asked for again and again.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

#[cfg(feature = "watch")]
use std::sync::Weak;

use crate::{
    Judges, Layout, Loaded, SettingsFile,
    load::{self, Snapshot, Version},
    read::{self, Signature},
};

/// A file that changed within this time may change again without a new time stamp: file systems count in
/// anything from nanoseconds to two seconds (FAT).
const FRESH: Duration = Duration::from_secs(2);

/// Loads the settings of one project repeatedly. What has not changed is only looked at, not read.
///
/// A file that was understood once and is broken now keeps what it said before ([`crate::Status::LastGood`]).
/// The judges are asked at every load, also when no file changed: trust may have.
///
/// ```
/// use std::{path::Path, time::SystemTime};
/// use portcullis_loader::{Judges, Layout, Loader, NothingSaved, Places};
///
/// let root = tempfile::tempdir()?;
/// let places = Places { system: root.path(), ..Places::new(None, None, root.path()) };
/// let loader = Loader::new(Layout::letta(&places));
/// let judges = Judges { trust: &|_: &Path, _: &[u8]| false, saved: &NothingSaved, tracked: &|_: &Path| true };
/// let first = loader.load(root.path(), &judges, SystemTime::now());
/// let second = loader.load(root.path(), &judges, SystemTime::now());
/// assert!(std::sync::Arc::ptr_eq(&first, &second));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Loader {
    layout: Layout,
    state: Arc<Mutex<State>>,
    /// Goes with the loader, and every watch of the system with it.
    #[cfg(feature = "watch")]
    watcher: Mutex<Option<crate::watch::Watcher>>,
}

#[derive(Debug, Default)]
struct State {
    files: HashMap<PathBuf, Entry>,
    /// What the last load found at each path: what differs from it has to be told.
    #[cfg(feature = "watch")]
    seen: HashMap<PathBuf, read::Found>,
    result: Option<(Vec<load::Key>, Arc<Loaded>)>,
}

#[derive(Debug)]
struct Entry {
    signature: Signature,
    /// The signature is old enough to be trusted.
    settled: bool,
    now: Version,
    good: Option<Version>,
}

impl Loader {
    /// Nothing is read yet.
    #[must_use]
    pub fn new(layout: Layout) -> Self {
        Self {
            layout,
            state: Arc::default(),
            #[cfg(feature = "watch")]
            watcher: Mutex::default(),
        }
    }

    /// Has the system tell when a settings file changes, is made or goes, until the loader is dropped or this is
    /// called again: every file of the layout, and those of the folders between the project root and the start of
    /// each load. The file is then read at the next load whatever its time stamp says, and `changed` is called with
    /// its path, from a thread of its own.
    ///
    /// A file changes also when a folder above it is made, moved away or replaced, or a link to it leads elsewhere:
    /// all folders on the way are watched. Where the system does not let one be watched (it needs read permission,
    /// inotify(7)), the files are looked at every second. Several changes may be told at once, and one more than once.
    ///
    /// `changed` may load from this very loader. It has to hold it weakly ([`std::sync::Weak`]): a loader that its
    /// own watch holds is never dropped. Changes that happen meanwhile are told when it returns; no call begins
    /// after the loader was dropped.
    ///
    /// Nothing depends on it: a change that the system does not tell of (on a network file system, say, or by
    /// mounting something over a folder) is found at the next load all the same.
    ///
    /// ```
    /// use std::{path::Path, sync::{Arc, mpsc}, time::SystemTime};
    /// use portcullis_loader::{Judges, Layout, Loader, NothingSaved, Places};
    ///
    /// let root = tempfile::tempdir()?;
    /// let places = Places { system: root.path(), ..Places::new(None, None, root.path()) };
    /// let loader = Arc::new(Loader::new(Layout::letta(&places)));
    /// let (sender, receiver) = mpsc::channel();
    /// let (own, start) = (Arc::downgrade(&loader), root.path().to_owned());
    /// loader.watch(move |_| {
    ///     let judges =
    ///         Judges { trust: &|_: &Path, _: &[u8]| false, saved: &NothingSaved, tracked: &|_: &Path| true };
    ///     if let Some(loader) = own.upgrade() {
    ///         let loaded = loader.load(&start, &judges, SystemTime::now());
    ///         // A file may be told of while it is being written.
    ///         if !loaded.rules.deny.is_empty() {
    ///             let _ = sender.send(loaded);
    ///         }
    ///     }
    /// })?;
    /// // The folder is not there yet.
    /// std::fs::create_dir(root.path().join(".letta"))?;
    /// let text = r#"{ "permissions": { "deny": ["Bash(rm:*)"] } }"#;
    /// std::fs::write(root.path().join(".letta/settings.json"), text)?;
    /// assert_eq!(receiver.recv()?.rules.deny[0].label(), "Bash(rm:*)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The system watches nothing more (on Linux `fs.inotify.max_user_watches` says how much), or nothing at all.
    #[cfg(feature = "watch")]
    pub fn watch(&self, changed: impl Fn(&Path) + Send + 'static) -> Result<(), crate::WatchError> {
        let state = Arc::downgrade(&self.state);
        let mut files = self.watcher().as_ref().map(crate::watch::Watcher::files).unwrap_or_default();
        files.extend(self.layout.files.iter().map(|file| file.path.clone()));
        let unseen = {
            let state = Weak::clone(&state);
            move |path: &Path, found: &read::Found| {
                let Some(state) = state.upgrade() else { return false };
                let state = state.lock().unwrap_or_else(PoisonError::into_inner);
                state.seen.get(path).is_some_and(|seen| seen != found)
            }
        };
        let watcher = crate::watch::Watcher::new(files, unseen, move |path| {
            if let Some(state) = state.upgrade() {
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(entry) = state.files.get_mut(path) {
                    entry.settled = false;
                }
            }
            // Nothing is locked now: `changed` may load.
            changed(path);
        })?;
        *self.watcher() = Some(watcher);
        Ok(())
    }

    #[cfg(feature = "watch")]
    fn watcher(&self) -> std::sync::MutexGuard<'_, Option<crate::watch::Watcher>> {
        self.watcher.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The files.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// As [`crate::load`]; the same value again while nothing changed. `now` is the time of day: a file that
    /// changed less than two seconds before it is read and compared instead of only looked at.
    pub fn load(&self, start: &Path, judges: &Judges<'_>, now: SystemTime) -> Arc<Loaded> {
        let files = load::files_in_order(&self.layout, start);
        #[cfg(feature = "watch")]
        if let Some(watcher) = self.watcher().as_ref() {
            watcher.add(files.iter().map(|(file, _)| file.path.as_path()));
        }
        // After a panic the entries are as good as before: each is replaced as a whole.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let snapshots: Vec<Snapshot> =
            files.into_iter().map(|(file, nested)| state.snapshot(&self.layout, file, nested, now)).collect();
        let (keys, standings) = load::keys(&self.layout, &snapshots, judges);
        if let Some((known, result)) = &state.result
            && *known == keys
        {
            return Arc::clone(result);
        }
        let result = Arc::new(load::assemble(&self.layout, &snapshots, &standings));
        state.result = Some((keys, Arc::clone(&result)));
        result
    }
}

impl State {
    fn snapshot(&mut self, layout: &Layout, file: SettingsFile, nested: bool, now: SystemTime) -> Snapshot {
        let found = read::found(&file.path);
        #[cfg(feature = "watch")]
        match self.seen.get_mut(&file.path) {
            Some(seen) => seen.clone_from(&found),
            None => drop(self.seen.insert(file.path.clone(), found.clone())),
        }
        let signature = found.ok();
        let known = self.files.get_mut(&file.path);
        if let (Some(entry), Some(signature)) = (&known, &signature)
            && entry.settled
            && entry.signature == *signature
        {
            return Snapshot { file, nested, now: Some(entry.now.clone()), good: entry.good.clone() };
        }
        // The signature was taken first: a change between it and the reading is seen next time.
        let Some(version) = load::version(layout, &file, known.as_ref().map(|entry| &entry.now)) else {
            self.files.remove(&file.path);
            return Snapshot { file, nested, now: None, good: None };
        };
        let good = if version.is_good() {
            Some(version.clone())
        } else {
            known.and_then(|entry| entry.good.clone())
        };
        if let Some(signature) = signature {
            let settled = signature.is_older(now, FRESH);
            let entry = Entry { signature, settled, now: version.clone(), good: good.clone() };
            self.files.insert(file.path.clone(), entry);
        }
        Snapshot { file, nested, now: Some(version), good }
    }
}

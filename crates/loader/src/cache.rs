//! Settings that are asked for again and again.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

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

    /// Has the system tell when a settings file of the layout changes, is made or goes, until the loader is dropped
    /// or this is called again. The file is then read at the next load whatever its time stamp says, and `changed` is
    /// called with its path, from a thread of its own; it may call [`Loader::load`] of another loader, not of this one.
    ///
    /// Nothing depends on it: a change that the system does not tell of is found at the next load all the same.
    ///
    /// # Errors
    /// The system watches nothing more, or nothing here.
    #[cfg(feature = "watch")]
    pub fn watch(&self, changed: impl Fn(&Path) + Send + 'static) -> Result<(), crate::WatchError> {
        let state = Arc::downgrade(&self.state);
        let paths = self.layout.files.iter().map(|file| file.path.clone()).collect();
        let watcher = crate::watch::Watcher::new(paths, move |path| {
            if let Some(state) = state.upgrade() {
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(entry) = state.files.get_mut(path) {
                    entry.settled = false;
                }
            }
            changed(path);
        })?;
        *self.watcher.lock().unwrap_or_else(PoisonError::into_inner) = Some(watcher);
        Ok(())
    }

    /// The files.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// As [`crate::load`]; the same value again while nothing changed. `now` is the time of day: a file that
    /// changed less than two seconds before it is read and compared instead of only looked at.
    pub fn load(&self, start: &Path, judges: &Judges<'_>, now: SystemTime) -> Arc<Loaded> {
        // After a panic the entries are as good as before: each is replaced as a whole.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let snapshots: Vec<Snapshot> = load::files_in_order(&self.layout, start)
            .into_iter()
            .map(|(file, nested)| state.snapshot(&self.layout, file, nested, now))
            .collect();
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
        let signature = read::signature(&file.path);
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

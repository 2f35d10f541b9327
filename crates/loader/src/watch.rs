//! Being told by the system when a settings file changes.
//!
//! A file changes when its bytes do, but also when one of the folders above it is made, moved or replaced, or a link
//! on the way leads elsewhere. So every folder on the way to every file is watched, and the ways are gone again
//! whenever something happens to one of their steps.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    panic::AssertUnwindSafe,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, mpsc},
    time::Duration,
};

use notify::{
    ErrorKind, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode},
};

use crate::{
    read::Found,
    trail::{FolderIdentity, Trail},
};

/// How often files are looked at whose folders the system does not watch.
const LOOK: Duration = Duration::from_secs(1);

/// So often the ways are gone again while they change under our feet.
const ROUNDS: usize = 8;

/// So many messages are answered together.
const BATCH: usize = 1024;

/// The system would not watch.
#[derive(Debug, thiserror::Error)]
#[error("cannot watch {}: {source}; settings are looked at when they are loaded all the same", folder.display())]
pub struct WatchError {
    /// The folder that was to be watched; empty when watching could not begin.
    pub folder: PathBuf,
    /// Why.
    pub source: notify::Error,
}

impl WatchError {
    fn start(source: notify::Error) -> Self {
        Self { folder: PathBuf::new(), source }
    }
}

enum Message {
    Event(notify::Result<notify::Event>),
    /// Further files.
    Files(Vec<PathBuf>),
    Stop,
}

/// Emptied when the watcher is dropped, whatever its thread is doing then.
type System = Arc<Mutex<Option<RecommendedWatcher>>>;

/// Watches files until it is dropped.
#[derive(Debug)]
pub(crate) struct Watcher {
    system: System,
    messages: mpsc::Sender<Message>,
    files: Mutex<HashSet<PathBuf>>,
}

impl Watcher {
    /// Calls `changed`, from a thread of its own, with each of `files` that something happened to, or at which
    /// something else is now than was seen when it was loaded, as `unseen` tells.
    pub(crate) fn new(
        files: HashSet<PathBuf>,
        unseen: impl Fn(&Path, &Found) -> bool + Send + 'static,
        changed: impl Fn(&Path) + Send + 'static,
    ) -> Result<Self, WatchError> {
        let (messages, receiver) = mpsc::channel();
        let events = messages.clone();
        let handler = move |event: notify::Result<notify::Event>| {
            // Settings are read, also by us: that is no change. Who wrote through a memory map is seen at the end.
            let matters = event.as_ref().map_or(true, |event| {
                !event.kind.is_access()
                    || event.kind == EventKind::Access(AccessKind::Close(AccessMode::Write))
            });
            if matters {
                // Without a receiver nobody wants to know any more.
                let _ = events.send(Message::Event(event));
            }
        };
        let system = notify::recommended_watcher(handler).map_err(WatchError::start)?;
        let system: System = Arc::new(Mutex::new(Some(system)));
        let trails = files.iter().map(|file| (file.clone(), Trail::new(file))).collect();
        let mut lookout =
            Lookout { system: Arc::clone(&system), trails, folders: BTreeMap::new(), is_blind: false };
        if let Some(refused) = lookout.settle() {
            return Err(refused);
        }
        std::thread::Builder::new()
            .name("settings watch".into())
            .spawn(move || lookout.run(&receiver, &unseen, &changed))
            .map_err(|error| WatchError::start(notify::Error::io(error)))?;
        // What changed since it was loaded is told first.
        let _ = messages.send(Message::Files(Vec::new()));
        Ok(Self { system, messages, files: Mutex::new(files) })
    }

    /// Watches these files too.
    pub(crate) fn add<'a>(&self, files: impl Iterator<Item = &'a Path>) {
        let mut known = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let new: Vec<_> = files.filter(|file| !known.contains(*file)).map(Path::to_owned).collect();
        if !new.is_empty() {
            known.extend(new.iter().cloned());
            let _ = self.messages.send(Message::Files(new));
        }
    }

    /// All that it watches.
    pub(crate) fn files(&self) -> HashSet<PathBuf> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // Its thread may be in the middle of a call; the watches do not wait for that.
        drop(self.system.lock().unwrap_or_else(PoisonError::into_inner).take());
        let _ = self.messages.send(Message::Stop);
    }
}

/// What happened since the last look.
#[derive(Default)]
struct News {
    /// Something happened to a step of a way.
    is_any: bool,
    /// Events were lost: anything may have changed.
    is_all: bool,
    /// What was made, changed or removed.
    named: BTreeSet<PathBuf>,
}

/// The side that is told by the system.
struct Lookout {
    system: System,
    trails: BTreeMap<PathBuf, Trail>,
    /// Those that are watched, or were to be.
    folders: BTreeMap<PathBuf, FolderIdentity>,
    /// Some folder is not watched: time has to tell.
    is_blind: bool,
}

impl Lookout {
    fn run(
        mut self,
        messages: &mpsc::Receiver<Message>,
        unseen: &impl Fn(&Path, &Found) -> bool,
        changed: &impl Fn(&Path),
    ) {
        loop {
            let mut news = News::default();
            let first = if self.is_blind {
                match messages.recv_timeout(LOOK) {
                    Err(mpsc::RecvTimeoutError::Timeout) => {
                        news.is_any = true;
                        None
                    }
                    Err(mpsc::RecvTimeoutError::Disconnected) => return,
                    Ok(message) => Some(message),
                }
            } else {
                let Ok(message) = messages.recv() else { return };
                Some(message)
            };
            for message in first.into_iter().chain(messages.try_iter().take(BATCH)) {
                match message {
                    Message::Stop => return,
                    Message::Event(event) => self.hear(event, &mut news),
                    Message::Files(files) => {
                        self.trails.extend(files.into_iter().map(|file| {
                            let trail = Trail::new(&file);
                            (file, trail)
                        }));
                        news.is_any = true;
                    }
                }
            }
            if !news.is_any && !news.is_all {
                continue;
            }
            for file in self.look(&news, unseen) {
                if self.is_over() {
                    return;
                }
                // A call that fails must not end the telling.
                if std::panic::catch_unwind(AssertUnwindSafe(|| changed(&file))).is_err() {
                    tracing::error!(file = %file.display(), "who is told of changed settings panicked");
                }
            }
        }
    }

    fn is_over(&self) -> bool {
        self.system.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    fn hear(&self, event: notify::Result<notify::Event>, news: &mut News) {
        let Ok(event) = event else {
            news.is_all = true;
            return;
        };
        news.is_all |= event.need_rescan();
        for path in event.paths {
            let is_step = self.trails.values().any(|trail| trail.steps.contains(&path));
            news.is_any |= is_step || self.folders.contains_key(&path);
            if is_step && !event.kind.is_access() {
                news.named.insert(path);
            }
        }
    }

    /// Goes all ways again; the files that changed.
    fn look(&mut self, news: &News, unseen: impl Fn(&Path, &Found) -> bool) -> Vec<PathBuf> {
        let before = self.trails.clone();
        if let Some(refused) = self.settle() {
            tracing::warn!(%refused, "settings are looked at every second");
            self.is_blind = true;
        }
        let is_named = |trail: &Trail| trail.end.as_ref().is_some_and(|end| news.named.contains(end));
        let changed = |file: &Path, trail: &Trail| {
            news.is_all
                || is_named(trail)
                || before.get(file).is_some_and(|before| before.found != trail.found || is_named(before))
                // A load may have come between two changes of which only the sum is seen here.
                || unseen(file, &trail.found)
        };
        self.trails
            .iter()
            .filter(|(file, trail)| changed(file, trail))
            .map(|(file, _)| file.clone())
            .collect()
    }

    /// Watches the folders of all ways, until these have stayed the same meanwhile: what happens after that is told.
    /// The error says that the system watches nothing, or has no room for more.
    fn settle(&mut self) -> Option<WatchError> {
        let mut refused = None;
        for round in 0..ROUNDS {
            for (file, trail) in &mut self.trails {
                *trail = Trail::new(file);
            }
            let wanted: BTreeMap<_, _> =
                self.trails.values().flat_map(|trail| trail.folders.clone()).collect();
            if round > 0 && wanted == self.folders {
                return refused;
            }
            refused = self.watch(wanted);
        }
        self.is_blind = true;
        refused
    }

    fn watch(&mut self, wanted: BTreeMap<PathBuf, FolderIdentity>) -> Option<WatchError> {
        let mut system = self.system.lock().unwrap_or_else(PoisonError::into_inner);
        let system = system.as_mut()?;
        for (folder, identity) in &self.folders {
            // A folder that was moved away is still watched under its old name.
            if wanted.get(folder) != Some(identity) {
                // It may have gone, and its watch with it.
                let _ = system.unwatch(folder);
            }
        }
        let mut refused = None;
        let mut is_any = false;
        self.is_blind = false;
        for folder in wanted.keys().filter(|folder| !is_left_out(folder)) {
            // Again also where it is watched already: the watch goes with a folder, and a new one may have its name.
            match system.watch(folder, RecursiveMode::NonRecursive) {
                Ok(()) => is_any = true,
                Err(source) => {
                    self.is_blind = true;
                    if refused.is_none() || matches!(source.kind, ErrorKind::MaxFilesWatch) {
                        refused = Some(WatchError { folder: folder.clone(), source });
                    }
                }
            }
        }
        self.folders = wanted;
        refused.filter(|refused| !is_any || matches!(refused.source.kind, ErrorKind::MaxFilesWatch))
    }
}

/// macOS tells of a whole tree only; nobody replaces the folders at its top.
fn is_left_out(folder: &Path) -> bool {
    cfg!(target_os = "macos") && folder.parent().is_none()
}

//! Appending.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use crate::{Appended, Event, Record, Redactor, rotate};

/// Gives the time, in milliseconds since 1970, UTC.
pub trait Clock: Send + Sync {
    /// Now.
    fn now_ms(&self) -> u64;
}

impl<F: Fn() -> u64 + Send + Sync> Clock for F {
    fn now_ms(&self) -> u64 {
        self()
    }
}

/// How a log is kept.
#[derive(Clone, Debug)]
pub struct LogOptions {
    /// The file. Missing folders are created for this user alone.
    pub path: PathBuf,
    /// The session that the events belong to.
    pub session: String,
    /// Whether every event has to be recorded (`log.required`).
    pub required: bool,
    /// Applied before anything is written; none: arguments are written as they are (`log.redact: false`).
    pub redactor: Option<Redactor>,
    /// A file that has reached this many bytes is moved aside; none: never.
    pub rotate_at: Option<u64>,
    /// How many files that were moved aside stay; none: all.
    pub keep: Option<usize>,
}

impl LogOptions {
    /// Not required, nothing redacted, rotated at 64 MiB, everything kept.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, session: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            session: session.into(),
            required: false,
            redactor: None,
            rotate_at: Some(64 << 20),
            keep: None,
        }
    }
}

/// Why a log cannot be kept.
#[derive(Debug, thiserror::Error)]
#[error("the log `{}` cannot be opened: {source} (check the folder's permissions, or choose another path)", .path.display())]
pub struct OpenError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// Why an event is not in the log.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// The file could not be written.
    #[error("the log `{}` could not be written: {source} (free some space, or choose another path)", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The event is no JSON.
    #[error("the event cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// A log that is open. May be shared between threads; several processes may have the same file open.
pub struct Log {
    options: LogOptions,
    writer: String,
    clock: Box<dyn Clock>,
    state: Mutex<State>,
}

struct State {
    file: File,
    seq: u64,
    warned: bool,
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Log")
            .field("options", &self.options)
            .field("writer", &self.writer)
            .finish_non_exhaustive()
    }
}

impl Log {
    /// Opens a log, and creates it if it is missing.
    ///
    /// # Errors
    /// When the file or its folder cannot be created or opened.
    pub fn open(options: LogOptions, clock: impl Clock + 'static) -> Result<Self, OpenError> {
        let file = open(&options.path).map_err(|source| OpenError { path: options.path.clone(), source })?;
        Ok(Self {
            options,
            writer: uuid::Uuid::new_v4().simple().to_string(),
            clock: Box::new(clock),
            state: Mutex::new(State { file, seq: 0, warned: false }),
        })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.options.path
    }

    /// Records an event, or says that it is lost.
    ///
    /// # Errors
    /// When it could not be recorded and the caller has to stop: it [is
    /// indispensable](Event::is_indispensable), or the log is required.
    pub fn append(&self, event: Event) -> Result<Appended, AppendError> {
        let must = self.options.required || event.is_indispensable();
        let mut state = self.state();
        match self.write(&mut state, event) {
            Ok(seq) => Ok(Appended::Written(seq)),
            Err(error) if must => Err(error),
            Err(error) => {
                let first = !std::mem::replace(&mut state.warned, true);
                Ok(Appended::Lost(first.then_some(error)))
            }
        }
    }

    /// A thread that panicked here had not changed the number of the last event yet, or had written it.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, state: &mut State, event: Event) -> Result<u64, AppendError> {
        let seq = state.seq.saturating_add(1);
        let record = Record {
            session: self.options.session.clone(),
            writer: self.writer.clone(),
            seq,
            time: self.clock.now_ms(),
            event,
        };
        let mut json = record.to_json()?;
        if let Some(redactor) = &self.options.redactor {
            redactor.redact(&mut json);
        }
        let mut line = serde_json::to_vec(&json)?;
        line.push(b'\n');
        self.put(state, line)
            .map_err(|source| AppendError::Io { path: self.options.path.clone(), source })?;
        state.seq = seq;
        Ok(seq)
    }

    fn put(&self, state: &mut State, mut line: Vec<u8>) -> io::Result<()> {
        self.lock_current(state)?;
        let file = &mut state.file;
        let outcome = file.metadata().and_then(|found| {
            let length = found.len();
            if found.is_file() && length > 0 && !ends_a_line(file, length)? {
                // Somebody's last line is torn: what follows must not be lost with it.
                line.insert(0, b'\n');
            }
            write_once(file, &line).inspect_err(|_| {
                // Best effort: half a line would be skipped by readers anyway.
                let _ = file.set_len(length);
            })
        });
        let unlocked = file.unlock();
        outcome.and(unlocked)
    }

    /// Locks the file that is at the path now, moving it aside first when it has grown too large.
    fn lock_current(&self, state: &mut State) -> io::Result<()> {
        // Each turn follows somebody's rotation; nobody rotates a thousand times in between.
        for _ in 0..1000 {
            lock(&state.file)?;
            if !is_at(&state.file, &self.options.path)? {
                state.file = open(&self.options.path)?;
                continue;
            }
            let found = state.file.metadata()?;
            match self.options.rotate_at {
                Some(limit) if found.is_file() && found.len() > 0 && found.len() >= limit => {
                    rotate::rotate(&self.options.path, self.options.keep)?;
                    state.file = open(&self.options.path)?;
                }
                _ => return Ok(()),
            }
        }
        Err(io::Error::other("the file is replaced again and again"))
    }
}

/// How often a lock that somebody holds is tried again, and after how long.
const TRIES: u32 = 20_000;
const PAUSE: Duration = Duration::from_micros(250);

/// Waits for others, who need microseconds. Whoever holds the lock for seconds must not hold us as well:
/// that is an error, and the caller stops.
fn lock(file: &File) -> io::Result<()> {
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::TimedOut, "another process holds its lock"))
}

/// One `write` for one line: with `O_APPEND` it cannot mix with another.
fn write_once(file: &mut File, line: &[u8]) -> io::Result<()> {
    loop {
        match file.write(line) {
            Ok(written) if written == line.len() => return Ok(()),
            Ok(_) => return Err(io::Error::new(io::ErrorKind::StorageFull, "only a part was written")),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        create_folder(folder)?;
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true).read(true);
    #[cfg(unix)]
    crate::unix::private(&mut options);
    options.open(path)
}

#[cfg(unix)]
use crate::unix::create_private_folder as create_folder;

#[cfg(not(unix))]
fn create_folder(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path)
}

#[cfg(unix)]
use crate::unix::is_at;

/// Elsewhere a file that is open cannot be moved away.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(unix)]
fn ends_a_line(file: &File, length: u64) -> io::Result<bool> {
    let mut last = [0_u8];
    let read = crate::unix::read_at(file, &mut last, length.saturating_sub(1))?;
    Ok(read == 0 || last == *b"\n")
}

/// With `O_APPEND` semantics the position of the handle does not matter for writing.
#[cfg(not(unix))]
fn ends_a_line(mut file: &File, length: u64) -> io::Result<bool> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    let mut last = [0_u8];
    file.seek(SeekFrom::Start(length.saturating_sub(1)))?;
    let read = file.read(&mut last)?;
    Ok(read == 0 || last == *b"\n")
}

//! The journal of one run: a line of JSON for the run and one for each name; others append what they know. Its owner
//! holds a lock on it, so that a journal without one is that of somebody who was killed.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use sha2::Digest as _;

use super::{
    TripwireError,
    scan::{Kind, State},
};

/// Copies are made of files up to this size...
const COPY: u64 = 64 << 10;
/// ...and of at most so many.
const COPIES: usize = 128;

/// What is announced is no longer than this: the largest settings file that is read.
const ANNOUNCED: u64 = 4 << 20;

const EXTENSION: &str = "journal";

/// What is known of one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    pub(crate) session: String,
    pub(crate) home: Option<String>,
    pub(crate) globs: Vec<String>,
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) exempt: Vec<PathBuf>,
    pub(crate) complete: bool,
    pub(crate) before: BTreeMap<PathBuf, State>,
    /// What was written outside of the run while it went on.
    pub(super) known: Vec<(PathBuf, State)>,
    /// What was about to be written outside of it: hashes of contents.
    pub(super) announced: Vec<(PathBuf, String)>,
}

/// A line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    Run {
        session: String,
        home: Option<String>,
        globs: Vec<String>,
        roots: Vec<String>,
        files: Vec<String>,
        complete: bool,
    },
    Name(String, State),
    Exempt(String),
    Known(String, State),
    Announced(String, String),
    /// Everything that was there has been written down.
    Armed,
}

impl Journal {
    /// Whether a name may be as it is now.
    pub(crate) fn expects(&self, path: &Path, now: &State) -> bool {
        self.is_exempt(path)
            || self.before.get(path).is_some_and(|before| before.is(now))
            || self.known.iter().any(|(known, state)| known == path && state.is(now))
            || self.is_announced(path, now)
    }

    fn is_announced(&self, path: &Path, now: &State) -> bool {
        let hashes: Vec<&String> =
            self.announced.iter().filter(|(announced, _)| announced == path).map(|(_, hash)| hash).collect();
        if hashes.is_empty() || now.kind != Kind::File || now.links != 1 || now.size > ANNOUNCED {
            return false;
        }
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        let Ok(file) = OpenOptions::new().read(true).custom_flags(flags).open(path) else { return false };
        let mut bytes = Vec::new();
        file.take(ANNOUNCED + 1).read_to_end(&mut bytes).is_ok() && hashes.contains(&&hash(&bytes))
    }

    pub(crate) fn is_exempt(&self, path: &Path) -> bool {
        self.exempt.iter().any(|exempt| path.starts_with(exempt))
    }

    fn lines(&self) -> Vec<Line> {
        let names = |paths: &[PathBuf]| paths.iter().map(|path| encoded(path)).collect();
        let mut lines = vec![Line::Run {
            session: self.session.clone(),
            home: self.home.clone(),
            globs: self.globs.clone(),
            roots: names(&self.roots),
            files: names(&self.files),
            complete: self.complete,
        }];
        lines.extend(self.exempt.iter().map(|path| Line::Exempt(encoded(path))));
        lines.extend(self.before.iter().map(|(path, state)| Line::Name(encoded(path), state.clone())));
        lines.push(Line::Armed);
        lines
    }
}

/// A journal whose lock is held.
#[derive(Debug)]
pub(crate) struct Owned {
    path: PathBuf,
    _lock: File,
}

impl Owned {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The journal of a caller that is gone; none while it is there.
    pub(crate) fn of_dead(path: &Path) -> Option<Self> {
        let file = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW).open(path).ok()?;
        file.try_lock().ok()?;
        // Somebody else may have been faster, and have removed it.
        (file.metadata().ok()?.nlink() > 0).then(|| Self { path: path.to_path_buf(), _lock: file })
    }

    /// Removes it, with the copies that belong to it.
    pub(crate) fn remove(&self) {
        let _ = fs::remove_dir_all(self.path.with_extension("copies"));
        let _ = fs::remove_file(&self.path);
    }
}

fn directory(state: &Path) -> PathBuf {
    state.join("tripwire")
}

/// Where a copy lies.
pub(crate) fn copies(state: &Path, copy: &str) -> PathBuf {
    directory(state).join(copy)
}

/// The journals of all runs, those of the dead among them.
pub(crate) fn all(state: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory(state)).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == EXTENSION))
        .collect()
}

/// Removes what was begun by somebody who was killed before anything ran. A young one may be in the making.
pub(crate) fn remove_unfinished(state: &Path) {
    const AGE: Duration = Duration::from_secs(60);
    for entry in fs::read_dir(directory(state)).into_iter().flatten().flatten() {
        let path = entry.path();
        let age = entry.metadata().ok().and_then(|found| found.modified().ok()?.elapsed().ok());
        if path.extension().is_some_and(|end| end == "new") && age.is_some_and(|age| age > AGE) {
            let _ = fs::remove_dir_all(path.with_extension("copies"));
            let _ = fs::remove_file(path);
        }
    }
}

/// Writes a new journal and copies of what may have to be put back.
pub(crate) fn write(state: &Path, journal: &mut Journal) -> Result<Owned, TripwireError> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let directory = directory(state);
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |source: io::Error| TripwireError { path, source }
    };
    private_directory(&directory).map_err(failed(&directory))?;
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("{}-{}-{number}", journal.session, std::process::id());
    let temporary = directory.join(format!("{name}.new"));
    let path = directory.join(format!("{name}.{EXTENSION}"));
    copy_files(&directory, &name, &mut journal.before).map_err(failed(&directory))?;
    let made = || -> io::Result<File> {
        // A name of a process that had the same number.
        let _ = fs::remove_file(&temporary);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
        file.lock()?;
        let mut text = Vec::new();
        for line in journal.lines() {
            serde_json::to_writer(&mut text, &line)?;
            text.push(b'\n');
        }
        file.write_all(&text)?;
        fs::rename(&temporary, &path)?;
        Ok(file)
    };
    let lock = made().map_err(failed(&path))?;
    Ok(Owned { path, _lock: lock })
}

pub(crate) fn private_directory(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Small files are kept, so that what a run changed can be put back. Samples need not be: nobody runs them.
fn copy_files(directory: &Path, name: &str, before: &mut BTreeMap<PathBuf, State>) -> io::Result<()> {
    let folder = format!("{name}.copies");
    let _ = fs::remove_dir_all(directory.join(&folder));
    let kept = before.iter_mut().filter(|(path, state)| {
        state.kind == Kind::File && state.size <= COPY && path.extension().is_none_or(|end| end != "sample")
    });
    for (number, (path, state)) in kept.take(COPIES).enumerate() {
        // It may be gone, or not be ours to read.
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        let Ok(file) = OpenOptions::new().read(true).custom_flags(flags).open(path) else { continue };
        let mut text = Vec::new();
        if file.take(COPY).read_to_end(&mut text).is_err() {
            continue;
        }
        let copy = format!("{folder}/{number}");
        private_directory(&directory.join(&folder))?;
        let to = directory.join(&copy);
        let mut to = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
        to.write_all(&text)?;
        state.copy = Some(copy);
    }
    Ok(())
}

/// None for one that is gone, or was not finished: nothing ran under it.
pub(crate) fn read(path: &Path) -> Option<Journal> {
    let text = fs::read_to_string(path).ok()?;
    let mut journal = Journal::default();
    let mut armed = false;
    for line in text.lines() {
        // The last line may be torn.
        let Ok(line) = serde_json::from_str::<Line>(line) else { continue };
        match line {
            Line::Run { session, home, globs, roots, files, complete } => {
                let paths = |names: Vec<String>| names.iter().map(|name| decoded(name)).collect();
                journal.session = session;
                journal.home = home;
                journal.globs = globs;
                journal.roots = paths(roots);
                journal.files = paths(files);
                journal.complete = complete;
            }
            Line::Name(path, state) => drop(journal.before.insert(decoded(&path), state)),
            Line::Exempt(path) => journal.exempt.push(decoded(&path)),
            Line::Known(path, state) => journal.known.push((decoded(&path), state)),
            Line::Announced(path, hash) => journal.announced.push((decoded(&path), hash)),
            Line::Armed => armed = true,
        }
    }
    armed.then_some(journal)
}

/// A run that may make these paths begins beside those that may not.
pub(crate) fn tell_others(state: &Path, own: &Path, exempt: &[PathBuf]) {
    let lines: Vec<Line> = exempt.iter().map(|path| Line::Exempt(encoded(path))).collect();
    for path in all(state).iter().filter(|path| *path != own) {
        append(path, &lines);
    }
}

pub(crate) fn tell_known(state: &Path, path: &Path, now: &State) {
    for journal in all(state) {
        append(&journal, &[Line::Known(encoded(path), now.clone())]);
    }
}

pub(crate) fn tell_announced(state: &Path, path: &Path, bytes: &[u8]) {
    let journals = all(state);
    if journals.is_empty() {
        return;
    }
    let line = [Line::Announced(encoded(path), hash(bytes))];
    for journal in journals {
        append(&journal, &line);
    }
}

/// SHA-256, in hexadecimal digits.
fn hash(bytes: &[u8]) -> String {
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn append(path: &Path, lines: &[Line]) {
    let mut text = Vec::new();
    for line in lines {
        if serde_json::to_writer(&mut text, line).is_err() {
            return;
        }
        text.push(b'\n');
    }
    if text.is_empty() {
        return;
    }
    let opened = OpenOptions::new().append(true).custom_flags(libc::O_NOFOLLOW).open(path);
    // One that is gone needs to know nothing.
    let _ = opened.and_then(|mut file| file.write_all(&text));
}

/// A path as text: bytes that are no UTF-8, and `%`, by their numbers.
fn encoded(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(&chunk.valid().replace('%', "%25"));
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("%{byte:02x}")));
    }
    text
}

fn decoded(text: &str) -> PathBuf {
    use std::{ffi::OsString, os::unix::ffi::OsStringExt};

    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let number = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.extend(number);
        bytes.extend(part.get(2..).unwrap_or_default().as_bytes());
    }
    OsString::from_vec(bytes).into()
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    use super::*;

    #[test]
    fn any_path_survives_its_text() {
        for bytes in [&b"/a/b c"[..], b"/100%", b"/\xff\xfe/%25", "/\u{e9}".as_bytes(), b"%", b""] {
            let path = Path::new(OsStr::from_bytes(bytes));
            assert_eq!(decoded(&encoded(path)), path, "{bytes:?}");
        }
    }

    #[test]
    fn a_journal_that_was_not_finished_says_nothing() {
        let state = tempfile::tempdir().unwrap();
        let mut journal = Journal { session: "s".into(), ..Journal::default() };
        let owned = write(state.path(), &mut journal).unwrap();
        assert_eq!(read(owned.path()).unwrap().session, "s");
        let text = fs::read_to_string(owned.path()).unwrap();
        fs::write(owned.path(), text.replace("\"armed\"", "")).unwrap();
        assert!(read(owned.path()).is_none());
    }
}

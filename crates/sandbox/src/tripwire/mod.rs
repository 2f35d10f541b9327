//! The tripwire: protected names that a run made, changed or took away are found after it.
//!
//! What is not there yet cannot be protected by a mount without leaving something on the host, and Landlock protects
//! nothing inside what it grants. So the protected names below the writable roots are written down before a run
//! ([`Tripwire::arm`]); after it ([`Armed::disarm`]), or at the next start when the caller was killed ([`recover`]), new
//! and changed ones are moved out of the workspace into a quarantine. What git itself makes for a new repository, and
//! what cannot run anything, stays.
//!
//! A name is followed through no link, neither when it is looked for nor when it is moved.
//!
//! # Limits
//!
//! The walk looks at 200 000 entries; what lies beyond makes the report incomplete ([`Tripped::complete`]). Between the
//! moment at which a name is made and the end of the run it is there: whoever reads settings meanwhile asks
//! [`suspects`]. What somebody else makes during the run, or after it when the caller was killed, outside any sandbox, is
//! moved too, unless they say so ([`acknowledge`], [`announce`]) or the caller sees that it can do no harm ([`Harmless`]).

mod inert;
mod journal;
mod quarantine;
mod scan;

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use portcullis_paths::SensitivePaths;

use journal::{Journal, Owned};
use quarantine::Quarantine;
use scan::{Kind, Scan, State};

use crate::ProtectedNames;

/// What is watched. Plain values.
#[derive(Clone, Debug, Default)]
pub struct Tripwire {
    /// `$XDG_STATE_HOME/portcullis`: journals and quarantine lie below it.
    pub state: PathBuf,
    /// The session's name; a name of a directory.
    pub session: String,
    /// The home directory that `~` means in the built-in table.
    pub home: Option<String>,
    /// Globs that are protected beside the built-in table.
    pub globs: Vec<String>,
    /// Files that are protected wherever they lie, such as settings in force; they need not exist.
    pub files: Vec<PathBuf>,
    /// Paths that the run may make and change, with all below them.
    pub exempt: Vec<PathBuf>,
}

/// The tripwire cannot be kept.
#[derive(Debug, thiserror::Error)]
#[error("the tripwire cannot be kept in `{path}`: {source}")]
pub struct TripwireError {
    /// The file or directory.
    pub path: PathBuf,
    /// What the operating system said.
    pub source: io::Error,
}

/// What happened to a protected name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Change {
    /// It was not there before.
    New,
    /// It is another one, or has other contents.
    Changed,
    /// It is gone.
    Removed,
    /// It changed although the back end kept the run from it: somebody else did that, and may have taken the protection
    /// away with it. It is left as it is.
    Lost,
}

impl Change {
    /// The machine name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Changed => "changed",
            Self::Removed => "removed",
            Self::Lost => "lost",
        }
    }
}

/// A protected name that was not left as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where it was.
    pub path: PathBuf,
    /// What happened to it.
    pub change: Change,
    /// Where it is now.
    pub quarantined: Option<PathBuf>,
    /// What was there before is there again.
    pub restored: bool,
    /// Why it could not be moved or put back.
    pub error: Option<String>,
}

/// What a tripwire found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tripped {
    /// The session whose run it was.
    pub session: String,
    /// The names, sorted.
    pub findings: Vec<Finding>,
    /// Names that are new or changed and stay as they are, because the caller took them for [`Harmless`].
    pub kept: Vec<PathBuf>,
    /// Everything below the roots was looked at, before and after.
    pub complete: bool,
}

/// Whether a file may be as it is now, whoever made it so: its path, what was there before (none for nothing), and what is
/// there now. It is asked about small files of which the state before is known.
pub type Harmless<'a> = dyn Fn(&Path, Option<&[u8]>, &[u8]) -> bool + 'a;

impl Tripwire {
    /// Writes down what is there below `roots` (the writable roots of the run). `shielded` are the paths that the
    /// run's policy protects.
    ///
    /// # Errors
    /// The journal cannot be written: nothing should be run then.
    pub fn arm(&self, roots: &[String], shielded: &[String]) -> Result<Armed, TripwireError> {
        let mut journal = Journal {
            session: self.session.clone(),
            home: self.home.clone(),
            globs: self.globs.clone(),
            roots: roots.iter().filter_map(|root| Path::new(root).canonicalize().ok()).collect(),
            files: self.files.clone(),
            exempt: self.exempt.clone(),
            ..Journal::default()
        };
        let Scan { found, complete } = scan::scan(&journal.roots, &names(&journal), &journal.files);
        journal.before = found;
        journal.complete = complete;
        for other in journal::all(&self.state).into_iter().filter_map(|path| journal::read(&path)) {
            journal.exempt.extend(other.exempt);
        }
        let owned = journal::write(&self.state, &mut journal)?;
        journal::tell_others(&self.state, owned.path(), &self.exempt);
        let shielded = shielded.iter().filter_map(|path| Path::new(path).canonicalize().ok()).collect();
        Ok(Armed { state: self.state.clone(), owned, journal, shielded })
    }
}

/// A tripwire during a run. Dropped without [`Armed::disarm`], it leaves its journal for [`recover`].
#[derive(Debug)]
pub struct Armed {
    state: PathBuf,
    owned: Owned,
    journal: Journal,
    shielded: Vec<PathBuf>,
}

impl Armed {
    /// Everything below the roots was looked at.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.journal.complete
    }

    /// Looks again, moves what the run should not have made or changed, and puts back what it changed.
    /// `protects`: the back end kept the run from changing what its policy protects.
    #[must_use]
    pub fn disarm(self, protects: bool, harmless: &Harmless<'_>) -> Tripped {
        let shielded = if protects { self.shielded.as_slice() } else { &[] };
        let mut journal = self.journal;
        // What others wrote into it; where it is gone, that may have been the run.
        match journal::read(self.owned.path()) {
            Some(written) => {
                journal.known = written.known;
                journal.announced = written.announced;
                journal.exempt = written.exempt;
            }
            None => journal.complete = false,
        }
        let tripped = trip(&self.state, &journal, shielded, harmless);
        self.owned.remove();
        tripped
    }
}

/// Does what killed callers could not do: for every journal that nobody holds. What changed counts as changed by the
/// run.
#[must_use]
pub fn recover(state: &Path, harmless: &Harmless<'_>) -> Vec<Tripped> {
    let mut all = Vec::new();
    journal::remove_unfinished(state);
    for path in journal::all(state) {
        let Some(owned) = Owned::of_dead(&path) else { continue };
        let tripped = journal::read(owned.path()).map(|journal| trip(state, &journal, &[], harmless));
        all.extend(tripped.filter(|tripped| !tripped.findings.is_empty() || !tripped.kept.is_empty()));
        owned.remove();
    }
    all
}

/// Those of `files` that are not what they were before a run that is still going on: nobody should go by them.
#[must_use]
pub fn suspects(state: &Path, files: &[PathBuf]) -> Vec<PathBuf> {
    let mut suspects = Vec::new();
    for journal in journal::all(state).into_iter().filter_map(|path| journal::read(&path)) {
        for file in files {
            let Ok(real) = file.canonicalize() else { continue };
            let inside = journal.roots.iter().any(|root| real.starts_with(root));
            let Some(now) = State::of(&real).filter(|_| inside) else { continue };
            if !journal.expects(&real, &now) && !suspects.contains(file) {
                suspects.push(file.clone());
            }
        }
    }
    suspects
}

/// Makes what is now at `path` known to the runs that go on: it was written outside of them.
pub fn acknowledge(state: &Path, path: &Path) {
    let Ok(real) = path.canonicalize() else { return };
    if let Some(now) = State::of(&real) {
        journal::tell_known(state, &real, &now);
    }
}

/// Makes known that these bytes are about to be written to `path` outside of any run, so that they may be there even if
/// nobody comes to [`acknowledge`] them.
pub fn announce(state: &Path, path: &Path, bytes: &[u8]) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return };
    let Ok(folder) = folder.canonicalize() else { return };
    // Where a link stands, what it leads to is written.
    let real = path.canonicalize().unwrap_or_else(|_| folder.join(name));
    journal::tell_announced(state, &real, bytes);
}

fn names(journal: &Journal) -> ProtectedNames {
    let standard = SensitivePaths::standard(journal.home.as_deref());
    let roots = journal.roots.iter().map(|root| root.to_string_lossy());
    ProtectedNames::new(&standard, &journal.globs, roots)
}

fn trip(state: &Path, journal: &Journal, shielded: &[PathBuf], harmless: &Harmless<'_>) -> Tripped {
    let Scan { found: after, complete } = scan::scan(&journal.roots, &names(journal), &journal.files);
    let mut tripped = Tripped {
        session: journal.session.clone(),
        findings: Vec::new(),
        kept: Vec::new(),
        complete: complete && journal.complete,
    };
    let mut quarantine = Quarantine::new(state, &journal.session);
    for (path, now) in &after {
        let before = journal.before.get(path);
        if now.kind == Kind::Directory || journal.expects(path, now) {
            continue;
        }
        let Some(root) = journal.roots.iter().find(|root| path.starts_with(root)) else { continue };
        let shielded = is_shielded(path, before, journal, &after, shielded);
        let copy = before.and_then(|before| before.copy.as_deref()).map(|copy| journal::copies(state, copy));
        let finding = match before {
            None if inert::is_inert(root, path, now) => continue,
            _ if shielded => {
                let path = path.clone();
                Finding { path, change: Change::Lost, quarantined: None, restored: false, error: None }
            }
            Some(before) if inert::is_same(root, path, before, copy.as_deref()) => continue,
            _ if inert::is_harmless(path, now, before.is_some(), copy.as_deref(), harmless) => {
                tripped.kept.push(path.clone());
                continue;
            }
            None => quarantine.take(root, path, Change::New, None),
            Some(_) => quarantine.take(root, path, Change::Changed, copy.as_deref()),
        };
        tripped.findings.push(finding);
    }
    // What is not looked at is not gone.
    for (path, before) in journal.before.iter().filter(|_| complete) {
        if is_shielded(path, Some(before), journal, &after, shielded) {
            continue;
        }
        let copy = before.copy.as_deref().map(|copy| journal::copies(state, copy));
        let Some(root) = journal.roots.iter().find(|root| path.starts_with(root)) else { continue };
        if before.kind != Kind::Directory && !after.contains_key(path) && !journal.is_exempt(path) {
            tripped.findings.push(quarantine.put_back(root, path, copy.as_deref()));
        }
    }
    remove_empty(journal, &after, &tripped);
    tripped.findings.sort_by(|a, b| a.path.cmp(&b.path));
    tripped
}

/// Whether the run could not have changed the name: its policy protects it, or the very directory that it lies in. A
/// name with several others can be written through those, whatever is mounted over this one.
fn is_shielded(
    path: &Path,
    before: Option<&State>,
    journal: &Journal,
    after: &BTreeMap<PathBuf, State>,
    shielded: &[PathBuf],
) -> bool {
    let Some(by) = shielded.iter().find(|by| path.starts_with(by)) else { return false };
    match before {
        Some(before) => before.links < 2 || before.kind != Kind::File,
        None => match (journal.before.get(by), after.get(by)) {
            (Some(old), Some(new)) => {
                new.kind == Kind::Directory && (old.device, old.inode) == (new.device, new.inode)
            }
            _ => false,
        },
    }
}

/// Directories that the run made for what was moved out of them.
fn remove_empty(journal: &Journal, after: &BTreeMap<PathBuf, State>, tripped: &Tripped) {
    for (path, state) in after.iter().rev() {
        let is_new = state.kind == Kind::Directory && !journal.before.contains_key(path);
        let was_emptied = tripped.findings.iter().any(|finding| finding.path.starts_with(path));
        if is_new
            && was_emptied
            && let Some(root) = journal.roots.iter().find(|root| path.starts_with(root))
        {
            quarantine::remove_directory(root, path);
        }
    }
}

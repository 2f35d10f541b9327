//! Whether a project's resources may be loaded: the order in which that is found out.

use std::path::PathBuf;

use crate::{
    Below, Change, ChangeKind, Entries, Entry, Fingerprint, Inventory, Project, Store, StoreError, Via,
    below, inventory, inventory::settings_resource, key, own, stamp,
};

/// A person who can be asked.
pub trait Asker {
    /// Puts the question.
    fn ask(&self, question: &Question<'_>) -> Answer;
}

/// What a person is asked.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Question<'a> {
    /// The project.
    pub root: &'a str,
    /// What would be loaded.
    pub inventory: &'a Inventory,
    /// What has changed since it was trusted; empty when nothing was decided yet.
    pub changes: &'a [Change],
    /// What directories below bring, for sessions that start there: a yes is about that as well.
    pub below: &'a [Below],
}

/// What the person says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// Load it, now and later.
    Yes,
    /// Do not, now and later.
    No,
    /// Load it now.
    Session,
    /// Nothing: end of input, an interrupt, a broken connection. Not loaded, and asked again next time.
    Cancelled,
}

/// What a decision rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Basis {
    /// The project brings nothing that needs trust.
    Nothing,
    /// `--trust` or `--no-trust`.
    Flag,
    /// The store has it.
    Recorded {
        /// The directory that it is recorded for.
        key: String,
        /// How that applies.
        via: Via,
    },
    /// A person was asked.
    Answered(Answer),
    /// Nothing was decided, or what was trusted has changed, and nobody could be asked.
    Undecided,
}

/// Everything that a decision needs.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// What is asked about.
    pub project: Project<'a>,
    /// Where decisions are kept; none where there is no home directory.
    pub store: Option<&'a Store>,
    /// `trust.inheritIntoRepositories`: a repository inherits from directories around it.
    pub inherit: bool,
    /// `--trust` (true) or `--no-trust` (false).
    pub flag: Option<bool>,
    /// Who can be asked.
    pub asker: Option<&'a dyn Asker>,
    /// The time, in milliseconds since 1970, UTC.
    pub now_ms: u64,
}

/// Whether a project's resources may be loaded.
#[derive(Debug)]
#[non_exhaustive]
pub struct Decision {
    /// They may.
    pub trusted: bool,
    /// A person said so, of this project or of one above: not merely that nothing needs to be asked. What runs
    /// project code that [`inventory`] does not list (build configuration, toolchain files) takes this.
    pub vouched: bool,
    /// Why.
    pub basis: Basis,
    /// What needs trust.
    pub inventory: Inventory,
    /// What has changed since it was trusted.
    pub changes: Vec<Change>,
    /// It was written to the store just now.
    pub stored: bool,
    /// Where a broken store was put aside.
    pub kept: Option<PathBuf>,
    /// What went wrong without changing the decision: it could not be written down.
    pub problem: Option<StoreError>,
}

/// Why nothing was decided.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DecideError {
    /// Trust in everything that there is, or in everything that the user has.
    #[error("`{root}` cannot be trusted as a whole (it is {what}: trust the project's own directory)")]
    Refused {
        /// The directory.
        root: String,
        /// Why not.
        what: &'static str,
    },
    /// A decision has to be kept, and there is nowhere.
    #[error("the decision cannot be kept: the home directory is not known (set HOME to an absolute path)")]
    NoStore,
    /// The store was not read or not changed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Finds out whether a project is trusted, in the order of [`Basis`]: what the store cannot say is asked, and what
/// cannot be asked is not trusted.
///
/// # Errors
/// The store cannot be read, or a flag cannot be obeyed. [`Decision::closed`] is what remains then.
pub fn decide(request: &Request<'_>) -> Result<Decision, DecideError> {
    let project = &request.project;
    let root = key(project.resolver, project.root);
    let _span = tracing::debug_span!("trust", root = %root).entered();
    if request.flag == Some(true) {
        may_be_trusted(project, &root)?;
    }
    let inventory = inventory(project);
    let decision = Stage { request, root: &root }.decide(inventory)?;
    tracing::debug!(trusted = decision.trusted, basis = ?decision.basis, "decided");
    Ok(decision)
}

/// Refuses trust in a directory that is more than a project.
pub(crate) fn may_be_trusted(project: &Project<'_>, root: &str) -> Result<(), DecideError> {
    let refused = |what| Err(DecideError::Refused { root: root.to_owned(), what });
    if portcullis_paths::parent(root).is_none() {
        return refused("the root of the file system");
    }
    // `/proc/self/root` is the root of the file system, and `/proc/self/cwd` anything.
    if portcullis_paths::of_processes(root) || portcullis_paths::of_processes(project.root) {
        return refused("another one for each process");
    }
    let home = project.home.map(|home| key(project.resolver, home));
    if home.as_deref() == Some(root) { refused("the home directory") } else { Ok(()) }
}

struct Stage<'a> {
    request: &'a Request<'a>,
    root: &'a str,
}

impl Stage<'_> {
    fn decide(&self, inventory: Inventory) -> Result<Decision, DecideError> {
        let Request { store, flag, inherit, project, .. } = *self.request;
        if inventory.is_empty() {
            let vouched = match flag {
                Some(flag) => flag,
                None => !project.is_home() && self.said(store)?,
            };
            return Ok(Decision { vouched, ..Decision::new(true, Basis::Nothing, inventory) });
        }
        if let Some(trusted) = flag {
            let store = store.ok_or(DecideError::NoStore)?;
            let entry = self.entry(trusted, &inventory);
            let below = if trusted { below::below(&project) } else { Vec::new() };
            let ((), kept) = store.rebuild(|entries| self.put(entries, entry, &below))?;
            let decision = Decision::new(trusted, Basis::Flag, inventory);
            return Ok(Decision { stored: true, kept, ..decision });
        }
        let entries = store.map_or_else(|| Ok(Entries::default()), Store::read)?;
        let mut changes = Vec::new();
        if let Some(found) = entries.find(project.resolver, self.root, inherit) {
            let basis = Basis::Recorded { key: found.key.to_owned(), via: found.via };
            if !found.entry.trusted {
                return Ok(Decision::new(false, basis, inventory));
            }
            let now = inventory.fingerprint();
            match reference(&entries, &project, self.root, &found) {
                // What cannot be compared with itself is not trusted a second time, and so not the first time either.
                None if now.changes(&now).is_empty() => {
                    let noted = self.note(store, &found, &now);
                    let (stored, problem) = (matches!(noted, Some(Ok(()))), noted.and_then(Result::err));
                    return Ok(Decision { stored, problem, ..Decision::new(true, basis, inventory) });
                }
                None => changes = now.changes(&now),
                Some(seen) => {
                    changes = seen.changes(&now);
                    if changes.is_empty() {
                        return Ok(Decision::new(true, basis, inventory));
                    }
                }
            }
        }
        let Some(asker) = self.request.asker else {
            return Ok(Decision { changes, ..Decision::new(false, Basis::Undecided, inventory) });
        };
        let below = below::below(&project);
        let question = Question { root: self.root, inventory: &inventory, changes: &changes, below: &below };
        let answer = asker.ask(&question);
        let trusted = matches!(answer, Answer::Yes | Answer::Session);
        let written = match answer {
            Answer::Yes | Answer::No => {
                let entry = self.entry(trusted, &inventory);
                store.map(|store| store.change(|entries| self.put(entries, entry, &below)))
            }
            Answer::Session | Answer::Cancelled => None,
        };
        let (stored, problem) = match written {
            Some(Ok(())) => (true, None),
            Some(Err(error)) => (false, Some(error)),
            None => (false, None),
        };
        let decision = Decision::new(trusted, Basis::Answered(answer), inventory);
        Ok(Decision { changes, stored, problem, ..decision })
    }

    /// Whether the store has trust in it: of something that brings nothing.
    fn said(&self, store: Option<&Store>) -> Result<bool, StoreError> {
        let entries = store.map_or_else(|| Ok(Entries::default()), Store::read)?;
        let found = entries.find(self.request.project.resolver, self.root, self.request.inherit);
        Ok(found.is_some_and(|found| found.entry.trusted))
    }

    fn entry(&self, trusted: bool, inventory: &Inventory) -> Entry {
        entry(trusted, &inventory.fingerprint(), self.request.now_ms)
    }

    fn put(&self, entries: &mut Entries, entry: Entry, below: &[Below]) {
        // The same decision about the same content keeps its date.
        let same = entries.get(self.root).is_some_and(|before| before.says_the_same(&entry));
        let trusted = entry.trusted;
        if !same {
            entries.set(self.root, entry);
        }
        if trusted {
            below::remember(entries, self.root, below, self.request.now_ms);
        }
    }

    /// Adds what the project looks like to a decision that does not say it yet. The decision holds without.
    fn note(
        &self,
        store: Option<&Store>,
        found: &crate::Found<'_>,
        now: &Fingerprint,
    ) -> Option<Result<(), StoreError>> {
        let (before, key) = (found.entry.clone(), found.key.to_owned());
        let mut entry = Entry::seen(now, &stamp(self.request.now_ms));
        entry.under = (found.via != Via::Own).then(|| key.clone());
        // With a fingerprint of its own, the decision is about no more than what is there.
        let below = if found.via == Via::Own { below::below(&self.request.project) } else { Vec::new() };
        Some(store?.change(|entries| {
            // Only if nobody has decided otherwise meanwhile.
            if entries.get(&key) == Some(&before) {
                entries.set(self.root, entry);
                below::remember(entries, self.root, &below, self.request.now_ms);
            }
        }))
    }
}

/// A decision as it is kept.
pub(crate) fn entry(trusted: bool, now: &Fingerprint, now_ms: u64) -> Entry {
    if trusted { Entry::seen(now, &stamp(now_ms)) } else { Entry::plain(false) }
}

/// What is known of how a directory looked when the decision about it was made.
pub(crate) fn reference(
    entries: &Entries,
    project: &Project<'_>,
    root: &str,
    found: &crate::Found<'_>,
) -> Option<Reference> {
    let own = match found.via {
        Via::Own => Some(found.entry),
        _ => entries.get(root).filter(|own| own.under.as_deref() == Some(found.key)),
    };
    let shared = || (found.via == Via::Worktree).then_some(found.entry);
    match own.and_then(|entry| entry.seen.as_ref()).or_else(|| shared()?.seen.as_ref()) {
        Some(seen) => Some(Reference {
            fingerprint: seen.fingerprint.clone(),
            parts: seen.parts.clone(),
            next: seen.next.clone(),
        }),
        None => below::inherited(entries, project, root, found),
    }
}

/// How a project looked.
pub(crate) struct Reference {
    fingerprint: String,
    pub(crate) parts: Option<Fingerprint>,
    pub(crate) next: Option<(String, Option<String>)>,
}

impl Reference {
    /// Exactly these parts, and no save under way.
    pub(crate) fn of(parts: Fingerprint) -> Self {
        Self { fingerprint: parts.text(), parts: Some(parts), next: None }
    }

    /// Whether a resource with this digest, or without any, is as it was trusted.
    pub(crate) fn has(&self, name: &str, digest: Option<&str>) -> bool {
        let is = |parts: &Fingerprint| parts.part(name) == digest;
        self.parts.as_ref().is_some_and(is) || self.after_save().as_ref().is_some_and(is)
    }

    /// The parts as they will be when the save that is under way, or was killed, is done.
    fn after_save(&self) -> Option<Fingerprint> {
        let (name, digest) = self.next.as_ref()?;
        Some(self.parts.clone()?.with(name, digest.clone()))
    }

    fn changes(&self, now: &Fingerprint) -> Vec<Change> {
        match &self.parts {
            Some(_) if self.after_save().is_some_and(|after| after.changes(now).is_empty()) => Vec::new(),
            Some(parts) => parts.changes(now),
            // Another program wrote it: that it differs is all there is to say.
            None if self.fingerprint == now.text() => now.changes(now),
            None => vec![Change { name: None, what: ChangeKind::Changed }],
        }
    }
}

impl Decision {
    fn new(trusted: bool, basis: Basis, inventory: Inventory) -> Self {
        Self {
            trusted,
            vouched: trusted,
            basis,
            inventory,
            changes: Vec::new(),
            stored: false,
            kept: None,
            problem: None,
        }
    }

    /// What holds for a project when nothing can be decided: it is not trusted.
    #[must_use]
    pub fn closed(project: &Project<'_>) -> Self {
        let inventory = inventory(project);
        let nothing = inventory.is_empty();
        let basis = if nothing { Basis::Nothing } else { Basis::Undecided };
        Self { vouched: false, ..Self::new(nothing, basis, inventory) }
    }

    /// Whether a settings file may loosen, with exactly these bytes: what is used is what was decided about. A file
    /// that the person saved through this tool may in any case.
    #[must_use]
    pub fn covers(&self, project: &Project<'_>, path: &str, bytes: &[u8]) -> bool {
        if own::is_own(project, path, bytes) {
            return true;
        }
        let Some(found) = settings_resource(project, path, bytes) else { return true };
        self.trusted
            && self.inventory.resources.iter().any(|known| {
                known.name == found.name && known.digest.is_some() && known.digest == found.digest
            })
    }
}

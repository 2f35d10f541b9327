//! What files and directories hold, counted and hashed within bounds.

use portcullis_paths::{EntryKind, FileKind, Resolver, join};

use crate::digest::{Hasher, sha256};

/// The largest file that is hashed, in bytes.
const MAX_FILE: usize = 64 << 20;

/// How many files of one project are hashed, and how many bytes of them.
const MAX_FILES: usize = 20_000;
const MAX_BYTES: usize = 256 << 20;

/// How deep directories are followed, links included.
const MAX_DEPTH: usize = 64;

/// What one project may still cost.
pub(crate) struct Budget {
    files: usize,
    bytes: usize,
}

impl Budget {
    pub(crate) const fn new() -> Self {
        Self { files: MAX_FILES, bytes: MAX_BYTES }
    }
}

/// Files below a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) files: usize,
    /// None: it is too large, or something in it could not be read, so that a change would not be seen.
    pub(crate) digest: Option<String>,
}

/// Everything below `directory`, links followed: what a loader would find there.
pub(crate) fn tree(resolver: &dyn Resolver, directory: &str, budget: &mut Budget) -> Tree {
    let mut walk =
        Walk { resolver, budget, files: 0, whole: true, above: Vec::new(), hasher: Hasher::new("tree") };
    walk.directory(directory, "");
    let Walk { files, whole, hasher, .. } = walk;
    Tree { files, digest: whole.then(|| hasher.finish()) }
}

/// The bytes of a file, none when it cannot be read whole.
pub(crate) fn file(resolver: &dyn Resolver, path: &str, budget: &mut Budget) -> Option<Vec<u8>> {
    let limit = MAX_FILE.min(budget.bytes);
    budget.files = budget.files.checked_sub(1)?;
    let bytes = resolver.read(path, limit).ok()?;
    budget.bytes -= bytes.len().min(budget.bytes);
    Some(bytes)
}

struct Walk<'a> {
    resolver: &'a dyn Resolver,
    budget: &'a mut Budget,
    files: usize,
    whole: bool,
    /// The real paths of the directories that the walk is in: a link back to one of them ends there.
    above: Vec<String>,
    hasher: Hasher,
}

impl Walk<'_> {
    fn directory(&mut self, path: &str, name: &str) {
        let Ok(real) = self.resolver.realpath(path) else {
            self.whole = false;
            return;
        };
        if self.above.contains(&real) {
            return self.say("loop", name);
        }
        let entries = self.resolver.entries(path, self.budget.files);
        let (Ok(mut entries), true) = (entries, self.above.len() < MAX_DEPTH) else {
            self.whole = false;
            return;
        };
        entries.sort_by(|left, right| left.name.cmp(&right.name));
        self.say("directory", name);
        self.above.push(real);
        for entry in entries {
            let (path, name) = (join(path, &entry.name), format!("{name}/{}", entry.name));
            match (entry.kind, self.resolver.kind(&path)) {
                (EntryKind::Directory, _) | (_, Some(FileKind::Directory)) => self.directory(&path, &name),
                (_, Some(FileKind::File)) => self.file(&path, &name),
                (EntryKind::Link, None) => self.say("dangling", &name),
                // A pipe, a socket or a device; a file whose name is not UTF-8 is not found again.
                _ => {
                    self.files += 1;
                    self.whole = false;
                }
            }
        }
        self.above.pop();
    }

    fn file(&mut self, path: &str, name: &str) {
        self.files += 1;
        match file(self.resolver, path, self.budget) {
            Some(bytes) => {
                self.say("file", name);
                self.hasher.part(sha256(&bytes).as_bytes());
            }
            None => self.whole = false,
        }
    }

    fn say(&mut self, what: &str, name: &str) {
        self.hasher.part(what.as_bytes());
        self.hasher.part(name.as_bytes());
    }
}

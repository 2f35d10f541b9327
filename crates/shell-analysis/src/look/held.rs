//! What is at a path and below it: whether a copy of it has links, or is a repository.

use std::io::ErrorKind;

use portcullis_paths::{EntryKind, FileKind};

use super::{Look, RESOLVING};
use crate::{PathTarget, pattern};

/// What is at a path and below it, links not followed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held {
    /// A link is among it.
    pub(crate) links: bool,
    /// A repository may be among it.
    pub(crate) repository: bool,
}

impl Look<'_> {
    /// What is at the paths that `target` may be, and below them; `None` when that is not known. What is not there
    /// holds nothing.
    pub(crate) fn holds(&self, target: &PathTarget) -> Option<Held> {
        let resolver = self.settings.resolver?;
        match target {
            PathTarget::Path(path) => {
                let path = path.trim_end_matches('/');
                let (directory, name) = path.rsplit_once('/')?;
                if matches!(name, "." | "..") {
                    return self.held_below(path);
                }
                self.spend(RESOLVING)?;
                let directory = if directory.is_empty() { "/" } else { directory };
                let real = resolver.realpath(directory).ok()?;
                let linked = match resolver.realpath(path) {
                    Ok(found) => {
                        found.strip_prefix(real.trim_end_matches('/'))?.strip_prefix('/') != Some(name)
                    }
                    Err(error) => error.kind() != ErrorKind::NotADirectory,
                };
                if linked {
                    return Some(Held { links: true, repository: true });
                }
                let mut held = match resolver.kind(path) {
                    Some(FileKind::Directory) => self.held_below(path)?,
                    _ => Held::default(),
                };
                held.repository |= of_repository(name);
                Some(held)
            }
            PathTarget::Glob(glob, directory) => {
                let live = glob.rsplit('/').next().unwrap_or_default();
                // What is before the last component has no wildcards when it is as long as the directory.
                if glob.split('/').filter(|part| pattern::is_pattern(part)).count() > 1
                    || !pattern::is_pattern(live)
                {
                    return self.held_below(directory);
                }
                let mut held = Held::default();
                let base = directory.trim_end_matches('/');
                for entry in &*self.entries(resolver, directory)? {
                    if !pattern::may_match(live, &entry.name) {
                        continue;
                    }
                    held.links |= entry.kind == EntryKind::Link;
                    held.repository |= of_repository(&entry.name);
                    if entry.kind == EntryKind::Directory {
                        let below = self.held_below(&format!("{base}/{}", entry.name))?;
                        held.links |= below.links;
                        held.repository |= below.repository;
                    }
                }
                Some(held)
            }
            PathTarget::Below(directory) => self.held_below(directory),
            PathTarget::Unknown => None,
        }
    }

    fn held_below(&self, directory: &str) -> Option<Held> {
        let walk = self.walk(directory)?;
        Some(Held { links: !walk.links.is_empty(), repository: walk.spelled.repository })
    }

    /// Whether a match of a glob whose last component alone has wildcards is `HEAD`; `None` when that is not known.
    pub(crate) fn named_head(&self, glob: &str, directory: &str) -> Option<bool> {
        let live = glob.rsplit('/').next().unwrap_or_default();
        if glob.split('/').filter(|part| pattern::is_pattern(part)).count() > 1 || !pattern::is_pattern(live)
        {
            return None;
        }
        let entries = self.entries(self.settings.resolver?, directory)?;
        Some(
            entries.iter().any(|entry| {
                entry.name.eq_ignore_ascii_case("HEAD") && pattern::may_match(live, &entry.name)
            }),
        )
    }
}

/// Names that make a directory a repository (gitrepository-layout(5)).
pub(super) fn of_repository(name: &str) -> bool {
    name.eq_ignore_ascii_case(".git") || name.eq_ignore_ascii_case("HEAD")
}

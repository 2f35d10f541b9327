//! Names that a text makes by linking, moving or copying, and what it writes anywhere: later words that lead
//! through such a name mean other places too than the file system shows now.

mod makes;
mod paths;
mod places;
mod repository;
mod shadows;

use std::cell::Cell;

use portcullis_paths::{Resolver, is_within, normalize};

use self::paths::longer;
pub(crate) use self::{makes::backs_up, paths::spellings};
use crate::PathTarget;

/// The most names that are kept; beyond it every path may be one of them.
const MAX_NAMES: usize = 512;

/// How a name came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// It is the same file.
    Link,
    /// It is what was there, links in it included.
    Move,
    /// It has the same content.
    Copy,
}

/// One name.
#[derive(Debug)]
struct Name {
    path: String,
    /// Everything that begins with it, such as the names of backups.
    longer: bool,
    /// Everything below it.
    below: bool,
    how: How,
    source: PathTarget,
    /// The invocation that makes it, by its place in the plan.
    by: usize,
}

/// One place that was written.
#[derive(Debug)]
struct Wrote {
    path: String,
    longer: bool,
    /// A whole tree may have come there.
    tree: bool,
    /// What came there does not stand in the text.
    brought: bool,
    /// Where git ran that wrote it.
    git: Option<Vec<String>>,
    /// A manager of the project's files wrote it, as it should.
    kept: bool,
    /// Only something empty was made.
    empty: bool,
    /// A link, a move or a copy came there.
    came: bool,
}

/// What one text makes.
#[derive(Debug, Default)]
pub(crate) struct Made {
    names: Vec<Name>,
    wrote: Vec<Wrote>,
    /// Something was written nobody knows where.
    anywhere: bool,
    /// How many paths were resolved to compare them with names.
    resolved: Cell<usize>,
}

impl Made {
    fn put(&mut self, wrote: Wrote) {
        if self.wrote.len() >= MAX_NAMES {
            self.anywhere = true;
            return;
        }
        self.wrote.push(wrote);
    }

    fn name(&mut self, name: Name) {
        // A link into itself leads nowhere, and nothing can be moved into itself.
        if matches!(&name.source, PathTarget::Path(source) if !name.longer && is_within(&normalize(source), &name.path))
        {
            return;
        }
        // Said before: moved to and fro, names would double each time.
        if self.names.iter().any(|known| known.says(&name)) {
            return;
        }
        match self.names.len() {
            MAX_NAMES => self.names.push(Name {
                path: "/".to_owned(),
                longer: false,
                below: true,
                how: How::Link,
                source: PathTarget::Unknown,
                by: usize::MAX,
            }),
            count if count < MAX_NAMES => self.names.push(name),
            _ => {}
        }
    }

    /// Whether nothing was written.
    pub(crate) fn wrote_nothing(&self) -> bool {
        self.wrote.is_empty() && !self.anywhere
    }

    /// Whether no name was made.
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Every other place whose content may be at `path`; the second: some other content may be there.
    pub(crate) fn contents(&self, path: &str, resolver: Option<&dyn Resolver>) -> (Vec<String>, bool) {
        if self.wrote.is_empty() {
            return (Vec::new(), self.anywhere);
        }
        let mut unknown = self.brings(path, resolver);
        let mut paths = Vec::new();
        for place in self.places(&PathTarget::Path(path.to_owned()), false, false, usize::MAX, resolver) {
            match place {
                PathTarget::Path(path) => {
                    unknown |= self.brings(&path, resolver);
                    paths.push(path);
                }
                _ => unknown = true,
            }
        }
        (paths, unknown)
    }

    fn brings(&self, path: &str, resolver: Option<&dyn Resolver>) -> bool {
        let paths = spellings(path, resolver);
        paths.iter().any(|path| {
            self.wrote
                .iter()
                .filter(|wrote| wrote.brought)
                .any(|wrote| wrote.path == *path || wrote.tree && is_within(path, &wrote.path))
        })
    }

    /// The names directly in `directory` that the text writes.
    pub(crate) fn names_in(&self, directory: &str) -> impl Iterator<Item = &str> {
        let directory = normalize(directory);
        self.wrote.iter().filter_map(move |wrote| {
            let (parent, name) = wrote.path.rsplit_once('/')?;
            (parent == directory.trim_end_matches('/')).then_some(name)
        })
    }

    /// Whether the text may have written the file at `path`.
    pub(crate) fn may_have_written(&self, path: &str) -> bool {
        self.anywhere || self.wrote.iter().any(|wrote| wrote.may_be_at(path))
    }

    /// Whether the text itself, and no program that keeps the file for the project, writes the one at `path`: what a
    /// trusted project has there is then not what is trusted.
    pub(crate) fn replaces(&self, path: &str) -> bool {
        self.wrote.iter().any(|wrote| !(wrote.kept || wrote.empty) && wrote.may_be_at(path))
    }
}

impl Wrote {
    fn may_be_at(&self, path: &str) -> bool {
        self.path == path
            || self.tree && is_within(path, &self.path)
            || self.longer && longer(path, &self.path)
    }
}

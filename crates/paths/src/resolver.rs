//! The file system as decisions see it: a trait, so that every decision can be reproduced without one.

use std::io;

/// What a path leads to, links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A device, socket or pipe.
    Other,
}

/// One name in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name; where it is not UTF-8, with replacement characters, and only if it is neither a directory nor a link.
    pub name: String,
    /// What has the name, a link not followed.
    pub kind: EntryKind,
}

/// What has a name in a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryKind {
    /// A directory.
    Directory,
    /// A symbolic link, wherever it leads.
    Link,
    /// A file, or anything else.
    Other,
}

/// Answers the few questions that a decision may put to the file system.
pub trait Resolver: Send + Sync {
    /// Resolves an absolute path component by component, as the kernel does (`link/..` is the link
    /// target's parent). A leaf that does not exist keeps its name below its nearest existing ancestor.
    ///
    /// # Errors
    /// When a component cannot be read, or links form a loop. The kind says what a program would find:
    /// [`io::ErrorKind::NotFound`] and [`io::ErrorKind::NotADirectory`] nothing, [`io::ErrorKind::PermissionDenied`]
    /// nothing either unless it runs as another user, and any other kind perhaps something that the resolver does not
    /// see ([`crate::ThreePaths::unknown`]).
    fn realpath(&self, path: &str) -> io::Result<String>;

    /// What `path` leads to, links followed; `None` when nothing is there or it cannot be looked at.
    fn kind(&self, path: &str) -> Option<FileKind>;

    /// Reads at most `limit` bytes of a regular file.
    ///
    /// # Errors
    /// When the file cannot be opened, is not regular, or is larger than `limit`.
    fn read(&self, path: &str, limit: usize) -> io::Result<Vec<u8>>;

    /// The names in a directory, `.` and `..` not among them. Whoever decides by what is there (globs, names that
    /// one program hands to another) takes an error for "not known", one that says that nothing is there excepted
    /// ([`io::ErrorKind::NotFound`], [`io::ErrorKind::NotADirectory`]). A resolver that does not say how has an error for every directory.
    ///
    /// # Errors
    /// When the directory cannot be read, has more than `limit` names, or one that is not UTF-8 and leads on (a
    /// directory or a link).
    fn entries(&self, directory: &str, limit: usize) -> io::Result<Vec<Entry>> {
        let _ = limit;
        let message = format!("`{directory}` cannot be listed");
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }
}

/// No file system: paths are judged as they are written.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoResolver;

impl Resolver for NoResolver {
    fn realpath(&self, path: &str) -> io::Result<String> {
        Ok(crate::normalize(path))
    }

    fn kind(&self, _path: &str) -> Option<FileKind> {
        None
    }

    fn read(&self, _path: &str, _limit: usize) -> io::Result<Vec<u8>> {
        Err(io::Error::from(io::ErrorKind::NotFound))
    }

    fn entries(&self, _directory: &str, _limit: usize) -> io::Result<Vec<Entry>> {
        Ok(Vec::new())
    }
}

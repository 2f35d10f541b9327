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

/// Answers the few questions that a decision may put to the file system.
pub trait Resolver: Send + Sync {
    /// Resolves an absolute path component by component, as the kernel does (`link/..` is the link
    /// target's parent). A leaf that does not exist keeps its name below its nearest existing ancestor.
    ///
    /// # Errors
    /// When a component cannot be read, or links form a loop.
    fn realpath(&self, path: &str) -> io::Result<String>;

    /// What `path` leads to, links followed; `None` when nothing is there or it cannot be looked at.
    fn kind(&self, path: &str) -> Option<FileKind>;

    /// Reads at most `limit` bytes of a regular file.
    ///
    /// # Errors
    /// When the file cannot be opened, is not regular, or is larger than `limit`.
    fn read(&self, path: &str, limit: usize) -> io::Result<Vec<u8>>;
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
}

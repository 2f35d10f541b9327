//! The resolver that asks the operating system.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read},
    path::{Path, PathBuf},
};

#[cfg(unix)]
use crate::unix::is_closed;
use crate::{Entry, EntryKind, FileKind, Resolver, is_within, parent, windows::is_windows};

/// How many links one path may lead through; the kernel gives up at 40 (path_resolution(7)).
const MAX_LINKS: usize = 40;

/// No name is longer, in bytes (`NAME_MAX` of limits.h, which Linux's file systems keep to).
const MAX_NAME: usize = 255;

/// Names in `/proc` that mean the process that looks: they are kept as they are.
const PROCESS_LINKS: [&str; 2] = ["/proc/self", "/proc/thread-self"];

/// The operating system's file system.
///
/// Links of single processes (`/proc/self/cwd`, `/proc/PID/root`, `/proc/PID/fd/N`) are errors: they
/// would show this process, not the one that the decision is about.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsResolver;

impl Resolver for OsResolver {
    fn realpath(&self, path: &str) -> io::Result<String> {
        if is_windows(path) { realpath_of_ancestor(path) } else { Walk::new(path)?.run() }
    }

    fn kind(&self, path: &str) -> Option<FileKind> {
        let metadata = fs::metadata(self.realpath(path).ok()?).ok()?;
        Some(if metadata.is_file() {
            FileKind::File
        } else if metadata.is_dir() {
            FileKind::Directory
        } else {
            FileKind::Other
        })
    }

    fn read(&self, path: &str, limit: usize) -> io::Result<Vec<u8>> {
        let path = &*self.realpath(path)?;
        // Looked at before it is opened, because opening a pipe may block, and again afterwards.
        let regular = |metadata: fs::Metadata| {
            let error = || io::Error::new(ErrorKind::InvalidInput, format!("`{path}` is not a regular file"));
            metadata.is_file().then_some(()).ok_or_else(error)
        };
        regular(fs::metadata(path)?)?;
        let file = File::open(path)?;
        regular(file.metadata()?)?;
        let mut bytes = Vec::new();
        file.take((limit as u64).saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() > limit {
            let message = format!("`{path}` is larger than {limit} bytes");
            return Err(io::Error::new(ErrorKind::FileTooLarge, message));
        }
        Ok(bytes)
    }

    fn entries(&self, directory: &str, limit: usize) -> io::Result<Vec<Entry>> {
        let depends = || {
            let message = format!("`{directory}` depends on the process that lists it");
            io::Error::new(ErrorKind::Unsupported, message)
        };
        if !crate::is_absolute(directory) {
            return Err(depends());
        }
        let real = self.realpath(directory)?;
        if is_within(&real, "/proc") {
            return Err(depends());
        }
        let mut entries = Vec::new();
        for entry in fs::read_dir(&real)? {
            let entry = entry?;
            if entries.len() >= limit {
                let message = format!("`{directory}` has more than {limit} names");
                return Err(io::Error::new(ErrorKind::FileTooLarge, message));
            }
            // Most file systems give the type with the name, without another look.
            let kind = entry.file_type()?;
            let kind = if kind.is_symlink() {
                EntryKind::Link
            } else if kind.is_dir() {
                EntryKind::Directory
            } else {
                EntryKind::Other
            };
            let name = match entry.file_name().into_string() {
                Ok(name) => name,
                Err(name) if kind == EntryKind::Other => name.to_string_lossy().into_owned(),
                Err(name) => {
                    let message = format!("{name:?} in `{directory}` is not UTF-8");
                    return Err(io::Error::new(ErrorKind::InvalidData, message));
                }
            };
            entries.push(Entry { name, kind });
        }
        Ok(entries)
    }
}

/// One walk along a Unix path.
struct Walk {
    /// Where the walk is: a real path, no link in it.
    at: String,
    /// Components still to walk, the next one last.
    ahead: Vec<String>,
    /// How many of `at`'s last components do not exist.
    missing: usize,
    /// Links followed so far.
    links: usize,
}

impl Walk {
    fn new(path: &str) -> io::Result<Self> {
        if !path.starts_with('/') || path.contains('\0') {
            return Err(io::Error::new(ErrorKind::InvalidInput, format!("`{path}` is not an absolute path")));
        }
        let mut walk = Self { at: "/".to_owned(), ahead: Vec::new(), missing: 0, links: 0 };
        walk.push(path);
        Ok(walk)
    }

    /// Puts the components of `path` in front of those ahead. A trailing slash is a `.`: what stands
    /// before it must be a directory.
    fn push(&mut self, path: &str) {
        let components = path.split('/').filter(|component| !component.is_empty());
        let slash = path.ends_with('/').then_some(".");
        let first = self.ahead.len();
        self.ahead.extend(components.chain(slash).map(str::to_owned));
        if let Some(new) = self.ahead.get_mut(first..) {
            new.reverse();
        }
    }

    fn run(mut self) -> io::Result<String> {
        while let Some(component) = self.ahead.pop() {
            match component.as_str() {
                "." => self.require_directory()?,
                ".." => {
                    self.require_directory()?;
                    if self.at == "/proc/thread-self" {
                        return Err(depends(&self.at));
                    }
                    self.missing = self.missing.saturating_sub(1);
                    self.at = parent(&self.at).unwrap_or("/").to_owned();
                }
                name => self.enter(name)?,
            }
        }
        Ok(self.at)
    }

    /// `file/..` and `file/.` are errors to the kernel; what does not exist yet could become a directory.
    fn require_directory(&self) -> io::Result<()> {
        let kept = || PROCESS_LINKS.contains(&self.at.as_str());
        if self.missing > 0 || self.at == "/" || kept() || fs::symlink_metadata(&self.at)?.is_dir() {
            return Ok(());
        }
        Err(io::Error::new(ErrorKind::NotADirectory, format!("`{}` is not a directory", self.at)))
    }

    /// One step down, through a link if there is one.
    fn enter(&mut self, name: &str) -> io::Result<()> {
        let mut next = self.at.clone();
        if !next.ends_with('/') {
            next.push('/');
        }
        next.push_str(name);
        if self.missing > 0 {
            self.missing += 1;
            self.at = next;
            return Ok(());
        }
        match fs::symlink_metadata(&next) {
            Ok(metadata) if metadata.is_symlink() && !PROCESS_LINKS.contains(&next.as_str()) => {
                self.follow(&next)
            }
            Ok(_) => {
                self.at = next;
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.missing = 1;
                self.at = next;
                Ok(())
            }
            Err(error) => Err(io::Error::new(self.said(&error, name), format!("`{next}`: {error}"))),
        }
    }

    /// What an error about `name`, looked for where the walk is, says of it to everybody.
    fn said(&self, error: &io::Error, name: &str) -> ErrorKind {
        match error.kind() {
            ErrorKind::InvalidFilename if name.len() > MAX_NAME => ErrorKind::NotFound,
            // What this user may open to himself, what a system call filter or a mounted file system keeps from him,
            // and what is there only for some processes may be open to a program that he runs.
            ErrorKind::PermissionDenied if !is_closed(&self.at) => ErrorKind::Other,
            kind => kind,
        }
    }

    fn follow(&mut self, link: &str) -> io::Result<()> {
        let refuse = |kind, what: &str| Err(io::Error::new(kind, format!("`{link}` {what}")));
        if is_within(link, "/proc") && link != "/proc/mounts" && link != "/proc/net" {
            return Err(depends(link));
        }
        self.links += 1;
        if self.links > MAX_LINKS {
            return refuse(ErrorKind::InvalidInput, "is one of too many links");
        }
        let target = fs::read_link(link).map_err(|error| io::Error::other(format!("`{link}`: {error}")))?;
        let Some(target) = target.to_str() else {
            return refuse(ErrorKind::InvalidData, "leads to a name that is not UTF-8");
        };
        if target.starts_with('/') {
            self.at.replace_range(.., "/");
        }
        self.push(target);
        Ok(())
    }
}

fn depends(link: &str) -> io::Error {
    io::Error::new(ErrorKind::Unsupported, format!("`{link}` depends on the process that opens it"))
}

/// A mode does not tell.
#[cfg(not(unix))]
fn is_closed(_directory: &str) -> bool {
    false
}

/// Windows resolves `..` as text before it looks; the rest is left to the system.
fn realpath_of_ancestor(path: &str) -> io::Result<String> {
    let path = crate::normalize(path);
    let mut existing = path.as_str();
    loop {
        match fs::canonicalize(Path::new(existing)) {
            Ok(real) => {
                let missing = crate::below(&path, existing).unwrap_or_default();
                return Ok(crate::join(&utf8(real)?, missing));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => match parent(existing) {
                Some(above) => existing = above,
                None => return Ok(path),
            },
            Err(error) => return Err(error),
        }
    }
}

fn utf8(path: PathBuf) -> io::Result<String> {
    let error = |path| io::Error::new(ErrorKind::InvalidData, format!("`{path:?}` is not UTF-8"));
    path.into_os_string().into_string().map_err(error)
}

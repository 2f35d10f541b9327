//! The three readings of one path that rules and guards look at.

use std::{borrow::Cow, io};

use crate::{Resolver, of_processes};

/// A path as written and as the kernel would find it; all absolute and normalised.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ThreePaths {
    /// `.`, `..` and `//` removed as text.
    pub lexical: String,
    /// The real path of the lexical one; equal to it without a resolver.
    pub real: String,
    /// The real path of the raw one (`link/..` followed as the kernel does); what a program opens.
    pub physical: String,
    /// Whether a resolver was asked and answered: without that, allow is for the lexical path alone.
    pub resolved: bool,
    /// It may lead anywhere: through a link that each process has for itself ([`crate::of_processes`]), or where a
    /// resolver was asked and failed although something may be there (too many links, a name that is not UTF-8, a
    /// directory that cannot be entered now). What restricts takes such a path for one that it may mean.
    pub unknown: bool,
    /// The way is closed to whoever runs as the resolver does ([`io::ErrorKind::PermissionDenied`]): such a program finds
    /// nothing there, and to one that runs as another user it may lead anywhere.
    pub closed: bool,
}

impl ThreePaths {
    /// The distinct readings.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let second = (self.real != self.lexical).then_some(self.real.as_str());
        let third =
            (self.physical != self.lexical && self.physical != self.real).then_some(self.physical.as_str());
        std::iter::once(self.lexical.as_str()).chain(second).chain(third)
    }
}

/// What a resolver's error says of the path.
///
/// - Nothing is there ([`io::ErrorKind::NotFound`], [`io::ErrorKind::NotADirectory`]): no program opens anything by
///   that name, and the file that one may make there is the one that is written.
/// - The way is closed ([`io::ErrorKind::PermissionDenied`]).
/// - Anything else: the resolver refused a link of single processes, followed too many (a program that follows links by
///   itself need not give up where the kernel does), could not read one, or the file system failed. A program may get
///   somewhere.
#[derive(Clone, Copy, Default)]
struct Lost {
    any: bool,
    closed: bool,
    unknown: bool,
}

impl Lost {
    fn note(&mut self, error: &io::Error) {
        self.any = true;
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {}
            io::ErrorKind::PermissionDenied => self.closed = true,
            _ => self.unknown = true,
        }
    }
}

/// Reads `path` (relative to `cwd`, `~` already expanded) in all three ways. A resolver that fails for one
/// of them leaves that one as written and `resolved` false; whether it may then lead anywhere is in `unknown`.
///
/// ```
/// let paths = portcullis_paths::three_paths("a/../b", "/work", None);
/// assert_eq!((paths.lexical.as_str(), paths.resolved, paths.unknown), ("/work/b", false, false));
/// assert!(portcullis_paths::three_paths("/proc/self/cwd/.env", "/work", None).unknown);
/// ```
#[must_use]
pub fn three_paths(path: &str, cwd: &str, resolver: Option<&dyn Resolver>) -> ThreePaths {
    let lexical = crate::join(cwd, path);
    let raw = if path.starts_with('/') { Cow::Borrowed(path) } else { Cow::Owned(format!("{cwd}/{path}")) };
    let mut lost = Lost { unknown: of_processes(&raw), ..Lost::default() };
    let Some(resolver) = resolver else {
        return ThreePaths {
            real: lexical.clone(),
            physical: lexical.clone(),
            lexical,
            resolved: false,
            unknown: lost.unknown,
            closed: false,
        };
    };
    let mut real_of = |path: &str| match resolver.realpath(path) {
        Ok(real) => {
            // A process that is not there yet has no links that could be refused.
            lost.unknown |= of_processes(&real) && !is_own_open_file(path);
            Some(real)
        }
        // What the process itself has opened was judged when it did.
        Err(_) if is_own_open_file(path) => {
            lost.any = true;
            None
        }
        Err(error) => {
            lost.note(&error);
            None
        }
    };
    let real = real_of(&lexical);
    // Only `..` makes a difference between the two, and on Windows not even that.
    let climbs = path.split('/').chain(cwd.split('/')).any(|component| component == "..");
    let physical = (climbs && !crate::is_windows(&lexical)).then(|| real_of(&raw));
    let real = real.unwrap_or_else(|| lexical.clone());
    let physical = match physical {
        None => real.clone(),
        Some(Some(physical)) => physical,
        Some(None) => lexical.clone(),
    };
    ThreePaths { lexical, real, physical, resolved: !lost.any, unknown: lost.unknown, closed: lost.closed }
}

/// `/dev/stdin`, `/dev/fd/3`, as they are written: not a link to one, which may have been made for another process.
fn is_own_open_file(path: &str) -> bool {
    matches!(path, "/dev/stdin" | "/dev/stdout" | "/dev/stderr")
        || path
            .strip_prefix("/dev/fd/")
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

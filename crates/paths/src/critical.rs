//! Directories whose removal is never routine.

use crate::{is_within_ignoring_case, parent, same_ignoring_case, windows::is_windows};

/// Why removing or overwriting a path is critical.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Critical {
    /// `/`, or the root of a drive or share.
    Root,
    /// A direct child of a root, such as `/etc`.
    TopLevel,
    /// The home directory, or one that holds it.
    Home,
    /// The project root, or a directory that holds it.
    Project,
}

impl Critical {
    /// What it is, as part of a sentence.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Root => "the root of a file system",
            Self::TopLevel => "a top-level directory",
            Self::Home => "the home directory",
            Self::Project => "the project root or a directory above it",
        }
    }
}

/// Whether removing or overwriting an absolute, normalised path is critical, and why.
///
/// ```
/// use portcullis_paths::{Critical, critical};
///
/// let of = |path| critical(path, Some("/home/u"), "/home/u/work/proj");
/// assert_eq!(of("/"), Some(Critical::Root));
/// assert_eq!(of("/etc"), Some(Critical::TopLevel));
/// assert_eq!(of("/home/u/work"), Some(Critical::Project));
/// assert_eq!(of("/home/u/work/proj/target"), None);
/// ```
#[must_use]
pub fn critical(path: &str, home: Option<&str>, project_root: &str) -> Option<Critical> {
    let Some(above) = parent(path) else { return Some(Critical::Root) };
    if parent(above).is_none() {
        return Some(Critical::TopLevel);
    }
    let holds = |inner: &str| {
        if is_windows(path) {
            is_within_ignoring_case(inner, path)
        } else {
            crate::is_within(inner, path) || same_ignoring_case(inner, path)
        }
    };
    if home.is_some_and(holds) {
        return Some(Critical::Home);
    }
    holds(project_root).then_some(Critical::Project)
}

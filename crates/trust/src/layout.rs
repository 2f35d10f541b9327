//! Where hosts keep what they trust.

use std::path::{Path, PathBuf};

/// The files of a store.
///
/// ```
/// use std::path::Path;
/// use portcullis_trust::StoreLayout;
///
/// let layout = StoreLayout::letta(Path::new("/home/u"));
/// assert_eq!(layout.trust, Path::new("/home/u/.letta/trust.json"));
/// assert_eq!(layout.saved, Path::new("/home/u/.letta/saved.json"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreLayout {
    /// Directory -> decision.
    pub trust: PathBuf,
    /// Settings file -> hash of what was saved to it last; beside the other, under the same lock.
    pub saved: PathBuf,
}

impl StoreLayout {
    /// Both files in one folder.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self { trust: folder.join("trust.json"), saved: folder.join("saved.json") }
    }

    /// `~/.letta`
    #[must_use]
    pub fn letta(home: &Path) -> Self {
        Self::in_folder(&home.join(".letta"))
    }

    /// `~/.ink`
    #[must_use]
    pub fn ink(home: &Path) -> Self {
        Self::in_folder(&home.join(".ink"))
    }

    /// `~/.config/portcullis`: every other host.
    #[must_use]
    pub fn portcullis(home: &Path) -> Self {
        Self::in_folder(&home.join(".config/portcullis"))
    }
}

//! What became of each settings file, and how much it may say.

use std::path::{Path, PathBuf};

use portcullis_matcher::Scope;

use crate::{Judges, Layout, SettingsFile};

/// How much of a file has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Standing {
    /// The administrator's or the user's own: all of it.
    Own,
    /// Brought by a trusted project: all but `trust` and `log`.
    Trusted,
    /// Brought by a project that is not trusted: what only tightens.
    Held,
    /// In a folder below the project root: what only tightens, trusted or not.
    Nested,
}

/// What was found at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Status {
    /// Nothing is there.
    Absent,
    /// Read.
    Read,
    /// Read, but parts of it could not be understood.
    Faulty,
    /// Nothing of it could be read.
    Broken,
    /// Nothing of it could be read now; what it said before is in force.
    LastGood,
}

/// One settings file after loading.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct FileState {
    /// Absolute.
    pub path: PathBuf,
    /// The layer.
    pub scope: Scope,
    /// What was found.
    pub status: Status,
    /// How much of it has an effect; none when nothing was found.
    pub standing: Option<Standing>,
}

/// How much `bytes`, found at `file`, may say.
pub(crate) fn standing(layout: &Layout, file: &SettingsFile, bytes: &[u8], judges: &Judges<'_>) -> Standing {
    match file.scope {
        Scope::Project => {}
        Scope::Local => {
            let brought = judges.tracked.is_tracked(&file.path)
                || through_link(&layout.project_root, &file.path)
                || !judges.saved.is_saved(&file.path, bytes);
            if !brought {
                return Standing::Own;
            }
        }
        _ => return Standing::Own,
    }
    // In the home directory everything is the user's own installation.
    if is_home(layout) {
        return Standing::Own;
    }
    if judges.trust.trusted(&file.path, bytes) { Standing::Trusted } else { Standing::Held }
}

fn is_home(layout: &Layout) -> bool {
    let Some(home) = &layout.home else { return false };
    *home == layout.project_root
        || match (home.canonicalize(), layout.project_root.canonicalize()) {
            (Ok(home), Ok(root)) => home == root,
            _ => false,
        }
}

/// Whether a component of `path` below `root` is a symbolic link.
fn through_link(root: &Path, path: &Path) -> bool {
    path.ancestors()
        .take_while(|ancestor| *ancestor != root)
        .any(|ancestor| std::fs::symlink_metadata(ancestor).is_ok_and(|found| found.is_symlink()))
}

//! What only Unix can tell.

use std::{fs, os::unix::fs::MetadataExt as _, path::Path};

/// Whether two names are names of one file, links not followed (inode(7): device and number).
pub(crate) fn is_one_file(left: &Path, right: &Path) -> bool {
    let identity = |path| fs::symlink_metadata(path).map(|found| (found.dev(), found.ino())).ok();
    identity(left).is_some_and(|own| identity(right) == Some(own))
}

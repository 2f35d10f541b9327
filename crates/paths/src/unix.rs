//! What only Unix can tell.

use std::{fs, os::unix::fs::MetadataExt as _, path::Path};

/// Whether two names are names of one file, links not followed (inode(7): device and number).
pub(crate) fn is_one_file(left: &Path, right: &Path) -> bool {
    let identity = |path| fs::symlink_metadata(path).map(|found| (found.dev(), found.ino())).ok();
    identity(left).is_some_and(|own| identity(right) == Some(own))
}

/// Whether a directory that this user cannot enter is another's, and shut to him by its mode: he can neither enter it
/// nor change that. Its owner may enter it, so that it is not his own.
pub(crate) fn is_closed(directory: &str) -> bool {
    const SEARCHED_BY_OWNER: u32 = 0o100;
    const SEARCHED_BY_OTHERS: u32 = 0o001;
    let mode = |metadata: fs::Metadata| metadata.mode() & (SEARCHED_BY_OWNER | SEARCHED_BY_OTHERS);
    !crate::is_within(directory, "/proc")
        && fs::symlink_metadata(directory).is_ok_and(|found| mode(found) == SEARCHED_BY_OWNER)
}

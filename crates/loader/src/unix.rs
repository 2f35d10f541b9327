//! What only Unix can do.

use std::{
    fs::{DirBuilder, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::Path,
};

/// A pipe that took a file's place must not make its reader wait.
pub(crate) fn never_wait(options: &mut OpenOptions) {
    options.custom_flags(libc::O_NONBLOCK);
}

/// Creates a folder and its missing parents for this user alone.
pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// What a new file that everybody may read would get; the umask takes away from it.
pub(crate) fn as_umask_says() -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}

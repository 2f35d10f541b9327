//! What only Unix can do.

use std::{
    fs::{DirBuilder, Metadata, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::Path,
    time::{Duration, SystemTime},
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

/// Device, number and time of the last change of anything about the file (inode(7)).
pub(crate) fn identity(found: &Metadata) -> crate::read::Identity {
    let seconds = u64::try_from(found.ctime()).ok();
    let nanoseconds = u64::try_from(found.ctime_nsec()).unwrap_or(0);
    let changed = seconds.and_then(|seconds| {
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds))
    });
    crate::read::Identity { device: found.dev(), inode: found.ino(), changed }
}

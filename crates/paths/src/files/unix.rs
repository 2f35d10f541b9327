//! What only Unix can do with files.

use std::{
    fs::{DirBuilder, File, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::Path,
};

/// A pipe that took a file's place must not make its reader wait.
pub(super) fn never_wait(options: &mut OpenOptions) {
    options.custom_flags(libc::O_NONBLOCK);
}

/// A new file is for this user alone; a link in its place is not followed.
pub(super) fn for_this_user(options: &mut OpenOptions) {
    options.mode(0o600).custom_flags(libc::O_NOFOLLOW);
}

pub(super) fn is_still(held: &File, name: &Path) -> bool {
    match (held.metadata(), std::fs::symlink_metadata(name)) {
        (Ok(held), Ok(named)) => (held.dev(), held.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

/// Who else than this user, or root, could have written a file, or put another one in its folder.
pub(super) fn foreign(file: &std::fs::Metadata, folder: &std::fs::Metadata) -> Option<&'static str> {
    let own = nix::unistd::geteuid().as_raw();
    let owned = |found: &std::fs::Metadata| found.uid() == own || found.uid() == 0;
    let shared = |found: &std::fs::Metadata| {
        // Distributions give each user a group of the same number, and a umask that lets it write.
        let own_group = found.gid() == found.uid();
        found.mode() & 0o002 != 0 || (found.mode() & 0o020 != 0 && !own_group)
    };
    // In a sticky folder nobody replaces what belongs to others (unlink(2)).
    let sticky = folder.mode() & 0o1000 != 0;
    match () {
        () if !owned(file) => Some("belongs to another user"),
        () if shared(file) => Some("may be written by other users"),
        () if !owned(folder) => Some("lies in a folder of another user"),
        () if shared(folder) && !sticky => Some("lies in a folder that other users may write"),
        () => None,
    }
}

/// Gives a new file the owner and the group of the one that it replaces. Where only the group can be kept, that is; where
/// neither can, whoever saves becomes the owner, as with any editor that replaces files.
pub(super) fn keep_owner(file: &File, before: &std::fs::Metadata) -> io::Result<()> {
    let now = file.metadata()?;
    if (now.uid(), now.gid()) == (before.uid(), before.gid()) {
        return Ok(());
    }
    let all = std::os::unix::fs::fchown(file, Some(before.uid()), Some(before.gid()));
    let refused = |error: &io::Error| error.kind() == io::ErrorKind::PermissionDenied;
    match all {
        Err(error) if refused(&error) => match std::os::unix::fs::fchown(file, None, Some(before.gid())) {
            Err(error) if !refused(&error) => Err(error),
            _ => Ok(()),
        },
        other => other,
    }
}

/// Creates a folder and its missing parents for this user alone.
pub(super) fn create_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// What a new file that everybody may read would get; the umask takes away from it.
pub(super) fn as_umask_says() -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}

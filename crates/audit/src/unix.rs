//! What only Unix can do.

use std::{
    fs::{DirBuilder, File, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::Path,
};

/// A new file is for this user alone; a pipe in its place must not make anybody wait.
pub(crate) fn private(options: &mut OpenOptions) {
    options.mode(0o600).custom_flags(libc::O_NONBLOCK);
}

/// A pipe that nobody writes to must not make a reader wait.
pub(crate) fn never_wait(options: &mut OpenOptions) {
    options.custom_flags(libc::O_NONBLOCK);
}

/// Creates a folder and its missing parents for this user alone.
pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Whether `file` is what `path` leads to now.
pub(crate) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let here = file.metadata()?;
    match std::fs::metadata(path) {
        Ok(there) => Ok(here.dev() == there.dev() && here.ino() == there.ino()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Reads at an offset without moving anything.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

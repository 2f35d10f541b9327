//! Files of ours on disk: read within bounds, and replaced as a whole under a lock.
//!
//! For settings and stores that several processes change at once. Locks are advisory: they keep those waiting who
//! take them, and the system gives them back when their holder ends, however it does.

mod locked;
mod read;
#[cfg(unix)]
mod unix;
mod waiting;

use std::{fs::File, io, path::Path};

pub use locked::{LINKS, Locked, NewFile, create_folder, follow};
pub use read::{ReadError, is_absent, is_dangling, read, read_own};
pub use waiting::tell_of_waiting;

fn open_lock(name: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).append(true);
    #[cfg(unix)]
    unix::for_this_user(&mut options);
    options.open(name)
}

/// Whether the file that was opened is the one that has this name now.
#[cfg(unix)]
fn is_still(held: &File, name: &Path) -> bool {
    unix::is_still(held, name)
}

#[cfg(not(unix))]
fn is_still(_held: &File, name: &Path) -> bool {
    // An open file keeps its name there.
    name.exists()
}

//! What only Unix can do.

use std::{
    fs::Metadata,
    os::unix::fs::MetadataExt as _,
    time::{Duration, SystemTime},
};

/// Device, number and time of the last change of anything about the file (inode(7)).
pub(crate) fn identity(found: &Metadata) -> crate::read::Identity {
    let seconds = u64::try_from(found.ctime()).ok();
    let nanoseconds = u64::try_from(found.ctime_nsec()).unwrap_or(0);
    let changed = seconds.and_then(|seconds| {
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds))
    });
    crate::read::Identity { device: found.dev(), inode: found.ino(), changed }
}

//! The user of a sandbox when the tests run as root, whom no limit binds.

use std::sync::atomic::{AtomicU32, Ordering};

/// A user id that nothing else runs as, other sandboxes included: the kernel counts a user's processes across all
/// of them, so that a fork bomb in one would leave none for the rest (`RLIMIT_NPROC`, getrlimit(2)).
pub(crate) fn of_its_own() -> String {
    static SANDBOXES: AtomicU32 = AtomicU32::new(0);
    let number = SANDBOXES.fetch_add(1, Ordering::Relaxed) % 256;
    // Process ids stay below 2 to the 22nd: behind the ids that systems give out, and never 2 to the 32nd.
    let id = (1 << 24) + std::process::id() % (1 << 22) * 256 + number;
    id.to_string()
}

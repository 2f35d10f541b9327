//! Waiting for a lock, not for ever.

use std::{
    fs::{File, TryLockError},
    io,
    path::Path,
    sync::OnceLock,
    time::{Duration, Instant},
};

/// Between two attempts, at most.
const PAUSE: Duration = Duration::from_millis(16);

/// When somebody is told that a lock is waited for.
const TOLD: Duration = Duration::from_secs(3);

/// When it is given up. Saves take milliseconds; some dozens may wait for one another.
const LIMIT: Duration = Duration::from_secs(60);

static TELL: OnceLock<fn(&Path)> = OnceLock::new();

/// Sets who is told, for the whole process, when a lock could not be had for some seconds: of the file or folder that is
/// locked. The first call holds. Without one, nobody is.
pub fn tell_of_waiting(tell: fn(&Path)) {
    let _ = TELL.set(tell);
}

/// Takes the lock of `file`, which is `name` on disk.
pub(super) fn lock(file: &File, name: &Path) -> io::Result<()> {
    lock_within(file, name, LIMIT)
}

fn lock_within(file: &File, name: &Path, limit: Duration) -> io::Result<()> {
    let mut pause = Duration::from_millis(1);
    let begun = Instant::now();
    let mut told = false;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let waited = begun.elapsed();
        if waited >= limit {
            let message = format!(
                "the lock of `{}` has been held by another process for {} seconds (end that process: `lslocks` \
                 or `lsof` names it)",
                name.display(),
                limit.as_secs()
            );
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        if waited >= TOLD && !told {
            told = true;
            if let Some(tell) = TELL.get() {
                tell(name);
            }
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_nobody_gives_back_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let holder = File::create(&path).unwrap();
        holder.lock().unwrap();
        let other = File::open(&path).unwrap();
        let error = lock_within(&other, &path, Duration::from_millis(20)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(error.to_string().contains(&path.display().to_string()), "{error}");
        drop(holder);
        lock_within(&other, &path, Duration::ZERO).unwrap();
    }
}

//! Descriptors that this process was started with, by number.
#![allow(unsafe_code, reason = "turns a number from the command line into an owned descriptor")]

use std::{
    io,
    os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd},
};

/// A copy of a descriptor that the caller of this process opened and named by its number, such as
/// `--status-fd 3`, and wants written to. The copy is closed on exec, so that no child inherits it.
///
/// ```
/// assert!(portcullis_process::inherited(2).is_ok());
/// assert!(portcullis_process::inherited(-1).is_err());
/// use std::os::fd::AsRawFd as _;
/// let reading = std::fs::File::open("/dev/null")?;
/// assert!(portcullis_process::inherited(reading.as_raw_fd()).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// No such descriptor is open, or it cannot be written to.
pub fn inherited(number: RawFd) -> io::Result<OwnedFd> {
    // SAFETY: fcntl with F_DUPFD_CLOEXEC takes two integers and touches no memory of ours; a number that
    // is no open descriptor is EBADF.
    let copy = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 3) };
    if copy < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just made this descriptor for us, and nobody else knows it.
    let copy = unsafe { OwnedFd::from_raw_fd(copy) };
    // SAFETY: a plain system call on a descriptor that is open.
    let flags = unsafe { libc::fcntl(copy.as_raw_fd(), libc::F_GETFL) };
    if flags < 0 {
        return Err(io::Error::last_os_error());
    }
    if flags & libc::O_ACCMODE == libc::O_RDONLY {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is open for reading only"));
    }
    Ok(copy)
}

//! How children end. By the system call itself: typed interfaces have no name for a death by a real-time signal
//! (signal(7)), and make an error of it.
#![allow(unsafe_code, reason = "the end of a child is asked for by the system call itself")]

use std::io;

use nix::unistd::Pid;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Code(i32),
    Signal(i32),
}

/// What is known of the children now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// This one has ended.
    Ended(Pid, End),
    /// All live.
    Nothing,
    /// There are none.
    NoChildren,
}

/// Collects one child that has ended, without waiting.
pub(crate) fn next_end() -> io::Result<Next> {
    loop {
        let mut status = 0;
        // SAFETY: `status` outlives the call.
        let pid = unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) };
        if pid == 0 {
            return Ok(Next::Nothing);
        }
        if pid > 0 {
            let end = if libc::WIFSIGNALED(status) {
                End::Signal(libc::WTERMSIG(status))
            } else {
                End::Code(libc::WEXITSTATUS(status))
            };
            return Ok(Next::Ended(Pid::from_raw(pid), end));
        }
        let error = io::Error::last_os_error();
        match error.raw_os_error() {
            Some(libc::ECHILD) => return Ok(Next::NoChildren),
            Some(libc::EINTR) => {}
            _ => return Err(error),
        }
    }
}

//! What has become of a child. By the system call itself: typed interfaces have no name for a death by a
//! real-time signal (signal(7)), and make an error of an end that was collected and is gone.
#![allow(unsafe_code, reason = "the end of a child is asked for by the system call itself")]

use std::io;

use nix::unistd::Pid;

use crate::ExitState;

/// The state of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Running,
    Stopped,
    Ended(ExitState),
}

/// Looks at a child without waiting, and collects it when it has ended. Stops are told when asked for, once.
pub(crate) fn look(child: Pid, stops: bool) -> io::Result<Seen> {
    let flags = libc::WNOHANG | if stops { libc::WUNTRACED } else { 0 };
    loop {
        let mut status = 0;
        // SAFETY: `status` outlives the call.
        match unsafe { libc::waitpid(child.as_raw(), &raw mut status, flags) } {
            0 => return Ok(Seen::Running),
            found if found > 0 => return Ok(meaning(status)),
            _ => {}
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

fn meaning(status: i32) -> Seen {
    if libc::WIFEXITED(status) {
        Seen::Ended(ExitState::Code(libc::WEXITSTATUS(status)))
    } else if libc::WIFSIGNALED(status) {
        Seen::Ended(ExitState::Signal(libc::WTERMSIG(status)))
    } else if libc::WIFSTOPPED(status) {
        Seen::Stopped
    } else {
        Seen::Running
    }
}

//! The terminal while a child uses it.

use std::os::fd::{AsRawFd, BorrowedFd, RawFd};

use nix::{
    sys::signal::{SigSet, SigmaskHow, Signal, killpg, pthread_sigmask, raise},
    unistd::{Pid, getpgrp, isatty, tcgetpgrp, tcsetpgrp},
};

/// The caller's terminal, lent to a child and taken back when this value goes.
#[derive(Debug)]
pub(crate) struct Foreground<'a> {
    terminal: BorrowedFd<'a>,
    own: Pid,
}

impl<'a> Foreground<'a> {
    /// The terminal, when `input` is one and this process owns it.
    pub(crate) fn of(input: BorrowedFd<'a>) -> Option<Self> {
        let own = getpgrp();
        let usable = isatty(input).unwrap_or(false) && tcgetpgrp(input).is_ok_and(|group| group == own);
        usable.then_some(Self { terminal: input, own })
    }

    pub(crate) fn fd(&self) -> RawFd {
        self.terminal.as_raw_fd()
    }

    fn give(&self, group: Pid) {
        // From the background, tcsetpgrp raises SIGTTOU, which would stop us (tcsetpgrp(3)).
        let mut blocked = SigSet::empty();
        blocked.add(Signal::SIGTTOU);
        let mut old = SigSet::empty();
        let _ = pthread_sigmask(SigmaskHow::SIG_BLOCK, Some(&blocked), Some(&mut old));
        let _ = tcsetpgrp(self.terminal, group);
        let _ = pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&old), None);
    }

    /// The child was stopped (Ctrl-Z): stop as well, so that the caller's shell notices, and when it
    /// continues us, continue the child with the terminal.
    pub(crate) fn suspend(&self, child: Pid) {
        self.give(self.own);
        let _ = raise(Signal::SIGSTOP);
        self.give(child);
        let _ = killpg(child, Signal::SIGCONT);
    }
}

impl Drop for Foreground<'_> {
    fn drop(&mut self) {
        self.give(self.own);
    }
}

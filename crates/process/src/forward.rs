//! Signals that the caller receives while a child runs, passed to that child.
//!
//! A handler may do nothing but write: it puts the signal's number into the pipe of every run that wants
//! signals, and the run's own loop acts on it.
#![allow(unsafe_code, reason = "a signal handler is installed by hand")]

use std::{
    io::{self, PipeReader, PipeWriter, Read},
    os::fd::{AsFd, AsRawFd, BorrowedFd},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI32, Ordering},
    },
};

use nix::{
    fcntl::{FcntlArg, OFlag, fcntl},
    sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction},
};

const FORWARDED: [Signal; 4] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT];
const FREE: i32 = -1;

/// Write ends of the runs that want signals.
static SLOTS: [AtomicI32; 64] = [const { AtomicI32::new(FREE) }; 64];
/// The dispositions before the first run that wanted signals, and the number of such runs.
static INSTALLED: Mutex<(usize, Vec<(Signal, SigAction)>)> = Mutex::new((0, Vec::new()));

extern "C" fn on_signal(signal: i32) {
    let byte = signal.to_ne_bytes()[0];
    let byte = if cfg!(target_endian = "little") { byte } else { signal.to_be_bytes()[3] };
    // SAFETY: the error number is saved and restored around async-signal-safe `write(2)`; a slot's
    // descriptor is closed only after the slot was freed.
    unsafe {
        let errno = *libc::__errno_location();
        for slot in &SLOTS {
            let fd = slot.load(Ordering::Acquire);
            if fd != FREE {
                libc::write(fd, (&raw const byte).cast(), 1);
            }
        }
        *libc::__errno_location() = errno;
    }
}

/// While it lives, the caller's signals arrive here.
#[derive(Debug)]
pub(crate) struct Forwarder {
    reader: PipeReader,
    _writer: PipeWriter,
    slot: usize,
}

impl Forwarder {
    pub(crate) fn new() -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        for fd in [reader.as_fd(), writer.as_fd()] {
            fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        }
        let raw = writer.as_raw_fd();
        let slot = SLOTS
            .iter()
            .position(|slot| slot.compare_exchange(FREE, raw, Ordering::AcqRel, Ordering::Acquire).is_ok())
            .ok_or_else(|| io::Error::other("too many runs that want signals"))?;
        let this = Self { reader, _writer: writer, slot };
        let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
        if installed.0 == 0 {
            let action = SigAction::new(SigHandler::Handler(on_signal), SaFlags::SA_RESTART, SigSet::empty());
            for signal in FORWARDED {
                // SAFETY: `on_signal` only makes async-signal-safe calls.
                if let Ok(old) = unsafe { sigaction(signal, &action) } {
                    if matches!(old.handler(), SigHandler::SigIgn) {
                        // SAFETY: restores what was there: a caller under nohup stays under it.
                        let _ = unsafe { sigaction(signal, &old) };
                    } else {
                        installed.1.push((signal, old));
                    }
                }
            }
        }
        installed.0 += 1;
        drop(installed);
        Ok(this)
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }

    pub(crate) fn take(&mut self) -> Vec<Signal> {
        let mut bytes = [0; 64];
        let count = self.reader.read(&mut bytes).unwrap_or(0);
        bytes
            .get(..count)
            .unwrap_or_default()
            .iter()
            .filter_map(|byte| Signal::try_from(i32::from(*byte)).ok())
            .collect()
    }
}

impl Drop for Forwarder {
    fn drop(&mut self) {
        let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
        installed.0 = installed.0.saturating_sub(1);
        if installed.0 == 0 {
            for (signal, old) in installed.1.drain(..) {
                // SAFETY: restores the disposition that was found.
                let _ = unsafe { sigaction(signal, &old) };
            }
        }
        drop(installed);
        if let Some(slot) = SLOTS.get(self.slot) {
            slot.store(FREE, Ordering::Release);
        }
    }
}

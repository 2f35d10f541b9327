//! A child's streams on our side of the pipes: what is read, kept, shown and fed.

use std::{
    fs::File,
    io::{self, PipeReader, PipeWriter, Read, Write},
    os::fd::{AsFd, BorrowedFd, OwnedFd},
};

use nix::fcntl::{FcntlArg, OFlag, fcntl};

use crate::{Stream, control::Watch, tail::Tail};

/// A pipe takes at least this much when poll says that it is writable (pipe(7), `PIPE_BUF`).
const CHUNK: usize = 4096;
/// What an unprivileged process can make of a pipe (pipe(7), `/proc/sys/fs/pipe-max-size`).
const LARGEST: usize = 1024 * 1024;
/// Shown output that may wait for a slow reader before the child has to wait too.
const PENDING: usize = 64 * 1024;

pub(crate) fn nonblocking(fd: BorrowedFd<'_>) -> io::Result<()> {
    fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}

/// One output stream of the child.
#[derive(Debug)]
pub(crate) struct Outlet {
    pub(crate) stream: Stream,
    reader: Option<PipeReader>,
    tail: Tail,
    /// Our own stream, when output is shown.
    shown: Option<File>,
    pending: Vec<u8>,
}

impl Outlet {
    pub(crate) fn new(stream: Stream, keep: usize) -> Self {
        Self { stream, reader: None, tail: Tail::new(keep), shown: None, pending: Vec::new() }
    }

    /// Reads from `reader`; also shows it on `shown`, a copy of our own stream.
    pub(crate) fn open(&mut self, reader: PipeReader, shown: Option<OwnedFd>) -> io::Result<()> {
        nonblocking(reader.as_fd())?;
        self.reader = Some(reader);
        self.shown = shown.map(File::from);
        Ok(())
    }

    /// To be polled for input, unless a slow reader holds us up.
    pub(crate) fn readable(&self) -> Option<BorrowedFd<'_>> {
        self.reader.as_ref().filter(|_| self.pending.len() < PENDING).map(AsFd::as_fd)
    }

    /// To be polled for output.
    pub(crate) fn writable(&self) -> Option<BorrowedFd<'_>> {
        self.shown.as_ref().filter(|_| !self.pending.is_empty()).map(AsFd::as_fd)
    }

    pub(crate) fn is_open(&self) -> bool {
        self.reader.is_some()
    }

    pub(crate) fn close(&mut self) {
        self.reader = None;
    }

    /// Reads what the pipe holds at this moment, without waiting for more.
    pub(crate) fn drain(&mut self, watch: &mut Option<Watch<'_>>) {
        let Some(reader) = &self.reader else { return };
        let capacity = fcntl(reader, FcntlArg::F_GETPIPE_SZ).ok().and_then(|size| usize::try_from(size).ok());
        let mut left = capacity.unwrap_or(LARGEST);
        // Somebody may still be writing: no more is read than can have been there.
        while left > 0 {
            match self.read(watch) {
                0 => return,
                count => left = left.saturating_sub(count),
            }
        }
    }

    /// Reads a part of what there is; the number of bytes.
    pub(crate) fn read(&mut self, watch: &mut Option<Watch<'_>>) -> usize {
        let mut buffer = [0; 16 * 1024];
        let Some(reader) = &mut self.reader else { return 0 };
        match reader.read(&mut buffer) {
            Ok(0) => {
                self.reader = None;
                0
            }
            Ok(count) => {
                let chunk = buffer.get(..count).unwrap_or_default();
                if let Some(watch) = watch {
                    watch(self.stream, chunk);
                }
                self.tail.push(chunk);
                if self.shown.is_some() {
                    self.pending.extend_from_slice(chunk);
                }
                count
            }
            Err(error) => {
                if !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) {
                    self.reader = None;
                }
                0
            }
        }
    }

    /// Shows one chunk. When nobody reads our stream any more, the child shall learn of it as it would in a
    /// plain pipeline: its pipe is closed.
    pub(crate) fn show(&mut self) {
        let Some(shown) = &mut self.shown else { return };
        let chunk = self.pending.get(..CHUNK).unwrap_or(&self.pending);
        match shown.write(chunk) {
            Ok(count) => {
                self.pending.drain(..count.min(self.pending.len()));
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => {
                self.shown = None;
                self.pending.clear();
                self.reader = None;
            }
        }
    }

    /// The tail, and how many bytes were dropped before it.
    pub(crate) fn finish(self) -> (Vec<u8>, u64) {
        let dropped = self.tail.dropped();
        (self.tail.into_bytes(), dropped)
    }
}

/// The bytes that a child reads as its input.
#[derive(Debug)]
pub(crate) struct Inlet {
    writer: PipeWriter,
    bytes: Vec<u8>,
    written: usize,
}

impl Inlet {
    pub(crate) fn new(writer: PipeWriter, bytes: Vec<u8>) -> io::Result<Self> {
        nonblocking(writer.as_fd())?;
        Ok(Self { writer, bytes, written: 0 })
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.writer.as_fd()
    }

    /// Feeds what the pipe takes; false when there is nothing more to feed, or nobody reads.
    pub(crate) fn feed(&mut self) -> bool {
        let rest = self.bytes.get(self.written..).unwrap_or_default();
        if rest.is_empty() {
            return false;
        }
        match self.writer.write(rest) {
            Ok(count) => {
                self.written += count;
                self.written < self.bytes.len()
            }
            Err(error) => matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted),
        }
    }
}

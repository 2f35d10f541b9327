//! One run from spawn to exit.

use std::{collections::BTreeMap, ffi::OsString, os::fd::OwnedFd, path::PathBuf, time::Duration};

/// What to run and how.
#[derive(Debug)]
pub struct Command {
    /// Program (an absolute path) and arguments.
    pub argv: Vec<OsString>,
    /// The whole environment of the child.
    pub environment: BTreeMap<OsString, OsString>,
    /// Where it starts.
    pub directory: PathBuf,
    /// Its standard input.
    pub stdin: Stdin,
    /// Where its output goes.
    pub output: Stdio,
    /// How long it may run; then SIGTERM to all it started, and SIGKILL after a grace of two seconds.
    pub timeout: Option<Duration>,
    /// Bytes kept of each stream when captured: the tail.
    pub keep: usize,
    /// Descriptors that the child gets under these numbers, besides 0 to 2.
    pub descriptors: Vec<(OwnedFd, i32)>,
}

/// A child's standard input.
#[derive(Debug)]
#[non_exhaustive]
pub enum Stdin {
    /// `/dev/null`
    Closed,
    /// The caller's.
    Inherit,
    /// These bytes.
    Bytes(Vec<u8>),
}

/// Where a child's output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stdio {
    /// Collected, bounded.
    Capture,
    /// To the caller's own streams; standard error is also kept, bounded, when it is no terminal.
    Inherit,
    /// To the caller's own streams while both are collected, bounded.
    Tee,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExitState {
    /// An exit code.
    Code(i32),
    /// A signal.
    Signal(i32),
}

/// What a run left.
#[derive(Clone, Debug)]
pub struct Output {
    /// How it ended.
    pub state: ExitState,
    /// The tail of standard output.
    pub stdout: Vec<u8>,
    /// The tail of standard error.
    pub stderr: Vec<u8>,
    /// Bytes that were dropped before the tails.
    pub dropped: u64,
    /// The time-out ended it.
    pub timed_out: bool,
    /// From spawn to exit.
    pub duration: Duration,
}

/// A run that did not start, or was lost.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The program is not there: exit status 127.
    #[error("{0}: no such program")]
    NotFound(PathBuf),
    /// The program may not be executed: exit status 126.
    #[error("{0}: not executable")]
    NotExecutable(PathBuf),
    /// The directory is missing or cannot be entered.
    #[error("{path}: cannot be entered: {source}")]
    Directory {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Anything else that the operating system said.
    #[error("cannot {action}: {source}")]
    System {
        /// What was tried.
        action: &'static str,
        /// Why it failed.
        source: std::io::Error,
    },
}

//! What to run, and what a run left.

use std::{collections::BTreeMap, ffi::OsString, os::fd::OwnedFd, path::PathBuf, time::Duration};

use crate::{Control, RunError};

/// What to run and how.
///
/// ```
/// use portcullis_process::{Command, ExitState};
/// let mut command = Command::new(["/bin/sh", "-c", "echo hello; exit 3"], "/");
/// command.timeout = Some(std::time::Duration::from_secs(10));
/// let output = command.run()?;
/// assert_eq!(output.state, ExitState::Code(3));
/// assert_eq!(output.stdout, b"hello\n");
/// # Ok::<(), portcullis_process::RunError>(())
/// ```
#[derive(Debug)]
pub struct Command {
    /// Program and arguments. A program without a slash is looked up in the `PATH` of `environment`.
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
    /// Bytes kept of each stream: the tail.
    pub keep: usize,
    /// Descriptors that the child gets under these numbers, besides 0 to 2. Any numbers above 2 will do.
    pub descriptors: Vec<(OwnedFd, i32)>,
}

impl Command {
    /// A command with an empty environment, closed input, captured output, no time-out, and 1 MiB kept of
    /// each stream.
    #[must_use]
    pub fn new<S: Into<OsString>>(argv: impl IntoIterator<Item = S>, directory: impl Into<PathBuf>) -> Self {
        Self {
            argv: argv.into_iter().map(Into::into).collect(),
            environment: BTreeMap::new(),
            directory: directory.into(),
            stdin: Stdin::Closed,
            output: Stdio::Capture,
            timeout: None,
            keep: 1 << 20,
            descriptors: Vec::new(),
        }
    }

    /// Runs it to its end.
    ///
    /// # Errors
    /// [`RunError::NotFound`] and [`RunError::NotExecutable`] for the program, [`RunError::Directory`] for
    /// the directory, [`RunError::System`] for what the operating system refuses. A program that started has
    /// an [`Output`], however it ended.
    pub fn run(self) -> Result<Output, RunError> {
        self.run_with(Control::default())
    }

    /// Runs it to its end under `control`: watched output, cancellation, forwarded signals, preparations.
    ///
    /// # Errors
    /// As [`Command::run`].
    pub fn run_with(self, control: Control<'_>) -> Result<Output, RunError> {
        crate::supervise::run(self, control)
    }
}

/// A child's standard input.
#[derive(Debug)]
#[non_exhaustive]
pub enum Stdin {
    /// `/dev/null`
    Closed,
    /// The caller's.
    Inherit,
    /// These bytes, then the end.
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
    /// Standard output is the caller's own stream, terminal or not; standard error is passed on to the
    /// caller's own and kept, bounded, even when that is a terminal: for callers that have to read it.
    Watched,
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

impl ExitState {
    /// Exit code 0.
    #[must_use]
    pub fn success(self) -> bool {
        self == Self::Code(0)
    }

    /// What a shell puts into `$?`: the code, or 128 and the signal (bash manual, "Exit Status").
    #[must_use]
    pub fn shell_status(self) -> i32 {
        match self {
            Self::Code(code) => code,
            Self::Signal(signal) => signal.saturating_add(128),
        }
    }
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
    /// Bytes of both streams that were dropped before the tails.
    pub dropped: u64,
    /// The time-out ended it.
    pub timed_out: bool,
    /// A [`crate::Cancel`] ended it.
    pub cancelled: bool,
    /// From spawn to exit.
    pub duration: Duration,
}

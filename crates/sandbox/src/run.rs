//! What goes into a run and what comes out of it.

use std::{collections::BTreeMap, ffi::OsString, path::PathBuf, time::Duration};

use portcullis_process::{Cancel, ExitState, RunError, Stdin, Stdio, Watch};

use crate::{BackendName, Enforcement, Mode, PolicyError};

/// How to run.
#[derive(Debug)]
pub struct Options {
    /// Where.
    pub directory: PathBuf,
    /// The caller's environment, before the policy scrubs it.
    pub environment: BTreeMap<OsString, OsString>,
    /// Standard input.
    pub stdin: Stdin,
    /// Output.
    pub output: Stdio,
    /// How long.
    pub timeout: Option<Duration>,
    /// Bytes kept of each stream.
    pub keep: usize,
}

impl Options {
    /// Closed input, captured output, no time-out, 1 MiB kept of each stream.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>, environment: BTreeMap<OsString, OsString>) -> Self {
        Self {
            directory: directory.into(),
            environment,
            stdin: Stdin::Closed,
            output: Stdio::Capture,
            timeout: None,
            keep: 1 << 20,
        }
    }
}

/// How a run is steered from outside while it goes on.
#[derive(Default)]
pub struct Steering<'a> {
    /// Sees every byte of output that passes through this process.
    pub on_output: Option<Watch<'a>>,
    /// Ends the run.
    pub cancel: Option<&'a Cancel>,
    /// Signals that this process receives go to the command.
    pub forward_signals: bool,
}

/// Facts about one run, for the caller, the log and the status descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The mode it ran under.
    pub mode: Mode,
    /// None in danger-full-access.
    pub backend: Option<BackendName>,
    /// What was governed.
    pub enforcement: Enforcement,
    /// The sandbox worked and said no.
    pub denied: bool,
    /// The command never ran.
    pub launcher_failed: bool,
    /// What a failing launcher said, the message of the denial, or `possibly a signal` beside an exit code
    /// above 128 that bubblewrap passed on.
    pub detail: Option<String>,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Exit status or signal.
    pub state: ExitState,
    /// Tail of standard output.
    pub stdout: Vec<u8>,
    /// Tail of standard error.
    pub stderr: Vec<u8>,
    /// Bytes dropped before the tails.
    pub dropped: u64,
    /// The time-out ended it.
    pub timed_out: bool,
    /// It was cancelled.
    pub cancelled: bool,
    /// From spawn to exit.
    pub duration: Duration,
    /// How it was confined.
    pub facts: Facts,
}

/// A run that did not happen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunFailure {
    /// No back end can enforce the mode here.
    #[error(
        "no sandbox for mode {mode} on this machine: {reasons}; install bubblewrap (`apt-get install \
         bubblewrap`) or boot a kernel with Landlock; mode danger-full-access would run without one"
    )]
    Unavailable {
        /// The mode asked for.
        mode: Mode,
        /// Each back end's reason.
        reasons: String,
    },
    /// The program itself is hidden by the policy: exit status 126.
    #[error("`{}` is hidden from commands, so that it cannot be run", .0.display())]
    Hidden(PathBuf),
    /// The policy cannot be enforced as written.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The program is missing (127) or not executable (126), or the directory cannot be entered.
    #[error(transparent)]
    Start(#[from] RunError),
}

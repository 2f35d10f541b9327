//! Confined runs: the chain of back ends, and what a finished run says (specification 5.4, 5.7).

use std::{collections::BTreeMap, ffi::OsString, path::PathBuf, time::Duration};

use portcullis_process::{ExitState, Stdin, Stdio};

use crate::{BackendName, Enforcement, Mode, Policy, PolicyError};

/// Runs commands under policies.
#[derive(Debug)]
pub struct Sandbox {
    /// An executable that implements the launcher contract, and arguments in front of its own (the
    /// caller's own binary with a hidden subcommand).
    pub launcher: Vec<OsString>,
    /// Only this back end.
    pub pinned: Option<BackendName>,
}

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
    /// What a failing launcher said, or which path was denied.
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
    /// The time-out ended it.
    pub timed_out: bool,
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
    #[error("no sandbox for mode {mode:?} on this machine: {reasons}")]
    Unavailable {
        /// The mode asked for.
        mode: Mode,
        /// Each back end's reason, and what to do.
        reasons: String,
    },
    /// The policy cannot be enforced as written.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The program is missing (127) or not executable (126), or the directory cannot be entered.
    #[error(transparent)]
    Start(#[from] portcullis_process::RunError),
}

//! Arguments of the commands that run something.

use std::{ffi::OsString, path::PathBuf};

/// `run`
#[derive(Clone, Debug, Default, clap::Args)]
#[command(
    after_help = "The command is judged as the arguments it is, never as text: nothing in it is expanded. \
                        With -c, TEXT is judged and run by /bin/bash."
)]
pub(crate) struct RunArgs {
    /// How far the command may write; an explicit choice, which no verdict narrows
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) sandbox: Option<SandboxMode>,

    /// Network access of the confined command (default: the settings', else blocked)
    #[arg(long, value_enum, value_name = "NET")]
    pub(crate) net: Option<Network>,

    /// Seconds, fractions allowed, after which everything it started is ended
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) timeout: Option<std::time::Duration>,

    /// Only this back end
    #[arg(long, value_enum, value_name = "B")]
    pub(crate) backend: Option<Backend>,

    /// The log file (default: SESSION.jsonl below the state directory)
    #[arg(long, value_name = "PATH")]
    pub(crate) log: Option<PathBuf>,

    /// The session that this run belongs to
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,

    /// Write the outcome as one JSON object to this descriptor
    #[arg(long, value_name = "N")]
    pub(crate) status_fd: Option<i32>,

    /// A text for /bin/bash -c
    #[arg(
        short = 'c',
        long = "command",
        value_name = "TEXT",
        conflicts_with = "command",
        required_unless_present = "command"
    )]
    pub(crate) text: Option<String>,

    /// The program and its arguments
    #[arg(trailing_var_arg = true, value_name = "CMD", required_unless_present = "text", num_args = 1..)]
    pub(crate) command: Vec<OsString>,
}

/// `sandbox run`
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SandboxRunArgs {
    /// How far the command may write
    #[arg(long, value_enum, value_name = "MODE", default_value = "workspace-write")]
    pub(crate) sandbox: SandboxMode,

    /// Network access
    #[arg(long, value_enum, value_name = "NET", default_value = "blocked")]
    pub(crate) net: Network,

    /// Only this back end
    #[arg(long, value_enum, value_name = "B")]
    pub(crate) backend: Option<Backend>,

    /// Writable directories (default: the project root)
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,

    /// Seconds, fractions allowed, after which everything it started is ended
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) timeout: Option<std::time::Duration>,

    /// Write the outcome as one JSON object to this descriptor
    #[arg(long, value_name = "N")]
    pub(crate) status_fd: Option<i32>,

    /// The program and its arguments
    #[arg(trailing_var_arg = true, value_name = "CMD", required = true, num_args = 1..)]
    pub(crate) command: Vec<OsString>,
}

/// File access of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SandboxMode {
    /// No writes
    ReadOnly,
    /// Writes below the project root
    WorkspaceWrite,
    /// Nothing restricted but what is hidden
    DangerFullAccess,
}

impl From<SandboxMode> for portcullis_sandbox::Mode {
    fn from(mode: SandboxMode) -> Self {
        match mode {
            SandboxMode::ReadOnly => Self::ReadOnly,
            SandboxMode::WorkspaceWrite => Self::WorkspaceWrite,
            SandboxMode::DangerFullAccess => Self::DangerFullAccess,
        }
    }
}

/// Network access of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Network {
    /// As the host has it
    Open,
    /// No traffic leaves
    Blocked,
}

impl From<Network> for portcullis_sandbox::Network {
    fn from(network: Network) -> Self {
        match network {
            Network::Open => Self::Open,
            Network::Blocked => Self::Blocked,
        }
    }
}

/// A pinned back end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Backend {
    /// Namespaces and mounts
    Bwrap,
    /// Built in
    Landlock,
    /// macOS
    Seatbelt,
}

impl From<Backend> for portcullis_sandbox::BackendName {
    fn from(backend: Backend) -> Self {
        match backend {
            Backend::Bwrap => Self::Bwrap,
            Backend::Landlock => Self::Landlock,
            Backend::Seatbelt => Self::Seatbelt,
        }
    }
}

fn seconds(text: &str) -> Result<std::time::Duration, String> {
    text.parse::<f64>()
        .ok()
        .filter(|seconds| *seconds > 0.0)
        .and_then(|seconds| std::time::Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "write a positive number of seconds, such as 30 or 0.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::seconds;
    use std::time::Duration;

    #[test]
    fn seconds_are_positive_and_finite() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["", "0", "-1", "nan", "inf", "1e300", "1s"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}

//! The launcher: confines itself's child with Landlock and seccomp, runs the command in it, and stays to
//! collect everything that the command leaves behind.
//!
//! ```text
//! portcullis-landlock [--ro PATH]... [--rw PATH]... [--net open|blocked] [--scope signals,sockets]
//!                     [--status-fd N] [--allow-unix-sockets] [--limit NAME=V]... [--user UID:GID]
//!                     -- ARGV...
//! portcullis-landlock --probe
//! ```
//!
//! Without `--ro` and `--rw` files are not restricted. The command's exit status and signal pass through
//! unchanged, 125 included; the launcher's own failures exit 125 with a line on standard error that starts
//! with `portcullis-landlock: `. `--status-fd` gets a line `started` once the command runs, or
//! `exec-failed ERRNO`; the command itself never sees that descriptor.
//!
//! It is run early in a process of its own (the binary `portcullis-landlock`, or any binary that calls
//! [`main`] first thing): it forks, and must be the only thread.

mod arguments;
mod confine;
mod ended;
mod privileges;
mod rules;
mod supervise;

use std::{ffi::OsString, process::ExitCode};

pub(crate) use rules::{abi, scopes};

/// The exit status of the launcher's own failures.
pub(crate) const FAILED: u8 = 125;
/// What its messages start with.
pub(crate) const PREFIX: &str = "portcullis-landlock: ";

/// A failure of the launcher itself.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LauncherError {
    #[error("{0}; usage: portcullis-landlock [--ro PATH] [--rw PATH] [--net open|blocked] -- ARGV")]
    Usage(String),
    #[error("cannot open rule path `{path}`: {reason}")]
    RulePath { path: String, reason: String },
    #[error("ruleset error: {0}")]
    Ruleset(String),
    #[error("the kernel has no Landlock")]
    NoLandlock,
    #[error("cannot {action}: {source}")]
    System { action: &'static str, source: std::io::Error },
    #[error("exec failed: {program}: {source}")]
    Exec { program: String, source: std::io::Error },
}

impl LauncherError {
    pub(crate) fn system(action: &'static str, source: impl Into<std::io::Error>) -> Self {
        Self::System { action, source: source.into() }
    }
}

/// Does what the arguments (without the program's own name) say. Returns only after a failure of the launcher
/// itself, after `--probe`, and after a command that exited; a command that died of a signal takes this
/// process along by the same signal.
#[must_use]
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let result = arguments::parse(arguments).and_then(|request| match request {
        arguments::Request::Probe => probe(),
        arguments::Request::Run(plan) => run(&plan),
    });
    result.unwrap_or_else(|error| {
        eprintln!("{PREFIX}{error}");
        ExitCode::from(FAILED)
    })
}

fn run(plan: &arguments::Plan) -> Result<ExitCode, LauncherError> {
    let prepared = confine::prepare(plan)?;
    let abi = prepared.abi;
    if abi < 5 || (abi < 6 && plan.scopes) {
        eprintln!("{PREFIX}partial enforcement (Landlock ABI {abi})");
    }
    supervise::run(plan, prepared)
}

/// Really restricts a throw-away child.
fn probe() -> Result<ExitCode, LauncherError> {
    let plan = arguments::Plan::probe();
    let prepared = confine::prepare(&plan)?;
    let abi = prepared.abi;
    let code = supervise::run(&plan, prepared)?;
    if code != ExitCode::SUCCESS {
        return Err(LauncherError::Ruleset("a restricted child could not run".into()));
    }
    if abi >= 6 {
        println!("landlock: fully enforced");
    } else {
        let missing = [(3, "truncate"), (4, "tcp"), (5, "device-ioctls"), (6, "signals")];
        let gaps: Vec<&str> = missing.iter().filter(|(since, _)| abi < *since).map(|(_, gap)| *gap).collect();
        println!("landlock: partially enforced (ABI {abi}): {}", gaps.join(", "));
    }
    Ok(ExitCode::SUCCESS)
}

//! What a back end is, and what they all need to know of the run.

pub(crate) mod bwrap;
pub(crate) mod landlock;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    io::PipeReader,
    os::{fd::OwnedFd, unix::fs::MetadataExt},
    path::{Path, PathBuf},
};

use nix::unistd::{AccessFlags, access};
use portcullis_process::{Preparation, Terminate};

use crate::{BackendName, CanonicalPolicy, Enforcement, Mode, Network, UnixSockets};

/// The surroundings of one run.
#[derive(Debug)]
pub(crate) struct Site<'a> {
    /// The private temporary directory, real path.
    pub(crate) temporary: &'a Path,
    /// An empty file that nobody can read, real path.
    pub(crate) mask: &'a Path,
    /// For files to be hidden, what is bound over them in the place of `mask`.
    pub(crate) masks: &'a BTreeMap<String, PathBuf>,
    /// Where the command starts, real path.
    pub(crate) directory: &'a Path,
    /// The command may use the caller's terminal.
    pub(crate) terminal: bool,
    /// The user to become: the owner of the workspace, when we are root and it is not ours.
    pub(crate) user: Option<(u32, u32)>,
    /// Sockets and directories of daemons that could act for the command, real paths that exist.
    pub(crate) daemons: &'a [String],
    /// The Landlock ABI of the kernel, 0 without Landlock.
    pub(crate) abi: i32,
    /// How the launcher is started.
    pub(crate) launcher: &'a [OsString],
}

/// A command wrapped by a back end, ready to be spawned.
#[derive(Debug)]
pub(crate) struct Confined {
    pub(crate) argv: Vec<OsString>,
    pub(crate) descriptors: Vec<(OwnedFd, i32)>,
    pub(crate) preparations: Vec<Preparation>,
    pub(crate) terminate: Terminate,
    /// Where the back end tells what became of the command.
    pub(crate) status: PipeReader,
    /// What it will look for when it starts; should one of them go before that, the back end fails.
    pub(crate) needed: Vec<String>,
}

/// What a back end's status channel said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The command ran.
    Ran,
    /// The command never ran.
    NeverRan,
    /// The program was found, but the kernel would not execute it: this error number.
    ExecFailed(i32),
    /// There is no channel: judge by exit code and messages.
    None,
}

/// Whether and how far a back end can enforce a policy.
pub(crate) fn supports(
    backend: BackendName,
    policy: &CanonicalPolicy,
    abi: i32,
    limited: bool,
) -> Result<Enforcement, String> {
    let shape = Shape::of(policy, limited);
    match backend {
        BackendName::Bwrap => bwrap::supports(&shape, abi),
        BackendName::Landlock => landlock::supports(policy, &shape, abi),
        BackendName::Seatbelt => Err("only on macOS".to_owned()),
    }
}

/// The properties of a policy that decide what is a gap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) confined: bool,
    pub(crate) writable: bool,
    pub(crate) blocked: bool,
    pub(crate) protected: bool,
    pub(crate) hidden: bool,
    pub(crate) unix_sockets: UnixSockets,
    /// Something limits the number of processes.
    pub(crate) limited: bool,
}

impl Shape {
    fn of(policy: &CanonicalPolicy, limited: bool) -> Self {
        Self {
            confined: policy.mode != Mode::DangerFullAccess,
            writable: policy.writable_roots().next().is_some(),
            blocked: policy.network == Network::Blocked,
            protected: policy.protected_in_writable().next().is_some(),
            hidden: policy.hidden.iter().any(|path| could_be_read(path)),
            unix_sockets: policy.unix_sockets,
            limited,
        }
    }

    /// The command line's own policy: a workspace with protected and hidden paths, and no network.
    pub(crate) fn typical(limited: bool) -> Self {
        Self {
            confined: true,
            writable: true,
            blocked: true,
            protected: true,
            hidden: true,
            unix_sockets: UnixSockets::Guarded,
            limited,
        }
    }
}

/// Whether there is something to hide: ordinary permissions let this user read it, look into it, or give itself the
/// permission.
fn could_be_read(path: &str) -> bool {
    let Ok(found) = std::fs::metadata(path) else { return false };
    let may = |flags| access(path, flags).is_ok();
    may(AccessFlags::R_OK)
        || (found.is_dir() && may(AccessFlags::X_OK))
        || found.uid() == nix::unistd::geteuid().as_raw()
}

/// A file that only its owner or root could have put there, looked for in fixed places: never in the
/// working directory, never in `PATH`.
pub(crate) fn system_program(places: &[&str]) -> Option<PathBuf> {
    places.iter().map(Path::new).find(|place| place.is_file()).map(Path::to_path_buf)
}

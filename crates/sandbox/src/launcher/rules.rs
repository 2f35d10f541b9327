//! Landlock rule sets.
#![allow(
    unsafe_code,
    reason = "the kernel's ABI is asked for by a system call that the crate keeps to itself"
)]

use std::{io, os::fd::OwnedFd, path::Path};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, Scope, make_bitflags,
};

use super::{LauncherError, arguments::Plan};

/// The newest interface whose rights are asked for; what the kernel does not know is left out.
const NEWEST: ABI = ABI::V8;

/// What a shell writes to in every mode, and the random numbers that programs open for writing too.
const SINKS: [&str; 8] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
];

/// The kernel's Landlock ABI, 0 without Landlock (landlock_create_ruleset(2)).
pub(crate) fn abi() -> i32 {
    const LANDLOCK_CREATE_RULESET_VERSION: u32 = 1;
    // SAFETY: with a null pointer, size 0 and this flag the call only returns a number.
    let version = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<u8>(),
            0usize,
            LANDLOCK_CREATE_RULESET_VERSION,
        )
    };
    i32::try_from(version).unwrap_or(0).max(0)
}

/// A rule set that governs no files, only signals and abstract sockets; none on kernels without scopes.
pub(crate) fn scopes(abi: i32) -> io::Result<Option<OwnedFd>> {
    if abi < 6 {
        return Ok(None);
    }
    let created = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .scope(make_bitflags!(Scope::{AbstractUnixSocket | Signal}))
        .and_then(Ruleset::create)
        .map_err(io::Error::other)?;
    Ok(created.into())
}

/// The rule set of a run; none when nothing is restricted.
pub(crate) fn build(plan: &Plan) -> Result<Option<RulesetCreated>, LauncherError> {
    let failed = |error: landlock::RulesetError| LauncherError::Ruleset(error.to_string());
    let mut ruleset = Ruleset::default().set_compatibility(CompatLevel::BestEffort);
    let mut wanted = false;
    if plan.restricts_files() {
        ruleset = ruleset.handle_access(AccessFs::from_all(NEWEST)).map_err(failed)?;
        wanted = true;
    }
    if plan.blocked {
        // Handled and never granted: no TCP port can be bound or connected to.
        ruleset = ruleset.handle_access(AccessNet::from_all(NEWEST)).map_err(failed)?;
        wanted = true;
    }
    if plan.scopes {
        ruleset = ruleset.scope(Scope::from_all(NEWEST)).map_err(failed)?;
        wanted = true;
    }
    if !wanted {
        return Ok(None);
    }
    let mut created = ruleset.create().map_err(failed)?;
    if plan.restricts_files() {
        let read = AccessFs::from_read(NEWEST);
        for path in &plan.readable {
            created = grant(created, path, read)?;
        }
        for path in &plan.writable {
            created = grant(created, path, AccessFs::from_all(NEWEST))?;
        }
        let sink = make_bitflags!(AccessFs::{ReadFile | WriteFile | Truncate | IoctlDev | ReadDir});
        for path in SINKS.iter().map(Path::new).filter(|path| path.exists()) {
            created = grant(created, path, sink)?;
        }
    }
    Ok(Some(created))
}

fn grant(
    created: RulesetCreated,
    path: &Path,
    rights: BitFlags<AccessFs>,
) -> Result<RulesetCreated, LauncherError> {
    let bad_path = |reason: String| LauncherError::RulePath { path: path.display().to_string(), reason };
    let fd = PathFd::new(path).map_err(|error| bad_path(reason(&error)))?;
    let metadata = std::fs::metadata(path).map_err(|error| bad_path(error.to_string()))?;
    // A right of directories on a file would be an error of the rule.
    let rights = if metadata.is_dir() { rights } else { rights & AccessFs::from_file(NEWEST) };
    created.add_rule(PathBeneath::new(fd, rights)).map_err(|error| LauncherError::Ruleset(error.to_string()))
}

fn reason(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

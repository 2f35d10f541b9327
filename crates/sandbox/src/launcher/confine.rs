//! What the child does to itself before it executes the command.

use std::{ffi::CString, io, os::unix::ffi::OsStrExt};

use landlock::{RulesetCreated, RulesetStatus};
use seccompiler::BpfProgram;

use super::{LauncherError, arguments::Plan, privileges, rules};
use crate::seccomp;

/// Everything that can fail or allocate, done before the fork.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) abi: i32,
    ruleset: Option<RulesetCreated>,
    filter: BpfProgram,
    pub(crate) argv: Vec<CString>,
}

pub(crate) fn prepare(plan: &Plan) -> Result<Prepared, LauncherError> {
    let abi = rules::abi();
    if abi < 1 {
        return Err(LauncherError::NoLandlock);
    }
    let argv = plan
        .argv
        .iter()
        .map(|word| CString::new(word.as_bytes()))
        .collect::<Result<_, _>>()
        .map_err(|_| LauncherError::Usage("an argument contains a NUL byte".into()))?;
    let filter = seccomp::landlock(plan.network(), plan.unix_sockets)
        .map_err(|error| LauncherError::Ruleset(error.to_string()))?;
    Ok(Prepared { abi, ruleset: rules::build(plan)?, filter, argv })
}

/// Confines the calling process for ever.
pub(crate) fn apply(plan: &Plan, prepared: &mut Prepared) -> Result<(), LauncherError> {
    for (resource, value) in &plan.limits {
        privileges::limit(*resource, *value).map_err(|error| LauncherError::system("set a limit", error))?;
    }
    privileges::drop_all(plan.user).map_err(|error| LauncherError::system("drop privileges", error))?;
    if let Some(ruleset) = prepared.ruleset.take() {
        let status = ruleset.restrict_self().map_err(|error| LauncherError::Ruleset(error.to_string()))?;
        if status.ruleset == RulesetStatus::NotEnforced {
            return Err(LauncherError::NoLandlock);
        }
    }
    seccompiler::apply_filter(&prepared.filter)
        .map_err(|error| LauncherError::system("install a system call filter", io::Error::other(error)))
}

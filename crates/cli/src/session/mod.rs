//! What a decision needs, gathered once: surroundings, project root, settings, context and rules.

mod context;
mod process;
mod root;

use std::{path::PathBuf, sync::Arc};

use portcullis_matcher::RuleSet;
use portcullis_permissions::Context;

pub(crate) use process::Surroundings;

use crate::{
    args::Options,
    profile::{self, Profile},
    report::Report,
};

/// Why a session is opened: the two differ in what an unset `permissions.confinedAuto` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To judge; what is allowed is run by somebody else.
    Judge,
    /// To run under the sandbox here.
    Run,
}

/// A session: everything that decisions of one invocation have in common.
pub(crate) struct Session {
    /// The host's conventions.
    pub(crate) profile: Profile,
    /// Absolute; links resolved where it exists.
    pub(crate) project_root: String,
    /// Absolute; links resolved where it exists.
    pub(crate) cwd: String,
    /// The home directory.
    pub(crate) home: Option<String>,
    /// What decisions may know.
    pub(crate) context: Context,
    /// The rules in force.
    pub(crate) rules: Arc<RuleSet>,
}

impl Session {
    /// Finds the project, loads its settings and compiles its rules. What is wrong with the settings is
    /// printed to standard error, once.
    ///
    /// # Errors
    /// An unknown mode or profile, or a directory that cannot be used.
    pub(crate) fn open(
        options: &Options,
        surroundings: &Surroundings,
        purpose: Purpose,
    ) -> Result<Self, Report> {
        let profile = profile_of(options, surroundings)?;
        let home = home_of(options, surroundings);
        let cwd = start_directory(options, surroundings)?;
        let project_root = root::find(options, surroundings, &profile, &cwd)?;
        let (context, rules) =
            context::build(options, surroundings, &profile, purpose, &project_root, &cwd, home.as_deref())?;
        Ok(Self { profile, project_root, cwd, home, context, rules })
    }
}

/// `--profile`, else `PORTCULLIS_PROFILE`, else letta.
pub(crate) fn profile_of(options: &Options, surroundings: &Surroundings) -> Result<Profile, Report> {
    let name = options
        .profile
        .clone()
        .or_else(|| surroundings.variable("PORTCULLIS_PROFILE").map(ToOwned::to_owned))
        .unwrap_or_else(|| profile::DEFAULT.to_owned());
    Profile::named(&name)
}

/// `--home`, else `HOME`, when it is an absolute path.
pub(crate) fn home_of(options: &Options, surroundings: &Surroundings) -> Option<String> {
    let home = options.home.clone().or_else(|| surroundings.variable("HOME").map(PathBuf::from))?;
    let home = home.to_str()?;
    home.starts_with('/').then(|| portcullis_paths::normalize(home))
}

/// `--cwd`, else the process's own; absolute, links resolved where it exists.
///
/// # Errors
/// The process's own directory is gone or unreadable, or the path is not UTF-8.
pub(crate) fn start_directory(options: &Options, surroundings: &Surroundings) -> Result<String, Report> {
    match &options.cwd {
        Some(given) => root::absolute(given, surroundings, "--cwd"),
        None => root::real(surroundings.directory()?),
    }
}

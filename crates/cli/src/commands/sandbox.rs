//! `sandbox`

use crate::{
    args::{Options, SandboxCommand},
    report::{CommandResult, Report},
    session::Surroundings,
};

/// Runs one of its commands.
pub(crate) fn run(
    _options: &Options,
    _command: SandboxCommand,
    _surroundings: &Surroundings,
) -> CommandResult {
    Err(Report::failure("unavailable", "`sandbox` is not available in this build"))
}

//! `log`

use crate::{
    args::{LogCommand, Options},
    report::{CommandResult, Report},
    session::Surroundings,
};

/// Runs one of its commands.
pub(crate) fn run(_options: &Options, _command: &LogCommand, _surroundings: &Surroundings) -> CommandResult {
    Err(Report::failure("unavailable", "`log` is not available in this build"))
}

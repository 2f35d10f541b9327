//! `run`

use crate::{
    args::{Options, RunArgs},
    report::{CommandResult, Report},
    session::Surroundings,
};

/// Decides, asks if needed, runs confined, records.
pub(crate) fn run(_options: &Options, _arguments: RunArgs, _surroundings: &Surroundings) -> CommandResult {
    Err(Report::failure("unavailable", "`run` is not available in this build"))
}

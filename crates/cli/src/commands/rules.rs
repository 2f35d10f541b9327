//! `rules`

use crate::{
    args::{Options, RulesCommand},
    report::{CommandResult, Report},
    session::Surroundings,
};

/// Runs one of its commands.
pub(crate) fn run(
    _options: &Options,
    _command: &RulesCommand,
    _surroundings: &Surroundings,
) -> CommandResult {
    Err(Report::failure("unavailable", "`rules` is not available in this build"))
}

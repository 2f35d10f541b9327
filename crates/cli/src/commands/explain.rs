//! `explain`

use crate::{
    args::{ExplainArgs, Options},
    report::{self, CommandResult, Report},
    session::Surroundings,
};

/// Answers with an error object until the command is there.
pub(crate) fn run(
    _options: &Options,
    _arguments: &ExplainArgs,
    _surroundings: &Surroundings,
) -> CommandResult {
    let failure = Report::failure("unavailable", "`explain` is not available in this build");
    report::print(&format!("{}\n", failure.json()))?;
    Err(failure)
}

//! `completions`: the shells' own formats, printed.

use crate::{args, args::CompletionsArgs, exit::Exit, report, report::CommandResult};

/// Prints completions for the shell.
pub(crate) fn run(arguments: &CompletionsArgs) -> CommandResult {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut args::command(), "portcullis", &mut text);
    report::print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Success)
}

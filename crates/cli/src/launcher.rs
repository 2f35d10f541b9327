//! The binary as its own launcher: `portcullis __landlock ...` is the small confined starter of crate
//! sandbox, so that a single file is all that has to be installed.

use std::process::ExitCode;

/// The hidden first argument. Not a clap subcommand: the launcher must not depend on a parser.
pub(crate) const SUBCOMMAND: &str = "__landlock";

/// Runs as the launcher when the first argument says so; nothing in an ordinary start.
pub(crate) fn intercept() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()?.as_os_str() != SUBCOMMAND {
        return None;
    }
    Some(portcullis_sandbox::launcher::main(arguments))
}

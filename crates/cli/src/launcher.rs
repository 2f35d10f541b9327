//! The binary as its own launcher: `portcullis __landlock ...` is the small confined starter of crate
//! sandbox, so that a single file is all that has to be installed.

use std::process::ExitCode;

/// The hidden first argument. Not a clap subcommand: the launcher must not depend on a parser.
pub(crate) const SUBCOMMAND: &str = "__landlock";

/// Runs as the launcher when the first argument says so; returns only if that failed or if this is an
/// ordinary start.
pub(crate) fn intercept() -> Option<ExitCode> {
    None
}

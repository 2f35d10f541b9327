//! What was typed. The meaning is worked out in `session` and the commands.

mod names;
mod options;
mod run;
mod subcommands;

use std::{ffi::OsString, io::Write as _};

use clap::{
    CommandFactory as _, Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};

pub(crate) use names::{MODES, PROFILES, instead};
pub(crate) use options::{Format, Options};
pub(crate) use run::{RunArgs, SandboxMode, SandboxRunArgs};
pub(crate) use subcommands::{
    CallArgs, CheckArgs, Command, CompletionsArgs, ConfinedArgs, DiffArgs, EditArgs, EngineName, ExplainArgs,
    HostArgs, LintArgs, ListName, LogCommand, LogShowArgs, RulesCommand, SandboxCommand, ScopeName,
    ShellCommand, ShellTextArgs, TrustArgs, TrustCommand,
};

use crate::{exit::Exit, report};

/// Decides what a coding agent may run, confines what it runs, asks when it must, and records it.
#[derive(Debug, Parser)]
#[command(
    name = "portcullis",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = false,
    after_help = "Exit statuses: 0 done or allow, 1 ask, 2 deny (check, rules test; shell confined 0 or 1; rules lint 1 findings, 2 could not run; rules diff 1 changes; rules remove 1 no such rule; trust forget 1 nothing to forget; doctor 1 problems); of `run`: the command's own, \
                  124 time-out, 125 Portcullis failed (usage errors too), 126 denied, unanswered or not \
                  executable, 127 not found, 128+N ended by signal N; 141 the reader of the answer went away."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) options: Options,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Reads the arguments. Help and version are printed and end with success; everything that cannot be
/// read ends with 125 (`rules lint`: 2), because 1 and 2 are answers here.
///
/// # Errors
/// The exit status, when there is nothing left to do.
pub(crate) fn parse(arguments: Vec<OsString>) -> Result<Cli, Exit> {
    let linting = arguments.windows(2).any(|pair| pair == ["rules", "lint"]);
    Cli::try_parse_from(arguments).map_err(|error| {
        if !matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
            // To standard error; where nobody reads that, the status says enough.
            let _ = error.print();
            if let Some(word) = loose_word(&error) {
                report::note(&format!(
                    "a command is one text, or words behind `--`: put it in quotes, or `--` in front of it (`{word}` stands alone)"
                ));
            }
            // `rules lint` could not run.
            return if linting { Exit::Status(2) } else { Exit::Failure };
        }
        let printed = report::has_output().and_then(|()| {
            let all = error.print().and_then(|()| std::io::stdout().flush());
            all.map_err(|error| report::unwritable(&error))
        });
        match printed {
            Ok(()) => Exit::Success,
            Err(failure) => {
                if !failure.is_quiet() {
                    report::note(&failure.to_string());
                }
                failure.status()
            }
        }
    })
}

/// A word that is no option and that nothing takes: more often than not the second one of a command without quotes.
fn loose_word(error: &clap::Error) -> Option<&str> {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) if error.kind() == ErrorKind::UnknownArgument => {
            Some(word.as_str()).filter(|word| !word.starts_with('-'))
        }
        _ => None,
    }
}

/// The command tree, for completions.
pub(crate) fn command() -> clap::Command {
    Cli::command()
}

#[cfg(test)]
mod tests {
    use super::{Cli, Exit, parse};
    use std::ffi::OsString;

    use clap::CommandFactory as _;

    #[test]
    fn the_tree_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_usage_error_is_125_and_help_is_0() {
        assert_eq!(parse(vec!["portcullis".into(), "--no-such-flag".into()]).err(), Some(Exit::Failure));
        assert_eq!(parse(vec!["portcullis".into()]).err(), Some(Exit::Failure));
        let lint = ["portcullis", "rules", "lint", "--no-such-flag"].map(OsString::from);
        assert_eq!(parse(lint.into()).err(), Some(Exit::Status(2)));
        assert_eq!(parse(vec!["portcullis".into(), "--version".into()]).err(), Some(Exit::Success));
    }
}

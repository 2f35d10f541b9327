//! One module a command. Each takes what was typed and the surroundings, and hands back an exit status.

pub(crate) mod batch;
mod call;
mod check;
mod completions;
mod describe;
mod doctor;
mod explain;
mod journal;
mod json;
mod log;
mod rules;
mod run;
mod sandbox;
mod shell;
mod trace;
pub(crate) mod tripwire;
pub(crate) mod trust;

use crate::{
    args::{Cli, Command, Format},
    exit::Exit,
    report::{self, Report},
    session::Surroundings,
};

/// Runs the command. A failure is printed in words on standard error; standard output has answers alone.
pub(crate) fn dispatch(cli: Cli, surroundings: &Surroundings) -> Exit {
    let Cli { options, command } = cli;
    let result = match command {
        command if options.format == Some(Format::Html) && !matches!(command, Command::Explain(_)) => {
            drop(command);
            Err(Report::failure("usage", "only `explain` makes pages for a browser")
                .at("--format html")
                .remedy("give --format text or json"))
        }
        Command::Run(arguments) => run::run(&options, &arguments, surroundings),
        Command::Check(arguments) => check::run(&options, &arguments, surroundings),
        Command::Explain(arguments) => explain::run(&options, &arguments, surroundings),
        Command::Rules(command) => rules::run(&options, &command, surroundings),
        Command::Sandbox(command) => sandbox::run(&options, command, surroundings),
        Command::Shell(command) => shell::run(&options, &command, surroundings),
        Command::Trust(command) => trust::run(&options, &command, surroundings),
        Command::Log(command) => log::run(&options, &command, surroundings),
        Command::Doctor => doctor::run(&options, surroundings),
        Command::Completions(arguments) => completions::run(&arguments),
    };
    result.unwrap_or_else(|failure| {
        if !failure.is_quiet() {
            report::note(&failure.to_string());
        }
        failure.status()
    })
}

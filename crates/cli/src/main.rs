//! `portcullis`: decides what a coding agent may run, confines what it runs, asks when it must, and
//! records it. A thin composition: every decision is made in the library crates.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod exit;
mod launcher;
mod profile;
mod report;
mod session;

use std::process::ExitCode;

fn main() -> ExitCode {
    // Before anything else: the confined child must meet a process that has done nothing yet.
    if let Some(code) = launcher::intercept() {
        return code;
    }
    portcullis_paths::files::tell_of_waiting(report::waiting);
    let surroundings = session::Surroundings::of_process();
    let parsed = match args::parse(surroundings.arguments.clone()) {
        Ok(parsed) => parsed,
        Err(exit) => return exit.into(),
    };
    commands::dispatch(parsed, &surroundings).into()
}

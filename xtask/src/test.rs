//! `cargo xtask test`: everything, or some crates.

use crate::{
    command::{self, Arguments, Outcome, cargo},
    requirements,
};

fn run_tests(arguments: &Arguments) -> Outcome {
    let mut command = cargo();
    command.arg("test");
    arguments.select(&mut command);
    command.args(&arguments.words);
    if !arguments.passed_on.is_empty() {
        command.arg("--").args(&arguments.passed_on);
    }
    command::run(&mut command)
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let arguments = Arguments::parse(arguments)?;
    requirements::provide()?;
    run_tests(&arguments)
}

//! `cargo xtask test`: everything, or some crates.

use crate::{
    command::{self, Arguments, Outcome, cargo},
    requirements,
};

/// Where proptest starts.
const SEED: &str = "PROPTEST_RNG_SEED";

fn run_tests(arguments: &Arguments) -> Outcome {
    let mut command = cargo();
    command.arg("test");
    // Tests of what is only there with a feature are tests too.
    command.arg("--all-features");
    arguments.select(&mut command);
    command.args(&arguments.words);
    // The same properties are tried on every machine; `PROPTEST_RNG_SEED` of one's own looks elsewhere.
    if std::env::var_os(SEED).is_none() {
        command.env(SEED, "20");
    }
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

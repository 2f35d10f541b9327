//! The workspace's own tasks: `cargo xtask test`, `lint`, `bench`, `soak`.
//!
//! Plain standard library and `serde_json`, so that it builds in seconds in a fresh clone.
#![forbid(unsafe_code)]

mod bench;
mod command;
mod edges;
mod fuzz;
mod licences;
mod lint;
mod metadata;
mod requirements;
mod soak;
mod sources;
mod test;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask TASK

tasks:
  test [-p CRATE]... [-- ARGS]   every test of the workspace (or of some crates); ARGS go to the tests
  lint                           formatting, clippy, crate edges, licences, source rules, documentation
  bench [-p CRATE]... [FILTER]   benchmarks, then one table with ratios
  bench --table                  the table of the last run alone
  bench attention                which realistic commands are asked, which are not, and why
  soak [shell|fuzz|all] [...]    long searches for what the tests look for shortly; see `soak --help`

CRATE is a package name, with or without `portcullis-`.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((task, rest)) = arguments.split_first() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    // `soak` has options of its own to explain; what follows `--` is for the tests.
    let asks = rest.iter().take_while(|argument| *argument != "--").any(|one| one == "--help" || one == "-h");
    if asks && task != "soak" {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let result = match task.as_str() {
        "test" => test::run(rest),
        "lint" => lint::run(rest),
        "bench" => bench::run(rest),
        "soak" => soak::run(rest),
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        other => Err(format!("unknown task `{other}`\n\n{USAGE}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

//! `cargo xtask lint`: everything that a reviewer should not have to look for.

use crate::{
    command::{Outcome, cargo, run as run_command},
    edges, licences, metadata, sources,
};

pub(crate) fn run(arguments: &[String]) -> Outcome {
    if let Some(argument) = arguments.first() {
        return Err(format!("`lint` takes no arguments, got `{argument}`"));
    }
    run_command(cargo().args(["fmt", "--all", "--check"]))
        .map_err(|error| format!("{error}\nrun `cargo fmt --all`"))?;
    let fuzz = "fuzz/Cargo.toml";
    run_command(cargo().args(["fmt", "--manifest-path", fuzz, "--check"]))
        .map_err(|error| format!("{error}\nrun `cargo fmt --manifest-path {fuzz}`"))?;
    report("licences of the fuzz targets", &licences::violations(&metadata::packages_of(fuzz)?))?;
    let packages = metadata::packages()?;
    report("crate edges", &edges::violations(&packages))?;
    report("licences", &licences::violations(&packages))?;
    report("sources", &sources::violations())?;
    run_command(cargo().args([
        "clippy",
        "--workspace",
        "--all-features",
        "--all-targets",
        "--quiet",
        "--",
        "-D",
        "warnings",
    ]))?;
    run_command(cargo().env("RUSTDOCFLAGS", "-D warnings").args([
        "doc",
        "--workspace",
        "--all-features",
        "--no-deps",
        "--quiet",
    ]))?;
    eprintln!("lint: clean");
    Ok(())
}

fn report(what: &str, violations: &[String]) -> Outcome {
    if violations.is_empty() { Ok(()) } else { Err(format!("{what}:\n  {}", violations.join("\n  "))) }
}

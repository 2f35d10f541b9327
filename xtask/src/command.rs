//! Running other programs, and the arguments that tasks share.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// What a task returns: nothing, or one message that says what failed and what to do.
pub(crate) type Outcome = Result<(), String>;

/// The workspace's folder: the one above this package's.
pub(crate) fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}

/// The cargo that runs this task.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs `command` with its output shown.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let shown = show(command);
    eprintln!("+ {shown}");
    let status = command.status().map_err(|error| format!("cannot start `{shown}`: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{shown}` failed: {status}")) }
}

/// The command as it would be typed.
pub(crate) fn show(command: &Command) -> String {
    let program =
        Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let words = command.get_args().map(|word| word.to_string_lossy().into_owned());
    std::iter::once(program).chain(words).collect::<Vec<_>>().join(" ")
}

/// Whether `program` is in a folder of `PATH`.
pub(crate) fn on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Arguments split into `-p CRATE` (as package names), the words before `--`, and those behind it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Arguments {
    pub(crate) packages: Vec<String>,
    pub(crate) words: Vec<String>,
    pub(crate) passed_on: Vec<String>,
}

impl Arguments {
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut parsed = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--" => {
                    parsed.passed_on = rest.cloned().collect();
                    break;
                }
                "-p" | "--package" => {
                    let name = rest.next().ok_or("`-p` needs the name of a crate")?;
                    parsed.packages.push(package(name));
                }
                word => parsed.words.push(word.to_owned()),
            }
        }
        Ok(parsed)
    }

    /// `-p NAME` for each package, else `--workspace`.
    pub(crate) fn select(&self, command: &mut Command) {
        if self.packages.is_empty() {
            command.arg("--workspace");
        }
        for package in &self.packages {
            command.args(["-p", package]);
        }
    }
}

fn package(name: &str) -> String {
    if name == "xtask" || name.starts_with("portcullis-") {
        name.to_owned()
    } else {
        format!("portcullis-{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_get_their_prefix_and_the_rest_is_kept_apart() {
        let words = ["-p", "paths", "-p", "portcullis-cli", "filter", "--", "--nocapture"].map(str::to_owned);
        let parsed = Arguments::parse(&words).unwrap();
        assert_eq!(parsed.packages, ["portcullis-paths", "portcullis-cli"]);
        assert_eq!(parsed.words, ["filter"]);
        assert_eq!(parsed.passed_on, ["--nocapture"]);
        assert!(Arguments::parse(&["-p".to_owned()]).is_err());
    }
}

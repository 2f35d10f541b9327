//! `cargo xtask soak`: the searches that are too long for `cargo xtask test`.
//!
//! `shell` runs the tests of the shell analysis, optimised and with `PORTCULLIS_SOAK=1`, under which each
//! search goes through as many texts as its quality bar names. `fuzz` runs every fuzz target for a while.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    command::{self, Outcome, cargo},
    fuzz, requirements,
};

const USAGE: &str = "usage: cargo xtask soak [shell|fuzz|all] [OPTIONS]

  shell                 the tests of the shell analysis, optimised, with their long searches
  fuzz                  every fuzz target in `fuzz/`, each for a while (needs cargo-fuzz)
  all                   both (the default)

options:
  --test NAME           only this test file of the shell analysis (`oracle`, `soundness`, `grammar_bash`);
                        may be repeated
  --texts COUNT         texts of each long search, instead of the number that its bar names
  --seed NUMBER         another seed for the generators (default: a new one each run, printed)
  --target NAME         only this fuzz target; may be repeated
  --seconds COUNT       time for each fuzz target (default 300)
  --keep                write the smallest texts that reach everything to `fuzz/corpus`

The exit status is not zero when anything was found.";

/// The variable that makes the tests' searches long.
const SOAK: &str = "PORTCULLIS_SOAK";
/// How many texts each search goes through, if not as many as its bar names.
const TEXTS: &str = "PORTCULLIS_SOAK_TEXTS";
/// Where the generators of the searches begin.
const SEED: &str = "PORTCULLIS_SOAK_SEED";
/// Lines with this mark are figures for the summary.
const MARK: &str = "soak: ";

/// What was asked for.
#[derive(Debug, PartialEq)]
struct Request {
    shell: bool,
    fuzz: bool,
    tests: Vec<String>,
    targets: Vec<String>,
    texts: Option<u64>,
    seed: Option<u64>,
    seconds: u64,
    keep: bool,
}

impl Request {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut request = Self {
            shell: true,
            fuzz: true,
            tests: Vec::new(),
            targets: Vec::new(),
            texts: None,
            seed: None,
            seconds: 300,
            keep: false,
        };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or_else(|| format!("`{argument}` needs a value\n\n{USAGE}"));
            match argument.as_str() {
                "shell" => request.fuzz = false,
                "fuzz" => request.shell = false,
                "all" => (request.shell, request.fuzz) = (true, true),
                "--test" => request.tests.push(value()?.clone()),
                "--target" => request.targets.push(value()?.clone()),
                "--texts" => request.texts = Some(number(argument, value()?)?),
                "--seed" => request.seed = Some(number(argument, value()?)?),
                "--keep" => request.keep = true,
                "--seconds" => request.seconds = number(argument, value()?)?,
                other => return Err(format!("unknown argument `{other}`\n\n{USAGE}")),
            }
        }
        if !request.shell && !request.fuzz {
            return Err(format!("`shell` and `fuzz` together are `all`\n\n{USAGE}"));
        }
        Ok(request)
    }
}

fn number(option: &str, text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{option}` takes a number, got `{text}`"))
}

/// What one step found.
pub(crate) struct Step {
    name: String,
    time: Duration,
    passed: bool,
    /// Its lines with the mark.
    figures: Vec<String>,
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    if arguments.iter().any(|argument| matches!(argument.as_str(), "help" | "--help" | "-h")) {
        println!("{USAGE}");
        return Ok(());
    }
    let request = Request::parse(arguments)?;
    requirements::provide()?;
    let mut steps = Vec::new();
    if request.shell {
        steps.push(shell(&request)?);
    }
    if request.fuzz {
        let Request { targets, seconds, keep, .. } = &request;
        steps.extend(fuzz::run(&fuzz::Search { targets, seconds: *seconds, keep: *keep })?);
    }
    print!("{}", summary(&steps));
    let failed: Vec<&str> = steps.iter().filter(|step| !step.passed).map(|step| step.name.as_str()).collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("found something: {}", failed.join(", "))) }
}

fn shell(request: &Request) -> Result<Step, String> {
    let seed = request.seed.unwrap_or_else(new_seed);
    eprintln!("seed {seed}: repeat this search with `--seed {seed}`");
    let mut command = cargo();
    command.args(["test", "--profile", "soak", "-p", "portcullis-shell-analysis", "--no-fail-fast"]);
    if request.tests.is_empty() {
        command.arg("--tests");
    }
    for test in &request.tests {
        command.args(["--test", test]);
    }
    command.args(["--", "--nocapture"]);
    command.env(SOAK, "1").env(SEED, seed.to_string());
    if let Some(texts) = request.texts {
        command.env(TEXTS, texts.to_string());
    }
    watch("shell", &mut command)
}

fn new_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |time| time.as_secs())
}

/// Runs a step with its output shown, and keeps the lines with figures.
fn watch(name: &str, command: &mut Command) -> Result<Step, String> {
    let child = command.stdout(Stdio::piped());
    follow(name, child, |child| Some(Box::new(child.stdout.take()?)), figure)
}

/// The same for a program that tells its figures on standard error.
pub(crate) fn watch_errors(
    name: &str,
    command: &mut Command,
    figure: fn(&str) -> Option<String>,
) -> Result<Step, String> {
    let child = command.stderr(Stdio::piped());
    follow(name, child, |child| Some(Box::new(child.stderr.take()?)), figure)
}

fn follow(
    name: &str,
    command: &mut Command,
    output: fn(&mut Child) -> Option<Box<dyn Read>>,
    figure: fn(&str) -> Option<String>,
) -> Result<Step, String> {
    let start = Instant::now();
    eprintln!("+ {}", command::show(command));
    let mut child = command.spawn().map_err(|error| format!("cannot start {name}: {error}"))?;
    let mut figures = Vec::new();
    if let Some(output) = output(&mut child) {
        for line in BufReader::new(output).split(b'\n') {
            let line = line.map_err(|error| format!("cannot read what {name} prints: {error}"))?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            figures.extend(figure(&line));
        }
    }
    let status = child.wait().map_err(|error| format!("cannot wait for {name}: {error}"))?;
    Ok(Step { name: name.to_owned(), time: start.elapsed(), passed: status.success(), figures })
}

/// The text behind the mark: a test harness may have begun the line with the test's name.
fn figure(line: &str) -> Option<String> {
    line.split_once(MARK).map(|(_, text)| text.trim().to_owned())
}

fn summary(steps: &[Step]) -> String {
    let mut text = "\nsoak:\n".to_owned();
    for step in steps {
        let result = if step.passed { "nothing found" } else { "FOUND SOMETHING" };
        let seconds = step.time.as_secs();
        text.push_str(&format!("  {:<28} {result} in {}:{:02} min\n", step.name, seconds / 60, seconds % 60));
        for figure in &step.figures {
            text.push_str(&format!("    {figure}\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Request, String> {
        Request::parse(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn everything_is_run_unless_a_part_is_named() {
        let all = parse(&[]).unwrap();
        assert!(all.shell && all.fuzz && all.seconds == 300 && all.texts.is_none());
        let shell = parse(&["shell", "--texts", "500", "--test", "oracle", "--seed", "7"]).unwrap();
        assert!(shell.shell && !shell.fuzz);
        assert_eq!((shell.texts, shell.seed, shell.tests), (Some(500), Some(7), vec!["oracle".to_owned()]));
        let fuzz = parse(&["fuzz", "--seconds", "5", "--target", "parse", "--keep"]).unwrap();
        assert!(fuzz.keep && !all.keep);
        assert!(!fuzz.shell && fuzz.fuzz && fuzz.seconds == 5 && fuzz.targets == ["parse"]);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for words in [&["shell", "fuzz"][..], &["--texts"], &["--texts", "many"], &["grammar"]] {
            assert!(parse(words).is_err(), "{words:?}");
        }
    }

    #[test]
    fn figures_are_found_behind_the_name_of_a_test() {
        assert_eq!(figure("test nothing_hidden ... soak: 3 texts"), Some("3 texts".to_owned()));
        assert_eq!(figure("test nothing_hidden ... ok"), None);
        let step = Step {
            name: "shell".to_owned(),
            time: Duration::from_secs(125),
            passed: false,
            figures: vec!["3 texts".to_owned()],
        };
        let text = summary(&[step]);
        assert!(text.contains("FOUND SOMETHING in 2:05 min\n    3 texts\n"), "{text}");
    }
}

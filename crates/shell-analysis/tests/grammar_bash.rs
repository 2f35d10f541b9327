//! The real bash is the judge of what is accepted: `bash -n` reads each text and runs nothing.
//!
//! Accepting what bash refuses is a defect; refusing what bash accepts is only counted, and bounded. `bash
//! -n` does not look into backticks, arithmetic and `${...}`, and it lets the end of the text end a
//! here-document, so that part of the refusals is by design.
//!
//! `PORTCULLIS_BASH_TEXTS=20000` reads more generated texts, `PORTCULLIS_BASH_SEED` others, and
//! `PORTCULLIS_BASH_SHOW=1` prints the refusals.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use std::{
    collections::BTreeSet,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use portcullis_shell_analysis::{ErrorKind, parse};

mod corpus;
mod walk;

/// What bash says to a text.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Accepts,
    /// Only a warning: the end of the text ends a here-document. The parser refuses that.
    OpenHereDocument,
    Refuses,
}

fn bash(text: &str) -> Answer {
    let output = run_bash("--noprofile", text);
    let said = String::from_utf8_lossy(&output.stderr);
    // After an error in `[[ ]]` the exit status is that of success.
    let error = ["syntax error", "unexpected", "expected"].iter().any(|sign| said.contains(sign));
    match output.status.success() {
        true if !error && said.contains("here-document") => Answer::OpenHereDocument,
        true if !error => Answer::Accepts,
        _ => Answer::Refuses,
    }
}

/// The text as bash prints what it has read: without continuations, comments and other people's blanks.
fn printed(text: &str) -> Option<String> {
    let output = run_bash("--pretty-print", text);
    if !output.status.success() {
        return None;
    }
    String::from_utf8(output.stdout).ok()
}

/// `bash -n`, which reads and does not run.
fn run_bash(option: &str, text: &str) -> Output {
    let mut child = Command::new("timeout")
        .args(["10", "/bin/bash", "--norc", option, "-n"])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Bash may stop reading at an error.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    child.wait_with_output().unwrap()
}

#[derive(Default)]
struct Tally {
    both: usize,
    neither: usize,
    over_accepted: Vec<String>,
    over_refused: Vec<(String, ErrorKind, String)>,
}

impl Tally {
    fn compare(&mut self, text: &str) {
        match (parse(text), bash(text)) {
            // At `EOF)`, bash warns and goes on behind it.
            (Ok(_), Answer::Accepts | Answer::OpenHereDocument) => self.both += 1,
            (Err(_), Answer::Refuses | Answer::OpenHereDocument) => self.neither += 1,
            (Ok(_), Answer::Refuses) => self.over_accepted.push(text.to_owned()),
            (Err(error), Answer::Accepts) => {
                self.over_refused.push((text.to_owned(), error.kind, error.message));
            }
        }
    }

    /// The share of the texts that bash accepts and the parser refuses, in per mille.
    fn report(&self, what: &str) -> usize {
        let accepted = self.both + self.over_refused.len();
        let share = self.over_refused.len() * 1000 / accepted.max(1);
        println!(
            "{what}: both {}, neither {}, refused although bash accepts {} ({share} per mille)",
            self.both,
            self.neither,
            self.over_refused.len()
        );
        if std::env::var_os("PORTCULLIS_BASH_SHOW").is_some() {
            for (text, kind, message) in &self.over_refused {
                println!("  {kind:?} {message}: {text:?}");
            }
        }
        assert!(self.over_accepted.is_empty(), "{what}: bash refuses these: {:#?}", self.over_accepted);
        share
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Every command text in the conformance files.
fn conformance() -> BTreeSet<String> {
    fn collect(value: &serde_json::Value, texts: &mut BTreeSet<String>) {
        match value {
            serde_json::Value::Object(map) => {
                for (key, value) in map {
                    match value {
                        serde_json::Value::String(text)
                            if matches!(key.as_str(), "command" | "cmd" | "chars") =>
                        {
                            texts.insert(text.clone());
                        }
                        value => collect(value, texts),
                    }
                }
            }
            serde_json::Value::Array(values) => values.iter().for_each(|value| collect(value, texts)),
            _ => {}
        }
    }
    let mut texts = BTreeSet::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            for line in std::fs::read_to_string(path).unwrap().lines() {
                collect(&serde_json::from_str(line).unwrap(), &mut texts);
            }
        }
    }
    texts.retain(|text| !text.contains('\0'));
    texts
}

#[test]
fn recorded_commands_are_read_as_bash_reads_them() {
    let texts = conformance();
    assert!(texts.len() > 1000, "the conformance files hold commands");
    let step = if number("PORTCULLIS_BASH_TEXTS", 0) > 0 { 1 } else { 4 };
    let mut tally = Tally::default();
    for text in texts.iter().step_by(step) {
        tally.compare(text);
    }
    assert!(tally.report("recorded") < 10);
}

#[test]
fn written_texts_are_read_as_bash_reads_them() {
    let mut tally = Tally::default();
    for text in corpus::TEXTS {
        tally.compare(text);
    }
    assert!(tally.report("written") < 20);
}

#[test]
fn generated_texts_are_read_as_bash_reads_them() {
    let mut random = corpus::Random(number("PORTCULLIS_BASH_SEED", 5_215));
    let mut tally = Tally::default();
    for _ in 0..number("PORTCULLIS_BASH_TEXTS", 1000) {
        let text = random.text();
        tally.compare(&text);
    }
    assert!(tally.report("generated") < 200);
}

/// Bash's own rendering of what it has read holds the same programs.
#[test]
fn programs_are_those_that_bash_prints() {
    let mut random = corpus::Random(number("PORTCULLIS_BASH_SEED", 5_215) + 1);
    let generated: Vec<_> = (0..number("PORTCULLIS_BASH_TEXTS", 500)).map(|_| random.text()).collect();
    let (mut compared, mut unread) = (0, 0);
    let mut different = Vec::new();
    for text in corpus::TEXTS.iter().map(|&text| text.to_owned()).chain(generated) {
        let Ok(script) = parse(&text) else { continue };
        // A backslash at the very end is a matter of where the text comes from.
        if text.ends_with('\\') {
            continue;
        }
        let Some(printed) = printed(&text) else { continue };
        // Bash names what has no name, which is no program.
        let printed = printed.replace("coproc COPROC ", "coproc ");
        // How bash prints here-documents in substitutions and quotes of `$'` is not always readable again.
        let Ok(again) = parse(&printed) else {
            unread += 1;
            if std::env::var_os("PORTCULLIS_BASH_SHOW").is_some() {
                println!("  printed unreadably: {text:?}: {printed:?}");
            }
            continue;
        };
        let (mut ours, mut theirs) = (walk::programs(&script), walk::programs(&again));
        ours.sort_unstable();
        theirs.sort_unstable();
        compared += 1;
        if ours != theirs {
            different.push((text, printed, ours, theirs));
        }
    }
    println!("printed: compared {compared}, not readable again {unread}");
    assert!(different.is_empty(), "{different:#?}");
    assert!(compared > 200 && unread * 20 < compared, "compared {compared}, not readable again {unread}");
}

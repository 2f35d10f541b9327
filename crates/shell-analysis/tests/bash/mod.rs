//! The real bash as a judge of many texts at a time. It reads and runs nothing.
//!
//! One bash process takes many texts. For each it forks a subshell that evaluates `set -n` and, on the
//! lines behind it, the text: bash reads and executes a string one command after the other, so `-n` is in
//! force for the text. There is no program to be found (an empty `PATH`), and a time limit.
#![allow(dead_code, reason = "each test file uses its part")]

use std::{
    io::{Read, Write},
    process::{Command, Stdio},
    thread,
};

/// What bash says to a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It takes the text.
    Accepts,
    /// It takes the text and warns: the end of the text ends a here-document.
    Warns,
    /// It stumbles over the text.
    Refuses,
}

/// Reads one text after the other with `set -n`; what it says to each, and the status.
const CHECK: &str = r#"while IFS= read -r -d '' text; do
( eval "set -n"$'\n'"$text" ) </dev/null 2>&1
printf '\0%s\0' "$?"
done"#;

/// Has bash print each text as it understood it, without running anything (`--pretty-print`).
const REPRINT: &str = r#"while IFS= read -r -d '' text; do
/bin/bash --norc --noprofile --pretty-print -n 2>/dev/null <<<"$text"
printf '\0%s\0' "$?"
done"#;

/// Texts that one process is given.
const BATCH: usize = 400;

/// What bash says to each of the texts.
pub(crate) fn check(texts: &[String]) -> Vec<Answer> {
    let answers = batches(CHECK, texts);
    answers.into_iter().map(|(said, status)| answer(&said, status)).collect()
}

fn answer(said: &str, status: u32) -> Answer {
    match status {
        0 if said.contains("syntax error") => Answer::Refuses,
        0 if said.contains("here-document") => Answer::Warns,
        0 => Answer::Accepts,
        _ => Answer::Refuses,
    }
}

/// Each text as bash prints it; `None` where bash refuses it.
pub(crate) fn reprint(texts: &[String]) -> Vec<Option<String>> {
    // The here-string adds a newline.
    let texts: Vec<String> =
        texts.iter().map(|text| text.strip_suffix('\n').unwrap_or(text).to_owned()).collect();
    let printed = batches(REPRINT, &texts);
    printed.into_iter().map(|(text, status)| (status == 0).then_some(text)).collect()
}

/// Runs a driver over all texts, two processes at a time.
fn batches(driver: &str, texts: &[String]) -> Vec<(String, u32)> {
    let chunks: Vec<_> = texts.chunks(BATCH).collect();
    let half = chunks.len().div_ceil(2);
    let (left, right) = chunks.split_at(half);
    let run = |chunks: &[&[String]]| -> Vec<(String, u32)> {
        chunks.iter().flat_map(|chunk| batch(driver, chunk)).collect()
    };
    thread::scope(|scope| {
        let right = scope.spawn(|| run(right));
        let mut results = run(left);
        results.extend(right.join().unwrap());
        results
    })
}

fn batch(driver: &str, texts: &[String]) -> Vec<(String, u32)> {
    let mut child = Command::new("/usr/bin/timeout")
        .args(["120", "/bin/bash", "--norc", "--noprofile", "-c", driver])
        .env_clear()
        .env("PATH", "")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("/usr/bin/timeout (coreutils) and /bin/bash 5.2 are installed");
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut bytes = Vec::new();
    thread::scope(|scope| {
        scope.spawn(move || {
            for text in texts {
                assert!(!text.contains('\0'), "bash cannot be given a NUL");
                // A process that ended early is noticed by its missing answers.
                let _: Result<(), _> = stdin.write_all(text.as_bytes());
                let _: Result<(), _> = stdin.write_all(b"\0");
            }
        });
        stdout.read_to_end(&mut bytes).unwrap();
    });
    child.wait().unwrap();
    let mut fields = bytes.split(|byte| *byte == 0).map(|field| String::from_utf8_lossy(field).into_owned());
    let mut results = Vec::new();
    while let (Some(said), Some(status)) = (fields.next(), fields.next()) {
        results.push((said, status.parse().expect("a status")));
    }
    assert_eq!(results.len(), texts.len(), "bash stopped at {:?}", texts.get(results.len()));
    results
}

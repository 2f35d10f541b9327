//! Expansions that bash refuses when it comes to them end their line: what stands behind them is not relied on.
//!
//! Every `${...}` of a few pieces, and many longer ones, are given to bash in a line that sets a variable before and
//! behind. Where the analysis is sure of the variable, bash has set it so. There is nothing in the lines that could run.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

#[path = "pieced/mod.rs"]
mod pieced;

use std::{
    fmt::Write as _,
    io::Write as _,
    process::{Command, Stdio},
};

use portcullis_shell_analysis::{Invocation, Settings, analyze};

/// What is put together between the braces.
const PIECES: [&str; 30] = [
    "@", "*", "#", "!", "v", "$", "?", "-", "1", "0", ":", "/", "%", "^", "[", "]", "=", "+", " ", "~", ",",
    "Q", "'a'", "\"b\"", "_", "w[1]", "w[@]", "//", ":-", "9",
];
/// Texts of more than three pieces.
const LONGER: usize = 6_000;
const SOAK_LONGER: usize = 400_000;

fn expansions() -> Vec<String> {
    let mut all = pieced::short(&PIECES, 3);
    all.extend(pieced::longer(&PIECES, 4..=7, LONGER, SOAK_LONGER));
    all
}

/// A line that sets `x` to `a`, uses the expansion, and sets it to `b`; then what `x` is.
fn text(inside: &str) -> String {
    format!("v=abc w=(1 2); x=a; : ${{{inside}}}; x=b\nm $x")
}

/// The value that the analysis is sure of.
fn sure(text: &str) -> Option<String> {
    let roots = ["/repo".to_owned()];
    let analysis = analyze(text, &Settings::new("/repo", &roots));
    if analysis.error.is_some() || analysis.opaque.is_some() {
        return None;
    }
    let runs = |invocation: &&Invocation| {
        invocation.words.first().is_some_and(|word| word.value.known().is_none_or(|program| program == "m"))
    };
    let all: Vec<&Invocation> = analysis.invocations.iter().filter(runs).collect();
    let [only] = all.as_slice() else { return None };
    let value = only.words.get(1)?.value.known();
    value.map(str::to_owned).filter(|_| only.words.len() == 2)
}

/// What bash makes of each text: the words of `m`; `None` where it ends before that.
fn bash(texts: &[String]) -> Vec<Option<String>> {
    let mut all = Vec::with_capacity(texts.len());
    while all.len() < texts.len() {
        let from = all.len();
        all.extend(bash_from(&texts[from..(from + 2_000).min(texts.len())]));
    }
    all
}

/// The same for as many as it comes to before it ends.
fn bash_from(texts: &[String]) -> Vec<Option<String>> {
    let mut script = String::from("set -f\nm() { printf '%s\\1' \"$*\"; }\n");
    for (number, text) in texts.iter().enumerate() {
        // The variables of one must not be another's, and what one refuses must not end the others.
        writeln!(script, "unset v w x\nset --\n{text}\nprintf '{number}\\2'").unwrap();
    }
    let mut child = Command::new("/bin/bash")
        .args(["--norc", "--noprofile", "/dev/stdin"])
        .env_clear()
        .env("PATH", "/nonexistent")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("bash is installed");
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || drop(input.write_all(script.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let mut all = Vec::with_capacity(texts.len());
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in out.split_terminator('\u{2}') {
        let Some((words, number)) = part.rsplit_once('\u{1}') else { continue };
        let Ok(number) = number.parse::<usize>() else { continue };
        all.resize(number, None);
        all.push(Some(words.rsplit('\u{1}').next().unwrap_or_default().to_owned()));
    }
    // The next one has ended it.
    if all.len() < texts.len() {
        all.push(None);
    }
    all
}

#[test]
fn what_stands_behind_a_refused_expansion_is_not_relied_on() {
    let known: Vec<(String, String)> = expansions()
        .iter()
        .map(|inside| text(inside))
        .filter_map(|text| sure(&text).map(|value| (text, value)))
        .collect();
    let (texts, values): (Vec<String>, Vec<String>) = known.into_iter().unzip();
    let mut wrong = String::new();
    for ((text, value), real) in texts.iter().zip(&values).zip(bash(&texts)) {
        if real.as_ref().is_some_and(|real| real != value) {
            writeln!(wrong, "{text:?} is {real:?} and not {value:?}").unwrap();
        }
    }
    println!("soak: substitutions: {} lines of which the end is known", texts.len());
    assert!(wrong.is_empty(), "{} lines end otherwise\n{wrong}", wrong.lines().count());
    assert!(texts.len() > 500, "{} lines are known", texts.len());
}

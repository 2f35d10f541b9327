//! Brace expansion as bash does it: every word that can be written with a few pieces, and many longer ones.
//!
//! Where the analysis knows the words, they are bash's own; what it is not sure of it may leave unknown. The words
//! hold braces, commas, dots, letters and quotes only, so that there is nothing in them that could run; variables
//! are never set.
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

use portcullis_shell_analysis::{Analysis, Settings, Value, analyze};

/// Pieces of the words that are made one after the other, up to this many.
const PIECES: [&str; 5] = ["{", "}", ",", "a", ".."];
const LENGTH: u32 = 6;
/// Pieces of the longer ones.
const MORE: [&str; 16] =
    ["{", "}", "{", "}", ",", ",", "a", "{}", "..", "1", "3", "\"b\"", "','", "\\{", "$x", "${x}"];
/// Longer ones, of 4 to 12 pieces, in `cargo xtask test` and in the long search.
const LONGER: usize = 4_000;
const SOAK_LONGER: usize = 300_000;

/// All words of up to `LENGTH` pieces, and some of the longer ones.
fn words() -> Vec<String> {
    let mut words = pieced::short(&PIECES, LENGTH);
    words.extend(pieced::longer(&MORE, 4..=12, LONGER, SOAK_LONGER));
    // These are syntax, not words, at the start of a line or alone.
    words.retain(|word| word != "{" && word != "}");
    words
}

/// What bash makes of each.
fn bash(words: &[String]) -> Vec<Vec<String>> {
    let mut script = String::from("set -f\nm() { printf '%s\\1' \"$@\"; printf '\\2'; }\n");
    for word in words {
        writeln!(script, "m m {word}").unwrap();
    }
    let mut child = Command::new("/bin/bash")
        .args(["--norc", "--noprofile", "/dev/stdin"])
        .env_clear()
        .env("PATH", "/nonexistent")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("bash is installed");
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "bash takes all words");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.split_terminator('\u{2}').collect();
    assert_eq!(lines.len(), words.len(), "an answer for each word");
    lines.iter().map(|line| line.split_terminator('\u{1}').map(str::to_owned).collect()).collect()
}

/// The words that the analysis knows; `None` where it does not say.
fn known(analysis: &Analysis) -> Option<Vec<String>> {
    let [invocation] = analysis.invocations.as_slice() else { return None };
    if analysis.error.is_some()
        || analysis.opaque.is_some()
        || invocation.words.iter().any(|word| word.splits)
    {
        return None;
    }
    let words = invocation.words.iter().map(|word| match &word.value {
        Value::Known(text) => Some(text.to_string()),
        _ => None,
    });
    words.collect()
}

#[test]
fn braces_make_the_words_that_bash_makes() {
    let words = words();
    let roots = ["/repo".to_owned()];
    let settings = Settings::new("/repo", &roots);
    let (mut sure, mut expanded, mut wrong) = (0, 0, String::new());
    for (word, made) in words.iter().zip(bash(&words)) {
        let Some(ours) = known(&analyze(&format!("m {word}"), &settings)) else { continue };
        sure += 1;
        expanded += usize::from(ours.len() > 2);
        if ours != made {
            writeln!(wrong, "{word} is {made:?} and not {ours:?}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{} words are others\n{wrong}", wrong.lines().count());
    println!("soak: braces: {} words, {sure} known, {expanded} of them expanded", words.len());
    assert!(sure > 9_000 && expanded > 300, "{sure} of {} known, {expanded} expanded", words.len());
}

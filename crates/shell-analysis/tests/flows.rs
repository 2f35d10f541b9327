//! Nothing hidden in the order of things: texts of three statements of a small language, in and out of functions,
//! loops and branches.
//!
//! Bash runs them in the sandbox of the oracle. A small part of the texts is taken each time; `PORTCULLIS_SOAK` makes
//! it a search through many (`cargo xtask soak shell --test flows`).
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]
#![allow(dead_code, reason = "parts of the oracle are used")]

#[path = "oracle/corpus.rs"]
mod corpus;
#[path = "oracle/cover.rs"]
mod cover;
#[path = "flows/functions.rs"]
mod functions;
#[path = "oracle/hidden.rs"]
mod hidden;
#[path = "flows/launched.rs"]
mod launched;
#[path = "oracle/sandbox.rs"]
mod sandbox;
#[path = "oracle/trace.rs"]
mod trace;
#[path = "user/mod.rs"]
mod user;
#[path = "flows/values.rs"]
mod values;

use std::time::Instant;

use hidden::{Count, analysis_of, hidden_in, report};

/// Texts that are run of each language, in `cargo xtask test` and in the long search.
const TEXTS: usize = 120;
const SOAK_TEXTS: usize = 20_000;
/// Texts that are run together.
const BATCH: usize = 200;

/// The text with a number: the statements of a frame are its digits.
fn text(number: usize, frames: &[&str], statements: &[&str]) -> String {
    let mut rest = number / frames.len();
    let mut text = frames[number % frames.len()].to_owned();
    for place in ["§1", "§2", "§3"] {
        text = text.replace(place, statements[rest % statements.len()]);
        rest /= statements.len();
    }
    text
}

fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("`{name}` is a number")))
}

/// Texts all over the language, each once, in an order that a seed turns. Those of which the plan says that anything
/// may run cannot hide anything, and are not run.
fn search(language: &str, frames: &[&str], statements: &[&str]) {
    let soak = std::env::var_os("PORTCULLIS_SOAK").is_some();
    let wanted = match number("PORTCULLIS_SOAK_TEXTS") {
        Some(texts) if soak => texts,
        _ if soak => SOAK_TEXTS,
        _ => TEXTS,
    };
    let all = frames.len() * statements.len().pow(3);
    // A step without a factor in common with their number comes to each of them.
    let step = (all / 5 * 3..).find(|step| coprime(*step, all)).unwrap();
    let seed = number("PORTCULLIS_SOAK_SEED").filter(|_| soak).unwrap_or(1);
    let mut numbers = (0..all).map(|index| (index + seed * 7_919) % all * step % all);
    let (mut count, mut met, mut hidden) = (Count::default(), 0, Vec::new());
    let start = Instant::now();
    while count.texts < wanted && hidden.len() < 200 {
        let clear = |text: &String| {
            met += 1;
            analysis_of(text).opaque.is_none()
        };
        let texts = numbers.by_ref().map(|number| text(number, frames, statements)).filter(clear);
        let batch: Vec<String> = texts.take(BATCH.min(wanted - count.texts)).collect();
        if batch.is_empty() {
            break;
        }
        let (found, counted) = hidden_in(&batch);
        for case in &found {
            eprintln!("{}", report(std::slice::from_ref(case)).trim_end());
        }
        hidden.extend(found);
        count.add(counted);
    }
    println!(
        "soak: flows of {language}: {} of {met} texts run (of {all}), {} commands reported by stubs, {} by the trace, {} \
         runs ended by the clock, {} hidden, {:.0} s",
        count.texts,
        count.commands,
        count.traced,
        count.killed,
        hidden.len(),
        start.elapsed().as_secs_f64()
    );
    assert!(count.clear_commands > count.texts, "the stubs report");
    assert!(hidden.is_empty(), "{} texts hide a command\n{}", hidden.len(), report(&hidden));
}

fn coprime(mut left: usize, mut right: usize) -> bool {
    while right > 0 {
        (left, right) = (right, left % right);
    }
    left == 1
}

#[test]
fn functions_hide_nothing() {
    search("functions", functions::FRAMES, functions::STATEMENTS);
}

#[test]
fn launched_commands_hide_nothing() {
    let frames = launched::frames();
    let frames: Vec<&str> = frames.iter().map(String::as_str).collect();
    search("launched commands", &frames, launched::WORDS);
}

#[test]
fn values_hide_nothing() {
    search("values", values::FRAMES, values::STATEMENTS);
}

//! The plan: every program that a text can run is in it, whatever it is wrapped in, and working directories
//! and values are what bash would make them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod bounds;
mod commands;
mod directories;
mod meaning;
mod pieces;
mod words;

use portcullis_shell_analysis::{Analysis, Settings, Shell, analyze};

fn in_shell(text: &str, shell: Shell) -> Analysis {
    let roots = ["/repo".to_owned()];
    let settings = Settings { shell, home: Some("/home/u"), ..Settings::new("/repo", &roots) };
    analyze(text, &settings)
}

fn plan(text: &str) -> Analysis {
    in_shell(text, Shell::Bash)
}

/// Known words joined by blanks, `*` for a word that is not known.
fn argvs(analysis: &Analysis) -> Vec<String> {
    analysis
        .invocations
        .iter()
        .filter(|invocation| !invocation.words.is_empty())
        .map(|invocation| {
            let words: Vec<&str> =
                invocation.words.iter().map(|word| word.value.known().unwrap_or("*")).collect();
            words.join(" ")
        })
        .collect()
}

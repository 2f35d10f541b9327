//! The properties that the fuzz targets search with, tried on the texts that a search kept and on a seeded slice of
//! mutations of them. `cargo xtask soak fuzz` searches on.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

#[path = "../../../fuzz/properties/mutate.rs"]
mod mutate;
#[path = "../../../fuzz/properties/shell/mod.rs"]
mod properties;

/// Tries a property; says for which text it does not hold.
fn hold(target: &str, mutated: usize, property: fn(&str)) {
    let texts = mutate::kept(target);
    let mutations = mutate::mutations(&texts, 20, mutated);
    for text in texts.iter().chain(&mutations) {
        let outcome = std::panic::catch_unwind(|| property(text));
        assert!(outcome.is_ok(), "`{target}` does not hold for {text:?}");
    }
}

#[test]
fn parsing() {
    hold("parse", 3_000, properties::parse::check);
}

#[test]
fn planning() {
    hold("plan", 150, properties::plan::check);
}

#[test]
fn judging() {
    hold("judge", 100, properties::judge::check);
}

#[test]
fn words_and_texts() {
    hold("text", 3_000, properties::text::check);
}

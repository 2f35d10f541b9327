//! The properties that the fuzz target searches with, tried on the texts that a search kept and on a seeded slice of
//! mutations of them. `cargo xtask soak fuzz` searches on.
#![allow(clippy::panic, reason = "test code")]

#[path = "../../../fuzz/properties/mutate.rs"]
mod mutate;
#[path = "../../../fuzz/properties/matcher.rs"]
mod properties;

#[test]
fn rules_and_commands() {
    let texts = mutate::kept("matcher");
    let mutations = mutate::mutations(&texts, 20, 300);
    for text in texts.iter().chain(&mutations) {
        let outcome = std::panic::catch_unwind(|| properties::check(text));
        assert!(outcome.is_ok(), "it does not hold for {text:?}");
    }
}

#![no_main]

#[path = "../properties/matcher.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| properties::check(text));

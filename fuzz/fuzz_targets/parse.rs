#![no_main]

#[path = "../properties/shell/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| properties::parse::check(text));

//! Groups of programs: what each may do unasked, and every spelling of what it may not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

#[path = "programs_groups/machine.rs"]
mod machine;
#[path = "programs_groups/text.rs"]
mod text;

use portcullis_shell_analysis::{Analysis, Settings, analyze};

fn plan(text: &str) -> Analysis {
    let roots = ["/repo".to_owned()];
    analyze(text, &Settings { home: Some("/home/u"), ..Settings::new("/repo", &roots) })
}

/// A group of programs: what only reads, and what does not.
struct Group {
    name: &'static str,
    reads: &'static [&'static str],
    harms: &'static [&'static str],
}

fn groups() -> impl Iterator<Item = &'static Group> {
    machine::GROUPS.iter().chain(text::GROUPS)
}

#[test]
fn reading_is_seen() {
    let wrong: Vec<String> = groups()
        .flat_map(|group| group.reads.iter().map(move |text| (group.name, text)))
        .filter(|(_, text)| !plan(text).read_only())
        .map(|(name, text)| format!("{name}: {text}: {:?}", plan(text).blockers))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn harm_is_seen() {
    let wrong: Vec<String> = groups()
        .flat_map(|group| group.harms.iter().map(move |text| (group.name, text)))
        .filter(|(_, text)| plan(text).read_only())
        .map(|(name, text)| format!("{name}: {text}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

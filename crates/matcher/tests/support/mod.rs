//! The recorded cases, and how differences from them are counted by kind.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

/// One line of a data file.
pub struct Case {
    pub id: String,
    pub function: String,
    pub args: Value,
    pub expect: Value,
    pub right: Option<Value>,
    pub free: bool,
    pub deny_right: bool,
    pub context: Option<String>,
}

fn conformance() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../conformance")
}

/// The cases of `conformance/NAME`.
pub fn cases(name: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(conformance().join(name)).unwrap();
    text.lines()
        .map(|line| {
            let case: Value = serde_json::from_str(line).unwrap();
            let text = |key: &str| case[key].as_str().map(str::to_owned);
            Case {
                id: text("id").unwrap(),
                function: text("fn").unwrap(),
                args: case["args"].clone(),
                expect: case["expect"].clone(),
                right: case.get("right").cloned(),
                free: case["note"] == "free",
                deny_right: case["deny_right"] == true,
                context: text("context"),
            }
        })
        .collect()
}

/// The table of kinds and counts below the heading of a data file in `conformance/differences.md`.
pub fn documented(name: &str) -> BTreeMap<String, usize> {
    let text = std::fs::read_to_string(conformance().join("differences.md")).unwrap();
    let section = text.split("\n## ").find(|section| section.starts_with(name)).unwrap_or_default();
    section
        .lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            Some((cells.first()?.to_string(), cells.get(1)?.parse().ok()?))
        })
        .collect()
}

/// Answers that differ from the recorded ones.
#[derive(Default)]
pub struct Differences {
    kinds: BTreeMap<String, usize>,
    unknown: Vec<String>,
    wrong: Vec<String>,
    marked: usize,
    pub compared: usize,
}

impl Differences {
    /// Compares an answer with the recorded one. `kind` names why they may differ.
    pub fn check(&mut self, case: &Case, answer: &Value, kind: impl FnOnce() -> Option<&'static str>) {
        if let Some(right) = &case.right {
            self.marked += 1;
            if right != answer {
                self.wrong.push(format!("{} {} must be {right}, not {answer}", case.id, case.args));
            }
            return;
        }
        if case.free {
            return;
        }
        self.compared += 1;
        if case.expect == *answer {
            return;
        }
        match kind() {
            Some(kind) => *self.kinds.entry(kind.to_owned()).or_default() += 1,
            None => self.unknown.push(format!("{} {} recorded {}", case.id, case.args, case.expect)),
        }
    }

    /// Says that a case is wrong whatever was recorded.
    pub fn wrong(&mut self, message: String) {
        self.wrong.push(message);
    }

    /// Holds the counts to the documented ones.
    pub fn finish(self, name: &str) {
        assert!(self.wrong.is_empty(), "{} wrong:\n{}", self.wrong.len(), self.wrong.join("\n"));
        assert!(
            self.unknown.is_empty(),
            "{} without a kind:\n{}",
            self.unknown.len(),
            self.unknown.join("\n")
        );
        let differing: usize = self.kinds.values().sum();
        let same = self.compared - differing;
        println!(
            "{name}: {same} of {} unmarked cases the same ({})",
            self.compared,
            share(same, self.compared)
        );
        for (kind, cases) in &self.kinds {
            println!("  {cases:>3} {kind}: {}", prescribed(name, kind));
        }
        println!("  {} of {} marked cases right", self.marked, self.marked);
        assert_eq!(self.kinds, documented(name), "counts in conformance/differences.md, {name}");
        // The page gives the sum, and says of each kind which part of the specification wants it.
        let row = format!(
            "| {name} | {} | {same} | {} | {differing} | {} |",
            self.compared,
            share(same, self.compared),
            self.marked
        );
        let page = std::fs::read_to_string(conformance().join("differences.md")).unwrap();
        assert!(page.contains(&row), "conformance/differences.md has no row `{row}`");
        for kind in self.kinds.keys() {
            let part = prescribed(name, kind);
            assert!(part.split_once(' ').is_some_and(|(number, _)| number.contains('.')), "{kind}: {part}");
        }
    }
}

fn share(part: usize, of: usize) -> String {
    format!("{}.{} %", part * 100 / of, part * 1000 / of % 10)
}

/// The last column of the row of a kind.
fn prescribed(name: &str, kind: &str) -> String {
    let text = std::fs::read_to_string(conformance().join("differences.md")).unwrap();
    let section = text.split("\n## ").find(|section| section.starts_with(name)).unwrap_or_default();
    let row = section.lines().find(|line| line.starts_with(&format!("| {kind} |"))).unwrap_or_default();
    row.trim_matches(['|', ' ']).rsplit('|').next().unwrap_or_default().trim().to_owned()
}

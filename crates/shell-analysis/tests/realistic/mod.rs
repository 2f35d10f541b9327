//! Commands as agents write them: a list written by hand, and templates filled from lists of words.
#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::{BTreeMap, BTreeSet};

const WRITTEN: &str = include_str!("../corpus/written.txt");
const TEMPLATES: &str = include_str!("../corpus/templates.txt");
const SLOTS: &str = include_str!("../corpus/slots.txt");

/// Texts are separated by a line of their own.
const SEPARATOR: &str = "\n%%\n";

/// The commands that were written by hand.
pub(crate) fn written() -> Vec<String> {
    WRITTEN.trim_end_matches('\n').split(SEPARATOR).map(str::to_owned).collect()
}

/// `count` different commands: all that were written by hand, and as many from templates as are missing.
pub(crate) fn commands(count: usize) -> Vec<String> {
    let mut texts = written();
    let mut seen: BTreeSet<String> = texts.iter().cloned().collect();
    let templates: Vec<&str> = TEMPLATES.trim_end_matches('\n').split(SEPARATOR).collect();
    let mut generator = Generator { slots: slots(), state: 0x5deece66d };
    let mut turn = 0;
    while texts.len() < count {
        let text = generator.fill(templates[turn % templates.len()]);
        turn += 1;
        if seen.insert(text.clone()) {
            texts.push(text);
        }
    }
    texts
}

/// `[name]` and the values below it, one a line.
fn slots() -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut slots: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let mut name = "";
    for line in SLOTS.lines() {
        match line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(found) if found.bytes().all(|byte| byte.is_ascii_lowercase()) => name = found,
            _ => slots.entry(name).or_default().push(line),
        }
    }
    slots
}

struct Generator {
    slots: BTreeMap<&'static str, Vec<&'static str>>,
    state: u64,
}

impl Generator {
    fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state % end as u64) as usize
    }

    /// The template with a value in each `{{slot}}`; values may have slots themselves.
    fn fill(&mut self, template: &str) -> String {
        let mut text = String::new();
        let mut rest = template;
        while let Some((before, behind)) = rest.split_once("{{") {
            text.push_str(before);
            let name = behind.split("}}").next().unwrap();
            match self.slots.get(name).map(Vec::len) {
                Some(count) => {
                    let index = self.below(count);
                    let value = self.slots[name][index];
                    text.push_str(&self.fill(value));
                    rest = &behind[name.len() + 2..];
                }
                // `{{.Names}}` is text.
                None => {
                    text.push_str("{{");
                    rest = behind;
                }
            }
        }
        text.push_str(rest);
        text
    }
}

//! Shell rules that are no simple command (`Bash(a && b)`), by their texts.

use std::collections::{BTreeSet, HashMap};

use super::found::{Found, push};
use crate::command::{CommandPattern, Form};

/// Rules that are compared with whole texts.
#[derive(Clone, Debug, Default)]
pub(super) struct TextIndex {
    /// Rules by the text that they are, or that has to stand in front.
    texts: HashMap<Box<str>, Vec<u32>>,
    /// How long the keys in `texts` are, in bytes.
    lengths: BTreeSet<usize>,
    /// Rules with wildcards.
    loose: Vec<u32>,
    /// Every rule.
    all: Vec<u32>,
}

impl TextIndex {
    pub(super) fn add(&mut self, id: u32, pattern: &CommandPattern) {
        push(&mut self.all, id);
        if matches!(pattern.form, Form::Text { glob: Some(_), .. }) {
            push(&mut self.loose, id);
            return;
        }
        for text in pattern.texts() {
            push(self.texts.entry(text.into()).or_default(), id);
            self.lengths.insert(text.len());
        }
    }

    /// The rules that can match this text.
    pub(super) fn text<'a>(&'a self, text: &str, found: &mut Found<'a>) {
        let text = text.trim();
        found.add(&self.loose);
        for length in self.lengths.iter().take_while(|length| **length <= text.len()) {
            if let Some(start) = text.get(..*length) {
                found.add_some(self.texts.get(start));
            }
        }
    }

    /// Every rule.
    pub(super) fn all<'a>(&'a self, found: &mut Found<'a>) {
        found.add(&self.all);
    }
}

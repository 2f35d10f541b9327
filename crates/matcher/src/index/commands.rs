//! A trie over the operands of command rules: program first, flags left out, because those may stand
//! anywhere.

use std::collections::HashMap;

use portcullis_shell_analysis::Argument;

use crate::command::{CommandPattern, base_name, identity};

/// Command rules by their words.
#[derive(Clone, Debug)]
pub(super) struct CommandIndex {
    root: Node,
    /// How a program is known: by its identity in allow, by its base name elsewhere.
    name: fn(&str) -> &str,
    /// Compared as the lists that restrict are.
    restricts: bool,
}

#[derive(Clone, Debug, Default)]
struct Node {
    children: HashMap<Box<str>, Node>,
    /// Rules whose literal operands end here.
    rules: Vec<u32>,
}

impl CommandIndex {
    pub(super) fn new(allow: bool) -> Self {
        Self { root: Node::default(), name: if allow { identity } else { base_name }, restricts: !allow }
    }

    pub(super) fn add(&mut self, id: u32, pattern: &CommandPattern) {
        let mut node = &mut self.root;
        for (at, word) in pattern.bare_words.iter().enumerate() {
            if at > 0 && is_flag(word) {
                continue;
            }
            let key = if at == 0 { (self.name)(word) } else { word };
            node = node.children.entry(key.into()).or_default();
        }
        node.rules.push(id);
    }

    /// The rules that can match these words. `possible`: unknown words may be anything.
    pub(super) fn words(&self, words: &[Argument], possible: bool, found: &mut Vec<u32>) {
        self.walk(&self.root, words, true, possible, MAX_VALUES, found);
    }

    /// The rules that name a program alone; `all`: every rule that names it.
    pub(super) fn program(&self, name: &str, all: bool, found: &mut Vec<u32>) {
        let Some(node) = self.root.children.get(name) else { return };
        if all { node.subtree(found) } else { found.extend(&node.rules) }
    }

    fn walk(
        &self,
        node: &Node,
        words: &[Argument],
        first: bool,
        possible: bool,
        steps: usize,
        found: &mut Vec<u32>,
    ) {
        found.extend(&node.rules);
        if node.children.is_empty() {
            return;
        }
        let Some((word, rest)) = words.split_first() else { return };
        // One of several texts that may be no word or more: the patterns themselves say what that matches.
        let several = word.splits && word.value.known().is_none();
        let Some(texts) = word.value.candidates().filter(|_| !(several && possible)) else {
            if possible {
                node.subtree(found);
            }
            return;
        };
        let mut skipped = false;
        for text in texts {
            if !first && is_flag(text) {
                if !skipped {
                    self.walk(node, rest, false, possible, steps, found);
                    // It may be the option's value.
                    let value = rest.first().and_then(|word| word.value.known());
                    if self.restricts && steps > 0 && value.is_some_and(|value| !is_flag(value)) {
                        let behind = rest.get(1..).unwrap_or_default();
                        self.walk(node, behind, false, possible, steps - 1, found);
                    }
                }
                skipped = true;
                continue;
            }
            let key = if first { (self.name)(text) } else { text };
            if let Some(next) = node.children.get(key) {
                self.walk(next, rest, false, possible, steps, found);
            }
        }
    }
}

impl Node {
    fn subtree(&self, found: &mut Vec<u32>) {
        found.extend(&self.rules);
        for child in self.children.values() {
            child.subtree(found);
        }
    }
}

/// How many words are also read as values of the options before them.
const MAX_VALUES: usize = 6;

fn is_flag(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

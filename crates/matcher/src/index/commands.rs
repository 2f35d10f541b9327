//! A trie over the operands of command rules: program first, flags left out, because those may stand
//! anywhere. Wildcards stand where their first star does, by one word behind it that they spell out.

use std::collections::HashMap;

use portcullis_shell_analysis::Argument;

use super::found::{Found, push};
use crate::command::{BORDER, CommandPattern, Form, base_name, identity};

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
    /// Rules whose literal operands end here, but for those in `behind`.
    rules: Vec<u32>,
    /// Rules with a star here and this word behind it.
    behind: HashMap<Box<str>, Vec<u32>>,
    /// The rules in `behind`.
    starred: Vec<u32>,
    /// Every rule that stands here or below.
    below: Vec<u32>,
}

/// How a walk looks at words.
struct Walk<'w> {
    /// All words of the command.
    words: &'w [Argument],
    /// Unknown words may be anything.
    possible: bool,
}

impl CommandIndex {
    pub(super) fn new(allow: bool) -> Self {
        Self { root: Node::default(), name: if allow { identity } else { base_name }, restricts: !allow }
    }

    pub(super) fn add(&mut self, id: u32, pattern: &CommandPattern) {
        let mut node = &mut self.root;
        push(&mut node.below, id);
        for (at, word) in pattern.bare_words.iter().enumerate() {
            if at > 0 && is_flag(word) {
                continue;
            }
            let key = if at == 0 { (self.name)(word) } else { word };
            node = node.children.entry(key.into()).or_default();
            push(&mut node.below, id);
        }
        let literals = match &pattern.form {
            Form::Wild { literals, .. } => literals.get(pattern.words.len()..).unwrap_or_default(),
            _ => &[],
        };
        // The word that the fewest others have.
        let word = literals.iter().min_by_key(|word| node.behind.get(word.as_str()).map_or(0, Vec::len));
        match word {
            Some(word) => {
                push(node.behind.entry(word.as_str().into()).or_default(), id);
                push(&mut node.starred, id);
            }
            None => push(&mut node.rules, id),
        }
    }

    /// The rules that can match these words. `possible`: unknown words may be anything.
    pub(super) fn words<'a>(&'a self, words: &[Argument], possible: bool, found: &mut Found<'a>) {
        self.walk(&self.root, words, MAX_VALUES, &Walk { words, possible }, found);
    }

    /// The rules that name a program alone; `all`: every rule that names it.
    pub(super) fn program<'a>(&'a self, name: &str, all: bool, found: &mut Found<'a>) {
        let Some(node) = self.root.children.get(name) else { return };
        found.add(if all { &node.below } else { &node.rules });
    }

    fn walk<'a>(
        &self,
        node: &'a Node,
        words: &[Argument],
        steps: usize,
        walk: &Walk<'_>,
        found: &mut Found<'a>,
    ) {
        let first = words.len() == walk.words.len();
        node.own(walk, found);
        if node.children.is_empty() {
            return;
        }
        let Some((word, rest)) = words.split_first() else { return };
        // One of several texts that may be no word or more: the patterns themselves say what that matches.
        let several = word.splits && word.value.known().is_none();
        let Some(texts) = word.value.candidates().filter(|_| !(several && walk.possible)) else {
            if walk.possible {
                found.add(&node.below);
            }
            return;
        };
        let mut skipped = false;
        for text in texts {
            if !first && is_flag(text) {
                if !skipped {
                    self.walk(node, rest, steps, walk, found);
                    // It may be the option's value.
                    let value = rest.first().and_then(|word| word.value.known());
                    if self.restricts && steps > 0 && value.is_some_and(|value| !is_flag(value)) {
                        let behind = rest.get(1..).unwrap_or_default();
                        self.walk(node, behind, steps - 1, walk, found);
                    }
                }
                skipped = true;
                continue;
            }
            let key = if first { (self.name)(text) } else { text };
            if let Some(next) = node.children.get(key) {
                self.walk(next, rest, steps, walk, found);
            }
        }
    }
}

impl Node {
    /// The rules that stand here and can match these words.
    fn own<'a>(&'a self, walk: &Walk<'_>, found: &mut Found<'a>) {
        found.add(&self.rules);
        if self.starred.is_empty() {
            return;
        }
        let plain = |word: &Argument| word.value.known().is_some_and(|text| !text.contains(BORDER));
        if !walk.words.iter().all(plain) {
            found.add(&self.starred);
            return;
        }
        for text in walk.words.iter().filter_map(|word| word.value.known()) {
            found.add_some(self.behind.get(text));
        }
    }
}

/// How many words are also read as values of the options before them.
const MAX_VALUES: usize = 6;

fn is_flag(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

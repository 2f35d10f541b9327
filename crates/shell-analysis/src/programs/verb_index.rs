//! The rows of a program's subcommands by their first word, worked out once: programs have up to a hundred rows.

use std::collections::HashMap;

use super::{by_address::ByAddress, subcommands::Verb};
use crate::name_hash::Names;

/// More than there are tables of subcommands; a test counts.
pub(super) const ROOM: usize = 1 << 10;

static INDICES: ByAddress<Index, ROOM> = ByAddress::new();

/// Where rows stand in their table.
#[derive(Debug, Default)]
pub(super) struct Index {
    by_first: HashMap<&'static str, Vec<usize>, Names>,
    /// The row for any other word (`*`).
    other: Option<usize>,
}

impl Index {
    fn new(verbs: &'static [Verb]) -> Self {
        let mut index = Self::default();
        for (at, verb) in verbs.iter().enumerate() {
            if verb.words.ends_with('*') {
                index.other.get_or_insert(at);
            }
            for name in
                verb.words.split_ascii_whitespace().next().into_iter().flat_map(|names| names.split('|'))
            {
                let rows = index.by_first.entry(name).or_default();
                if rows.last() != Some(&at) {
                    rows.push(at);
                }
            }
        }
        index
    }

    /// The rows whose first word is `word`, in the order of the table.
    pub(super) fn begun_by(&self, word: &str) -> &[usize] {
        self.by_first.get(word).map(Vec::as_slice).unwrap_or_default()
    }

    /// The row for words that no row begins with.
    pub(super) fn other(&self) -> Option<usize> {
        self.other
    }
}

/// The index of a table.
pub(super) fn of(verbs: &'static [Verb]) -> Option<&'static Index> {
    INDICES.get(verbs.as_ptr() as usize, verbs.len(), || Index::new(verbs))
}

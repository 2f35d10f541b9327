//! Rule numbers that keys found: lists in ascending order, which are merged as they are read. Finding costs as much
//! as the call has keys, however many rules stand behind each; reading ends where the reader has seen enough.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Lists of rule numbers, each ascending.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found<'a>(Vec<&'a [u32]>);

impl<'a> Found<'a> {
    /// Takes one more list.
    pub(crate) fn add(&mut self, list: &'a [u32]) {
        if !list.is_empty() {
            self.0.push(list);
        }
    }

    /// Takes the lists of another.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// Takes one more list, if there is one.
    pub(crate) fn add_some(&mut self, list: Option<&'a Vec<u32>>) {
        if let Some(list) = list {
            self.add(list);
        }
    }
}

impl<'a> IntoIterator for Found<'a> {
    type Item = u32;
    type IntoIter = Merged<'a>;

    fn into_iter(self) -> Merged<'a> {
        let heads = self.0.into_iter().filter_map(Head::new).map(Reverse).collect();
        Merged { heads, last: None }
    }
}

/// The numbers of several lists in ascending order, each once.
#[derive(Debug)]
pub(crate) struct Merged<'a> {
    heads: BinaryHeap<Reverse<Head<'a>>>,
    last: Option<u32>,
}

impl Iterator for Merged<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            let Reverse(Head { first, rest }) = self.heads.pop()?;
            if let Some(next) = Head::new(rest) {
                self.heads.push(Reverse(next));
            }
            if self.last != Some(first) {
                self.last = Some(first);
                return Some(first);
            }
        }
    }
}

/// What is left of a list, ordered by its first number.
#[derive(Clone, Copy, Debug)]
struct Head<'a> {
    first: u32,
    rest: &'a [u32],
}

impl<'a> Head<'a> {
    fn new(list: &'a [u32]) -> Option<Self> {
        list.split_first().map(|(&first, rest)| Self { first, rest })
    }
}

impl Ord for Head<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.first.cmp(&other.first)
    }
}

impl PartialOrd for Head<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.first == other.first
    }
}

impl Eq for Head<'_> {}

/// Puts a number behind those of a list that are all smaller, once.
pub(super) fn push(list: &mut Vec<u32>, id: u32) {
    if list.last() != Some(&id) {
        list.push(id);
    }
}

#[cfg(test)]
mod tests {
    use super::Found;

    #[test]
    fn lists_are_merged_in_order_and_each_number_comes_once() {
        let mut found = Found::default();
        for list in [&[1, 4, 9][..], &[], &[2, 4, 5], &[1, 4, 9], &[9]] {
            found.add(list);
        }
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [1, 2, 4, 5, 9]);
        assert_eq!(Found::default().into_iter().next(), None);
    }
}

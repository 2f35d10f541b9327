//! An invocation as rules look at it.

use std::borrow::Cow;

use portcullis_shell_analysis::{Argument, Invocation};

use super::git::{self, subcommand_at};
use super::pattern::{BORDER, base_name};

/// An invocation without git's global options, taken apart once per question.
pub(crate) struct CommandView<'a> {
    /// The invocation.
    pub(crate) invocation: &'a Invocation,
    /// Program and arguments without git's global options.
    pub(super) words: Cow<'a, [Argument]>,
    /// git's global options, with their values.
    pub(super) skipped: &'a [Argument],
}

impl<'a> CommandView<'a> {
    pub(crate) fn new(invocation: &'a Invocation) -> Self {
        let all = &invocation.words;
        if invocation.base_name() == Some("git") {
            let at = subcommand_at(all.iter().map(|word| word.value.known()));
            if at > 1 {
                let words = all.iter().take(1).chain(all.iter().skip(at)).cloned().collect();
                let skipped = all.get(1..at).unwrap_or_default();
                return Self { invocation, words: Cow::Owned(words), skipped };
            }
        }
        Self { invocation, words: Cow::Borrowed(all), skipped: &[] }
    }

    /// Program and arguments, without git's global options.
    pub(crate) fn words(&self) -> &[Argument] {
        &self.words
    }

    /// The program may be anything.
    pub(crate) fn unknown_program(&self) -> bool {
        self.words.first().is_some_and(|word| word.value.candidates().is_none())
    }

    /// Every base name that the program may have.
    pub(crate) fn programs(&self) -> impl Iterator<Item = &str> {
        let candidates = self.words.first().and_then(|word| word.value.candidates());
        candidates.unwrap_or_default().iter().map(|name| base_name(name))
    }

    /// git with a subcommand that git does not bring: an alias, which may be any command.
    pub(crate) fn is_git_alias(&self) -> bool {
        self.invocation.base_name() == Some("git")
            && !self.invocation.specified
            && self.words.get(1).is_some_and(|word| match word.value.candidates() {
                Some(names) => names.iter().any(|name| !git::is_subcommand(name) && !name.starts_with('-')),
                None => true,
            })
    }
}

/// The words joined by borders, with `None` for what is not known; the program as `name` reads it.
pub(super) fn pieces(words: &[Argument], name: fn(&str) -> &str) -> Vec<Option<&str>> {
    let mut pieces = Vec::with_capacity(words.len() * 2);
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            pieces.push(Some(BORDER));
        }
        pieces.push(if at == 0 { word.value.known().map(name) } else { word.value.known() });
    }
    pieces
}

/// Joins pieces that are all known.
pub(super) fn joined(pieces: &[Option<&str>]) -> Option<String> {
    pieces.iter().copied().collect::<Option<String>>()
}

//! An invocation as rules look at it.

use std::borrow::Cow;
use std::cell::OnceCell;

use portcullis_shell_analysis::{Argument, Invocation, Span, Value};

use super::code;
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
    /// Commands that stand inside single words.
    inner: OnceCell<Vec<Vec<Argument>>>,
}

/// Invocations with more words than this are not searched for commands inside them: they may hold any.
const MAX_SEARCHED: usize = 512;

impl<'a> CommandView<'a> {
    pub(crate) fn new(invocation: &'a Invocation) -> Self {
        let at = git_subcommand(&invocation.words);
        Self {
            invocation,
            words: without_options(&invocation.words, at),
            skipped: invocation.words.get(1..at).unwrap_or_default(),
            inner: OnceCell::new(),
        }
    }

    /// Program and arguments, without git's global options.
    pub(crate) fn words(&self) -> &[Argument] {
        &self.words
    }

    /// The program may be anything.
    pub(crate) fn unknown_program(&self) -> bool {
        self.words.first().is_some_and(|word| word.value.candidates().is_none())
    }

    /// There is code, or text that it may run.
    pub(super) fn has_code(&self) -> bool {
        !(self.invocation.code.is_empty() && self.invocation.texts.is_empty())
    }

    /// Code in its words, and texts elsewhere that it may run.
    pub(super) fn code(&self) -> impl Iterator<Item = &'a String> {
        self.invocation.code.iter().chain(&self.invocation.texts)
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

impl CommandView<'_> {
    /// Too many words to search for commands inside them.
    pub(crate) fn too_long(&self) -> bool {
        self.words.len() > MAX_SEARCHED
    }

    /// Every command that the words behind the program may be: the rest of the words from each place on,
    /// and the commands inside single words. The first word of each is known.
    pub(crate) fn tails(&self, mut visit: impl FnMut(&[Argument])) {
        let mut each = |words: &[Argument]| {
            for at in 0..words.len().min(MAX_SEARCHED) {
                let rest = words.get(at..).unwrap_or_default();
                if rest.first().is_some_and(|word| word.value.candidates().is_some()) {
                    visit(&without_options(rest, git_subcommand(rest)));
                }
            }
        };
        each(self.words.get(1..).unwrap_or_default());
        for words in self.inner.get_or_init(|| inner(&self.words)) {
            each(words);
        }
    }
}

/// The commands inside single words.
fn inner(words: &[Argument]) -> Vec<Vec<Argument>> {
    let known = |text: String| Argument {
        value: Value::Known(text.into()),
        splits: false,
        vanishes: false,
        hazard: false,
        span: Span::default(),
    };
    let texts = words.iter().skip(1).flat_map(|word| word.value.candidates().unwrap_or_default());
    texts
        .filter(|text| text.contains([' ', '\t', '\n', ';', '|', '&', '!', '=']))
        .flat_map(|text| code::commands(text))
        .map(|words| words.into_iter().map(known).collect())
        .collect()
}

/// Where git's subcommand stands; 1 for other programs.
fn git_subcommand(words: &[Argument]) -> usize {
    let git = words.first().and_then(|word| word.value.known()).is_some_and(|text| base_name(text) == "git");
    if git { subcommand_at(words.iter().map(|word| word.value.known())) } else { 1 }
}

/// The words without those between the program and `at`.
fn without_options(words: &[Argument], at: usize) -> Cow<'_, [Argument]> {
    if at > 1 {
        Cow::Owned(words.iter().take(1).chain(words.iter().skip(at)).cloned().collect())
    } else {
        Cow::Borrowed(words)
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

//! Programs that print one number, or nothing where they fail.

use std::borrow::Cow;

use super::{Planner, State, words::literal_text};
use crate::{
    Argument,
    tree::{CommandKind, List, Redirect, RedirectOp, Substitution, Word, WordPart},
};

impl Planner<'_> {
    /// Whether a substitution is one number, or nothing.
    pub(super) fn counts(&self, substitution: &Substitution) -> bool {
        !substitution.broken
            && self.functions.is_empty()
            && last_words(&substitution.list).is_some_and(counts)
    }

    /// Whether a word is nothing but such a substitution.
    pub(super) fn is_count(&self, word: &Word) -> bool {
        match word.parts.as_slice() {
            [WordPart::Command(substitution)] => self.counts(substitution),
            [WordPart::DoubleQuoted(parts)] => {
                matches!(parts.as_slice(), [WordPart::Command(substitution)] if self.counts(substitution))
            }
            _ => false,
        }
    }

    /// A bit for each of the first 64 words of a `test` that is a number or nothing, and so no operator of its own.
    pub(super) fn counted(&self, state: &State, words: &[Word], arguments: &[Argument]) -> u64 {
        let program = arguments.first().and_then(|program| program.value.known());
        if !matches!(program, Some("[" | "test")) || words.len() != arguments.len() {
            return 0;
        }
        let numbers = words.iter().take(64).enumerate().filter(|(_, word)| match word.parts.as_slice() {
            [WordPart::Command(substitution)] => self.counts(substitution),
            [WordPart::Parameter(parameter)] => {
                parameter.operator.is_none()
                    && !parameter.indirect
                    && parameter.subscript.is_none()
                    && self.variable(state, &parameter.name).1
            }
            _ => false,
        });
        numbers.fold(0, |all, (index, _)| all | 1 << index)
    }

    /// Whether the words of a `for` are numbers: `$(seq 5)`.
    pub(super) fn are_numbers(&self, words: &[Word]) -> bool {
        let [word] = words else { return false };
        let [WordPart::Command(substitution)] = word.parts.as_slice() else { return false };
        let listed = |(words, _, piped): (Vec<String>, _, bool)| {
            let digits = |text: &String| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            !piped && words.first().is_some_and(|name| name == "seq") && words.iter().skip(1).all(digits)
        };
        !substitution.broken
            && self.functions.is_empty()
            && last_words(&substitution.list).is_some_and(listed)
    }
}

/// The words and redirections of the last command of the only pipeline, and whether it reads from another one.
fn last_words(list: &List) -> Option<(Vec<String>, &[Redirect], bool)> {
    let [item] = list.items.as_slice() else { return None };
    let last = item.first.commands.last()?;
    let CommandKind::Simple(simple) = &last.kind else { return None };
    let program = simple.words.first()?;
    let [WordPart::Literal(name)] = program.parts.as_slice() else { return None };
    if item.background
        || !item.rest.is_empty()
        || !simple.assignments.is_empty()
        || !matches!(name.as_str(), "wc" | "grep" | "id" | "nproc" | "date" | "seq")
    {
        return None;
    }
    let words = simple.words.iter().map(|word| literal_text(&word.parts).map(Cow::into_owned));
    Some((words.collect::<Option<_>>()?, &last.redirects, item.first.commands.len() > 1))
}

/// coreutils manual 6.1 (wc), 20.1 (id), 21.3 (nproc), 21.1 (date); grep(1).
fn counts((words, redirects, piped): (Vec<String>, &[Redirect], bool)) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let plain = |redirect: &&Redirect| {
        matches!(redirect.op, RedirectOp::Read | RedirectOp::HereString)
            || matches!(redirect.op, RedirectOp::Write if redirect.fd == crate::tree::RedirectFd::Number(2))
    };
    let fed = piped || redirects.iter().any(|redirect| redirect.op == RedirectOp::Read);
    redirects.iter().filter(plain).count() == redirects.len()
        && match words.as_slice() {
            ["wc", "-l" | "-c" | "-w" | "-m"] => fed,
            ["grep", "-c" | "-ci" | "-ic" | "-cE" | "-Ec" | "-cF" | "-Fc" | "-cv" | "-vc", pattern] => {
                fed && !pattern.starts_with('-')
            }
            ["id", "-u" | "-g"] | ["nproc"] | ["date", "+%s"] => !piped,
            _ => false,
        }
}

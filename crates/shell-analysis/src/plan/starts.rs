//! Where a launcher's command may begin: a word before it that is not known may be nothing, a flag, a flag that
//! takes the next word, an operand or several of these, and then the words behind it have other places.

use std::collections::BTreeSet;

use crate::{Argument, Value, programs::flags};

/// What a launcher takes before its command.
pub(super) struct Prefix<'a> {
    pub(super) name: &'a str,
    /// As in [`crate::programs::spec`].
    pub(super) flags: &'static str,
    pub(super) operands: usize,
    /// `NAME=value` words may stand before the command.
    pub(super) assignments: bool,
}

/// The places that were found.
#[derive(Debug, Default)]
pub(super) struct Starts {
    /// Indices of words that may be the command. Of words that are not known and stand side by side the first,
    /// when it may be none or several of them.
    pub(super) commands: BTreeSet<usize>,
    /// Names of flags that may be among the words.
    pub(super) flags: BTreeSet<&'static str>,
    /// There are more commands than are followed.
    pub(super) too_many: bool,
}

/// More places than this are not followed: each is a command of all the words behind it.
pub(super) const MAX_STARTS: usize = 64;

/// Why a launcher with that many is opaque.
pub(super) const TOO_MANY_STARTS: &str = "a launcher's command may begin at too many words";

/// A place among the words that reading may come to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    index: usize,
    /// Operands that are still to come.
    operands: usize,
    /// Flags end at the first operand.
    options: bool,
}

/// Where the command in `words` may begin; `words` begins with the program. Empty when the words before `start`,
/// where it begins if each of them is one, and that one itself are all known.
pub(super) fn starts(words: &[Argument], start: usize, prefix: &Prefix<'_>) -> Starts {
    let mut found = Starts::default();
    let doubtful = words.iter().take(start.saturating_add(1)).skip(1).any(doubtful);
    if !doubtful || prefix.operands > words.len() {
        return found;
    }
    let mut seen = BTreeSet::new();
    let mut next = vec![At { index: 1, operands: prefix.operands, options: true }];
    while let Some(at) = next.pop() {
        if found.commands.len() > MAX_STARTS {
            found.too_many = true;
            break;
        }
        let Some(word) = words.get(at.index).filter(|_| seen.insert(at)) else { continue };
        let later = |by: usize| At { index: at.index.saturating_add(by), ..at };
        let Some(text) = word.value.known() else {
            if at.operands == 0 && !begins_before(words, at.index, &found) {
                found.commands.insert(at.index);
            }
            next.push(later(1));
            if doubtful_flag(word) && at.options {
                next.push(later(2));
            }
            next.extend((0..at.operands).map(|operands| At { operands, options: false, ..later(1) }));
            continue;
        };
        if at.options && text == "--" {
            next.push(At { options: false, ..later(1) });
            continue;
        }
        let number = || text.bytes().skip(1).all(|byte| byte.is_ascii_digit());
        if at.options && text.starts_with('-') && text != "-" {
            let rest = words.get(at.index..).unwrap_or_default();
            let (width, listed, flags) = if prefix.name == "nice" && number() {
                (1, true, Default::default())
            } else {
                flags::one(rest, prefix.flags)
            };
            found.flags.extend(flags.iter().map(|flag| flag.name));
            next.push(later(width));
            if width == 2 && rest.get(1).is_some_and(|value| value.splits) {
                // Nothing, so that the value is the word behind; or more than the value.
                next.push(later(1));
                next.push(later(3));
            } else if !listed {
                next.push(later(width + 1));
            }
        } else if at.operands > 0 {
            next.push(At { operands: at.operands - 1, options: false, ..later(1) });
        } else if prefix.name == "env" && text == "-" || prefix.assignments && text.contains('=') {
            next.push(later(1));
        } else {
            found.commands.insert(at.index);
        }
    }
    found
}

impl Starts {
    pub(super) fn has(&self, flags: &[&str]) -> bool {
        flags.iter().any(|flag| self.flags.contains(flag))
    }
}

/// The word before may be nothing, and is where this command was found to begin.
fn begins_before(words: &[Argument], index: usize, found: &Starts) -> bool {
    index.checked_sub(1).is_some_and(|before| {
        found.commands.contains(&before)
            && words.get(before).is_some_and(|word| word.splits && word.value == Value::Unknown)
    })
}

/// May be another number of words than one, or a flag.
fn doubtful(word: &Argument) -> bool {
    word.value.known().is_none() && (word.splits || doubtful_flag(word))
}

fn doubtful_flag(word: &Argument) -> bool {
    !matches!(&word.value, Value::PathBelow(names) if !names.dashes)
}

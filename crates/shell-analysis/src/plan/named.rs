//! What an invocation runs because an option, a setting or a variable of it says so (table:
//! [`crate::runners`]). It stands in the plan as an invocation of its own, marked as named: rules that restrict
//! look at it, and for allow it belongs to the words or assignments that name it.

mod follow;
mod options;

use std::cell::OnceCell;

use options::{Taken, options, rewrites_addresses, stored, value_of};

use super::{State, overheard::accounted};
use crate::{
    Argument, Invocation, Span, Value,
    runner_variables::{self, Variable},
    runners::{self, Entry, How, Prepared, letter},
};

/// Something that an invocation names.
pub(super) enum Named {
    /// Shell text behind which other words may come.
    Text(Value, Span),
    /// Whole lines of a shell.
    Lines(String, Span),
    /// These words.
    Words(Vec<Argument>),
    /// A file of shell commands.
    Script(Value, Span),
    /// Any program.
    Anything(Span),
}

/// What one invocation names, and what else about it is found on the way.
#[derive(Default)]
struct Found {
    named: Vec<Named>,
    /// Indices of the words that say so.
    hazards: Vec<usize>,
    /// A word that is not known may be such an option.
    doubtful: bool,
    /// Where the command begins that the invocation's launcher runs.
    launches: Option<usize>,
}

/// Looks through the words and assignments of an invocation, and marks the words that name something; the command
/// that begins at `launches` is followed already.
pub(super) fn named(invocation: &mut Invocation, state: &State, launches: Option<usize>) -> Vec<Named> {
    let mut found = Found { launches, ..Found::default() };
    for assignment in invocation.assignments.iter().filter(|assignment| !assignment.harmless) {
        let Some(kind) = runner_variables::variable(&assignment.name) else { continue };
        match kind {
            Variable::Text if assignment.name.ends_with("SHELL") && shell(assignment.value.known()) => {}
            Variable::Text => found.named.push(Named::Text(assignment.value.clone(), assignment.span)),
            Variable::Script => found.named.push(Named::Script(assignment.value.clone(), assignment.span)),
            Variable::Key if assignment.value.known().is_some_and(|key| !rewrites_addresses(key)) => {}
            Variable::Key => found.named.push(Named::Anything(assignment.span)),
            Variable::Everything if standard(assignment.value.known()) => {}
            Variable::Everything => found.named.push(Named::Anything(assignment.span)),
        }
    }
    let Some(base) = invocation.base_name() else { return found.named };
    found.named.extend(dashed(invocation, base));
    let rows = runners::find(base);
    if rows.is_empty() {
        return found.named;
    }
    let words = Looks::of(&invocation.words);
    for row in rows {
        if !row.subcommands.is_empty() && row.marks & words.marks == 0 {
            continue;
        }
        // Most rows are about options that are not there.
        if row.reads_options() && !row.may_find(words.options, || words.letters(&invocation.words)) {
            found.doubtful |= words.doubtful && row.how != How::Setting && has_subcommand(invocation, row);
            continue;
        }
        let Some(start) = subcommand(&invocation.words, &row.subcommands) else { continue };
        match row.how {
            How::Behind(operands) => {
                // Only a rule that names the program itself covers it.
                let programs = behind(invocation, start, operands, &mut found);
                found.hazards.extend(programs);
            }
            How::Script => drop(behind(invocation, start, 0, &mut found)),
            How::Bare if accounted(invocation) => {}
            How::Bare => {
                let words = invocation.words.iter().skip(1).filter_map(|word| word.value.known());
                if !words.clone().find(|text| !text.starts_with('-')).is_some_and(runners::is_own_verb) {
                    drop(behind(invocation, start, 0, &mut found));
                }
            }
            How::Own => found.named.push(own(&invocation.words, start, row)),
            How::Stored => stored(&invocation.words, start, &mut found),
            _ => options(invocation, row, state, &mut found),
        }
    }
    if found.doubtful {
        let words = invocation.words.iter().skip(1).filter_map(|word| word.value.known());
        invocation.texts.push(words.collect::<Vec<_>>().join(" "));
    }
    for index in &found.hazards {
        if let Some(word) = invocation.words.get_mut(*index) {
            word.hazard = true;
        }
    }
    found.named
}

/// What the words behind a program look like, all in all.
#[derive(Default)]
struct Looks {
    /// The [`runners::mark`]s of those that are known.
    marks: u64,
    /// The letters that may be options, and those with which names of options begin.
    options: u64,
    /// All their letters, as small ones, once somebody has asked for them.
    letters: OnceCell<u64>,
    /// One may be an option that is not known.
    doubtful: bool,
}

impl Looks {
    fn of(words: &[Argument]) -> Self {
        let mut looks = Self::default();
        for word in words.iter().skip(1) {
            let Some(text) = word.value.known() else {
                looks.doubtful |= may_be_option(word);
                continue;
            };
            looks.marks |= runners::mark(text);
            looks.options |= match text.as_bytes() {
                [b'-', b'-', first, ..] => letter(*first),
                [b'-', cluster @ ..] => cluster.iter().fold(0, |all, byte| all | letter(*byte)),
                _ => 0,
            };
        }
        looks
    }

    fn letters(&self, words: &[Argument]) -> u64 {
        *self.letters.get_or_init(|| {
            let known = words.iter().skip(1).filter_map(|word| word.value.known());
            known.fold(0, |all, text| all | runners::small_letters(text))
        })
    }
}

/// A word that is not known may be an option, unless it surely is something else.
fn may_be_option(word: &Argument) -> bool {
    !matches!(word.value, Value::Known(_) | Value::PathBelow(_) | Value::OneOf(_))
}

fn has_subcommand(invocation: &Invocation, row: &Prepared) -> bool {
    subcommand(&invocation.words, &row.subcommands).is_some()
}

/// One of the usual shells, which gets its commands from elsewhere.
fn shell(value: Option<&str>) -> bool {
    let name = value.map(crate::invocation::base_name);
    matches!(name, Some("bash" | "sh" | "dash" | "zsh" | "ksh" | "fish" | "ash"))
}

/// Directories that the system itself brings, or nothing.
fn standard(value: Option<&str>) -> bool {
    value.is_some_and(|value| {
        value.split(':').all(|directory| {
            matches!(
                directory.trim_end_matches('/'),
                "" | "/bin" | "/usr/bin" | "/usr/local/bin" | "/sbin" | "/usr/sbin" | "/usr/local/sbin"
            )
        }) && !value.starts_with(':')
            && !value.ends_with(':')
            && !value.contains("::")
    })
}

/// The index behind a subcommand; 1 when there is none to look for.
fn subcommand(words: &[Argument], alternatives: &[Vec<&str>]) -> Option<usize> {
    if alternatives.is_empty() {
        return Some(1);
    }
    alternatives.iter().find_map(|wanted| {
        let at = words.get(1..)?.windows(wanted.len()).position(|window| {
            window.iter().zip(wanted).all(|(word, wanted)| word.value.known() == Some(wanted))
        })?;
        Some(1 + at + wanted.len())
    })
}

/// The places behind `start` where a command may begin, in their order: behind options, each of which may take the
/// next word, and behind as many operands.
fn behind(invocation: &Invocation, start: usize, operands: u8, found: &mut Found) -> Vec<usize> {
    let words = &invocation.words;
    let mut places = Vec::new();
    // Bit n: words up to here may leave n operands to come. One set for the word itself and for the two behind it.
    let (mut here, mut next, mut after) = (1_u8 << operands, 0, 0);
    for (at, word) in words.iter().enumerate().skip(start) {
        match word.value.known() {
            _ if here == 0 => {}
            Some("--") => places.push(at + 1),
            Some(text) if text.starts_with('-') && text.len() > 1 => {
                next |= here;
                if !text.contains('=') {
                    after |= here;
                }
            }
            known => {
                next |= here >> 1;
                let begins = here & 1 != 0;
                match known {
                    Some(text) if begins => {
                        places.push(at);
                        // `env run X=1 command`.
                        next |= u8::from(text.contains('='));
                    }
                    Some(_) => {}
                    None => {
                        next |= here & 1;
                        // The words that whoever names it appends say nothing.
                        if !invocation.is_appended(at) {
                            places.push(at);
                        }
                    }
                }
            }
        }
        if next | after == 0 {
            break;
        }
        (here, next, after) = (next, after, 0);
    }
    places.dedup();
    for &at in &places {
        let rest = words.get(at..).unwrap_or_default();
        let Some(first) = rest.first() else { continue };
        match first.value.known() {
            // The whole command in one word.
            Some(text) if text.contains([' ', '\t', '\n', ';', '!', ':', '=']) => {
                let text = text.trim_start_matches(['!', '@', '-', '|']);
                let text = text
                    .split_once(['=', ':'])
                    .map_or(text, |(name, rest)| if name.contains([' ', '/']) { text } else { rest });
                found.named.push(Named::Text(Value::Known(text.into()), first.span));
            }
            _ if found.launches == Some(at) => {}
            _ => found.named.push(Named::Words(rest.to_vec())),
        }
    }
    places
}

/// The program itself with what stands behind its options.
fn own(words: &[Argument], start: usize, row: &Prepared) -> Named {
    let mut at = start;
    while let Some(text) =
        words.get(at).and_then(|word| word.value.known()).filter(|text| text.starts_with('-'))
    {
        at += 1;
        let takes = |entry: &Entry| matches!(value_of(*entry, text, words.get(at)), Some(Taken::Next));
        at += usize::from(row.entries.iter().any(takes));
    }
    Named::Words(words.iter().take(1).chain(words.get(at..).unwrap_or_default()).cloned().collect())
}

/// `git-push origin` is `git push origin` (gitcli(7): each command has a program of its own in git's directory).
fn dashed(invocation: &Invocation, base: &str) -> Option<Named> {
    let subcommand = base.strip_prefix("git-").filter(|name| !name.is_empty())?;
    let program = invocation.words.first()?;
    let said = |text: &str| Argument { value: Value::Known(text.into()), ..program.clone() };
    let words = [said("git"), said(subcommand)];
    Some(Named::Words(words.into_iter().chain(invocation.words.iter().skip(1).cloned()).collect()))
}

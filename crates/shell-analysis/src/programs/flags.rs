//! Reads an argv's flags against a specification: clusters, glued values, `--name=value`, abbreviations,
//! `--`, flags behind operands (getopt_long's rules, GNU C library manual 25.1).

use super::flag_table::{self, Long};
use crate::{Argument, Span, Value, short_list::ShortList};

/// A flag's value: a word, or the rest of one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot<'a> {
    Word(&'a Argument),
    Text(&'a str, Span),
}

impl<'a> Slot<'a> {
    pub(crate) fn known(self) -> Option<&'a str> {
        match self {
            Self::Word(word) => word.value.known(),
            Self::Text(text, _) => Some(text),
        }
    }

    pub(crate) fn span(self) -> Span {
        match self {
            Self::Word(word) => word.span,
            Self::Text(_, span) => span,
        }
    }

    pub(crate) fn value(self) -> Value {
        match self {
            Self::Word(word) => word.value.clone(),
            Self::Text(text, _) => Value::Known(text.into()),
        }
    }
}

/// A flag that was found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flag<'a> {
    pub(crate) name: &'static str,
    pub(crate) kind: u8,
    pub(crate) role: u8,
    /// The index of the word that has it.
    pub(crate) word: usize,
    pub(crate) value: Option<Slot<'a>>,
}

impl Flag<'_> {
    /// It runs or writes something, or leads elsewhere.
    pub(crate) fn harms(&self) -> bool {
        self.kind == b'!' || matches!(self.role, b'w' | b'x' | b'o' | b'n')
    }
}

/// An argv, read.
#[derive(Debug, Default)]
pub(crate) struct Parsed<'a> {
    pub(crate) flags: ShortList<Flag<'a>, 4>,
    /// Indices of operands.
    pub(crate) operands: ShortList<usize, 6>,
    /// Words that are no listed flag, and why.
    pub(crate) unknown: Vec<(usize, &'static str)>,
    /// Where `--` stood.
    pub(crate) dashes: Option<usize>,
}

impl<'a> Parsed<'a> {
    /// The flag at `flag` takes the word at `index`. If that may be several words, the others are flags or operands.
    fn takes(&mut self, flag: usize, index: usize, value: Option<&Argument>, safe: bool) {
        if !value.is_some_and(|word| word.splits) {
            return;
        }
        if safe {
            self.operands.push(index);
        } else {
            self.unknown.push((flag, "has a value that may be several words"));
        }
    }

    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.flags.iter().any(|flag| names.contains(&flag.name))
    }

    pub(crate) fn value(&self, names: &[&str]) -> Option<Slot<'a>> {
        self.flags.iter().rev().find(|flag| names.contains(&flag.name)).and_then(|flag| flag.value)
    }
}

/// How words are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// The flags.
    pub(crate) flags: &'static str,
    /// Flags that count where `flags` has none of that name.
    pub(crate) general: &'static str,
    /// An unknown word is an operand.
    pub(crate) safe: bool,
    /// Options end at the first operand.
    pub(crate) stops: bool,
    /// A `=` behind a letter belongs to neither it nor its value (pflag, clap, argparse).
    pub(crate) equals: bool,
    /// A name of several letters may stand behind one dash, and letters do not combine (Go's package `flag`).
    pub(crate) one_dash: bool,
}

/// Kind and role of a short flag, for programs that take them without a dash.
pub(crate) fn entry(flags: &'static str, letter: char) -> Option<(u8, u8)> {
    flag_table::of(flags).short(letter).map(|entry| (entry.kind, entry.role))
}

/// Reads `words` from index `start` on. `safe`: an unknown word is an operand.
pub(crate) fn parse<'a>(
    words: &'a [Argument],
    start: usize,
    flags: &'static str,
    safe: bool,
    stops: bool,
) -> Parsed<'a> {
    parse_as(words, start, &Reading { flags, general: "", safe, stops, one_dash: false, equals: false })
}

/// Reads `words` from index `start` on.
pub(crate) fn parse_as<'a>(words: &'a [Argument], start: usize, reading: &Reading) -> Parsed<'a> {
    let mut parsed = Parsed::default();
    parse_into(&mut parsed, words, start, reading);
    parsed
}

/// The same, into a list that is still empty: it is large, and copying it costs more than reading a flag.
pub(super) fn parse_into<'a>(
    parsed: &mut Parsed<'a>,
    words: &'a [Argument],
    start: usize,
    reading: &Reading,
) {
    let &Reading { flags, general, safe, stops, one_dash, equals } = reading;
    let table = flag_table::of(flags);
    // Most programs have no second table.
    let general = if general.is_empty() { None } else { Some(flag_table::of(general)) };
    let does_harm = table.does_harm || general.is_some_and(|general| general.does_harm);
    let reads = table.reads || general.is_some_and(|general| general.reads);
    let mut index = start;
    let mut options = true;
    while let Some(word) = words.get(index) {
        let here = index;
        index += 1;
        if !options {
            parsed.operands.push(here);
            continue;
        }
        let text = match &word.value {
            Value::Known(text) => &**text,
            Value::Glob(glob) if pattern_flag(table, &glob.prefix) => continue,
            value => {
                if may_be_flag(value, word, safe, does_harm, reads) {
                    parsed.unknown.push((here, "may be an option"));
                }
                parsed.operands.push(here);
                options = !stops;
                continue;
            }
        };
        if text == "--" {
            options = false;
            parsed.dashes = Some(here);
            continue;
        }
        if !text.starts_with('-') || text == "-" {
            parsed.operands.push(here);
            options = !stops;
            continue;
        }
        let body = text.strip_prefix("--").or_else(|| text.strip_prefix('-').filter(|_| one_dash));
        if let Some(body) = body {
            let (name, glued) = match body.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (body, None),
            };
            let long = match (table.long(name, one_dash), general) {
                (found @ Long::Exact(_), _) | (found, None) => found,
                (found, Some(general)) => match (general.long(name, one_dash), found) {
                    (general @ Long::Exact(_), _) | (general, Long::Unknown | Long::Cut(_)) => general,
                    (_, found) => found,
                },
            };
            if matches!(long, Long::Cut(_)) {
                parsed.unknown.push((here, "is an abbreviation"));
            }
            match long {
                Long::Exact(entry) | Long::Harmful(entry) | Long::Cut(entry) => {
                    let value = match (entry.kind, glued) {
                        (b'=', None) => {
                            let next = words.get(index);
                            parsed.takes(here, index, next, safe);
                            index += 1;
                            next.map(Slot::Word)
                        }
                        (_, glued) => glued.map(|text| Slot::Text(text, word.span)),
                    };
                    if entry.kind == b' ' && glued.is_some() {
                        parsed.unknown.push((here, "takes no value"));
                    }
                    parsed.flags.push(Flag {
                        name: entry.name,
                        kind: entry.kind,
                        role: entry.role,
                        word: here,
                        value,
                    });
                }
                Long::Unknown => parsed.unknown.push((here, "is an option that is not known")),
            }
            continue;
        }
        let cluster = text.get(1..).unwrap_or_default();
        if cluster.bytes().all(|byte| byte.is_ascii_digit()) && table.takes_numbers {
            continue;
        }
        let mut letters = cluster.char_indices().peekable();
        while let Some((offset, flag)) = letters.next() {
            let entry = table.short(flag).or_else(|| general.and_then(|general| general.short(flag)));
            let Some(entry) = entry else {
                parsed.unknown.push((here, "is an option that is not known"));
                break;
            };
            let rest = cluster.get(offset + flag.len_utf8()..).unwrap_or_default();
            let rest = if equals { rest.strip_prefix('=').unwrap_or(rest) } else { rest };
            let mut found =
                Flag { name: entry.name, kind: entry.kind, role: entry.role, word: here, value: None };
            if entry.kind == b'#' {
                while letters.next_if(|(_, letter)| letter.is_ascii_digit()).is_some() {}
            }
            if matches!(entry.kind, b'=' | b'?' | b':') {
                let number = || entry.role == b'd' && rest.bytes().all(|byte| byte.is_ascii_digit());
                if entry.kind == b':' && !rest.is_empty() && !number() {
                    parsed.unknown.push((here, "is a letter whose value is the next word"));
                    break;
                }
                if !rest.is_empty() {
                    found.value = Some(Slot::Text(rest, word.span));
                } else if entry.kind != b'?' {
                    let next = words.get(index);
                    parsed.takes(here, index, next, safe);
                    index += 1;
                    found.value = next.map(Slot::Word);
                }
                parsed.flags.push(found);
                break;
            }
            parsed.flags.push(found);
        }
    }
}

/// `--include=*.rs`: every match is the same flag with another pattern.
fn pattern_flag(table: &flag_table::Table, prefix: &str) -> bool {
    const PATTERNS: &[&str] =
        &["include", "exclude", "exclude-dir", "glob", "iglob", "ignore", "ignore-dir", "ignore-glob"];
    let name = prefix.strip_prefix("--").and_then(|flag| flag.split_once('=')).map(|(name, _)| name);
    name.filter(|name| PATTERNS.contains(name)).is_some_and(|name| {
        matches!(table.long(name, false), Long::Exact(entry) if entry.kind == b'=' && entry.role == b't')
    })
}

/// Whether a word that is not known can be read as a flag that does harm. `reads`: some flag reads a file.
fn may_be_flag(value: &Value, word: &Argument, safe: bool, harmful: bool, reads: bool) -> bool {
    if safe {
        return false;
    }
    match value {
        Value::Known(text) => text.starts_with('-'),
        Value::OneOf(texts) => word.splits || texts.iter().any(|text| text.starts_with('-')),
        // A match cannot hold a slash that the pattern has not: as a flag it could only name a file of
        // the same directory.
        Value::Glob(glob) => {
            let dash = glob.prefix.starts_with('-') || glob.prefix.is_empty();
            dash && (harmful || glob.pattern.contains('/') || glob.prefix.starts_with('-'))
        }
        Value::PathBelow(names) => names.dashes && (harmful || reads && names.slashes),
        Value::Unknown => true,
    }
}

/// The flags in front of a launcher's inner command.
#[derive(Debug, Default)]
pub(crate) struct Leading {
    /// The index of the first word behind them.
    pub(crate) rest: usize,
    pub(crate) values: Vec<(&'static str, Value, Span)>,
    pub(crate) plain: Vec<&'static str>,
    /// Indices of words that are no listed flag.
    pub(crate) unknown: Vec<usize>,
}

/// How many words the flag word at the start of `words` takes, its value included; whether it is listed; and the
/// flags in it.
pub(crate) fn one<'a>(words: &'a [Argument], flags: &'static str) -> (usize, bool, ShortList<Flag<'a>, 4>) {
    let parsed = parse(words.get(..words.len().min(2)).unwrap_or_default(), 0, flags, false, true);
    let listed = !parsed.unknown.iter().any(|(index, _)| *index == 0);
    // A second flag word was read too: what belongs to it stands behind what belongs to this one.
    let mut own = ShortList::default();
    own.extend(parsed.flags.iter().copied().take_while(|flag| flag.word == 0));
    let took_next = own.iter().any(|flag| matches!(flag.value, Some(Slot::Word(_))));
    (1 + usize::from(took_next), listed, own)
}

/// Reads flags up to the first operand; `words` begins with the program.
pub(crate) fn leading(words: &[Argument], flags: &'static str, name: &str) -> Leading {
    let mut result = Leading { rest: 1, ..Leading::default() };
    while let Some(word) = words.get(result.rest) {
        let Some(text) = word.value.known() else {
            if !matches!(&word.value, Value::PathBelow(names) if !names.dashes) {
                result.unknown.push(result.rest);
            }
            break;
        };
        if text == "--" {
            result.rest += 1;
            break;
        }
        if !text.starts_with('-') || text == "-" {
            break;
        }
        let number = text.get(1..).is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        if name == "nice" && number {
            result.rest += 1;
            continue;
        }
        let (width, listed, found) = one(words.get(result.rest..).unwrap_or_default(), flags);
        for flag in &found {
            match flag.value {
                Some(slot) => result.values.push((flag.name, slot.value(), slot.span())),
                None => result.plain.push(flag.name),
            }
        }
        if !listed {
            result.unknown.push(result.rest);
        }
        result.rest += width;
    }
    result
}

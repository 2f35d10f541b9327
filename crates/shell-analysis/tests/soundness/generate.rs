//! Composes command lines from the specifications: every flag, pairs of flags, spelled in every way that
//! getopt knows, with operands that are there and some that are not.

use std::collections::BTreeMap;

use portcullis_shell_analysis::{FlagRole, FlagValue, SpecifiedFlag, specifications};

use super::{
    pools::{FRAMES, PLANNED, VALUES, places},
    rows::rows,
    scripts::LANGUAGES,
};

/// Random numbers that come again with the same seed (Marsaglia 2003, xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }

    pub(crate) fn pick<'t, T: ?Sized>(&mut self, all: &[&'t T]) -> &'t T {
        all[self.next(all.len())]
    }

    pub(crate) fn chance(&mut self, one_in: usize) -> bool {
        self.next(one_in) == 0
    }
}

/// A program, or one of its subcommands, that is driven.
#[derive(Clone, Debug)]
pub(crate) struct Driven {
    pub(crate) name: String,
    pub(crate) subcommand: Vec<String>,
    pub(crate) flags: Vec<SpecifiedFlag>,
    /// Options that `--help` names and the specification does not.
    pub(crate) unlisted: Vec<String>,
}

/// Everything in the specifications, programs first, and what the plan knows by itself.
pub(crate) fn all() -> Vec<Driven> {
    let mut found: BTreeMap<(String, Vec<String>), Driven> = BTreeMap::new();
    for spec in specifications() {
        for name in spec.names {
            let subcommand: Vec<String> = spec.subcommand.iter().map(|word| (*word).to_owned()).collect();
            let driven = found.entry(((*name).to_owned(), subcommand.clone())).or_insert_with(|| Driven {
                name: (*name).to_owned(),
                subcommand,
                flags: Vec::new(),
                unlisted: Vec::new(),
            });
            for flag in &spec.flags {
                if driven.flags.iter().all(|known| known.name != flag.name) {
                    driven.flags.push(*flag);
                }
            }
        }
    }
    for (name, flags) in PLANNED {
        let key = ((*name).to_owned(), Vec::new());
        let driven = found.entry(key).or_insert_with(|| Driven {
            name: (*name).to_owned(),
            subcommand: Vec::new(),
            flags: Vec::new(),
            unlisted: Vec::new(),
        });
        driven.unlisted.extend(flags.split_ascii_whitespace().map(|flag| {
            let name = flag.trim_end_matches(['=', '?']);
            if name.len() == 1 { format!("-{name}") } else { format!("--{name}") }
        }));
    }
    found.into_values().collect()
}

/// A word as it is typed: quoted where it must be.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-+=./,:@%^~{}*[]".contains(c);
    if word.starts_with('~') && word.chars().all(plain)
        || !word.is_empty() && word.chars().all(plain) && !word.contains('~')
    {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

impl Random {
    /// A row of operands, its places filled.
    fn operands(&mut self, driven: &Driven) -> Vec<String> {
        let rows = rows(&driven.name, &driven.subcommand);
        let row = self.pick(&rows);
        row.split_ascii_whitespace().flat_map(|word| self.fill(word)).collect()
    }

    fn fill(&mut self, word: &str) -> Vec<String> {
        if let Some(language) = LANGUAGES.iter().find(|language| language.place == word) {
            let count = 1 + if self.chance(2) { 0 } else { self.next(4) };
            let pieces: Vec<&str> = (0..count).map(|_| self.pick(language.pieces)).collect();
            if language.between.is_empty() {
                // A whole text of words, each of which may be a place itself.
                let words: Vec<&str> = pieces.iter().flat_map(|piece| split(piece)).collect();
                return words.into_iter().flat_map(|word| self.fill(word)).collect();
            }
            let mut text = String::new();
            for piece in pieces {
                if !text.is_empty() {
                    text.push_str(self.pick(language.between));
                }
                text.push_str(piece);
            }
            return vec![quoted(&text)];
        }
        match places(word) {
            Some(words) if word == "COMMAND" => vec![self.pick(words).to_owned()],
            Some(words) => vec![quoted(self.pick(words))],
            None => vec![if word == "%s\\n" || word == "\\n" { quoted(word) } else { word.to_owned() }],
        }
    }

    fn value(&mut self, flag: &SpecifiedFlag) -> String {
        match flag.role {
            FlagRole::Reads | FlagRole::LooksAt if !self.chance(4) => self.fill("FILE").remove(0),
            _ => {
                let value = self.pick(VALUES);
                if value == "$x" || value == "$(id)" { format!("\"{value}\"") } else { quoted(value) }
            }
        }
    }

    /// One flag as one or two words.
    pub(crate) fn spelled(&mut self, flag: &SpecifiedFlag) -> Vec<String> {
        if flag.name == "#" {
            return vec![format!("-{}", 1 + self.next(20))];
        }
        if flag.name.chars().count() == 1 || flag.name.starts_with('+') {
            let dash = if flag.name.starts_with('+') { "" } else { "-" };
            let name = format!("{dash}{}", flag.name);
            return match flag.value {
                FlagValue::Required if self.chance(2) => vec![name, self.value(flag)],
                FlagValue::Required => vec![format!("{name}{}", self.value(flag))],
                FlagValue::Optional if self.chance(2) => vec![format!("{name}{}", self.value(flag))],
                _ => vec![name],
            };
        }
        let mut name = flag.name;
        if self.chance(6) && name.is_ascii() && name.len() > 3 {
            name = &name[..3 + self.next(name.len() - 3)];
        }
        match flag.value {
            FlagValue::Required if self.chance(2) => vec![format!("--{name}"), self.value(flag)],
            FlagValue::Required => vec![format!("--{name}={}", self.value(flag))],
            FlagValue::Optional if self.chance(2) => vec![format!("--{name}={}", self.value(flag))],
            _ => vec![format!("--{name}")],
        }
    }

    /// A command with these words of flags.
    fn command(&mut self, driven: &Driven, flags: &[Vec<String>]) -> String {
        let mut operands = self.operands(driven);
        let mut words = vec![quoted(&driven.name)];
        words.extend(driven.subcommand.iter().cloned());
        let flags = flags.iter().flatten().cloned();
        match self.next(8) {
            // Behind the operands, between them, before `--`.
            0 => {
                words.append(&mut operands);
                words.extend(flags);
            }
            1 if !operands.is_empty() => {
                words.push(operands.remove(0));
                words.extend(flags);
                words.append(&mut operands);
            }
            2 => {
                words.extend(flags);
                words.push("--".to_owned());
                words.append(&mut operands);
            }
            _ => {
                words.extend(flags);
                words.append(&mut operands);
            }
        }
        words.join(" ")
    }

    /// A command with one flag.
    pub(crate) fn single(&mut self, driven: &Driven, flag: &SpecifiedFlag) -> String {
        let words = self.spelled(flag);
        self.command(driven, &[words])
    }

    /// A command with none to four flags, listed or not.
    pub(crate) fn several(&mut self, driven: &Driven, strange: bool) -> String {
        let count = [0, 1, 2, 2, 2, 2, 3, 4][self.next(8)];
        let mut flags: Vec<Vec<String>> = Vec::new();
        for _ in 0..count {
            if driven.flags.is_empty() || strange && self.chance(2) {
                flags.push(vec![self.strange(driven)]);
            } else {
                let flag = driven.flags[self.next(driven.flags.len())];
                flags.push(self.spelled(&flag));
            }
        }
        // A cluster of short ones.
        if self.chance(3)
            && let [first, second, ..] = flags.as_slice()
            && let ([one], [two, ..]) = (first.as_slice(), second.as_slice())
            && one.len() == 2
            && one.starts_with('-')
            && let Some(rest) = two.strip_prefix('-').filter(|rest| !rest.starts_with('-'))
        {
            let mut joined = vec![format!("{one}{rest}")];
            joined.extend(second.iter().skip(1).cloned());
            flags.splice(0..2, [joined]);
        }
        self.command(driven, &flags)
    }

    /// An option that the specification may not list.
    fn strange(&mut self, driven: &Driven) -> String {
        if !driven.unlisted.is_empty() && !self.chance(3) {
            let option = driven.unlisted[self.next(driven.unlisted.len())].clone();
            return match self.next(4) {
                0 => format!("{option}={}", quoted(self.pick(VALUES))),
                1 => format!("{option} {}", quoted(self.pick(VALUES))),
                _ => option,
            };
        }
        let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#+";
        let letter = char::from(letters[self.next(letters.len())]);
        match self.next(6) {
            0 => format!("+{letter}"),
            1 => format!("-{letter}{}", quoted(self.pick(VALUES))),
            2 => format!("{letter}"),
            _ => format!("-{letter}"),
        }
    }

    /// One or two commands in a construct.
    pub(crate) fn composed(&mut self, commands: &mut dyn FnMut(&mut Self) -> String) -> String {
        let frame = self.pick(FRAMES).replace("DIR", &self.fill("DIR").remove(0));
        let mut text = String::new();
        for (index, piece) in frame.split('@').enumerate() {
            if index > 0 {
                text.push_str(&commands(self));
            }
            text.push_str(piece);
        }
        text
    }

    /// A text with words changed for words of others.
    pub(crate) fn mutated(&mut self, texts: &[String]) -> String {
        let mut words: Vec<String> = texts[self.next(texts.len())].split(' ').map(str::to_owned).collect();
        for _ in 0..=self.next(3) {
            let at = self.next(words.len());
            let other = &texts[self.next(texts.len())];
            let others: Vec<&str> = other.split(' ').collect();
            let word = others[self.next(others.len())].to_owned();
            match self.next(5) {
                0 if words.len() > 1 => {
                    words.remove(at);
                }
                1 => words.insert(at, word),
                2 => words[at] = word,
                3 => words.insert((at + 1).min(words.len()), self.fill("FILE").remove(0)),
                _ => {
                    let second = self.next(words.len());
                    words.swap(at, second);
                }
            }
        }
        words.join(" ")
    }
}

/// Words at blanks, quoted ones whole.
fn split(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut quote) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            '\'' => quote = !quote,
            ' ' if !quote => {
                words.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    words.push(&text[start..]);
    words.into_iter().filter(|word| !word.is_empty()).collect()
}

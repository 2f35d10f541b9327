//! What programs print, as far as others take names of files from it, and what
//! becomes of such names where they are read.

use super::{
    Call, Context, Feed, Names, Planner, Separator, State, Stored,
    listings::{self, zeros},
};
use crate::{Below, Directories, Value, look};

/// How names are taken from a stream.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Taken {
    pub(super) separator: Separator,
    /// Blanks around a name are taken off: `read` without an `IFS=` of its own.
    pub(super) trimmed: bool,
}

impl Planner<'_> {
    /// One of the names, as whoever takes them so gets it. A name may hold a line feed; then a piece of it may be any
    /// path (`a\n/etc/passwd`), and only a resolver knows that there is no such name. Without one names are taken to
    /// be what they are written as.
    pub(super) fn name_of(&self, names: &Names, taken: Taken) -> Value {
        if names.separator != taken.separator {
            return Value::Unknown;
        }
        let mut below = names.below.clone();
        if self.settings.resolver.is_some() {
            let lines = taken.separator == Separator::Line && !names.quoted;
            if lines || taken.trimmed {
                let spelled = match &names.listed {
                    Some(directory) => self.look.spelled_in(directory),
                    None => self.look.spelled_below(&below.directory),
                };
                let safe = spelled
                    .is_some_and(|spelled| !(lines && spelled.line_feed || taken.trimmed && spelled.edged));
                // A path in a tree may begin with a blank, and be absolute behind it.
                let stored = match names.stored.filter(|_| taken.trimmed) {
                    None => true,
                    Some(Stored::Index) => self.indexed(&below).is_some_and(|spelled| !spelled.edged),
                    Some(Stored::Trees) => false,
                };
                if !(safe && stored) {
                    return Value::Unknown;
                }
            }
            if below.dashes {
                let directory = names.listed.as_ref().or(below.from.as_ref()).unwrap_or(&below.directory);
                let there = self.look.spelled_in(directory).is_none_or(|spelled| spelled.dashed);
                below.dashes = there
                    || match names.stored {
                        None => false,
                        Some(Stored::Index) => self.indexed(&below).is_none_or(|spelled| spelled.dashed),
                        Some(Stored::Trees) => true,
                    };
                // That one is there has been seen: it is one of the program's flags as likely as not.
                below.slashes = below.dashes;
            }
        }
        Value::PathBelow(below.into())
    }

    /// How the names in the index are spelled.
    fn indexed(&self, below: &Below) -> Option<look::Spelled> {
        self.look.spelled_in_index(below.from.as_ref().unwrap_or(&below.directory))
    }

    /// What a program prints.
    pub(crate) fn feed_of(
        &self,
        state: &State,
        cx: &Context,
        input: &Feed,
        program: &str,
        call: &Call,
    ) -> Feed {
        let prints = matches!(program, "echo" | "printf" | "find" | "git" | "rg" | "fd" | "ls");
        let read = cx.reach.pipeline || cx.reach.substitution;
        // Others hand on what they are given, if anything, and nobody reads what is printed elsewhere.
        if !read || !(prints || matches!(input, Feed::Names(_))) {
            return Feed::Unknown;
        }
        let words: Option<Vec<&str>> = call.words.iter().skip(1).map(|word| word.value.known()).collect();
        let Some(words) = words else { return Feed::Unknown };
        if let Some(separator) = listings::hands_on(program, &words) {
            return match input {
                Feed::Names(names)
                    if separator.is_none_or(|separator| separator == names.separator)
                        && call.redirections.iter().all(|redirection| redirection.fd != 0) =>
                {
                    input.clone()
                }
                _ => Feed::Unknown,
            };
        }
        if let Some(text) = printed(program, &words).filter(|_| call.redirections.is_empty()) {
            return Feed::Text(text.into());
        }
        let Directories::Known(directories) = &state.directories else { return Feed::Unknown };
        let [directory] = &**directories else { return Feed::Unknown };
        let written = |word: &&str| {
            self.look
                .place(directory, word)
                .is_some_and(|place| place == portcullis_paths::join(directory, word))
        };
        if !words.iter().filter(|word| word.as_bytes().windows(2).any(|pair| pair == b"..")).all(written) {
            return Feed::Unknown;
        }
        let names = match (program, words.as_slice()) {
            ("find", words) => found(words, directory),
            ("git", words) => listings::git(words).map(|listing| Names {
                below: in_repository(&listing, directory),
                separator: listing.separator,
                listed: None,
                quoted: listing.separator == Separator::Line,
                stored: Some(listing.stored),
            }),
            ("rg" | "fd", words) => searched(program, words, directory),
            ("ls", words) if listings::ls(words) => Some(Names {
                below: bare(directory),
                separator: Separator::Line,
                listed: Some(
                    words
                        .iter()
                        .find(|word| !word.starts_with('-'))
                        .map_or_else(|| directory.clone(), |word| portcullis_paths::join(directory, word)),
                ),
                quoted: false,
                stored: None,
            }),
            _ => None,
        };
        names.map_or(Feed::Unknown, |names| Feed::Names(names.into()))
    }
}

fn bare(directory: &str) -> Below {
    Below { from: Some(directory.to_owned()), dashes: true, ..Below::new(directory) }
}

/// Every name begins with one of the paths that git is told to keep to.
fn in_repository(listing: &listings::Listing<'_>, directory: &str) -> Below {
    let mut below = bare(directory);
    let above = !listing.relative && directory.split('/').any(|part| part.starts_with('-'));
    if !listing.paths.is_empty() && !above && listing.paths.iter().all(|path| listings::begins(path)) {
        below.dashes = false;
        if let ([path], true) = (&*listing.paths, listing.relative) {
            below.directory = portcullis_paths::join(directory, path);
        }
    }
    below
}

/// Names that `find` prints: its start point stands in front of each.
fn found(words: &[&str], directory: &str) -> Option<Names> {
    let mut rest = words.iter().skip_while(|word| leads_find(word)).peekable();
    let mut below = Below::new(directory);
    let expression = |word: &str| word.starts_with(['-', '(', ')', '!', ',']);
    if let Some(start) = rest.next_if(|word| !expression(word)) {
        below.directory = start_point(directory, start)?;
    }
    let expression_words: Vec<&str> = rest.copied().collect();
    let first = expression_words.first();
    if first.is_some_and(|word| !expression(word))
        || expression_words.iter().any(|word| PRINTING.contains(word))
    {
        return None;
    }
    let nul = expression_words.contains(&"-print0");
    if nul && expression_words.contains(&"-print") {
        return None;
    }
    below = chosen(&expression_words, below);
    let separator = if nul { Separator::Nul } else { Separator::Line };
    Some(Names { below, separator, listed: None, quoted: false, stored: None })
}

/// Actions of `find` that print something else, or run what may.
const PRINTING: &[&str] =
    &["-printf", "-exec", "-execdir", "-ok", "-okdir", "-ls", "-fprintf", "-files0-from"];

/// What the tests of `find` in front of its first action say of the files: only where all of them have to hold.
pub(super) fn chosen(expression: &[&str], mut below: Below) -> Below {
    let branches =
        |word: &&str| matches!(*word, "-o" | "-or" | "!" | "-not" | "," | "-L" | "-follow" | "-xtype");
    if expression.iter().any(branches) {
        return below;
    }
    for pair in expression.windows(2) {
        match pair {
            ["-print" | "-print0" | "-exec" | "-execdir" | "-ok" | "-okdir" | "-prune" | "-quit", _] => break,
            ["-type", "f"] => below.files = true,
            ["-name", pattern] => below.named = Some((*pattern).to_owned()),
            _ => {}
        }
    }
    below
}

/// Names that `rg` and `fd` print. Neither lists links that it comes to, `fd` only where it is told to list files.
fn searched(program: &str, words: &[&str], directory: &str) -> Option<Names> {
    let (operands, patterns) = listings::searched(program, words)?;
    let mut paths = operands.into_iter().skip(patterns);
    let mut below = match (paths.next(), paths.next()) {
        (None, _) => bare(directory),
        (Some(path), None) if !path.starts_with('-') => Below::new(start_point(directory, path)?),
        _ => return None,
    };
    below.files = program == "rg" || listings::only_files(words);
    let nul = zeros(words, listings::VALUED, "0", &["--null", "--print0"]);
    let separator = if nul { Separator::Nul } else { Separator::Line };
    Some(Names { below, separator, listed: None, quoted: false, stored: None })
}

/// Where names begin; one with blanks around it or a line feed in it would not come back from a stream.
fn start_point(directory: &str, start: &str) -> Option<String> {
    (!start.contains('\n') && !look::edged(start)).then(|| portcullis_paths::join(directory, start))
}

/// Options of `find` that stand before its start points; `-D` takes a value and is not among them.
pub(super) fn leads_find(word: &str) -> bool {
    matches!(word, "-H" | "-L" | "-P" | "--" | "-O0" | "-O1" | "-O2" | "-O3")
}

/// What `echo` and `printf` print, where shells agree on it.
pub(super) fn printed(program: &str, words: &[&str]) -> Option<String> {
    let words = match (program, words) {
        ("echo", ["-n", rest @ ..]) => rest,
        ("printf", ["%s" | "%s\\n", text]) => return Some((*text).to_owned()),
        ("printf", [text]) if !text.contains('%') && !text.starts_with('-') => return formatted(text),
        ("echo", _) => words,
        _ => return None,
    };
    let plain = !words.first().is_some_and(|word| word.starts_with('-'));
    (plain && words.iter().all(|word| !word.contains('\\'))).then(|| words.join(" "))
}

/// A format of `printf` without conversions, where it has no escapes but those for a line feed and a tabulator.
fn formatted(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        plain.push(match char {
            '\\' => match rest.next()? {
                'n' => '\n',
                't' => '\t',
                _ => return None,
            },
            char => char,
        });
    }
    Some(plain)
}

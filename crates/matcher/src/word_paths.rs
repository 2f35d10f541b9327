//! The paths that a word could be where nobody knows what the program does with it: the word itself, and what stands in
//! it between marks that programs put around names (`--file=PATH`, `@PATH`, `HOST:PATH`, `PATH#LABEL`, `A,PATH`).

use portcullis_paths::{Resolver, join, three_paths};
use portcullis_shell_analysis::{Below, Directories, Effect, EffectKind, Invocation, Value};

use crate::facts::is_lost;
use crate::glob::{Component, PathGlob};
use crate::paths::PathPattern;

/// Marks that programs put around names.
const MARKS: [char; 8] = ['=', ':', ',', '@', '#', '+', ';', '!'];

/// More of them, in words that are no prose.
const QUOTES: [char; 13] = ['|', '<', '>', '&', '(', ')', '[', ']', '{', '}', '\'', '"', '`'];

/// Some file in the working directory, whatever its name is: of a program without words, too, nobody can say which files
/// it reads or writes. Rules for all of them match it (`Edit(**)`), those for certain ones do not.
const UNNAMED: &str = "\x7f";

/// What a word that is not known matches.
#[derive(Clone, Debug)]
pub(crate) struct WordGlob {
    pub(crate) glob: PathGlob,
    /// Its wildcards match a leading dot.
    dots: bool,
    /// It matches at any depth.
    deep: bool,
}

impl WordGlob {
    /// Whether a rule with this pattern restricts something that the word matches.
    pub(crate) fn may_be_restricted(&self, pattern: &PathPattern) -> bool {
        if self.deep {
            pattern.may_name(&self.glob, self.dots)
        } else {
            pattern.may_restrict(&self.glob, self.dots)
        }
    }
}

/// What an invocation does with its words is not all known.
pub(crate) fn is_open(invocation: &Invocation) -> bool {
    let open = |effect: &Effect| {
        matches!(effect.kind, EffectKind::Opaque(_) | EffectKind::Execute(_) | EffectKind::System)
    };
    !invocation.specified || invocation.effects.iter().any(open)
}

/// What the words of an invocation could name.
#[derive(Debug, Default)]
pub(crate) struct Words {
    /// Paths, in all readings.
    pub(crate) paths: Vec<String>,
    /// One of them may lead anywhere.
    pub(crate) lost: bool,
    pub(crate) globs: Vec<WordGlob>,
}

impl Words {
    /// Nothing where all that the invocation does with its words is known.
    pub(crate) fn of<'a>(
        invocation: &'a Invocation,
        resolver: Option<&dyn Resolver>,
        heard: &mut Heard<'a>,
    ) -> Self {
        let mut found = Self::default();
        if !is_open(invocation) {
            return found;
        }
        found.add(invocation, UNNAMED, None);
        for word in invocation.words.iter().skip(1) {
            if let Value::Glob(glob) = &word.value {
                found.add(invocation, &glob.prefix, resolver);
            }
            for text in word.value.candidates().unwrap_or_default() {
                found.add(invocation, text, resolver);
            }
        }
        found.globs = word_globs(invocation);
        heard.add(invocation, resolver, &mut found);
        found
    }

    fn add(&mut self, invocation: &Invocation, text: &str, resolver: Option<&dyn Resolver>) {
        for (directory, text) in places_of_text(invocation, text) {
            let paths = three_paths(text, directory, resolver);
            self.lost |= is_lost(invocation, &paths);
            self.paths.extend(paths.iter().map(str::to_owned));
        }
    }
}

/// The paths that a word's text could be, in each of the invocation's directories.
pub(crate) fn paths_of_text<'t>(
    invocation: &'t Invocation,
    text: &'t str,
) -> impl Iterator<Item = String> + 't {
    places_of_text(invocation, text).map(|(directory, text)| join(directory, text))
}

/// The same, each as the directory that it is relative to and what it is there.
fn places_of_text<'t>(
    invocation: &'t Invocation,
    text: &'t str,
) -> impl Iterator<Item = (&'t str, &'t str)> + 't {
    names_in(text)
        .filter(|text| !text.is_empty() && !text.contains('\0'))
        .flat_map(move |text| directories(invocation).iter().map(move |directory| (directory.as_str(), text)))
}

fn directories(invocation: &Invocation) -> &[String] {
    match &invocation.directories {
        Directories::Known(directories) => directories,
        Directories::Unknown => &[],
    }
}

/// What could be a name in a text: all of it, what is glued to an option, and what stands between marks.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let option = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    let glued = option.and_then(|rest| rest.get(rest.chars().next()?.len_utf8()..));
    // `-include.env`, `-I/x`: an option of several letters.
    let named = option.and_then(|rest| rest.get(rest.find(['.', '/', '~', '_'])?..));
    let behind = text.split_once('=').map(|(_, value)| value.trim_start_matches('@'));
    let prose = text.contains([' ', '\t', '\n']);
    let mark = move |c: char| MARKS.contains(&c) || !prose && QUOTES.contains(&c);
    let parts = text.contains(mark).then(|| text.split(mark)).into_iter().flatten();
    // `file://PATH` is taken off by programs that mean a path of their directory, and by others that mean one of the root.
    let address = text.split_once("://").map(|(_, path)| path);
    // A command of an editor, or of TeX, and what it is about.
    let commanded = text.starts_with(['+', '\\']).then(|| text.split_ascii_whitespace().skip(1));
    let commanded = commanded.into_iter().flatten();
    std::iter::once(text).chain(behind).chain(glued).chain(named).chain(address).chain(commanded).chain(parts)
}

/// What the words match that are patterns, or names that another program printed.
fn word_globs(invocation: &Invocation) -> Vec<WordGlob> {
    let mut globs = Vec::new();
    let anywhere = invocation.directories == Directories::Unknown;
    for word in invocation.words.iter().skip(1) {
        if anywhere {
            for text in word.value.candidates().unwrap_or_default() {
                globs.extend(names_in(text).filter_map(|name| somewhere(&quoted(name))));
            }
        }
        match &word.value {
            Value::Glob(glob) if anywhere => {
                globs.extend(patterns_in(&glob.pattern).filter_map(somewhere));
            }
            Value::Glob(glob) => {
                for text in patterns_in(&glob.pattern) {
                    for directory in directories(invocation) {
                        shell_globs(directory, text, &mut globs);
                    }
                }
            }
            Value::PathBelow(below) => globs.push(below_glob(below)),
            _ => {}
        }
    }
    globs
}

/// A pattern, and what stands behind marks in it: programs take those apart too.
fn patterns_in(pattern: &str) -> impl Iterator<Item = &str> {
    let marks = pattern.char_indices().filter(|(_, c)| MARKS.contains(c));
    // A mark in a class is none.
    let open = pattern.find('[').unwrap_or(pattern.len());
    let behind = marks.take_while(move |(at, _)| *at < open).filter_map(|(at, _)| pattern.get(at + 1..));
    std::iter::once(pattern).chain(behind).filter(|text| !text.is_empty())
}

/// A pattern of the shell is one name a component. Where it finds nothing the program gets the pattern, and may read
/// `**` as any number of directories.
fn shell_globs(directory: &str, pattern: &str, globs: &mut Vec<WordGlob>) {
    let base = if pattern.starts_with('/') { "" } else { directory };
    let single = pattern.replace("**", "*");
    for (text, deep) in [(single.as_str(), false), (pattern, true)] {
        if deep && single == pattern {
            continue;
        }
        match PathGlob::parse(base, text, true) {
            Ok(mut glob) => {
                for alternative in &mut glob.alternatives {
                    if alternative.last() == Some(&Component::Deep) {
                        alternative.extend(Component::parse("*", true));
                    }
                }
                globs.push(WordGlob { glob, dots: false, deep });
            }
            Err(_) => globs.push(WordGlob { glob: everything(base), dots: false, deep: true }),
        }
    }
}

/// A relative pattern in a directory that is not known.
fn somewhere(pattern: &str) -> Option<WordGlob> {
    let pattern = pattern.rsplit_once("../").map_or(pattern, |(_, rest)| rest);
    if pattern.starts_with('/') || matches!(pattern, "" | "." | ".." | "./") {
        return None;
    }
    let glob = PathGlob::parse("", &format!("/**/{pattern}"), true).unwrap_or_else(|_| everything(""));
    Some(WordGlob { glob, dots: false, deep: true })
}

/// A pattern that this text alone matches.
fn quoted(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

fn below_glob(below: &Below) -> WordGlob {
    let named = below.named.as_deref().and_then(|named| {
        let last = Component::parse(named, true).ok()?;
        let mut glob = everything(&below.directory);
        glob.alternatives.iter_mut().for_each(|alternative| alternative.push(last.clone()));
        Some(glob)
    });
    WordGlob { glob: named.unwrap_or_else(|| everything(&below.directory)), dots: true, deep: true }
}

/// Anything below a directory.
fn everything(directory: &str) -> PathGlob {
    PathGlob::parse(directory, "**", true).unwrap_or(PathGlob { alternatives: vec![vec![Component::Deep]] })
}

/// What the words of a text name that another word may have got from there: the items of a loop, what is printed for
/// `xargs`, what a variable was given.
pub(crate) struct Heard<'a> {
    tokens: Vec<&'a str>,
    seen: Vec<(&'a Directories, bool, usize)>,
}

impl<'a> Heard<'a> {
    /// For this many invocations of a kind in one directory; more would tell nothing else.
    const MOST: usize = 2;
    /// Directories, with what may be done there.
    const KINDS: usize = 16;
    /// Words of a text.
    const TOKENS: usize = 4_096;

    pub(crate) fn new(text: &'a str) -> Self {
        let ends = |c: char| c.is_whitespace() || ";&|<>(){}'\"`$".contains(c);
        let tokens = text.split(ends).filter(|token| token.len() > 1 || token.contains('*'));
        Self { tokens: tokens.collect(), seen: Vec::new() }
    }

    /// Adds them to the paths and patterns of an invocation that has a word of which nothing is known.
    fn add(&mut self, invocation: &'a Invocation, resolver: Option<&dyn Resolver>, words: &mut Words) {
        let unknown = invocation.words.iter().skip(1).any(|word| word.value == Value::Unknown);
        if !unknown || !may_run(invocation) {
            return;
        }
        let kind = (&invocation.directories, invocation.specified);
        let known =
            self.seen.iter_mut().find(|(directories, specified, _)| (*directories, *specified) == kind);
        if let Some((_, _, count)) = known {
            if *count >= Self::MOST {
                return;
            }
            *count += 1;
        } else if self.seen.len() >= Self::KINDS || self.tokens.len() > Self::TOKENS {
            // Too much to look at: anything may be meant.
            words.globs.push(WordGlob { glob: everything(""), dots: true, deep: true });
            return;
        } else {
            self.seen.push((kind.0, kind.1, 1));
        }
        for token in &self.tokens {
            if token.contains(['*', '?', '[']) {
                for directory in directories(invocation) {
                    patterns_in(token).for_each(|pattern| shell_globs(directory, pattern, &mut words.globs));
                }
                if invocation.directories == Directories::Unknown {
                    words.globs.extend(patterns_in(token).filter_map(somewhere));
                }
            } else {
                words.add(invocation, token, resolver);
            }
        }
    }
}

/// It runs what nobody specified.
pub(crate) fn may_run(invocation: &Invocation) -> bool {
    !invocation.specified
        || invocation.effects.iter().any(|effect| matches!(effect.kind, EffectKind::Execute(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_between_marks() {
        for text in [
            ".env",
            "-f.env",
            "-include.env",
            "--f=.env",
            "--f=k=.env",
            "f=@.env",
            "@.env",
            "+.env",
            "a,.env",
            ".env#x y",
            "label:@.env",
            "HEAD:.env",
            ".env:ro",
            "type=bind,src=.env,dst=/x",
            "[.env]",
            "'.env'",
            "(.env)",
            ">.env",
            "k=.env;x",
            "!.env",
        ] {
            assert!(names_in(text).any(|name| name == ".env"), "{text}");
        }
        for text in ["fix (.env)", "see .env", "a.env", ".envrc", "x/.env", "--env"] {
            assert!(!names_in(text).any(|name| name == ".env"), "{text}");
        }
    }

    #[test]
    fn patterns_stand_behind_marks() {
        let found = |text| patterns_in(text).collect::<Vec<_>>();
        assert_eq!(found("--x=.e*"), ["--x=.e*", ".e*"]);
        assert_eq!(found("HEAD:.e*"), ["HEAD:.e*", ".e*"]);
        assert_eq!(found(".[=e=]nv"), [".[=e=]nv"]);
    }

    #[test]
    fn words_stand_anywhere_in_a_text() {
        let heard = Heard::new("for f in .e* 'a b'; do x=$(y z.txt)\ndone");
        for token in [".e*", "z.txt", "for"] {
            assert!(heard.tokens.contains(&token), "{token}");
        }
    }
}

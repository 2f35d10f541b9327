//! Which names the tests of an expression let through.

use std::cell::OnceCell;

use crate::{Directories, programs::Build};

/// The most names that are told apart.
const MOST_NAMES: usize = 64;

/// The patterns one of which the name of whatever gets this far matches: an expression is read from the left, `-o`
/// begins an alternative, and only the last part of a list with commas has its value (findutils manual 2.11).
#[derive(Default)]
pub(super) struct Names {
    /// The groups that are open, outermost first.
    groups: Vec<Group>,
    last: Group,
    negated: bool,
    /// What [`Names::can_be_said`] found.
    said: OnceCell<bool>,
    /// How many names have been told apart so far; from [`MOST_NAMES`] on, none any more.
    pub(super) told: usize,
}

#[derive(Default)]
struct Group {
    /// Of the alternatives before this one; none when one of them lets through any name.
    before: Option<Vec<String>>,
    alternatives: bool,
    /// Of this alternative.
    names: Option<Vec<String>>,
    /// `!` stands before the group.
    negated: bool,
}

impl Group {
    /// What the whole group lets through.
    fn all(self) -> Option<Vec<String>> {
        match (self.negated, self.alternatives, self.names, self.before) {
            (false, false, names, _) => names,
            (false, true, Some(names), Some(before)) => both(before, names),
            _ => None,
        }
    }
}

impl Names {
    /// One word of the expression and the one behind it.
    pub(super) fn read(&mut self, text: &str, argument: Option<&str>) {
        match text {
            "(" => {
                if self.groups.len() >= MOST_NAMES {
                    self.told = MOST_NAMES;
                }
                self.groups.push(std::mem::take(&mut self.last));
                self.last.negated = std::mem::take(&mut self.negated);
            }
            ")" => {
                let inner = std::mem::replace(&mut self.last, self.groups.pop().unwrap_or_default()).all();
                self.last.names = self.last.names.take().or(inner);
            }
            "-o" | "-or" => {
                let names = self.last.names.take();
                let before = self.last.before.take();
                self.last.before = match (self.last.alternatives, names, before) {
                    (false, names, _) => names,
                    (true, Some(names), Some(before)) => both(before, names),
                    (true, _, _) => None,
                };
                self.last.alternatives = true;
            }
            "," => self.last = Group { negated: self.last.negated, ..Group::default() },
            "!" | "-not" => self.negated = !self.negated,
            "-a" | "-and" => {}
            _ => {
                let pattern = argument.filter(|_| matches!(text, "-name" | "-iname") && !self.negated);
                let pattern = pattern.and_then(|pattern| plain(pattern, text == "-iname"));
                self.last.names = self.last.names.take().or(pattern.map(|pattern| vec![pattern]));
                self.negated = false;
            }
        }
    }

    /// Whether what lies below the starts can be said by its name. `.` itself has no name that a test could let through,
    /// another start may be a file; and only where nothing was changed into and no link is followed is what lies
    /// below it what is called so.
    pub(super) fn can_be_said(&self, build: &Build<'_>, starts: &[&crate::Argument]) -> bool {
        *self.said.get_or_init(|| {
            let cwd = build.settings.cwd;
            let here = matches!(build.directories(), Directories::Known(all) if all.iter().eq([cwd]));
            let plain = !cwd.ends_with('/') && !cwd.contains(['*', '?', '[', '{', '(', '\\']);
            let dots = starts.iter().all(|start| matches!(start.value.known(), Some("." | "./")));
            let follows = build.words.iter().any(|word| matches!(word.value.known(), Some("-L" | "-follow")));
            here && plain && dots && !follows
        })
    }

    /// Those of the innermost part of the expression that has any.
    pub(super) fn here(&self) -> Option<&[String]> {
        if self.told >= MOST_NAMES {
            return None;
        }
        let names = self.last.names.as_ref();
        names.or_else(|| self.groups.iter().rev().find_map(|group| group.names.as_ref())).map(Vec::as_slice)
    }
}

/// Names of two alternatives; more than a few say no more than that anything may go.
fn both(mut before: Vec<String>, mut names: Vec<String>) -> Option<Vec<String>> {
    before.append(&mut names);
    (before.len() <= MOST_NAMES).then_some(before)
}

/// A pattern that means the same everywhere and leaves most names out; in either case, if asked for.
fn plain(pattern: &str, any_case: bool) -> Option<String> {
    let known = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '-' | '*' | '?');
    if !pattern.chars().all(known) || !pattern.contains(char::is_alphanumeric) {
        return None;
    }
    let both = |letter: char| match (letter.is_ascii_alphabetic(), letter.is_ascii()) {
        (true, _) => format!("[{}{}]", letter.to_ascii_lowercase(), letter.to_ascii_uppercase()),
        (_, true) => letter.to_string(),
        _ => "?".to_owned(),
    };
    Some(if any_case { pattern.chars().map(both).collect() } else { pattern.to_owned() })
}

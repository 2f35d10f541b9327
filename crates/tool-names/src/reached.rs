//! What a search or a reading in bulk reaches beside the paths that it names.

use crate::pattern::{base_of, is_absolute, is_glob, leaves_base};

/// Everything below a directory.
const ALL: &str = "**";

/// What a pattern matches below a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// A path, as it stands in the arguments.
    pub base: String,
    /// A pattern for what lies below it, hidden names included and in any case of letters; when empty, the path itself.
    pub pattern: String,
}

impl Reached {
    fn new(base: impl Into<String>, pattern: impl Into<String>) -> Self {
        Self { base: base.into(), pattern: pattern.into() }
    }

    /// Everything below a path.
    pub(crate) fn all(base: &str) -> Self {
        Self::new(base, ALL)
    }

    /// What a pattern can match that hosts join to one of `bases`; `None` when it may be anything.
    pub(crate) fn by(bases: &[String], pattern: &str) -> Option<Vec<Self>> {
        let drive = pattern.get(1..3) == Some(":\\") || pattern.starts_with("\\\\");
        let folded = if drive { &pattern.replace('\\', "/") } else { pattern };
        if !says_one_thing(folded) {
            return (!leaves_base(pattern)).then(|| bases.iter().map(|base| Self::all(base)).collect());
        }
        let (inner, rest) = base_of(folded)?;
        if is_absolute(pattern) {
            return Some(vec![Self::new(inner, rest)]);
        }
        // Some hosts search for a name alone at any depth.
        let floats = !pattern.contains('/');
        let found = bases.iter().flat_map(|base| {
            let inside = below(base, inner);
            let deep = floats.then(|| Self::new(base, format!("**/{pattern}")));
            deep.into_iter().chain([Self::new(inside, rest)])
        });
        Some(found.collect())
    }
}

/// A path below another.
pub(crate) fn below(base: &str, inner: &str) -> String {
    match (base, inner) {
        (base, ".") => base.to_owned(),
        (".", inner) => inner.to_owned(),
        (base, inner) => format!("{base}/{inner}"),
    }
}

/// Whether every reader of globs takes a pattern for the same: it is no negation, no list, and has none of the forms
/// that only some know (`@(a|b)`, `{a}`, a backslash).
fn says_one_thing(pattern: &str) -> bool {
    let strange = pattern.is_empty() || pattern.starts_with('!') || pattern.contains(['\\', '\n']);
    !(strange || is_extended(pattern) || pattern.contains("[[")) && braces_are_choices(pattern)
}

/// Whether it has a form of the extended patterns of shells.
fn is_extended(pattern: &str) -> bool {
    ["@(", "!(", "+(", "*(", "?("].iter().any(|open| pattern.contains(open))
}

/// Whether braces come in pairs with a comma in each, and commas stand nowhere else.
fn braces_are_choices(pattern: &str) -> bool {
    let mut open: Vec<bool> = Vec::new();
    for character in pattern.chars() {
        match (character, open.last_mut()) {
            ('{', _) => open.push(false),
            (',', Some(chosen)) => *chosen = true,
            ('}', Some(true)) => drop(open.pop()),
            (',' | '}', _) => return false,
            _ => {}
        }
    }
    open.is_empty()
}

/// What a path or glob of a list of files to read reaches: a directory is read with everything in it.
pub(crate) fn listed(path: &str) -> Option<Vec<Reached>> {
    if is_glob(path) || is_extended(path) {
        Reached::by(&[".".to_owned()], path)
    } else {
        Some(vec![Reached::all(path)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(pattern: &str) -> Option<Vec<String>> {
        let found = Reached::by(&["d".to_owned()], pattern)?;
        Some(found.into_iter().map(|Reached { base, pattern }| format!("{base} + {pattern}")).collect())
    }

    #[test]
    fn patterns_are_joined_to_what_they_match_below() {
        let some = |all: &[&str]| Some(all.iter().map(|&one| one.to_owned()).collect::<Vec<_>>());
        assert_eq!(by("src/*.rs"), some(&["d/src + *.rs"]));
        assert_eq!(by("*.rs"), some(&["d + **/*.rs", "d + *.rs"]));
        assert_eq!(by("**/x"), some(&["d + **/x"]));
        assert_eq!(by("{a,b/c}/*"), some(&["d + {a,b/c}/*"]));
        assert_eq!(by("/srv/*.rs"), some(&["/srv + *.rs"]));
        assert_eq!(by("../x/y.rs"), some(&["d/../x/y.rs + "]));
        assert_eq!(by(".env"), some(&["d + **/.env", "d/.env + "]));
        assert_eq!(by("C:\\x\\*.rs"), some(&["C:/x + *.rs"]));
    }

    #[test]
    fn patterns_that_are_read_in_several_ways_match_everything() {
        for pattern in ["!src/**", "@(a|b)/*", "{a}/*", "a{b/*", "a,b", "a\\*", "a\n", "[[:alpha:]]*", ""] {
            assert_eq!(by(pattern), Some(vec!["d + **".to_owned()]), "{pattern}");
        }
        for pattern in ["*/../../x*", "{a,/etc}/*", "{a..b}/x", "~{a}/*", "../@(x)/*"] {
            assert_eq!(by(pattern), None, "{pattern}");
        }
    }
}

//! One row of a table, taken apart.

use std::sync::OnceLock;

use globset::{Glob, GlobBuilder, GlobMatcher};

use crate::{expand_home, fold_case, is_absolute, normalize};

/// A row.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// As it was written, without `!`, `~` expanded.
    pub(super) text: String,
    /// An exception to the rows before it.
    pub(super) exception: bool,
    /// `/` or `c:/` for an absolute one, folded; `None` stands at any depth.
    pub(super) root: Option<String>,
    /// The components, folded, without a final `**`.
    pub(super) parts: Vec<Part>,
    /// Ended with `**`: covers what lies below as well.
    pub(super) below: bool,
}

/// A glob that has been parsed, so that a bad one is an error at once. It is compiled when the first path
/// meets it, which for most rows is never.
#[derive(Clone, Debug)]
pub(super) struct LazyGlob {
    glob: Glob,
    matcher: OnceLock<GlobMatcher>,
}

impl LazyGlob {
    pub(super) fn new(text: &str) -> Result<Self, globset::Error> {
        let glob = GlobBuilder::new(text).literal_separator(true).build()?;
        Ok(Self { glob, matcher: OnceLock::new() })
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.matcher.get_or_init(|| self.glob.compile_matcher()).is_match(text)
    }
}

/// One component.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// This name.
    Literal(String),
    /// `*`
    Any,
    /// `**`
    AnyDepth,
    /// Any other glob: its text and what matches it.
    Glob(String, Box<LazyGlob>),
}

impl Part {
    fn new(text: &str) -> Result<Self, globset::Error> {
        Ok(match text {
            "*" => Self::Any,
            "**" => Self::AnyDepth,
            _ => match unescaped(text) {
                Some(name) => Self::Literal(name),
                None => Self::Glob(text.to_owned(), Box::new(LazyGlob::new(text)?)),
            },
        })
    }

    pub(super) fn literal(&self) -> Option<&str> {
        match self {
            Self::Literal(name) => Some(name),
            _ => None,
        }
    }

    /// Whether one component fits; `**` is the caller's.
    pub(super) fn matches(&self, name: &str) -> bool {
        match self {
            Self::Literal(text) => name == text,
            Self::Any => !name.is_empty(),
            Self::AnyDepth => false,
            Self::Glob(_, glob) => glob.is_match(name),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Literal(text) => globset::escape(text),
            Self::Glob(text, _) => text.clone(),
            Self::Any => "*".to_owned(),
            Self::AnyDepth => "**".to_owned(),
        }
    }
}

impl Pattern {
    /// Takes a row apart. Without a home directory a `~/x` stands at any depth, so that nothing is lost.
    pub(super) fn new(row: &str, home: Option<&str>) -> Result<Self, globset::Error> {
        let (exception, text) = match row.strip_prefix('!') {
            Some(text) => (true, text),
            None => (false, row),
        };
        let text = match (text.strip_prefix("~/"), home) {
            (Some(rest), None) => rest.to_owned(),
            // Characters of globs in the home directory's own name are no globs.
            (Some(rest), Some(home)) => format!("{}/{rest}", globset::escape(home.trim_end_matches('/'))),
            (None, _) => expand_home(text, home),
        };
        let (below, stem) = match text.strip_suffix("/**") {
            Some(stem) => (true, stem),
            None => (text.ends_with('/'), text.trim_end_matches('/')),
        };
        let stem = if is_absolute(stem) || stem.is_empty() {
            normalize(&format!("{stem}/"))
        } else {
            stem.to_owned()
        };
        let folded = fold_case(&stem);
        let (root, rest) = if folded.starts_with(r"\\") {
            (Some(r"\\".to_owned()), folded.get(2..).unwrap_or_default())
        } else if is_absolute(&folded) {
            let cut = folded.find('/').map_or(0, |slash| slash + 1);
            (folded.get(..cut).map(str::to_owned), folded.get(cut..).unwrap_or_default())
        } else {
            (None, &*folded)
        };
        let rest = rest.trim_start_matches("./");
        let names = rest.split('/').filter(|name| !name.is_empty());
        // A leading `**/` says "at any depth", which a relative row does by itself.
        let names: Vec<_> =
            if root.is_none() { names.skip_while(|name| *name == "**").collect() } else { names.collect() };
        let parts = names.into_iter().map(Part::new).collect::<Result<_, _>>()?;
        Ok(Self { text, exception, root, parts, below })
    }

    /// The row as one glob over folded absolute paths.
    pub(super) fn as_glob(&self) -> String {
        let mut glob = self.root.clone().unwrap_or_else(|| "**/".to_owned());
        for (index, part) in self.parts.iter().enumerate() {
            if index > 0 {
                glob.push('/');
            }
            glob.push_str(&part.text());
        }
        if self.below { format!("{{{glob},{glob}/**}}") } else { glob }
    }
}

/// The name that a component stands for when no glob is alive in it: plain text, and `[*]` as
/// `globset::escape` writes a `*`.
fn unescaped(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find(['*', '?', '[', '{', '}', '\\']) {
        let (before, behind) = rest.split_at(open);
        plain.push_str(before);
        let mut characters = behind.chars();
        match (characters.next(), characters.next(), characters.next()) {
            (Some('['), Some(inner), Some(']')) if !matches!(inner, '!' | '^') => plain.push(inner),
            _ => return None,
        }
        rest = characters.as_str();
    }
    plain.push_str(rest);
    Some(plain)
}

//! What a word is known to be when the command runs.

use std::sync::Arc;

use crate::Text;

/// A word's value, as far as the text tells. Texts are shared: a value is copied for every loop round, branch and
/// launcher that it passes, and most are short: what is larger is behind a pointer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Value {
    /// Exactly this.
    Known(Text),
    /// One of these (brace expansion gives separate arguments instead; this is for loop items).
    OneOf(Vec<Text>),
    /// File names that match, or the pattern itself when none does.
    Glob(Arc<GlobPattern>),
    /// An unknown path below a directory: a name that another program printed.
    PathBelow(Arc<Below>),
    /// Anything.
    Unknown,
}

impl Value {
    /// The text when it is the only one possible.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        match self {
            Self::Known(text) => Some(text),
            _ => None,
        }
    }

    /// Every text it can be, when those are counted.
    #[must_use]
    pub fn candidates(&self) -> Option<&[Text]> {
        match self {
            Self::Known(text) => Some(std::slice::from_ref(text)),
            Self::OneOf(texts) => Some(texts),
            _ => None,
        }
    }
}

/// An unquoted glob. `pattern` has quoted characters escaped by a backslash; `prefix` is the literal text
/// before the first glob character, which every match begins with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GlobPattern {
    /// In bash's pattern language. Of several slashes that stand behind a wildcard, what it becomes has one (seen in
    /// bash 5.2: `s*//in` becomes `src/in`), unless nothing matches.
    pub pattern: Text,
    /// Literal text at the start.
    pub prefix: Text,
}

/// Names below a directory, one of which a word is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Below {
    /// Absolute. That they are below it is said of the names: a link may be among them.
    pub directory: String,
    /// The directory that they are written from, when that is the same for all and known.
    pub from: Option<String>,
    /// One may begin with a dash.
    pub dashes: bool,
    /// One that begins with a dash may have a slash in it, so that as an option it may name any file; or one that begins
    /// with a dash has been seen.
    pub slashes: bool,
    /// Only regular files are among them, no links.
    pub files: bool,
    /// What the last component of each matches, in the language of `find -name`.
    pub named: Option<String>,
}

impl Below {
    /// Anything below `directory`, no name with a leading dash.
    #[must_use]
    pub fn new(directory: impl Into<String>) -> Self {
        Self {
            directory: directory.into(),
            from: None,
            dashes: false,
            slashes: false,
            files: false,
            named: None,
        }
    }
}

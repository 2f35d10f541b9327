//! Texts that are parts of other texts: most words stand in the analysed text as they are, so that a word costs no
//! memory of its own, in the tree and in every place that its value comes to.

use std::{
    borrow::{Borrow, Cow},
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    ops::Deref,
    sync::Arc,
};

/// A text that is cheap to copy: a part of a shared one, or one that the program has. It keeps the whole text that it
/// is a part of.
///
/// ```
/// use portcullis_shell_analysis::Text;
///
/// let text = Text::from("git status");
/// assert_eq!(text.split(' ').next(), Some("git"));
/// assert_eq!(text, "git status");
/// ```
#[derive(Clone)]
pub struct Text(Kind);

#[derive(Clone)]
enum Kind {
    Static(&'static str),
    /// `start..end` of `whole`; an end of [`OPEN`] is that of `whole`.
    Part {
        whole: Arc<str>,
        start: u32,
        end: u32,
    },
}

/// No end of its own; texts that parts are taken of are shorter (at most 1 MiB).
const OPEN: u32 = u32::MAX;

impl Text {
    /// A text that needs no memory.
    #[must_use]
    pub const fn from_static(text: &'static str) -> Self {
        Self(Kind::Static(text))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Kind::Static(text) => text,
            Kind::Part { whole, start: 0, end: OPEN } => whole,
            Kind::Part { whole, start, end: OPEN } => whole.get(*start as usize..).unwrap_or_default(),
            Kind::Part { whole, start, end } => whole.get(*start as usize..*end as usize).unwrap_or_default(),
        }
    }

    /// Its bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Kind::Static(text) => text.len(),
            Kind::Part { whole, start, end: OPEN } => whole.len().saturating_sub(*start as usize),
            Kind::Part { start, end, .. } => end.saturating_sub(*start) as usize,
        }
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// `part`, which is a slice of this text; copied when it is not.
    #[must_use]
    pub fn part(&self, part: &str) -> Self {
        match &self.0 {
            Kind::Static(_) => Self::from(part),
            Kind::Part { whole, .. } => Self::of(whole, part),
        }
    }

    /// The text that this one is a part of.
    pub(crate) fn whole(&self) -> Arc<str> {
        match &self.0 {
            Kind::Static(text) => Arc::from(*text),
            Kind::Part { whole, .. } => Arc::clone(whole),
        }
    }

    /// `part` as a part of `whole` if it is a slice of it, else by itself.
    pub(crate) fn of(whole: &Arc<str>, part: &str) -> Self {
        // What lies within the bytes of `whole` is a slice of it: both are alive.
        let start = (part.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize);
        let bounds = start.checked_add(part.len()).filter(|end| *end <= whole.len());
        match bounds.map(|end| (u32::try_from(start), u32::try_from(end))) {
            _ if part.is_empty() => Self::default(),
            Some((Ok(start), Ok(end))) if end != OPEN => {
                Self(Kind::Part { whole: Arc::clone(whole), start, end })
            }
            _ => Self::from(part),
        }
    }
}

impl Default for Text {
    fn default() -> Self {
        Self::from_static("")
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self
    }
}

impl From<Arc<str>> for Text {
    fn from(whole: Arc<str>) -> Self {
        Self(Kind::Part { whole, start: 0, end: OPEN })
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        if text.is_empty() { Self::default() } else { Arc::<str>::from(text).into() }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<Cow<'_, str>> for Text {
    fn from(text: Cow<'_, str>) -> Self {
        (*text).into()
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<String> for Text {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<Text> for String {
    fn eq(&self, other: &Text) -> bool {
        self == other.as_str()
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other)
    }
}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), formatter)
    }
}

impl serde::Serialize for Text {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_share_and_others_are_copied() {
        let whole: Arc<str> = "ä git status".into();
        let text = Text::from(Arc::clone(&whole));
        let part = text.part(text.get(3..6).unwrap());
        assert_eq!(part, "git");
        assert_eq!(part.part(part.get(1..).unwrap()), "it");
        assert_eq!((text.len(), part.len(), Text::from_static("x").len()), (13, 3, 1));
        assert!(Text::from("").is_empty() && !part.is_empty());
        assert_eq!(Arc::strong_count(&whole), 3);
        let other = String::from("git");
        assert_eq!(text.part(&other), part);
        assert_eq!(Arc::strong_count(&whole), 3);
        assert_eq!(text.part(""), Text::default());
        assert_eq!(Text::from_static("x").part("y"), "y");
        assert_eq!(size_of::<Text>(), 24);
    }
}

//! What a project looked like when it was trusted, and what has changed since.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::digest::Hasher;

/// The state of everything that an [`Inventory`](crate::Inventory) lists, as far as it loosens or runs something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// Of each resource, by its name below the project; none where a change would not be seen.
    parts: BTreeMap<String, Option<String>>,
}

/// What became of one resource since it was trusted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// Its path below the project, or its whole path where it lies elsewhere; none where it is not known what changed,
    /// but only that something did.
    pub name: Option<String>,
    /// What happened.
    pub what: ChangeKind,
}

/// What happened to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ChangeKind {
    /// It was not there.
    New,
    /// It holds something else.
    Changed,
    /// It is not there any more.
    Gone,
    /// It cannot be read whole, or is too large, so that nobody can say.
    Unknown,
}

impl ChangeKind {
    /// In a word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Changed => "changed",
            Self::Gone => "gone",
            Self::Unknown => "cannot be compared",
        }
    }
}

impl Fingerprint {
    pub(crate) fn new(parts: BTreeMap<String, Option<String>>) -> Self {
        Self { parts }
    }

    /// One hash over all: `sha256:` and 64 hexadecimal digits.
    #[must_use]
    pub fn text(&self) -> String {
        let mut hasher = Hasher::new("project");
        for (name, digest) in &self.parts {
            hasher.part(name.as_bytes());
            hasher.part(digest.as_deref().unwrap_or_default().as_bytes());
        }
        format!("sha256:{}", hasher.finish())
    }

    /// The hash of one resource, if it is there and can be read.
    pub(crate) fn part(&self, name: &str) -> Option<&str> {
        self.parts.get(name)?.as_deref()
    }

    /// The same with one resource that has become another, or nothing.
    pub(crate) fn with(mut self, name: &str, digest: Option<String>) -> Self {
        match digest {
            Some(digest) => self.parts.insert(name.to_owned(), Some(digest)),
            None => self.parts.remove(name),
        };
        self
    }

    pub(crate) fn parts(&self) -> &BTreeMap<String, Option<String>> {
        &self.parts
    }

    /// What differs in `now`, by name: empty when all is as it was, and everything can be compared.
    ///
    /// ```
    /// use portcullis_trust::Fingerprint;
    ///
    /// let nothing = Fingerprint::default();
    /// assert!(nothing.changes(&nothing).is_empty());
    /// ```
    #[must_use]
    pub fn changes(&self, now: &Self) -> Vec<Change> {
        let change = |name: &String, what| Change { name: Some(name.clone()), what };
        let mut changes: Vec<Change> = Vec::new();
        for (name, digest) in &now.parts {
            match (self.parts.get(name), digest) {
                (_, None) => changes.push(change(name, ChangeKind::Unknown)),
                (None, Some(_)) => changes.push(change(name, ChangeKind::New)),
                (Some(before), after) if before != after => changes.push(change(name, ChangeKind::Changed)),
                (Some(_), Some(_)) => {}
            }
        }
        let gone = self.parts.keys().filter(|name| !now.parts.contains_key(*name));
        changes.extend(gone.map(|name| change(name, ChangeKind::Gone)));
        changes.sort_by(|left, right| left.name.cmp(&right.name));
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::{ChangeKind, Fingerprint};

    fn of(parts: &[(&str, Option<&str>)]) -> Fingerprint {
        let parts = parts.iter().map(|(name, digest)| ((*name).to_owned(), digest.map(ToOwned::to_owned)));
        Fingerprint::new(parts.collect())
    }

    #[test]
    fn every_difference_is_named_and_what_cannot_be_compared_differs_from_itself() {
        let before = of(&[("a", Some("1")), ("b", Some("1")), ("c", Some("1")), ("u", None)]);
        let now = of(&[("a", Some("1")), ("b", Some("2")), ("d", Some("1")), ("u", None)]);
        let found: Vec<_> = before
            .changes(&now)
            .into_iter()
            .map(|change| (change.name.unwrap_or_default(), change.what))
            .collect();
        let expected = [
            ("b", ChangeKind::Changed),
            ("c", ChangeKind::Gone),
            ("d", ChangeKind::New),
            ("u", ChangeKind::Unknown),
        ];
        assert_eq!(found, expected.map(|(name, what)| (name.to_owned(), what)));
        assert!(of(&[("a", Some("1"))]).changes(&of(&[("a", Some("1"))])).is_empty());
    }

    #[test]
    fn one_hash_stands_for_all_parts() {
        let one = of(&[("a", Some("1")), ("b", Some("2"))]);
        assert_eq!(one.text(), of(&[("b", Some("2")), ("a", Some("1"))]).text());
        for other in [of(&[("a", Some("1"))]), of(&[("a", Some("12")), ("b", Some(""))]), of(&[])] {
            assert_ne!(one.text(), other.text());
        }
        assert_eq!(one.text().len(), "sha256:".len() + 64);
        assert_eq!(one.clone().with("c", Some("3".into())).with("c", None), one);
    }
}

//! What the store says of one directory.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};

use crate::Fingerprint;

/// A recorded decision.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// What was decided.
    pub trusted: bool,
    /// What the project looked like then; none for a plain `true` or `false`.
    pub seen: Option<Seen>,
    /// The entry of a directory above, or of the main repository of a worktree, that this one belongs to: it decides
    /// nothing by itself, and only keeps what was seen here.
    pub under: Option<String>,
}

/// What a project looked like.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Seen {
    /// [`Fingerprint::text`].
    pub fingerprint: String,
    /// The parts of it; none when another program wrote the entry.
    pub parts: Option<Fingerprint>,
    /// When, as text; empty when it does not say.
    pub at: String,
    /// A settings file of the project that is being saved: its name, and its part of the fingerprint once it is (none
    /// where it will loosen nothing). Both states are those that were trusted until the save is finished.
    pub next: Option<(String, Option<String>)>,
}

impl Entry {
    /// `true` or `false` and nothing else.
    pub(crate) const fn plain(trusted: bool) -> Self {
        Self { trusted, seen: None, under: None }
    }

    /// Whether only the dates differ.
    pub(crate) fn says_the_same(&self, other: &Self) -> bool {
        let content = |entry: &Self| {
            let seen = entry.seen.as_ref()?;
            Some((seen.fingerprint.clone(), seen.parts.clone(), seen.next.clone()))
        };
        self.trusted == other.trusted && self.under == other.under && content(self) == content(other)
    }

    /// Trusted as it looks now.
    pub(crate) fn seen(fingerprint: &Fingerprint, at: &str) -> Self {
        let seen = Seen {
            fingerprint: fingerprint.text(),
            parts: Some(fingerprint.clone()),
            at: at.to_owned(),
            next: None,
        };
        Self { trusted: true, seen: Some(seen), under: None }
    }
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.seen.is_none() && self.under.is_none() {
            return serializer.serialize_bool(self.trusted);
        }
        let mut object = Map::new();
        object.insert("trusted".to_owned(), self.trusted.into());
        if let Some(seen) = &self.seen {
            object.insert("fingerprint".to_owned(), seen.fingerprint.clone().into());
            object.insert("at".to_owned(), seen.at.clone().into());
            if let Some(parts) = &seen.parts {
                let parts = parts.parts().iter().map(|(name, digest)| (name.clone(), digest.clone().into()));
                object.insert("parts".to_owned(), Value::Object(parts.collect()));
            }
            if let Some((name, digest)) = &seen.next {
                let next = std::iter::once((name.clone(), digest.clone().into()));
                object.insert("next".to_owned(), Value::Object(next.collect()));
            }
        }
        if let Some(under) = &self.under {
            object.insert("under".to_owned(), under.clone().into());
        }
        object.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

/// The object form, closed: a key that is not known may mean anything.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Object {
    trusted: bool,
    fingerprint: Option<String>,
    at: Option<String>,
    parts: Option<BTreeMap<String, Option<String>>>,
    next: Option<BTreeMap<String, Option<String>>>,
    under: Option<String>,
}

impl<'de> de::Visitor<'de> for Reader {
    type Value = Entry;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("true, false, or an object with `trusted`")
    }

    fn visit_bool<E: de::Error>(self, trusted: bool) -> Result<Entry, E> {
        Ok(Entry::plain(trusted))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Entry, A::Error> {
        let Object { trusted, fingerprint, at, parts, next, under } =
            Object::deserialize(de::value::MapAccessDeserializer::new(map))?;
        let seen = fingerprint.map(|fingerprint| Seen {
            parts: parts.map(Fingerprint::new).filter(|parts| parts.text() == fingerprint),
            fingerprint,
            at: at.unwrap_or_default(),
            next: next.and_then(|next| next.into_iter().next()),
        });
        Ok(Entry { trusted, seen, under })
    }
}

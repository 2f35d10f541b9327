//! What the person saved through this tool: such a file was brought by nobody.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use crate::digest::sha256;

/// Settings file -> SHA-256 of what was saved to it last. While a save is under way, and after one that was killed,
/// there are two: of what stood there, and of what takes its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedFiles(BTreeMap<String, Vec<String>>);

impl SavedFiles {
    /// Whether exactly these bytes were the last that were saved there.
    #[must_use]
    pub fn is_saved(&self, path: &str, bytes: &[u8]) -> bool {
        self.0.get(path).is_some_and(|saved| saved.contains(&sha256(bytes)))
    }

    pub(crate) fn set(&mut self, path: &str, bytes: &[u8]) {
        self.0.insert(path.to_owned(), vec![sha256(bytes)]);
    }

    /// These bytes are about to be saved there. What stands there now counts as it did.
    pub(crate) fn expect(&mut self, path: &str, now: Option<&[u8]>, bytes: &[u8]) {
        let now = now.filter(|now| self.is_saved(path, now)).map(sha256);
        let mut hashes: Vec<String> = now.into_iter().collect();
        let next = sha256(bytes);
        if !hashes.contains(&next) {
            hashes.push(next);
        }
        self.0.insert(path.to_owned(), hashes);
    }
}

/// One hash is a text, two are a list.
impl Serialize for SavedFiles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(path, hashes)| {
            let value = match hashes.as_slice() {
                [hash] => Value::from(hash.as_str()),
                hashes => Value::from(hashes),
            };
            (path, value)
        }))
    }
}

impl<'de> Deserialize<'de> for SavedFiles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Reader)
    }
}

struct Reader;

impl<'de> de::Visitor<'de> for Reader {
    type Value = SavedFiles;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of files and hashes")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<SavedFiles, A::Error> {
        let mut files = BTreeMap::new();
        while let Some((path, value)) = map.next_entry::<String, Value>()? {
            let listed = match value {
                Value::Array(values) if !values.is_empty() => values,
                value => vec![value],
            };
            let mut hashes = Vec::with_capacity(listed.len());
            for value in listed {
                let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
                match value {
                    Value::String(hash) if hash.len() == 64 && hash.bytes().all(is_digit) => {
                        hashes.push(hash);
                    }
                    other => return Err(de::Error::custom(format!("`{other}` is not a SHA-256"))),
                }
            }
            if files.insert(path.clone(), hashes).is_some() {
                return Err(de::Error::custom(format!("`{path}` is there twice")));
            }
        }
        Ok(SavedFiles(files))
    }
}

//! What the person saved through this tool: such a file was brought by nobody.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::digest::sha256;

/// Settings file -> SHA-256 of what was saved to it last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct SavedFiles(BTreeMap<String, String>);

impl SavedFiles {
    /// Whether exactly these bytes were the last that were saved there.
    #[must_use]
    pub fn is_saved(&self, path: &str, bytes: &[u8]) -> bool {
        self.0.get(path).is_some_and(|hash| *hash == sha256(bytes))
    }

    pub(crate) fn set(&mut self, path: &str, bytes: &[u8]) {
        self.0.insert(path.to_owned(), sha256(bytes));
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
        while let Some((path, hash)) = map.next_entry::<String, String>()? {
            let is_hash =
                hash.len() == 64 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            if !is_hash {
                return Err(de::Error::custom(format!("`{hash}` is not a SHA-256")));
            }
            if files.insert(path.clone(), hash).is_some() {
                return Err(de::Error::custom(format!("`{path}` is there twice")));
            }
        }
        Ok(SavedFiles(files))
    }
}

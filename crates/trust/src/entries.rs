//! The whole store as a value: directories and what was decided about them.

use std::{collections::BTreeMap, fmt};

use portcullis_paths::{GitRepository, Resolver, below, find_repository, join, parent};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::{Entry, key, own::is_directory};

/// Absolute directory -> what was decided about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Entries(BTreeMap<String, Entry>);

/// The entry that decides about a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found<'e> {
    /// The directory that it is recorded for.
    pub key: &'e str,
    /// What was decided.
    pub entry: &'e Entry,
    /// How it applies.
    pub via: Via,
}

/// How an entry applies to a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Via {
    /// It is the directory's own.
    Own,
    /// It is that of a directory above.
    Ancestor,
    /// It is that of the main repository of this linked worktree.
    Worktree,
}

impl Entries {
    /// In the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.0.iter().map(|(key, entry)| (key.as_str(), entry))
    }

    /// The directories that something was decided about, in the order of their names.
    pub fn decided(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.iter().filter(|(_, entry)| entry.under.is_none())
    }

    /// What is recorded for exactly this directory.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.0.get(key)
    }

    pub(crate) fn set(&mut self, key: &str, entry: Entry) {
        if entry.under.is_none() {
            // What was seen below belongs to the decision that is replaced, unless that stays as it was.
            let stays = self.0.get(key).is_some_and(|before| before.trusted && entry.trusted);
            self.0.retain(|_, other| stays || other.under.as_deref() != Some(key));
        }
        self.0.insert(key.to_owned(), entry);
    }

    /// Whether anything was recorded for it.
    pub(crate) fn forget(&mut self, key: &str) -> bool {
        self.0.retain(|_, other| other.under.as_deref() != Some(key));
        self.0.remove(key).is_some()
    }

    /// The entry that decides about `directory`: that of the first recorded directory from there upwards, either way.
    /// A git repository inherits nothing from outside it unless `inherit` says so; a linked worktree shares the entry
    /// of its main repository when that names it.
    #[must_use]
    pub fn find(&self, resolver: &dyn Resolver, directory: &str, inherit: bool) -> Option<Found<'_>> {
        let repository = find_repository(resolver, directory);
        let border = repository.as_ref().filter(|_| !inherit).map(|repository| repository.root.as_str());
        self.upwards(directory, border).or_else(|| {
            let main = main_of(resolver, repository.as_ref()?)?;
            let found = self.upwards(&main, if inherit { None } else { Some(&main) })?;
            Some(Found { via: Via::Worktree, ..found })
        })
    }

    fn upwards(&self, directory: &str, border: Option<&str>) -> Option<Found<'_>> {
        let mut at = Some(directory);
        while let Some(here) = at {
            if let Some((key, entry)) = self.0.get_key_value(here)
                && entry.under.is_none()
            {
                let via = if here == directory { Via::Own } else { Via::Ancestor };
                return Some(Found { key, entry, via });
            }
            if border == Some(here) {
                return None;
            }
            at = parent(here);
        }
        None
    }
}

/// The main repository of a linked worktree: the directory that holds `.git`, or the bare repository itself. Only if
/// the main repository has the worktree among its own and its back-pointer names it (gitrepository-layout(5),
/// `worktrees/<id>/gitdir`): a `.git` file alone can point anywhere.
fn main_of(resolver: &dyn Resolver, worktree: &GitRepository) -> Option<String> {
    let own = resolver.realpath(&worktree.git_dir).ok()?;
    let common = resolver.realpath(&worktree.common_dir).ok()?;
    let id = below(&own, &join(&common, "worktrees"))?;
    if id.is_empty() || id.contains('/') || !is_directory(resolver, &own) {
        return None;
    }
    let text = String::from_utf8(resolver.read(&join(&own, "gitdir"), 4096).ok()?).ok()?;
    let named = resolver.realpath(&join(&own, text.trim_end_matches(['\n', '\r']))).ok()?;
    let dot_git = resolver.realpath(&join(&worktree.root, ".git")).ok()?;
    if named != dot_git {
        return None;
    }
    let main = if portcullis_paths::file_name(&common) == ".git" { parent(&common)? } else { &common };
    Some(key(resolver, main))
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Reader)
    }
}

struct Reader;

impl<'de> de::Visitor<'de> for Reader {
    type Value = Entries;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of absolute directories")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some(key) = map.next_key::<String>()? {
            if !portcullis_paths::is_absolute(&key) {
                return Err(de::Error::custom(format!("`{key}` is not an absolute directory")));
            }
            let entry = map.next_value()?;
            // Two readers may choose differently.
            if entries.insert(key.clone(), entry).is_some() {
                return Err(de::Error::custom(format!("`{key}` is there twice")));
            }
        }
        Ok(Entries(entries))
    }
}

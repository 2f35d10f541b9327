//! Projects below a directory that is decided about: what is there now may be inherited, what comes later may not.

use std::collections::VecDeque;

use portcullis_paths::{EntryKind, file_name, join, parent};

use crate::{
    Entries, Entry, Found, Inventory, Project, Via,
    decide::Reference,
    inventory,
    inventory::settings_files,
    key,
    resources::{FOLDERS, IN_ROOT, UPWARDS},
    stamp,
};

/// How many directories are looked through, those nearest first, and how many entries of each. What lies beyond was
/// not seen, and waits.
const MAX_DIRECTORIES: usize = 20_000;
const MAX_ENTRIES: usize = 20_000;

/// How many projects below are remembered.
const MAX_PROJECTS: usize = 256;

/// A directory below the project that brings something itself, for a session that starts there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Below {
    /// The directory.
    pub root: String,
    /// What it brings.
    pub inventory: Inventory,
}

/// Looks for directories below a project that bring something. Repositories inherit nothing, and are left out; links
/// are not followed.
#[must_use]
pub fn below(project: &Project<'_>) -> Vec<Below> {
    let root = key(project.resolver, project.root);
    let _span = tracing::debug_span!("below", root = %root).entered();
    let names = Names::of(project);
    let mut found = Vec::new();
    let mut waiting = VecDeque::from([root.clone()]);
    let mut looked = 0;
    while let Some(directory) = waiting.pop_front() {
        looked += 1;
        if looked > MAX_DIRECTORIES || found.len() >= MAX_PROJECTS {
            break;
        }
        let Ok(entries) = project.resolver.entries(&directory, MAX_ENTRIES) else { continue };
        if directory != root {
            if entries.iter().any(|entry| entry.name == ".git") {
                continue;
            }
            if entries.iter().any(|entry| names.brings(&entry.name)) {
                let inventory = inventory(&Project { root: &directory, ..*project });
                if !inventory.is_empty() {
                    found.push(Below { root: directory.clone(), inventory });
                }
            }
        }
        let folders = entries.iter().filter(|entry| entry.kind == EntryKind::Directory);
        let further = folders.filter(|entry| entry.name != ".git" && !names.brings(&entry.name));
        waiting.extend(further.map(|entry| join(&directory, &entry.name)));
    }
    found
}

/// The names in a directory that make it worth a look.
struct Names(Vec<String>);

impl Names {
    fn of(project: &Project<'_>) -> Self {
        let settings = settings_files(project);
        let folders = settings.iter().filter_map(|(file, _)| parent(file)).map(file_name);
        let tables = FOLDERS.into_iter().chain(IN_ROOT.map(|(name, ..)| name));
        let upwards = UPWARDS.0.split('/').take(1);
        Self(folders.chain(tables).chain(upwards).map(ToOwned::to_owned).collect())
    }

    fn brings(&self, name: &str) -> bool {
        self.0.iter().any(|known| known == name)
    }
}

/// Keeps what was seen below a directory that is trusted now. What was decided about a directory itself stays.
pub(crate) fn remember(entries: &mut Entries, root: &str, seen: &[Below], now_ms: u64) {
    for Below { root: directory, inventory } in seen {
        if entries.get(directory).is_none_or(|entry| entry.under.as_deref() == Some(root)) {
            let mut entry = Entry::seen(&inventory.fingerprint(), &stamp(now_ms));
            entry.under = Some(root.to_owned());
            entries.set(directory, entry);
        }
    }
}

/// What of a directory was seen when one above it was trusted, where nothing was kept for it: what both have, as the
/// configuration of their repository. None where the decision is obeyed as it is: it has no fingerprint, or the option
/// says that repositories inherit.
pub(crate) fn inherited(
    entries: &Entries,
    project: &Project<'_>,
    root: &str,
    found: &Found<'_>,
) -> Option<Reference> {
    if found.via != Via::Ancestor || entries.find(project.resolver, root, false)?.key != found.key {
        return None;
    }
    let parts = found.entry.seen.as_ref()?.parts.clone().unwrap_or_default();
    let now = inventory(project).fingerprint();
    let shared = now.parts().keys().filter_map(|name| {
        // Git's files have the same name for both; a resource of a directory above has its whole path.
        let above = portcullis_paths::below(name, found.key).unwrap_or(name);
        let of_both = above.starts_with(".git/") || above != name;
        let digest = parts.part(above).filter(|_| of_both)?;
        Some((name.clone(), Some(digest.to_owned())))
    });
    Some(Reference::of(crate::Fingerprint::new(shared.collect())))
}

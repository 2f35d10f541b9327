//! What a glob finds on the disk now.

use portcullis_paths::{EntryKind, Resolver};

use crate::reach::{component_may_be, is_glob};

/// At most this many names are looked at for one glob; beyond that what it finds is not known.
const NAMES: usize = 4_096;

/// A path that a glob finds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Existing {
    pub(crate) path: String,
    /// A link is in it, so that what is read may lie elsewhere.
    pub(crate) linked: bool,
}

/// Every existing path that the absolute glob can match, and perhaps some that it does not; `None` when that is not
/// known: directories that cannot be read, too many names, a pattern across directories.
pub(crate) fn matching(resolver: &dyn Resolver, pattern: &str) -> Option<Vec<Existing>> {
    let readable = pattern.starts_with('/') && !pattern.contains(['{', '(', '\\']);
    // A resolver without a file system finds nothing anywhere, which says nothing.
    if !readable || resolver.kind("/").is_none() {
        return None;
    }
    let mut left = NAMES;
    let mut found = vec![Existing { path: String::new(), linked: false }];
    let mut fixed = true;
    for component in pattern.split('/').filter(|component| !matches!(*component, "" | ".")) {
        if matches!(component, "**" | "..") {
            return None;
        }
        let mut next = Vec::new();
        for Existing { path, linked } in found {
            if !is_glob(component) {
                let path = format!("{path}/{component}");
                if resolver.kind(&path).is_some() {
                    next.push(Existing { path, linked: linked || !fixed });
                }
                continue;
            }
            let directory = if path.is_empty() { "/" } else { &path };
            let entries = match resolver.entries(directory, left) {
                Ok(entries) => entries,
                Err(error) if is_nothing(&error) => continue,
                Err(_) => return None,
            };
            left = left.checked_sub(entries.len())?;
            // Wildcards match no leading dot.
            let hidden = component.starts_with('.');
            next.extend(
                entries
                    .iter()
                    .filter(|entry| hidden || !entry.name.starts_with('.'))
                    .filter(|entry| component_may_be(component, &entry.name))
                    .map(|entry| Existing {
                        path: format!("{path}/{}", entry.name),
                        linked: linked || entry.kind == EntryKind::Link,
                    }),
            );
        }
        fixed &= !is_glob(component);
        found = next;
    }
    Some(found)
}

fn is_nothing(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

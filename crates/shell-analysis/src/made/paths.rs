//! Paths as text, and as the links that are there spell them.

use portcullis_paths::{Resolver, join, normalize};

/// `path` is `name` with more letters at the end of it.
pub(super) fn longer(path: &str, name: &str) -> bool {
    path.strip_prefix(name).is_some_and(|more| !more.is_empty() && !more.contains('/'))
}

/// Where a component of `path` ends.
pub(super) fn ends(path: &str) -> impl Iterator<Item = usize> {
    let inner = path.bytes().enumerate().skip(1).filter(|(_, byte)| *byte == b'/').map(|(at, _)| at);
    let trailing = path.ends_with('/');
    inner.chain((!trailing).then_some(path.len()))
}

/// A path as it is written, and as it is reached through links that are there.
pub(crate) fn spellings(path: &str, resolver: Option<&dyn Resolver>) -> Vec<String> {
    spelled(path, resolver).into_iter().flatten().collect()
}

pub(super) fn spelled(path: &str, resolver: Option<&dyn Resolver>) -> [Option<String>; 2] {
    let lexical = normalize(path);
    if resolver.is_none() {
        return [Some(lexical), None];
    }
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let above = path.trim_end_matches('/').strip_suffix(last).unwrap_or_default();
    let real = match last {
        "" | "." | ".." => resolver.and_then(|resolver| resolver.realpath(path).ok()),
        last => resolver.and_then(|resolver| resolver.realpath(above).ok()).map(|above| join(&above, last)),
    };
    let real = real.filter(|real| *real != lexical);
    [Some(lexical), real]
}

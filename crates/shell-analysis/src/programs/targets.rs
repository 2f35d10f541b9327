//! The absolute paths that a word may name, from every directory that a program may start in.

use crate::{Directories, GlobPattern, PathTarget, Value};

/// The absolute paths that a word may name.
pub(crate) fn targets(value: &Value, directories: &Directories) -> Vec<PathTarget> {
    match value {
        Value::Known(text) => known(text, directories),
        Value::OneOf(texts) => texts.iter().flat_map(|text| known(text, directories)).collect(),
        Value::Glob(pattern) => glob(pattern, directories),
        Value::PathBelow(directory) => vec![PathTarget::Below(directory.clone())],
        Value::Unknown => vec![PathTarget::Unknown],
    }
}

fn known(text: &str, directories: &Directories) -> Vec<PathTarget> {
    if text.is_empty() {
        return Vec::new();
    }
    if text.starts_with('/') {
        return vec![PathTarget::Path(text.to_owned())];
    }
    match directories {
        Directories::Known(all) => {
            all.iter().map(|directory| PathTarget::Path(attach(directory, text))).collect()
        }
        Directories::Unknown => vec![PathTarget::Unknown],
    }
}

pub(super) fn attach(directory: &str, text: &str) -> String {
    let mut path = String::with_capacity(directory.len() + text.len() + 1);
    path.push_str(directory);
    if !directory.ends_with('/') {
        path.push('/');
    }
    path.push_str(text);
    path
}

/// The directory before the first component that has a glob character.
fn glob(pattern: &GlobPattern, directories: &Directories) -> Vec<PathTarget> {
    let (fixed, live) = match pattern.prefix.rfind('/') {
        Some(slash) => (
            pattern.prefix.get(..=slash).unwrap_or_default(),
            pattern.pattern.get(literal_length(&pattern.pattern, slash + 1)..).unwrap_or_default(),
        ),
        None => ("", pattern.pattern.as_str()),
    };
    // `.*` and `.?` may match `..`.
    let leaves = live.split('/').any(|component| {
        component == ".."
            || component.starts_with(".*")
            || component.starts_with(".?")
            || component.starts_with(".[")
    });
    if leaves {
        return vec![PathTarget::Unknown];
    }
    let absolute = |directory: &str| {
        let home = if fixed.is_empty() { directory.to_owned() } else { attach(directory, fixed) };
        PathTarget::Glob(attach(directory, &pattern.pattern), home)
    };
    if pattern.prefix.starts_with('/') {
        return vec![PathTarget::Glob(pattern.pattern.clone(), fixed.to_owned())];
    }
    match directories {
        Directories::Known(all) => all.iter().map(|directory| absolute(directory)).collect(),
        Directories::Unknown => vec![PathTarget::Unknown],
    }
}

/// How many bytes of an escaped pattern stand for the first `length` bytes of its literal prefix.
fn literal_length(pattern: &str, length: usize) -> usize {
    let mut used = 0;
    let mut escaped = false;
    for (index, char) in pattern.char_indices() {
        if used >= length && !escaped {
            return index;
        }
        if char == '\\' && !escaped {
            escaped = true;
            continue;
        }
        escaped = false;
        used += char.len_utf8();
    }
    pattern.len()
}

//! The absolute paths that a word may name, from every directory that a program may start in.

use super::process_links::{Behind, behind, may_match};
use crate::{Below, Directories, GlobPattern, PathTarget, Value, look::Look, pattern::escaped};

/// The absolute paths that a word may name. What a glob or a name below a directory leads to through a link is a path
/// of its own beside them, as far as `look` can see; where it cannot, so is what is not known.
pub(crate) fn targets(value: &Value, directories: &Directories, look: &Look<'_>) -> Vec<PathTarget> {
    match value {
        Value::Known(text) => known(text, directories),
        Value::OneOf(texts) => texts.iter().flat_map(|text| known(text, directories)).collect(),
        Value::Glob(pattern) => glob(pattern, directories, look),
        Value::PathBelow(names) => below(names, look),
        Value::Unknown => vec![PathTarget::Unknown],
    }
}

/// Hands out the same, without a list for what is known.
pub(crate) fn each_target(
    value: &Value,
    directories: &Directories,
    look: &Look<'_>,
    each: impl FnMut(PathTarget),
) {
    match value {
        Value::Known(text) => each_known(text, directories, each),
        value => targets(value, directories, look).into_iter().for_each(each),
    }
}

fn known(text: &str, directories: &Directories) -> Vec<PathTarget> {
    let mut all = Vec::new();
    each_known(text, directories, |target| all.push(target));
    all
}

fn each_known(text: &str, directories: &Directories, mut each: impl FnMut(PathTarget)) {
    if text.is_empty() {
        return;
    }
    // Where it leads as well, when a link of the process is in it.
    let mut add = |path: String| {
        match behind(&path, directories) {
            None => {}
            Some(Behind::Anywhere) => each(PathTarget::Unknown),
            Some(Behind::Paths(paths)) => paths.into_iter().for_each(|path| each(PathTarget::Path(path))),
        }
        each(PathTarget::Path(path));
    };
    if text.starts_with('/') {
        return add(text.to_owned());
    }
    match directories {
        Directories::Known(all) => all.iter().for_each(|directory| add(attach(directory, text))),
        Directories::Unknown => each(PathTarget::Unknown),
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

fn below(names: &Below, look: &Look<'_>) -> Vec<PathTarget> {
    let mut targets = vec![PathTarget::Below(names.directory.clone())];
    if ["/proc", "/dev/fd"].iter().any(|place| portcullis_paths::is_within(&names.directory, place)) {
        targets.push(PathTarget::Unknown);
    }
    match look.leading_out(names) {
        Some(links) => targets.extend(links.into_iter().map(PathTarget::Path)),
        None => targets.push(PathTarget::Unknown),
    }
    targets
}

/// The directory before the first component that has a glob character.
fn glob(pattern: &GlobPattern, directories: &Directories, look: &Look<'_>) -> Vec<PathTarget> {
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
    let mut targets = Vec::new();
    let mut add = |pattern: String, home: String| {
        let literal = pattern.find(['*', '?', '[', '\\']).and_then(|end| pattern.get(..end));
        if may_match(&pattern, literal.unwrap_or(&pattern)) {
            targets.push(PathTarget::Unknown);
        }
        let links = look.matching(&home, live);
        targets.push(PathTarget::Glob(pattern, home));
        match links {
            Some(links) => targets.extend(links.iter().map(|link| PathTarget::Path(link.clone()))),
            None => targets.push(PathTarget::Unknown),
        }
    };
    if pattern.prefix.starts_with('/') {
        add(pattern.pattern.to_string(), fixed.to_owned());
        return targets;
    }
    let Directories::Known(all) = directories else { return vec![PathTarget::Unknown] };
    for directory in &**all {
        let home = if fixed.is_empty() { directory.clone() } else { attach(directory, fixed) };
        // A directory's own wildcards stand for themselves.
        add(attach(&escaped(directory), &pattern.pattern), home);
    }
    targets
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

//! Names of files that are flags. What a wildcard stands for comes into the argv as it is, so that `wc *` obeys a file
//! called `--files0-from=x`. The names that are there are read as that program's flags, beside the wildcard itself.

use super::tables;
use crate::{Argument, Directories, Invocation, Settings, Value, invocation::base_name, look::Look};

/// More names that begin with a dash than anybody has beside each other; with more of them one may be any flag.
const MAX_NAMES: usize = 12;

/// Whether a word may stand for such names: a wildcard begins it, or a dash does, and it is one component.
fn may_be_flags(word: &Argument) -> bool {
    matches!(&word.value, Value::Glob(glob)
        if (glob.prefix.is_empty() || glob.prefix.starts_with('-')) && !glob.pattern.contains('/'))
}

/// The words as they are with each of those names in its place; none where there are no such names, and none without a
/// resolver. What is not known is a word that is not known.
pub(super) fn readings(
    invocation: &Invocation,
    settings: &Settings<'_>,
    look: &Look<'_>,
) -> Vec<Vec<Argument>> {
    let words = &invocation.words;
    if settings.resolver.is_none() || !words.iter().skip(1).any(may_be_flags) {
        return Vec::new();
    }
    // Of these no flag does harm.
    let program = words.first().and_then(|word| word.value.known()).map(base_name);
    if program.and_then(tables::find).is_some_and(|spec| spec.safe) {
        return Vec::new();
    }
    let names: Vec<Option<Vec<String>>> = words
        .iter()
        .enumerate()
        .map(|(index, word)| match &word.value {
            Value::Glob(glob) if index > 0 && may_be_flags(word) => {
                dashed(&invocation.directories, &glob.pattern, look)
            }
            _ => Some(Vec::new()),
        })
        .collect();
    let most = names.iter().flatten().map(Vec::len).max().unwrap_or_default();
    if names.iter().any(Option::is_none) || most > MAX_NAMES {
        return vec![with(words, &names, |_| vec![Value::Unknown], false)];
    }
    if most == 0 {
        return Vec::new();
    }
    let all = |names: &[String]| names.iter().map(|name| known(name)).collect::<Vec<_>>();
    let backwards = |names: &[String]| names.iter().rev().map(|name| known(name)).collect::<Vec<_>>();
    // In which order they come depends on the locale; nothing else may match.
    let mut readings = vec![with(words, &names, all, true), with(words, &names, backwards, true)];
    readings.push(with(words, &names, all, false));
    // A variable of a loop is one of them.
    for position in 0..most {
        let one =
            |names: &[String]| names.get(position).map(|name| known(name)).into_iter().collect::<Vec<_>>();
        readings.push(with(words, &names, one, true));
        readings.push(with(words, &names, one, false));
    }
    readings
}

fn known(name: &str) -> Value {
    Value::Known(name.into())
}

/// The words with `chosen` of their names in front of each wildcard, or instead of it. One that stands for one word
/// is replaced.
fn with(
    words: &[Argument],
    names: &[Option<Vec<String>>],
    chosen: impl Fn(&[String]) -> Vec<Value>,
    keep: bool,
) -> Vec<Argument> {
    let mut all = Vec::with_capacity(words.len() + 4);
    for (word, names) in words.iter().zip(names) {
        let chosen = match names {
            Some(names) if names.is_empty() => Vec::new(),
            names => chosen(names.as_deref().unwrap_or_default()),
        };
        let none = chosen.is_empty();
        // Of several names a word that is one is the first.
        let count = if word.splits { usize::MAX } else { 1 };
        all.extend(chosen.into_iter().take(count).map(|value| Argument {
            splits: value == Value::Unknown,
            vanishes: false,
            value,
            ..word.clone()
        }));
        if none || keep && word.splits {
            all.push(word.clone());
        }
    }
    all
}

/// The names that match and begin with a dash, in every directory that the program may start in.
fn dashed(directories: &Directories, pattern: &str, look: &Look<'_>) -> Option<Vec<String>> {
    let Directories::Known(directories) = directories else { return None };
    let mut names = Vec::new();
    for directory in directories.iter() {
        names.append(&mut look.dashed(directory, pattern)?);
    }
    names.sort_unstable();
    names.dedup();
    Some(names)
}

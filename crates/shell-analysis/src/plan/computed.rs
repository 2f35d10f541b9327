//! Code that a program puts together while it runs, as far as its words show it.

use super::{listeners::INTERPRETERS, overheard::accounted};
use crate::{Argument, Invocation};

/// Whether its code is not known, or runs what is put together while it runs, as far as that can be seen.
pub(super) fn computes(invocation: &Invocation) -> bool {
    let base = invocation.base_name().unwrap_or_default();
    let words = invocation.words.get(1..).unwrap_or_default();
    let unknown = |word: &Argument| word.value.candidates().is_none();
    if base.ends_with("awk") {
        let texts = words.iter().flat_map(|word| word.value.candidates().unwrap_or_default());
        let mut runs = texts.filter(|text| awk_runs(text)).peekable();
        return runs.peek().is_some()
            && (words.iter().any(unknown) || runs.any(|text| !runs_texts_alone(text)))
            || words
                .iter()
                .find(|word| word.value.known().is_none_or(|text| !text.starts_with('-')))
                .is_some_and(unknown);
    }
    if matches!(base, "sed" | "gsed") {
        return !accounted(invocation)
            && words
                .iter()
                .flat_map(|word| word.value.candidates().unwrap_or_default())
                .any(|text| sed_runs(text));
    }
    let code = |flag: &Argument| {
        flag.value.known().is_some_and(|text| {
            matches!(text, "--eval" | "--print" | "-Command")
                || text.starts_with('-')
                    && !text.starts_with("--")
                    && text.ends_with(['c', 'e', 'E', 'r', 'p'])
        })
    };
    INTERPRETERS.contains(base)
        && words.windows(2).any(|pair| matches!(pair, [flag, text] if code(flag) && unknown(text)))
}

/// Whether a sed script may run what it has put together: an `e` that can be a flag of `s` or a command of its own
/// (GNU sed manual 3.3 and 3.8).
fn sed_runs(text: &str) -> bool {
    text.match_indices('e').any(|(at, _)| {
        let flag = |char: char| char.is_ascii_digit() || "gpiImMw".contains(char);
        let before = text.get(..at).unwrap_or_default().trim_end_matches(flag);
        let behind = text.get(at + 1..).unwrap_or_default().trim_start_matches(flag);
        !before.ends_with(|char: char| char.is_alphanumeric() || char == '_')
            && (behind.is_empty() || behind.starts_with([';', '}', '\n', ' ', '\t', '#']))
    })
}

/// Whether an awk program runs commands.
fn awk_runs(text: &str) -> bool {
    text.contains("system") || text.contains("getline") || text.replace("||", "").contains('|')
}

/// Whether every command that an awk program runs is one string without escapes.
fn runs_texts_alone(text: &str) -> bool {
    let string = |text: &str| {
        let (inside, behind) = text.trim_start().strip_prefix('"')?.split_once('"')?;
        (!inside.contains('\\')).then(|| behind.trim_start().to_owned())
    };
    let calls = text.match_indices("system").all(|(at, name)| {
        let behind = text.get(at + name.len()..).unwrap_or_default().trim_start();
        behind.strip_prefix('(').and_then(string).is_some_and(|rest| rest.starts_with(')'))
    });
    let pipes = text.replace("||", "  ");
    let pipes = pipes.match_indices('|').all(|(at, _)| {
        let behind = pipes.get(at + 1..).unwrap_or_default();
        let before = pipes.get(..at).unwrap_or_default().trim_end();
        if behind.trim_start_matches('&').trim_start().starts_with("getline") {
            let inside = before.strip_suffix('"').and_then(|before| before.rsplit_once('"'));
            return inside.is_some_and(|(start, text)| {
                let start = start.trim_end();
                !text.contains('\\') && (start.is_empty() || start.ends_with(['(', '{', ';', '!']))
            });
        }
        string(behind).is_some_and(|rest| rest.is_empty() || rest.starts_with([';', '}', ')']))
    });
    calls && pipes
}

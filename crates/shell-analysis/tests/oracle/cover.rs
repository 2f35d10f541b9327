//! Whether a command that ran is in the plan.

use portcullis_shell_analysis::{
    Analysis, Argument, Directories, EffectKind, GlobPattern, Invocation, Value,
};

use crate::sandbox::Command;

/// Builtins that evaluate what their words or variables hold, as arithmetic and `[[ ]]` do.
const EVALUATING: &[&str] = &[
    "[",
    "declare",
    "export",
    "getopts",
    "let",
    "local",
    "mapfile",
    "printf",
    "read",
    "readarray",
    "readonly",
    "test",
    "typeset",
    "unset",
    "wait",
];

/// Whether some invocation of the plan stands for a command with these words in this directory, or the
/// analysis says that anything may run.
pub(crate) fn covers(analysis: &Analysis, ran: &Command) -> bool {
    analysis.opaque.is_some() || analysis.invocations.iter().any(|invocation| stands_for(invocation, ran))
}

fn stands_for(invocation: &Invocation, ran: &Command) -> bool {
    // The shell itself may run code that is hidden in a value: the plan says so by an opaque effect.
    let program = invocation.program();
    let shell = invocation.words.is_empty() || program.is_some_and(|name| EVALUATING.contains(&name));
    if shell && invocation.effects.iter().any(|effect| matches!(effect.kind, EffectKind::Opaque(_))) {
        return true;
    }
    // A script that the plan has not read: it says so by this effect.
    let script = matches!(invocation.base_name(), Some("bash" | "sh" | "source" | "."))
        && invocation.effects.iter().any(|effect| matches!(effect.kind, EffectKind::Execute(_)));
    // A program that is not known may start what its words name or spell: rules are asked about each of them
    // (`a_program_that_is_not_known_may_be_a_launcher` in the crate of decisions).
    let unknown = invocation.words.first().is_some_and(|word| word.value == Value::Unknown);
    let spelt = |word: &String| {
        let known = |argument: &Argument| argument.value.known().is_none_or(|text| text.contains(word));
        invocation.words.iter().skip(1).any(known)
    };
    script
        || unknown && ran.words.iter().all(spelt)
        || !invocation.words.is_empty()
            && words_cover(&invocation.words, &ran.words)
            && starts_in(&invocation.directories, &ran.directory)
}

fn starts_in(directories: &Directories, directory: &str) -> bool {
    match directories {
        // A stub tells `$PWD`, which stands in front of its command here (`PWD= a`).
        Directories::Known(_) if !directory.starts_with('/') => true,
        Directories::Known(all) => all.iter().any(|known| known == one_slash(directory)),
        Directories::Unknown => true,
    }
}

/// `cd //x` leaves two slashes in `$PWD` (POSIX 4.13); on Linux that is `/x`.
fn one_slash(directory: &str) -> &str {
    match directory.strip_prefix("//") {
        Some(rest) if !rest.starts_with('/') => directory.get(1..).unwrap_or(directory),
        _ => directory,
    }
}

fn words_cover(words: &[Argument], ran: &[String]) -> bool {
    let Some((word, later)) = words.split_first() else { return ran.is_empty() };
    if word.splits {
        // Zero or more: try every length.
        let fitting = ran.iter().take_while(|text| fits(&word.value, text)).count();
        return (0..=fitting).any(|taken| words_cover(later, &ran[taken..]));
    }
    ran.split_first().is_some_and(|(text, rest)| fits(&word.value, text) && words_cover(later, rest))
}

fn fits(value: &Value, text: &str) -> bool {
    match value {
        Value::Known(known) => same(known, text),
        Value::OneOf(known) => known.iter().any(|known| same(known, text)),
        Value::Glob(glob) => matches_glob(glob, text),
        Value::PathBelow(names) => {
            (names.dashes || !text.starts_with('-')) && !text.split('/').any(|part| part == "..")
        }
        Value::Unknown => true,
        other => panic!("a kind of value that this test does not know: {other:?}"),
    }
}

/// The trace has other characters than ASCII where bytes were cut; which descriptor `<(..)` becomes is
/// bash's own choice.
fn same(known: &str, text: &str) -> bool {
    known == text || pipes_removed(known) == pipes_removed(text)
}

fn pipes_removed(text: &str) -> String {
    let mut pieces = text.split("/dev/fd/");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        out.push_str("/dev/fd/N");
        out.push_str(piece.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    out
}

/// A match, or the pattern itself where nothing matches.
fn matches_glob(glob: &GlobPattern, text: &str) -> bool {
    if !text.starts_with(glob.prefix.as_str()) {
        return false;
    }
    let pattern: Vec<char> = single_slashes(&glob.pattern).chars().collect();
    let text: Vec<char> = single_slashes(text).chars().collect();
    // Sets are more than this test needs: whatever begins rightly will do.
    pattern.contains(&'[') || fits_pattern(&pattern, &text) || itself(&single_slashes(&glob.pattern)) == text
}

/// Bash writes one slash for several behind the first component with a wildcard (seen in bash 5.2: `*src//in/f`).
fn single_slashes(text: &str) -> String {
    let mut out = String::new();
    for char in text.chars() {
        if char != '/' || !out.ends_with('/') {
            out.push(char);
        }
    }
    out
}

fn fits_pattern(pattern: &[char], text: &[char]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some(('*', rest)) => (0..=text.len()).any(|taken| fits_pattern(rest, &text[taken..])),
        Some(('?', rest)) => !text.is_empty() && fits_pattern(rest, &text[1..]),
        Some(('\\', rest)) if !rest.is_empty() => {
            text.first() == rest.first() && fits_pattern(&rest[1..], &text[1..])
        }
        Some((char, rest)) => text.first() == Some(char) && fits_pattern(rest, &text[1..]),
    }
}

fn itself(pattern: &str) -> Vec<char> {
    let mut out = Vec::new();
    let mut chars = pattern.chars();
    while let Some(char) = chars.next() {
        out.push(if char == '\\' { chars.next().unwrap_or('\\') } else { char });
    }
    out
}

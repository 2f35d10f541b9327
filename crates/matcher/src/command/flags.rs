//! The same flags spelled otherwise: `rm -r -f` for `rm -rf`, and flags at another place.

use portcullis_shell_analysis::Argument;

use super::{
    pattern::base_name,
    restrict::{program_is, word_is},
};
use crate::Match;

/// The longest bundle of short flags; longer words with one dash are single flags (`-delete`).
const MAX_BUNDLE: usize = 5;

/// Whether a command has the rule's operands in front and all of its flags anywhere. `exact`: and no
/// others. Program words are not looked at.
pub(super) fn compare(tokens: &[String], words: &[Argument], exact: bool) -> Match {
    let mut result = Match::Yes;
    let program = tokens.first().map_or("", |program| base_name(program));
    let is_flag = |text: &str| text.len() > 1 && text.starts_with('-');
    let mut operands = words.iter().skip(1).filter(|word| !word.value.known().is_some_and(is_flag));
    let unknown = words.iter().skip(1).any(|word| word.value.known().is_none());
    for token in tokens.iter().skip(1).filter(|token| !is_flag(token)) {
        let Some(word) = operands.next() else { return Match::No };
        if word.splits && word.value.known().is_none() {
            return Match::Possible;
        }
        result = result.min(word_is(&word.value, token));
        if result == Match::No {
            return Match::No;
        }
    }
    let given: Vec<&str> =
        words.iter().skip(1).filter_map(|word| word.value.known()).filter(|text| is_flag(text)).collect();
    for token in tokens.iter().skip(1).filter(|token| is_flag(token)) {
        let found = has_flag(program, &given, token);
        result = result.min(if found == Match::No && unknown { Match::Possible } else { found });
    }
    if exact && result > Match::No {
        let wanted: Vec<&str> = tokens.iter().skip(1).map(String::as_str).filter(|t| is_flag(t)).collect();
        if operands.next().is_some() || given.iter().any(|flag| has_flag(program, &wanted, flag) == Match::No)
        {
            return if unknown { Match::Possible } else { Match::No };
        }
    }
    result
}

/// Whether the rule's words stand behind options of the program: `docker --context x rm` for `docker rm`. Which
/// options take the next word is not known for every program: one without `=` may, or may not.
pub(super) fn behind_options(tokens: &[String], words: &[Argument], exact: bool) -> Match {
    let (Some((program, rest)), Some((first, behind))) = (tokens.split_first(), words.split_first()) else {
        return Match::No;
    };
    let plain = !rest.is_empty() && rest.iter().all(|token| !token.starts_with('-'));
    if !plain || !behind.first().is_some_and(is_option) || base_name(program) == "git" {
        return Match::No;
    }
    let own = program_is(&first.value, base_name(program));
    if own == Match::No { own } else { own.min(skipping(rest, behind, exact, &mut STEPS.clone())) }
}

/// How many words are looked at: options with and without a value branch.
const STEPS: usize = 256;

fn skipping(tokens: &[String], words: &[Argument], exact: bool, steps: &mut usize) -> Match {
    let Some((token, later)) = tokens.split_first() else {
        return Match::from(!exact || words.iter().all(is_option));
    };
    let Some((word, rest)) = words.split_first() else { return Match::No };
    *steps = steps.saturating_sub(1);
    if *steps == 0 || (word.splits && word.value.known().is_none()) {
        return Match::Possible;
    }
    if !is_option(word) {
        let own = word_is(&word.value, token);
        return if own == Match::No { own } else { own.min(skipping(later, rest, exact, steps)) };
    }
    let without = skipping(tokens, rest, exact, steps);
    let glued = word.value.known().is_some_and(|text| text.contains('='));
    if without == Match::Yes || glued {
        return without;
    }
    without.max(skipping(tokens, rest.get(1..).unwrap_or_default(), exact, steps))
}

fn is_option(word: &Argument) -> bool {
    word.value.known().is_some_and(|text| text.len() > 1 && text.starts_with('-'))
}

/// The same flag in short and long, by program: programs, letters, name.
const SYNONYMS: &[(&[&str], &str, &str)] = &[
    (&["rm", "cp", "chmod", "chown", "chgrp", "grep", "ls", "scp"], "rR", "--recursive"),
    (&["rm", "cp", "mv", "ln", "git", "docker", "npm"], "f", "--force"),
    (&["mkdir"], "p", "--parents"),
    (&["git"], "d", "--delete"),
    (&["curl"], "d", "--data"),
    (&["curl"], "X", "--request"),
    (&["curl"], "o", "--output"),
    (&["curl"], "T", "--upload-file"),
    (&["npm", "pnpm", "yarn"], "g", "--global"),
    (&["sed"], "i", "--in-place"),
    (&["sort", "tree"], "o", "--output"),
];

/// Other spellings of one letter: letters, and the long name.
fn synonyms<'s>(program: &'s str, letter: char) -> impl Iterator<Item = (&'static str, &'static str)> + 's {
    SYNONYMS
        .iter()
        .filter(move |(programs, letters, _)| programs.contains(&program) && letters.contains(letter))
        .map(|(_, letters, name)| (*letters, *name))
}

/// Whether `flag` is among `given`: as it is, with a value, or its letters spread over bundles. An
/// abbreviation of a long flag is possibly it.
fn has_flag(program: &str, given: &[&str], flag: &str) -> Match {
    let value = |other: &str| other.strip_prefix(flag).is_some_and(|rest| rest.starts_with('='));
    if given.iter().any(|other| *other == flag || (flag.starts_with("--") && value(other))) {
        return Match::Yes;
    }
    if let Some(letters) = bundle(flag) {
        let bundled =
            |letter: char| given.iter().filter_map(|other| bundle(other)).any(|b| b.contains(letter));
        let named = |name: &str| {
            let long = |other: &&str| {
                let other = other.split('=').next().unwrap_or(other);
                other.len() > 3 && name.starts_with(other)
            };
            given.iter().any(long)
        };
        let has = |letter: char| {
            bundled(letter)
                || synonyms(program, letter)
                    .any(|(letters, name)| letters.chars().any(bundled) || named(name))
        };
        return if letters.chars().all(has) { Match::Yes } else { Match::No };
    }
    // The rule has the long name, the command the letter.
    let short = SYNONYMS
        .iter()
        .filter(|(programs, _, name)| *name == flag && programs.contains(&program))
        .any(|(_, letters, _)| {
            given.iter().filter_map(|other| bundle(other)).any(|b| b.contains(|c| letters.contains(c)))
        });
    if short {
        return Match::Yes;
    }
    let abbreviates = |other: &&str| other.len() > 3 && other.starts_with("--") && flag.starts_with(*other);
    if given.iter().any(abbreviates) { Match::Possible } else { Match::No }
}

/// The letters of a bundle of short flags.
fn bundle(flag: &str) -> Option<&str> {
    let letters = flag.strip_prefix('-')?;
    (letters.len() <= MAX_BUNDLE && letters.bytes().all(|b| b.is_ascii_alphabetic())).then_some(letters)
}

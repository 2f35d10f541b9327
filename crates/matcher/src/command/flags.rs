//! The same flags spelled otherwise: `rm -r -f` for `rm -rf`, and flags at another place.

use portcullis_shell_analysis::Argument;

use super::restrict::word_is;
use crate::Match;

/// The longest bundle of short flags; longer words with one dash are single flags (`-delete`).
const MAX_BUNDLE: usize = 5;

/// Whether a command has the rule's operands in front and all of its flags anywhere. `exact`: and no
/// others. Program words are not looked at.
pub(super) fn compare(tokens: &[String], words: &[Argument], exact: bool) -> Match {
    let mut result = Match::Yes;
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
        let found = has_flag(&given, token);
        result = result.min(if found == Match::No && unknown { Match::Possible } else { found });
    }
    if exact && result > Match::No {
        let wanted: Vec<&str> = tokens.iter().skip(1).map(String::as_str).filter(|t| is_flag(t)).collect();
        if operands.next().is_some() || given.iter().any(|flag| has_flag(&wanted, flag) == Match::No) {
            return if unknown { Match::Possible } else { Match::No };
        }
    }
    result
}

/// Whether `flag` is among `given`: as it is, with a value, or its letters spread over bundles. An
/// abbreviation of a long flag is possibly it.
fn has_flag(given: &[&str], flag: &str) -> Match {
    let value = |other: &str| other.strip_prefix(flag).is_some_and(|rest| rest.starts_with('='));
    if given.iter().any(|other| *other == flag || (flag.starts_with("--") && value(other))) {
        return Match::Yes;
    }
    if let Some(letters) = bundle(flag) {
        let has = |letter: char| given.iter().filter_map(|other| bundle(other)).any(|b| b.contains(letter));
        return if letters.chars().all(has) { Match::Yes } else { Match::No };
    }
    let abbreviates = |other: &&str| other.len() > 3 && other.starts_with("--") && flag.starts_with(*other);
    if given.iter().any(abbreviates) { Match::Possible } else { Match::No }
}

/// The letters of a bundle of short flags.
fn bundle(flag: &str) -> Option<&str> {
    let letters = flag.strip_prefix('-')?;
    (letters.len() <= MAX_BUNDLE && letters.bytes().all(|b| b.is_ascii_alphabetic())).then_some(letters)
}

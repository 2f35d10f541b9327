//! Which names a glob may match (bash manual 3.5.8.1), on the safe side: more than bash says, never less.

use std::borrow::Cow;

/// Whether a component of a pattern has a wildcard.
pub(crate) fn is_pattern(component: &str) -> bool {
    let mut escaped = false;
    component.chars().any(|char| {
        let live = !escaped && matches!(char, '*' | '?' | '[');
        escaped = !escaped && char == '\\';
        live
    })
}

/// What a component without wildcards stands for.
pub(crate) fn literal(component: &str) -> String {
    let mut text = String::with_capacity(component.len());
    let mut chars = component.chars();
    while let Some(char) = chars.next() {
        text.push(if char == '\\' { chars.next().unwrap_or('\\') } else { char });
    }
    text
}

/// A pattern that `text` alone matches.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    let special = ['*', '?', '[', ']', '\\'];
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 2);
    for char in text.chars() {
        if special.contains(&char) {
            escaped.push('\\');
        }
        escaped.push(char);
    }
    Cow::Owned(escaped)
}

/// Whether `name` may match: a leading dot only by a dot.
pub(crate) fn may_match(component: &str, name: &str) -> bool {
    (!name.starts_with('.') || literal(component).starts_with('.')) && may_match_dots(component, name)
}

/// Whether `name` may match where a wildcard stands for a leading dot too, as in `find -name`.
///
/// A set is whatever may stand up to the last bracket that could close it, or to the end when none does: in which
/// order bash reads classes, escapes and brackets in it does not matter then. A question mark is a byte in some
/// locales and a character in others.
pub(crate) fn may_match_dots(component: &str, name: &str) -> bool {
    let tokens = tokens(component, name.is_ascii());
    let name: Vec<char> = name.chars().collect();
    // The usual way back to the last star (each star takes as little as it can).
    let (mut at, mut token) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while at < name.len() {
        match tokens.get(token) {
            Some(Token::Many) => {
                token += 1;
                star = Some((at, token));
                continue;
            }
            Some(Token::One) => {}
            Some(Token::Char(char)) if name.get(at) == Some(char) => {}
            _ => {
                let Some((from, back)) = star else { return false };
                star = Some((from + 1, back));
                (at, token) = (from + 1, back);
                continue;
            }
        }
        at += 1;
        token += 1;
    }
    tokens.get(token..).unwrap_or_default().iter().all(|token| *token == Token::Many)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Char(char),
    One,
    Many,
}

fn tokens(component: &str, ascii: bool) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut chars = component.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => tokens.push(Token::Char(chars.next().map_or('\\', |(_, char)| char))),
            '*' => tokens.push(Token::Many),
            '?' => tokens.push(if ascii { Token::One } else { Token::Many }),
            '[' => {
                tokens.push(Token::Many);
                match component.rfind(']').filter(|end| *end > at) {
                    Some(end) => while chars.next().is_some_and(|(at, _)| at < end) {},
                    None => break,
                }
            }
            char => tokens.push(Token::Char(char)),
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::{is_pattern, literal, may_match, may_match_dots};

    #[test]
    fn what_bash_matches_may_match() {
        for (pattern, name) in [
            ("*", "a"),
            ("?", "k"),
            ("?", "é"),
            ("??", "é"),
            ("k*", "k"),
            ("*.rs", "a.b.rs"),
            ("[l]", "l"),
            ("[!a]", "l"),
            ("[]a]x", "]x"),
            ("[[:alpha:]]*", "link"),
            ("[a-z]?[x]", "k]x"),
            ("[a\\]b]", "]"),
            ("a[b", "a[b"),
            ("\\*", "*"),
            (".*", ".git"),
            ("\\.*", ".git"),
            ("a*b*c", "aXbYbZc"),
            ("**", "a"),
        ] {
            assert!(may_match(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("*", ".git"),
            ("?", "kk"),
            ("\\*", "a"),
            ("*.rs", "a.rst"),
            ("k*", "l"),
            ("[a].rs", "a.py"),
            ("a*b*c", "aXbY"),
            ("", "a"),
        ] {
            assert!(!may_match(pattern, name), "{pattern} {name}");
        }
        assert!(may_match_dots("*", ".git"));
    }

    #[test]
    fn components() {
        assert!(is_pattern("a*") && is_pattern("[x") && is_pattern("\\\\?"));
        assert!(!is_pattern("\\*") && !is_pattern("a]"));
        assert_eq!(literal("\\*a\\\\"), "*a\\");
    }
}

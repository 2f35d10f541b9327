//! One component of a path pattern: `*`, `?`, classes, and literal text.

use std::fmt;

use portcullis_paths::fold_case;

/// What is wrong with a glob.
pub(crate) type GlobError = String;

/// One component of a path pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    /// `**`: any number of components.
    Deep,
    /// Exactly this name.
    Literal(String),
    /// A name with wildcards.
    Wild(Vec<Symbol>),
}

/// One element of a wildcard name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// This character.
    Char(char),
    /// `?`
    Any,
    /// `*`
    Run,
    /// `[a-z]`, `[!a]`
    Class {
        /// `!` or `^` in front.
        negated: bool,
        /// Inclusive ranges.
        ranges: Vec<(char, char)>,
    },
}

impl Symbol {
    fn folded(&self) -> Vec<Self> {
        match self {
            Self::Char(c) => fold_case(c.encode_utf8(&mut [0; 4])).chars().map(Self::Char).collect(),
            Self::Any => vec![Self::Any],
            Self::Run => vec![Self::Run],
            Self::Class { negated, ranges } => {
                // The lower-case letters of the upper-case ones in a range; beyond ASCII only of single letters.
                let lower = ranges.iter().filter_map(|&(low, high)| {
                    if low == high {
                        return low.to_lowercase().next().map(|c| (c, c));
                    }
                    let (low, high) = (low.max('A'), high.min('Z'));
                    (low <= high).then(|| (low.to_ascii_lowercase(), high.to_ascii_lowercase()))
                });
                vec![Self::Class { negated: *negated, ranges: ranges.iter().copied().chain(lower).collect() }]
            }
        }
    }

    pub(crate) fn accepts(&self, c: char) -> bool {
        match self {
            Self::Char(own) => *own == c,
            Self::Any | Self::Run => true,
            Self::Class { negated, ranges } => {
                ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)) != *negated
            }
        }
    }
}

impl Component {
    /// Reads one component without slashes and braces. `escapes`: a backslash quotes (shell globs).
    pub(crate) fn parse(text: &str, escapes: bool) -> Result<Self, GlobError> {
        if text == "**" {
            return Ok(Self::Deep);
        }
        let mut symbols = Vec::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            symbols.push(match c {
                '*' if symbols.last() == Some(&Symbol::Run) => continue,
                '*' => Symbol::Run,
                '?' => Symbol::Any,
                '[' if nested(chars.as_str(), escapes) => {
                    if !escapes {
                        return Err(format!(
                            "a class inside a class in `{text}`: name the characters, as in `[a-z]`"
                        ));
                    }
                    // What the shell makes of it is not worked out: whatever stands up to the last bracket.
                    let rest = chars.as_str();
                    chars = rest
                        .get(rest.rfind(']').map_or(rest.len(), |at| at + 1)..)
                        .unwrap_or_default()
                        .chars();
                    if symbols.last() == Some(&Symbol::Run) {
                        continue;
                    }
                    Symbol::Run
                }
                '[' => class(&mut chars, text)?,
                '\\' if escapes => Symbol::Char(chars.next().unwrap_or('\\')),
                other => Symbol::Char(other),
            });
        }
        let literal: Option<String> = symbols
            .iter()
            .map(|symbol| match symbol {
                Symbol::Char(c) => Some(*c),
                _ => None,
            })
            .collect();
        Ok(literal.map_or(Self::Wild(symbols), Self::Literal))
    }

    /// Whether `name` is one that this component stands for. `dots`: wildcards match a leading dot.
    pub(crate) fn matches(&self, name: &str, dots: bool) -> bool {
        match self {
            Self::Deep => dots || !name.starts_with('.'),
            Self::Literal(own) => own == name,
            Self::Wild(symbols) => {
                (dots || !name.starts_with('.') || matches!(symbols.first(), Some(Symbol::Char('.'))))
                    && wild(symbols, name)
            }
        }
    }

    /// As a case-insensitive file system compares: for names that are folded in case themselves.
    pub(crate) fn folded(&self) -> Self {
        match self {
            Self::Deep => Self::Deep,
            Self::Literal(name) => Self::Literal(fold_case(name).into_owned()),
            Self::Wild(symbols) => Self::Wild(symbols.iter().flat_map(Symbol::folded).collect()),
        }
    }

    /// The literal name.
    pub(crate) fn literal(&self) -> Option<&str> {
        match self {
            Self::Literal(name) => Some(name),
            _ => None,
        }
    }

    /// The ending behind the first dot of `*.ext` when everything behind the star is literal.
    pub(crate) fn extension(&self) -> Option<String> {
        let Self::Wild(symbols) = self else { return None };
        let (Symbol::Run, rest) = symbols.split_first()? else { return None };
        let text: Option<String> = rest
            .iter()
            .map(|symbol| match symbol {
                Symbol::Char(c) => Some(*c),
                _ => None,
            })
            .collect();
        let (_, ending) = text.as_deref()?.rsplit_once('.')?;
        (!ending.is_empty()).then(|| ending.to_owned())
    }

    /// The literal text that every matching name begins with.
    pub(crate) fn prefix(&self) -> String {
        match self {
            Self::Deep => String::new(),
            Self::Literal(name) => name.clone(),
            Self::Wild(symbols) => symbols
                .iter()
                .map_while(|symbol| match symbol {
                    Symbol::Char(c) => Some(*c),
                    _ => None,
                })
                .collect(),
        }
    }
}

/// Whether what stands in the class whose `[` is read is more than characters and ranges: `[:alpha:]`, `[=a=]`,
/// `[.a.]` (POSIX 9.3.5), or where `escapes` a quoted character.
fn nested(rest: &str, escapes: bool) -> bool {
    let inside = rest.trim_start_matches(['!', '^']);
    // The first bracket may be a member.
    let end = inside.char_indices().skip(1).find(|(_, c)| *c == ']').map_or(inside.len(), |(at, _)| at);
    let class = inside.get(..end).unwrap_or_default();
    escapes && class.contains('\\') || ["[:", "[=", "[."].iter().any(|open| class.contains(open))
}

/// The ranges of a class whose `[` is read.
fn class(chars: &mut std::str::Chars<'_>, whole: &str) -> Result<Symbol, GlobError> {
    let unclosed =
        || format!("`[` without `]` in `{whole}`: close the class, or write `[[]` for the character");
    let mut negated = false;
    let mut ranges: Vec<(char, char)> = Vec::new();
    let mut current = chars.next().ok_or_else(unclosed)?;
    if matches!(current, '!' | '^') {
        negated = true;
        current = chars.next().ok_or_else(unclosed)?;
    }
    // A `]` right at the start is a member (POSIX 2.13.1).
    loop {
        let rest = chars.as_str();
        let high = rest.strip_prefix('-').and_then(|after| after.chars().next()).filter(|c| *c != ']');
        if let Some(high) = high {
            chars.next();
            chars.next();
            if high < current {
                return Err(format!("the range `{current}-{high}` in `{whole}` is empty: swap its ends"));
            }
            ranges.push((current, high));
        } else {
            ranges.push((current, current));
        }
        current = chars.next().ok_or_else(unclosed)?;
        if current == ']' {
            return Ok(Symbol::Class { negated, ranges });
        }
    }
}

/// Matching with one remembered star: linear for usual patterns, never exponential.
fn wild(symbols: &[Symbol], name: &str) -> bool {
    let (mut at, mut rest) = (0, name);
    let mut star: Option<(usize, &str)> = None;
    loop {
        let mut chars = rest.chars();
        match (symbols.get(at), chars.next()) {
            (None, None) => return true,
            (Some(Symbol::Run), _) => {
                star = Some((at, rest));
                at += 1;
                continue;
            }
            (Some(symbol), Some(c)) if symbol.accepts(c) => {
                at += 1;
                rest = chars.as_str();
                continue;
            }
            _ => {}
        }
        let Some((place, text)) = star else { return false };
        let mut chars = text.chars();
        if chars.next().is_none() {
            return false;
        }
        rest = chars.as_str();
        star = Some((place, rest));
        at = place + 1;
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deep => f.write_str("**"),
            Self::Literal(name) => f.write_str(name),
            Self::Wild(symbols) => symbols.iter().try_for_each(|symbol| match symbol {
                Symbol::Char(c) => write!(f, "{c}"),
                Symbol::Any => f.write_str("?"),
                Symbol::Run => f.write_str("*"),
                Symbol::Class { negated, ranges } => {
                    f.write_str(if *negated { "[!" } else { "[" })?;
                    for (low, high) in ranges {
                        if low == high { write!(f, "{low}")? } else { write!(f, "{low}-{high}")? }
                    }
                    f.write_str("]")
                }
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, name: &str) -> bool {
        Component::parse(pattern, false).unwrap().matches(name, true)
    }

    #[test]
    fn wildcards() {
        assert!(matches("*.rs", "a.rs"));
        assert!(matches("a*b*c", "aXbYbZc"));
        assert!(!matches("a*b*c", "aXbYbZ"));
        assert!(matches("[ab]?.x", "bz.x"));
        assert!(matches("[!a-c]", "d"));
        assert!(!matches("[!a-c]", "b"));
        assert!(matches("[]a]", "]"));
        assert!(matches("日*", "日本"));
    }

    #[test]
    fn malformed_classes_are_errors() {
        for bad in ["[", "[a", "[!", "[z-a]", "[]"] {
            assert!(Component::parse(bad, false).is_err(), "{bad}");
        }
    }

    #[test]
    fn classes_inside_classes_may_be_anything() {
        let shell = |pattern: &str, name: &str| Component::parse(pattern, true).unwrap().matches(name, true);
        for pattern in [
            ".en[[=v=]]",
            ".en[[.v.]]",
            ".en[[:alpha:]]",
            ".e[[:alpha:]a]v",
            "[[.period.]]env",
            ".en[\\v]",
            ".en[x\\]v]",
        ] {
            assert!(shell(pattern, ".env"), "{pattern}");
            assert!(!shell(pattern, "other"), "{pattern}");
            assert!(Component::parse(&pattern.replace('\\', "[:"), false).is_err(), "{pattern}");
        }
        assert!(matches("[[]a", "[a"));
        assert!(matches("a[0-9][.]txt", "a1.txt"));
        assert!(!matches("a[0-9][.]txt", "a1xtxt"));
    }

    #[test]
    fn dots_need_a_dot() {
        let star = Component::parse("*", false).unwrap();
        assert!(!star.matches(".env", false));
        assert!(star.matches(".env", true));
        assert!(Component::parse(".*", false).unwrap().matches(".env", false));
    }

    #[test]
    fn folded_patterns_match_folded_names() {
        let folded = |pattern: &str, name: &str| {
            Component::parse(pattern, false).unwrap().folded().matches(&fold_case(name), true)
        };
        assert!(folded("Makefile", "MAKEFILE"));
        assert!(folded("*.PEM", "Key.pem"));
        assert!(folded("[A-C]?.X", "bY.x"));
        assert!(folded("[!A]x", "Bx"));
        assert!(!folded("[!A]x", "ax"));
        assert!(folded("Caf\u{c9}*", "CAFE\u{301}.txt"));
    }

    #[test]
    fn extensions_are_read_for_the_index() {
        let extension = |text: &str| Component::parse(text, false).unwrap().extension();
        assert_eq!(extension("*.pem").as_deref(), Some("pem"));
        assert_eq!(extension("*.tar.gz").as_deref(), Some("gz"));
        assert_eq!(extension("a*.pem"), None);
        assert_eq!(extension("*pem"), None);
    }
}

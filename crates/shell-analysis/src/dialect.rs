//! Text that shells other than bash read differently. The test is on the raw bytes: a
//! false alarm costs a question, nothing else.

use crate::Shell;

/// What `shell` may read differently from bash, if anything.
pub(crate) fn difference(text: &str, shell: Shell) -> Option<&'static str> {
    match shell {
        Shell::Bash => None,
        Shell::Sh => posix(text),
        Shell::Zsh => zsh(text),
        Shell::Unknown => posix(text).or_else(|| zsh(text)),
    }
}

/// Builtins that a POSIX shell may not have: it looks for a program of that name, and goes on (dash(1)).
pub(crate) const ONLY_BASH: &[&str] = &[
    "builtin",
    "caller",
    "compgen",
    "complete",
    "compopt",
    "declare",
    "dirs",
    "disown",
    "enable",
    "help",
    "history",
    "let",
    "logout",
    "mapfile",
    "popd",
    "pushd",
    "readarray",
    "shopt",
    "source",
    "suspend",
    "typeset",
];

const POSIX: &[(&str, &str)] = &[
    ("$'", "`$'` is not read alike by every shell"),
    ("$\"", "`$\"` is not read alike by every shell"),
    ("$[", "`$[` is not read alike by every shell"),
    ("&>", "`&>` is not read alike by every shell"),
    (">&", ""),
    ("|&", "`|&` is not read alike by every shell"),
    ("<(", "`<(` is not read alike by every shell"),
    (">(", "`>(` is not read alike by every shell"),
    ("[[", "`[[` is not read alike by every shell"),
    ("((", "`((` is not read alike by every shell"),
    ("<<<", "`<<<` is not read alike by every shell"),
    ("+=", "`+=` is not read alike by every shell"),
    (";&", "`;&` is not read alike by every shell"),
    ("=(", "arrays are not read alike by every shell"),
    ("function", "`function` is not read alike by every shell"),
    ("select", "`select` is not read alike by every shell"),
    ("coproc", "`coproc` is not read alike by every shell"),
    ("${!", "`${!` is not read alike by every shell"),
    ("~+", "`~+` is not read alike by every shell"),
    ("~-", "`~-` is not read alike by every shell"),
];

fn posix(text: &str) -> Option<&'static str> {
    for (needle, reason) in POSIX {
        let mut from = text;
        while let Some(at) = from.find(needle) {
            let rest = from.get(at + needle.len()..).unwrap_or_default();
            // `2>&1`, `>&-` are the same everywhere; `>&word` is not.
            let alike =
                *needle == ">&" && rest.starts_with(|char: char| char.is_ascii_digit() || char == '-');
            if !alike {
                return Some(if reason.is_empty() {
                    "`>&word` is not read alike by every shell"
                } else {
                    reason
                });
            }
            from = rest;
        }
    }
    if subscripts(text) {
        return Some("elements of arrays are not read alike by every shell");
    }
    braces(text)
}

/// `name[...]=`, outside quotes or not.
fn subscripts(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut name = false;
    bytes.windows(2).any(|pair| match pair {
        [before, b'['] => {
            name = before.is_ascii_alphanumeric() || *before == b'_';
            false
        }
        [b']', b'='] => name,
        _ => false,
    })
}

/// A `{` with a `,` or `..` of its own before its `}`, and `{name}` in front of a redirection. A blank ends the word,
/// so what stands in quotes inside is left out, and so are expansions.
fn braces(text: &str) -> Option<&'static str> {
    // Many that are never closed would be looked through again and again.
    let mut budget = 4096 + 8 * text.len();
    for (at, _) in text.match_indices('{') {
        if text.get(..at).is_some_and(|before| before.ends_with('$')) {
            continue;
        }
        let (mut open, mut comma, mut quote, mut expansions) = (1usize, false, None, 0usize);
        let mut chars = text.get(at + 1..).unwrap_or_default().chars().peekable();
        let mut name = true;
        while let Some(char) = chars.next() {
            budget -= 1;
            if budget == 0 {
                return Some("braces are not read alike by every shell");
            }
            match (char, quote) {
                ('\\', None | Some('"')) => drop(chars.next()),
                (_, Some(mark)) if char == mark => quote = None,
                (_, Some(_)) => {}
                ('\'' | '"' | '`', None) => quote = Some(char),
                ('$', None) if matches!(chars.peek(), Some('{' | '(')) => {
                    chars.next();
                    expansions += 1;
                }
                ('}' | ')', None) if expansions > 0 => expansions -= 1,
                (_, None) if expansions > 0 => {}
                ('{', None) => open += 1,
                ('}', None) => {
                    open -= 1;
                    if open == 0 {
                        if comma {
                            return Some("brace expansion is not read alike by every shell");
                        }
                        if name && matches!(chars.peek(), Some('<' | '>')) {
                            return Some("`{name}>` is not read alike by every shell");
                        }
                        break;
                    }
                }
                (',', None) => comma = true,
                ('.', None) => comma |= chars.peek() == Some(&'.'),
                (' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(', None) => break,
                _ => {}
            }
            name &= char.is_ascii_alphanumeric() || char == '_';
        }
    }
    None
}

fn zsh(text: &str) -> Option<&'static str> {
    if text.contains("noglob") || text.contains("=(") {
        return Some("zsh reads this differently");
    }
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        let starts = before.is_whitespace() || matches!(before, ';' | '&' | '|' | '(' | '`');
        match char {
            // `*(qualifier)`, `=(cmd)`, `name(...)`: everything but `$(`, `<(`, `>(`, `((` and a group.
            '(' if !(starts || matches!(before, '$' | '<' | '>' | '!')) => {
                return Some("zsh reads `(` in a word as a glob qualifier");
            }
            '=' if starts && !next.is_whitespace() => return Some("zsh replaces `=name` by a path"),
            '~' if starts && (next.is_alphanumeric() || next == '_') => {
                return Some("zsh reads `~name` as a named directory");
            }
            '<' if next.is_ascii_digit() || next == '-' => return Some("zsh reads `<1-9>` as a glob"),
            '$' if matches!(next, '{' | '+' | '=' | '~' | '^') && text.contains("${(") => {
                return Some("zsh has parameter flags");
            }
            _ => {}
        }
        before = char;
    }
    None
}

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
    braces(text).then_some("brace expansion is not read alike by every shell")
}

/// A `{` with a `,` or `..` before the next `}`, outside single quotes.
fn braces(text: &str) -> bool {
    let mut from = text;
    while let Some(at) = from.find('{') {
        let rest = from.get(at + 1..).unwrap_or_default();
        let inside = rest.split(['}', ' ', '\n', '\t']).next().unwrap_or_default();
        let parameter = from.get(..at).is_some_and(|before| before.ends_with('$'));
        if !parameter && (inside.contains(',') || inside.contains("..")) {
            return true;
        }
        from = rest;
    }
    false
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

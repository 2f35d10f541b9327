//! What is beyond the room for commands: read, so that an error in it is found, and kept nowhere. Most of it is
//! plain (`a;`, `$(a)`) and needs no more than a look at its bytes.

use super::{
    cursor::{Parsed, Parser},
    reserved::is_reserved,
};
use crate::tree::{List, Substitution, WordPart};

/// Bytes that are no quote, expansion, glob or operator. An array assignment has a parenthesis, too.
const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'-' | b'.' | b'/' | b',' | b':' | b'@' | b'%' | b'+' | b'=')
}

/// The lengths of the simple command of plain words that `bytes` begin with: up to its last word, and with the blanks
/// behind it. `None` when anything else may be there.
fn plain_command(bytes: &[u8]) -> Option<(usize, usize)> {
    let first = bytes.iter().position(|&byte| !is_plain(byte)).unwrap_or(bytes.len());
    let word = bytes.get(..first).unwrap_or_default();
    if word.is_empty() || std::str::from_utf8(word).map_or(true, is_reserved) {
        return None;
    }
    let (mut end, mut at) = (first, first);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' => at += 1,
            byte if is_plain(byte) => {
                at += 1;
                end = at;
            }
            // Not `&>`.
            b'&' if matches!(bytes.get(at + 1), Some(b'>' | b'\\')) => return None,
            b'\n' | b';' | b'&' | b'|' | b')' => break,
            _ => return None,
        }
    }
    Some((end, at))
}

/// The same for a subshell with such a command and without redirections.
fn plain_subshell(bytes: &[u8]) -> Option<(usize, usize)> {
    let (_, inner) = plain_command(bytes.get(1..)?)?;
    let end = inner + 2;
    if bytes.get(end - 1) != Some(&b')') {
        return None;
    }
    let rest = bytes.get(end..)?;
    let blanks = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(rest.len());
    match (rest.get(blanks), rest.get(blanks + 1)) {
        (Some(b'&'), Some(b'>' | b'\\')) => None,
        (None | Some(b'\n' | b';' | b'&' | b'|' | b')'), _) => Some((end, end + blanks)),
        _ => None,
    }
}

impl Parser<'_> {
    /// Passes a plain simple command if nothing is kept any more.
    pub(super) fn forget_command(&mut self) -> Option<crate::Span> {
        if self.keeps() {
            return None;
        }
        let bytes = self.bytes.get(self.pos..).unwrap_or_default();
        let subshell = bytes.first() == Some(&b'(') && !self.is_deepest();
        let (end, behind) = if subshell { plain_subshell(bytes) } else { plain_command(bytes) }?;
        let span = self.span(self.pos, self.pos + end);
        self.pos += behind;
        self.reserved_ok = subshell;
        self.time_is_word = false;
        self.drop_at(span);
        Some(span)
    }

    /// Passes a substitution that holds a plain simple command, behind its parenthesis.
    pub(super) fn forget_substitution(&mut self) -> bool {
        if self.keeps() {
            return false;
        }
        let plain = plain_command(self.bytes.get(self.pos..).unwrap_or_default());
        let Some((end, behind)) = plain.filter(|(_, behind)| self.raw(self.pos + behind) == Some(b')'))
        else {
            return false;
        };
        self.drop_at(self.span(self.pos, self.pos + end));
        self.pos += behind + 1;
        true
    }

    /// Whether `inner`, which stands at `from..to` between backticks, is a plain simple command of which nothing is
    /// kept.
    pub(super) fn forget_script(&mut self, inner: &str, (from, to): (usize, usize)) -> Parsed<bool> {
        let plain = if self.keeps() { None } else { plain_command(inner.as_bytes()) };
        if plain.is_none_or(|(_, behind)| behind < inner.len()) {
            return Ok(false);
        }
        self.spend(inner.len(), from)?;
        self.drop_at(self.span(from, to));
        Ok(true)
    }

    /// Whether `part` can be left out behind `last`: neither is known and nothing in them is kept, so that both
    /// together mean what one does.
    pub(super) fn repeats(&self, last: Option<&WordPart>, part: &WordPart) -> bool {
        !self.keeps() && is_forgotten(part) && last.is_some_and(is_forgotten)
    }
}

/// A substitution none of whose commands were kept.
fn is_forgotten(part: &WordPart) -> bool {
    match part {
        WordPart::Command(substitution) => {
            let Substitution { list: List { items }, broken, .. } = &**substitution;
            items.is_empty() && !broken
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use crate::{ErrorKind, Span, parse::read};

    /// The error of `text` when `room` commands are kept.
    fn error(text: &str, room: usize) -> Option<(ErrorKind, String, Span)> {
        let whole: Arc<str> = text.into();
        read(&whole, &whole, room).err().map(|error| (error.kind, error.message, error.span))
    }

    const PIECES: &[&str] = &[
        "a",
        "b-c",
        " ",
        " ",
        "\t",
        "\n",
        ";",
        "&",
        "|",
        "&&",
        "||",
        "|&",
        "&>",
        ">",
        "<",
        "2",
        "(",
        ")",
        "$(",
        "`",
        "\\",
        "\\\n",
        "\"",
        "'",
        "$x",
        "${x:-",
        "$((",
        "))",
        "{ ",
        "}",
        "}",
        "[[ ",
        " ]]",
        "if ",
        "then ",
        "fi",
        "time ",
        "-p ",
        "! ",
        "do ",
        "done",
        "for i in ",
        "case x in ",
        ";;",
        "esac",
        "in",
        "coproc ",
        "function ",
        "f()",
        "a=",
        "a=(",
        "#",
        " #",
        "<<E\n",
        "\nE\n",
        "<(",
        "é",
        "declare ",
        "*",
        "~",
        "x@y%z+1:2,3/4",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        /// What is not kept is read by the same grammar.
        #[test]
        fn errors_are_those_of_what_is_kept(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..12)) {
            let text = pieces.concat();
            let all = error(&text, usize::MAX);
            for room in 0..4 {
                prop_assert_eq!(error(&text, room), all.clone(), "{:?} with room for {}", &text, room);
            }
        }
    }

    #[test]
    fn plain_subshells_end_where_others_do() {
        for (text, expected) in [
            ("(a)", Some((3, 3))),
            ("(a b ) ;", Some((6, 7))),
            ("(a)\n", Some((3, 3))),
            ("(a))", Some((3, 3))),
            ("(a)&", Some((3, 3))),
            ("(a)&>f", None),
            ("(a)>f", None),
            ("(a) b", None),
            ("(a;b)", None),
            ("((a))", None),
            ("(a", None),
            ("(", None),
        ] {
            assert_eq!(super::plain_subshell(text.as_bytes()), expected, "{text:?}");
        }
        // Subshells count as levels here as well.
        for levels in [126, 127, 128, 129] {
            let text = format!("{}(a){}", "(".repeat(levels - 1), ")".repeat(levels - 1));
            let text = text.replace("((", "( (").replace("((", "( (");
            let whole: Arc<str> = text.as_str().into();
            assert_eq!(error(&whole, 0), error(&whole, usize::MAX), "{levels}");
            assert_eq!(error(&whole, 0).is_some(), levels > 128, "{levels}");
        }
    }

    #[test]
    fn plain_commands_end_where_others_do() {
        for (text, expected) in [
            ("a", Some((1, 1))),
            ("ab -c  ", Some((5, 7))),
            ("a b\n", Some((3, 3))),
            ("a ;", Some((1, 2))),
            ("a&b", Some((1, 1))),
            ("a)", Some((1, 1))),
            ("a&>f", None),
            ("a&\\\n>f", None),
            ("a(", None),
            ("a=b c", Some((5, 5))),
            ("a=(b)", None),
            ("a 2>f", None),
            ("a #", None),
            ("then", None),
            ("time a", None),
            ("a $x", None),
            ("a `", None),
            (" a", None),
            ("(a)", None),
            ("", None),
        ] {
            assert_eq!(super::plain_command(text.as_bytes()), expected, "{text:?}");
        }
    }
}

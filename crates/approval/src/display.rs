//! Text from an agent made safe to show: nothing in it is interpreted by the terminal, reorders what
//! stands beside it, or is invisible.

use std::fmt::Write as _;

/// Blanks in a row that are shown as they are; more become one marker, so that padding hides no tail.
const BLANKS: usize = 16;

/// One line: every character that a reader could not see, or that a terminal would act on, is written as
/// an escape (`\n`, `\u{1b}`, `\u{202e}`), and long runs of blanks as `⟨40 blanks⟩`.
///
/// A backslash stays a backslash: an escape that the agent wrote itself is shown as it wrote it, which
/// can only make a harmless text look dangerous.
///
/// ```
/// use portcullis_approval::escape_line;
/// assert_eq!(escape_line("ls\u{1b}[2K"), r"ls\u{1b}[2K");
/// assert_eq!(escape_line("a\u{202e}b"), r"a\u{202e}b");
/// ```
#[must_use]
pub fn escape_line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut blanks = 0usize;
    for character in text.chars() {
        if character == ' ' {
            blanks += 1;
            continue;
        }
        flush(&mut shown, &mut blanks);
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            hidden if is_hidden(hidden) => {
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(hidden));
            }
            seen => shown.push(seen),
        }
    }
    flush(&mut shown, &mut blanks);
    shown
}

fn flush(shown: &mut String, blanks: &mut usize) {
    if *blanks > BLANKS {
        let _ = write!(shown, "⟨{blanks} blanks⟩");
    } else {
        shown.extend(std::iter::repeat_n(' ', *blanks));
    }
    *blanks = 0;
}

/// Several lines, each through [`escape_line`]; runs of blank lines become one marker line.
#[must_use]
pub fn escape_lines(text: &str) -> Vec<String> {
    let mut shown: Vec<String> = Vec::new();
    let mut empty = 0usize;
    for line in text.split('\n') {
        if line.trim().is_empty() {
            empty += 1;
            continue;
        }
        push_empty(&mut shown, empty);
        empty = 0;
        shown.push(escape_line(line));
    }
    push_empty(&mut shown, empty);
    while shown.last().is_some_and(String::is_empty) {
        shown.pop();
    }
    shown
}

fn push_empty(shown: &mut Vec<String>, count: usize) {
    match count {
        0 => {}
        1 | 2 => shown.extend(std::iter::repeat_n(String::new(), count)),
        more => shown.push(format!("⟨{more} empty lines⟩")),
    }
}

/// Whether a character is one that a terminal acts on, that reorders its neighbours, or that shows
/// nothing or only an unusual blank.
#[must_use]
pub fn is_hidden(character: char) -> bool {
    // Unicode 16: general categories Cc, Cf, Zl, Zp, Zs other than U+0020, and the Default_Ignorable
    // letters and marks that render as nothing; written as ranges so that the table can be read.
    matches!(u32::from(character),
        0x00..=0x1f | 0x7f..=0x9f          // C0, DEL, C1
        | 0xa0 | 0xad                      // no-break space, soft hyphen
        | 0x34f | 0x600..=0x605 | 0x61c    // grapheme joiner, Arabic signs, Arabic letter mark
        | 0x6dd | 0x70f | 0x890..=0x891 | 0x8e2
        | 0x115f..=0x1160                  // Hangul fillers
        | 0x1680                           // Ogham space
        | 0x17b4..=0x17b5 | 0x180b..=0x180f
        | 0x2000..=0x200f                  // spaces, zero-width characters, direction marks
        | 0x2028..=0x202f                  // line and paragraph separators, direction embeddings
        | 0x205f..=0x206f                  // mathematical space, invisible operators, isolates
        | 0x2800                           // blank Braille pattern
        | 0x3000 | 0x3164
        | 0xfe00..=0xfe0f | 0xfeff         // variation selectors, byte-order mark
        | 0xffa0 | 0xfff0..=0xfffb
        | 0x110bd | 0x110cd | 0x13430..=0x1343f
        | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a
        | 0xe000..=0xf8ff                  // private use: a font may draw anything
        | 0xe0000..=0x10ffff               // tags, variation selectors, private planes
    )
}

#[cfg(test)]
mod tests {
    use super::{escape_line, escape_lines};

    #[test]
    fn nothing_hidden_is_left() {
        let shown = escape_line("a\u{200b}b\u{202e}c\u{1b}]0;x\u{7}\rd\u{e0041}\u{a0}");
        assert_eq!(shown, r"a\u{200b}b\u{202e}c\u{1b}]0;x\u{7}\rd\u{e0041}\u{a0}");
    }

    #[test]
    fn padding_hides_no_tail() {
        let text = format!("ls{}; rm -rf x", " ".repeat(4000));
        assert_eq!(escape_line(&text), "ls⟨4000 blanks⟩; rm -rf x");
        assert_eq!(escape_line("a    b"), "a    b");
        let lines = escape_lines(&format!("ls{}rm x", "\n".repeat(500)));
        assert_eq!(lines, ["ls", "⟨499 empty lines⟩", "rm x"]);
    }

    #[test]
    fn ordinary_scripts_stay_readable() {
        assert_eq!(escape_line("grep 'é漢字' *.txt"), "grep 'é漢字' *.txt");
    }
}

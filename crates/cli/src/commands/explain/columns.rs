//! How wide text is on a terminal, and where it is cut.

use portcullis_approval::escape_line;

/// Marks on one character that are shown as they are; a pile of them would be drawn over the lines around.
const PILE: usize = 3;

/// How many marks stand on the same character.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pile(usize);

impl Pile {
    /// At the begin of a line, where a mark has nothing to stand on.
    pub(super) const fn new() -> Self {
        Self(PILE)
    }

    /// Whether the next character is one mark too many.
    pub(super) fn is_too_high(&mut self, next: char) -> bool {
        self.0 = if of(next) == 0 { self.0 + 1 } else { 0 };
        self.0 > PILE
    }
}

/// One line in which nothing is hidden, moves the cursor or is drawn over other lines.
pub(super) fn safe(text: &str) -> String {
    let mut pile = Pile::new();
    let mut line = String::with_capacity(text.len());
    for character in escape_line(text).chars() {
        if pile.is_too_high(character) {
            line.push_str(&format!("\\u{{{:x}}}", u32::from(character)));
        } else {
            line.push(character);
        }
    }
    line
}

/// The columns that a terminal draws the text in.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(of).sum()
}

/// Two for the wide and full-width blocks of Unicode's East Asian Width (UAX #11), none for marks that stand on the
/// character before them, else one. By blocks: never too narrow for text that people write.
pub(super) fn of(character: char) -> usize {
    match u32::from(character) {
        0x0300..=0x036f
        | 0x0483..=0x0489
        | 0x0591..=0x05bd
        | 0x0610..=0x061a
        | 0x064b..=0x065f
        | 0x06d6..=0x06dc
        | 0x0e31
        | 0x0e34..=0x0e3a
        | 0x0e47..=0x0e4e
        | 0x1ab0..=0x1aff
        | 0x1dc0..=0x1dff
        | 0x20d0..=0x20ff
        | 0x302a..=0x302d
        | 0x3099..=0x309a
        | 0xfe20..=0xfe2f => 0,
        0x1100..=0x115f
        | 0x231a..=0x231b
        | 0x23e9..=0x23ec
        | 0x2705
        | 0x270a..=0x270b
        | 0x2728
        | 0x274c
        | 0x2753..=0x2757
        | 0x2795..=0x2797
        | 0x2b1b..=0x2b1c
        | 0x2e80..=0xa4cf
        | 0xa960..=0xa97c
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x16fe0..=0x18cff
        | 0x1b000..=0x1b2ff
        | 0x1f004
        | 0x1f0cf
        | 0x1f18e
        | 0x1f191..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// Rows of at most `first` columns, then `rest`; cut at blanks where there are some. Blanks at cuts go.
pub(super) fn fold(text: &str, first: usize, rest: usize) -> Vec<String> {
    const LEAST: usize = 16;
    let mut rows = Vec::new();
    let (mut row, mut used, mut room) = (String::new(), 0, first.max(LEAST));
    let rest = rest.max(LEAST);
    for word in text.split_inclusive(' ') {
        let wide = width(word.trim_end());
        // What fits in no row is cut where this one ends.
        if used > 0 && used + wide > room && (wide <= rest || used * 2 > room) {
            rows.push(std::mem::take(&mut row).trim_end().to_owned());
            (used, room) = (0, rest);
        }
        for character in word.chars() {
            let step = of(character);
            if used + step > room && character != ' ' {
                rows.push(std::mem::take(&mut row).trim_end().to_owned());
                (used, room) = (0, rest);
            }
            row.push(character);
            used += step;
        }
    }
    rows.push(row.trim_end().to_owned());
    rows
}

/// The text in at most `room` columns, with what is left out counted behind it.
pub(super) fn shorten(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let room = room.saturating_sub(18);
    let mut kept = String::new();
    let mut used = 0;
    for character in text.chars() {
        used += of(character);
        if used > room {
            break;
        }
        kept.push(character);
    }
    let left = text.chars().count() - kept.chars().count();
    format!("{kept}… ({left} more)")
}

#[cfg(test)]
mod tests {
    use super::{fold, safe, shorten, width};

    #[test]
    fn width_is_that_of_terminals() {
        for (text, columns) in [("abc", 3), ("漢字", 4), ("e\u{301}", 1), ("🦀", 2), ("é│✓…", 4), ("한국", 4)]
        {
            assert_eq!(width(text), columns, "{text}");
        }
    }

    #[test]
    fn marks_are_not_piled_up() {
        assert_eq!(safe("e\u{301}\u{301}\u{301}\u{301}x"), "e\u{301}\u{301}\u{301}\\u{301}x");
        assert_eq!(safe("\u{301}a\u{1b}"), "\\u{301}a\\u{1b}");
    }

    #[test]
    fn rows_are_cut_at_blanks_or_anywhere_if_they_must() {
        assert_eq!(fold("a few words that are long", 20, 20), ["a few words that are", "long"]);
        assert_eq!(fold(&"x".repeat(45), 20, 16), ["x".repeat(20), "x".repeat(16), "x".repeat(9)]);
        assert_eq!(fold("", 20, 20), [""]);
        assert!(fold(&"漢".repeat(50), 21, 17).iter().all(|row| width(row) <= 21));
    }

    #[test]
    fn what_is_left_out_is_counted() {
        assert_eq!(shorten("short", 30), "short");
        assert_eq!(shorten(&"y".repeat(100), 30), format!("{}… (88 more)", "y".repeat(12)));
        assert!(width(&shorten(&"漢".repeat(100), 30)) <= 30);
    }
}

//! Lines of at most 80 columns, with colour only where the caller wants it.

/// Columns that every terminal has.
const WIDTH: usize = 80;

/// How lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Escape sequences for colour and weight may be written.
    pub colour: bool,
}

impl Style {
    /// Bold.
    pub(super) fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Dim.
    pub(super) fn faint(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// Red: a part that deserves a look.
    pub(super) fn warn(self, text: &str) -> String {
        self.wrap("31", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Folds `text` to lines that fit behind `indent` blanks, at blanks where there are some. Counts
/// characters; wide ones (CJK) count two, as terminals draw them.
pub(super) fn fold(text: &str, indent: usize) -> Vec<String> {
    let room = WIDTH.saturating_sub(indent).max(20);
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0usize;
    for word in text.split_inclusive(' ') {
        let wide = width(word);
        if used + width(word.trim_end()) > room && used > 0 {
            lines.push(line.trim_end().to_owned());
            line.clear();
            used = 0;
        }
        if wide <= room {
            line.push_str(word);
            used += wide;
            continue;
        }
        for character in word.chars() {
            let step = column(character);
            if used + step > room {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(character);
            used += step;
        }
    }
    lines.push(line.trim_end().to_owned());
    lines
}

fn width(text: &str) -> usize {
    text.chars().map(column).sum()
}

/// Wide and full-width blocks of Unicode's East Asian Width, coarsely: never too narrow for text that
/// people write.
fn column(character: char) -> usize {
    match u32::from(character) {
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::{fold, width};

    #[test]
    fn nothing_is_lost_and_nothing_is_wider_than_the_terminal() {
        let text = format!("{} {} short {}", "a".repeat(200), "漢".repeat(60), "b ".repeat(90));
        let lines = fold(&text, 4);
        assert!(lines.iter().all(|line| width(line) <= 76), "{lines:?}");
        let kept: String = lines.concat().split_whitespace().collect();
        assert_eq!(kept, text.split_whitespace().collect::<String>());
    }
}

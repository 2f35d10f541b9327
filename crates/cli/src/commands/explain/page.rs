//! Lines for people: wrapped at 80 columns, with colour on a terminal only. Everything that comes from a
//! call is escaped before it gets here.

use portcullis_approval::escape_line;

/// Columns of the page.
const WIDTH: usize = 80;

/// How a line stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Plain,
    Heading,
    Faint,
    Allow,
    Deny,
    Ask,
}

impl Look {
    /// The SGR parameters (ECMA-48, 8.3.117).
    const fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Heading => "1",
            Self::Faint => "2",
            Self::Allow => "32",
            Self::Deny => "31",
            Self::Ask => "33",
        }
    }
}

/// A page under construction.
#[derive(Debug, Default)]
pub(super) struct Page {
    lines: Vec<(Look, String)>,
}

impl Page {
    /// A heading, after an empty line.
    pub(super) fn heading(&mut self, text: &str) {
        if !self.lines.is_empty() {
            self.lines.push((Look::Plain, String::new()));
        }
        self.lines.push((Look::Heading, text.to_owned()));
    }

    /// Text behind a prefix of our own; what does not fit goes on below, indented by `hang` columns.
    pub(super) fn line(&mut self, look: Look, prefix: &str, text: &str, hang: usize) {
        let mut current = prefix.to_owned();
        let mut room = WIDTH.saturating_sub(columns(prefix));
        let mut fresh = true;
        for word in escape_line(text).split(' ') {
            for (index, piece) in pieces(word, WIDTH.saturating_sub(hang).max(20)).into_iter().enumerate() {
                let gap = usize::from(!fresh && index == 0);
                if columns(&piece) + gap > room && !(fresh && current.is_empty()) {
                    self.lines.push((look, current.trim_end().to_owned()));
                    current = " ".repeat(hang);
                    room = WIDTH.saturating_sub(hang);
                    fresh = true;
                }
                if !fresh && index == 0 {
                    current.push(' ');
                    room = room.saturating_sub(1);
                }
                room = room.saturating_sub(columns(&piece));
                current.push_str(&piece);
                fresh = false;
            }
        }
        self.lines.push((look, current.trim_end().to_owned()));
    }

    /// The finished text.
    pub(super) fn render(&self, colour: bool) -> String {
        let mut text = String::new();
        for (look, line) in &self.lines {
            if colour && *look != Look::Plain && !line.is_empty() {
                text.push_str(&format!("\u{1b}[{}m{line}\u{1b}[0m", look.code()));
            } else {
                text.push_str(line);
            }
            text.push('\n');
        }
        text
    }
}

/// Characters; wide ones are rare in commands and only make a line longer.
fn columns(text: &str) -> usize {
    text.chars().count()
}

/// A word cut so that each piece fits.
fn pieces(word: &str, most: usize) -> Vec<String> {
    let characters: Vec<char> = word.chars().collect();
    if characters.is_empty() {
        return vec![String::new()];
    }
    characters.chunks(most).map(|chunk| chunk.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Look, Page};

    #[test]
    fn nothing_is_wider_than_the_page() {
        let mut page = Page::default();
        page.heading("Gates");
        page.line(
            Look::Ask,
            "  prefix  ",
            &format!("{} and then {}", "x".repeat(200), "word ".repeat(60)),
            4,
        );
        let text = page.render(false);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert_eq!(text.matches('x').count(), 202 - 1, "{text}");
    }

    #[test]
    fn colour_is_only_for_terminals_and_calls_cannot_bring_their_own() {
        let mut page = Page::default();
        page.line(Look::Deny, "", "a\u{1b}[2Kb", 0);
        assert_eq!(page.render(false), "a\\u{1b}[2Kb\n");
        assert!(page.render(true).starts_with("\u{1b}[31m"));
    }
}

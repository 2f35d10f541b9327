//! Lines for people: as wide as the terminal, with colour only where it is wanted. Whatever comes from a call is
//! made safe to show before it gets here, or by [`Page::flow`].

use super::columns::{self, safe, width};

/// How a piece of a line stands out.
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

/// A piece of a line.
pub(super) type Piece = (Look, String);

/// A piece.
pub(super) fn piece(look: Look, text: impl Into<String>) -> Piece {
    (look, text.into())
}

/// A page under construction.
#[derive(Debug)]
pub(super) struct Page {
    width: usize,
    lines: Vec<Vec<Piece>>,
}

impl Page {
    /// An empty page of that many columns.
    pub(super) const fn new(width: usize) -> Self {
        Self { width, lines: Vec::new() }
    }

    /// Columns of a line.
    pub(super) const fn width(&self) -> usize {
        self.width
    }

    /// A heading, after an empty line.
    pub(super) fn heading(&mut self, text: &str, remark: &str) {
        if !self.lines.is_empty() {
            self.lines.push(Vec::new());
        }
        let mut pieces = vec![piece(Look::Heading, text)];
        if !remark.is_empty() {
            pieces.push(piece(Look::Faint, format!("  {remark}")));
        }
        self.lines.push(pieces);
    }

    /// A line as it is.
    pub(super) fn line(&mut self, pieces: Vec<Piece>) {
        self.lines.push(pieces);
    }

    /// Text of a call behind a prefix of our own; what does not fit goes on below, behind `hang`.
    pub(super) fn flow(&mut self, prefix: Vec<Piece>, look: Look, text: &str, hang: &[Piece]) {
        let wide = |pieces: &[Piece]| pieces.iter().map(|(_, text)| width(text)).sum::<usize>();
        let first = self.width.saturating_sub(wide(&prefix));
        let rest = self.width.saturating_sub(wide(hang));
        let mut begin = prefix;
        for row in columns::fold(&safe(text), first, rest) {
            begin.push(piece(look, row));
            self.lines.push(begin);
            begin = hang.to_vec();
        }
    }

    /// Words of our own that stay whole, as many in a row as there is room for.
    pub(super) fn items(&mut self, prefix: Vec<Piece>, look: Look, items: &[String], hang: &[Piece]) {
        let wide = |pieces: &[Piece]| pieces.iter().map(|(_, text)| width(text)).sum::<usize>();
        let (mut begin, mut row) = (prefix, String::new());
        for item in items {
            let gap = if row.is_empty() { "" } else { ", " };
            if !row.is_empty() && wide(&begin) + width(&row) + width(item) + 3 > self.width {
                begin.push(piece(look, format!("{row},")));
                self.lines.push(begin);
                (begin, row) = (hang.to_vec(), item.clone());
            } else {
                row.push_str(gap);
                row.push_str(item);
            }
        }
        begin.push(piece(look, row));
        self.lines.push(begin);
    }

    /// The finished text.
    pub(super) fn render(&self, colour: bool) -> String {
        let mut text = String::new();
        for line in &self.lines {
            let mut plain = 0;
            for (look, piece) in line {
                if colour && *look != Look::Plain && !piece.trim().is_empty() {
                    text.push_str(&format!("\u{1b}[{}m{piece}\u{1b}[0m", look.code()));
                    plain = 0;
                } else {
                    text.push_str(piece);
                    plain = if piece.trim_end_matches(' ').is_empty() { plain } else { 0 };
                    plain += piece.len() - piece.trim_end_matches(' ').len();
                }
            }
            text.truncate(text.len().saturating_sub(plain));
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Look, Page, piece, width};

    #[test]
    fn nothing_is_lost_and_nothing_is_wider_than_the_page() {
        for columns in [80, 120] {
            let mut page = Page::new(columns);
            let text = format!("{} and then {}", "x".repeat(200), "漢字 word ".repeat(30));
            page.flow(
                vec![piece(Look::Ask, "  prefix  ")],
                Look::Plain,
                &text,
                &[piece(Look::Plain, "    ")],
            );
            let shown = page.render(false);
            assert!(shown.lines().all(|line| width(line) <= columns), "{shown}");
            let kept: String = shown.split_whitespace().collect();
            assert_eq!(kept, format!("prefix{}", text.split_whitespace().collect::<String>()));
        }
    }

    #[test]
    fn colour_is_only_where_it_is_wanted_and_calls_cannot_bring_their_own() {
        let mut page = Page::new(80);
        page.flow(vec![piece(Look::Plain, "  ")], Look::Deny, "a\u{1b}[2Kb", &[]);
        page.line(vec![piece(Look::Faint, "x"), piece(Look::Plain, "   ")]);
        assert_eq!(page.render(false), "  a\\u{1b}[2Kb\nx\n");
        assert_eq!(page.render(true), "  \u{1b}[31ma\\u{1b}[2Kb\u{1b}[0m\n\u{1b}[2mx\u{1b}[0m\n");
    }
}

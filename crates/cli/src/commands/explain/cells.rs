//! A command's text as rows of a picture: every character as it can be shown, with the bytes that it stands for.

use std::ops::Range;

use portcullis_approval::is_hidden;

use super::columns::{self, Pile};

/// Blanks in a row that are shown as they are; more become one cell, so that padding hides no tail.
const BLANKS: usize = 16;

/// One character, or an escape for one that cannot be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) shown: String,
    pub(super) width: usize,
    /// Bytes of the command's text.
    pub(super) bytes: Range<usize>,
    /// What is shown is not the character itself.
    pub(super) escaped: bool,
}

/// A row of cells, and the line of the text that it begins, from 1, if it begins one.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) number: Option<usize>,
    pub(super) cells: Vec<Cell>,
    /// Just behind its last byte, the line feed not included.
    pub(super) end: usize,
    /// The line goes on in the next row.
    pub(super) broken: bool,
}

/// The lines of a text, none of them cut.
pub(super) fn lines(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut start = 0;
    for (index, line) in text.split('\n').enumerate() {
        let cells = cells(line, start);
        let end = start + line.len();
        rows.push(Row { number: Some(index + 1), cells, end, broken: false });
        start = end + 1;
    }
    // The line feed at the end of a text begins no line.
    if rows.len() > 1 && rows.last().is_some_and(|row| row.cells.is_empty()) {
        rows.pop();
    }
    rows
}

/// The same in rows of at most `room` columns, cut behind blanks where that costs little.
pub(super) fn rows(text: &str, room: usize) -> Vec<Row> {
    let room = room.max(20);
    let mut all = Vec::new();
    for line in lines(text) {
        let Row { mut number, mut cells, end, .. } = line;
        while let Some(cut) = cut(&cells, room) {
            let rest = cells.split_off(cut);
            let end = rest.first().map_or(end, |cell| cell.bytes.start);
            all.push(Row { number: number.take(), cells, end, broken: true });
            cells = rest;
        }
        all.push(Row { number, cells, end, broken: false });
    }
    all
}

/// How many cells fit, if not all.
fn cut(cells: &[Cell], room: usize) -> Option<usize> {
    let mut used = 0;
    let full = cells.iter().position(|cell| {
        used += cell.width;
        used > room
    })?;
    let near = full.saturating_sub(room / 4);
    let blank = cells.iter().take(full).rposition(|cell| cell.shown == " ").map(|at| at + 1);
    Some(blank.filter(|at| *at > near).unwrap_or(full).max(1))
}

fn cells(line: &str, start: usize) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let (mut column, mut pile) = (0, Pile::new());
    let mut rest = line;
    let mut at = start;
    while let Some(character) = rest.chars().next() {
        let blanks = rest.len() - rest.trim_start_matches(' ').len();
        let (length, shown, escaped) = if blanks > BLANKS {
            (blanks, format!("⟨{blanks} blanks⟩"), true)
        } else {
            let piled = pile.is_too_high(character);
            let shown = match character {
                '\t' => format!("→{}", " ".repeat(3 - column % 4)),
                '\r' => "\\r".to_owned(),
                hidden if is_hidden(hidden) || piled => {
                    format!("\\u{{{:x}}}", u32::from(hidden))
                }
                seen => seen.to_string(),
            };
            let escaped = shown.chars().ne([character]);
            (character.len_utf8(), shown, escaped)
        };
        let width = columns::width(&shown);
        cells.push(Cell { shown, width, bytes: at..at + length, escaped });
        column += width;
        at += length;
        rest = rest.get(length..).unwrap_or_default();
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::{lines, rows};

    fn shown(text: &str, room: usize) -> Vec<String> {
        rows(text, room)
            .iter()
            .map(|row| row.cells.iter().map(|cell| cell.shown.as_str()).collect())
            .collect()
    }

    #[test]
    fn every_byte_is_in_one_cell() {
        for text in
            ["", "a", "a\tb\u{1b}[2K", "漢字 é e\u{301}\u{301}\u{301}\u{301}", "x\n\ny\r\n", &" ".repeat(90)]
        {
            for room in [20, 80] {
                let mut next = 0;
                for row in rows(text, room) {
                    for cell in &row.cells {
                        assert_eq!(cell.bytes.start, next, "{text:?}");
                        next = cell.bytes.end;
                    }
                    assert_eq!(row.end, next, "{text:?}");
                    next += usize::from(!row.broken);
                }
                assert!(next == text.len() + 1 || next == text.len(), "{text:?}");
            }
        }
    }

    #[test]
    fn nothing_hidden_is_shown_as_it_is() {
        assert_eq!(shown("a\u{1b}]0;x\u{7}\u{202e}b\rc", 80), [r"a\u{1b}]0;x\u{7}\u{202e}b\rc"]);
        assert_eq!(shown(&format!("ls{}; rm x", " ".repeat(500)), 80), ["ls⟨500 blanks⟩; rm x"]);
        assert_eq!(shown("\tif\ta", 80), ["→   if→ a"]);
        assert_eq!(
            shown("e\u{301}\u{301}\u{301}\u{301}\u{301}", 80),
            ["e\u{301}\u{301}\u{301}\\u{301}\\u{301}"]
        );
        assert_eq!(shown("\u{301}a", 80), ["\\u{301}a"]);
    }

    #[test]
    fn long_lines_are_cut_behind_blanks() {
        assert_eq!(shown("grep -rn something src tests", 20), ["grep -rn something ", "src tests"]);
        assert_eq!(shown(&"漢".repeat(15), 21), ["漢".repeat(10), "漢".repeat(5)]);
        let numbers: Vec<_> = rows("a\nb\n", 20).iter().map(|row| row.number).collect();
        assert_eq!(numbers, [Some(1), Some(2)]);
        assert_eq!(lines("a\n\n").len(), 2);
    }
}

//! The command's text with its marks in place: under the very words, each with its clause.

use super::{
    cells::{Row, rows},
    columns::{fold, safe, width},
    marks::{Mark, MarkKind},
    page::{Look, Page, Piece, piece},
};

/// Rows of a text that are all shown; of a longer one those with a mark, and some around them.
const ROWS: usize = 60;
/// Rows that are shown around a mark then.
const AROUND: usize = 2;
/// Marks that are drawn; of a text with more, the rest is counted.
const MARKS: usize = 60;

/// Draws the text.
pub(super) fn draw(page: &mut Page, text: &str, marks: &[Mark]) {
    let numbered = text.trim_end_matches('\n').contains('\n');
    let digits = text.split('\n').count().to_string().len();
    let gutter = if numbered { digits + 6 } else { 4 };
    let rows = rows(text, page.width().saturating_sub(gutter));
    let placed = place(&rows, marks.get(..MARKS).unwrap_or(marks));
    let shown = shown(&rows, &placed);
    let side = |number: Option<usize>, rail: &str| -> Piece {
        let number = number.filter(|_| numbered).map(|number| number.to_string()).unwrap_or_default();
        let wide = if numbered { digits + 1 } else { 0 };
        piece(Look::Faint, format!("  {number:>wide$}{}{rail} ", if numbered { " " } else { "" }))
    };
    let mut left_out = 0;
    for (index, row) in rows.iter().enumerate() {
        if !shown.get(index).copied().unwrap_or(true) {
            left_out += 1;
            continue;
        }
        page_left_out(page, &side(None, "┆"), &mut left_out);
        let mut pieces = vec![side(row.number, "│")];
        pieces.extend(coloured(row, marks));
        page.line(pieces);
        for spot in placed.iter().filter(|spot| spot.row == index) {
            label(page, &side(None, "│"), gutter, spot);
        }
    }
    page_left_out(page, &side(None, "┆"), &mut left_out);
    if marks.len() > MARKS {
        let more = marks.len() - MARKS;
        page.line(vec![side(None, "┆"), piece(Look::Ask, format!("{more} marks more"))]);
    }
}

fn page_left_out(page: &mut Page, side: &Piece, left_out: &mut usize) {
    if *left_out > 0 {
        page.line(vec![side.clone(), piece(Look::Faint, format!("{left_out} rows without a mark"))]);
    }
    *left_out = 0;
}

const fn look(kind: MarkKind) -> Look {
    match kind {
        MarkKind::Rule | MarkKind::Error => Look::Deny,
        MarkKind::Reason => Look::Ask,
    }
}

/// The row in pieces: marked words stand out.
fn coloured(row: &Row, marks: &[Mark]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for cell in &row.cells {
        let within = |mark: &&Mark| {
            (mark.span.start as usize) < cell.bytes.end && cell.bytes.start < mark.span.end as usize
        };
        let marked = marks.iter().filter(within).map(|mark| mark.kind).min();
        let tone = marked.map_or(if cell.escaped { Look::Faint } else { Look::Plain }, look);
        match pieces.last_mut() {
            Some((last, text)) if *last == tone => text.push_str(&cell.shown),
            _ => pieces.push(piece(tone, cell.shown.as_str())),
        }
    }
    pieces
}

/// Where something is drawn under a row.
struct Spot<'a> {
    row: usize,
    /// Columns of the row.
    from: usize,
    to: usize,
    kind: MarkKind,
    /// What stands beside it; nothing where the words go on in the next row.
    clauses: Vec<&'a str>,
    /// The line, from 1, in which the words end, if another one.
    last_line: Option<usize>,
}

/// Where the marks fall; those of the same words together. What spans several lines is drawn under its first.
fn place<'a>(rows: &[Row], marks: &'a [Mark]) -> Vec<Spot<'a>> {
    let mut spots = Vec::new();
    for same in marks.chunk_by(|left, right| left.span == right.span) {
        let Some(mark) = same.first() else { continue };
        let (start, end) = (mark.span.start as usize, mark.span.end as usize);
        let holds = |row: &Row| start < row.end || (start == row.end && !row.broken);
        let Some(first) = rows.iter().position(holds) else { continue };
        let line_of = |byte: usize| {
            let until =
                rows.iter().take_while(|row| row.cells.first().is_none_or(|cell| cell.bytes.start <= byte));
            until.filter_map(|row| row.number).last().unwrap_or(1)
        };
        let (begins, ends) = (line_of(start), line_of(end.saturating_sub(1).max(start)));
        for (index, row) in rows.iter().enumerate().skip(first) {
            let (from, to) = columns(row, start, end);
            let goes_on = end > row.end && row.broken;
            spots.push(Spot {
                row: index,
                from,
                to,
                kind: mark.kind,
                clauses: if goes_on {
                    Vec::new()
                } else {
                    same.iter().map(|mark| mark.text.as_str()).collect()
                },
                last_line: Some(ends).filter(|line| !goes_on && *line != begins),
            });
            if !goes_on {
                break;
            }
        }
    }
    spots
}

/// The columns of a row that the bytes take; at least one.
fn columns(row: &Row, start: usize, end: usize) -> (usize, usize) {
    let before = |byte: usize| -> usize {
        row.cells.iter().filter(|cell| cell.bytes.end <= byte).map(|cell| cell.width).sum()
    };
    let within = row.cells.iter().filter(|cell| cell.bytes.start < end && start < cell.bytes.end);
    let from = before(start);
    (from, from + within.map(|cell| cell.width).sum::<usize>().max(1))
}

/// Which rows are shown.
fn shown(rows: &[Row], spots: &[Spot<'_>]) -> Vec<bool> {
    let mut shown = vec![rows.len() <= ROWS; rows.len()];
    let marked = spots.iter().map(|spot| spot.row).chain([0]);
    for at in marked {
        for row in shown.iter_mut().take(at + AROUND + 1).skip(at.saturating_sub(AROUND)) {
            *row = true;
        }
    }
    shown
}

/// The line under the words, and the clauses beside or below it.
fn label(page: &mut Page, side: &Piece, gutter: usize, spot: &Spot<'_>) {
    /// Columns that a clause needs beside its words, unless it is shorter.
    const BESIDE: usize = 30;
    let room = page.width().saturating_sub(gutter);
    let tone = look(spot.kind);
    let mut front = vec![
        side.clone(),
        piece(Look::Plain, " ".repeat(spot.from)),
        piece(tone, "━".repeat(spot.to.saturating_sub(spot.from))),
    ];
    let until = spot.last_line.map(|line| format!(" (to line {line})")).unwrap_or_default();
    let clauses: Vec<String> = spot.clauses.iter().map(|clause| safe(&format!("{clause}{until}"))).collect();
    let longest = clauses.iter().map(|clause| width(clause)).max().unwrap_or(0);
    let right = room.saturating_sub(spot.to + 1);
    if clauses.is_empty() {
        page.line(front);
    } else if right >= longest.min(BESIDE) {
        for row in clauses.iter().flat_map(|clause| fold(clause, right, right)) {
            front.push(piece(tone, format!(" {row}")));
            page.line(front);
            front = vec![side.clone(), piece(Look::Plain, " ".repeat(spot.to))];
        }
    } else {
        // Below, as far to the left as the clauses want.
        page.line(front);
        let wanted = longest.min(room * 2 / 3) + 2;
        let indent = spot.from.min(room.saturating_sub(wanted));
        for clause in &clauses {
            let rows = fold(clause, room - indent - 2, room - indent - 2);
            for (index, row) in rows.into_iter().enumerate() {
                let corner = if index == 0 { "└ " } else { "  " };
                page.line(vec![
                    side.clone(),
                    piece(Look::Plain, " ".repeat(indent)),
                    piece(tone, format!("{corner}{row}")),
                ]);
            }
        }
    }
}

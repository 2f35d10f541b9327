//! Lines of input, each with a bound: one that is too long is skipped, not held.

use std::io::{self, BufRead};

/// The longest line that is judged, in bytes.
pub(crate) const LONGEST: usize = 16 << 20;

/// A line, without its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Text.
    Text(String),
    /// More than [`LONGEST`] bytes.
    TooLong,
    /// Bytes that are no UTF-8.
    NotText,
}

/// The next line, or `None` at the end.
///
/// # Errors
/// The input cannot be read.
pub(crate) fn next(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    next_within(input, LONGEST)
}

fn next_within(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Line>> {
    let (mut line, mut too_long, mut any) = (Vec::new(), false, false);
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            break;
        }
        any = true;
        let end = available.iter().position(|byte| *byte == b'\n');
        let piece = available.get(..end.unwrap_or(available.len())).unwrap_or_default();
        if line.len() + piece.len() > longest {
            too_long = true;
            line = Vec::new();
        } else if !too_long {
            line.extend_from_slice(piece);
        }
        let used = end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(if !any {
        None
    } else if too_long {
        Some(Line::TooLong)
    } else {
        Some(String::from_utf8(line).map_or(Line::NotText, Line::Text))
    })
}

#[cfg(test)]
mod tests {
    use super::{Line, next_within};

    #[test]
    fn bad_lines_end_where_they_end() {
        let mut input: &[u8] = b"a\n12345\n\xff\n\nlast";
        let mut lines = Vec::new();
        while let Some(line) = next_within(&mut input, 4).unwrap() {
            lines.push(line);
        }
        let text = |text: &str| Line::Text(text.to_owned());
        assert_eq!(lines, [text("a"), Line::TooLong, Line::NotText, text(""), text("last")]);
    }

    #[test]
    fn a_long_line_across_buffers_is_one_line() {
        let mut input = std::io::BufReader::with_capacity(2, &b"123456789\nok\n"[..]);
        assert_eq!(next_within(&mut input, 4).unwrap(), Some(Line::TooLong));
        assert_eq!(next_within(&mut input, 4).unwrap(), Some(Line::Text("ok".into())));
        assert_eq!(next_within(&mut input, 4).unwrap(), None);
    }
}

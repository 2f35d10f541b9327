//! A pattern over text in which only `*` is special and spans anything.

/// A text pattern: literal pieces with a `*` between each two.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TextGlob {
    pieces: Vec<String>,
}

impl TextGlob {
    /// Reads a pattern; every text is one.
    pub(crate) fn new(pattern: &str) -> Self {
        Self { pieces: pattern.split('*').map(str::to_owned).collect() }
    }

    /// The literal pieces.
    pub(crate) fn pieces(&self) -> &[String] {
        &self.pieces
    }

    /// Whether the whole of `text` matches.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let Some((first, rest)) = self.pieces.split_first() else { return text.is_empty() };
        let Some((last, middle)) = rest.split_last() else { return text == first };
        // With stars alone, taking each middle piece at its first place never misses a match.
        let Some(mut text) = text.strip_prefix(first.as_str()) else { return false };
        for piece in middle {
            let Some((_, after)) = text.split_once(piece.as_str()) else { return false };
            text = after;
        }
        text.ends_with(last.as_str())
    }

    /// Whether `text`, in which `None` stands for any characters at all, can be a text that matches.
    pub(crate) fn can_match(&self, text: &[Option<&str>]) -> bool {
        let pattern = symbols(self.pieces.iter().map(|piece| Some(piece.as_str())), true);
        let text = symbols(text.iter().copied(), false);
        // `row[j]`: whether `pattern[i..]` and `text[j..]` have a text in common, from the end backwards.
        let mut below: Vec<bool> = Vec::new();
        for i in (0..=pattern.len()).rev() {
            let mut row = vec![false; text.len() + 1];
            for j in (0..=text.len()).rev() {
                let at = |cells: &[bool], j: usize| cells.get(j).copied().unwrap_or(false);
                let next = match (pattern.get(i), text.get(j)) {
                    (None, None) => true,
                    (Some(None), _) => at(&below, j) || at(&row, j + 1),
                    (_, Some(None)) => at(&row, j + 1) || at(&below, j),
                    (Some(left), Some(right)) => left == right && at(&below, j + 1),
                    _ => false,
                };
                if let Some(cell) = row.get_mut(j) {
                    *cell = next;
                }
            }
            below = row;
        }
        below.first().copied().unwrap_or(false)
    }
}

/// Characters, with `None` for any run of them; `stars`: one between each two pieces.
fn symbols<'a>(pieces: impl Iterator<Item = Option<&'a str>>, stars: bool) -> Vec<Option<char>> {
    let mut out = Vec::new();
    for (index, piece) in pieces.enumerate() {
        if stars && index > 0 {
            out.push(None);
        }
        match piece {
            Some(piece) => out.extend(piece.chars().map(Some)),
            None => out.push(None),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn star_spans_anything() {
        let glob = TextGlob::new("npm run * --watch");
        assert!(glob.matches("npm run test --watch"));
        assert!(glob.matches("npm run a b c --watch"));
        assert!(!glob.matches("npm run --watch"));
        assert!(!glob.matches("npm run test --watch x"));
        assert!(TextGlob::new("*gcloud*").matches("gcloud auth"));
        assert!(TextGlob::new("a*a").matches("aa"));
        assert!(!TextGlob::new("a*a").matches("a"));
    }

    #[test]
    fn gaps_may_hold_anything() {
        let glob = TextGlob::new("git * push");
        assert!(glob.can_match(&[Some("git "), None]));
        assert!(glob.can_match(&[Some("git -C "), None, Some(" push")]));
        assert!(!glob.can_match(&[Some("ls "), None]));
        assert!(!glob.can_match(&[Some("git x pull")]));
    }
}

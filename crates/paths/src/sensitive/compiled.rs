//! One table compiled for matching: rows are found by a literal component, so that a path costs a few
//! byte tests for each of its components, however many rows there are.

use std::collections::HashMap;

use super::pattern::{LazyGlob, Part, Pattern};

/// Where a row's literal start has to stand.
#[derive(Clone, Debug)]
enum Anchor {
    /// The path in front of the component is exactly this.
    Root(String),
    /// The path in front of the component ends with this; may be empty.
    Anywhere(String),
}

/// A row that was found by its literal component.
#[derive(Clone, Debug)]
struct Row {
    order: usize,
    exception: bool,
    anchor: Anchor,
    /// What has to follow the component.
    rest: Vec<Part>,
    /// Covers what lies below as well.
    below: bool,
}

/// A row without a literal component.
#[derive(Clone, Debug)]
struct Loose {
    order: usize,
    exception: bool,
    glob: LazyGlob,
}

/// The compiled form.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    /// For each first byte, the lengths of the keys of `rows` that begin with it.
    lengths: Box<[u64; 256]>,
    /// By the component, folded.
    rows: HashMap<String, Vec<Row>>,
    /// `*.ext` rows by `ext`: order and exception.
    extensions: HashMap<String, (usize, bool)>,
    /// The lengths of the keys of `extensions`.
    extension_lengths: u64,
    /// `name*` rows: start, order, exception.
    starts: Vec<(String, usize, bool)>,
    loose: Vec<Loose>,
}

impl Compiled {
    fn empty() -> Self {
        Self {
            lengths: Box::new([0; 256]),
            rows: HashMap::new(),
            extensions: HashMap::new(),
            extension_lengths: 0,
            starts: Vec::new(),
            loose: Vec::new(),
        }
    }

    /// Compiles rows whose order decides: the last one that matches.
    pub(super) fn new<'a>(patterns: impl Iterator<Item = &'a Pattern>) -> Result<Self, globset::Error> {
        let mut compiled = Self::empty();
        for (order, pattern) in patterns.enumerate() {
            compiled.add(order, pattern)?;
        }
        Ok(compiled)
    }

    /// Compiles the built-in rows; a test makes sure that all of them parse.
    pub(super) fn of_valid<'a>(patterns: impl Iterator<Item = &'a Pattern>) -> Self {
        let mut compiled = Self::empty();
        for (order, pattern) in patterns.enumerate() {
            let _: Result<(), globset::Error> = compiled.add(order, pattern);
        }
        compiled
    }

    fn add(&mut self, order: usize, pattern: &Pattern) -> Result<(), globset::Error> {
        let exception = pattern.exception;
        let literals = pattern.parts.iter().take_while(|part| matches!(part, Part::Literal(_))).count();
        if let (Some(Part::Literal(key)), Some(before), Some(rest)) = (
            literals.checked_sub(1).and_then(|last| pattern.parts.get(last)),
            pattern.parts.get(..literals.saturating_sub(1)),
            pattern.parts.get(literals..),
        ) {
            let before: String =
                before.iter().filter_map(Part::literal).flat_map(|name| [name, "/"]).collect();
            let anchor = match &pattern.root {
                Some(root) => Anchor::Root(format!("{root}{before}")),
                None => Anchor::Anywhere(before),
            };
            let first = usize::from(key.bytes().next().unwrap_or_default());
            if let Some(lengths) = self.lengths.get_mut(first) {
                *lengths |= length_bit(key);
            }
            let row = Row { order, exception, anchor, rest: rest.to_vec(), below: pattern.below };
            self.rows.entry(key.clone()).or_default().push(row);
            return Ok(());
        }
        if let (None, [Part::Glob(text, _)], false) = (&pattern.root, pattern.parts.as_slice(), pattern.below)
        {
            if let Some(extension) =
                text.strip_prefix("*.").filter(|rest| is_plain(rest) && !rest.contains('.'))
            {
                self.extension_lengths |= length_bit(extension);
                self.extensions.insert(extension.to_owned(), (order, exception));
                return Ok(());
            }
            if let Some(start) = text.strip_suffix('*').filter(|start| is_plain(start)) {
                self.starts.push((start.to_owned(), order, exception));
                return Ok(());
            }
        }
        let glob = LazyGlob::new(&pattern.as_glob())?;
        self.loose.push(Loose { order, exception, glob });
        Ok(())
    }

    /// Whether the last row that matches a normalised, folded path is no exception.
    pub(super) fn contains(&self, path: &str) -> bool {
        let mut best: Option<(usize, bool)> = None;
        let mut found = |order: usize, exception: bool| {
            if best.is_none_or(|(last, _)| last <= order) {
                best = Some((order, exception));
            }
        };
        let mut start = 0;
        let mut name = "";
        let ends = path.bytes().enumerate().filter(|(_, byte)| *byte == b'/').map(|(at, _)| at);
        for end in ends.chain(std::iter::once(path.len())) {
            name = path.get(start..end).unwrap_or_default();
            for row in self.rows_of(name) {
                if row.stands(path.get(..start).unwrap_or_default())
                    && matches_rest(&row.rest, path.get(end..).unwrap_or_default(), row.below)
                {
                    found(row.order, row.exception);
                }
            }
            start = end + 1;
        }
        if let Some(dot) = name.bytes().rposition(|byte| byte == b'.')
            && let Some(extension) = name.get(dot + 1..)
            && self.extension_lengths & length_bit(extension) != 0
            && let Some((order, exception)) = self.extensions.get(extension)
        {
            found(*order, *exception);
        }
        for (text, order, exception) in &self.starts {
            if name.starts_with(text.as_str()) {
                found(*order, *exception);
            }
        }
        for loose in &self.loose {
            if loose.glob.is_match(path) {
                found(loose.order, loose.exception);
            }
        }
        best.is_some_and(|(_, exception)| !exception)
    }

    /// The rows whose key is `component`; most components fail the test of two bytes.
    fn rows_of(&self, component: &str) -> &[Row] {
        let Some(first) = component.bytes().next() else { return &[] };
        let lengths = self.lengths.get(usize::from(first)).copied().unwrap_or_default();
        if lengths & length_bit(component) == 0 {
            return &[];
        }
        self.rows.get(component).map_or(&[], Vec::as_slice)
    }
}

impl Row {
    fn stands(&self, before: &str) -> bool {
        match &self.anchor {
            Anchor::Root(root) => before == root,
            Anchor::Anywhere(end) => before
                .strip_suffix(end.as_str())
                .is_some_and(|rest| end.is_empty() || rest.is_empty() || rest.ends_with('/')),
        }
    }
}

/// Whether `rest`, empty or beginning with a slash, is what the parts ask for.
fn matches_rest(parts: &[Part], rest: &str, below: bool) -> bool {
    let Some((part, later)) = parts.split_first() else { return below || rest.is_empty() };
    if matches!(part, Part::AnyDepth) {
        let mut rest = rest;
        loop {
            if matches_rest(later, rest, below) {
                return true;
            }
            let Some(inner) = rest.strip_prefix('/') else { return false };
            rest = inner.find('/').and_then(|slash| inner.get(slash..)).unwrap_or_default();
        }
    }
    let Some(rest) = rest.strip_prefix('/') else { return false };
    let (name, rest) = match rest.find('/') {
        Some(slash) => (rest.get(..slash).unwrap_or_default(), rest.get(slash..).unwrap_or_default()),
        None => (rest, ""),
    };
    part.matches(name) && matches_rest(later, rest, below)
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.contains(['*', '?', '[', '{', '\\'])
}

/// One bit for a length; all lengths from 63 on share one.
fn length_bit(text: &str) -> u64 {
    1 << text.len().min(63)
}

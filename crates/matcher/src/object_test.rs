//! What rule objects test: a pattern or a regular expression over commands, paths and arguments.

use std::borrow::Cow;

use portcullis_paths::{fold_case, nfc};
use regex::Regex;

use crate::glob::TextGlob;

/// What a rule object tests: commands as they are, and paths in the spellings that the file system takes for one.
#[derive(Clone, Debug)]
pub(crate) struct ObjectTest {
    pub(crate) test: TextTest,
    /// For paths in their other spelling; none: the same test.
    other: Option<TextTest>,
    /// The other spelling is without regard to case, else it is the composed (NFC) form.
    fold: bool,
}

impl ObjectTest {
    pub(crate) fn new(test: TextTest, fold: bool) -> Self {
        let other = match &test {
            TextTest::Pattern(glob) => {
                let text = glob.pieces().join("*");
                let spelled = if fold { fold_case(&text) } else { nfc(&text) };
                (*spelled != *text).then(|| TextTest::Pattern(TextGlob::new(&spelled)))
            }
            TextTest::Regex(regex) if fold => {
                Regex::new(&format!("(?i){}", regex.as_str())).ok().map(TextTest::Regex)
            }
            TextTest::Regex(_) => None,
        };
        Self { test, other, fold }
    }

    /// Regular expressions of which whatever this matches matches one.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = String> {
        [Some(&self.test), self.other.as_ref()].into_iter().flatten().map(TextTest::expression)
    }

    /// Whether it matches a path, as written or in its other spelling.
    pub(crate) fn matches_path(&self, path: &str) -> bool {
        self.test.matches(path)
            || match spelled_otherwise(path, self.fold) {
                Cow::Borrowed(_) if self.other.is_none() => false,
                spelled => self.other.as_ref().unwrap_or(&self.test).matches(&spelled),
            }
    }

    /// Whether it matches the arguments of a tool that has neither a command nor paths: as JSON, or one of the texts in
    /// them as it is, without the escapes of JSON.
    pub(crate) fn matches_arguments(&self, arguments: &serde_json::Value) -> bool {
        texts_in(arguments).any(|text| self.test.matches(&text))
    }

    pub(crate) fn folds(&self) -> bool {
        self.fold
    }
}

/// Arguments as JSON, then each text in them.
pub(crate) fn texts_in(arguments: &serde_json::Value) -> impl Iterator<Item = Cow<'_, str>> {
    use serde_json::Value;
    let mut left = vec![arguments];
    let texts = std::iter::from_fn(move || {
        loop {
            match left.pop()? {
                Value::String(text) => return Some(Cow::Borrowed(text.as_str())),
                Value::Array(values) => left.extend(values),
                Value::Object(fields) => left.extend(fields.values()),
                _ => {}
            }
        }
    });
    std::iter::once(Cow::Owned(arguments.to_string())).chain(texts)
}

/// A path without regard to case, or composed.
pub(crate) fn spelled_otherwise(path: &str, fold: bool) -> Cow<'_, str> {
    if fold { fold_case(path) } else { nfc(path) }
}

/// How a rule object tests a text.
#[derive(Clone, Debug)]
pub(crate) enum TextTest {
    /// `*` spans anything.
    Pattern(TextGlob),
    /// Unanchored.
    Regex(Regex),
}

impl TextTest {
    /// A regular expression that matches every text that this matches.
    pub(crate) fn expression(&self) -> String {
        match self {
            Self::Pattern(glob) => {
                let pieces: Vec<String> = glob.pieces().iter().map(|piece| regex::escape(piece)).collect();
                format!(r"(?s)\A{}\z", pieces.join(".*"))
            }
            Self::Regex(regex) => regex.as_str().to_owned(),
        }
    }

    pub(crate) fn matches(&self, text: &str) -> bool {
        match self {
            Self::Pattern(glob) => glob.matches(text),
            Self::Regex(regex) => regex.is_match(text),
        }
    }
}

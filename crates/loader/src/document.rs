//! The text of a settings file, parsed strictly: JSON, and comments, trailing commas and a byte-order mark.

use jsonc_parser::{
    CollectOptions, CommentCollectionStrategy, ParseOptions,
    ast::{Object, Value},
    common::{Range, Ranged as _},
    parse_to_ast,
};

/// The parser's other leniencies are off: two readers that understand a file differently are a hole.
pub(crate) const STRICT: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Sections whose keys may not be repeated, at any depth.
const SECTIONS: &[&str] = &["permissions", "hooks", "sandbox", "trust", "log", "spill"];

/// A line and a column in characters, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
}

/// Why a text is not a settings file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {message}", .at.line, .at.column)]
pub struct SyntaxError {
    /// Where.
    pub at: Position,
    /// What is wrong; lower case, no full stop.
    pub message: String,
}

/// A text without its byte-order mark, and where its lines start.
pub(crate) struct Text<'a> {
    pub(crate) text: &'a str,
    pub(crate) has_bom: bool,
    lines: Vec<usize>,
}

impl<'a> Text<'a> {
    /// # Errors
    /// When the bytes are not UTF-8.
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, SyntaxError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let bare = text.strip_prefix('\u{feff}');
                Ok(Self::of(bare.unwrap_or(text), bare.is_some()))
            }
            Err(error) => {
                let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let before = Self::of(std::str::from_utf8(valid).unwrap_or_default(), false);
                Err(before.error(error.valid_up_to(), "this is not UTF-8"))
            }
        }
    }

    fn of(text: &'a str, has_bom: bool) -> Self {
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { text, has_bom, lines: std::iter::once(0).chain(starts).collect() }
    }

    /// The position of a byte offset.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let line = self.lines.partition_point(|start| *start <= offset).max(1);
        let start = self.lines.get(line - 1).copied().unwrap_or(0);
        let column = self.text.get(start..offset).map_or(0, |text| text.chars().count()) + 1;
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Position { line: small(line), column: small(column) }
    }

    pub(crate) fn error(&self, offset: usize, message: impl Into<String>) -> SyntaxError {
        SyntaxError { at: self.position(offset), message: message.into() }
    }

    /// Parses the root object.
    ///
    /// # Errors
    /// Where the text is not strict JSON with comments and trailing commas, has no object at its root, or
    /// repeats a key in a section that is read.
    pub(crate) fn parse(&self) -> Result<Object<'a>, SyntaxError> {
        self.refuse_odd_characters()?;
        let collect = CollectOptions { comments: CommentCollectionStrategy::Off, tokens: false };
        let parsed = parse_to_ast(self.text, &collect, &STRICT)
            .map_err(|error| self.error(error.range().start, lower(&error.kind().to_string())))?;
        match parsed.value {
            Some(Value::Object(root)) => {
                self.refuse_duplicates(&root)?;
                Ok(root)
            }
            Some(other) => {
                Err(self.error(other.start(), format!("expected an object, found {}", kind(&other))))
            }
            None => Err(self.error(self.text.len(), "expected an object, found nothing")),
        }
    }

    /// RFC 8259 sections 2 and 7: white space is blank, tab, line feed and carriage return; control
    /// characters in strings are escaped. The parser takes more.
    fn refuse_odd_characters(&self) -> Result<(), SyntaxError> {
        #[derive(Clone, Copy, PartialEq)]
        enum Inside {
            Nothing,
            Text,
            Line,
            Block,
        }
        let mut inside = Inside::Nothing;
        let mut characters = self.text.char_indices().peekable();
        while let Some((offset, character)) = characters.next() {
            let next = characters.peek().map(|(_, next)| *next);
            match (inside, character) {
                (Inside::Nothing, '"') => inside = Inside::Text,
                (Inside::Nothing, '/') if next == Some('/') => inside = Inside::Line,
                (Inside::Nothing, '/') if next == Some('*') => {
                    characters.next();
                    inside = Inside::Block;
                }
                (Inside::Nothing, ' ' | '\t' | '\n' | '\r') => {}
                (Inside::Nothing, odd) if odd.is_whitespace() || odd.is_control() || odd == '\u{feff}' => {
                    return Err(self.error(offset, "this character is not white space in JSON"));
                }
                (Inside::Text, '\\') => {
                    characters.next();
                }
                (Inside::Text, '"') => inside = Inside::Nothing,
                (Inside::Text, control) if u32::from(control) < 0x20 => {
                    return Err(self.error(offset, "a control character in a string has to be escaped"));
                }
                // A lone carriage return ends a comment line for some readers and not for others.
                (Inside::Line, '\r') if next != Some('\n') => {
                    return Err(self.error(offset, "a carriage return in a comment has to end the line"));
                }
                (Inside::Line, '\n') => inside = Inside::Nothing,
                (Inside::Block, '*') if next == Some('/') => {
                    characters.next();
                    inside = Inside::Nothing;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn refuse_duplicates(&self, root: &Object<'_>) -> Result<(), SyntaxError> {
        self.unique(root, |name| SECTIONS.contains(&name))?;
        for property in &root.properties {
            if SECTIONS.contains(&property.name.as_str()) {
                self.unique_below(&property.value)?;
            }
        }
        Ok(())
    }

    fn unique_below(&self, value: &Value<'_>) -> Result<(), SyntaxError> {
        match value {
            Value::Object(object) => {
                self.unique(object, |_| true)?;
                object.properties.iter().try_for_each(|property| self.unique_below(&property.value))
            }
            Value::Array(array) => array.elements.iter().try_for_each(|element| self.unique_below(element)),
            _ => Ok(()),
        }
    }

    fn unique(&self, object: &Object<'_>, counts: impl Fn(&str) -> bool) -> Result<(), SyntaxError> {
        let mut seen = std::collections::HashSet::new();
        for property in &object.properties {
            let name = property.name.as_str();
            if counts(name) && !seen.insert(name) {
                return Err(self.error(property.range.start, format!("the key `{name}` stands here twice")));
            }
        }
        Ok(())
    }
}

fn lower(message: &str) -> String {
    let mut characters = message.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}

/// What a value is, with its article, for messages.
pub(crate) fn kind(value: &Value<'_>) -> &'static str {
    match value {
        Value::StringLit(_) => "a string",
        Value::NumberLit(_) => "a number",
        Value::BooleanLit(_) => "a boolean",
        Value::Object(_) => "an object",
        Value::Array(_) => "an array",
        Value::NullKeyword(_) => "null",
    }
}

/// Where a value starts.
pub(crate) fn start(value: &Value<'_>) -> usize {
    let Range { start, .. } = value.range();
    start
}

/// The value as plain JSON; none for numbers that JSON does not know (`01`).
pub(crate) fn to_json(value: &Value<'_>) -> Option<serde_json::Value> {
    Some(match value {
        Value::StringLit(text) => text.value.to_string().into(),
        Value::NumberLit(number) => serde_json::from_str(number.value).ok()?,
        Value::BooleanLit(boolean) => boolean.value.into(),
        Value::NullKeyword(_) => serde_json::Value::Null,
        Value::Array(array) => {
            serde_json::Value::Array(array.elements.iter().map(to_json).collect::<Option<_>>()?)
        }
        Value::Object(object) => serde_json::Value::Object(
            object
                .properties
                .iter()
                .map(|property| {
                    to_json(&property.value).map(|value| (property.name.as_str().to_owned(), value))
                })
                .collect::<Option<_>>()?,
        ),
    })
}

/// The value that a piece of such a text stands for.
pub(crate) fn value_of(text: &str) -> Option<serde_json::Value> {
    let collect = CollectOptions { comments: CommentCollectionStrategy::Off, tokens: false };
    to_json(&parse_to_ast(text, &collect, &STRICT).ok()?.value?)
}

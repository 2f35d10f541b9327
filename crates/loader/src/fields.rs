//! Typed fields of one object, with a diagnostic for each that is not what it should be.

use std::{path::Path, sync::Arc};

use jsonc_parser::ast::{Object, Value};
use portcullis_matcher::{RuleSource, Scope};

use crate::{
    Diagnostic, Severity, Sourced,
    document::{self, Text},
};

/// Reads values of one file and collects what is wrong with them.
pub(crate) struct Reader<'a> {
    pub(crate) text: &'a Text<'a>,
    pub(crate) path: &'a Path,
    pub(crate) file: Arc<str>,
    pub(crate) scope: Scope,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    pub(crate) fn source(&self, offset: usize) -> RuleSource {
        let at = self.text.position(offset);
        RuleSource {
            scope: self.scope,
            file: Some(Arc::clone(&self.file)),
            line: Some(at.line),
            column: Some(at.column),
        }
    }

    pub(crate) fn sourced<T>(&self, value: T, offset: usize) -> Sourced<T> {
        Sourced { value, source: self.source(offset) }
    }

    pub(crate) fn say(
        &mut self,
        severity: Severity,
        offset: usize,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let at = self.text.position(offset);
        self.diagnostics.push(Diagnostic {
            severity,
            file: self.path.to_owned(),
            line: Some(at.line),
            column: Some(at.column),
            message: message.into(),
            remedy: remedy.into(),
        });
    }

    fn wrong(&mut self, key: &str, value: &Value<'_>, expected: &str) {
        let found = document::kind(value);
        let message = format!("`{key}` should be {expected}, found {found}");
        self.say(Severity::Error, document::start(value), message, format!("write {expected}, or remove it"));
    }

    pub(crate) fn object<'o>(&mut self, key: &str, value: &'o Value<'a>) -> Option<&'o Object<'a>> {
        match value {
            Value::Object(object) => Some(object),
            other => {
                self.wrong(key, other, "an object");
                None
            }
        }
    }

    pub(crate) fn boolean(&mut self, key: &str, value: &Value<'_>) -> Option<Sourced<bool>> {
        match value {
            Value::BooleanLit(boolean) => Some(self.sourced(boolean.value, boolean.range.start)),
            other => {
                self.wrong(key, other, "true or false");
                None
            }
        }
    }

    pub(crate) fn string(&mut self, key: &str, value: &Value<'_>) -> Option<Sourced<String>> {
        match value {
            Value::StringLit(text) => Some(self.sourced(text.value.to_string(), text.range.start)),
            other => {
                self.wrong(key, other, "a string");
                None
            }
        }
    }

    /// One of `words`.
    pub(crate) fn word(&mut self, key: &str, value: &Value<'_>, words: &[&str]) -> Option<Sourced<String>> {
        let expected = format!("one of {}", quoted(words));
        let Value::StringLit(text) = value else {
            self.wrong(key, value, &expected);
            return None;
        };
        if !words.contains(&text.value.as_ref()) {
            let message = format!("`{key}` should be {expected}, found `{}`", text.value);
            self.say(Severity::Error, text.range.start, message, "write one of these, or remove it");
            return None;
        }
        Some(self.sourced(text.value.to_string(), text.range.start))
    }

    /// A whole number in a range.
    pub(crate) fn number(
        &mut self,
        key: &str,
        value: &Value<'_>,
        range: std::ops::RangeInclusive<u64>,
    ) -> Option<Sourced<u64>> {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        let Value::NumberLit(literal) = value else {
            self.wrong(key, value, &expected);
            return None;
        };
        match serde_json::from_str::<u64>(literal.value) {
            Ok(number) if range.contains(&number) => Some(self.sourced(number, literal.range.start)),
            _ => {
                let message = format!("`{key}` should be {expected}, found `{}`", literal.value);
                self.say(Severity::Error, literal.range.start, message, "write such a number, or remove it");
                None
            }
        }
    }

    /// A list of globs: as [`Reader::strings`], and none begins with `!`.
    pub(crate) fn globs(&mut self, key: &str, value: &Value<'_>) -> Vec<Sourced<String>> {
        let mut found = self.strings(key, value);
        found.retain(|glob| {
            let bad = glob.value.trim().is_empty() || glob.value.starts_with('!');
            if bad {
                let place = (glob.source.line, glob.source.column);
                self.diagnostics.push(Diagnostic {
                    severity: Severity::Error,
                    file: self.path.to_owned(),
                    line: place.0,
                    column: place.1,
                    message: format!("`{}` in `{key}` names nothing that could be meant", glob.value),
                    remedy: "write a glob without `!` in front, or remove it".to_owned(),
                });
            }
            !bad
        });
        found
    }

    /// A list of strings; what is no string in it is reported and left out.
    pub(crate) fn strings(&mut self, key: &str, value: &Value<'_>) -> Vec<Sourced<String>> {
        let mut found = Vec::new();
        for element in self.elements(key, value) {
            if let Some(text) = self.string(&format!("{key}[]"), element) {
                found.push(text);
            }
        }
        found
    }

    /// The elements of a list.
    pub(crate) fn elements<'v, 'x>(&mut self, key: &str, value: &'v Value<'x>) -> &'v [Value<'x>] {
        match value {
            Value::Array(array) => &array.elements,
            other => {
                self.wrong(key, other, "an array");
                &[]
            }
        }
    }

    pub(crate) fn json(&mut self, key: &str, value: &Value<'a>) -> Option<Sourced<serde_json::Value>> {
        self.object(key, value)?;
        let Some(json) = document::to_json(value) else {
            let message = format!("`{key}` holds a number that is not JSON");
            self.say(Severity::Error, document::start(value), message, "write it without leading zeros");
            return None;
        };
        Some(self.sourced(json, document::start(value)))
    }

    /// Says that a section seems to be misspelt, or a key of `permissions` to stand beside it instead of in it.
    pub(crate) fn misspelt(&mut self, key: &str, value: &Value<'a>, offset: usize) {
        // By their names nobody else's; the rest of the keys of `permissions` may be a host's own.
        const OWN: [&str; 4] =
            ["allowManagedRulesOnly", "confinedAuto", "askTimeoutMs", "disableBypassPermissionsMode"];
        const SECTIONS: [&str; 6] = ["permissions", "sandbox", "trust", "log", "spill", "hooks"];
        const LISTS: [&str; 5] = ["deny", "allow", "ask", "alwaysAsk", "restrict"];
        let is_near = |name: &str| {
            let most = if name.len() > 6 { 2 } else { 1 };
            name.eq_ignore_ascii_case(key) || distance(name, key) <= most
        };
        let remedy = match value {
            Value::Object(_) => {
                let near = SECTIONS.into_iter().find(|name| is_near(name));
                near.map(|name| format!("did you mean `{name}`?"))
            }
            Value::Array(_) => {
                let list = LISTS.into_iter().find(|name| *name == key);
                list.map(|name| {
                    format!("move it into `permissions`: `\"permissions\": {{ \"{name}\": [...] }}`")
                })
            }
            _ => {
                let own = OWN.into_iter().find(|name| *name == key);
                own.map(|name| {
                    format!("move it into `permissions`: `\"permissions\": {{ \"{name}\": ... }}`")
                })
            }
        };
        if let Some(remedy) = remedy {
            let message = format!("the key `{key}` is not known and has no effect");
            self.say(Severity::Warning, offset, message, remedy);
        }
    }

    /// Says that a key is not known, and which one may be meant.
    pub(crate) fn unknown(&mut self, section: &str, key: &str, offset: usize, known: &[&str]) {
        let near = known.iter().find(|name| {
            name.eq_ignore_ascii_case(key)
                || distance(name, key) <= 2
                || key.eq_ignore_ascii_case(&snake(name))
        });
        let remedy = match near {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("known here are {}", quoted(known)),
        };
        let message = format!("the key `{key}` in `{section}` is not known and has no effect");
        self.say(Severity::Warning, offset, message, remedy);
    }
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(character.to_ascii_lowercase());
    }
    out
}

/// How many characters have to be inserted, removed or replaced to make one word of the other.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, character) in left.chars().take(64).enumerate() {
        let mut corner = index;
        let mut before = index + 1;
        let mut next = vec![before];
        for (other, above) in right.iter().zip(row.iter().skip(1)) {
            let cost = corner + usize::from(character != *other);
            before = cost.min(before + 1).min(above + 1);
            corner = *above;
            next.push(before);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

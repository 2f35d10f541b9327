//! What a person is shown, fixed before the question and hashed: what runs must have the same hash.

use std::fmt::Write as _;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{
    Access,
    display::{escape_line, escape_lines},
};

/// The parts of a preview, before they are fixed.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviewParts {
    /// The canonical tool name.
    pub tool: String,
    /// The call's arguments, all of them.
    pub arguments: Value,
    /// Where it would run.
    pub cwd: String,
    /// The permission mode in force.
    pub mode: String,
    /// The file access it would run under, and the network (`blocked` is true), when it runs confined.
    pub confinement: Option<(Access, bool)>,
    /// The wider file access that is asked for.
    pub widening: Option<Access>,
    /// For writes: what would change.
    pub diff: Option<String>,
}

/// A preview: immutable, complete, hashed.
///
/// ```
/// use portcullis_approval::{Preview, PreviewParts};
/// let parts = PreviewParts {
///     tool: "Bash".into(), arguments: serde_json::json!({"command": "rm -rf build"}), cwd: "/work".into(),
///     mode: "standard".into(), confinement: None, widening: None, diff: None,
/// };
/// let preview = Preview::new(parts.clone());
/// assert_eq!(preview.headline(), ["rm -rf build"]);
/// assert_eq!(preview.hash(), Preview::new(parts).hash());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    parts: PreviewParts,
    hash: String,
    call_hash: String,
}

impl Preview {
    /// Fixes the parts.
    #[must_use]
    pub fn new(parts: PreviewParts) -> Self {
        let (hash, call_hash) = (hash(&parts), call_hash(&parts.tool, &parts.arguments, &parts.cwd));
        Self { parts, hash, call_hash }
    }

    /// SHA-256 over every part, in lower-case hexadecimal.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// SHA-256 over the call alone (tool, arguments and directory): the same for a question, its retry and
    /// its other events in the log.
    #[must_use]
    pub fn call_hash(&self) -> &str {
        &self.call_hash
    }

    /// The parts, to read.
    #[must_use]
    pub const fn parts(&self) -> &PreviewParts {
        &self.parts
    }

    /// The command of a shell call, safe to show, one entry a line; for other tools their name and arguments.
    #[must_use]
    pub fn headline(&self) -> Vec<String> {
        let arguments = &self.parts.arguments;
        match arguments.get("command").or_else(|| arguments.get("cmd")) {
            Some(Value::String(text)) => escape_lines(text),
            Some(Value::Array(words)) if words.iter().all(Value::is_string) => {
                let words: Vec<String> = words.iter().filter_map(Value::as_str).map(word).collect();
                vec![words.join(" ")]
            }
            _ => {
                let mut lines = vec![escape_line(&self.parts.tool)];
                if let Some(fields) = arguments.as_object() {
                    for (name, value) in fields {
                        let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
                        let mut shown = escape_lines(&text).into_iter();
                        let first = shown.next().unwrap_or_default();
                        lines.push(format!("  {}: {first}", escape_line(name)));
                        lines.extend(shown.map(|line| format!("    {line}")));
                    }
                } else if !arguments.is_null() {
                    lines.push(format!("  {}", escape_line(&arguments.to_string())));
                }
                lines
            }
        }
    }

    /// Arguments of a shell call besides its command (`description`, `timeout`): shown too, for nothing
    /// that is hashed may stay unseen.
    #[must_use]
    pub fn further_arguments(&self) -> Vec<(String, String)> {
        let Some(fields) = self.parts.arguments.as_object() else { return Vec::new() };
        let first = if fields.contains_key("command") { "command" } else { "cmd" };
        if !fields.contains_key(first) {
            return Vec::new();
        }
        fields
            .iter()
            .filter(|(name, _)| name.as_str() != first)
            .map(|(name, value)| {
                let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
                (escape_line(name), escape_line(&text))
            })
            .collect()
    }

    /// The diff, safe to show.
    #[must_use]
    pub fn diff_lines(&self) -> Vec<String> {
        self.parts.diff.as_deref().map(|diff| diff.lines().map(escape_line).collect()).unwrap_or_default()
    }
}

/// One word of an argv: quoted when it is anything but plain characters, so that its borders can be seen.
fn word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", escape_line(word).replace('\'', r"'\''"))
    }
}

/// The hash of a call, as [`Preview::call_hash`] gives it, for calls that nobody is asked about.
#[must_use]
pub fn call_hash(tool: &str, arguments: &Value, cwd: &str) -> String {
    let mut arguments_text = String::new();
    canonical(arguments, &mut arguments_text);
    digest(&["portcullis call 1", tool, &arguments_text, cwd])
}

fn hash(parts: &PreviewParts) -> String {
    let mut arguments = String::new();
    canonical(&parts.arguments, &mut arguments);
    let (access, network) = match parts.confinement {
        Some((access, blocked)) => (access.as_str(), if blocked { "blocked" } else { "open" }),
        None => ("", ""),
    };
    digest(&[
        "portcullis preview 1",
        &parts.tool,
        &arguments,
        &parts.cwd,
        &parts.mode,
        access,
        network,
        parts.widening.map_or("", Access::as_str),
        if parts.diff.is_some() { "diff" } else { "" },
        parts.diff.as_deref().unwrap_or_default(),
    ])
}

/// Every part with its length in front, so that no two lists share one input to the hash.
fn digest(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part.as_bytes());
    }
    let mut text = String::with_capacity(64);
    for byte in digest.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// JSON with sorted keys and without blanks: equal values give equal text.
fn canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort();
            out.push('{');
            for name in names {
                let _ = write!(out, "{}:", Value::String(name.clone()));
                if let Some(value) = fields.get(name) {
                    canonical(value, out);
                }
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        other => {
            let _ = write!(out, "{other}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Preview, PreviewParts};
    use crate::Access;
    use serde_json::json;

    fn parts() -> PreviewParts {
        PreviewParts {
            tool: "Bash".into(),
            arguments: json!({"command": "ls", "timeout": 5}),
            cwd: "/w".into(),
            mode: "standard".into(),
            confinement: Some((Access::WorkspaceWrite, true)),
            widening: None,
            diff: None,
        }
    }

    #[test]
    fn every_part_is_in_the_hash() {
        let base = Preview::new(parts());
        let others = [
            PreviewParts { tool: "Read".into(), ..parts() },
            PreviewParts { arguments: json!({"command": "ls ", "timeout": 5}), ..parts() },
            PreviewParts { arguments: json!({"command": "ls", "timeout": "5"}), ..parts() },
            PreviewParts { cwd: "/w/x".into(), ..parts() },
            PreviewParts { mode: "strict".into(), ..parts() },
            PreviewParts { confinement: Some((Access::WorkspaceWrite, false)), ..parts() },
            PreviewParts { confinement: None, ..parts() },
            PreviewParts { widening: Some(Access::DangerFullAccess), ..parts() },
            PreviewParts { diff: Some(String::new()), ..parts() },
        ];
        for other in others {
            assert_ne!(Preview::new(other.clone()).hash(), base.hash(), "{other:?}");
        }
        let reordered = PreviewParts { arguments: json!({"timeout": 5, "command": "ls"}), ..parts() };
        assert_eq!(Preview::new(reordered).hash(), base.hash());
    }

    #[test]
    fn an_argv_shows_where_its_words_end() {
        let preview = Preview::new(PreviewParts {
            arguments: json!({"command": ["rm", "a b", "", "\u{202e}x"]}),
            ..parts()
        });
        assert_eq!(preview.headline(), [r"rm 'a b' '' '\u{202e}x'"]);
    }

    #[test]
    fn other_tools_show_every_argument() {
        let arguments = json!({"file_path": "src/a.rs", "content": "one\ntwo\u{1b}[0m"});
        let preview = Preview::new(PreviewParts { tool: "Write".into(), arguments, ..parts() });
        assert_eq!(
            preview.headline(),
            ["Write", "  file_path: src/a.rs", "  content: one", r"    two\u{1b}[0m"]
        );
    }
}

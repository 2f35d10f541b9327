//! A rule as written, and the lists of them.

use crate::{Mode, RuleSource};

/// The lists of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum ListKind {
    /// Stops the call.
    Deny,
    /// Asks every time.
    AlwaysAsk,
    /// Asks.
    Ask,
    /// Lets the call through.
    Allow,
    /// Withdraws allow rules of broader scopes.
    Restrict,
}

impl ListKind {
    /// The key in settings.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::AlwaysAsk => "alwaysAsk",
            Self::Ask => "ask",
            Self::Allow => "allow",
            Self::Restrict => "restrict",
        }
    }
}

/// A rule before it is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleSpec {
    /// `Tool` or `Tool(payload)`.
    Text(String),
    /// A rule object; only in deny, ask and alwaysAsk.
    Object(RuleObject),
}

/// A rule object: a text pattern or a regular expression over commands or paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleObject {
    /// Tool names; `Bash` when absent in the settings.
    pub tools: Vec<String>,
    /// `*` spans anything.
    pub pattern: Option<String>,
    /// Unanchored, in the syntax of the `regex` crate.
    pub regex: Option<String>,
}

impl RuleObject {
    /// Compact JSON, as it could stand in settings.
    fn to_json(&self) -> String {
        let mut fields = serde_json::Map::new();
        let tool = match self.tools.as_slice() {
            [one] => one.as_str().into(),
            several => several.to_vec().into(),
        };
        fields.insert("tool".to_owned(), tool);
        for (key, value) in [("pattern", &self.pattern), ("regex", &self.regex)] {
            if let Some(value) = value {
                fields.insert(key.to_owned(), value.as_str().into());
            }
        }
        serde_json::Value::Object(fields).to_string()
    }
}

/// A rule with where it stands and what it says to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcedRule {
    /// The rule.
    pub spec: RuleSpec,
    /// Shown to the person and to the model.
    pub reason: Option<String>,
    /// Where it stands.
    pub source: RuleSource,
}

impl SourcedRule {
    /// A rule text.
    #[must_use]
    pub fn text(rule: impl Into<String>, source: RuleSource) -> Self {
        Self { spec: RuleSpec::Text(rule.into()), reason: None, source }
    }

    /// The rule as a person wrote it (objects as compact JSON).
    #[must_use]
    pub fn label(&self) -> String {
        match &self.spec {
            RuleSpec::Text(text) => text.clone(),
            RuleSpec::Object(object) => object.to_json(),
        }
    }
}

/// Everything that settings say about permissions, in list order (broadest scope first).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// Stops calls.
    pub deny: Vec<SourcedRule>,
    /// Asks every time.
    pub always_ask: Vec<SourcedRule>,
    /// Asks.
    pub ask: Vec<SourcedRule>,
    /// Lets calls through.
    pub allow: Vec<SourcedRule>,
    /// Withdraws broader allow rules.
    pub restrict: Vec<SourcedRule>,
    /// Absolute directories beside the project root.
    pub additional_directories: Vec<String>,
    /// The mode that settings name, and where.
    pub mode: Option<(Mode, RuleSource)>,
}

/// A rule that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rule `{rule}`: {message}")]
pub struct RuleError {
    /// The rule as written.
    pub rule: String,
    /// What is wrong and what to write instead.
    pub message: String,
    /// The list it stands in.
    pub list: ListKind,
    /// Where.
    pub at: RuleSource,
}

/// Something that a person should know about a rule that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleNote {
    /// The rule as written.
    pub rule: String,
    /// How it is read, or why it does nothing.
    pub message: String,
    /// It hardly does what was meant, which a person should hear before it is needed.
    pub doubtful: bool,
    /// The list it stands in.
    pub list: ListKind,
    /// Where.
    pub at: RuleSource,
}

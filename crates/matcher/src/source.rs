//! Where a rule comes from.

use std::sync::Arc;

/// The layer that a rule belongs to, broadest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Scope {
    /// The administrator's settings.
    Managed,
    /// The user's own settings.
    User,
    /// The project's settings.
    Project,
    /// The project's settings of this user alone.
    Local,
    /// A command-line flag.
    Cli,
    /// Given during this session.
    Session,
}

impl Scope {
    /// The name in output and in batch requests.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::Cli => "cli",
            Self::Session => "session",
        }
    }
}

/// Where a rule was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct RuleSource {
    /// The layer.
    pub scope: Scope,
    /// The settings file; none for rules from flags, sessions and callers.
    pub file: Option<Arc<str>>,
    /// The line in that file, from 1.
    pub line: Option<u32>,
    /// The column in that line, in characters, from 1.
    pub column: Option<u32>,
}

impl RuleSource {
    /// A rule that stands in no file.
    #[must_use]
    pub const fn of(scope: Scope) -> Self {
        Self { scope, file: None, line: None, column: None }
    }
}

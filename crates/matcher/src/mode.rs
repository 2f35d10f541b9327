//! Permission modes.

/// How much is allowed without a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Mode {
    /// No automatic allow at all.
    Strict,
    /// Writing tools denied, everything else that is not read-only asked.
    Plan,
    /// As standard, but what would be asked is denied.
    DontAsk,
    /// Rules and automatic gates.
    Standard,
    /// Edits inside the workspace allowed.
    AcceptEdits,
    /// Everything that is not stopped before is allowed.
    Unrestricted,
}

impl Mode {
    /// The name in settings and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Plan => "plan",
            Self::DontAsk => "dontAsk",
            Self::Standard => "standard",
            Self::AcceptEdits => "acceptEdits",
            Self::Unrestricted => "unrestricted",
        }
    }

    /// Reads a name; old names are migrated (`default`, `bypassPermissions`, `fullAccess`).
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "strict" => Self::Strict,
            "plan" => Self::Plan,
            "dontAsk" => Self::DontAsk,
            "standard" | "default" => Self::Standard,
            "acceptEdits" => Self::AcceptEdits,
            "unrestricted" | "bypassPermissions" | "fullAccess" => Self::Unrestricted,
            _ => return None,
        })
    }
}

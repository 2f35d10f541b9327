//! File access of a confined run, as this crate speaks of it: callers map it to their sandbox's own.

/// How far a run may write, narrowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Nowhere.
    ReadOnly,
    /// Below the workspace.
    WorkspaceWrite,
    /// Everywhere.
    DangerFullAccess,
}

impl Access {
    /// The name in arguments and output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::WorkspaceWrite => "workspace-write",
            Self::DangerFullAccess => "danger-full-access",
        }
    }

    /// Reads a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "read-only" => Self::ReadOnly,
            "workspace-write" => Self::WorkspaceWrite,
            "danger-full-access" => Self::DangerFullAccess,
            _ => return None,
        })
    }

    /// The narrowest access that is wider than this one.
    #[must_use]
    pub const fn wider(self) -> Option<Self> {
        match self {
            Self::ReadOnly => Some(Self::WorkspaceWrite),
            Self::WorkspaceWrite => Some(Self::DangerFullAccess),
            Self::DangerFullAccess => None,
        }
    }
}

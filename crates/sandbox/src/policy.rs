//! What a run may touch (specification 5.1). A policy is complete in itself and travels with every call.

/// File access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Mode {
    /// No writes but to sinks and a private temporary directory.
    ReadOnly,
    /// Writes below the workspace roots too.
    WorkspaceWrite,
    /// Nothing restricted but `denied` and `hidden`.
    DangerFullAccess,
}

/// Network access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Network {
    /// As the host has it.
    Open,
    /// No traffic leaves.
    Blocked,
}

/// What happens to the caller's environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum EnvironmentPolicy {
    /// Passed as it is.
    Keep,
    /// Names that look like credentials are dropped.
    Scrub,
}

/// A policy. Paths are absolute; [`Policy::canonical`] resolves them before a back end sees them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// File access.
    pub mode: Mode,
    /// Network access.
    pub network: Network,
    /// The environment.
    pub environment: EnvironmentPolicy,
    /// The workspace; carried in every mode.
    pub workspace: Vec<String>,
    /// Unreadable, and nothing below can be opened.
    pub hidden: Vec<String>,
    /// Read-only inside a writable workspace.
    pub protected: Vec<String>,
    /// Holes: no reads, no writes (the path model of specification 5.2).
    pub denied: Vec<String>,
    /// Allowed back inside `denied`, read only.
    pub readonly: Vec<String>,
    /// Allowed back inside `denied`, read and write; writable in confined modes.
    pub writable: Vec<String>,
    /// Writable before the holes are cut.
    pub base_writable: Vec<String>,
}

/// A policy that cannot be enforced as written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// Not absolute.
    #[error("sandbox path `{0}` is not absolute")]
    Relative(String),
    /// A root that is a denied tree or an ancestor of one would expose again what was hidden.
    #[error("sandbox root `{root}` is or contains the denied tree `{denied}`")]
    AncestorCarve {
        /// The root that was to be allowed back.
        root: String,
        /// The tree that it would expose.
        denied: String,
    },
}

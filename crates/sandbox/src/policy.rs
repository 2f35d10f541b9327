//! What a run may touch. A policy is complete in itself and travels with every call.

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

impl Mode {
    /// The name in settings and messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::WorkspaceWrite => "workspace-write",
            Self::DangerFullAccess => "danger-full-access",
        }
    }
}

impl std::fmt::Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
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

/// New Unix sockets in a confined run. The daemons that are known are out of reach whatever is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UnixSockets {
    /// Refused under every back end (`socket(2)`, and pairs of datagrams, whose ends can be connected again);
    /// pairs of streams stay, which Node and Python need. What has to listen (a development server, a fork
    /// server) fails. No [`Gap::PathnameSockets`](crate::Gap::PathnameSockets).
    Refused,
    /// Refused where sockets cannot be hidden (Landlock); allowed where those of known daemons are (bubblewrap).
    Guarded,
    /// Allowed under every back end.
    Allowed,
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
///
/// Meaning comes from order, not from nesting depth: writes denied everywhere (unless
/// [`Mode::DangerFullAccess`]), `base_writable` allowed, `denied` cut out, `readonly` allowed back,
/// `writable` and the workspace allowed back, `protected` made read-only, `hidden` masked.
///
/// ```
/// use portcullis_sandbox::{Network, Policy};
/// let policy = Policy { network: Network::Blocked, ..Policy::workspace_write(["/home/u/project"]) };
/// assert_eq!(policy.workspace, ["/home/u/project"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// File access.
    pub mode: Mode,
    /// Network access.
    pub network: Network,
    /// New Unix sockets.
    pub unix_sockets: UnixSockets,
    /// The environment.
    pub environment: EnvironmentPolicy,
    /// The workspace; carried in every mode.
    pub workspace: Vec<String>,
    /// Unreadable, and nothing below can be opened.
    pub hidden: Vec<String>,
    /// Read-only inside a writable workspace. See [`crate::protected_paths`].
    pub protected: Vec<String>,
    /// Holes: no reads, no writes (what the next two lists say is let back in).
    pub denied: Vec<String>,
    /// Allowed back inside `denied`, read only.
    pub readonly: Vec<String>,
    /// Allowed back inside `denied`, read and write; writable in confined modes.
    pub writable: Vec<String>,
    /// Writable before the holes are cut.
    pub base_writable: Vec<String>,
}

impl Policy {
    /// This mode over this workspace, with the library's defaults: open network, guarded Unix sockets, kept
    /// environment, nothing hidden or protected.
    #[must_use]
    pub fn new<S: Into<String>>(mode: Mode, workspace: impl IntoIterator<Item = S>) -> Self {
        Self {
            mode,
            network: Network::Open,
            unix_sockets: UnixSockets::Guarded,
            environment: EnvironmentPolicy::Keep,
            workspace: workspace.into_iter().map(Into::into).collect(),
            hidden: Vec::new(),
            protected: Vec::new(),
            denied: Vec::new(),
            readonly: Vec::new(),
            writable: Vec::new(),
            base_writable: Vec::new(),
        }
    }

    /// [`Mode::ReadOnly`] with the library's defaults.
    #[must_use]
    pub fn read_only<S: Into<String>>(workspace: impl IntoIterator<Item = S>) -> Self {
        Self::new(Mode::ReadOnly, workspace)
    }

    /// [`Mode::WorkspaceWrite`] with the library's defaults.
    #[must_use]
    pub fn workspace_write<S: Into<String>>(workspace: impl IntoIterator<Item = S>) -> Self {
        Self::new(Mode::WorkspaceWrite, workspace)
    }

    /// [`Mode::DangerFullAccess`] with the library's defaults.
    #[must_use]
    pub fn danger_full_access<S: Into<String>>(workspace: impl IntoIterator<Item = S>) -> Self {
        Self::new(Mode::DangerFullAccess, workspace)
    }
}

/// A policy that cannot be enforced as written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// Not absolute.
    #[error("sandbox path `{0}` is not absolute; resolve it before it goes into a policy")]
    Relative(String),
    /// It cannot be resolved, so that nobody knows what it would allow or deny.
    #[error("sandbox path `{path}` cannot be resolved: {reason}")]
    Unresolvable {
        /// The path as written.
        path: String,
        /// What the operating system said.
        reason: String,
    },
    /// A root that is a denied tree or an ancestor of one would expose again what was hidden.
    #[error("sandbox root `{root}` is or contains the denied tree `{denied}`; name a directory inside it")]
    AncestorCarve {
        /// The root that was to be allowed back.
        root: String,
        /// The tree that it would expose.
        denied: String,
    },
}

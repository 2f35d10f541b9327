//! Back ends, whether they work here, and what they govern (specification 5.3).

/// The back ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BackendName {
    /// bubblewrap (`bwrap`): namespaces and mounts.
    Bwrap,
    /// Landlock and seccomp, built in.
    Landlock,
    /// macOS `sandbox-exec`.
    Seatbelt,
}

/// Whether a back end works on this machine: what a real probe said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Availability {
    /// Which.
    pub name: BackendName,
    /// `Err` holds the reason.
    pub usable: Result<Enforcement, String>,
}

/// How much of a policy a back end governs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Enforcement {
    /// All of it.
    Full,
    /// All but these effects.
    Partial(Vec<Gap>),
}

/// An effect that is not governed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Gap {
    /// Modes, owners, times.
    Metadata,
    /// `truncate(2)`
    Truncate,
    /// Signals to outside processes.
    Signals,
    /// Abstract Unix sockets.
    AbstractSockets,
    /// Unix sockets with a path.
    PathnameSockets,
    /// UDP.
    Udp,
    /// Device ioctls.
    DeviceIoctls,
    /// Hard links that were there before.
    HardLinks,
    /// Processes that outlive the run.
    Daemons,
    /// Protected paths inside a writable root.
    ProtectedPaths,
    /// Hidden paths.
    HiddenPaths,
    /// Protected names that did not exist before.
    ProtectedNew,
}

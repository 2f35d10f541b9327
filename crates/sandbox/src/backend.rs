//! Back ends, whether they work here, and what they govern.

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

impl BackendName {
    /// The machine name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bwrap => "bwrap",
            Self::Landlock => "landlock",
            Self::Seatbelt => "seatbelt",
        }
    }
}

impl std::fmt::Display for BackendName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for BackendName {
    type Err = UnknownBackend;

    fn from_str(name: &str) -> Result<Self, UnknownBackend> {
        [Self::Bwrap, Self::Landlock, Self::Seatbelt]
            .into_iter()
            .find(|backend| backend.as_str() == name)
            .ok_or_else(|| UnknownBackend(name.to_owned()))
    }
}

/// A name that is no back end's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown sandbox back end `{0}`; there are `bwrap`, `landlock` and `seatbelt`")]
pub struct UnknownBackend(pub String);

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

impl Enforcement {
    /// Full without gaps.
    #[must_use]
    pub fn with_gaps(mut gaps: Vec<Gap>) -> Self {
        gaps.sort_unstable();
        gaps.dedup();
        if gaps.is_empty() { Self::Full } else { Self::Partial(gaps) }
    }

    /// The same with a [`tripwire`](crate::tripwire) that looked at everything.
    #[must_use]
    pub fn detecting(&self) -> Self {
        let detected = |gap: &Gap| match gap {
            Gap::ProtectedNew => Gap::ProtectedNewDetected,
            other => *other,
        };
        Self::with_gaps(self.gaps().iter().map(detected).collect())
    }

    /// The effects that are not governed.
    #[must_use]
    pub fn gaps(&self) -> &[Gap] {
        match self {
            Self::Full => &[],
            Self::Partial(gaps) => gaps,
        }
    }
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
    /// The same, and a [`tripwire`](crate::tripwire) moves them out of the workspace after the run.
    #[serde(rename = "protected-new: detected")]
    ProtectedNewDetected,
    /// The number of processes: nothing here limits root.
    Processes,
}

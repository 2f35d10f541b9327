//! Why a run did not start, or was lost.

use std::path::PathBuf;

/// A run that did not start, or was lost.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The program is not there: exit status 127.
    #[error("`{}`: no such program; check its spelling and PATH", .0.display())]
    NotFound(PathBuf),
    /// The program is there but may not be executed: exit status 126.
    #[error("`{}`: not executable; check its mode, its format and its interpreter line", .0.display())]
    NotExecutable(PathBuf),
    /// The directory is missing or cannot be entered.
    #[error("`{}`: cannot be entered: {source}", path.display())]
    Directory {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Anything else that the operating system said.
    #[error("cannot {action}: {source}")]
    System {
        /// What was tried.
        action: &'static str,
        /// Why it failed.
        source: std::io::Error,
    },
    /// The program was started, and then the operating system said this. What it did until then is done, so
    /// that it must not simply be started again.
    #[error("the program was started, but cannot {action}: {source}")]
    Lost {
        /// What was tried.
        action: &'static str,
        /// Why it failed.
        source: std::io::Error,
    },
}

impl RunError {
    /// The exit status that a shell would report: 127 for a missing program, 126 for one that may not be
    /// executed, none for the rest (bash manual, "Exit Status").
    #[must_use]
    pub fn exit_code(&self) -> Option<i32> {
        match self {
            Self::NotFound(_) => Some(127),
            Self::NotExecutable(_) => Some(126),
            Self::Directory { .. } | Self::System { .. } | Self::Lost { .. } => None,
        }
    }

    pub(crate) fn system(action: &'static str, source: impl Into<std::io::Error>) -> Self {
        Self::System { action, source: source.into() }
    }

    pub(crate) fn lost(source: impl Into<std::io::Error>) -> Self {
        Self::Lost { action: "be waited for", source: source.into() }
    }
}

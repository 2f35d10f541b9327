//! Exit statuses. One place, so that nothing invents a number of its own.

use std::process::ExitCode;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done; for a judging command: allow.
    Success,
    /// A judging command said ask or alwaysAsk.
    Ask,
    /// A judging command said deny.
    Deny,
    /// The command ran into its time-out.
    TimedOut,
    /// Portcullis itself failed, usage errors included.
    Failure,
    /// Denied, or nobody answered, or the program is not executable.
    Refused,
    /// No such program.
    NotFound,
    /// The command's own status.
    Status(u8),
    /// The command was ended by this signal.
    Signal(u8),
    /// Whoever reads the answer went away before it was whole.
    ReaderGone,
}

impl Exit {
    /// The number that the caller sees.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Ask => 1,
            Self::Deny => 2,
            Self::TimedOut => 124,
            Self::Failure => 125,
            Self::Refused => 126,
            Self::NotFound => 127,
            Self::Status(status) => status,
            Self::Signal(signal) => 128u8.saturating_add(signal),
            // As of a program that SIGPIPE (13, signal(7)) ends.
            Self::ReaderGone => 141,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn signals_count_from_128() {
        assert_eq!(Exit::Signal(9).code(), 137);
        assert_eq!(Exit::Signal(200).code(), 255);
        assert_eq!(Exit::Status(3).code(), 3);
        assert_eq!(Exit::ReaderGone.code(), 141);
    }
}

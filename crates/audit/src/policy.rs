//! What a failed record means for the caller.

use crate::AppendError;

/// What became of an event.
#[derive(Debug)]
#[must_use]
pub enum Appended {
    /// It is in the log, under this number.
    Written(u64),
    /// It is lost, and the caller may go on. The first time with the reason, to be shown once.
    Lost(Option<AppendError>),
}

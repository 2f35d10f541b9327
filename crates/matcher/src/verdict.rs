//! How far a rule matches.

/// Ordered from no to certain, so that `max` joins alternatives and `min` joins conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Match {
    /// It does not.
    No,
    /// It cannot be ruled out.
    Possible,
    /// It does.
    Yes,
}

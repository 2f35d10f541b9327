//! What a command leaves behind for its neighbours.

use crate::Directories;

/// What is known of a stream of lines or names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Feed {
    /// Anything.
    #[default]
    Unknown,
    /// One absolute directory's contents, named below it, without a leading dash.
    Below(String),
    /// Exactly this text.
    Text(String),
    /// Names below the working directory, relative to it; they may begin with a dash.
    Relative,
}

/// The result of a command, as far as control flow needs it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    /// The working directories when it fails, if they differ from the state's.
    pub(crate) failed: Option<Directories>,
    /// Control never comes behind it (`exit`).
    pub(crate) ends: bool,
    /// What it prints.
    pub(crate) feed: Feed,
}

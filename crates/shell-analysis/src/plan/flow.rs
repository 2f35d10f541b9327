//! What a command leaves behind for its neighbours.

use std::rc::Rc;

use crate::{Below, Directories};

/// What is known of a stream of lines or names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Feed {
    /// Anything.
    #[default]
    Unknown,
    /// Exactly this text.
    Text(crate::Text),
    /// Names of files.
    Names(Rc<Names>),
}

/// Names that a program prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Names {
    pub(crate) below: Below,
    pub(crate) separator: Separator,
    /// They are the names in this directory, nothing that is deeper.
    pub(crate) listed: Option<String>,
    /// A line feed in a name is not printed as one: git quotes it.
    pub(crate) quoted: bool,
    /// Where git has them from.
    pub(crate) stored: Option<Stored>,
}

/// Where git has names from: they need not be those of files that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// Its index.
    Index,
    /// Trees of any revision.
    Trees,
}

/// What stands behind each name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Separator {
    /// A line feed, which may be in a name as well.
    Line,
    Nul,
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

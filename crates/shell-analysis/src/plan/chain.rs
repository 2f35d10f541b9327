//! The launchers around what is walked. They are the same for all that stands inside them, and copied with the
//! context wherever control flow forks.

use std::{ops::Deref, rc::Rc};

use crate::Launcher;

/// Launchers, the outermost first; cheap to copy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain(Option<Rc<[Launcher]>>);

impl Chain {
    /// One more inside the others.
    pub(crate) fn push(&mut self, launcher: Launcher) {
        self.0 = Some(self.iter().cloned().chain([launcher]).collect());
    }
}

impl Deref for Chain {
    type Target = [Launcher];

    fn deref(&self) -> &[Launcher] {
        self.0.as_deref().unwrap_or_default()
    }
}

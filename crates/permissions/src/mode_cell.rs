//! The mode of a session: a value that can be shared and changed.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use portcullis_matcher::Mode;

/// Every mode; a cell holds a position in this list.
const MODES: [Mode; 6] =
    [Mode::Strict, Mode::Plan, Mode::DontAsk, Mode::Standard, Mode::AcceptEdits, Mode::Unrestricted];

/// The mode in force in a session, shared by whoever decides and whoever may change it. Clones are the same cell.
/// There is no mode of the process: each session holds its own, and a decision gets the value in its
/// [`Context`](crate::Context).
///
/// ```
/// use portcullis_permissions::{Mode, ModeCell};
/// let session = ModeCell::new(Mode::AcceptEdits);
/// let subagent = session.child(Mode::Unrestricted);
/// assert_eq!(subagent.get(), Mode::AcceptEdits);
/// session.set(Mode::Plan);
/// assert_eq!(subagent.get(), Mode::Plan);
/// ```
#[derive(Clone, Debug)]
pub struct ModeCell {
    own: Arc<AtomicUsize>,
    parent: Option<Arc<ModeCell>>,
}

impl ModeCell {
    /// A session's cell.
    #[must_use]
    pub fn new(mode: Mode) -> Self {
        let cell = Self { own: Arc::new(AtomicUsize::new(0)), parent: None };
        cell.set(mode);
        cell
    }

    /// The cell of a subagent that this session starts: never laxer than this one, now or later.
    #[must_use]
    pub fn child(&self, wanted: Mode) -> Self {
        Self { parent: Some(Arc::new(self.clone())), ..Self::new(wanted) }
    }

    /// The mode in force now.
    #[must_use]
    pub fn get(&self) -> Mode {
        let own = MODES.get(self.own.load(Ordering::SeqCst)).copied().unwrap_or(Mode::Strict);
        self.parent.as_ref().map_or(own, |parent| mode_for_child(parent.get(), own))
    }

    /// Changes the mode. A child stays bound by its parent.
    pub fn set(&self, mode: Mode) {
        // A mode that this list does not know yet is taken for the strictest.
        let at = MODES.iter().position(|known| *known == mode).unwrap_or(0);
        self.own.store(at, Ordering::SeqCst);
    }
}

/// The mode of a child that wants `wanted` under a parent in `parent`: what it wants where that lets nothing through
/// that the parent's mode does not, else the parent's.
///
/// strict < standard < acceptEdits < unrestricted; plan and dontAsk let no more through than standard. Under plan and
/// dontAsk a child stays in the same mode: strict would ask for what they deny.
#[must_use]
pub fn mode_for_child(parent: Mode, wanted: Mode) -> Mode {
    let laxity = |mode: Mode| match mode {
        Mode::Strict => Some(0),
        Mode::Standard => Some(1),
        Mode::AcceptEdits => Some(2),
        Mode::Unrestricted => Some(3),
        _ => None,
    };
    let fits = match (laxity(parent), laxity(wanted)) {
        (Some(parent), Some(wanted)) => wanted <= parent,
        // Both let reads through that strict asks about.
        (Some(parent), None) => parent >= 1,
        (None, _) => false,
    };
    if fits { wanted } else { parent }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_can_be_held() {
        for mode in MODES {
            assert_eq!(ModeCell::new(mode).get(), mode);
        }
    }

    #[test]
    fn a_clone_is_the_same_cell_and_another_session_is_not() {
        let (one, other) = (ModeCell::new(Mode::Standard), ModeCell::new(Mode::Standard));
        let shared = one.clone();
        std::thread::spawn(move || shared.set(Mode::Strict)).join().unwrap();
        assert_eq!((one.get(), other.get()), (Mode::Strict, Mode::Standard));
    }

    #[test]
    fn a_child_is_never_laxer() {
        use Mode::{AcceptEdits, DontAsk, Plan, Standard, Strict, Unrestricted};
        for (parent, wanted, given) in [
            (Strict, Unrestricted, Strict),
            (Strict, Plan, Strict),
            (Standard, AcceptEdits, Standard),
            (Standard, Plan, Plan),
            (Standard, DontAsk, DontAsk),
            (AcceptEdits, Standard, Standard),
            (AcceptEdits, Unrestricted, AcceptEdits),
            (Unrestricted, AcceptEdits, AcceptEdits),
            (Unrestricted, Plan, Plan),
            (Plan, Standard, Plan),
            (Plan, Strict, Plan),
            (DontAsk, Strict, DontAsk),
            (DontAsk, DontAsk, DontAsk),
        ] {
            assert_eq!(mode_for_child(parent, wanted), given, "{parent:?} {wanted:?}");
        }
        let grandchild = ModeCell::new(Strict).child(Unrestricted).child(Unrestricted);
        assert_eq!(grandchild.get(), Strict);
    }
}

//! The last row: nobody is there to be asked, so what would be asked is denied.

use portcullis_matcher::Mode;

use crate::{Decision, ruling::Ruling};

/// Turns ask and alwaysAsk into deny in mode dontAsk. The rule that asked stays named.
pub(crate) fn convert(mode: Mode, ruling: &Ruling) -> Option<Ruling> {
    let asks = matches!(ruling.decision, Decision::Ask | Decision::AlwaysAsk);
    (mode == Mode::DontAsk && asks).then(|| Ruling {
        cited: ruling.cited.clone(),
        about: ruling.about.clone(),
        ..Ruling::new(Decision::Deny, "not allowed without a person")
    })
}

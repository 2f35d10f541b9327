//! A person's yes as a value that is used up by one run.

use crate::{Access, Preview};

/// The right to run one call once. It comes out of an answered question alone, is moved into the run, and
/// can be neither copied, nor stored, nor replayed.
///
/// ```compile_fail
/// fn twice(grant: portcullis_approval::Grant, preview: &portcullis_approval::Preview) {
///     let first = grant.redeem(preview);
///     let second = grant.redeem(preview); // the grant was moved into the first run
/// }
/// ```
///
/// ```compile_fail
/// fn copy(grant: &portcullis_approval::Grant) -> portcullis_approval::Grant {
///     grant.clone()
/// }
/// ```
///
/// ```compile_fail
/// let forged = portcullis_approval::Grant { hash: String::new(), widening: None };
/// ```
#[derive(Debug)]
#[must_use = "a grant that is dropped lets nothing run"]
pub struct Grant {
    hash: String,
    widening: Option<Access>,
}

/// What a redeemed grant allows: to be consumed by the run that it belongs to.
#[derive(Debug)]
#[must_use = "a permit is for one run"]
pub struct Permit {
    widening: Option<Access>,
}

impl Permit {
    /// The wider file access that was granted, if any was asked for; the permit is used up.
    #[must_use]
    pub fn consume(self) -> Option<Access> {
        self.widening
    }
}

/// What is about to run is not what the person saw.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what would run (`{found}`) is not what was approved (`{approved}`): ask again")]
pub struct GrantMismatch {
    /// The hash that the person saw.
    pub approved: String,
    /// The hash of what was to run.
    pub found: String,
}

impl Grant {
    pub(crate) fn for_preview(preview: &Preview) -> Self {
        Self { hash: preview.hash().to_owned(), widening: preview.parts().widening }
    }

    /// Uses the grant up for a run of exactly `preview`.
    ///
    /// # Errors
    /// The preview differs from the approved one in any part; the grant is gone all the same.
    pub fn redeem(self, preview: &Preview) -> Result<Permit, GrantMismatch> {
        if self.hash == preview.hash() {
            Ok(Permit { widening: self.widening })
        } else {
            Err(GrantMismatch { approved: self.hash, found: preview.hash().to_owned() })
        }
    }
}

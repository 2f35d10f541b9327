//! Where "always" goes.

use crate::Offer;

/// Saves the rules of an offer; implemented over the settings files by the caller.
pub trait RuleStore: Send + Sync {
    /// Saves all of them, or none.
    ///
    /// # Errors
    /// Nothing was saved; then nothing is approved either.
    fn save(&self, offer: &Offer) -> Result<(), StoreError>;
}

/// Rules could not be saved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StoreError(pub String);

//! What this crate writes down. Nothing runs unrecorded: where a record fails, the question fails.

use portcullis_audit as audit;
use portcullis_audit::{Appended, Event, Log, RuleRef};

use crate::{Decided, Offer, Outcome, Policy, Request};

/// Takes events; implemented for an audit log.
pub trait Recorder: Send + Sync {
    /// Appends one event.
    ///
    /// # Errors
    /// It could not be stored, and the caller has to stop.
    fn record(&self, event: Event) -> Result<(), RecordError>;
}

impl Recorder for Log {
    fn record(&self, event: Event) -> Result<(), RecordError> {
        match self.append(event) {
            Ok(Appended::Written(_) | Appended::Lost(None)) => Ok(()),
            Ok(Appended::Lost(Some(error))) => {
                tracing::warn!(%error, "event lost");
                Ok(())
            }
            Err(error) => Err(RecordError(error.to_string())),
        }
    }
}

/// An event could not be stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RecordError(pub String);

pub(crate) fn asked(request: &Request) -> Event {
    let parts = request.preview.parts();
    Event::ApprovalAsked {
        id: request.id.clone(),
        call: request.preview.call_hash().to_owned(),
        tool: parts.tool.clone(),
        reason: Some(request.why.reason.clone()).filter(|reason| !reason.is_empty()),
        widening: parts.widening.map(|access| access.as_str().to_owned()),
        timeout_ms: request.deadline.map(|deadline| u64::try_from(deadline.as_millis()).unwrap_or(u64::MAX)),
    }
}

pub(crate) fn decided(decided: &Decided) -> Event {
    Event::ApprovalDecided {
        id: decided.id.clone(),
        outcome: match decided.outcome {
            Outcome::AllowedOnce => audit::Answer::AllowedOnce,
            Outcome::Rejected => audit::Answer::Rejected,
            Outcome::Cancelled => audit::Answer::Cancelled,
            Outcome::Unavailable => audit::Answer::Unavailable,
        },
        by: decided.by.clone(),
        comment: decided.comment.clone(),
    }
}

pub(crate) fn policy(policy: Policy) -> Event {
    Event::ApprovalPolicy {
        policy: match policy {
            Policy::Ask => audit::ApprovalPolicy::Ask,
            Policy::Never => audit::ApprovalPolicy::Never,
        },
    }
}

pub(crate) fn saved(offer: &Offer) -> impl Iterator<Item = Event> {
    offer.rules.iter().map(|rule| Event::RuleSaved {
        rule: RuleRef {
            rule: rule.clone(),
            scope: offer.scope.as_str().to_owned(),
            file: Some(offer.file.clone()),
            line: None,
        },
        list: "allow".to_owned(),
        removed: false,
    })
}

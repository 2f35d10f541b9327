//! What this crate writes down. Nothing runs unrecorded: where a record fails, the question fails.

use serde_json::{Value, json};

use crate::{Decided, Outcome, Policy, Request};

/// Takes events; implemented over an audit log.
pub trait Recorder: Send + Sync {
    /// Appends one event.
    ///
    /// # Errors
    /// It could not be stored.
    fn record(&self, event: &Event) -> Result<(), RecordError>;
}

/// An event could not be stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RecordError(pub String);

/// An event: its kind in the log's vocabulary, and its fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// `approval/asked`, `approval/decided`, `approval/policy` or `rule/saved`.
    pub kind: &'static str,
    /// The session.
    pub session: String,
    /// The fields.
    pub fields: Value,
}

impl Event {
    pub(crate) fn asked(request: &Request) -> Self {
        let parts = request.preview.parts();
        Self {
            kind: "approval/asked",
            session: request.session.clone(),
            fields: json!({
                "id": request.id,
                "call_id": request.call_id,
                "tool": parts.tool,
                "arguments": parts.arguments,
                "cwd": parts.cwd,
                "mode": parts.mode,
                "widening": parts.widening,
                "hash": request.preview.hash(),
                "gate": request.why.gate,
                "reason": request.why.reason,
                "deadline_ms": request.deadline.map(|deadline| u64::try_from(deadline.as_millis()).unwrap_or(u64::MAX)),
            }),
        }
    }

    pub(crate) fn decided(request: &Request, decided: &Decided) -> Self {
        Self {
            kind: "approval/decided",
            session: request.session.clone(),
            fields: json!({
                "id": request.id,
                "outcome": decided.outcome,
                "comment": decided.comment,
                "detail": decided.detail,
                "by": decided.by,
                "hash": request.preview.hash(),
                "widening": (decided.outcome == Outcome::AllowedOnce).then_some(request.preview.parts().widening).flatten(),
            }),
        }
    }

    pub(crate) fn policy(session: &str, policy: Policy) -> Self {
        Self { kind: "approval/policy", session: session.to_owned(), fields: json!({ "policy": policy }) }
    }

    pub(crate) fn saved(
        request: &Request,
        rules: &[String],
        scope: portcullis_permissions::Scope,
        file: &str,
    ) -> Self {
        Self {
            kind: "rule/saved",
            session: request.session.clone(),
            fields: json!({ "id": request.id, "list": "allow", "rules": rules, "scope": scope, "file": file }),
        }
    }
}

//! A question to a person about one call.

use std::time::Duration;

use portcullis_permissions::Scope;

use crate::Preview;

/// A question, complete and unchanging.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Names the question; an answer names it too.
    pub id: String,
    /// The session it belongs to.
    pub session: String,
    /// The agent's id for the call.
    pub call_id: Option<String>,
    /// Why a person is asked.
    pub why: Why,
    /// What would run.
    pub preview: Preview,
    /// The rule that "always" would save; none when nothing may be remembered.
    pub offer: Option<Offer>,
    /// How long the question stands, counted from when it is shown.
    pub deadline: Option<Duration>,
}

impl Request {
    /// A question with a new id.
    #[must_use]
    pub fn new(session: impl Into<String>, preview: Preview, why: Why) -> Self {
        Self {
            id: uuid::Uuid::new_v4().to_string(),
            session: session.into(),
            call_id: None,
            why,
            preview,
            offer: None,
            deadline: None,
        }
    }
}

/// Why a person is asked; all of it is made safe when it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Why {
    /// The reason in words.
    pub reason: String,
    /// The gate that asked.
    pub gate: String,
    /// The rule that matched, and where it stands (`FILE:LINE`).
    pub rule: Option<(String, Option<String>)>,
    /// Rules that may match, and where they stand.
    pub possible: Vec<(String, Option<String>)>,
    /// What the call would touch, one clause each.
    pub effects: Vec<String>,
    /// Parts of the command that deserve a look: the text, and what is special about it.
    pub marks: Vec<(String, String)>,
    /// Longer words for "explain".
    pub explanation: Vec<String>,
}

/// What "always" would save.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Offer {
    /// The rules, exactly as they would be written.
    pub rules: Vec<String>,
    /// Where.
    pub scope: Scope,
    /// The file of that scope, to show.
    pub file: String,
}

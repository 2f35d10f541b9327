//! What comes back from a question.

use crate::Grant;

/// The four outcomes. Only [`Outcome::AllowedOnce`] lets anything run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// This call may run, once.
    AllowedOnce,
    /// A person, or the policy, said no.
    Rejected,
    /// The question was withdrawn, or the person walked away from it.
    Cancelled,
    /// Nobody could answer, or not in time, or not in this vocabulary.
    Unavailable,
}

impl Outcome {
    /// The name in the log and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AllowedOnce => "allowed-once",
            Self::Rejected => "rejected",
            Self::Cancelled => "cancelled",
            Self::Unavailable => "unavailable",
        }
    }

    /// Reads a name from a wire. Everything outside the vocabulary, however close, is `Unavailable`.
    #[must_use]
    pub fn from_wire(name: &str) -> Self {
        match name {
            "allowed-once" => Self::AllowedOnce,
            "rejected" => Self::Rejected,
            "cancelled" => Self::Cancelled,
            _ => Self::Unavailable,
        }
    }
}

/// Whether anybody is asked at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// The answerers are asked.
    Ask,
    /// Every question is rejected before anybody sees it.
    Never,
}

impl Policy {
    /// The name in the log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Never => "never",
        }
    }
}

/// A decided question. Not `Clone`: it may hold a [`Grant`].
#[derive(Debug)]
pub struct Decided {
    /// The request's id.
    pub id: String,
    /// The outcome.
    pub outcome: Outcome,
    /// What the person added.
    pub comment: Option<String>,
    /// Why nothing was allowed, where the outcome alone does not say it (`expired`, an answerer's error).
    pub detail: Option<String>,
    /// Who answered: the answerer's name, or `policy`.
    pub by: Option<String>,
    /// The rules that "always" saved.
    pub saved: Vec<String>,
    pub(crate) grant: Option<Grant>,
}

impl Decided {
    /// The permission to run, if there is one; taken out, so that it can be used once.
    #[must_use]
    pub fn into_grant(self) -> Option<Grant> {
        self.grant
    }
}

//! What a gate answers: small values, rendered only once the decision is made.

use std::borrow::Cow;

use portcullis_matcher::RuleId;

use crate::Decision;

/// One of the three sets of rules that a decision consults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleSetName {
    Settings,
    Session,
    Cli,
}

impl RuleSetName {
    /// In the order in which a decision looks.
    pub(crate) const ALL: [Self; 3] = [Self::Settings, Self::Session, Self::Cli];
}

/// What a ruling appeals to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cited {
    /// A rule that matches.
    Rule(RuleSetName, RuleId),
    /// A rule whose match cannot be ruled out.
    PossibleRule(RuleSetName, RuleId),
    /// Something else that has a name: a guard, a mode, a tool's own policy.
    Named(Cow<'static, str>),
}

/// A gate's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ruling {
    pub(crate) decision: Decision,
    pub(crate) cited: Option<Cited>,
    pub(crate) reason: Cow<'static, str>,
    /// The path, program or part of the command that made the gate speak; for the trace.
    pub(crate) about: Option<String>,
}

impl Ruling {
    pub(crate) fn new(decision: Decision, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { decision, cited: None, reason: reason.into(), about: None }
    }

    pub(crate) fn citing(self, cited: Cited) -> Self {
        Self { cited: Some(cited), ..self }
    }

    pub(crate) fn named(self, name: impl Into<Cow<'static, str>>) -> Self {
        self.citing(Cited::Named(name.into()))
    }

    pub(crate) fn about(self, what: impl Into<String>) -> Self {
        Self { about: Some(what.into()), ..self }
    }
}

//! Which records a reader wants.

use crate::{Record, Verdict};

/// Everything that is set has to agree. Empty: every record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this session.
    pub session: Option<String>,
    /// About this tool, as it was proposed.
    pub tool: Option<String>,
    /// Decisions that came out so.
    pub decision: Option<Verdict>,
    /// Decisions by this rule, and its saving; as written.
    pub rule: Option<String>,
}

impl Filter {
    /// Whether a record is wanted.
    #[must_use]
    pub fn accepts(&self, record: &Record) -> bool {
        let Self { session, tool, decision, rule } = self;
        session.as_ref().is_none_or(|session| *session == record.session)
            && tool.as_ref().is_none_or(|tool| record.event.tool() == Some(tool))
            && decision.is_none_or(|decision| record.event.decision() == Some(decision))
            && rule.as_ref().is_none_or(|rule| record.event.rule() == Some(rule))
    }
}

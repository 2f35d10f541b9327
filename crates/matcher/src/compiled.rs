//! Rule sets compiled for matching (specification 1.5 to 1.7).

use std::sync::Arc;

use crate::{Anchors, Conventions, ListKind, RuleError, Rules, SourcedRule, Subject};

/// A rule in a [`RuleSet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId {
    /// The list.
    pub list: ListId,
    /// Position in the list, from 0.
    pub index: u32,
}

/// A compact list name for ids.
pub type ListId = u8;

/// Rules compiled once, independent of the working directory; shared by `Arc`.
#[derive(Clone, Debug)]
pub struct RuleSet {
    rules: Arc<Rules>,
    errors: Vec<RuleError>,
}

impl RuleSet {
    /// Compiles `rules`. Rules that cannot be read are kept apart in [`RuleSet::errors`].
    #[must_use]
    pub fn compile(rules: Arc<Rules>, anchors: &Anchors, conventions: &Conventions) -> Self {
        let _ = (anchors, conventions);
        Self { rules, errors: Vec::new() }
    }

    /// The rules that it was compiled from.
    #[must_use]
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Rules that could not be read; one in a deny list forbids automatic allows.
    #[must_use]
    pub fn errors(&self) -> &[RuleError] {
        &self.errors
    }

    /// The rule behind an id.
    #[must_use]
    pub fn rule(&self, id: RuleId) -> Option<&SourcedRule> {
        let _ = id;
        None
    }

    /// The first rule of a deny, alwaysAsk or ask list that certainly matches: any target, any
    /// invocation, through any launcher, by either path.
    #[must_use]
    pub fn first_match(&self, list: ListKind, subject: &Subject<'_>) -> Option<RuleId> {
        let _ = (list, subject);
        None
    }

    /// The rules of a deny, alwaysAsk or ask list whose match cannot be ruled out, in list order; at most
    /// eight. Lifted possible matches (an exact allow rule, specification 3.1) are not among them.
    #[must_use]
    pub fn possible_matches(&self, list: ListKind, subject: &Subject<'_>) -> Vec<RuleId> {
        let _ = (list, subject);
        Vec::new()
    }

    /// The allow rule that covers the call: every target, and every invocation, assignment and
    /// redirection that is not read-only by itself, each not overruled by a narrower ask or restrict.
    /// Returns the rule that covered the first part that needed one.
    #[must_use]
    pub fn covering_allow(&self, subject: &Subject<'_>) -> Option<RuleId> {
        let _ = subject;
        None
    }

    /// Whether an allow rule names this absolute path literally, without a glob (specification 3.7).
    /// `write`: Edit or Write rules, else Read rules.
    #[must_use]
    pub fn names_literally(&self, path: &str, write: bool) -> bool {
        let _ = (path, write);
        false
    }

    /// Absolute globs of deny rules with path payloads: `(glob, also reading)`; for the sandbox and for
    /// `exclude`.
    #[must_use]
    pub fn denied_paths(&self) -> Vec<(String, bool)> {
        Vec::new()
    }
}

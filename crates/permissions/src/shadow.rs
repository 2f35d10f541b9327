//! The same call under another configuration, to see what would change. The shadow's answer is never used.

use portcullis_matcher::RuleSet;

use crate::{Context, Decision, Gate, Sessions, ToolCall, Verdict, decide};
use std::sync::Arc;

/// Rules and everything else that a decision depends on: one side of a comparison. Engine, rules, mode, whatever
/// differs.
#[derive(Clone)]
pub struct Configuration {
    /// The context.
    pub context: Context,
    /// The rules of the settings.
    pub rules: Arc<RuleSet>,
}

impl Configuration {
    /// The same under the engine that folds tool names (v2), or the one that compares them as they are written (v1),
    /// in all three sets of rules.
    #[must_use]
    pub fn under_engine(&self, fold_names: bool) -> Self {
        let under = |rules: &Arc<RuleSet>| {
            if rules.conventions().fold_names == fold_names {
                return Arc::clone(rules);
            }
            let mut conventions = rules.conventions().clone();
            conventions.fold_names = fold_names;
            Arc::new(rules.under(&conventions))
        };
        let sessions = Sessions {
            session: under(&self.context.sessions.session),
            cli: under(&self.context.sessions.cli),
        };
        Self { context: Context { sessions, ..self.context.clone() }, rules: under(&self.rules) }
    }
}

/// One side of a mismatch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Side {
    /// The answer, by its name in output.
    pub decision: &'static str,
    /// The gate that gave it, by its name in output.
    pub gate: &'static str,
    /// The rule that decided, as it is shown.
    pub rule: Option<String>,
}

impl Side {
    /// What a verdict comes to.
    #[must_use]
    pub fn of(verdict: &Verdict) -> Self {
        Self {
            decision: Decision::as_str(verdict.decision),
            gate: Gate::as_str(verdict.gate),
            rule: verdict.rule.as_ref().map(|rule| rule.label.clone()),
        }
    }

    /// Whether decision or rule differ. Another gate alone is no other answer.
    #[must_use]
    pub fn differs(&self, other: &Self) -> bool {
        self.decision != other.decision || self.rule != other.rule
    }
}

/// Two configurations that answer otherwise.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Mismatch {
    /// The answer in force.
    pub primary: Side,
    /// The one that is only compared.
    pub shadow: Side,
}

/// Judges the call under another configuration and compares with the verdict in force: what differs, if decision or
/// rule do. The verdict stays what it is.
///
/// ```
/// use std::sync::Arc;
/// use portcullis_matcher::{Anchors, Conventions, RuleSet, Rules};
/// use portcullis_permissions::{Configuration, Context, GateConventions, Mode, ToolCall, compare, decide};
///
/// let anchors = Anchors {
///     project_root: "/repo".into(), start_directory: "/repo".into(), home: None, user_settings: None,
/// };
/// let rules = Arc::new(RuleSet::compile(Arc::new(Rules::default()), &anchors, &Conventions::letta()));
/// let context = Context::bare("/repo", Mode::Standard, GateConventions::letta());
/// let laxer = Context { mode: Mode::Unrestricted, ..context.clone() };
/// let call = ToolCall::shell("make");
/// let verdict = decide(&call, &context, &rules);
/// let found = compare(&call, &verdict, &Configuration { context: laxer, rules }).unwrap();
/// assert_eq!((found.primary.decision, found.shadow.decision), ("ask", "allow"));
/// ```
#[must_use]
pub fn compare(call: &ToolCall, verdict: &Verdict, shadow: &Configuration) -> Option<Mismatch> {
    let primary = Side::of(verdict);
    let shadow = Side::of(&decide(call, &shadow.context, &shadow.rules));
    let mismatch = primary.differs(&shadow).then_some(Mismatch { primary, shadow })?;
    tracing::warn!(
        tool = %call.name,
        primary = ?mismatch.primary,
        shadow = ?mismatch.shadow,
        "dual-eval mismatch"
    );
    Some(mismatch)
}

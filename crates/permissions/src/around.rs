//! What stands around the pipeline: hooks before and behind it, and the registry of mods. Nothing here runs a hook or
//! loads a mod; both come in as traits.

use std::borrow::Cow;

use portcullis_matcher::{Mode, RuleSet};
use serde_json::Value;

use crate::{
    Context, Decision, Gate, MatchedRule, ToolCall, TraceEvent, Verdict,
    decide::{Judged, judge},
};

/// What somebody beside the gates thinks of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Opinion {
    /// Nothing.
    #[default]
    None,
    /// Let it through; the words, if there are any.
    Allow(Option<String>),
    /// Ask a person.
    Ask(Option<String>),
    /// Ask a person every time. From a hook it is as good as [`Opinion::Ask`].
    AlwaysAsk(Option<String>),
    /// Stop it.
    Deny(Option<String>),
}

impl Opinion {
    fn strictness(&self) -> u8 {
        match self {
            Self::None => 0,
            Self::Allow(_) => 1,
            Self::Ask(_) => 2,
            Self::AlwaysAsk(_) => 3,
            Self::Deny(_) => 4,
        }
    }

    fn words(self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Allow(words) | Self::Ask(words) | Self::AlwaysAsk(words) | Self::Deny(words) => {
                words.filter(|words| !words.trim().is_empty())
            }
        }
    }
}

/// What the hooks of one event say together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookAnswer {
    /// What they think.
    pub opinion: Opinion,
    /// Other arguments for the call; an object. Without an object nothing can be judged, and the call is denied.
    pub updated_input: Option<Value>,
}

/// Runs the hooks that bear on a decision. What hooks are there, in which order they run and what their exit codes
/// mean is the implementor's: also that one which cannot start makes a person asked, and that silence is no opinion.
pub trait HookRunner {
    /// Before anything is decided (PreToolUse).
    fn before_call(&self, call: &ToolCall) -> HookAnswer;

    /// In the stead of a person who would be asked (PermissionRequest).
    fn permission_request(&self, call: &ToolCall, verdict: &Verdict) -> HookAnswer;
}

/// One mod's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModAnswer {
    /// Which mod.
    pub id: String,
    /// What it thinks, or why it failed: that is a deny.
    pub answer: Result<Opinion, String>,
}

/// The mods that want a say in permissions.
pub trait PermissionRegistry {
    /// The answers of all mods about a call that is not denied.
    fn consult(&self, call: &ToolCall, verdict: &Verdict) -> Vec<ModAnswer>;
}

/// Nobody: no hooks, no mods.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl HookRunner for Nobody {
    fn before_call(&self, _call: &ToolCall) -> HookAnswer {
        HookAnswer::default()
    }

    fn permission_request(&self, _call: &ToolCall, _verdict: &Verdict) -> HookAnswer {
        HookAnswer::default()
    }
}

impl PermissionRegistry for Nobody {
    fn consult(&self, _call: &ToolCall, _verdict: &Verdict) -> Vec<ModAnswer> {
        Vec::new()
    }
}

/// A decision, and the call that it is about: hooks may have rewritten it. This one is to be shown and to be run.
#[derive(Clone, Debug)]
pub struct HookedDecision {
    /// The frozen call.
    pub call: ToolCall,
    /// The decision on it.
    pub verdict: Verdict,
}

/// [`decide`](crate::decide) with hooks and mods around it, in this order:
///
/// 1. the hooks before a call: a deny is final; new arguments replace the call, which is then judged from the first
///    gate, and no such hook sees it again; their allow replaces the default's question, their ask an allow;
/// 2. the gates;
/// 3. the mods, unless that is deny: the strictest answer counts. A deny always does, an ask replaces an allow, an allow
///    what the hooks of the next step may replace;
/// 4. if the answer is ask, the hooks in a person's stead: a deny, or an allow instead of the question of the default or
///    of an ask rule, never instead of one that a possible deny, a secret, a protected path, degraded settings,
///    plan or strict mode put. New arguments are judged from the first gate, by gates and mods, and no hook again;
/// 5. mode dontAsk turns what is still a question into a deny.
///
/// ```
/// use std::sync::Arc;
/// use portcullis_matcher::{Anchors, Conventions, RuleSet, Rules};
/// use portcullis_permissions::{Context, Decision, GateConventions, Mode, Nobody, ToolCall, decide_with_hooks};
///
/// let anchors = Anchors {
///     project_root: "/repo".into(), start_directory: "/repo".into(), home: None, user_settings: None,
/// };
/// let rules = RuleSet::compile(Arc::new(Rules::default()), &anchors, &Conventions::letta());
/// let context = Context::bare("/repo", Mode::DontAsk, GateConventions::letta());
/// let call = ToolCall::shell("make");
/// let decided = decide_with_hooks(call, &context, &rules, &Nobody, &Nobody);
/// assert_eq!(decided.verdict.decision, Decision::Deny);
/// ```
#[must_use]
pub fn decide_with_hooks(
    call: ToolCall,
    context: &Context,
    rules: &RuleSet,
    hooks: &dyn HookRunner,
    mods: &dyn PermissionRegistry,
) -> HookedDecision {
    let before = hooks.before_call(&call);
    if let Opinion::Deny(_) = before.opinion {
        return HookedDecision { verdict: stopped("PreToolUse hook", before.opinion), call };
    }
    let call = match rewritten(call, before.updated_input, "PreToolUse hook") {
        Ok(call) => call,
        Err(denied) => return *denied,
    };
    let around = Around { context, rules, mods };
    let mut judged = around.gates(&call);
    match before.opinion {
        Opinion::None | Opinion::Deny(_) => {}
        Opinion::Allow(words) if around.may_replace(&judged.verdict, false) => {
            judged.allow("PreToolUse hook", words, "Allowed by hook", Gate::Hook);
        }
        Opinion::Allow(_) => {}
        asking => judged.ask("PreToolUse hook", asking, "Asked by hook", Gate::Hook),
    }
    around.mods(&call, &mut judged);
    let (call, judged) = if judged.verdict.decision == Decision::Ask {
        match around.in_a_persons_stead(call, judged, hooks) {
            Ok(decided) => decided,
            Err(denied) => return *denied,
        }
    } else {
        (call, judged)
    };
    HookedDecision { call, verdict: judged.verdict.without_a_person(context.mode) }
}

/// What all steps share.
struct Around<'a> {
    context: &'a Context,
    rules: &'a RuleSet,
    mods: &'a dyn PermissionRegistry,
}

impl Around<'_> {
    fn gates(&self, call: &ToolCall) -> Judged {
        judge(call, self.context, self.rules, false)
    }

    /// Whether an allow may take the place of this answer.
    fn may_replace(&self, verdict: &Verdict, ask_rules_too: bool) -> bool {
        let replaceable = verdict.gate == Gate::Default || (ask_rules_too && verdict.gate == Gate::AskRule);
        verdict.decision == Decision::Ask && replaceable && self.context.mode != Mode::Strict
    }

    fn mods(&self, call: &ToolCall, judged: &mut Judged) {
        if judged.verdict.decision == Decision::Deny {
            return;
        }
        let answers = self.mods.consult(call, &judged.verdict).into_iter().map(|answer| {
            let label = format!("mod permission:{}", answer.id);
            (label, answer.answer.unwrap_or_else(|failure| Opinion::Deny(Some(failure))))
        });
        // The first of the strictest is the one that is named.
        let strictest =
            answers.reduce(
                |strictest, next| {
                    if next.1.strictness() > strictest.1.strictness() { next } else { strictest }
                },
            );
        let Some((label, opinion)) = strictest else { return };
        match opinion {
            Opinion::None => {}
            Opinion::Deny(_) => judged.deny(&label, opinion, "Denied by mod", Gate::Mod),
            Opinion::Allow(words) => {
                if self.may_replace(&judged.verdict, true) {
                    judged.allow(&label, words, "Allowed by mod", Gate::Mod);
                }
            }
            asking => judged.ask(&label, asking, "Asked by mod", Gate::Mod),
        }
    }

    fn in_a_persons_stead(
        &self,
        call: ToolCall,
        mut judged: Judged,
        hooks: &dyn HookRunner,
    ) -> Result<(ToolCall, Judged), Box<HookedDecision>> {
        const LABEL: &str = "PermissionRequest hook";
        let HookAnswer { opinion, updated_input } = hooks.permission_request(&call, &judged.verdict);
        if let Opinion::Deny(_) = opinion {
            judged.deny(LABEL, opinion, "Denied by hook", Gate::Hook);
            return Ok((call, judged));
        }
        let changed = updated_input.is_some();
        let call = rewritten(call, updated_input, LABEL)?;
        if changed {
            judged = self.gates(&call);
            self.mods(&call, &mut judged);
        }
        if let Opinion::Allow(words) = opinion
            && self.may_replace(&judged.verdict, true)
        {
            judged.allow(LABEL, words, "Allowed by hook", Gate::Hook);
        }
        Ok((call, judged))
    }
}

impl Judged {
    fn allow(&mut self, label: &str, words: Option<String>, otherwise: &'static str, gate: Gate) {
        let (exclude, confinement) = self.if_allowed.take().unwrap_or_default();
        self.verdict.exclude = exclude;
        self.verdict.confinement = confinement;
        self.answer(Decision::Allow, label, Opinion::Allow(words), otherwise, gate);
    }

    /// Asks where the answer is laxer than that, or is a question that an allow could still replace.
    fn ask(&mut self, label: &str, opinion: Opinion, otherwise: &'static str, gate: Gate) {
        let every_time = gate == Gate::Mod && matches!(opinion, Opinion::AlwaysAsk(_));
        let decision = if every_time { Decision::AlwaysAsk } else { Decision::Ask };
        let laxer = match self.verdict.decision {
            Decision::Allow => true,
            Decision::Ask => every_time || matches!(self.verdict.gate, Gate::Default | Gate::AskRule),
            Decision::AlwaysAsk | Decision::Deny => false,
        };
        if laxer {
            self.tighten(decision, label, opinion, otherwise, gate);
        }
    }

    fn deny(&mut self, label: &str, opinion: Opinion, otherwise: &'static str, gate: Gate) {
        self.tighten(Decision::Deny, label, opinion, otherwise, gate);
    }

    fn tighten(
        &mut self,
        decision: Decision,
        label: &str,
        opinion: Opinion,
        otherwise: &'static str,
        gate: Gate,
    ) {
        self.verdict.exclude.clear();
        self.verdict.confinement = None;
        self.answer(decision, label, opinion, otherwise, gate);
    }

    fn answer(
        &mut self,
        decision: Decision,
        label: &str,
        opinion: Opinion,
        otherwise: &'static str,
        gate: Gate,
    ) {
        let reason = opinion.words().map_or(Cow::Borrowed(otherwise), Cow::Owned);
        self.verdict.trace.push(TraceEvent {
            gate,
            matched: true,
            decision: Some(decision),
            pattern: Some(label.to_owned()),
            message: Some(reason.clone()),
        });
        self.verdict.decision = decision;
        self.verdict.gate = gate;
        self.verdict.rule = Some(MatchedRule { label: label.to_owned(), source: None, reason: None });
        self.verdict.reason = reason;
        self.verdict.about = None;
    }
}

/// The call with other arguments, or the denial where they are none.
fn rewritten(
    call: ToolCall,
    updated_input: Option<Value>,
    label: &str,
) -> Result<ToolCall, Box<HookedDecision>> {
    match updated_input {
        None => Ok(call),
        Some(arguments @ Value::Object(_)) => Ok(ToolCall { arguments, ..call }),
        Some(_) => {
            let words = "the input that a hook put in place is no object".to_owned();
            Err(Box::new(HookedDecision { call, verdict: stopped(label, Opinion::Deny(Some(words))) }))
        }
    }
}

/// A deny before any gate was asked.
fn stopped(label: &str, opinion: Opinion) -> Verdict {
    let verdict = Verdict {
        decision: Decision::Deny,
        gate: Gate::Hook,
        rule: None,
        reason: Cow::Borrowed(""),
        about: None,
        possible: Vec::new(),
        exclude: Vec::new(),
        confinement: None,
        trace: Vec::new(),
        shell: Vec::new(),
        as_written: false,
    };
    let mut judged = Judged { verdict, if_allowed: None };
    judged.deny(label, opinion, "Denied by hook", Gate::Hook);
    judged.verdict
}

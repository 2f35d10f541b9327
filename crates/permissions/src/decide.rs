//! From a call to a verdict.

use std::{borrow::Cow, sync::Arc};

use portcullis_matcher::{Looked, RuleSet, ShellPart, SourcedRule};
use portcullis_tool_names::{Carried, Tool, carried, known_name, leaves_the_sandbox};
use serde_json::Value;

use crate::{
    Confinement, ConfinementMode, Context, Decision, Gate, MatchedRule, ToolCall, TraceEvent, Verdict,
    case::Case,
    facts::{Facts, canonical},
    gates, near, pipeline,
    placed::{Placed, placed},
    remembering::Remembering,
    ruling::{Cited, RuleSetName, Ruling},
};

/// Decides one call. Pure: the same call, context and rules give the same verdict, and nothing but the
/// context's resolver is asked.
///
/// ```
/// # use std::sync::Arc;
/// # use portcullis_matcher::{Anchors, Conventions, RuleSet, Rules};
/// # let anchors = Anchors {
/// #     project_root: "/repo".into(), start_directory: "/repo".into(), home: None, user_settings: None,
/// # };
/// use portcullis_matcher::{RuleSource, Scope, SourcedRule};
/// use portcullis_permissions::{Context, Decision, Gate, GateConventions, Mode, ToolCall, decide};
///
/// let never = SourcedRule::text("Bash(git push:*)", RuleSource::of(Scope::User));
/// let rules = Rules { deny: vec![never], ..Rules::default() };
/// let rules = RuleSet::compile(Arc::new(rules), &anchors, &Conventions::letta());
/// let context = Context::bare("/repo", Mode::Standard, GateConventions::letta());
/// let gate = |command: &str| decide(&ToolCall::shell(command), &context, &rules).gate;
///
/// assert_eq!(gate("git log | head -3"), Gate::ReadOnlyShell);
/// assert_eq!(gate("cd sub && timeout 9 \"git\" push"), Gate::DenyRule);
/// assert_eq!(gate("rm -rf /"), Gate::CriticalRemoval);
/// assert_eq!(gate("eval \"$x\""), Gate::PossibleDeny);
/// assert_eq!(gate("touch a"), Gate::Default);
/// ```
#[must_use]
pub fn decide(call: &ToolCall, context: &Context, rules: &RuleSet) -> Verdict {
    judge(call, context, rules, true).verdict
}

/// [`decide`] without its last row (`dont-ask`), for callers that consult somebody in between and then call
/// [`Verdict::without_a_person`]. For hooks and mods that is [`decide_with_hooks`](crate::decide_with_hooks).
///
/// ```
/// # use std::sync::Arc;
/// # use portcullis_matcher::{Anchors, Conventions, RuleSet, Rules};
/// # let anchors = Anchors {
/// #     project_root: "/repo".into(), start_directory: "/repo".into(), home: None, user_settings: None,
/// # };
/// use portcullis_permissions::{Context, Decision, GateConventions, Mode, ToolCall, decide_before_hooks};
///
/// # let rules = RuleSet::compile(Arc::new(Rules::default()), &anchors, &Conventions::letta());
/// let context = Context::bare("/repo", Mode::DontAsk, GateConventions::letta());
/// let verdict = decide_before_hooks(&ToolCall::shell("make"), &context, &rules);
/// assert_eq!(verdict.decision, Decision::Ask);
/// // Hooks may answer here; what is still asked then is denied.
/// assert_eq!(verdict.without_a_person(context.mode).decision, Decision::Deny);
/// ```
#[must_use]
pub fn decide_before_hooks(call: &ToolCall, context: &Context, rules: &RuleSet) -> Verdict {
    judge(call, context, rules, false).verdict
}

/// A verdict, and what an allow of the same call would carry.
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    /// For a call that is asked, and may be allowed by others than gates.
    pub(crate) if_allowed: Option<(Vec<String>, Option<Confinement>)>,
}

/// `convert`: with the last row. A call that carries others is no laxer than the strictest of them.
pub(crate) fn judge(call: &ToolCall, context: &Context, rules: &RuleSet, convert: bool) -> Judged {
    let mut judged = judge_alone(call, context, rules, convert);
    let plain = call.arguments.is_null() || call.arguments.is_boolean() || call.arguments.is_number();
    let viewed = |name: &str, arguments: &Value| {
        let views = context.aliases.may_view(name, arguments);
        views.then(|| (Tool::Read.as_str().to_owned(), arguments.clone()))
    };
    let mut carried = if plain || canonical(call, context).is_some() {
        Carried::default()
    } else {
        let mut carried = carried(&call.arguments, &context.aliases);
        // Under another agent's name, or behind a name space, it may be the tool that rules are about.
        let known = known_name(&call.name, &context.aliases).filter(|known| *known != call.name);
        carried.calls.extend(known.map(|known| (known, call.arguments.clone())));
        carried
    };
    // What an editor shows is read, whichever rules its changes have.
    let views: Vec<(String, Value)> =
        carried.calls.iter().filter_map(|(name, arguments)| viewed(name, arguments)).collect();
    carried.calls.extend(viewed(&call.name, &call.arguments).into_iter().chain(views));
    for (name, arguments) in carried.calls {
        let inner = ToolCall { name, arguments, call_id: call.call_id.clone() };
        let mut other = judge_alone(&inner, context, rules, convert);
        // Nobody shuts in a part of a call, nor takes files out of what it finds.
        let inner_alone = other.verdict.decision == Decision::Allow
            && (other.verdict.gate == Gate::ConfinedAuto || !other.verdict.exclude.is_empty());
        if inner_alone {
            other.verdict.decision = Decision::Ask;
            other.verdict.confinement = None;
            other.verdict.exclude = Vec::new();
            other.verdict.reason = "Runs confined only by itself".into();
        }
        if other.verdict.decision.strictness() > judged.verdict.decision.strictness() {
            let about = other.verdict.about.take().map(|about| format!(": {about}")).unwrap_or_default();
            other.verdict.about = Some(format!("{} in {}{about}", inner.name, call.name));
            judged = other;
        }
    }
    if carried.incomplete && judged.verdict.decision == Decision::Allow {
        judged.verdict.decision = Decision::Ask;
        judged.verdict.confinement = None;
        judged.verdict.reason = "Carries more calls than are looked at".into();
    }
    judged
}

fn judge_alone(call: &ToolCall, context: &Context, rules: &RuleSet, convert: bool) -> Judged {
    let additional = &rules.rules().additional_directories;
    let Placed { mut context, commands } = placed(call, context, additional);
    if let Some(resolver) = context.resolver.clone() {
        context.to_mut().resolver = Some(Arc::new(Remembering::new(resolver)));
    }
    if leaves_the_sandbox(&call.arguments) {
        let context = context.to_mut();
        (context.confined_auto, context.hides) = (false, false);
    }
    let context = context.as_ref();
    let facts = Facts::of(call, context, commands, additional);
    let parts: Vec<ShellPart<'_>> =
        facts.shell.iter().map(|(text, analysis)| ShellPart { text, analysis }).collect();
    let looked = Looked::default();
    let case = Case::new(call, context, rules, &facts, &parts, &looked);
    let mut trace = Vec::with_capacity(28);
    let (mut gate, mut ruling) = pipeline::run(&case, &mut trace);
    if convert && let Some(converted) = gates::dont_ask::convert(context.mode, &ruling) {
        (gate, ruling) = (Gate::DontAsk, converted);
        trace.push(pipeline::event(gate, &case, Some(&ruling)));
    }
    if matches!(ruling.decision, Decision::Ask | Decision::AlwaysAsk) {
        near::annotate(&case, &mut trace);
    }
    let verdict = Verdict {
        decision: ruling.decision,
        gate,
        rule: matched_rule(&case, &ruling),
        possible: possible(&case, gate),
        exclude: if ruling.decision == Decision::Allow { case.exclusion().globs() } else { Vec::new() },
        confinement: if ruling.decision == Decision::Allow { confinement(&case, gate) } else { None },
        reason: ruling.reason,
        about: ruling.about,
        as_written: case.context.resolver.is_none(),
        trace,
        shell: Vec::new(),
    };
    tracing::debug!(
        tool = %call.name,
        decision = verdict.decision.as_str(),
        gate = verdict.gate.as_str(),
        reason = %verdict.reason,
        "decided"
    );
    let asked = !convert && verdict.decision == Decision::Ask;
    let if_allowed = asked.then(|| (case.exclusion().globs(), confinement(&case, gate)));
    drop(case);
    drop(parts);
    Judged { verdict: Verdict { shell: facts.shell, ..verdict }, if_allowed }
}

fn matched_rule(case: &Case<'_>, ruling: &Ruling) -> Option<MatchedRule> {
    let cited = ruling.cited.as_ref()?;
    let sourced = sourced(case, cited);
    Some(MatchedRule {
        label: label(case, cited),
        source: sourced.map(|rule| rule.source.clone()),
        reason: sourced.and_then(|rule| rule.reason.clone()),
    })
}

fn sourced<'a>(case: &Case<'a>, cited: &Cited) -> Option<&'a SourcedRule> {
    match cited {
        Cited::Rule(set, id) | Cited::PossibleRule(set, id) => case.rule_set(*set).rule(*id),
        Cited::Named(_) => None,
    }
}

/// The label of what is cited.
pub(crate) fn label(case: &Case<'_>, cited: &Cited) -> String {
    let rule = || sourced(case, cited).map(SourcedRule::label).unwrap_or_default();
    match cited {
        Cited::Rule(RuleSetName::Settings, _) | Cited::PossibleRule(RuleSetName::Settings, _) => rule(),
        Cited::Rule(RuleSetName::Session, _) | Cited::PossibleRule(RuleSetName::Session, _) => {
            format!("{} (session)", rule())
        }
        Cited::Rule(RuleSetName::Cli, _) | Cited::PossibleRule(RuleSetName::Cli, _) => {
            format!("{} (CLI)", rule())
        }
        Cited::Named(name) => name.clone().into_owned(),
    }
}

/// Possible matches are listed where they were looked for, and beside a secret or a protected path that is asked
/// about anyway: not when a gate before those decided.
fn possible(case: &Case<'_>, gate: Gate) -> Vec<MatchedRule> {
    if gate.is_before(Gate::Secret) {
        return Vec::new();
    }
    case.possible()
        .iter()
        .filter_map(|&(set, id)| {
            let cited = Cited::PossibleRule(set, id);
            let rule = sourced(case, &cited)?;
            Some(MatchedRule {
                label: label(case, &cited),
                source: Some(rule.source.clone()),
                reason: rule.reason.clone(),
            })
        })
        .collect()
}

/// Confinement follows the verdict; where something is to be hidden from the command, it is required. In-process tools
/// are not run in a sandbox.
fn confinement(case: &Case<'_>, gate: Gate) -> Option<Confinement> {
    if !case.is_shell() {
        return None;
    }
    let network_blocked = case.context.network_blocked;
    let (mode, network_blocked) = match gate {
        Gate::ReadOnlyShell => (ConfinementMode::ReadOnly, network_blocked),
        Gate::MemoryDirShell => (ConfinementMode::MemoryWrite, false),
        Gate::ConfinedAuto => (ConfinementMode::WorkspaceWrite, true),
        _ => (ConfinementMode::WorkspaceWrite, network_blocked),
    };
    let required =
        gate == Gate::ConfinedAuto || !case.unseen().is_empty() || !case.exclusion().globs().is_empty();
    Some(Confinement { mode, network_blocked, required })
}

impl Verdict {
    /// The last row of the pipeline: in mode dontAsk, ask and alwaysAsk become deny.
    #[must_use]
    pub fn without_a_person(self, mode: portcullis_matcher::Mode) -> Self {
        let asks = matches!(self.decision, Decision::Ask | Decision::AlwaysAsk);
        if mode != portcullis_matcher::Mode::DontAsk || !asks {
            return self;
        }
        let reason = Cow::Borrowed("not allowed without a person");
        let mut trace = self.trace;
        trace.push(TraceEvent {
            gate: Gate::DontAsk,
            matched: true,
            decision: Some(Decision::Deny),
            pattern: self.rule.as_ref().map(|rule| rule.label.clone()),
            message: Some(reason.clone()),
        });
        Self {
            decision: Decision::Deny,
            gate: Gate::DontAsk,
            reason,
            confinement: None,
            exclude: Vec::new(),
            trace,
            ..self
        }
    }
}

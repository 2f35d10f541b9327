//! A verdict in words: what a person is told when something is asked or denied.

use std::collections::BTreeSet;

use portcullis_approval::Why;
use portcullis_permissions::{Decision, Gate, MatchedRule, Verdict};
use portcullis_shell_analysis::{EffectKind, PathTarget, Value};

use crate::session;

/// How many effects a question lists; the explanation has all.
const EFFECTS: usize = 8;

/// What a question says about its reasons.
pub(crate) fn why(verdict: &Verdict) -> Why {
    let effects = effects(verdict);
    let mut shown: Vec<String> = effects.iter().take(EFFECTS).cloned().collect();
    if effects.len() > EFFECTS {
        shown.push(format!("{} more (press e)", effects.len() - EFFECTS));
    }
    Why {
        reason: reason(verdict),
        gate: verdict.gate.as_str().to_owned(),
        rule: verdict.rule.as_ref().map(labelled),
        possible: verdict.possible.iter().map(labelled).collect(),
        effects: shown,
        marks: marks(verdict),
        explanation: explanation(verdict, &effects),
    }
}

/// The reason, with the rule's own words behind it; where nothing spoke, why the call is not automatic. Behind that what
/// keeps it from running unasked here.
pub(crate) fn reason(verdict: &Verdict) -> String {
    let reason = match verdict.rule.as_ref().and_then(|rule| rule.reason.as_deref()) {
        Some(own) => format!("{}: {own}", verdict.reason),
        None => judgement(verdict).unwrap_or_else(|| verdict.reason.clone().into_owned()),
    };
    match about(verdict).filter(|_| matches!(verdict.gate, Gate::Default | Gate::PossibleDeny)) {
        Some(about) => format!("{reason}; {about}"),
        None => reason,
    }
}

/// What keeps a shell call from being automatic that no rule or gate speaks of, in one clause.
pub(crate) fn judgement(verdict: &Verdict) -> Option<String> {
    let why = not_read_only(verdict);
    let (first, more) = why.split_first()?;
    let more = if more.is_empty() { String::new() } else { format!(", and {} more", more.len()) };
    Some(format!("not read-only: {first}{more}"))
}

/// What the gate's sentence leaves out, a clause each: what the gate speaks of, or, where none spoke, everything that
/// keeps a shell call from being automatic.
pub(crate) fn particulars(verdict: &Verdict) -> Vec<&str> {
    match about(verdict) {
        Some(about) => vec![about],
        None => not_read_only(verdict),
    }
}

/// What the gate speaks of, unless its sentence says so already.
pub(crate) fn about(verdict: &Verdict) -> Option<&str> {
    verdict.about.as_deref().filter(|about| !verdict.reason.contains(about))
}

/// All reasons why a call is not read-only, without repetition.
fn not_read_only(verdict: &Verdict) -> Vec<&str> {
    let mut why = Vec::new();
    if verdict.gate != Gate::Default || verdict.decision == Decision::Allow {
        return why;
    }
    for (_, analysis) in &verdict.shell {
        let error = analysis.error.as_ref().map(|error| error.message.as_str());
        let others = analysis.opaque.iter().chain(&analysis.blockers).map(|one| &*one.reason);
        for reason in error.into_iter().chain(others) {
            if !why.contains(&reason) {
                why.push(reason);
            }
        }
    }
    why
}

/// The rule's label and its `FILE:LINE`.
pub(crate) fn labelled(rule: &MatchedRule) -> (String, Option<String>) {
    (rule.label.clone(), rule.source.as_ref().and_then(session::place))
}

/// What the call would do besides reading names, one clause each, without repetition.
fn effects(verdict: &Verdict) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let all =
        verdict.shell.iter().flat_map(|(_, analysis)| &analysis.invocations).flat_map(|part| &part.effects);
    all.filter_map(|effect| clause(&effect.kind)).filter(|clause| seen.insert(clause.clone())).collect()
}

fn clause(kind: &EffectKind) -> Option<String> {
    let below = |recursive: bool| if recursive { " and everything below it" } else { "" };
    Some(match kind {
        EffectKind::Read { path, recursive } => format!("reads {}{}", target(path), below(*recursive)),
        EffectKind::ChangeMetadata(path) => format!("changes mode, owner or times of {}", target(path)),
        EffectKind::Write(path) => format!("writes {}", target(path)),
        EffectKind::Delete { path, recursive } => format!("deletes {}{}", target(path), below(*recursive)),
        EffectKind::Execute(Value::Known(program)) => format!("runs {program}"),
        EffectKind::Execute(_) => "runs a program that is not known beforehand".to_owned(),
        EffectKind::Network(Some(endpoint)) => format!("talks to {endpoint}"),
        EffectKind::Network(None) => "talks to the network".to_owned(),
        EffectKind::Process => "signals or changes other processes".to_owned(),
        EffectKind::System => "changes the system".to_owned(),
        EffectKind::Terminal => "takes over the terminal".to_owned(),
        EffectKind::Opaque(reason) => format!("not accounted for: {reason}"),
        EffectKind::Environment | EffectKind::Metadata(_) => return None,
        _ => "does something that is not accounted for".to_owned(),
    })
}

fn target(path: &PathTarget) -> String {
    match path {
        PathTarget::Path(path) => path.clone(),
        PathTarget::Glob(glob, _) => format!("what matches {glob}"),
        PathTarget::Below(directory) => format!("something below {directory}"),
        _ => "a path that is not known beforehand".to_owned(),
    }
}

/// The parts of the text that keep it from being automatic.
fn marks(verdict: &Verdict) -> Vec<(String, String)> {
    let mut marks = Vec::new();
    for (text, analysis) in &verdict.shell {
        if let Some(error) = &analysis.error {
            marks.push((error.span.slice(text).to_owned(), error.message.clone()));
        }
        for blocker in analysis.opaque.iter().chain(&analysis.blockers) {
            let mark = (blocker.span.slice(text).to_owned(), blocker.reason.to_string());
            if !marks.contains(&mark) {
                marks.push(mark);
            }
        }
    }
    marks.retain(|(text, _)| !text.is_empty());
    marks.truncate(EFFECTS);
    marks
}

/// The gates that spoke, how many did not, and every effect.
fn explanation(verdict: &Verdict, effects: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut silent = 0usize;
    for event in &verdict.trace {
        if !event.matched {
            silent += 1;
            continue;
        }
        if silent > 0 {
            lines.push(format!("{silent} gates had nothing to say"));
            silent = 0;
        }
        let mut line = format!("gate {}", event.gate.as_str());
        if let Some(decision) = event.decision {
            line.push_str(&format!(": {}", decision.as_str()));
        }
        for detail in event.pattern.as_deref().into_iter().chain(event.message.as_deref()) {
            line.push_str(&format!(", {detail}"));
        }
        lines.push(line);
    }
    lines.extend(effects.iter().cloned());
    lines
}

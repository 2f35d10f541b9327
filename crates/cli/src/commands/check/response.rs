//! A verdict as the batch format has it, and as one line for people.

use std::collections::HashSet;

use portcullis_matcher::RuleSet;
use portcullis_permissions::{Context, Decision, Gate, MatchedRule, ToolCall, Verdict, suggest};
use serde_json::{Map, Value, json};

use crate::commands::describe;

/// What is added on request.
#[derive(Default)]
pub(crate) struct Extras {
    /// The gates.
    pub(crate) trace: bool,
    /// The rule that would be offered.
    pub(crate) suggestion: Option<Value>,
}

/// The response object.
pub(crate) fn verdict(id: &Value, verdict: &Verdict, extras: Extras) -> Value {
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("id", id.clone());
    put("decision", verdict.decision.as_str().into());
    put("gate", verdict.gate.as_str().into());
    put("rule", verdict.rule.as_ref().map(|rule| rule.label.clone()).into());
    put("source", verdict.rule.as_ref().map_or(Value::Null, source));
    put("reason", verdict.reason.as_ref().into());
    put("why", describe::particulars(verdict).into());
    if let Some(words) = verdict.rule.as_ref().and_then(|rule| rule.reason.clone()) {
        put("ruleReason", words.into());
    }
    let possible = verdict.possible.iter().map(|rule| json!({ "rule": rule.label, "source": source(rule) }));
    put("possible", possible.collect());
    put("exclude", verdict.exclude.clone().into());
    put("confinement", confinement(verdict));
    if let Some(condition) = condition(verdict) {
        put("condition", condition.into());
    }
    if verdict.as_written {
        put("asWritten", true.into());
    }
    if let Some(suggestion) = extras.suggestion {
        put("suggestion", suggestion);
    }
    if extras.trace {
        put("trace", trace(verdict));
    }
    Value::Object(object)
}

pub(crate) fn source(rule: &MatchedRule) -> Value {
    rule.source.as_ref().map_or(
        Value::Null,
        |source| json!({ "scope": source.scope.as_str(), "file": source.file, "line": source.line }),
    )
}

pub(crate) fn confinement(verdict: &Verdict) -> Value {
    verdict.confinement.as_ref().map_or(Value::Null, |confinement| {
        json!({
            "mode": confinement.mode,
            "network": if confinement.network_blocked { "blocked" } else { "open" },
            "required": confinement.required,
        })
    })
}

/// The gates that were asked.
pub(crate) fn trace(verdict: &Verdict) -> Value {
    verdict
        .trace
        .iter()
        .map(|event| {
            json!({
                "gate": event.gate.as_str(),
                "matched": event.matched,
                "decision": event.decision.map(portcullis_permissions::Decision::as_str),
                "pattern": event.pattern,
                "message": event.message,
            })
        })
        .collect()
}

/// The rule that would be offered, or null.
pub(crate) fn suggestion(call: &ToolCall, context: &Context, rules: &RuleSet) -> Value {
    suggest(call, context, rules).map_or(Value::Null, |offer| json!(offer))
}

/// `DECISION: REASON`, with what the reason is about or why the call is not automatic in parentheses.
pub(crate) fn sentence(verdict: &Verdict) -> String {
    let sentence = format!("{}: {}", verdict.decision.as_str(), verdict.reason);
    let why = describe::about(verdict).map(str::to_owned).or_else(|| describe::judgement(verdict));
    why.map_or_else(|| sentence.clone(), |why| format!("{sentence} ({why})"))
}

/// `DECISION: REASON (RULE, at FILE:LINE)`, or why it is not automatic in the parentheses.
pub(crate) fn line(verdict: &Verdict) -> String {
    let mut line = sentence(verdict);
    if let Some(rule) = &verdict.rule {
        line.push_str(&format!(" ({}", rule.label));
        if let Some(place) = place(rule) {
            line.push_str(&format!(", {place}"));
        }
        line.push(')');
    }
    if let Some(words) = verdict.rule.as_ref().and_then(|rule| rule.reason.as_deref()) {
        line.push_str(&format!(": {words}"));
    }
    // A rule that may match is named beside what asks already.
    if let (None, Some(rule)) = (&verdict.rule, verdict.possible.first()) {
        let place = place(rule).map(|place| format!(", {place}")).unwrap_or_default();
        line.push_str(&format!(" (may match {}{place})", rule.label));
    }
    if let Some(condition) = condition(verdict) {
        line.push_str(&format!(", {condition}"));
    }
    portcullis_approval::escape_line(&line)
}

/// So many globs are named in a line.
const NAMED: usize = 3;

/// What an allow hangs on: what has to be hidden from the command or left out by the tool, or that the command is shut
/// in.
pub(crate) fn condition(verdict: &Verdict) -> Option<String> {
    if verdict.decision != Decision::Allow {
        return None;
    }
    let hidden = named(&verdict.exclude);
    let one = hidden.as_deref().is_some_and(|hidden| !hidden.contains(" and "));
    match (&verdict.confinement, hidden) {
        (Some(confinement), hidden) if confinement.required => {
            let shut_in = verdict.gate == Gate::ConfinedAuto || hidden.is_none();
            let shut_in = shut_in.then(|| "it is shut in".to_owned());
            let hidden =
                hidden.map(|hidden| format!("{hidden} {} hidden from it", if one { "is" } else { "are" }));
            let conditions: Vec<String> = shut_in.into_iter().chain(hidden).collect();
            Some(format!("only where {}, as `portcullis run` does", conditions.join(" and ")))
        }
        (None, Some(hidden)) => Some(format!("only where the tool leaves out {hidden}")),
        _ => None,
    }
}

/// `.env, *.pem and 3 more`; what is below each goes without saying.
fn named(globs: &[String]) -> Option<String> {
    let all: HashSet<&str> = globs.iter().map(String::as_str).collect();
    let below = |glob: &str| glob.strip_suffix("/**").is_some_and(|top| all.contains(top));
    let mut tops: Vec<&str> = globs.iter().map(String::as_str).filter(|glob| !below(glob)).collect();
    let more = tops.len().saturating_sub(NAMED);
    tops.truncate(NAMED);
    match (tops.split_last(), more) {
        (None, _) => None,
        (Some((last, [])), 0) => Some((*last).to_owned()),
        (Some((last, first)), 0) => Some(format!("{} and {last}", first.join(", "))),
        (Some(_), more) => Some(format!("{} and {more} more", tops.join(", "))),
    }
}

/// `SCOPE, FILE:LINE` of a rule.
pub(crate) fn place(rule: &MatchedRule) -> Option<String> {
    let source = rule.source.as_ref()?;
    Some(match (&source.file, source.line) {
        (Some(file), Some(line)) => format!("{} scope, {file}:{line}", source.scope.as_str()),
        (Some(file), None) => format!("{} scope, {file}", source.scope.as_str()),
        (None, _) => format!("{} scope", source.scope.as_str()),
    })
}

//! The gates of a decision on standard error: for people with `--trace`, one JSON line where the
//! environment asks for it.

use std::sync::Arc;

use portcullis_matcher::RuleSet;
use portcullis_permissions::{Configuration, Context, Decision, ToolCall, Verdict, compare};
use serde_json::{Value, json};

use crate::{args::Options, report, session::Surroundings};

/// What a decision was made from.
#[derive(Clone, Copy)]
pub(crate) struct Made<'a> {
    /// The call.
    pub(crate) call: &'a ToolCall,
    /// The context.
    pub(crate) context: &'a Context,
    /// The rules of the settings.
    pub(crate) rules: &'a Arc<RuleSet>,
}

/// Prints what was asked for; nothing by default.
pub(crate) fn print(options: &Options, surroundings: &Surroundings, made: Made<'_>, verdict: &Verdict) {
    switched(surroundings, None, made, verdict);
    if options.trace {
        lines(verdict);
    }
}

/// JSON lines, when switches in the environment ask for them: `LETTA_PERMISSION_TRACE` for what is not allowed,
/// `LETTA_PERMISSION_TRACE_ALL` for everything, `LETTA_PERMISSIONS_DUAL_EVAL` for what the other engine would have
/// answered otherwise. `id`: the request's, in a batch.
pub(crate) fn switched(surroundings: &Surroundings, id: Option<&Value>, made: Made<'_>, verdict: &Verdict) {
    traced(surroundings, id, made.call, verdict);
    if is_on(surroundings, "LETTA_PERMISSIONS_DUAL_EVAL") {
        other_engine(id, made, verdict);
    }
}

fn is_on(surroundings: &Surroundings, name: &str) -> bool {
    matches!(surroundings.variable(name), Some("1" | "true"))
}

/// The other engine's answer where it is another one. It is printed, and never used.
fn other_engine(id: Option<&Value>, made: Made<'_>, verdict: &Verdict) {
    let here = Configuration { context: made.context.clone(), rules: Arc::clone(made.rules) };
    let folds = here.rules.conventions().fold_names;
    let Some(mismatch) = compare(made.call, verdict, &here.under_engine(!folds)) else { return };
    let name = |folds: bool| if folds { "v2" } else { "v1" };
    let mut line = json!({
        "trace": "dual-eval mismatch",
        "tool": made.call.name,
        "primary": { "engine": name(folds), "answer": mismatch.primary },
        "shadow": { "engine": name(!folds), "answer": mismatch.shadow },
    });
    add_id(&mut line, id);
    report::note(&line.to_string());
}

fn add_id(line: &mut Value, id: Option<&Value>) {
    if let (Some(id), Some(object)) = (id, line.as_object_mut()) {
        object.insert("id".to_owned(), id.clone());
    }
}

fn traced(surroundings: &Surroundings, id: Option<&Value>, call: &ToolCall, verdict: &Verdict) {
    let on = |name: &str| is_on(surroundings, name);
    let stopped = verdict.decision != Decision::Allow;
    if !(on("LETTA_PERMISSION_TRACE_ALL") || (stopped && on("LETTA_PERMISSION_TRACE"))) {
        return;
    }
    let mut line = json!({
        "trace": "permission",
        "tool": call.name,
        "decision": verdict.decision,
        "gate": verdict.gate,
        "rule": verdict.rule.as_ref().map(|rule| &rule.label),
        "reason": verdict.reason,
        "gates": verdict.trace,
    });
    add_id(&mut line, id);
    report::note(&line.to_string());
}

/// A line for each gate: a star where it spoke.
pub(crate) fn lines(verdict: &Verdict) {
    for event in &verdict.trace {
        let mark = if event.matched { '*' } else { ' ' };
        let mut line = format!("{mark} {:<18}", event.gate.as_str());
        for part in event
            .decision
            .map(Decision::as_str)
            .into_iter()
            .chain(event.pattern.as_deref())
            .chain(event.message.as_deref())
        {
            line.push(' ');
            line.push_str(&portcullis_approval::escape_line(part));
        }
        report::note(line.trim_end());
    }
}

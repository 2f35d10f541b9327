//! The gates of a decision on standard error: for people with `--trace`, one JSON line where the
//! environment asks for it.

use portcullis_permissions::{Decision, ToolCall, Verdict};
use serde_json::{Value, json};

use crate::{args::Options, report, session::Surroundings};

/// Prints what was asked for; nothing by default.
pub(crate) fn print(options: &Options, surroundings: &Surroundings, call: &ToolCall, verdict: &Verdict) {
    switched(surroundings, None, call, verdict);
    if options.trace {
        lines(verdict);
    }
}

/// One JSON line, when a switch in the environment asks for it: `LETTA_PERMISSION_TRACE` for what is not
/// allowed, `LETTA_PERMISSION_TRACE_ALL` for everything. `id`: the request's, in a batch.
pub(crate) fn switched(surroundings: &Surroundings, id: Option<&Value>, call: &ToolCall, verdict: &Verdict) {
    let on = |name: &str| matches!(surroundings.variable(name), Some("1" | "true"));
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
    if let (Some(id), Some(object)) = (id, line.as_object_mut()) {
        object.insert("id".to_owned(), id.clone());
    }
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

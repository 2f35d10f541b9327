//! The gates of a decision on standard error: for people with `--trace`, one JSON line with the switches
//! of specification 3.6.

use portcullis_permissions::{Decision, ToolCall, Verdict};
use serde_json::json;

use crate::{args::Options, report, session::Surroundings};

/// Prints what was asked for; nothing by default.
pub(crate) fn print(options: &Options, surroundings: &Surroundings, call: &ToolCall, verdict: &Verdict) {
    let on = |name: &str| matches!(surroundings.variable(name), Some("1" | "true"));
    let stopped = verdict.decision != Decision::Allow;
    if on("LETTA_PERMISSION_TRACE_ALL") || (stopped && on("LETTA_PERMISSION_TRACE")) {
        let line = json!({
            "trace": "permission",
            "tool": call.name,
            "decision": verdict.decision,
            "gate": verdict.gate,
            "rule": verdict.rule.as_ref().map(|rule| &rule.label),
            "reason": verdict.reason,
            "gates": verdict.trace,
        });
        report::note(&line.to_string());
    }
    if options.trace {
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
}

//! The pipeline: one table of gates, asked in order.

use portcullis_matcher::RuleSet;

use crate::{Context, Decision, Gate, ToolCall, Verdict};

/// Decides one call.
#[must_use]
pub fn decide(call: &ToolCall, context: &Context, rules: &RuleSet) -> Verdict {
    let _ = (call, context, rules);
    Verdict {
        decision: Decision::Ask,
        gate: Gate::Default,
        rule: None,
        reason: "Default behavior for tool".to_owned(),
        possible: Vec::new(),
        exclude: Vec::new(),
        confinement: None,
        trace: Vec::new(),
        shell: Vec::new(),
    }
}

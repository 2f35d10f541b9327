//! What a person is told of allow rules that come near a call: which one, and why it does not cover it.

use crate::{
    Gate, TraceEvent,
    case::Case,
    ruling::{Cited, RuleSetName},
};

/// Notes it in the events of gates that asked allow rules and did not speak.
pub(crate) fn annotate(case: &Case<'_>, trace: &mut [TraceEvent]) {
    for event in trace.iter_mut().filter(|event| !event.matched) {
        let set = match event.gate {
            Gate::CliAllow => RuleSetName::Cli,
            Gate::SessionAllow => RuleSetName::Session,
            Gate::AllowRule => RuleSetName::Settings,
            _ => continue,
        };
        if let Some((id, why)) = case.near(set) {
            event.pattern = Some(crate::decide::label(case, &Cited::Rule(set, id)));
            event.message = Some(format!("does not cover this: {why}").into());
        }
    }
}

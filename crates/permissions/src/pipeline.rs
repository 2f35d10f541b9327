//! The pipeline: one table of gates in the order of [`Gate`]. Adding a gate is adding a row.

use std::borrow::Cow;

use crate::{Decision, Gate, TraceEvent, case::Case, gates, ruling::Ruling};

/// A row of the table.
struct Row {
    gate: Gate,
    judge: fn(&Case<'_>) -> Option<Ruling>,
}

const fn row(gate: Gate, judge: fn(&Case<'_>) -> Option<Ruling>) -> Row {
    Row { gate, judge }
}

/// The first that speaks decides. The last always speaks; `dont-ask` follows as a conversion.
static TABLE: [Row; 26] = [
    row(Gate::WorkspaceGuard, gates::workspace_guard::judge),
    row(Gate::CrossAgentGuard, gates::cross_agent_guard::judge),
    row(Gate::DenyRule, gates::deny_rule::judge),
    row(Gate::CliDisallow, gates::cli_disallow::judge),
    row(Gate::Plan, gates::plan::judge),
    row(Gate::SessionAlwaysAsk, gates::session_always_ask::judge),
    row(Gate::AlwaysAskRule, gates::always_ask_rule::judge),
    row(Gate::ToolPolicy, gates::tool_policy::judge),
    row(Gate::CriticalRemoval, gates::critical_removal::judge),
    row(Gate::SelfModification, gates::self_modification::judge),
    row(Gate::Secret, gates::secret::judge),
    row(Gate::ProtectedPath, gates::protected_path::judge),
    row(Gate::PossibleDeny, gates::possible_deny::judge),
    row(Gate::Degraded, gates::degraded::judge),
    row(Gate::AskRule, gates::ask_rule::judge_early),
    row(Gate::Mode, gates::mode::judge),
    row(Gate::CliAllow, gates::cli_allow::judge),
    row(Gate::Skill, gates::skill::judge),
    row(Gate::ReadOnlyShell, gates::read_only_shell::judge),
    row(Gate::MemoryDirShell, gates::memory_dir_shell::judge),
    row(Gate::ConfinedAuto, gates::confined_auto::judge),
    row(Gate::WorkingDirectory, gates::working_directory::judge),
    row(Gate::SessionAllow, gates::session_allow::judge),
    row(Gate::AllowRule, gates::allow_rule::judge),
    row(Gate::AskRule, gates::ask_rule::judge),
    row(Gate::Default, gates::default::judge),
];

/// The gates of the table, in order.
pub(crate) fn gates() -> impl Iterator<Item = Gate> {
    TABLE.iter().map(|row| row.gate)
}

/// Asks the gates in order. Every gate asked leaves an event in `trace`.
pub(crate) fn run(case: &Case<'_>, trace: &mut Vec<TraceEvent>) -> (Gate, Ruling) {
    for Row { gate, judge } in &TABLE {
        if let Some(ruling) = judge(case) {
            trace.push(event(*gate, case, Some(&ruling)));
            return (*gate, ruling);
        }
        trace.push(event(*gate, case, None));
    }
    // Not reached while the last row always speaks; asking is the answer that harms nobody.
    (Gate::Default, Ruling::new(Decision::Ask, "Default behavior for tool"))
}

/// What a gate leaves in the trace.
pub(crate) fn event(gate: Gate, case: &Case<'_>, ruling: Option<&Ruling>) -> TraceEvent {
    let Some(ruling) = ruling else {
        return TraceEvent { gate, matched: false, decision: None, pattern: None, message: None };
    };
    let pattern = ruling.cited.as_ref().map(|cited| crate::decide::label(case, cited));
    let message = match &ruling.about {
        Some(about) => Cow::Owned(format!("{}: {about}", ruling.reason)),
        None => ruling.reason.clone(),
    };
    TraceEvent { gate, matched: true, decision: Some(ruling.decision), pattern, message: Some(message) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_gates_stand_in_their_order() {
        let order: Vec<u8> = TABLE.iter().filter_map(|row| row.gate.number()).collect();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        // The early ask row is the one exception that a profile switches on.
        let without_early: Vec<u8> =
            order.iter().enumerate().filter(|(at, _)| *at != early_ask()).map(|(_, n)| *n).collect();
        let mut expected = without_early.clone();
        expected.sort_unstable();
        assert_eq!(without_early, expected);
        assert_eq!(TABLE.last().map(|row| row.gate), Some(Gate::Default));
    }

    fn early_ask() -> usize {
        TABLE
            .iter()
            .filter(|row| row.gate.number().is_some())
            .position(|row| row.gate == Gate::AskRule)
            .unwrap()
    }
}

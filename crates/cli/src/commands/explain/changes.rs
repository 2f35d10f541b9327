//! What would change a decision: a rule, a mode, or settings to mend.

use portcullis_matcher::RuleSet;
use portcullis_permissions::{Context, Decision, Gate, Mode, Safety, ToolCall, Verdict, suggest};

use crate::commands::check::response;

/// One sentence for each way, the nearest first. `foreseen` says what `run` would answer here.
pub(super) fn of(
    call: &ToolCall,
    context: &Context,
    rules: &RuleSet,
    verdict: &Verdict,
    foreseen: impl FnOnce() -> Verdict,
) -> Vec<String> {
    let mut ways = Vec::new();
    match verdict.gate {
        Gate::WorkspaceGuard => ways.push("work inside the workspace: no rule lifts this guard".to_owned()),
        Gate::CrossAgentGuard => {
            ways.push("--disable-memory-guard, given by the parent process, lifts this guard".to_owned());
        }
        Gate::Plan => ways.push("leave plan mode: no rule allows this in it".to_owned()),
        Gate::Degraded => ways.push("mend the settings that could not be read".to_owned()),
        Gate::CriticalRemoval => {
            ways.push("name a path below the critical one: this is asked in every mode".to_owned());
        }
        Gate::SelfModification => {
            ways.push("change settings yourself: this is asked in every mode".to_owned());
        }
        Gate::DontAsk => ways.push("another mode than dontAsk asks instead".to_owned()),
        Gate::CliDisallow => ways.push("leave this rule out of --disallowed-tools".to_owned()),
        _ => {}
    }
    let decided_by_rule = matches!(
        verdict.gate,
        Gate::DenyRule | Gate::AlwaysAskRule | Gate::SessionAlwaysAsk | Gate::AskRule | Gate::PossibleDeny
    );
    if let Some(rule) = verdict.rule.as_ref().filter(|_| decided_by_rule) {
        let place = response::place(rule).map(|place| format!(" ({place})")).unwrap_or_default();
        ways.push(format!("take out or narrow the rule {}{place}", rule.label));
    }
    match suggest(call, context, rules) {
        Some(offer) if !offer.rules.is_empty() => ways.push(format!("allow {}", offer.rules.join(", "))),
        Some(offer) if offer.safety == Safety::Dangerous => {
            ways.push("no rule is offered for what destroys or forces: it is asked every time".to_owned());
        }
        Some(_) if verdict.gate == Gate::Default => {
            ways.push("no rule is offered: none would say all that this can do".to_owned());
        }
        _ => {}
    }
    let asked_by_default = verdict.decision == Decision::Ask && verdict.gate == Gate::Default;
    if asked_by_default && context.mode == Mode::Strict {
        ways.push("mode standard allows what only reads".to_owned());
    }
    if asked_by_default && !context.confined_auto && foreseen().gate == Gate::ConfinedAuto {
        ways.push("`portcullis run` shuts it in and does not ask".to_owned());
    }
    if verdict.decision == Decision::Allow {
        ways.push(match verdict.gate {
            Gate::Mode => "mode standard asks, unless something else allows".to_owned(),
            Gate::AllowRule | Gate::SessionAllow | Gate::CliAllow => {
                "without that rule it would go through the gates behind".to_owned()
            }
            _ => "an ask rule that matches has it asked; a deny rule stops it".to_owned(),
        });
    }
    ways
}

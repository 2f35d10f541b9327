//! The decision of `run`: that of the gates, with what back ends here can do.

use portcullis_permissions::{Context, Decision, Gate, ToolCall, Verdict, decide};

use super::{
    execute::{Needs, Runner},
    policy,
};
use crate::{
    args::{RunArgs, SandboxMode},
    session::{Session, Surroundings},
};

/// The session's context, with what the flags of a run change.
pub(super) fn context(of_session: &Context, arguments: &RunArgs, session: &Session) -> Context {
    let mut context = of_session.clone();
    context.network_blocked =
        policy::network(arguments, session, None) == portcullis_sandbox::Network::Blocked;
    // What the caller opens explicitly is not shut in, and so not allowed for being shut in.
    let wide = arguments.sandbox == Some(SandboxMode::DangerFullAccess);
    context.confined_auto &= context.network_blocked && !wide;
    context
}

/// Decides, and decides again where the answer hangs on what no back end here can do: first without shutting the
/// command in, because what is asked or covered by a rule may still have hidden what it must not read, then without
/// hiding anything.
pub(super) fn judge(
    call: &ToolCall,
    context: &mut Context,
    session: &Session,
    arguments: &RunArgs,
    runner: &mut Runner<'_>,
) -> Verdict {
    let rules = &session.rules;
    loop {
        let verdict = decide(call, context, rules);
        let shut_in = verdict.gate == Gate::ConfinedAuto;
        let excluding = !verdict.exclude.is_empty();
        if verdict.decision == Decision::Deny || !(shut_in || excluding) {
            return verdict;
        }
        let denied_reads = rules.denied_paths().iter().any(|(_, reading)| *reading);
        let needs = Needs { shut_in, hiding: excluding || denied_reads };
        if policy::of(&verdict, arguments, session).complete && runner.settle(needs) {
            return verdict;
        }
        if shut_in && context.confined_auto {
            context.confined_auto = false;
        } else if excluding && context.hides {
            context.hides = false;
        } else {
            return verdict;
        }
    }
}

/// What `run` without flags would answer here, for whoever only wants to know.
pub(crate) fn foreseen(call: &ToolCall, session: &Session, surroundings: &Surroundings) -> Verdict {
    let arguments = RunArgs::default();
    let mut context = context(&session.context_of_run(), &arguments, session);
    let mut runner = Runner::new(session, surroundings, &arguments, "");
    judge(call, &mut context, session, &arguments, &mut runner)
}

//! The decision of `run`: that of the gates, with what back ends here can do.

use portcullis_permissions::{Context, Decision, Gate, ToolCall, Verdict, decide};

use super::{
    execute::{Needs, Runner},
    policy,
    policy::RunPolicy,
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

/// A verdict, the policy that it hangs on where it hangs on one, and what kept the call from running unasked though
/// the gates would have let it.
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    pub(super) policy: Option<RunPolicy>,
    pub(super) shortfall: Option<String>,
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
) -> Judged {
    let rules = &session.rules;
    let mut shortfall = None;
    loop {
        let verdict = decide(call, context, rules);
        let shut_in = verdict.gate == Gate::ConfinedAuto;
        // For what it shuts in, for what a recursive read must not reach, or for what deny rules forbid code.
        let required = verdict.confinement.as_ref().is_some_and(|confinement| confinement.required);
        if verdict.decision == Decision::Deny || !required {
            return Judged { verdict, policy: None, shortfall };
        }
        let policy = policy::of(&verdict, arguments, session);
        let settled = match policy.holds(shut_in) {
            Ok(()) => {
                let hiding = !verdict.exclude.is_empty();
                runner.settle(Needs { shut_in, hiding, protecting: true }, &policy.policy)
            }
            Err(reason) => Err(reason.to_owned()),
        };
        match settled {
            Ok(()) => return Judged { verdict, policy: Some(policy), shortfall },
            Err(reason) if shut_in => shortfall = Some(format!("it cannot be shut in here: {reason}")),
            Err(reason) => shortfall = Some(format!("what it must not read cannot be hidden here: {reason}")),
        }
        if shut_in && context.confined_auto {
            context.confined_auto = false;
        } else if context.hides {
            context.hides = false;
        } else {
            return Judged { verdict, policy: Some(policy), shortfall };
        }
    }
}

/// What `run` without flags would answer here, for whoever only wants to know.
pub(crate) fn foreseen(call: &ToolCall, session: &Session, surroundings: &Surroundings) -> Verdict {
    let arguments = RunArgs::default();
    let mut context = context(&session.context_of_run(), &arguments, session);
    let mut runner = Runner::new(session, surroundings, &arguments, "");
    judge(call, &mut context, session, &arguments, &mut runner).verdict
}

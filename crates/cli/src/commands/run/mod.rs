//! `run`: decide, ask if needed, run confined, report a denial, offer one wider retry, record.

mod ask;
mod execute;
mod hidden;
mod policy;
mod proposal;
mod status;

use std::time::Instant;

use portcullis_approval::{call_hash, escape_line};
use portcullis_permissions::{Context, Decision, Verdict, decide, denial_text};

use self::{
    ask::Asker,
    execute::{Needs, Runner},
    proposal::Proposal,
    status::StatusReport,
};
use super::{describe, journal, journal::Journal, trace};
use crate::{
    args::{Options, RunArgs, SandboxMode},
    exit::Exit,
    report::{CommandResult, Report},
    session::{Purpose, Session, Surroundings},
};

pub(crate) use ask::access;
pub(crate) use execute::{exit, failure, launcher};
pub(crate) use policy::plain as plain_policy;
pub(crate) use status::{StatusFd, StatusReport as Status};

/// Does the whole job. Whatever happens, the status descriptor learns of it.
pub(crate) fn run(options: &Options, arguments: &RunArgs, surroundings: &Surroundings) -> CommandResult {
    let fd = StatusFd::open(arguments.status_fd)?;
    let mut status = StatusReport::default();
    let result = job(options, arguments, surroundings, &mut status);
    if let Err(failure) = &result {
        status.fail(failure);
    }
    fd.write(&status)?;
    result
}

fn job(
    options: &Options,
    arguments: &RunArgs,
    surroundings: &Surroundings,
    status: &mut StatusReport,
) -> CommandResult {
    if options.approver.is_some() {
        return Err(Report::failure("approver", "approver sockets are not available in this build")
            .at("--approver")
            .remedy("run in a terminal, or allow the command by a rule"));
    }
    let proposal = Proposal::new(arguments)?;
    let id = arguments.session.clone().unwrap_or_else(new_session);
    let session = Session::open(options, surroundings, Purpose::Run)?;
    let journal = Journal::open(&session, surroundings, arguments.log.clone(), &id)?;
    let asker = Asker::new(&session, surroundings, &journal, &id);
    let hash = call_hash(&proposal.call.name, &proposal.call.arguments, &session.cwd);
    let mut runner = Runner::new(&session, surroundings, arguments, &id);
    journal.append(journal::proposed(&proposal.call, &hash, &session.cwd))?;
    let job = Job { options, arguments, surroundings, session: &session, journal: &journal, hash: &hash };
    let result = job.carry_out(&proposal, &mut runner, &asker, status);
    runner.finished(&journal, &hash, &result)?;
    result
}

/// What all steps of one `run` share.
struct Job<'a> {
    options: &'a Options,
    arguments: &'a RunArgs,
    surroundings: &'a Surroundings,
    session: &'a Session,
    journal: &'a Journal,
    hash: &'a str,
}

impl Job<'_> {
    /// From the recorded proposal to its end.
    fn carry_out(
        &self,
        proposal: &Proposal,
        runner: &mut Runner<'_>,
        asker: &Asker,
        status: &mut StatusReport,
    ) -> CommandResult {
        let mut context = self.context(asker);
        let began = Instant::now();
        let verdict = self.judge(proposal, &mut context, runner);
        let took = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        status.decided(&verdict);
        trace::print(self.options, self.surroundings, &proposal.call, &verdict);
        let mode = context.mode.as_str();
        self.journal.append(journal::decided(&proposal.call, self.hash, &verdict, mode, took))?;
        if verdict.decision == Decision::Deny {
            return Err(denied(&verdict));
        }
        // A program that is not there is nobody's question.
        runner.look_up(proposal)?;
        let policy = policy::of(&verdict, self.arguments, self.session);
        let permit = match verdict.decision {
            Decision::Allow => None,
            _ => Some(asker.ask(&proposal.call, &verdict, &context, &self.session.rules, &policy)?),
        };
        runner.run(proposal, permit, policy, asker, self.journal, self.hash, status)
    }

    /// The session's context, with what the flags of this run change.
    fn context(&self, asker: &Asker) -> Context {
        let mut context = self.session.context.clone();
        context.interactive = asker.can_ask();
        context.network_blocked =
            policy::network(self.arguments, self.session, None) == portcullis_sandbox::Network::Blocked;
        // What the caller opens explicitly is not shut in, and so not allowed for being shut in.
        let wide = self.arguments.sandbox == Some(SandboxMode::DangerFullAccess);
        context.confined_auto &= context.network_blocked && !wide;
        context
    }

    /// Decides, and decides again where an allow hangs on what no back end here can do.
    fn judge(&self, proposal: &Proposal, context: &mut Context, runner: &mut Runner<'_>) -> Verdict {
        let rules = &self.session.rules;
        let verdict = decide(&proposal.call, context, rules);
        let shut_in = verdict.confinement.as_ref().is_some_and(|confinement| confinement.required);
        let excluding = !verdict.exclude.is_empty();
        if verdict.decision != Decision::Allow || !(shut_in || excluding) {
            return verdict;
        }
        let denied_reads = rules.denied_paths().iter().any(|(_, reading)| *reading);
        let needs = Needs { shut_in, hiding: excluding || denied_reads };
        if policy::of(&verdict, self.arguments, self.session).complete && runner.settle(needs) {
            return verdict;
        }
        context.confined_auto &= !shut_in;
        context.hides &= !excluding;
        decide(&proposal.call, context, rules)
    }
}

/// What a denied caller reads, and 126.
fn denied(verdict: &Verdict) -> Report {
    let (label, place) = verdict.rule.as_ref().map_or((None, None), |rule| {
        let (label, place) = describe::labelled(rule);
        (Some(label), place)
    });
    let mut text = denial_text(None, Some(&verdict.reason), label.as_deref());
    if let Some(own) = verdict.rule.as_ref().and_then(|rule| rule.reason.as_deref()) {
        text.push_str(&format!(" ({own})"));
    }
    let report = Report::failure("denied", escape_line(&text)).exit(Exit::Refused);
    match place {
        Some(place) => report.at(place).remedy("change or remove that rule if it is wrong; nothing was run"),
        None => report
            .at(format!("gate {}", verdict.gate.as_str()))
            .remedy("see `portcullis explain`; nothing was run"),
    }
}

fn new_session() -> String {
    uuid::Uuid::new_v4().to_string()
}

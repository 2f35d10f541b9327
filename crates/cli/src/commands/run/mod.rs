//! `run`: decide, ask if needed, run confined, report a denial, offer one wider retry, record.

mod ask;
mod execute;
mod hidden;
mod hints;
mod judge;
mod policy;
mod proposal;
mod status;
mod trust;

use std::time::Instant;

use portcullis_approval::{call_hash, escape_line};
use portcullis_permissions::{Decision, Verdict, denial_text};

use self::{
    ask::Asker,
    execute::{Allowed, Runner},
    judge::Judged,
    proposal::Proposal,
    status::StatusReport,
};
use super::{describe, journal, journal::Journal, trace, tripwire};
use crate::{
    args::{Options, RunArgs},
    exit::Exit,
    report::{CommandResult, Report},
    session::{Purpose, Session, Surroundings, Trusting},
};

pub(crate) use ask::access;
pub(crate) use execute::{exit, failure, gap_name, launcher};
pub(crate) use judge::foreseen;
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
    let person = trust::Person { options, surroundings };
    let session = Session::open_as(options, surroundings, Purpose::Run, Trusting::Store(Some(&person)))?;
    let journal = Journal::open(&session, surroundings, arguments.log.clone(), &id)?;
    let asker = Asker::new(&session, options, surroundings, &journal, &id);
    let hash = call_hash(&proposal.call.name, &proposal.call.arguments, &session.cwd);
    let mut runner = Runner::new(&session, surroundings, arguments, &id);
    for tripped in &session.recovered {
        tripwire::record(tripped, &journal, None)?;
    }
    if let Some(event) = super::trust::event(&session) {
        journal.append(event)?;
    }
    status.project(&session);
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
        let mut context = judge::context(&self.session.context, self.arguments, self.session);
        context.interactive = asker.can_ask();
        let began = Instant::now();
        let Judged { verdict, policy, shortfall } =
            judge::judge(&proposal.call, &mut context, self.session, self.arguments, runner);
        let took = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        status.decided(&verdict);
        let made = trace::Made { call: &proposal.call, context: &context, rules: &self.session.rules };
        trace::print(self.options, self.surroundings, made, &verdict);
        let mode = context.mode.as_str();
        self.journal.append(journal::decided(&proposal.call, self.hash, &verdict, mode, took))?;
        if verdict.decision == Decision::Deny {
            return Err(denied(&verdict));
        }
        // A program that is not there is nobody's question.
        runner.look_up(proposal)?;
        let policy = policy.unwrap_or_else(|| policy::of(&verdict, self.arguments, self.session));
        let permit = match verdict.decision {
            Decision::Allow => None,
            _ => {
                Some(asker.ask(proposal, &verdict, &context, self.session, &policy, shortfall.as_deref())?)
            }
        };
        let allowed = Allowed { exempt: tripwire::exempt(&verdict, self.session), verdict: &verdict };
        runner.run(proposal, permit, policy, &allowed, asker, self.journal, self.hash, status)
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

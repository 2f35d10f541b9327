//! `sandbox`: the kernel sandbox alone, without any decision.

use std::{ffi::OsString, path::PathBuf};

use portcullis_approval::{denial_lines, terminal::SENTINEL};
use portcullis_process::{Stdin, Stdio};
use portcullis_sandbox::{Availability, Enforcement, Options as RunOptions, Sandbox, Steering};
use serde_json::{Value, json};

use super::{
    run::{self, Status, StatusFd},
    tripwire,
};
use crate::{
    args::{Options, SandboxCommand, SandboxRunArgs},
    exit::Exit,
    report::{self, CommandResult},
    session::{self, Purpose, Session, Surroundings},
};

/// The session's name for all runs without a decision.
const ID: &str = "sandbox-run";

/// Bytes of standard error that are kept for looking at afterwards.
const KEEP: usize = 256 << 10;

/// Runs one of its commands.
pub(crate) fn run(options: &Options, command: SandboxCommand, surroundings: &Surroundings) -> CommandResult {
    match command {
        SandboxCommand::Probe => probe(options, surroundings),
        SandboxCommand::Run(arguments) => {
            let fd = StatusFd::open(arguments.status_fd)?;
            let mut status = Status::default();
            let result = confined(options, &arguments, surroundings, &mut status);
            if let Err(failure) = &result {
                status.fail(failure);
            }
            fd.write(&status)?;
            result
        }
    }
}

/// Which back ends work here.
fn probe(options: &Options, surroundings: &Surroundings) -> CommandResult {
    let found = available(surroundings);
    let text = if options.json() {
        let all: Vec<Value> = found.iter().map(as_json).collect();
        format!("{}\n", json!({ "backends": all }))
    } else {
        found.iter().map(as_text).collect()
    };
    report::print(&text)?;
    Ok(Exit::Success)
}

/// Every back end, with what it can do here.
pub(super) fn available(surroundings: &Surroundings) -> Vec<Availability> {
    let mut found = Sandbox::new(run::launcher(surroundings)).probe();
    for backend in &mut found {
        // Every run here that can write has a tripwire.
        backend.usable = backend.usable.as_ref().map(Enforcement::detecting).map_err(Clone::clone);
    }
    found
}

fn as_json(found: &Availability) -> Value {
    match &found.usable {
        Ok(enforcement) => json!({
            "name": found.name,
            "usable": true,
            "reason": null,
            "enforcement": if enforcement.gaps().is_empty() { "full" } else { "partial" },
            "gaps": enforcement.gaps(),
        }),
        Err(reason) => json!({
            "name": found.name,
            "usable": false,
            "reason": reason,
            "enforcement": null,
            "gaps": [],
        }),
    }
}

pub(super) fn as_text(found: &Availability) -> String {
    let name = found.name.as_str();
    match &found.usable {
        Err(reason) => format!("{name}: not usable: {}\n", portcullis_approval::escape_line(reason)),
        Ok(enforcement) if enforcement.gaps().is_empty() => format!("{name}: enforces everything\n"),
        Ok(enforcement) => {
            let gaps: Vec<String> = enforcement.gaps().iter().map(run::gap_name).collect();
            format!("{name}: enforces everything but {}\n", gaps.join(", "))
        }
    }
}

/// Runs a command under a policy that the flags name. No rule is asked; deny rules with paths hold.
fn confined(
    options: &Options,
    arguments: &SandboxRunArgs,
    surroundings: &Surroundings,
    status: &mut Status,
) -> CommandResult {
    let session = Session::open(options, surroundings, Purpose::Run)?;
    let mut roots = Vec::new();
    for root in &arguments.root {
        roots.push(session::absolute(root, surroundings, "--root")?);
    }
    if roots.is_empty() {
        roots.push(session.project_root.clone());
    }
    tripwire::prepare(&session, surroundings);
    let policy = run::plain_policy(arguments.sandbox.into(), arguments.net.into(), roots, &session);
    let (policy, unwritable) = (policy.policy, policy.unwritable);
    let mut sandbox = Sandbox::new(run::launcher(surroundings));
    sandbox.pinned = arguments.backend.map(Into::into);
    let mut environment = surroundings.environment.clone();
    environment.insert(SENTINEL.into(), OsString::from(ID));
    let mut run_options = RunOptions::new(PathBuf::from(&session.cwd), environment);
    run_options.stdin = Stdin::Inherit;
    run_options.output = Stdio::Watched;
    run_options.timeout = arguments.timeout;
    run_options.keep = KEEP;
    let steering = Steering { forward_signals: true, ..Steering::default() };
    let watch = tripwire::arm(&session, surroundings, ID, &policy, &unwritable, Vec::new())?;
    let mut outcome =
        sandbox.run_with(&arguments.command, &policy, &run_options, steering).map_err(run::failure);
    let tripped = watch.end(&mut outcome, None)?;
    let outcome = outcome?;
    status.ended(&outcome, tripped.as_ref());
    if outcome.facts.denied {
        for line in denial_lines(run::access(policy.mode), false) {
            report::note(&line);
        }
    }
    Ok(run::exit(&outcome))
}

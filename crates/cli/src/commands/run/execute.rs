//! The run itself: under a policy, with at most one wider retry that a person allowed.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Instant,
};

use portcullis_approval::{Permit, denial_lines, terminal::SENTINEL};
use portcullis_audit::{Event, RunFacts, Status};
use portcullis_permissions::Verdict;
use portcullis_process::{ExitState, RunError, Stdin, Stdio};
use portcullis_sandbox::{
    BackendName, Gap, Network, Options, Outcome, Policy, RunFailure, Sandbox, Steering,
};

use super::{
    ask::{self, Asker},
    hints,
    policy::RunPolicy,
    proposal::Proposal,
    status::StatusReport,
};
use crate::{
    args::RunArgs,
    commands::{journal::Journal, tripwire},
    exit::Exit,
    launcher::SUBCOMMAND,
    report::{self, CommandResult, Report},
    session::{Session, Surroundings},
};

/// Bytes kept of each stream for looking at afterwards.
const KEEP: usize = 256 << 10;

/// What an automatic allow needs of a back end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    /// An opaque command is shut in: nobody knows what it does, so that everything has to hold.
    pub(super) shut_in: bool,
    /// What a recursive read must not reach is really hidden.
    pub(super) hiding: bool,
    /// What rules forbid to write is really read-only.
    pub(super) protecting: bool,
}

impl Needs {
    /// The gaps that forbid the run unasked.
    fn lacking(self, gaps: &[Gap]) -> Vec<Gap> {
        let forbidden = |gap: &Gap| {
            (self.shut_in && SHUT_IN.contains(gap))
                || (self.hiding && *gap == Gap::HiddenPaths)
                || (self.protecting && *gap == Gap::ProtectedPaths)
        };
        gaps.iter().copied().filter(forbidden).collect()
    }
}

/// What a run was let through as.
pub(super) struct Allowed<'a> {
    pub(super) verdict: &'a Verdict,
    /// Protected paths that it may write.
    pub(super) exempt: Vec<PathBuf>,
}

/// The gaps that forbid running opaque commands unasked. The last two are there only where something is to be hidden
/// or protected.
const SHUT_IN: [Gap; 7] = [
    Gap::Truncate,
    Gap::Signals,
    Gap::AbstractSockets,
    Gap::PathnameSockets,
    Gap::Udp,
    Gap::ProtectedPaths,
    Gap::HiddenPaths,
];

/// Starts commands of one invocation.
pub(super) struct Runner<'a> {
    session: &'a Session,
    surroundings: &'a Surroundings,
    sandbox: Sandbox,
    /// The back end that the caller or the settings pinned.
    chosen: Option<BackendName>,
    timeout: Option<std::time::Duration>,
    id: &'a str,
    began: Instant,
}

/// This binary as its own launcher; none when its path is not known.
pub(crate) fn launcher(surroundings: &Surroundings) -> Vec<OsString> {
    surroundings
        .executable
        .iter()
        .flat_map(|path| [path.clone().into_os_string(), SUBCOMMAND.into()])
        .collect()
}

impl<'a> Runner<'a> {
    /// A runner; nothing is started yet.
    pub(super) fn new(
        session: &'a Session,
        surroundings: &'a Surroundings,
        arguments: &RunArgs,
        id: &'a str,
    ) -> Self {
        let mut sandbox = Sandbox::new(launcher(surroundings));
        let set = session.loaded.settings.sandbox.backend.as_ref().and_then(|name| name.value.parse().ok());
        let chosen = arguments.backend.map(Into::into).or(set);
        sandbox.pinned = chosen;
        Self { session, surroundings, sandbox, chosen, timeout: arguments.timeout, id, began: Instant::now() }
    }

    /// Settles on the first back end that can do, under this very policy, what an allow hangs on, and on no other:
    /// where it fails, nothing else may take its place.
    ///
    /// # Errors
    /// There is none: what each of them lacks, in words.
    pub(super) fn settle(&mut self, needs: Needs, policy: &Policy) -> Result<(), String> {
        let mut reasons = Vec::new();
        for backend in self.sandbox.probe() {
            match self.sandbox.enforcement(backend.name, policy) {
                Ok(enforcement) => match needs.lacking(enforcement.gaps()).as_slice() {
                    [] => {
                        self.sandbox.pinned = Some(backend.name);
                        return Ok(());
                    }
                    gaps => {
                        let names: Vec<String> = gaps.iter().map(gap_name).collect();
                        reasons.push(format!("{} does not govern {}", backend.name, names.join(", ")));
                    }
                },
                Err(reason) => reasons.push(format!("{} is not usable: {reason}", backend.name)),
            }
        }
        Err(if reasons.is_empty() { "there is no back end".to_owned() } else { reasons.join("; ") })
    }

    /// Finds the program before anybody is asked about it.
    ///
    /// # Errors
    /// Missing: 127; not executable: 126.
    pub(super) fn look_up(&self, proposal: &Proposal) -> Result<(), Report> {
        let Some(program) = proposal.argv.first() else {
            return Err(Report::failure("arguments", "the command has no program"));
        };
        let path = self.surroundings.environment.get(std::ffi::OsStr::new("PATH")).map(OsString::as_os_str);
        portcullis_process::lookup(program, path, Path::new(&self.session.cwd))
            .map(|_| ())
            .map_err(|error| start_failure(&error))
    }

    /// Runs it, and once more, wider, when the kernel said no and the person says yes.
    #[expect(clippy::too_many_arguments, reason = "the one place where everything comes together")]
    pub(super) fn run(
        &mut self,
        proposal: &Proposal,
        permit: Option<Permit>,
        mut policy: RunPolicy,
        allowed: &Allowed<'_>,
        asker: &Asker,
        journal: &Journal,
        hash: &str,
        status: &mut StatusReport,
    ) -> CommandResult {
        // The person's yes is for this run, and is used up by it.
        if let Some(access) = permit.and_then(Permit::consume) {
            policy.policy.mode = ask::mode(access);
        }
        let outcome = self.start(proposal, &policy, allowed, journal, hash, status)?;
        if !outcome.facts.denied {
            return Ok(exit(&outcome));
        }
        let effective = ask::access(policy.policy.mode);
        tell(&denial_lines(effective, asker.can_ask()));
        let Some(wider) = effective.wider().filter(|_| asker.can_ask()) else { return Ok(exit(&outcome)) };
        let detail = outcome.facts.detail.as_deref();
        let permit = match asker.widen(&proposal.call, &self.session.context, &policy, wider, detail) {
            Ok(permit) => permit,
            // What was run stays run, with its own exit status.
            Err(refused) if refused.status() == Exit::Refused => {
                report::note(&refused.to_string());
                return Ok(exit(&outcome));
            }
            Err(failure) => return Err(failure),
        };
        if let Some(access) = permit.consume() {
            policy.policy.mode = ask::mode(access);
        }
        // The first run may have hung on one back end; a person has answered for this one.
        self.sandbox.pinned = self.chosen;
        let outcome = self.start(proposal, &policy, allowed, journal, hash, status)?;
        if outcome.facts.denied {
            tell(&denial_lines(ask::access(policy.policy.mode), false));
        }
        Ok(exit(&outcome))
    }

    fn start(
        &self,
        proposal: &Proposal,
        policy: &RunPolicy,
        allowed: &Allowed<'_>,
        journal: &Journal,
        hash: &str,
        status: &mut StatusReport,
    ) -> Result<Outcome, Report> {
        let mut environment = self.surroundings.environment.clone();
        environment.insert(SENTINEL.into(), self.id.into());
        let mut options = Options::new(PathBuf::from(&self.session.cwd), environment);
        options.stdin = Stdin::Inherit;
        options.output = Stdio::Watched;
        options.timeout = self.timeout;
        options.keep = KEEP;
        let steering = Steering { forward_signals: true, ..Steering::default() };
        let (policy, unwritable) = (&policy.policy, &policy.unwritable);
        let watch = tripwire::arm(
            self.session,
            self.surroundings,
            self.id,
            policy,
            unwritable,
            allowed.exempt.clone(),
        )?;
        let mut outcome = self.sandbox.run_with(&proposal.argv, policy, &options, steering).map_err(failure);
        let tripped = watch.end(&mut outcome, Some((journal, hash)))?;
        let outcome = outcome?;
        status.ended(&outcome, tripped.as_ref());
        hints::tell(&outcome, policy, allowed.verdict, self.session);
        journal.append(Event::SandboxRun { call: hash.to_owned(), facts: facts(&outcome, policy) })?;
        Ok(outcome)
    }

    /// `tool/result`
    ///
    /// # Errors
    /// The log is required and cannot be written.
    pub(super) fn finished(
        &self,
        journal: &Journal,
        hash: &str,
        result: &CommandResult,
    ) -> Result<(), Report> {
        let status = match result {
            Ok(Exit::Status(0)) => Status::Success,
            _ => Status::Error,
        };
        journal.append(Event::ToolResult {
            call: hash.to_owned(),
            status,
            bytes: 0,
            duration_ms: u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX),
        })
    }
}

fn tell(lines: &[String]) {
    for line in lines {
        report::note(line);
    }
}

/// As it is printed.
pub(crate) fn gap_name(gap: &Gap) -> String {
    serde_json::json!(gap).as_str().unwrap_or_default().to_owned()
}

fn facts(outcome: &Outcome, policy: &Policy) -> RunFacts {
    RunFacts {
        mode: outcome.facts.mode.as_str().to_owned(),
        backend: outcome.facts.backend.map(|backend| backend.as_str().to_owned()),
        network: if policy.network == Network::Blocked { "blocked" } else { "open" }.to_owned(),
        gaps: outcome.facts.enforcement.gaps().iter().map(gap_name).collect(),
        exit_code: match outcome.state {
            ExitState::Code(code) => Some(code),
            _ => None,
        },
        denied: outcome.facts.denied,
        timed_out: outcome.timed_out,
        duration_ms: u64::try_from(outcome.duration.as_millis()).unwrap_or(u64::MAX),
    }
}

/// The command's own end, in the words of exit statuses.
pub(crate) fn exit(outcome: &Outcome) -> Exit {
    if outcome.timed_out {
        return Exit::TimedOut;
    }
    match outcome.state {
        ExitState::Code(code) => Exit::Status(u8::try_from(code & 0xff).unwrap_or(u8::MAX)),
        ExitState::Signal(signal) => Exit::Signal(u8::try_from(signal).unwrap_or(127)),
        _ => Exit::Failure,
    }
}

/// Why nothing ran.
pub(crate) fn failure(error: RunFailure) -> Report {
    match error {
        RunFailure::Start(error) => start_failure(&error),
        RunFailure::Unavailable { mode, reasons } => Report::failure(
            "sandbox-unavailable",
            format!("no sandbox for mode {} works here: {reasons}", mode.as_str()),
        )
        .remedy(
            "install bubblewrap, or boot a kernel with Landlock; --sandbox danger-full-access would run it \
                     without confinement",
        ),
        RunFailure::Hidden(_) => Report::failure("hidden", error.to_string())
            .remedy(
                "a deny rule or `sandbox.hidden` in the settings hides it, or it has the name of a secret",
            )
            .exit(Exit::Refused),
        RunFailure::Policy(error) => Report::failure("sandbox-policy", error.to_string()),
        error => Report::failure("sandbox", error.to_string()),
    }
}

fn start_failure(error: &RunError) -> Report {
    let exit = match error {
        RunError::NotFound(_) => Exit::NotFound,
        RunError::NotExecutable(_) => Exit::Refused,
        _ => Exit::Failure,
    };
    let report = Report::failure("start", error.to_string()).exit(exit);
    match error {
        // A whole command in quotes.
        RunError::NotFound(program) if program.to_string_lossy().contains([' ', ';', '|', '&']) => {
            report.remedy("shell text stands behind `-c`: `portcullis run -c TEXT`; a program and its words without quotes around them all")
        }
        _ => report,
    }
}

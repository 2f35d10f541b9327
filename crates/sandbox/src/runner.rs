//! Confined runs: the chain of back ends, and what a finished run says (specification 5.4, 5.7).

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs::File,
    io,
    os::fd::{AsFd, OwnedFd},
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Duration,
};

use nix::{
    fcntl::{FcntlArg, OFlag, fcntl},
    unistd::isatty,
};
use portcullis_paths::OsResolver;
use portcullis_process::{
    Cancel, Command, Control, ExitState, Leftovers, Output, Preparation, RunError, Stdin, Stdio, Stream,
    Watch, lookup,
};

use crate::{
    Availability, BackendName, CanonicalPolicy, Enforcement, Evidence, Finished, Judgement, Mode, Policy,
    PolicyError, backends,
    backends::{Confined, Shape, Site},
    blame, classify, daemons, environment, launcher, owner,
    scanner::Scanner,
    session::Session,
};

/// The order in which back ends are tried (specification 5.3, "Chains").
const CHAIN: [BackendName; 2] = [BackendName::Bwrap, BackendName::Landlock];
/// So many processes and threads may a session's runs have together.
const PROCESSES: u32 = 2048;
/// How long a probe may take.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// Runs commands under policies. One value is one session: its runs share a private temporary directory,
/// and everything that they share goes with it.
#[derive(Debug)]
pub struct Sandbox {
    /// An executable that implements the launcher contract (an absolute path), and arguments in front of
    /// its own: the caller's own binary with a hidden subcommand, or `portcullis-landlock`.
    pub launcher: Vec<OsString>,
    /// Only this back end.
    pub pinned: Option<BackendName>,
    /// How many processes and threads the session's runs may have together.
    pub processes: Option<u32>,
    /// Where the session's directory is made.
    pub base: PathBuf,
    session: OnceLock<Result<Session, String>>,
    probes: OnceLock<Vec<Availability>>,
}

/// How to run.
#[derive(Debug)]
pub struct Options {
    /// Where.
    pub directory: PathBuf,
    /// The caller's environment, before the policy scrubs it.
    pub environment: BTreeMap<OsString, OsString>,
    /// Standard input.
    pub stdin: Stdin,
    /// Output.
    pub output: Stdio,
    /// How long.
    pub timeout: Option<Duration>,
    /// Bytes kept of each stream.
    pub keep: usize,
}

impl Options {
    /// Closed input, captured output, no time-out, 1 MiB kept of each stream.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>, environment: BTreeMap<OsString, OsString>) -> Self {
        Self {
            directory: directory.into(),
            environment,
            stdin: Stdin::Closed,
            output: Stdio::Capture,
            timeout: None,
            keep: 1 << 20,
        }
    }
}

/// How a run is steered from outside while it goes on.
#[derive(Default)]
pub struct Steering<'a> {
    /// Sees every byte of output that passes through this process.
    pub on_output: Option<Watch<'a>>,
    /// Ends the run.
    pub cancel: Option<&'a Cancel>,
    /// Signals that this process receives go to the command.
    pub forward_signals: bool,
}

/// Facts about one run, for the caller, the log and the status descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The mode it ran under.
    pub mode: Mode,
    /// None in danger-full-access.
    pub backend: Option<BackendName>,
    /// What was governed.
    pub enforcement: Enforcement,
    /// The sandbox worked and said no.
    pub denied: bool,
    /// The command never ran.
    pub launcher_failed: bool,
    /// What a failing launcher said, the message of the denial, or `possibly a signal` beside an exit code
    /// above 128 that bubblewrap passed on.
    pub detail: Option<String>,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Exit status or signal.
    pub state: ExitState,
    /// Tail of standard output.
    pub stdout: Vec<u8>,
    /// Tail of standard error.
    pub stderr: Vec<u8>,
    /// Bytes dropped before the tails.
    pub dropped: u64,
    /// The time-out ended it.
    pub timed_out: bool,
    /// It was cancelled.
    pub cancelled: bool,
    /// From spawn to exit.
    pub duration: Duration,
    /// How it was confined.
    pub facts: Facts,
}

/// A run that did not happen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunFailure {
    /// No back end can enforce the mode here.
    #[error(
        "no sandbox for mode {mode} on this machine: {reasons}; install bubblewrap (`apt-get install \
         bubblewrap`) or boot a kernel with Landlock; mode danger-full-access would run without one"
    )]
    Unavailable {
        /// The mode asked for.
        mode: Mode,
        /// Each back end's reason.
        reasons: String,
    },
    /// The policy cannot be enforced as written.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The program is missing (127) or not executable (126), or the directory cannot be entered.
    #[error(transparent)]
    Start(#[from] RunError),
}

impl Sandbox {
    /// A session whose Landlock launcher is started by `launcher` (empty: bubblewrap only). Any back end, at
    /// most 2048 processes, its directory in `/tmp`.
    #[must_use]
    pub fn new(launcher: Vec<OsString>) -> Self {
        Self {
            launcher,
            pinned: None,
            processes: Some(PROCESSES),
            base: PathBuf::from("/tmp"),
            session: OnceLock::new(),
            probes: OnceLock::new(),
        }
    }

    /// This session with only one back end.
    #[must_use]
    pub fn pinned(mut self, backend: BackendName) -> Self {
        self.pinned = Some(backend);
        self
    }

    fn chain(&self) -> Vec<BackendName> {
        self.pinned.map_or_else(|| CHAIN.to_vec(), |backend| vec![backend])
    }

    fn session(&self) -> Result<&Session, String> {
        let made = self.session.get_or_init(|| {
            Session::new(&self.base, self.processes).map_err(|error| {
                format!("cannot make a private directory in `{}`: {error}", self.base.display())
            })
        });
        made.as_ref().map_err(Clone::clone)
    }

    /// Whether each back end of the chain works here: really runs `true` under the read-only policy. The
    /// enforcement is that of a workspace-write policy with protected and hidden paths and no network. Asked
    /// once in the session's life.
    ///
    /// ```no_run
    /// let sandbox = portcullis_sandbox::Sandbox::new(vec!["/usr/bin/portcullis-landlock".into()]);
    /// for backend in sandbox.probe() {
    ///     println!("{}: {:?}", backend.name, backend.usable);
    /// }
    /// ```
    pub fn probe(&self) -> Vec<Availability> {
        let probe = || {
            let one = |name: BackendName| Availability { name, usable: self.probe_one(name) };
            self.chain().into_iter().map(one).collect()
        };
        self.probes.get_or_init(probe).clone()
    }

    fn probe_one(&self, backend: BackendName) -> Result<Enforcement, String> {
        let policy = Policy { network: crate::Network::Blocked, ..Policy::read_only(Vec::<String>::new()) };
        let policy = policy.canonical(&OsResolver).map_err(|error| error.to_string())?;
        let path = OsString::from("/usr/bin:/bin:/run/current-system/sw/bin");
        let mut options = Options::new("/", BTreeMap::from([("PATH".into(), path)]));
        options.timeout = Some(PROBE_TIMEOUT);
        let limited = self.limited()?;
        match self.attempt(backend, &["true".into()], &policy, &options, &mut Steering::default()) {
            Attempt::Finished(outcome) if outcome.timed_out => {
                Err("the probe took longer than 5 seconds".into())
            }
            Attempt::Finished(outcome) if outcome.state.success() => {
                let shape = Shape::typical(limited);
                match backend {
                    BackendName::Bwrap => backends::bwrap::supports(&shape, launcher::abi()),
                    _ => backends::landlock::available(&shape, launcher::abi()),
                }
            }
            Attempt::Finished(outcome) => Err(format!(
                "`true` ended with {:?}: {}",
                outcome.state,
                String::from_utf8_lossy(&outcome.stderr).trim()
            )),
            Attempt::Unusable(reason) => Err(reason),
            Attempt::Failed(error) => Err(error.to_string()),
        }
    }

    /// Runs `argv` under `policy`, by the first back end that works. See [`Sandbox::run_with`].
    ///
    /// ```no_run
    /// use std::collections::BTreeMap;
    /// use portcullis_sandbox::{Options, Policy, Sandbox};
    /// let sandbox = Sandbox::new(vec!["/usr/bin/portcullis-landlock".into()]);
    /// let policy = Policy::workspace_write(["/home/u/project"]);
    /// let options = Options::new("/home/u/project", std::env::vars_os().collect::<BTreeMap<_, _>>());
    /// let outcome = sandbox.run(&["make".into(), "test".into()], &policy, &options)?;
    /// println!("{:?}, denied: {}", outcome.state, outcome.facts.denied);
    /// # Ok::<(), portcullis_sandbox::RunFailure>(())
    /// ```
    ///
    /// # Errors
    /// As [`Sandbox::run_with`].
    pub fn run(&self, argv: &[OsString], policy: &Policy, options: &Options) -> Result<Outcome, RunFailure> {
        self.run_with(argv, policy, options, Steering::default())
    }

    /// Runs `argv` under `policy`, steered from outside. A launcher that fails before the command ran leads
    /// to the next back end; a program that cannot be started does not.
    ///
    /// # Errors
    /// [`RunFailure::Policy`] for a policy that cannot be enforced as written, [`RunFailure::Start`] for a
    /// program or directory that cannot be used, [`RunFailure::Unavailable`] when no back end works. Never runs
    /// a command less confined than its policy says.
    pub fn run_with(
        &self,
        argv: &[OsString],
        policy: &Policy,
        options: &Options,
        mut steering: Steering<'_>,
    ) -> Result<Outcome, RunFailure> {
        let policy = policy.canonical(&OsResolver)?;
        if policy.is_unrestricted() {
            return Ok(run_plain(argv, &policy, options, steering)?);
        }
        let mut reasons = Vec::new();
        for backend in self.chain() {
            match self.attempt(backend, argv, &policy, options, &mut steering) {
                Attempt::Finished(outcome) => return Ok(*outcome),
                Attempt::Failed(error) => return Err(error.into()),
                Attempt::Unusable(reason) => {
                    tracing::info!(%backend, %reason, "cannot confine the run");
                    reasons.push(format!("{backend}: {reason}"));
                }
            }
        }
        Err(RunFailure::Unavailable { mode: policy.mode, reasons: reasons.join("; ") })
    }

    /// Whether something limits processes: the control group for root, the ordinary limit for others.
    fn limited(&self) -> Result<bool, String> {
        let session = self.session()?;
        Ok(session.limits_processes() || (self.processes.is_some() && !nix::unistd::geteuid().is_root()))
    }

    /// What a back end would be given: program and arguments, for people to read.
    ///
    /// # Errors
    /// As [`Sandbox::run_with`]; a back end that cannot enforce the policy is [`RunFailure::Unavailable`].
    pub fn describe(
        &self,
        backend: BackendName,
        argv: &[OsString],
        policy: &Policy,
        options: &Options,
    ) -> Result<Vec<OsString>, RunFailure> {
        let policy = policy.canonical(&OsResolver)?;
        let unavailable = |reason: String| RunFailure::Unavailable {
            mode: policy.mode,
            reasons: format!("{backend}: {reason}"),
        };
        let limited = self.limited().map_err(unavailable)?;
        backends::supports(backend, &policy, launcher::abi(), limited).map_err(unavailable)?;
        let confined = self.confine(backend, argv, &policy, options).map_err(unavailable)?;
        Ok(confined.argv)
    }

    fn confine(
        &self,
        backend: BackendName,
        command: &[OsString],
        policy: &CanonicalPolicy,
        options: &Options,
    ) -> Result<Confined, String> {
        let session = self.session()?;
        let user = owner::of(policy)?;
        let failed = |error: io::Error| error.to_string();
        let temporary = session.temporary(user).map_err(failed)?;
        let mask = session.mask().map_err(failed)?;
        let directory = options.directory.canonicalize().map_err(failed)?;
        let stdin = io::stdin();
        let terminal = matches!(options.stdin, Stdin::Inherit) && isatty(stdin.as_fd()).unwrap_or(false);
        let open: Vec<&str> = policy.writable_roots().map(String::as_str).collect();
        let daemons = match backend {
            BackendName::Bwrap => daemons::present(&options.environment, &open),
            _ => Vec::new(),
        };
        let site = Site {
            temporary: &temporary,
            mask: &mask,
            directory: &directory,
            terminal,
            user,
            daemons: &daemons,
            abi: launcher::abi(),
            launcher: &self.launcher,
        };
        let mut confined = match backend {
            BackendName::Bwrap => backends::bwrap::confine(command, policy, &site),
            BackendName::Landlock => backends::landlock::confine(command, policy, &site),
            BackendName::Seatbelt => Err(io::Error::other("only on macOS")),
        }
        .map_err(failed)?;
        if let Some(entrance) = session.entrance() {
            confined.preparations.insert(0, Preparation::ControlGroup(entrance.map_err(failed)?));
        } else if let (Some(limit), Some(threads)) = (self.processes, threads_now()) {
            // The kernel counts all of the user's threads, so that those that are there now come on top.
            let limit = u64::from(limit) + threads;
            confined.preparations.insert(0, Preparation::Limit(libc::RLIMIT_NPROC as i32, limit, limit));
        }
        Ok(confined)
    }

    fn attempt(
        &self,
        backend: BackendName,
        argv: &[OsString],
        policy: &CanonicalPolicy,
        options: &Options,
        steering: &mut Steering<'_>,
    ) -> Attempt {
        let limited = match self.limited() {
            Ok(limited) => limited,
            Err(reason) => return Attempt::Unusable(reason),
        };
        let enforcement = match backends::supports(backend, policy, launcher::abi(), limited) {
            Ok(enforcement) => enforcement,
            Err(reason) => return Attempt::Unusable(reason),
        };
        let command = match resolve(argv, policy, options) {
            Ok(command) => command,
            Err(error) => return Attempt::Failed(error),
        };
        let confined = match self.confine(backend, &command, policy, options) {
            Ok(confined) => confined,
            Err(reason) => return Attempt::Unusable(reason),
        };
        let temporary = self
            .session()
            .and_then(|session| session.temporary(owner::of(policy)?).map_err(|error| error.to_string()));
        let temporary = temporary.ok().filter(|_| policy.restricts_writes());
        let child = Child {
            backend,
            policy,
            options,
            enforcement,
            environment: environment::of_child(
                &options.environment,
                policy,
                temporary.as_deref().and_then(Path::to_str),
            ),
            program: command.first().cloned().unwrap_or_default(),
        };
        child.run(confined, steering)
    }
}

/// What became of one back end's try.
enum Attempt {
    Finished(Box<Outcome>),
    /// This back end cannot; another one may.
    Unusable(String),
    /// No back end can.
    Failed(RunError),
}

/// The command with its program as an absolute path, found in the child's own `PATH`.
fn resolve(
    argv: &[OsString],
    policy: &CanonicalPolicy,
    options: &Options,
) -> Result<Vec<OsString>, RunError> {
    let directory = |source| RunError::Directory { path: options.directory.clone(), source };
    if !options.directory.metadata().map_err(directory)?.is_dir() {
        return Err(directory(io::Error::from(io::ErrorKind::NotADirectory)));
    }
    let name = argv.first().map(OsString::as_os_str).unwrap_or_default();
    let path = environment::of_child(&options.environment, policy, None).remove(OsStr::new("PATH"));
    let program = lookup(name, path.as_deref(), &options.directory)?;
    let rest = argv.iter().skip(1).cloned();
    Ok(std::iter::once(program.into_os_string()).chain(rest).collect())
}

/// All threads of the machine now (proc(5), `/proc/loadavg`): never fewer than those of one user.
fn threads_now() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_ascii_whitespace().nth(3)?.split_once('/')?.1.parse().ok()
}

/// A command without any restriction, spawned as it is; only its environment may be scrubbed.
fn run_plain(
    argv: &[OsString],
    policy: &CanonicalPolicy,
    options: &Options,
    steering: Steering<'_>,
) -> Result<Outcome, RunError> {
    let mut command = Command::new(argv.iter().cloned(), &options.directory);
    fill(&mut command, options);
    command.environment = match policy.environment {
        crate::EnvironmentPolicy::Keep => options.environment.clone(),
        crate::EnvironmentPolicy::Scrub => environment::scrubbed(&options.environment),
    };
    let control = Control {
        on_output: steering.on_output,
        cancel: steering.cancel,
        forward_signals: steering.forward_signals,
        leftovers: Leftovers::Leave,
        ..Control::default()
    };
    let output = command.run_with(control)?;
    let facts = Facts {
        mode: policy.mode,
        backend: None,
        enforcement: Enforcement::Full,
        denied: false,
        launcher_failed: false,
        detail: None,
    };
    Ok(outcome(output, facts))
}

fn fill(command: &mut Command, options: &Options) {
    command.stdin = match &options.stdin {
        Stdin::Bytes(bytes) => Stdin::Bytes(bytes.clone()),
        Stdin::Inherit => Stdin::Inherit,
        _ => Stdin::Closed,
    };
    command.output = options.output;
    command.timeout = options.timeout;
    command.keep = options.keep;
}

fn outcome(output: Output, facts: Facts) -> Outcome {
    Outcome {
        state: output.state,
        stdout: output.stdout,
        stderr: output.stderr,
        dropped: output.dropped,
        timed_out: output.timed_out,
        cancelled: output.cancelled,
        duration: output.duration,
        facts,
    }
}

/// One try of one back end.
struct Child<'a> {
    backend: BackendName,
    policy: &'a CanonicalPolicy,
    options: &'a Options,
    enforcement: Enforcement,
    environment: BTreeMap<OsString, OsString>,
    program: OsString,
}

impl Child<'_> {
    fn run(self, confined: Confined, steering: &mut Steering<'_>) -> Attempt {
        let own = confined.argv.first().cloned().unwrap_or_default();
        let mut command = Command::new(confined.argv, self.launch_directory());
        fill(&mut command, self.options);
        command.environment.clone_from(&self.environment);
        command.descriptors = confined.descriptors;
        let mut scanner = Scanner::new(self.backend);
        let mut watch = |stream: Stream, bytes: &[u8]| {
            if stream == Stream::Stderr {
                scanner.push(bytes);
            }
            if let Some(outer) = &mut steering.on_output {
                outer(stream, bytes);
            }
        };
        let control = Control {
            on_output: Some(&mut watch),
            cancel: steering.cancel,
            forward_signals: steering.forward_signals,
            leftovers: Leftovers::Kill,
            terminate: confined.terminate,
            preparations: confined.preparations,
        };
        let output = match command.run_with(control) {
            Ok(output) => output,
            Err(RunError::NotFound(path) | RunError::NotExecutable(path)) => {
                // The command's program was found before: this is about the launcher's.
                let reason = format!("its launcher `{}` cannot be started", path.display());
                return Attempt::Unusable(reason);
            }
            Err(error @ RunError::System { .. }) => return Attempt::Unusable(error.to_string()),
            Err(error) => return Attempt::Failed(error),
        };
        tracing::debug!(launcher = ?own, state = ?output.state, "confined run ended");
        self.judge(output, confined.status, &scanner.finish())
    }

    /// bubblewrap changes the directory itself, inside; the launcher inherits it.
    fn launch_directory(&self) -> &Path {
        match self.backend {
            BackendName::Bwrap => Path::new("/"),
            _ => &self.options.directory,
        }
    }

    fn judge(self, output: Output, status: io::PipeReader, stderr: &str) -> Attempt {
        let evidence = match nonblocking(status) {
            Ok(status) if self.backend == BackendName::Bwrap => backends::bwrap::evidence(status),
            Ok(status) => backends::landlock::evidence(status),
            Err(_) => Evidence::None,
        };
        if let Evidence::ExecFailed(errno) = evidence {
            return Attempt::Failed(exec_error(errno, &self.program));
        }
        let broken_off = output.timed_out || output.cancelled;
        let protected = self.policy.protected_in_writable().next().is_some();
        let finished = Finished {
            backend: self.backend,
            state: output.state,
            stderr,
            evidence: if broken_off { Evidence::Ran } else { evidence },
            masked: !self.policy.hidden.is_empty() || !self.policy.denied.is_empty(),
            protected,
            blocked: self.policy.network == crate::Network::Blocked,
        };
        let judgement = classify(&finished, |line| {
            let hidden = |path: &Path| self.is_hidden(path);
            line.to_ascii_lowercase().contains("network is unreachable")
                || blame::is_sandbox(line, &self.options.directory, hidden)
        });
        if judgement.launcher_failed {
            return Attempt::Unusable(judgement.detail.unwrap_or_default());
        }
        let Judgement { denied, mut detail, .. } = judgement;
        if self.backend == BackendName::Bwrap && matches!(output.state, ExitState::Code(129..=192)) {
            detail.get_or_insert_with(|| "possibly a signal".to_owned());
        }
        let facts = Facts {
            mode: self.policy.mode,
            backend: Some(self.backend),
            enforcement: self.enforcement,
            denied,
            launcher_failed: false,
            detail,
        };
        Attempt::Finished(Box::new(outcome(output, facts)))
    }

    fn is_hidden(&self, path: &Path) -> bool {
        self.policy.hidden.iter().chain(&self.policy.denied).any(|hidden| path.starts_with(hidden))
    }
}

/// The program was there, but the kernel would not execute it: what a shell says then.
fn exec_error(errno: i32, program: &OsStr) -> RunError {
    match errno {
        libc::ENOENT | libc::ENOTDIR => RunError::NotFound(program.into()),
        _ => RunError::NotExecutable(program.into()),
    }
}

/// The status channel may be held open by a process that we cannot see; it is only emptied.
fn nonblocking(status: io::PipeReader) -> io::Result<File> {
    fcntl(&status, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(File::from(OwnedFd::from(status)))
}

//! A session of confined runs, and the chain of back ends.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    io,
    os::fd::AsFd,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Duration,
};

use nix::unistd::isatty;
use portcullis_paths::OsResolver;
use portcullis_process::{Preparation, Stdin};

use crate::{
    Availability, BackendName, CanonicalPolicy, Enforcement, Network, Options, Outcome, Policy, RunFailure,
    Steering,
    attempt::{Attempt, Child, resolve, run_plain, threads_now},
    backends,
    backends::{Confined, Shape, Site},
    daemons, environment, launcher, owner,
    session::Session,
};

/// The order in which back ends are tried.
const CHAIN: [BackendName; 2] = [BackendName::Bwrap, BackendName::Landlock];
/// So many processes and threads may a session's runs have together.
const PROCESSES: u32 = 2048;
/// So often is a back end tried while what it was to hide goes away under its hands.
const TRIES: u32 = 5;
/// How long a probe may take.
const PROBE_TIMEOUT: Duration = Duration::from_secs(30);

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
        let policy = Policy { network: Network::Blocked, ..Policy::read_only(Vec::<String>::new()) };
        let policy = policy.canonical(&OsResolver).map_err(|error| error.to_string())?;
        let path = OsString::from("/usr/bin:/bin:/run/current-system/sw/bin");
        let mut options = Options::new("/", BTreeMap::from([("PATH".into(), path)]));
        options.timeout = Some(PROBE_TIMEOUT);
        let limited = self.limited()?;
        match self.attempt(backend, &["true".into()], &policy, &options, &mut Steering::default()) {
            Attempt::Finished(outcome) if outcome.timed_out => {
                Err("the probe took longer than 30 seconds".into())
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
    /// program or directory that cannot be used, [`RunFailure::Hidden`] for a program that the policy hides,
    /// [`RunFailure::Unavailable`] when no back end works. Never runs
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
        // What cannot be found is told by the back end's try, behind what the back end has to say.
        let command = resolve(argv, &policy, options).unwrap_or_default();
        if let Some(path) = command.first().and_then(|program| hidden(program, &policy)) {
            return Err(RunFailure::Hidden(path));
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

    /// What a back end that works here governs of this very policy; [`Sandbox::probe`] speaks of a typical one.
    ///
    /// # Errors
    /// The back end is not usable, or cannot enforce the policy, with the reason; a policy that nobody can.
    pub fn enforcement(&self, backend: BackendName, policy: &Policy) -> Result<Enforcement, String> {
        let probed = self.probe().into_iter().find(|found| found.name == backend);
        probed.ok_or_else(|| format!("{backend} is not in use"))?.usable?;
        let policy = policy.canonical(&OsResolver).map_err(|error| error.to_string())?;
        backends::supports(backend, &policy, launcher::abi(), self.limited()?)
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
        let mut masks = BTreeMap::new();
        if backend == BackendName::Bwrap {
            for path in policy.hidden.iter().chain(&policy.denied) {
                // What cannot be imitated is masked all the same.
                if let Ok(found) = Path::new(path).symlink_metadata()
                    && found.is_file()
                    && let Ok(mask) = session.mask_like(&found)
                {
                    masks.insert(path.clone(), mask);
                }
            }
        }
        let site = Site {
            temporary: &temporary,
            mask: &mask,
            masks: &masks,
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
        let temporary = self
            .session()
            .and_then(|session| session.temporary(owner::of(policy)?).map_err(|error| error.to_string()));
        let temporary = temporary.ok().filter(|_| policy.restricts_writes());
        let environment =
            environment::of_child(&options.environment, policy, temporary.as_deref().and_then(Path::to_str));
        let child = Child {
            backend,
            policy,
            options,
            enforcement,
            environment,
            program: command.first().cloned().unwrap_or_default(),
        };
        // Sockets come and go: one that went before the back end could hide it is no failure of the back end.
        let mut tries = TRIES;
        loop {
            tries -= 1;
            let confined = match self.confine(backend, &command, policy, options) {
                Ok(confined) => confined,
                Err(reason) => return Attempt::Unusable(reason),
            };
            let needed = confined.needed.clone();
            let attempt = child.run(confined, steering);
            let gone = needed.iter().any(|path| Path::new(path).symlink_metadata().is_err());
            if !(gone && tries > 0 && matches!(attempt, Attempt::Unusable(_))) {
                return attempt;
            }
        }
    }
}

/// The program's real path, where the policy keeps it from being read and so from being run.
fn hidden(program: &OsStr, policy: &CanonicalPolicy) -> Option<PathBuf> {
    let real = Path::new(program).canonicalize().ok()?;
    let within = |path: &&String| real.starts_with(Path::new(path));
    policy.hidden.iter().chain(&policy.denied).any(|path| within(&path)).then_some(real)
}

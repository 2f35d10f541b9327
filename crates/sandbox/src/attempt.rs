//! One try of one back end: the child's command, and the judgement of what it left.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fs::File,
    io,
    os::fd::OwnedFd,
    path::Path,
};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use portcullis_process::{Command, Control, ExitState, Leftovers, Output, RunError, Stdin, Stream, lookup};

use crate::{
    BackendName, CanonicalPolicy, Enforcement, EnvironmentPolicy, Evidence, Facts, Finished, Judgement,
    Network, Options, Outcome, Steering, backends, backends::Confined, blame, classify, environment,
    scanner::Scanner,
};

/// What became of one back end's try.
pub(crate) enum Attempt {
    Finished(Box<Outcome>),
    /// This back end cannot; another one may.
    Unusable(String),
    /// No back end can.
    Failed(RunError),
}

/// The command with its program as an absolute path, found in the child's own `PATH`.
pub(crate) fn resolve(
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
pub(crate) fn threads_now() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_ascii_whitespace().nth(3)?.split_once('/')?.1.parse().ok()
}

/// A command without any restriction, spawned as it is; only its environment may be scrubbed.
pub(crate) fn run_plain(
    argv: &[OsString],
    policy: &CanonicalPolicy,
    options: &Options,
    steering: Steering<'_>,
) -> Result<Outcome, RunError> {
    let mut command = Command::new(argv.iter().cloned(), &options.directory);
    fill(&mut command, options);
    command.environment = match policy.environment {
        EnvironmentPolicy::Keep => options.environment.clone(),
        EnvironmentPolicy::Scrub => environment::scrubbed(&options.environment),
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
pub(crate) struct Child<'a> {
    pub(crate) backend: BackendName,
    pub(crate) policy: &'a CanonicalPolicy,
    pub(crate) options: &'a Options,
    pub(crate) enforcement: Enforcement,
    pub(crate) environment: BTreeMap<OsString, OsString>,
    pub(crate) program: OsString,
}

impl Child<'_> {
    pub(crate) fn run(&self, confined: Confined, steering: &mut Steering<'_>) -> Attempt {
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
            // Among them a command that was started and then lost: no other back end may start it again.
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

    fn judge(&self, output: Output, status: io::PipeReader, stderr: &str) -> Attempt {
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
            blocked: self.policy.network == Network::Blocked,
            sockets: self.policy.refuses_unix_sockets(),
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
            enforcement: self.enforcement.clone(),
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

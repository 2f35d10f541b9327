//! One run from spawn to exit.

use std::{
    fs::File,
    io,
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
    path::PathBuf,
    time::{Duration, Instant},
};

use nix::{
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::{
        signal::{Signal, kill},
        wait::waitpid,
    },
    unistd::isatty,
};

use crate::{
    Command, Control, ExitState, Leftovers, Output, RunError, Stdin, Stdio, Stream, Terminate,
    foreground::Foreground,
    forward::Forwarder,
    lookup,
    spawn::{Child, Session, spawn},
    streams::{Inlet, Outlet},
    tree, wait,
    wait::Seen,
};

/// Between SIGTERM and SIGKILL.
const GRACE: Duration = Duration::from_secs(2);
/// Silence after the exit that ends the reading, when a background child keeps a pipe open.
const QUIET: Duration = Duration::from_millis(100);
/// The longest that such a child can hold the result by talking on.
const DRAIN: Duration = Duration::from_secs(1);
/// How often a child that owns the terminal is asked whether it was stopped.
const STOP_CHECK: Duration = Duration::from_millis(50);

pub(crate) fn run(mut command: Command, control: Control<'_>) -> Result<Output, RunError> {
    let program = check(&command)?;
    let own_input = io::stdin();
    let foreground =
        matches!(command.stdin, Stdin::Inherit).then(|| Foreground::of(own_input.as_fd())).flatten();
    let forwarder = control
        .forward_signals
        .then(Forwarder::new)
        .transpose()
        .map_err(|error| RunError::system("receive signals", error))?;

    let mut stdout = Outlet::new(Stream::Stdout, command.keep);
    let mut stderr = Outlet::new(Stream::Stderr, command.keep);
    let (input, feed) = input_end(&command.stdin)?;
    let inlet = match (std::mem::replace(&mut command.stdin, Stdin::Closed), feed) {
        (Stdin::Bytes(bytes), Some(writer)) => {
            Some(Inlet::new(writer, bytes).map_err(|error| RunError::system("feed its input", error))?)
        }
        _ => None,
    };
    let out = output_end(&mut stdout, command.output, io::stdout().as_fd())?;
    let err = output_end(&mut stderr, command.output, io::stderr().as_fd())?;

    let session = foreground.as_ref().map_or(Session::Own, |one| Session::Foreground(one.fd()));
    let started = Instant::now();
    let fds = [input.as_raw_fd(), out.as_raw_fd(), err.as_raw_fd()];
    let child = spawn(&command, &program, fds, session, &control.preparations)?;
    drop((input, out, err));
    tracing::debug!(program = %program.display(), pid = child.pid.as_raw(), "started");

    let deadline = command.timeout.and_then(|limit| started.checked_add(limit));
    let mut run = Run {
        child,
        stdout,
        stderr,
        inlet,
        foreground,
        forwarder,
        control,
        started,
        deadline,
        kill_at: None,
        timed_out: false,
        cancelled: false,
        exited: None,
        condemned: tree::Condemned::default(),
    };
    run.supervise()?;
    run.finish()
}

/// Finds the program, and tells a directory that cannot be entered from everything else.
fn check(command: &Command) -> Result<PathBuf, RunError> {
    let directory = |source| RunError::Directory { path: command.directory.clone(), source };
    if !command.directory.metadata().map_err(directory)?.is_dir() {
        return Err(directory(io::Error::from(io::ErrorKind::NotADirectory)));
    }
    let Some(name) = command.argv.first() else { return Err(RunError::NotFound(PathBuf::new())) };
    lookup(name, command.environment.get(std::ffi::OsStr::new("PATH")).map(AsRef::as_ref), &command.directory)
}

fn input_end(stdin: &Stdin) -> Result<(OwnedFd, Option<io::PipeWriter>), RunError> {
    let failed = |error| RunError::system("open its standard input", error);
    match stdin {
        Stdin::Closed => Ok((File::open("/dev/null").map_err(failed)?.into(), None)),
        Stdin::Inherit => Ok((io::stdin().as_fd().try_clone_to_owned().map_err(failed)?, None)),
        Stdin::Bytes(_) => {
            let (reader, writer) = io::pipe().map_err(failed)?;
            Ok((reader.into(), Some(writer)))
        }
    }
}

/// The child's end of one output stream; ours is put into `outlet`.
fn output_end(outlet: &mut Outlet, mode: Stdio, own: BorrowedFd<'_>) -> Result<OwnedFd, RunError> {
    let failed = |error| RunError::system("open its output", error);
    let errors = outlet.stream == Stream::Stderr;
    let kept = errors && (mode == Stdio::Watched || !isatty(own).unwrap_or(false));
    if matches!(mode, Stdio::Inherit | Stdio::Watched) && !kept {
        return own.try_clone_to_owned().map_err(failed);
    }
    let (reader, writer) = io::pipe().map_err(failed)?;
    let shown = match mode {
        Stdio::Capture => None,
        Stdio::Inherit | Stdio::Watched | Stdio::Tee => Some(own.try_clone_to_owned().map_err(failed)?),
    };
    outlet.open(reader, shown).map_err(failed)?;
    Ok(writer.into())
}

struct Run<'t, 'c> {
    child: Child,
    stdout: Outlet,
    stderr: Outlet,
    inlet: Option<Inlet>,
    foreground: Option<Foreground<'t>>,
    forwarder: Option<Forwarder>,
    control: Control<'c>,
    started: Instant,
    deadline: Option<Instant>,
    kill_at: Option<Instant>,
    timed_out: bool,
    cancelled: bool,
    exited: Option<Exit>,
    condemned: tree::Condemned,
}

struct Exit {
    state: ExitState,
    duration: Duration,
    /// When reading ends, whatever is still open: after silence, and at the latest.
    quiet_at: Instant,
    last: Instant,
}

/// What a polled descriptor is for.
#[derive(Clone, Copy)]
enum Source {
    Child,
    Stdout,
    Stderr,
    ShowStdout,
    ShowStderr,
    Inlet,
    Cancel,
    Signals,
}

impl Run<'_, '_> {
    fn supervise(&mut self) -> Result<(), RunError> {
        loop {
            self.check_clock();
            let ready = self.wait()?;
            for source in ready {
                self.act(source);
            }
            self.check_child()?;
            if self.is_over() {
                return Ok(());
            }
        }
    }

    fn is_over(&self) -> bool {
        let Some(exit) = &self.exited else { return false };
        let now = Instant::now();
        let silent = now >= exit.quiet_at || now >= exit.last;
        let read = !self.stdout.is_open() && !self.stderr.is_open();
        let shown = self.stdout.writable().is_none() && self.stderr.writable().is_none();
        // What was read is shown to the end, unless the run was broken off.
        (read || silent) && (shown || self.timed_out || self.cancelled)
    }

    fn check_clock(&mut self) {
        let now = Instant::now();
        if self.exited.is_some() {
            return;
        }
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            self.deadline = None;
            self.timed_out = true;
            self.terminate(now);
        }
        if self.kill_at.is_some_and(|at| now >= at) {
            // Once more later, should even this not end it (a process may sit in the kernel for a while).
            self.kill_at = Some(now + GRACE);
            self.condemned.add(self.child.pid);
            match self.control.terminate {
                Terminate::Tree => tree::kill_tree(self.child.pid),
                Terminate::Leader | Terminate::Descendants => tree::kill_below(self.child.pid),
            }
        }
    }

    fn terminate(&mut self, now: Instant) {
        if self.kill_at.is_none() {
            self.kill_at = Some(now + GRACE);
            self.condemned.add(self.child.pid);
            self.signal(Signal::SIGTERM);
            // A stopped process takes a signal only when it goes on.
            self.signal(Signal::SIGCONT);
        }
    }

    fn signal(&self, signal: Signal) {
        match self.control.terminate {
            Terminate::Tree => tree::signal_tree(self.child.pid, signal),
            Terminate::Leader => {
                let _ = kill(self.child.pid, signal);
            }
            Terminate::Descendants => tree::signal_descendants(self.child.pid, signal),
        }
    }

    /// Waits for something to happen, at most until the next moment that matters.
    fn wait(&self) -> Result<Vec<Source>, RunError> {
        let running = self.exited.is_none().then(|| self.child.pidfd.as_fd());
        let cancel = self.control.cancel.filter(|_| !self.cancelled);
        let (input, output) = (PollFlags::POLLIN, PollFlags::POLLOUT);
        let wanted = [
            (running, Source::Child, input),
            (self.stdout.readable(), Source::Stdout, input),
            (self.stderr.readable(), Source::Stderr, input),
            (self.stdout.writable(), Source::ShowStdout, output),
            (self.stderr.writable(), Source::ShowStderr, output),
            (self.inlet.as_ref().map(Inlet::fd), Source::Inlet, output),
            (cancel.map(crate::Cancel::fd), Source::Cancel, input),
            (self.forwarder.as_ref().map(Forwarder::fd), Source::Signals, input),
        ];
        let mut fds = Vec::with_capacity(wanted.len());
        let mut sources = Vec::with_capacity(wanted.len());
        for (fd, source, flags) in wanted {
            if let Some(fd) = fd {
                fds.push(PollFd::new(fd, flags));
                sources.push(source);
            }
        }
        match poll(&mut fds, self.patience()) {
            Ok(_) => {}
            Err(nix::errno::Errno::EINTR) => return Ok(Vec::new()),
            Err(error) => return Err(RunError::lost(error)),
        }
        let ready = fds.iter().zip(sources).filter(|(fd, _)| fd.any().unwrap_or(true));
        Ok(ready.map(|(_, source)| source).collect())
    }

    fn patience(&self) -> PollTimeout {
        let now = Instant::now();
        let mut moments = vec![];
        if let Some(exit) = &self.exited {
            // Shown output that waits for a slow reader is no reason to spin.
            if self.stdout.is_open() || self.stderr.is_open() {
                moments.push(exit.quiet_at.min(exit.last));
            }
        } else {
            moments.extend(self.deadline);
            moments.extend(self.kill_at);
            moments.extend(self.foreground.is_some().then(|| now + STOP_CHECK));
        }
        moments.into_iter().min().map_or(PollTimeout::NONE, |at| {
            let left = at.saturating_duration_since(now).as_millis().saturating_add(1);
            PollTimeout::try_from(left.min(60_000)).unwrap_or(PollTimeout::MAX)
        })
    }

    fn act(&mut self, source: Source) {
        let heard = match source {
            Source::Child => false,
            Source::Stdout => self.stdout.read(&mut self.control.on_output) > 0,
            Source::Stderr => self.stderr.read(&mut self.control.on_output) > 0,
            Source::ShowStdout => {
                self.stdout.show();
                false
            }
            Source::ShowStderr => {
                self.stderr.show();
                false
            }
            Source::Inlet => {
                if !self.inlet.as_mut().is_some_and(Inlet::feed) {
                    self.inlet = None;
                }
                false
            }
            Source::Cancel => {
                self.cancelled = true;
                self.terminate(Instant::now());
                false
            }
            Source::Signals => {
                let signals = self.forwarder.as_mut().map(Forwarder::take).unwrap_or_default();
                for signal in signals {
                    self.signal(signal);
                }
                false
            }
        };
        if heard && let Some(exit) = &mut self.exited {
            exit.quiet_at = Instant::now() + QUIET;
        }
    }

    /// Collects the child when it has ended, and follows it when it was stopped.
    fn check_child(&mut self) -> Result<(), RunError> {
        if self.exited.is_some() {
            return Ok(());
        }
        let state = match wait::look(self.child.pid, self.foreground.is_some()).map_err(RunError::lost)? {
            Seen::Running => return Ok(()),
            Seen::Stopped => {
                if let Some(foreground) = &self.foreground {
                    foreground.suspend(self.child.pid);
                }
                return Ok(());
            }
            Seen::Ended(state) => state,
        };
        self.inlet = None;
        let now = Instant::now();
        if self.control.leftovers == Leftovers::Kill || self.kill_at.is_some() {
            // A death takes a moment; who asks for none to survive must not meet them after the result.
            self.condemned.kill_group(self.child.pid);
        }
        self.condemned.execute();
        // What was written before the end is output, however late we come to read it; only what others go on
        // writing is bounded by the clock.
        self.stdout.drain(&mut self.control.on_output);
        self.stderr.drain(&mut self.control.on_output);
        let read = Instant::now();
        self.exited = Some(Exit {
            state,
            duration: now.duration_since(self.started),
            quiet_at: read + QUIET,
            last: read + DRAIN,
        });
        Ok(())
    }

    fn finish(&mut self) -> Result<Output, RunError> {
        self.stdout.close();
        self.stderr.close();
        let Some(exit) = self.exited.take() else {
            return Err(RunError::lost(io::Error::other("its end was not seen")));
        };
        let (stdout, dropped_out) =
            std::mem::replace(&mut self.stdout, Outlet::new(Stream::Stdout, 0)).finish();
        let (stderr, dropped_err) =
            std::mem::replace(&mut self.stderr, Outlet::new(Stream::Stderr, 0)).finish();
        Ok(Output {
            state: exit.state,
            stdout,
            stderr,
            dropped: dropped_out.saturating_add(dropped_err),
            timed_out: self.timed_out,
            cancelled: self.cancelled,
            duration: exit.duration,
        })
    }
}

impl Drop for Run<'_, '_> {
    /// A run that is given up half way (an error of the supervision itself) leaves nothing behind.
    fn drop(&mut self) {
        if self.exited.is_none() && matches!(wait::look(self.child.pid, false), Ok(Seen::Running)) {
            tree::kill_tree(self.child.pid);
            let _ = waitpid(self.child.pid, None);
        }
    }
}

//! The launcher's two processes: the confined child, and the parent that stays outside, passes its end on,
//! and lets nothing of it survive.
#![allow(unsafe_code, reason = "fork, signals and descriptors by number")]

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    os::fd::{FromRawFd, OwnedFd, RawFd},
    process::ExitCode,
    time::{Duration, Instant},
};

use nix::{
    fcntl::{FcntlArg, FdFlag, fcntl},
    sys::{
        signal::{SigSet, SigmaskHow, Signal, kill, sigprocmask},
        wait::waitpid,
    },
    unistd::{ForkResult, Pid, execvp, fork, getppid},
};

use super::{
    FAILED, LauncherError, PREFIX,
    arguments::Plan,
    confine,
    confine::Prepared,
    ended::{End, Next, next_end},
};

/// Signals that the parent handles one at a time. Those of job control keep their defaults: the parent stops
/// and goes on with its group.
const HANDLED: [Signal; 7] = [
    Signal::SIGCHLD,
    Signal::SIGTERM,
    Signal::SIGHUP,
    Signal::SIGINT,
    Signal::SIGQUIT,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
];
/// How long leftovers are chased that go on multiplying.
const CHASE: Duration = Duration::from_secs(5);

/// Runs the plan's command in a confined child. Without a command (a probe) the child just exits.
pub(crate) fn run(plan: &Plan, prepared: Prepared) -> Result<ExitCode, LauncherError> {
    let failed = |action, error: io::Error| LauncherError::system(action, error);
    let mut status = plan.status.map(own_status).transpose()?;
    let caller = getppid();
    // SAFETY: plain system calls with integers.
    unsafe {
        // Orphans come to us instead of to init; and when our caller is killed, so is all this.
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM, 0, 0, 0);
    }
    let handled: SigSet = HANDLED.into_iter().collect();
    sigprocmask(SigmaskHow::SIG_BLOCK, Some(&handled), None)
        .map_err(|error| failed("block signals", error.into()))?;
    // Whose end came before it was asked for is told by nobody.
    if getppid() != caller {
        return Ok(ExitCode::from(FAILED));
    }
    let (mut result, result_writer) = io::pipe().map_err(|error| failed("make a pipe", error))?;
    // SAFETY: this process has one thread, so that the child may do what the parent may.
    let child = match unsafe { fork() }.map_err(|error| failed("fork", error.into()))? {
        ForkResult::Child => {
            drop(result);
            confined(plan, prepared, result_writer);
        }
        ForkResult::Parent { child } => child,
    };
    drop(result_writer);
    // The write end closes when the command starts; before that, the child may write why it does not.
    let mut report = String::new();
    result.read_to_string(&mut report).map_err(|error| failed("hear from the child", error))?;
    if let Some((kind, message)) = report.split_once('\n') {
        let _ = waitpid(child, None);
        if let (Some(status), true) = (&mut status, kind.starts_with("exec-failed")) {
            let _ = writeln!(status, "{kind}");
        }
        eprintln!("{PREFIX}{message}");
        return Ok(ExitCode::from(FAILED));
    }
    if let Some(status) = &mut status {
        let _ = writeln!(status, "started");
    }
    let end = supervise(child, caller, &handled).map_err(|error| failed("wait for the command", error))?;
    end_leftovers();
    Ok(pass_on(end))
}

/// The status descriptor, which the child must not inherit.
fn own_status(number: RawFd) -> Result<File, LauncherError> {
    // SAFETY: the number was given to us for this; a number that is not open is found out at once.
    let file = unsafe { File::from(OwnedFd::from_raw_fd(number)) };
    fcntl(&file, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))
        .map_err(|error| LauncherError::system("use the status descriptor", error))?;
    Ok(file)
}

/// The child: confines itself and becomes the command.
fn confined(plan: &Plan, mut prepared: Prepared, mut result: io::PipeWriter) -> ! {
    let outcome = confine::apply(plan, &mut prepared).and_then(|()| {
        // SAFETY: plain system call. The runtime ignores SIGPIPE, and what is ignored stays so over an exec: the
        // command would write for ever, or fail, where a closed pipe should just end it.
        unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
        let _ = sigprocmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None);
        let Some(program) = prepared.argv.first() else { return Ok(()) };
        let error = match execvp(program, &prepared.argv) {
            Err(error) => error,
            Ok(never) => match never {},
        };
        let source = io::Error::from(error);
        Err(LauncherError::Exec { program: program.to_string_lossy().into_owned(), source })
    });
    if let Err(error) = outcome {
        let kind = match &error {
            LauncherError::Exec { source, .. } => {
                format!("exec-failed {}", source.raw_os_error().unwrap_or_default())
            }
            _ => "failed".to_owned(),
        };
        let _ = write!(result, "{kind}\n{error}");
        exit_now(FAILED.into());
    }
    exit_now(0)
}

fn exit_now(code: i32) -> ! {
    // SAFETY: ends the process without running handlers that belong to the parent.
    unsafe { libc::_exit(code) }
}

/// Waits for the command; passes on what is sent to us meanwhile.
fn supervise(child: Pid, caller: Pid, handled: &SigSet) -> io::Result<End> {
    loop {
        // Everything that has ended, orphans included.
        loop {
            match next_end()? {
                Next::Nothing | Next::NoChildren => break,
                Next::Ended(pid, end) if pid == child => return Ok(end),
                Next::Ended(..) => {}
            }
        }
        let (signal, by_terminal) = next_signal(handled)?;
        match signal {
            Signal::SIGCHLD => {}
            Signal::SIGTERM if getppid() != caller => {
                // The caller is gone, and nobody would read the result. The command ends among the leftovers, so
                // that there is nothing more to wait for.
                end_leftovers();
                return Ok(End::Signal(libc::SIGTERM));
            }
            // The terminal sends Ctrl-C to the whole group: the command has it already.
            _ if by_terminal => {}
            signal => {
                for pid in descendants() {
                    let _ = kill(pid, signal);
                }
            }
        }
    }
}

/// Takes the next signal, and whether the kernel sent it for a terminal.
fn next_signal(handled: &SigSet) -> io::Result<(Signal, bool)> {
    loop {
        // SAFETY: an all-zero siginfo_t is valid, and sigwaitinfo fills it.
        let (number, code) = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            (libc::sigwaitinfo(handled.as_ref(), &raw mut info), info.si_code)
        };
        if number > 0 {
            let signal = Signal::try_from(number)?;
            return Ok((signal, code == libc::SI_KERNEL && signal != Signal::SIGTERM));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Kills whatever the command left, until nothing is left.
fn end_leftovers() {
    let end = Instant::now() + CHASE;
    while Instant::now() < end {
        match next_end() {
            Ok(Next::NoChildren) => return,
            Ok(Next::Nothing) => {
                for pid in descendants() {
                    let _ = kill(pid, Signal::SIGKILL);
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(Next::Ended(..)) | Err(_) => {}
        }
    }
}

/// All processes below this one: children of children come to us when their parents die.
fn descendants() -> Vec<Pid> {
    let mut parents = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else {
            continue;
        };
        // As bytes: a process chooses its own name, which stands in here.
        let Ok(stat) = fs::read(format!("/proc/{pid}/stat")) else { continue };
        let stat = String::from_utf8_lossy(&stat);
        let fields = stat.rsplit(')').next().unwrap_or_default();
        if let Some(parent) =
            fields.split_ascii_whitespace().nth(1).and_then(|field| field.parse::<i32>().ok())
        {
            parents.push((pid, parent));
        }
    }
    let mut found = vec![i32::try_from(std::process::id()).unwrap_or(0)];
    let mut index = 0;
    while let Some(current) = found.get(index).copied() {
        found.extend(parents.iter().filter(|(_, parent)| *parent == current).map(|(pid, _)| *pid));
        index += 1;
    }
    found.into_iter().skip(1).map(Pid::from_raw).collect()
}

/// Ends as the command did.
fn pass_on(end: End) -> ExitCode {
    match end {
        End::Code(code) => ExitCode::from(u8::try_from(code & 0xff).unwrap_or(FAILED)),
        End::Signal(signal) => {
            // SAFETY: plain system calls. No core of ours beside the command's own.
            unsafe {
                let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
                libc::signal(signal, libc::SIG_DFL);
                let _ = sigprocmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None);
                libc::raise(signal);
            }
            ExitCode::from(u8::try_from(128 + signal).unwrap_or(FAILED))
        }
    }
}

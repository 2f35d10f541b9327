//! The child between `clone` and `execve`.
//!
//! `clone(CLONE_VM | CLONE_VFORK)` instead of `fork`: no page tables are copied, so that the cost does not
//! grow with the caller, and the child reports an error by writing it into the caller's memory. The price is
//! the contract of `vfork(2)`: until it executes, the child may only make system calls. Everything that
//! allocates is done before, in [`spawn`].
#![allow(unsafe_code, reason = "a child that is made by hand needs raw system calls")]

use std::{
    ffi::{CString, c_char, c_int, c_void},
    io,
    mem::MaybeUninit,
    os::{
        fd::{AsRawFd, FromRawFd, OwnedFd, RawFd},
        unix::ffi::OsStrExt,
    },
    path::Path,
    ptr,
};

use nix::unistd::Pid;

use crate::{Command, Preparation, RunError};

/// What the child does about its terminal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Session {
    /// `setsid(2)`: no terminal.
    Own,
    /// A process group of its own in the caller's session, in the foreground of this terminal.
    Foreground(RawFd),
}

/// A running child.
#[derive(Debug)]
pub(crate) struct Child {
    pub(crate) pid: Pid,
    pub(crate) pidfd: OwnedFd,
}

/// The step at which a child gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
enum Step {
    Session = 1,
    Descriptors,
    Directory,
    Preparation,
    Execute,
}

/// Everything that the child needs, laid out so that it only has to read it.
struct Frame {
    program: *const c_char,
    argv: *const *const c_char,
    environment: *const *const c_char,
    directory: *const c_char,
    stdio: [RawFd; 3],
    moves: *mut Move,
    moves_len: usize,
    /// The lowest number above all targets.
    floor: c_int,
    session: Session,
    preparations: *const Preparation,
    preparations_len: usize,
    failed_step: c_int,
    failed_errno: c_int,
}

#[derive(Clone, Copy)]
struct Move {
    source: RawFd,
    target: RawFd,
}

/// Starts `command` with these descriptors as 0, 1 and 2. `program` is its resolved path.
pub(crate) fn spawn(
    command: &Command,
    program: &Path,
    stdio: [RawFd; 3],
    session: Session,
    preparations: &[Preparation],
) -> Result<Child, RunError> {
    let text = |bytes: &[u8]| {
        CString::new(bytes).map_err(|error| RunError::system("pass a text that contains a NUL byte", error))
    };
    let program_text = text(program.as_os_str().as_bytes())?;
    let directory = text(command.directory.as_os_str().as_bytes())?;
    let argv = command.argv.iter().map(|word| text(word.as_bytes())).collect::<Result<Vec<_>, _>>()?;
    let environment = command
        .environment
        .iter()
        .map(|(name, value)| {
            let mut pair = name.as_bytes().to_vec();
            pair.push(b'=');
            pair.extend_from_slice(value.as_bytes());
            text(&pair)
        })
        .collect::<Result<Vec<_>, _>>()?;
    let argv_pointers = pointers(&argv);
    let environment_pointers = pointers(&environment);
    let mut moves: Vec<Move> = command
        .descriptors
        .iter()
        .map(|(source, target)| Move { source: source.as_raw_fd(), target: *target })
        .collect();
    if moves.iter().any(|one| one.target < 3) {
        return Err(RunError::system("pass a descriptor below 3", io::Error::from_raw_os_error(libc::EBADF)));
    }
    let floor = moves.iter().map(|one| one.target.saturating_add(1)).max().unwrap_or(3).max(3);
    let mut frame = Frame {
        program: program_text.as_ptr(),
        argv: argv_pointers.as_ptr(),
        environment: environment_pointers.as_ptr(),
        directory: directory.as_ptr(),
        stdio,
        moves: moves.as_mut_ptr(),
        moves_len: moves.len(),
        floor,
        session,
        preparations: preparations.as_ptr(),
        preparations_len: preparations.len(),
        failed_step: 0,
        failed_errno: 0,
    };
    let child = clone_child(&mut frame)?;
    if frame.failed_step == 0 {
        return Ok(child);
    }
    // The child has gone already (CLONE_VFORK); it only has to be collected.
    let _ = nix::sys::wait::waitpid(child.pid, None);
    Err(failure(&frame, command, program))
}

fn pointers(texts: &[CString]) -> Vec<*const c_char> {
    texts.iter().map(|text| text.as_ptr()).chain(std::iter::once(ptr::null())).collect()
}

fn failure(frame: &Frame, command: &Command, program: &Path) -> RunError {
    let source = io::Error::from_raw_os_error(frame.failed_errno);
    match frame.failed_step {
        step if step == Step::Session as c_int => RunError::system("start a session", source),
        step if step == Step::Descriptors as c_int => RunError::system("pass descriptors", source),
        step if step == Step::Directory as c_int => {
            RunError::Directory { path: command.directory.clone(), source }
        }
        step if step == Step::Preparation as c_int => RunError::system("prepare the child", source),
        _ => match frame.failed_errno {
            libc::ENOENT | libc::ENOTDIR => RunError::NotFound(program.to_path_buf()),
            libc::EACCES | libc::ENOEXEC | libc::EPERM | libc::ELOOP | libc::EISDIR => {
                RunError::NotExecutable(program.to_path_buf())
            }
            _ => RunError::system("execute the program", source),
        },
    }
}

const STACK_BYTES: usize = 64 * 1024;

fn clone_child(frame: &mut Frame) -> Result<Child, RunError> {
    let mut stack: Vec<MaybeUninit<u8>> = Vec::with_capacity(STACK_BYTES);
    let mut pidfd: c_int = -1;
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    // SAFETY: the signal sets are initialised by sigfillset and pthread_sigmask before they are read. All
    // signals are blocked around the clone, because a handler of the caller must not run in the child, which
    // shares its memory. `stack` is 64 KiB that nobody else uses, its top is aligned to 16 bytes, and it
    // outlives the child's use of it, because CLONE_VFORK returns only after execve or exit. `frame` and all
    // that it points to live in this thread's frames below us, which is suspended for as long.
    let pid = unsafe {
        let mut all = MaybeUninit::<libc::sigset_t>::uninit();
        let mut old = MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), old.as_mut_ptr());
        let top = stack.as_mut_ptr().add(STACK_BYTES) as usize & !15;
        let pid = libc::clone(
            child_main,
            top as *mut c_void,
            flags,
            ptr::from_mut(frame).cast::<c_void>(),
            ptr::from_mut(&mut pidfd),
        );
        let error = io::Error::last_os_error();
        libc::pthread_sigmask(libc::SIG_SETMASK, old.as_ptr(), ptr::null_mut());
        if pid < 0 {
            return Err(RunError::system("start a process", error));
        }
        pid
    };
    // SAFETY: clone succeeded with CLONE_PIDFD, so that `pidfd` is a new descriptor that nobody else owns.
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    Ok(Child { pid: Pid::from_raw(pid), pidfd })
}

extern "C" fn child_main(argument: *mut c_void) -> c_int {
    // SAFETY: `argument` is the frame that `clone_child` passed; the caller is suspended, so that this is the
    // only reference in use.
    let frame = unsafe { &mut *argument.cast::<Frame>() };
    let step = match prepare(frame) {
        Ok(()) => Step::Execute,
        Err(step) => step,
    };
    if step == Step::Execute {
        // SAFETY: the texts are NUL-terminated and the arrays end with a null pointer; both outlive the call.
        unsafe { libc::execve(frame.program, frame.argv, frame.environment) };
    }
    frame.failed_errno = errno();
    frame.failed_step = step as c_int;
    // SAFETY: `_exit` runs no handlers of the caller.
    unsafe { libc::_exit(127) }
}

fn errno() -> c_int {
    // SAFETY: the location is the calling thread's, which this child borrows while the thread is suspended.
    unsafe { *libc::__errno_location() }
}

fn prepare(frame: &mut Frame) -> Result<(), Step> {
    reset_signals();
    match frame.session {
        // SAFETY: a plain system call.
        Session::Own => check(unsafe { libc::setsid() }, Step::Session)?,
        Session::Foreground(terminal) => {
            // SAFETY: plain system calls. SIGTTOU is blocked (all signals are), so that the change of the
            // foreground group from the background does not stop us (tcsetpgrp(3)).
            unsafe {
                check(libc::setpgid(0, 0), Step::Session)?;
                check(libc::tcsetpgrp(terminal, libc::getpid()), Step::Session)?;
            }
        }
    }
    arrange_descriptors(frame)?;
    // SAFETY: the text is NUL-terminated.
    check(unsafe { libc::chdir(frame.directory) }, Step::Directory)?;
    for index in 0..frame.preparations_len {
        // SAFETY: `preparations` points to that many values, which nobody changes meanwhile.
        apply(unsafe { &*frame.preparations.add(index) })?;
    }
    // SAFETY: the set is initialised by sigemptyset before it is read.
    unsafe {
        let mut none = MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), ptr::null_mut());
    }
    Ok(())
}

fn check(result: c_int, step: Step) -> Result<(), Step> {
    if result < 0 { Err(step) } else { Ok(()) }
}

/// Handlers do not survive `execve`, but ignored signals do: a child of a process that ignores SIGPIPE (as
/// every Rust program does) would write for ever into closed pipes.
fn reset_signals() {
    /// The kernel's `struct sigaction`, of which all-zero is `SIG_DFL`, and the size of its signal set.
    const DEFAULT: [u64; 4] = [0; 4];
    const SET_BYTES: usize = 8;
    for signal in 1..=64 {
        // SAFETY: dispositions are the child's own copy (no CLONE_SIGHAND). The system call itself, because
        // the C library's function keeps signals 32 and 33 to itself. SIGKILL and SIGSTOP fail without effect.
        unsafe {
            let none = ptr::null_mut::<u64>();
            libc::syscall(libc::SYS_rt_sigaction, signal, DEFAULT.as_ptr(), none, SET_BYTES);
        }
    }
}

/// Sources are first lifted above every target, so that no target overwrites a source that is still needed.
fn arrange_descriptors(frame: &mut Frame) -> Result<(), Step> {
    let mut stdio = frame.stdio;
    for fd in &mut stdio {
        *fd = lift(*fd, frame.floor)?;
    }
    for index in 0..frame.moves_len {
        // SAFETY: `moves` points to that many values.
        let one = unsafe { &mut *frame.moves.add(index) };
        one.source = lift(one.source, frame.floor)?;
    }
    mark_close_on_exec();
    for (source, target) in stdio.into_iter().zip(0..) {
        // SAFETY: plain system call; the copy is without close-on-exec.
        check(unsafe { libc::dup2(source, target) }, Step::Descriptors)?;
    }
    for index in 0..frame.moves_len {
        // SAFETY: as above.
        let one = unsafe { *frame.moves.add(index) };
        // SAFETY: plain system call; the copy is without close-on-exec.
        check(unsafe { libc::dup2(one.source, one.target) }, Step::Descriptors)?;
    }
    Ok(())
}

fn lift(fd: RawFd, floor: c_int) -> Result<RawFd, Step> {
    // SAFETY: plain system call.
    let copy = unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, floor) };
    check(copy, Step::Descriptors)?;
    Ok(copy)
}

fn mark_close_on_exec() {
    const CLOSE_RANGE_CLOEXEC: libc::c_uint = 4;
    // SAFETY: plain system calls on this process's own descriptor table (no CLONE_FILES). Before Linux 5.11
    // the first one is unknown and every possible number is marked instead.
    unsafe {
        if libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, CLOSE_RANGE_CLOEXEC) == 0 {
            return;
        }
        let highest = libc::sysconf(libc::_SC_OPEN_MAX).clamp(256, 1 << 20);
        for fd in 3..highest {
            libc::fcntl(fd as c_int, libc::F_SETFD, libc::FD_CLOEXEC);
        }
    }
}

fn apply(preparation: &Preparation) -> Result<(), Step> {
    // Raw system calls for the identity: the C library's own functions tell all threads of the process, and
    // those that it knows of are the caller's (nptl(7)).
    // SAFETY: plain system calls with integers, and one read of a static byte.
    let result = unsafe {
        match preparation {
            Preparation::NoNewPrivileges => libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0).into(),
            Preparation::Landlock(ruleset) => {
                libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0)
            }
            Preparation::Limit(resource, soft, hard) => {
                let limit = libc::rlimit { rlim_cur: *soft, rlim_max: *hard };
                libc::syscall(libc::SYS_prlimit64, 0, *resource, &raw const limit, 0)
            }
            Preparation::ControlGroup(procs) => {
                // "0" is the writer itself (cgroups(7)).
                libc::write(procs.as_raw_fd(), c"0".as_ptr().cast(), 1) as libc::c_long
            }
            Preparation::Identity { uid, gid } => {
                let (uid, gid) = (*uid, *gid);
                if libc::syscall(libc::SYS_setgroups, 0, 0) < 0
                    || libc::syscall(libc::SYS_setresgid, gid, gid, gid) < 0
                {
                    -1
                } else {
                    libc::syscall(libc::SYS_setresuid, uid, uid, uid)
                }
            }
        }
    };
    if result < 0 { Err(Step::Preparation) } else { Ok(()) }
}

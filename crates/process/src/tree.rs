//! Everything that a program started: who descends from it, and how they are all signalled.
#![allow(unsafe_code, reason = "process descriptors have no safe wrapper here")]

use std::{
    collections::HashMap,
    fs,
    os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd},
    time::{Duration, Instant},
};

use nix::{
    errno::Errno,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::signal::{Signal, kill, killpg},
    unistd::Pid,
};

/// How long a kill may chase processes that go on multiplying.
const CHASE: Duration = Duration::from_secs(3);
/// How long the killed are waited for, all together: on a busy machine a death takes its time, and one that sits
/// in the kernel may never come.
const BURIAL: Duration = Duration::from_secs(2);

/// Fields between the group of a process and the number of its threads (proc(5): the 5th and the 20th).
const THREADS: usize = 14;

/// All descendants of `root`, nearest first, without `root`.
pub(crate) fn descendants(root: Pid) -> Vec<Pid> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for (pid, place) in living() {
        children.entry(place.parent).or_default().push(pid);
    }
    let mut found = Vec::new();
    let mut next = vec![root.as_raw()];
    while let Some(pid) = next.pop() {
        for child in children.remove(&pid).unwrap_or_default() {
            found.push(Pid::from_raw(child));
            next.push(child);
        }
    }
    found
}

/// Where a process stands.
struct Place {
    parent: i32,
    group: i32,
}

impl Place {
    /// That of a process that has not ended (proc(5), `/proc/pid/stat`: the fields after the name, which itself
    /// may contain anything). One whose first thread has ended looks like a zombie and is none while other
    /// threads run.
    fn of(pid: i32) -> Option<Self> {
        let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
        let name_end = stat.iter().rposition(|byte| *byte == b')')?;
        let rest = std::str::from_utf8(stat.get(name_end + 1..)?).ok()?;
        let mut fields = rest.split_ascii_whitespace();
        let ended = matches!(fields.next()?, "Z" | "X");
        let place = Self { parent: fields.next()?.parse().ok()?, group: fields.next()?.parse().ok()? };
        let threads: u32 = fields.nth(THREADS)?.parse().ok()?;
        (!ended || threads > 1).then_some(place)
    }
}

/// All processes that have not ended.
fn living() -> impl Iterator<Item = (i32, Place)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        Some((pid, Place::of(pid)?))
    })
}

/// Sends `signal` to the group of `root` and to all its descendants.
pub(crate) fn signal_tree(root: Pid, signal: Signal) {
    let members = descendants(root);
    let _ = killpg(root, signal);
    signal_each(&members, signal);
}

/// Sends `signal` to the descendants of `root`, not to itself.
pub(crate) fn signal_descendants(root: Pid, signal: Signal) {
    signal_each(&descendants(root), signal);
}

fn signal_each(members: &[Pid], signal: Signal) {
    for pid in members {
        let _ = kill(*pid, signal);
    }
}

/// Kills the group of `root` and its descendants at once, so that none of them sees another one die.
pub(crate) fn kill_tree(root: Pid) {
    let _ = killpg(root, Signal::SIGSTOP);
    let members = descendants(root);
    signal_each(&members, Signal::SIGKILL);
    let _ = killpg(root, Signal::SIGKILL);
    let _ = kill(root, Signal::SIGKILL);
}

/// Kills everything below `root` first and `root` last: while it lives, the orphans that it adopts (it is a
/// subreaper, or holds a PID namespace) can still be found under it.
pub(crate) fn kill_below(root: Pid) {
    let end = Instant::now() + CHASE;
    loop {
        let members = descendants(root);
        if members.is_empty() || Instant::now() > end {
            break;
        }
        signal_each(&members, Signal::SIGKILL);
        std::thread::sleep(Duration::from_millis(2));
    }
    kill_tree(root);
}

/// Processes that were sentenced while they could still be found, by descriptors that stay theirs even when
/// their numbers are used again (pidfd_open(2)).
#[derive(Debug, Default)]
pub(crate) struct Condemned(Vec<OwnedFd>);

impl Condemned {
    /// Adds the present descendants of `root`.
    pub(crate) fn add(&mut self, root: Pid) {
        self.0.extend(descendants(root).into_iter().filter_map(open));
    }

    /// Kills what is left of the group of `leader`, which itself has ended, and adds those that are not gone yet.
    /// The kill comes first: from then on none of them can make another one that nobody would wait for.
    pub(crate) fn kill_group(&mut self, leader: Pid) {
        // Mostly there are none, and the system knows that sooner than a walk through all processes.
        if killpg(leader, Signal::SIGKILL).is_ok() {
            let members = living().filter(|(_, place)| place.group == leader.as_raw());
            self.0.extend(members.filter_map(|(pid, _)| open(Pid::from_raw(pid))));
        }
    }

    /// Kills those that still live, and waits a moment until they are gone.
    pub(crate) fn execute(&mut self) {
        for pidfd in &self.0 {
            // SAFETY: a plain system call on a descriptor that is open.
            unsafe {
                libc::syscall(
                    libc::SYS_pidfd_send_signal,
                    pidfd.as_raw_fd(),
                    libc::SIGKILL,
                    std::ptr::null::<libc::siginfo_t>(),
                    0,
                );
            }
        }
        let end = Instant::now() + BURIAL;
        for pidfd in self.0.drain(..) {
            let left = PollTimeout::try_from(end.saturating_duration_since(Instant::now()));
            let _ =
                poll(&mut [PollFd::new(pidfd.as_fd(), PollFlags::POLLIN)], left.unwrap_or(PollTimeout::ZERO));
        }
    }
}

/// Waits until the process `pid` has ended, at most for `patience`; whether it has. No such process has ended.
///
/// For a process that is nobody's to collect, such as one whose parent is gone: it is told apart from one that
/// takes its number later only if the call comes before that.
///
/// ```
/// use std::time::Duration;
/// let mut child = std::process::Command::new("true").spawn()?;
/// assert!(portcullis_process::await_end(child.id(), Duration::from_secs(60)));
/// child.wait()?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn await_end(pid: u32, patience: Duration) -> bool {
    let Some(pid) = i32::try_from(pid).ok().filter(|pid| *pid > 0) else { return true };
    let Some(pidfd) = open(Pid::from_raw(pid)) else {
        return kill(Pid::from_raw(pid), None) == Err(Errno::ESRCH);
    };
    let end = Instant::now() + patience;
    loop {
        let left = PollTimeout::try_from(end.saturating_duration_since(Instant::now()));
        match poll(&mut [PollFd::new(pidfd.as_fd(), PollFlags::POLLIN)], left.unwrap_or(PollTimeout::MAX)) {
            Err(Errno::EINTR) => {}
            Ok(0) | Err(_) => return false,
            Ok(_) => return true,
        }
    }
}

fn open(pid: Pid) -> Option<OwnedFd> {
    // SAFETY: a plain system call; on success the descriptor is new and ours.
    unsafe {
        let fd = libc::syscall(libc::SYS_pidfd_open, pid.as_raw(), 0);
        let fd = i32::try_from(fd).ok().filter(|fd| *fd >= 0)?;
        Some(OwnedFd::from_raw_fd(fd))
    }
}

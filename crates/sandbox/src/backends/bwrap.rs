//! bubblewrap: a file system view of its own, made of mounts, in namespaces of its own.
//!
//! The order of the mounts is the meaning of the policy; bubblewrap applies them as they are given. Mount
//! points are only ever existing files and directories, so that nothing is created on the host.

use std::{
    ffi::OsString,
    fs::File,
    io::{self, Read, Write},
    os::fd::{AsRawFd, OwnedFd},
    path::{Path, PathBuf},
    time::Duration,
};

use portcullis_process::{Preparation, Terminate};

use super::{Confined, Evidence, Shape, Site, system_program};
use crate::{CanonicalPolicy, Enforcement, Gap, Network, UnixSockets, seccomp};

const PLACES: [&str; 4] =
    ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"];

/// The namespaces and privileges of every run.
const HARDENING: [&str; 8] = [
    "--unshare-user",
    "--disable-userns",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--cap-drop",
    "ALL",
];

pub(crate) fn program() -> Result<PathBuf, String> {
    system_program(&PLACES).ok_or_else(|| {
        "bubblewrap is not installed; install it with your package manager (`apt-get install bubblewrap`)"
            .to_owned()
    })
}

pub(crate) fn supports(shape: &Shape, abi: i32) -> Result<Enforcement, String> {
    program()?;
    let mut gaps = Vec::new();
    if shape.confined {
        if shape.unix_sockets != UnixSockets::Refused {
            // A read-only mount does not keep anybody from connecting to a socket that lies on it.
            gaps.push(Gap::PathnameSockets);
            if !shape.blocked && abi < 6 {
                gaps.push(Gap::AbstractSockets);
            }
        }
        if !shape.limited {
            gaps.push(Gap::Processes);
        }
        if shape.writable {
            gaps.extend([Gap::HardLinks, Gap::ProtectedNew]);
        }
    }
    Ok(Enforcement::with_gaps(gaps))
}

/// Wraps `command` (an absolute program and its arguments).
pub(crate) fn confine(
    command: &[OsString],
    policy: &CanonicalPolicy,
    site: &Site<'_>,
) -> io::Result<Confined> {
    let needed = site.daemons.iter().chain(&policy.hidden).filter(|path| is_there(path)).cloned().collect();
    let (status, status_writer) = io::pipe()?;
    let (filter, mut filter_writer) = io::pipe()?;
    let bytes =
        seccomp::bubblewrap(policy.network, !policy.refuses_unix_sockets()).map_err(io::Error::other)?;
    // Far below the size of a pipe, so that the write does not wait for a reader.
    filter_writer.write_all(&bytes)?;
    drop(filter_writer);
    let status_writer: OwnedFd = status_writer.into();
    let filter: OwnedFd = filter.into();

    let mut argv: Vec<OsString> = vec![program().map_err(io::Error::other)?.into()];
    argv.extend(arguments(policy, site).into_iter().map(OsString::from));
    for (option, fd) in [("--json-status-fd", &status_writer), ("--seccomp", &filter)] {
        argv.extend([option.into(), fd.as_raw_fd().to_string().into()]);
    }
    argv.extend(["--chdir".into(), site.directory.into(), "--".into()]);
    argv.extend(command.iter().cloned());

    let mut preparations = Vec::new();
    if let Some((uid, gid)) = site.user {
        preparations.push(Preparation::Identity { uid, gid });
    }
    if let Some(ruleset) = crate::launcher::scopes(site.abi)? {
        // Applied before bubblewrap itself starts: a domain that governs no files leaves it its mounts.
        preparations.extend([Preparation::NoNewPrivileges, Preparation::Landlock(ruleset)]);
    }
    let (status_number, filter_number) = (status_writer.as_raw_fd(), filter.as_raw_fd());
    Ok(Confined {
        argv,
        descriptors: vec![(status_writer, status_number), (filter, filter_number)],
        preparations,
        terminate: Terminate::Descendants,
        status,
        needed,
    })
}

/// The mounts and namespaces, without the descriptors of one run. Pure but for looking at what exists.
pub(crate) fn arguments(policy: &CanonicalPolicy, site: &Site<'_>) -> Vec<String> {
    let mut list = Arguments(Vec::new());
    let confined = policy.restricts_writes();
    let everything = policy.writable_roots().any(|root| root == "/");
    match (confined, everything) {
        (true, false) => list.add(["--ro-bind", "/", "/"]),
        (true, true) => list.add(["--bind", "/", "/"]),
        (false, _) => list.add(["--dev-bind", "/", "/"]),
    }
    if confined {
        let temporary = text(site.temporary);
        list.add(["--bind", &temporary, "/tmp"]);
        list.add(["--bind", &temporary, &temporary]);
        // What the private directory covers comes back as far as the policy speaks of it.
        for path in policy.workspace.iter().map(String::as_str).chain([&*text(site.directory)]) {
            if below_tmp(path) && !policy.writable_roots().any(|root| portcullis_paths::is_within(path, root))
            {
                list.add(["--ro-bind-try", path, path]);
            }
        }
        for root in policy.base_writable.iter().filter(|root| *root != "/") {
            list.add(["--bind-try", root, root]);
        }
    }
    let mut holes = Vec::new();
    for path in &policy.denied {
        let spots = policy.readonly.iter().chain(&policy.writable);
        let has_spots = spots.into_iter().any(|spot| portcullis_paths::is_within(spot, path));
        list.hole(path, has_spots, site, &mut holes);
    }
    for root in &policy.readonly {
        list.add(["--ro-bind-try", root, root]);
    }
    for root in policy.writable.iter().filter(|root| *root != "/") {
        let option = if policy.workspace.contains(root) { "--bind" } else { "--bind-try" };
        list.add([option, root, root]);
    }
    list.protect(policy);
    for path in &policy.hidden {
        list.hole(path, false, site, &mut holes);
    }
    if confined {
        for path in site.daemons.iter().filter(|path| !policy.hidden.contains(path)) {
            list.hole(path, false, site, &mut holes);
        }
    }
    // After the spots inside them: bubblewrap could not make their mount points any more.
    for hole in &holes {
        list.add(["--remount-ro", hole]);
    }
    if confined {
        list.add(["--dev", "/dev"]);
        list.add(["--proc", "/proc"]);
        list.add(["--ro-bind", "/proc/sys", "/proc/sys"]);
        list.add(["--ro-bind", "/sys", "/sys"]);
        list.add(HARDENING);
    } else {
        list.add(["--unshare-user", "--disable-userns", "--cap-drop", "ALL"]);
    }
    list.add(["--die-with-parent"]);
    if !site.terminal {
        list.add(["--new-session"]);
    }
    if policy.network == Network::Blocked {
        list.add(["--unshare-net"]);
    }
    list.0
}

struct Arguments(Vec<String>);

impl Arguments {
    fn add<const N: usize>(&mut self, words: [&str; N]) {
        self.0.extend(words.map(str::to_owned));
    }

    /// Puts nothing in the place of `path`. What does not exist needs no hole, and gets no mount point.
    fn hole(&mut self, path: &str, has_spots: bool, site: &Site<'_>, holes: &mut Vec<String>) {
        let Ok(metadata) = std::fs::symlink_metadata(path) else { return };
        if metadata.is_dir() {
            // Spots inside must be reached; otherwise not even the emptiness can be looked at.
            self.add(["--perms", if has_spots { "0755" } else { "0000" }, "--tmpfs", path]);
            holes.push(path.to_owned());
        } else {
            let mask = site.masks.get(path).map_or(site.mask, PathBuf::as_path);
            self.add(["--ro-bind", &text(mask), path]);
        }
    }

    /// Protected paths, and every directory between them and the writable root: a mount point cannot be
    /// renamed or removed, so that no other tree can be put in its place.
    fn protect(&mut self, policy: &CanonicalPolicy) {
        let mut held: Vec<String> = Vec::new();
        let mut protected = Vec::new();
        for (path, root) in policy.protected_in_writable() {
            if !Path::new(path).exists() {
                continue;
            }
            let between = Path::new(path).ancestors().skip(1).map(text);
            let mut between: Vec<String> =
                between.take_while(|directory| directory != root && directory.len() > root.len()).collect();
            between.reverse();
            held.extend(between);
            protected.push(path);
        }
        held.sort_by_key(|directory| directory.matches('/').count());
        held.dedup();
        for directory in held.iter().filter(|directory| !policy.writable.contains(directory)) {
            self.add(["--bind", directory, directory]);
        }
        for path in protected {
            self.add(["--ro-bind", path, path]);
        }
    }
}

fn is_there(path: &str) -> bool {
    Path::new(path).symlink_metadata().is_ok()
}

fn below_tmp(path: &str) -> bool {
    portcullis_paths::is_within(path, "/tmp")
}

fn text(path: impl AsRef<Path>) -> String {
    path.as_ref().to_string_lossy().into_owned()
}

/// How long the end of a namespace is waited for: on a busy machine it takes its time, and a process that sits in
/// the kernel may never end.
const BURIAL: Duration = Duration::from_secs(5);

/// Reads the status channel: an `exit-code` record means that the command itself ran, and the command
/// cannot write there.
///
/// bubblewrap ends as soon as the command does, and its own end kills the first process of the namespace
/// (`--die-with-parent`), with which the kernel kills all others (pid_namespaces(7)); that takes a moment, and
/// nothing may be there after the result.
pub(crate) fn evidence(mut status: File) -> Evidence {
    let mut text = String::new();
    // The channel is non-blocking: what is there is all there is.
    let _ = status.read_to_string(&mut text);
    let records: Vec<serde_json::Value> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let first = records.iter().find_map(|record| record.get("child-pid")?.as_u64());
    if let Some(first) = first.and_then(|pid| u32::try_from(pid).ok())
        && !portcullis_process::await_end(first, BURIAL)
    {
        tracing::warn!(pid = first, "something of a confined run is still ending");
    }
    let ran = records.iter().any(|record| record.get("exit-code").is_some());
    if ran { Evidence::Ran } else { Evidence::NeverRan }
}

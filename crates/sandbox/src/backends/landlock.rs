//! Landlock and seccomp through the launcher: nothing needs to be installed.

use std::{
    ffi::OsString,
    fs::File,
    io::{self, Read},
    os::fd::{AsRawFd, OwnedFd},
    path::Path,
};

use portcullis_process::Terminate;

use super::{Confined, Evidence, Shape, Site};
use crate::{CanonicalPolicy, Enforcement, Gap, Mode, Network, UnixSockets};

pub(crate) fn supports(policy: &CanonicalPolicy, shape: &Shape, abi: i32) -> Result<Enforcement, String> {
    // Landlock only grants: below something readable nothing can be taken away again.
    if !policy.denied.is_empty() {
        return Err("Landlock cannot cut denied trees out of a readable file system".to_owned());
    }
    if let Some(root) = policy.writable_roots().find(|root| reaches_the_kernel(root)) {
        return Err(format!(
            "Landlock cannot keep /proc, /sys and /dev from being written below the writable root `{root}`"
        ));
    }
    if policy.mode == Mode::DangerFullAccess && !policy.hidden.is_empty() {
        return Err("Landlock cannot hide paths in an otherwise unrestricted run".to_owned());
    }
    available(shape, abi)
}

/// A writable root that is, contains or lies in a tree through which the kernel and the machine are changed.
/// Shared memory is no such tree.
fn reaches_the_kernel(root: &str) -> bool {
    ["/proc", "/sys", "/dev"].iter().any(|tree| {
        portcullis_paths::is_within(tree, root)
            || (portcullis_paths::is_within(root, tree) && !root.starts_with("/dev/shm/"))
    })
}

/// The gaps for policies of this shape, or why there is no Landlock.
pub(crate) fn available(shape: &Shape, abi: i32) -> Result<Enforcement, String> {
    if abi < 1 {
        return Err(
            "the kernel has no Landlock; boot a kernel with CONFIG_SECURITY_LANDLOCK and `landlock` \
                    in its `lsm=` list"
                .to_owned(),
        );
    }
    let mut gaps = Vec::new();
    if shape.confined {
        let sockets = shape.unix_sockets == UnixSockets::Allowed;
        let conditional = [
            (true, Gap::Metadata),
            (sockets, Gap::PathnameSockets),
            (sockets && abi < 6, Gap::AbstractSockets),
            (abi < 3, Gap::Truncate),
            (abi < 5, Gap::DeviceIoctls),
            (abi < 6, Gap::Signals),
            (!shape.limited, Gap::Processes),
            (shape.writable, Gap::HardLinks),
            (shape.writable, Gap::ProtectedNew),
            (shape.protected, Gap::ProtectedPaths),
            (shape.hidden, Gap::HiddenPaths),
        ];
        gaps.extend(conditional.into_iter().filter_map(|(open, gap)| open.then_some(gap)));
    }
    Ok(Enforcement::with_gaps(gaps))
}

/// Wraps `command` (an absolute program and its arguments).
pub(crate) fn confine(
    command: &[OsString],
    policy: &CanonicalPolicy,
    site: &Site<'_>,
) -> io::Result<Confined> {
    if site.launcher.is_empty() {
        return Err(io::Error::other("no launcher is configured"));
    }
    let (status, status_writer) = io::pipe()?;
    let status_writer: OwnedFd = status_writer.into();
    let number = status_writer.as_raw_fd();
    let mut argv = site.launcher.to_vec();
    argv.extend(arguments(policy, site));
    argv.extend(["--status-fd".into(), number.to_string().into(), "--".into()]);
    argv.extend(command.iter().cloned());
    Ok(Confined {
        argv,
        descriptors: vec![(status_writer, number)],
        preparations: Vec::new(),
        terminate: Terminate::Leader,
        status,
        needed: Vec::new(),
    })
}

/// The launcher's options for a policy.
pub(crate) fn arguments(policy: &CanonicalPolicy, site: &Site<'_>) -> Vec<OsString> {
    let mut list: Vec<OsString> = Vec::new();
    if policy.restricts_writes() {
        list.extend(["--ro".into(), "/".into(), "--rw".into(), site.temporary.into()]);
        for root in policy.writable_roots() {
            // A root of the workspace that is not there is an error; others are granted where they exist.
            if policy.workspace.contains(root) || Path::new(root).exists() {
                list.extend(["--rw".into(), root.into()]);
            }
        }
        list.extend(["--scope".into(), "signals,sockets".into()]);
    }
    let network = if policy.network == Network::Blocked { "blocked" } else { "open" };
    list.extend(["--net".into(), network.into()]);
    if policy.unix_sockets == UnixSockets::Allowed {
        list.push("--allow-unix-sockets".into());
    }
    if let Some((uid, gid)) = site.user {
        list.extend(["--user".into(), format!("{uid}:{gid}").into()]);
    }
    list
}

/// Reads the status channel, which the command cannot write to.
pub(crate) fn evidence(mut status: File) -> Evidence {
    let mut text = String::new();
    let _ = status.read_to_string(&mut text);
    for line in text.lines() {
        if line == "started" {
            return Evidence::Ran;
        }
        if let Some(errno) = line.strip_prefix("exec-failed ").and_then(|number| number.parse().ok()) {
            return Evidence::ExecFailed(errno);
        }
    }
    Evidence::NeverRan
}

#[cfg(test)]
mod tests {
    use super::reaches_the_kernel;

    #[test]
    fn roots_that_hold_the_kernels_trees_are_told() {
        for root in ["/", "/proc", "/proc/sys/kernel", "/sys/fs/cgroup", "/dev", "/dev/pts", "/dev/shm"] {
            assert!(reaches_the_kernel(root), "{root}");
        }
        for root in ["/home/u", "/process", "/dev/shm/project", "/devel", "/tmp"] {
            assert!(!reaches_the_kernel(root), "{root}");
        }
    }
}

//! Daemons that would act for a confined command: out of reach in every confined mode.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::{OsStr, OsString},
    fs,
    os::unix::fs::FileTypeExt,
    path::Path,
};

/// Sockets and directories of sockets with which a command could leave: containers, service managers,
/// message buses, name services that run code.
const PLACES: [&str; 17] = [
    "/run/docker.sock",
    "/run/docker",
    "/run/podman",
    "/run/containerd",
    "/run/crio",
    "/run/buildkit",
    "/run/lxd.socket",
    "/var/lib/lxd/unix.socket",
    "/var/snap/lxd/common/lxd/unix.socket",
    "/var/lib/incus/unix.socket",
    "/run/libvirt",
    "/run/user",
    "/run/dbus",
    "/run/systemd/private",
    "/run/systemd/notify",
    "/run/snapd.socket",
    "/run/gssproxy.sock",
];

/// Environment variables that name a socket.
const VARIABLES: [&str; 4] = ["SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "DOCKER_HOST", "WAYLAND_DISPLAY"];

/// At most so many sockets are masked beyond the fixed places.
const MOST: usize = 64;

/// The places that exist, as real paths: the fixed ones, those named by the environment, and every socket
/// that is bound to a path now (`/proc/net/unix`), except below `open`.
pub(crate) fn present(environment: &BTreeMap<OsString, OsString>, open: &[&str]) -> Vec<String> {
    let mut found = BTreeSet::new();
    let mut add = |path: &str| {
        if let Ok(real) = Path::new(path).canonicalize()
            && let Some(real) = real.to_str()
        {
            found.insert(real.to_owned());
        }
    };
    PLACES.iter().for_each(|place| add(place));
    for name in VARIABLES {
        if let Some(path) = environment.get(OsStr::new(name)).and_then(|value| socket_path(value.to_str()?)) {
            // Nothing but a socket: a value that names a directory must not take that away from the run.
            if fs::metadata(path).is_ok_and(|found| found.file_type().is_socket()) {
                add(path);
            }
        }
    }
    let bound = fs::read("/proc/net/unix").unwrap_or_default();
    let bound = String::from_utf8_lossy(&bound);
    bound_paths(&bound)
        .filter(|path| !open.iter().any(|root| portcullis_paths::is_within(path, root)))
        .take(MOST)
        .for_each(add);
    let all: Vec<String> = found.into_iter().collect();
    // A directory hides what is below it.
    let covered = |path: &String| {
        all.iter().any(|other| {
            other != path && portcullis_paths::is_within(path, other) && Path::new(other).is_dir()
        })
    };
    all.iter().filter(|path| !covered(path)).cloned().collect()
}

/// The path in `unix:path=/x,guid=y`, `unix:///x` or `/x`.
fn socket_path(value: &str) -> Option<&str> {
    let rest = value.strip_prefix("unix:path=").or_else(|| value.strip_prefix("unix://")).unwrap_or(value);
    rest.split([',', ';']).next().filter(|path| path.starts_with('/'))
}

/// The last column of `/proc/net/unix` (proc(5)), where it is a path.
fn bound_paths(listing: &str) -> impl Iterator<Item = &str> {
    listing.lines().filter_map(|line| line.get(line.find(" /")? + 1..))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_names_no_socket_hides_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let real = dir.path().canonicalize().unwrap();
        let socket = real.join("agent");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for (value, hides) in
            [("/", false), (real.to_str().unwrap(), false), (socket.to_str().unwrap(), true)]
        {
            let environment = BTreeMap::from([("SSH_AUTH_SOCK".into(), value.into())]);
            let found = present(&environment, &[]);
            assert_eq!(found.iter().any(|path| path == value), hides, "{value}");
        }
    }

    #[test]
    fn reads_addresses_and_listings() {
        assert_eq!(socket_path("unix:path=/run/user/1/bus,guid=x"), Some("/run/user/1/bus"));
        assert_eq!(socket_path("unix:///run/docker.sock"), Some("/run/docker.sock"));
        assert_eq!(socket_path("/tmp/ssh/agent.1"), Some("/tmp/ssh/agent.1"));
        assert_eq!(socket_path("tcp://127.0.0.1:1"), None);
        assert_eq!(socket_path("wayland-0"), None);
        let listing = "Num RefCount Protocol Flags Type St Inode Path\n\
                       0: 00000002 00000000 00010000 0001 01 22 /run/a b.sock\n\
                       0: 00000003 00000000 00000000 0001 03 23\n\
                       0: 00000002 00000000 00010000 0001 01 24 @/abstract\n";
        assert_eq!(bound_paths(listing).collect::<Vec<_>>(), ["/run/a b.sock"]);
    }
}

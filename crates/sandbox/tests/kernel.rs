//! Ways out that lead through the kernel rather than through files: each is held under both back ends, as root and
//! as an unprivileged user.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    unreachable_pub,
    dead_code,
    reason = "test code"
)]

mod support;

use std::{
    fs,
    os::unix::net::UnixDatagram,
    process::{Command, Stdio},
    time::Duration,
};

use portcullis_process::ExitState;
use portcullis_sandbox::{BackendName, Gap, Network, Policy, Sandbox, UnixSockets};
use support::{BACKENDS, World, as_each_user, launcher, stderr, stdout};

/// What a program in Python prints.
fn python(world: &World, program: &str) -> (String, Vec<Gap>) {
    let outcome = world.try_run(&world.workspace(), &["/usr/bin/python3", "-c", program]).unwrap();
    assert_eq!(outcome.facts.backend, Some(world.backend));
    assert_eq!(outcome.state, ExitState::Code(0), "{}: {}", world.backend, stderr(&outcome));
    (stdout(&outcome), outcome.facts.enforcement.gaps().to_vec())
}

/// The same without any new Unix socket.
fn python_without_sockets(world: &World, program: &str) -> (String, Vec<Gap>) {
    let policy = Policy { unix_sockets: UnixSockets::Refused, ..world.workspace() };
    let outcome = world.try_run(&policy, &["/usr/bin/python3", "-c", program]).unwrap();
    assert_eq!(outcome.facts.backend, Some(world.backend));
    (stdout(&outcome), outcome.facts.enforcement.gaps().to_vec())
}

#[test]
fn new_unix_sockets_are_refused_where_the_policy_refuses_them() {
    as_each_user("new_unix_sockets_are_refused_where_the_policy_refuses_them", || {
        for backend in BACKENDS {
            for network in [Network::Blocked, Network::Open] {
                let mut world = World::new(backend);
                world.network = network;
                let path = world.text("ws/daemon");
                let daemon = UnixDatagram::bind(&path).unwrap();
                daemon.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
                let setup = format!("path = {path:?}");
                let lines = [
                    "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', path)",
                    "socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)",
                    "socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)",
                    "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', path)",
                    "socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW | socket.SOCK_CLOEXEC)[0].sendto(b'x', path)",
                    "call(425, 4, ctypes.create_string_buffer(256))",
                    "a, b = socket.socketpair(); a.send(b'x'); assert b.recv(1) == b'x'",
                ];
                let (said, gaps) = python_without_sockets(&world, &tries(&setup, &lines));
                assert_eq!(said, "out\nout\nout\nout\nout\nout\nin\n", "{backend}");
                assert!(daemon.recv(&mut [0; 8]).is_err(), "{backend}: a message arrived");
                assert!(!gaps.contains(&Gap::PathnameSockets), "{backend}");
                assert!(!gaps.contains(&Gap::AbstractSockets), "{backend}");
                let asked = Policy { unix_sockets: UnixSockets::Refused, ..world.workspace() };
                assert_eq!(world.sandbox.enforcement(backend, &asked).unwrap().gaps(), gaps, "{backend}");
            }
        }
    });
}

#[test]
fn unix_sockets_that_a_policy_allows_work_and_are_a_gap() {
    as_each_user("unix_sockets_that_a_policy_allows_work_and_are_a_gap", || {
        for backend in BACKENDS {
            let world = World::new(backend);
            let policy = Policy { unix_sockets: UnixSockets::Allowed, ..world.workspace() };
            let program = "import socket\na = socket.socket(socket.AF_UNIX); a.bind('made'); a.listen()\n\
                           b = socket.socket(socket.AF_UNIX); b.connect('made'); print('in')";
            let outcome = world.try_run(&policy, &["/usr/bin/python3", "-c", program]).unwrap();
            assert_eq!(stdout(&outcome), "in\n", "{backend}: {}", stderr(&outcome));
            assert!(outcome.facts.enforcement.gaps().contains(&Gap::PathnameSockets), "{backend}");
        }
    });
}

/// Runs each line of Python; prints `in` for what worked and `out` for what did not.
fn tries(setup: &str, lines: &[&str]) -> String {
    let mut program = format!("import os, socket, resource, ctypes\n{setup}\n");
    program.push_str(
        "libc = ctypes.CDLL(None, use_errno=True)\n\
         def call(*a):\n    r = libc.syscall(*a)\n    if r < 0: raise OSError(ctypes.get_errno(), 'x')\n    return r\n",
    );
    for line in lines {
        program.push_str(&format!("try:\n    {line}\n    print('in')\nexcept OSError:\n    print('out')\n"));
    }
    program
}

#[test]
fn pairs_of_sockets_reach_no_socket_outside() {
    as_each_user("pairs_of_sockets_reach_no_socket_outside", || {
        for backend in BACKENDS {
            let world = World::new(backend);
            let path = world.text("outside/daemon");
            let daemon = UnixDatagram::bind(&path).unwrap();
            daemon.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
            let setup = format!("path = {path:?}\nkinds = [socket.SOCK_DGRAM, socket.SOCK_RAW]");
            let sends = [
                "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', path)",
                "socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)[0].sendto(b'x', path)",
                "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)[0].connect(path)",
                "socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)[0].connect(path)",
                "socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)[0].connect(path)",
            ];
            let (said, gaps) = python(&world, &tries(&setup, &sends));
            assert!(daemon.recv(&mut [0; 8]).is_err(), "{backend}: a message arrived");
            assert!(gaps.contains(&Gap::PathnameSockets) || !said.contains("in"), "{backend}: {said}");
            let streams = "a, b = socket.socketpair(); a.send(b'x'); assert b.recv(1) == b'x'";
            assert_eq!(
                python(&world, &tries("", &[streams])).0,
                "in\n",
                "{backend}: node and Python need them"
            );
        }
    });
}

#[test]
fn no_user_namespace_is_made_inside() {
    as_each_user("no_user_namespace_is_made_inside", || {
        for backend in BACKENDS {
            let world = World::new(backend);
            let numbers = if cfg!(target_arch = "x86_64") { (272, 56) } else { (97, 220) };
            let (unshare, clone) = numbers;
            let new_user = 0x1000_0000;
            // clone with SIGCHLD, whose child ends at once; clone3 with a `struct clone_args` of eight words.
            let forked =
                format!("r = call({clone}, {new_user} | 17, 0, 0, 0, 0)\n    if r == 0: os._exit(0)");
            let third = format!(
                "call(435, (ctypes.c_uint64 * 8)({new_user}, 0, 0, 0, 17, 0, 0, 0), 64) or os._exit(0)"
            );
            let alone = format!("call({unshare}, {new_user})");
            let lines = [alone.as_str(), &forked, &third];
            assert_eq!(python(&world, &tries("", &lines)).0, "out\nout\nout\n", "{backend}");
            let threads = "import threading\n    t = threading.Thread(target=print); t.start(); t.join()";
            assert!(python(&world, &tries("", &[threads])).0.ends_with("in\n"), "{backend}: threads start");
        }
    });
}

#[test]
fn limits_of_outside_processes_are_out_of_reach() {
    as_each_user("limits_of_outside_processes_are_out_of_reach", || {
        for backend in BACKENDS {
            let world = World::new(backend);
            let mut outside = Command::new("sleep").arg("600").stdout(Stdio::null()).spawn().unwrap();
            let limits = format!("/proc/{}/limits", outside.id());
            let before = fs::read_to_string(&limits).unwrap();
            let foreign = format!("resource.prlimit({}, resource.RLIMIT_CPU, (1, 1))", outside.id());
            let own = "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))";
            let said = python(&world, &tries("", &[&foreign, own])).0;
            let after = fs::read_to_string(&limits).unwrap();
            outside.kill().unwrap();
            outside.wait().unwrap();
            assert!(said == "out\nin\n" || said.contains("ProcessLookupError"), "{backend}: {said}");
            assert_eq!(before, after, "{backend}");
        }
    });
}

#[test]
fn keyrings_and_rings_are_closed() {
    as_each_user("keyrings_and_rings_are_closed", || {
        for backend in BACKENDS {
            let world = World::new(backend);
            let (add, keyctl) = if cfg!(target_arch = "x86_64") { (248, 250) } else { (217, 219) };
            let add = format!("call({add}, b'user', b'portcullis-test', b'x', 1, -2)");
            let session = format!("call({keyctl}, 0, -3, 0)");
            let lines = [add.as_str(), &session, "call(425, 4, ctypes.create_string_buffer(256))"];
            assert_eq!(python(&world, &tries("", &lines)).0, "out\nout\nout\n", "{backend}");
        }
    });
}

#[test]
fn landlock_takes_no_root_below_which_the_kernel_is_changed() {
    let sandbox = Sandbox::new(vec![launcher()]).pinned(BackendName::Landlock);
    for root in ["/", "/proc", "/sys", "/dev"] {
        let policy = Policy::workspace_write([root]);
        let options = World::new(BackendName::Landlock).options();
        let error = sandbox.run(&["true".into()], &policy, &options).unwrap_err().to_string();
        assert!(error.contains("/proc, /sys and /dev") && error.contains(&format!("`{root}`")), "{error}");
    }
}

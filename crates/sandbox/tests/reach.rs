//! What a confined command can reach beyond files: networks, processes, daemons, terminals, the kernel.
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
    fs::{self, File},
    io::Read,
    net::{TcpListener, UdpSocket},
    os::unix::net::UnixListener,
    process::{Command, Stdio},
    time::Duration,
};

use portcullis_process::ExitState;
use portcullis_sandbox::{BackendName, Gap, Network};
use support::{BACKENDS, World, as_each_user, stderr, stdout};

/// A small program in Python, which the tests find on every machine that builds this.
fn python(world: &World, policy: &portcullis_sandbox::Policy, program: &str) -> portcullis_sandbox::Outcome {
    let outcome = world.try_run(policy, &["/usr/bin/python3", "-c", program]).unwrap();
    assert_eq!(outcome.facts.backend, Some(world.backend));
    outcome
}

#[test]
fn a_blocked_network_carries_nothing_out() {
    as_each_user("a_blocked_network_carries_nothing_out", || {
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        tcp.set_nonblocking(true).unwrap();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        udp.set_nonblocking(true).unwrap();
        let (tcp_port, udp_port) = (tcp.local_addr().unwrap().port(), udp.local_addr().unwrap().port());
        for backend in BACKENDS {
            let mut world = World::new(backend);
            for policy in [world.read_only(), world.workspace()] {
                let outcome = world.sh(&policy, &format!("exec 3<>/dev/tcp/127.0.0.1/{tcp_port} && echo in"));
                assert_ne!(outcome.state, ExitState::Code(0), "{backend}");
                assert!(tcp.accept().is_err(), "{backend}: a connection arrived");
                let _ = world.sh(&policy, &format!("echo x > /dev/udp/127.0.0.1/{udp_port}"));
                std::thread::sleep(Duration::from_millis(20));
                assert!(udp.recv(&mut [0; 8]).is_err(), "{backend}: a datagram arrived");
            }
            world.network = Network::Open;
            let outcome =
                world.sh(&world.workspace(), &format!("exec 3<>/dev/tcp/127.0.0.1/{tcp_port} && echo in"));
            assert_eq!(stdout(&outcome), "in\n", "{backend}: {}", stderr(&outcome));
            assert!(tcp.accept().is_ok(), "{backend}: an open network works");
        }
    });
}

#[test]
fn socket_families_beyond_the_internet_are_refused_when_blocked() {
    as_each_user("socket_families_beyond_the_internet_are_refused_when_blocked", || {
        // Family, type, protocol. Under bubblewrap the ordinary ones exist, in an empty network of their own.
        let program = "import socket\nfor f, t, p in [(40,1,0),(2,1,0),(10,2,0),(16,3,9),(17,3,3),(38,5,0),(44,3,0),(60,1,0)]:\n \
                       try:\n  socket.socket(f, t, p); print(f)\n except OSError: pass\n\
                       socket.socket(16, 3, 0); a, b = socket.socketpair(); a.send(b'x'); print(b.recv(1))";
        for backend in BACKENDS {
            let world = World::new(backend);
            let outcome = python(&world, &world.workspace(), program);
            let made: Vec<String> = stdout(&outcome).lines().map(str::to_owned).collect();
            assert_eq!(
                made.last().unwrap(),
                "b'x'",
                "{backend}: socketpair and routing work: {}",
                stderr(&outcome)
            );
            assert!(!made.contains(&"40".to_owned()), "{backend}: vsock has no namespace");
            if backend == BackendName::Landlock {
                assert_eq!(made.len(), 1, "{made:?}");
            }
        }
    });
}

#[test]
fn outside_processes_are_out_of_reach() {
    as_each_user("outside_processes_are_out_of_reach", || {
        for backend in BACKENDS {
            let world = World::new(backend);
            let mut victim = Command::new("sleep").arg("600").env("CANARY", "hunter2").spawn().unwrap();
            let pid = victim.id();
            let script = format!(
                "kill -9 {pid}; kill -9 -1; cat /proc/{pid}/environ | tr '\\0' ' '; ls /proc/{pid}/root/; \
                 echo x > /proc/{pid}/root{}/new; true",
                world.text("outside")
            );
            for policy in [world.read_only(), world.workspace()] {
                let outcome = world.sh(&policy, &script);
                assert!(
                    victim.try_wait().unwrap().is_none(),
                    "{backend}: it was killed: {}",
                    stderr(&outcome)
                );
                assert!(!stdout(&outcome).contains("hunter2"), "{backend}");
                assert!(!world.path("outside/new").exists(), "{backend}");
            }
            victim.kill().unwrap();
            victim.wait().unwrap();
        }
    });
}

/// The outcome of a run that its time-out ended after the script had made the file `up`: a busy machine may need
/// more than the shortest limit for that.
fn timed_out_once_up(world: &mut World, script: &str) -> portcullis_sandbox::Outcome {
    for milliseconds in [500, 2_000, 8_000, 32_000] {
        let _ = fs::remove_file(world.path("ws/up"));
        world.timeout = Duration::from_millis(milliseconds);
        let outcome = world.sh(&world.workspace(), script);
        assert!(outcome.timed_out, "{}: {outcome:?}", world.backend);
        assert!(outcome.duration < Duration::from_secs(100), "{}: {outcome:?}", world.backend);
        if world.path("ws/up").exists() {
            return outcome;
        }
    }
    panic!("{}: `{script}` did not get ready", world.backend);
}

#[test]
fn nothing_survives_a_run() {
    as_each_user("nothing_survives_a_run", || {
        for backend in BACKENDS {
            let mut world = World::new(backend);
            // A daemon by the book: new session, parent gone, descriptors closed. While it lives it holds a lock
            // (flock(2): until the last process that has the descriptor is gone).
            let daemon = "(setsid sh -c 'exec >/dev/null 2>&1 </dev/null 9>held; trap \"\" TERM HUP; flock 9; \
                          touch up; while :; do sleep 0.05; done' &) ; until test -e up; do sleep 0.02; done";
            let lives = || File::open(world.path("ws/held")).unwrap().try_lock().is_err();
            let outcome = world.sh(&world.workspace(), &format!("{daemon}; echo done; exit 5"));
            assert_eq!(
                (outcome.state, stdout(&outcome).as_str()),
                (ExitState::Code(5), "done\n"),
                "{backend}"
            );
            assert!(!lives(), "{backend}: the daemon lives on");

            timed_out_once_up(&mut world, &format!("{daemon}; sleep 300"));
            let lives = || File::open(world.path("ws/held")).unwrap().try_lock().is_err();
            assert!(!lives(), "{backend}: it lives on");
        }
    });
}

#[test]
fn a_timeout_lets_the_command_clean_up() {
    as_each_user("a_timeout_lets_the_command_clean_up", || {
        for backend in BACKENDS {
            let mut world = World::new(backend);
            let script = "trap 'echo cleaned; exit 9' TERM; touch up; while :; do sleep 0.05; done";
            let outcome = timed_out_once_up(&mut world, script);
            assert_eq!(stdout(&outcome), "cleaned\n", "{backend}: {outcome:?}");
            assert_eq!(outcome.state, ExitState::Code(9), "{backend}");
            assert!(!outcome.facts.launcher_failed);
        }
    });
}

#[test]
fn a_fork_bomb_meets_the_process_limit() {
    as_each_user("a_fork_bomb_meets_the_process_limit", || {
        for backend in BACKENDS {
            let mut world = World::new(backend);
            world.sandbox.processes = Some(48);
            world.timeout = Duration::from_secs(100);
            // A bounded bomb: it tries 4,000 children that stay, and counts the ones it got.
            let program = "import os, sys, time\nn = 0\nfor i in range(4000):\n try:\n  p = os.fork()\n except OSError:\n  break\n \
                           if p == 0:\n  time.sleep(60); os._exit(0)\n n += 1\nprint(n)";
            let outcome = python(&world, &world.workspace(), program);
            let made: u32 =
                stdout(&outcome).trim().parse().unwrap_or_else(|_| panic!("{backend}: {outcome:?}"));
            assert!(!outcome.facts.enforcement.gaps().contains(&Gap::Processes), "{backend}");
            assert!(made < 2000, "{backend}: {made} processes");
            if support::is_root() {
                assert!(made < 48, "{backend}: {made} processes");
            }
        }
    });
}

#[test]
fn sockets_of_daemons_are_out_of_reach() {
    as_each_user("sockets_of_daemons_are_out_of_reach", || {
        for backend in BACKENDS {
            let mut world = World::new(backend);
            world.network = Network::Open;
            let listener = UnixListener::bind(world.path("outside/daemon.sock")).unwrap();
            listener.set_nonblocking(true).unwrap();
            let abstract_name = format!("portcullis-test-{}-{backend}", std::process::id());
            let mut holder = Command::new("/usr/bin/python3")
                .args(["-c", "import socket,sys,time\ns=socket.socket(1);s.bind('\\0'+sys.argv[1]);s.listen();print('up',flush=True);time.sleep(600)", &abstract_name])
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            holder.stdout.as_mut().unwrap().read_exact(&mut [0; 3]).unwrap();
            let program = format!(
                "import socket\nfor a in [{:?}, '\\0{abstract_name}']:\n try:\n  s = socket.socket(1); s.connect(a); print('in', a)\n except OSError as e: print(e.errno)",
                world.text("outside/daemon.sock")
            );
            for policy in [world.read_only(), world.workspace()] {
                let outcome = python(&world, &policy, &program);
                assert!(!stdout(&outcome).contains("in"), "{backend}: {}", stdout(&outcome));
                assert!(listener.accept().is_err(), "{backend}");
            }
            holder.kill().unwrap();
            holder.wait().unwrap();
        }
    });
}

#[test]
fn the_kernel_and_the_terminal_are_out_of_reach() {
    as_each_user("the_kernel_and_the_terminal_are_out_of_reach", || {
        let pattern = fs::read("/proc/sys/kernel/core_pattern").unwrap();
        for backend in BACKENDS {
            let world = World::new(backend);
            // Others may mount things meanwhile: what counts is what the scripts try.
            let mounts = || {
                let listing = fs::read_to_string("/proc/self/mountinfo").unwrap();
                let point = |line: &str| line.split(' ').nth(4).unwrap().to_owned();
                let ours =
                    |point: &str| ["/", "/proc"].contains(&point) || point.starts_with(&world.text(""));
                let lines = listing.lines().filter(|line| ours(&point(line)));
                lines.map(str::to_owned).collect::<Vec<_>>()
            };
            let before = mounts();
            for script in [
                "mount -t tmpfs none $WS",
                "mount -o remount,rw /",
                "umount /proc",
                "chroot / true",
                "unshare -rm mount -o remount,rw,bind /",
                "echo x > /proc/sys/kernel/core_pattern",
                "sysctl -w kernel.core_pattern=x",
                "echo 1 > /proc/sys/kernel/sysrq",
                "echo b > /proc/sysrq-trigger",
                "mknod $WS/disk b 8 0",
                "dmesg -C",
            ] {
                let outcome = world.sh(&world.workspace(), script);
                assert_ne!(outcome.state, ExitState::Code(0), "{backend} `{script}`: {}", stdout(&outcome));
            }
            assert_eq!(fs::read("/proc/sys/kernel/core_pattern").unwrap(), pattern, "{backend}");
            assert_eq!(mounts(), before, "{backend}");
            let status = world.sh(&world.workspace(), "grep -E '^(CapPrm|CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr -s '\\t\\n' '  '");
            let zero = "0000000000000000";
            let text = stdout(&status);
            assert!(text.contains(&format!("CapPrm: {zero} CapEff: {zero} ")), "{backend}: {text}");
            // The bounding set can be emptied only by who has capabilities; without, no_new_privs is enough.
            if support::is_root() || backend == BackendName::Bwrap {
                assert!(text.contains(&format!("CapBnd: {zero}")), "{backend}: {text}");
            }
            assert!(text.contains("NoNewPrivs: 1 Seccomp: 2"), "{backend}: {text}");
            // TIOCSTI, also with high bits that the kernel ignores, and io_uring. EIO or ENOTTY would mean that the kernel was asked.
            let program = "import ctypes, os, pty\nl = ctypes.CDLL(None, use_errno=True)\nm, s = pty.openpty()\n\
                           for r in (0x5412, 0x541C, 0x1_0000_5412):\n print(l.syscall(ctypes.c_long(16), ctypes.c_long(s), ctypes.c_ulong(r), b'x'), ctypes.get_errno() in (1, 13))\n\
                           print(l.syscall(ctypes.c_long(0x40000000 + 39)), ctypes.get_errno())";
            let outcome = python(&world, &world.workspace(), program);
            assert_eq!(
                stdout(&outcome),
                "-1 True\n-1 True\n-1 True\n-1 38\n",
                "{backend}: {}",
                stderr(&outcome)
            );
        }
    });
}

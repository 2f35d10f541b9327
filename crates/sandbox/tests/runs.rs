//! How confined runs start, end and fail.
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

use std::{fs, os::unix::fs::PermissionsExt, time::Duration};

use portcullis_process::{Cancel, ExitState, RunError, Stdin};
use portcullis_sandbox::{BackendName, Enforcement, Gap, Mode, Policy, RunFailure, Sandbox, Steering};
use support::{BACKENDS, World, as_each_user, launcher, stderr, stdout};

#[test]
fn exit_codes_and_signals_are_exact() {
    as_each_user("exit_codes_and_signals_are_exact", || {
        for backend in BACKENDS {
            let world = World::new(backend);
            for code in [0, 1, 3, 124, 125, 126, 127, 137, 255] {
                let outcome = world.sh(&world.workspace(), &format!("exit {code}"));
                assert_eq!(outcome.state, ExitState::Code(code), "{backend}");
            }
            for signal in [1, 2, 6, 9, 11, 13, 15, 34, 64] {
                let outcome = world.sh(&world.workspace(), &format!("kill -{signal} $$"));
                if backend == BackendName::Landlock {
                    assert_eq!(outcome.state, ExitState::Signal(signal));
                } else {
                    assert_eq!(outcome.state, ExitState::Code(128 + signal));
                    assert_eq!(outcome.facts.detail.as_deref(), Some("possibly a signal"));
                }
            }
            let forged = world.sh(
                &world.workspace(),
                "echo 'portcullis-landlock: exec failed: x' >&2; echo 'bwrap: no' >&2; exit 125",
            );
            assert_eq!(forged.state, ExitState::Code(125), "{backend}: words forge no failure");
        }
    });
}

#[test]
fn a_reader_that_goes_away_ends_the_command_as_without_a_sandbox() {
    as_each_user("a_reader_that_goes_away_ends_the_command_as_without_a_sandbox", || {
        for backend in BACKENDS {
            let world = World::new(backend);
            let outcome = world.sh(&world.workspace(), "yes | head -1; echo ${PIPESTATUS[0]}");
            assert_eq!((stdout(&outcome), stderr(&outcome)), ("y\n141\n".into(), String::new()), "{backend}");
            // An orphan that dies in an unusual way is none of the command's business.
            let orphan = world.sh(&world.workspace(), "(bash -c 'kill -40 $$' &) ; sleep 0.2; exit 3");
            assert_eq!(orphan.state, ExitState::Code(3), "{backend}: {}", stderr(&orphan));
        }
    });
}

#[test]
fn programs_that_cannot_be_started_are_start_errors_and_end_the_chain() {
    as_each_user("programs_that_cannot_be_started_are_start_errors_and_end_the_chain", || {
        let mut world = World::new(BackendName::Bwrap);
        for (name, text, mode) in [("plain", "x", 0o644), ("no-interpreter", "#!/nowhere\n", 0o755)] {
            let (source, file) = (world.path("outside").join(name), world.path("ws").join(name));
            fs::write(&source, text).unwrap();
            support::copy(&source, &file);
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        }
        for pinned in [None, Some(BackendName::Bwrap), Some(BackendName::Landlock)] {
            world.sandbox.pinned = pinned;
            let start = |policy: &Policy, name: &str| match world.try_run(policy, &[name]) {
                Err(RunFailure::Start(error)) => error,
                other => panic!("{pinned:?} {name}: {other:?}"),
            };
            for policy in [world.workspace(), Policy::danger_full_access([world.text("ws")])] {
                assert_eq!(start(&policy, "no-such-program").exit_code(), Some(127));
                assert_eq!(start(&policy, "./absent").exit_code(), Some(127));
                assert_eq!(start(&policy, "./plain").exit_code(), Some(126));
                assert_eq!(start(&policy, "/").exit_code(), Some(126));
            }
            if pinned == Some(BackendName::Landlock) {
                assert_eq!(start(&world.workspace(), "./no-interpreter").exit_code(), Some(127));
            }
            let mut options = world.options();
            options.directory = world.path("absent");
            let error = world.sandbox.run(&["true".into()], &world.workspace(), &options).unwrap_err();
            assert!(matches!(error, RunFailure::Start(RunError::Directory { .. })), "{error}");
        }
    });
}

#[test]
fn without_a_usable_back_end_nothing_runs() {
    as_each_user("without_a_usable_back_end_nothing_runs", || {
        let mut world = World::new(BackendName::Landlock);
        for launcher in
            [vec![], vec!["/nowhere/launcher".into()], vec!["/bin/false".into()], vec!["/bin/true".into()]]
        {
            world.sandbox = Sandbox::new(launcher.clone()).pinned(BackendName::Landlock);
            let error = world.try_run(&world.workspace(), &["touch", "ran"]);
            // `/bin/true` ends well and runs nothing: that is no success.
            let Err(RunFailure::Unavailable { mode, reasons }) = error else {
                panic!("{launcher:?}: {error:?}")
            };
            assert_eq!(mode, Mode::WorkspaceWrite);
            assert!(reasons.starts_with("landlock: "), "{reasons}");
            assert!(!world.path("ws/ran").exists());
            assert!(world.sandbox.probe()[0].usable.is_err());
        }
        world.sandbox = Sandbox::new(vec![launcher()]).pinned(BackendName::Seatbelt);
        assert!(matches!(world.try_run(&world.workspace(), &["true"]), Err(RunFailure::Unavailable { .. })));
        let mut relative = world.workspace();
        relative.hidden.push("secret".into());
        assert!(matches!(world.try_run(&relative, &["true"]), Err(RunFailure::Policy(_))));
    });
}

#[test]
fn a_launcher_failure_leads_to_the_next_back_end() {
    as_each_user("a_launcher_failure_leads_to_the_next_back_end", || {
        let mut world = World::new(BackendName::Bwrap);
        world.sandbox.pinned = None;
        // bubblewrap replaces /dev, so that a directory in /dev/shm cannot be its working directory.
        let dir = tempfile::Builder::new().prefix("pc-test-").tempdir_in("/dev/shm").unwrap();
        let mut options = world.options();
        options.directory = dir.path().to_path_buf();
        let outcome = world.sandbox.run(&["pwd".into()], &world.read_only(), &options).unwrap();
        assert_eq!(outcome.facts.backend, Some(BackendName::Landlock), "{outcome:?}");
        assert_eq!(stdout(&outcome).trim(), dir.path().to_str().unwrap());
    });
}

#[test]
fn probes_run_and_say_what_is_not_governed() {
    as_each_user("probes_run_and_say_what_is_not_governed", || {
        let sandbox = Sandbox::new(vec![launcher()]);
        let probes = sandbox.probe();
        assert_eq!(probes.iter().map(|one| one.name).collect::<Vec<_>>(), BACKENDS);
        let gaps = |index: usize| probes[index].usable.as_ref().unwrap().gaps().to_vec();
        assert_eq!(gaps(0), [Gap::PathnameSockets, Gap::HardLinks, Gap::ProtectedNew]);
        for gap in [Gap::Metadata, Gap::HardLinks, Gap::ProtectedPaths, Gap::HiddenPaths, Gap::ProtectedNew] {
            assert!(gaps(1).contains(&gap), "{gap:?}");
        }
        assert_eq!(sandbox.probe(), probes);
    });
}

#[test]
fn full_access_runs_the_command_as_it_is() {
    as_each_user("full_access_runs_the_command_as_it_is", || {
        let world = World::new(BackendName::Bwrap);
        let policy = Policy::danger_full_access([world.text("ws")]);
        let script = "echo x > $OUT/new; echo ${TMPDIR-none} ${LANG-none}; kill -9 $$";
        let outcome = world.try_run(&policy, &["/bin/sh", "-c", script]).unwrap();
        assert_eq!((outcome.state, stdout(&outcome).as_str()), (ExitState::Signal(9), "none none\n"));
        assert_eq!((outcome.facts.backend, &outcome.facts.enforcement), (None, &Enforcement::Full));
        assert_eq!(fs::read_to_string(world.path("outside/new")).unwrap(), "x\n");
    });
}

#[test]
fn what_an_unconfined_run_leaves_behind_holds_no_group() {
    let world = World::new(BackendName::Bwrap);
    let hidden = vec![world.text("outside")];
    let policy = Policy { hidden, ..Policy::danger_full_access([world.text("ws")]) };
    let outcome = world.sh(&policy, "sleep 300 >/dev/null 2>&1 & echo $!; cat /proc/$!/cgroup");
    let said = stdout(&outcome);
    let pid = said.lines().next().unwrap().to_owned();
    let group =
        said.lines().find_map(|line| line.split_once("/portcullis-")).map(|(_, name)| name.to_owned());
    drop(world);
    let now = fs::read_to_string(format!("/proc/{pid}/cgroup"));
    let killed = std::process::Command::new("kill").arg(&pid).status().unwrap();
    if let (Some(group), Ok(now)) = (group, now) {
        assert!(killed.success() && !now.contains(&group), "{now}");
    }
}

#[test]
fn overlapping_runs_keep_their_own_facts() {
    as_each_user("overlapping_runs_keep_their_own_facts", || {
        for backend in BACKENDS {
            let world = World::new(backend);
            std::thread::scope(|scope| {
                for index in 0..6 {
                    let world = &world;
                    scope.spawn(move || {
                        let (policy, script) = if index % 2 == 0 {
                            (world.read_only(), format!("sleep 0.2; echo x > denied-{index}"))
                        } else {
                            (world.workspace(), format!("sleep 0.2; echo x > allowed-{index}"))
                        };
                        let outcome = world.sh(&policy, &script);
                        assert_eq!(outcome.facts.mode, policy.mode, "{backend}");
                        assert_eq!(
                            outcome.facts.denied,
                            index % 2 == 0,
                            "{backend} {index}: {}",
                            stderr(&outcome)
                        );
                        assert_eq!(
                            world.path("ws").join(format!("allowed-{index}")).exists(),
                            index % 2 == 1
                        );
                    });
                }
            });
        }
    });
}

#[test]
fn a_run_can_be_cancelled_and_watched() {
    as_each_user("a_run_can_be_cancelled_and_watched", || {
        for backend in BACKENDS {
            let world = World::new(backend);
            let cancel = Cancel::new().unwrap();
            let mut seen = Vec::new();
            let mut watch = |_, bytes: &[u8]| {
                seen.extend_from_slice(bytes);
                cancel.cancel();
            };
            let steering =
                Steering { on_output: Some(&mut watch), cancel: Some(&cancel), ..Steering::default() };
            let argv = ["/bin/sh".into(), "-c".into(), "echo up; sleep 300".into()];
            let outcome =
                world.sandbox.run_with(&argv, &world.workspace(), &world.options(), steering).unwrap();
            assert!(outcome.cancelled && !outcome.timed_out, "{backend}: {outcome:?}");
            assert!(outcome.duration < Duration::from_secs(60), "{backend}: {:?}", outcome.duration);
            assert_eq!(seen, b"up\n");
        }
    });
}

#[test]
fn input_environment_and_descriptors() {
    as_each_user("input_environment_and_descriptors", || {
        for backend in BACKENDS {
            let world = World::new(backend);
            let mut policy = world.workspace();
            policy.environment = portcullis_sandbox::EnvironmentPolicy::Scrub;
            let mut options = world.options();
            options.environment.insert("API_TOKEN".into(), "hunter2".into());
            options.stdin = Stdin::Bytes(vec![b'x'; 200_000]);
            let script = "wc -c; ls /proc/self/fd | tr '\\n' ' '; echo ${API_TOKEN-scrubbed} $LANG";
            let argv = ["/bin/sh".into(), "-c".into(), script.into()];
            let outcome = world.sandbox.run(&argv, &policy, &options).unwrap();
            assert_eq!(
                stdout(&outcome),
                "200000\n0 1 2 3 scrubbed C.UTF-8\n",
                "{backend}: {}",
                stderr(&outcome)
            );
        }
    });
}

#[test]
fn root_becomes_the_owner_of_the_workspace() {
    as_each_user("root_becomes_the_owner_of_the_workspace", || {
        if !support::is_root() {
            // Only root can give a workspace to somebody else.
            return;
        }
        for backend in BACKENDS {
            let mut world = World::new(backend);
            let shared = tempfile::Builder::new().prefix("pc-test-launcher-").tempdir_in("/tmp").unwrap();
            fs::set_permissions(shared.path(), fs::Permissions::from_mode(0o755)).unwrap();
            fs::set_permissions(world.dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
            let copy = shared.path().join("launcher");
            support::copy(std::path::Path::new(env!("CARGO_BIN_EXE_portcullis-landlock")), &copy);
            world.sandbox.launcher = vec![copy.into()];
            std::os::unix::fs::chown(world.path("ws"), Some(65534), Some(65534)).unwrap();
            let outcome =
                world.sh(&world.workspace(), "id -u; echo x > new; f=$(mktemp) && stat -c %u $f new");
            assert_eq!(stdout(&outcome), "65534\n65534\n65534\n", "{backend}: {}", stderr(&outcome));
            // Two owners cannot both be served, and that is said.
            let mut policy = world.workspace();
            policy.workspace.push(world.text("home"));
            let error = world.try_run(&policy, &["true"]).unwrap_err();
            assert!(error.to_string().contains("several users"), "{error}");
        }
    });
}

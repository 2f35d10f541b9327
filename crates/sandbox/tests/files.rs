//! What a confined command can do to files, under each back end and mode, as root and as nobody.
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

use std::{fs, os::unix::fs::PermissionsExt};

use portcullis_process::ExitState;
use portcullis_sandbox::BackendName;
use support::{BACKENDS, World, as_each_user, stderr, stdout};

/// Ways to change something outside the workspace; each must fail and leave `outside/file` as it is.
const WRITES: [&str; 14] = [
    "echo x > $OUT/new",
    "echo x >> $OUT/file",
    "truncate -s 0 $OUT/file",
    "rm -f $OUT/file",
    "mv $OUT/file $OUT/moved",
    "mv $OUT/file $WS/moved",
    "mkdir $OUT/dir",
    "ln -s /etc/passwd $OUT/link",
    "ln $OUT/file $WS/hard && echo x > $WS/hard",
    "ln -s $OUT $WS/way; echo x > $WS/way/new",
    "echo x > $WS/../outside/new",
    "cd $OUT && echo x > new",
    "echo x > /proc/self/root$OUT/new",
    "cp $WS/file $OUT/copy",
];

#[test]
fn nothing_outside_is_written() {
    as_each_user("nothing_outside_is_written", || {
        for backend in BACKENDS {
            let world = World::new(backend);
            for policy in [world.read_only(), world.workspace()] {
                for script in WRITES {
                    let outcome = world.sh(&policy, script);
                    let context = format!("{backend} {} `{script}`: {}", policy.mode, stderr(&outcome));
                    assert_ne!(outcome.state, ExitState::Code(0), "{context}");
                    let names: Vec<_> = fs::read_dir(world.path("outside"))
                        .unwrap()
                        .map(|entry| entry.unwrap().file_name())
                        .collect();
                    assert_eq!(names, ["file"], "{context}");
                    assert_eq!(
                        fs::read_to_string(world.path("outside/file")).unwrap(),
                        "kept\n",
                        "{context}"
                    );
                    for name in ["moved", "hard", "way"] {
                        let _ = fs::remove_file(world.path("ws").join(name));
                    }
                }
            }
        }
    });
}

#[test]
fn a_denial_is_told_from_an_ordinary_failure() {
    as_each_user("a_denial_is_told_from_an_ordinary_failure", || {
        for backend in BACKENDS {
            let world = World::new(backend);
            let policy = world.workspace();
            let denied = world.sh(&policy, "echo x > $OUT/new");
            assert!(denied.facts.denied, "{backend}: {:?} {}", denied.facts, stderr(&denied));
            assert!(denied.facts.detail.as_ref().unwrap().contains("outside/new"), "{:?}", denied.facts);
            let touched = world.sh(&policy, "touch $OUT/made");
            assert!(touched.facts.denied, "{backend}: {:?} {}", touched.facts, stderr(&touched));
            for ordinary in
                ["cat $WS/absent", "exit 7", "echo Permission denied >&2; exit 0", "kill -9 $$", "false"]
            {
                let outcome = world.sh(&policy, ordinary);
                assert!(!outcome.facts.denied, "{backend} `{ordinary}`: {:?}", outcome.facts);
                assert!(!outcome.facts.launcher_failed);
            }
            let etc = world.sh(&policy, "echo x > /etc/portcullis-test");
            assert_ne!(etc.state, ExitState::Code(0));
            assert!(!std::path::Path::new("/etc/portcullis-test").exists());
            // For nobody, ordinary permissions say no as well: a wider run would not help.
            assert_eq!(etc.facts.denied, support::is_root(), "{backend}: {}", stderr(&etc));
        }
    });
}

#[test]
fn a_file_without_permissions_is_no_denial() {
    as_each_user("a_file_without_permissions_is_no_denial", || {
        if support::is_root() {
            // Root outside could read it: for root it is the sandbox that says no.
            return;
        }
        for backend in BACKENDS {
            let world = World::new(backend);
            let outcome = world.sh(&world.workspace(), "echo x > locked; chmod 000 locked; cat locked");
            assert_eq!(outcome.state, ExitState::Code(1), "{}", stderr(&outcome));
            assert!(!outcome.facts.denied, "{backend}: {:?}", outcome.facts);
        }
    });
}

#[test]
fn the_workspace_is_writable_and_in_read_only_mode_it_is_not() {
    as_each_user("the_workspace_is_writable_and_in_read_only_mode_it_is_not", || {
        for backend in BACKENDS {
            for base in ["/var/tmp", "/tmp"] {
                let world = World::below(backend, base);
                let script = "mkdir -p a/b && echo one > a/b/c && echo two >> file && mv a d && chmod 755 d && \
                              ln file hard && ln -s file soft && rm hard && cat d/b/c && pwd";
                let outcome = world.sh(&world.workspace(), script);
                let expected = format!("one\n{}\n", world.path("ws").canonicalize().unwrap().display());
                assert_eq!(stdout(&outcome), expected, "{backend} {base}: {}", stderr(&outcome));
                assert_eq!(fs::read_to_string(world.path("ws/file")).unwrap(), "inside\ntwo\n");
                let outcome = world.sh(&world.read_only(), "cat file; echo x > new");
                assert_eq!(stdout(&outcome), "inside\ntwo\n", "{backend} {base}: {}", stderr(&outcome));
                assert_ne!(outcome.state, ExitState::Code(0));
                assert!(!world.path("ws/new").exists());
            }
        }
    });
}

#[test]
fn sinks_and_the_private_temporary_directory_are_writable_in_every_mode() {
    as_each_user("sinks_and_the_private_temporary_directory_are_writable_in_every_mode", || {
        for backend in BACKENDS {
            let world = World::new(backend);
            for policy in [world.read_only(), world.workspace()] {
                let script = "set -e; echo x > /dev/null; f=$(mktemp); echo kept > $f; \
                              cat <<EOF | wc -c\n$(head -c 100000 /dev/zero | tr '\\0' x)\nEOF\n echo $f";
                let outcome = world.sh(&policy, script);
                let text = stdout(&outcome);
                assert!(
                    text.starts_with("100001\n"),
                    "{backend} {}: {text} {}",
                    policy.mode,
                    stderr(&outcome)
                );
                let file = text.lines().nth(1).unwrap();
                // The same directory for all runs of the session, under the same name.
                let again = world.sh(&policy, &format!("cat {file}; stat -c %a $TMPDIR"));
                assert_eq!(stdout(&again), "kept\n700\n", "{backend}: {}", stderr(&again));
                assert!(std::path::Path::new(file).starts_with("/tmp/"));
            }
            let dirs = || {
                let is_ours = |name: &str| name.starts_with("portcullis-");
                fs::read_dir("/tmp")
                    .unwrap()
                    .filter(|e| is_ours(e.as_ref().unwrap().file_name().to_str().unwrap()))
                    .count()
            };
            let temporary = stdout(&world.sh(&world.read_only(), "echo $TMPDIR"));
            assert!(dirs() > 0);
            drop(world);
            assert!(!std::path::Path::new(temporary.trim()).exists(), "it goes with the session");
        }
    });
}

#[test]
fn hidden_paths_cannot_be_read_where_it_is_claimed() {
    as_each_user("hidden_paths_cannot_be_read_where_it_is_claimed", || {
        for backend in BACKENDS {
            let mut world = World::new(backend);
            fs::create_dir(world.path("ws/secret")).unwrap();
            for name in ["ws/secret/key", "ws/.env", "outside/token"] {
                fs::write(world.path(name), "hunter2\n").unwrap();
            }
            world.hidden = ["ws/secret", "ws/.env", "outside/token", "ws/not-there"]
                .map(|name| world.text(name))
                .to_vec();
            let governed = |outcome: &portcullis_sandbox::Outcome| {
                !outcome.facts.enforcement.gaps().contains(&portcullis_sandbox::Gap::HiddenPaths)
            };
            for policy in [world.read_only(), world.workspace()] {
                for script in [
                    "cat secret/key",
                    "cat .env",
                    "cat $OUT/token",
                    "ls secret/key",
                    "chmod 777 .env; cat .env",
                ] {
                    let outcome = world.sh(&policy, script);
                    if governed(&outcome) {
                        assert!(!stdout(&outcome).contains("hunter2"), "{backend} `{script}`");
                        assert_ne!(outcome.state, ExitState::Code(0), "{backend} `{script}`");
                        assert!(outcome.facts.denied, "{backend} `{script}`: {}", stderr(&outcome));
                    }
                }
            }
            assert_eq!(fs::read_to_string(world.path("ws/.env")).unwrap(), "hunter2\n");
            assert!(!world.path("ws/not-there").exists(), "no mount point is made on the host");
            let full = portcullis_sandbox::Policy {
                hidden: world.hidden.clone(),
                ..portcullis_sandbox::Policy::danger_full_access([world.text("ws")])
            };
            match world.try_run(
                &full,
                &["/bin/bash", "-c", "cat $WS/.env || cat /proc/$PPID/root$WS/.env || echo x > $OUT/wide"],
            ) {
                Ok(outcome) => {
                    assert!(!stdout(&outcome).contains("hunter2"), "{backend}");
                    assert_eq!(
                        fs::read_to_string(world.path("outside/wide")).unwrap(),
                        "x\n",
                        "{}",
                        stderr(&outcome)
                    );
                }
                Err(error) => {
                    assert!(matches!(error, portcullis_sandbox::RunFailure::Unavailable { .. }), "{error}");
                    assert_eq!(backend, portcullis_sandbox::BackendName::Landlock, "{error}");
                }
            }
        }
    });
}

#[test]
fn protected_paths_hold_where_it_is_claimed_and_git_works() {
    as_each_user("protected_paths_hold_where_it_is_claimed_and_git_works", || {
        for backend in BACKENDS {
            let mut world = World::new(backend);
            let git = "export GIT_CONFIG_GLOBAL=/dev/null; git -c user.name=a -c user.email=b@c ";
            let outcome = world.sh(
                &world.workspace(),
                &format!(
                    "git init -q . && git add file && {git} commit -qm one && git log --oneline | wc -l"
                ),
            );
            assert_eq!(stdout(&outcome), "1\n", "{backend}: {}", stderr(&outcome));
            let names = [".git/hooks", ".git/config", ".git/info/attributes", ".envrc"];
            world.protected =
                portcullis_sandbox::protected_paths([world.text("ws")], names, &portcullis_paths::OsResolver);
            assert_eq!(world.protected.len(), 2);
            let policy = world.workspace();
            let commit = world.sh(&policy, &format!("echo more >> file && {git} commit -qam two && git switch -qc other && git log --oneline | wc -l"));
            assert_eq!(stdout(&commit), "2\n", "{backend}: {}", stderr(&commit));
            if commit.facts.enforcement.gaps().contains(&portcullis_sandbox::Gap::ProtectedPaths) {
                continue;
            }
            let config = fs::read_to_string(world.path("ws/.git/config")).unwrap();
            for script in [
                "echo evil > .git/hooks/pre-commit",
                "echo evil >> .git/config",
                "git config core.hooksPath /x",
                "mv .git .git2",
                "mv .git/hooks .git/h && mkdir .git/hooks && echo evil > .git/hooks/pre-commit",
                "rm -rf .git/hooks && mkdir .git/hooks",
                "mv file .git/config",
            ] {
                let outcome = world.sh(&policy, script);
                assert_ne!(outcome.state, ExitState::Code(0), "{backend} `{script}`");
                assert!(outcome.facts.denied, "{backend} `{script}`: {}", stderr(&outcome));
                assert!(!world.path("ws/.git/hooks/pre-commit").exists());
                assert_eq!(fs::read_to_string(world.path("ws/.git/config")).unwrap(), config);
            }
        }
    });
}

#[test]
fn denied_trees_with_spots_allowed_back() {
    as_each_user("denied_trees_with_spots_allowed_back", || {
        let world = World::new(portcullis_sandbox::BackendName::Bwrap);
        for name in ["outside/agents/me/memory", "outside/agents/other"] {
            fs::create_dir_all(world.path(name)).unwrap();
            fs::write(world.path(name).join("note"), "text\n").unwrap();
        }
        let mut policy = portcullis_sandbox::Policy::danger_full_access([world.text("ws")]);
        policy.denied = vec![world.text("outside/agents")];
        policy.readonly = vec![world.text("outside/agents/me")];
        policy.writable = vec![world.text("outside/agents/me/memory")];
        let script = "cat $OUT/agents/me/memory/note; echo new > $OUT/agents/me/memory/new; \
                      echo x > $OUT/agents/me/file; cat $OUT/agents/other/note; ls $OUT/agents; echo x > $OUT/agents/x; \
                      echo free > $OUT/free";
        let outcome = world.sh(&policy, script);
        assert_eq!(stdout(&outcome), "text\nme\n", "{}", stderr(&outcome));
        assert_eq!(fs::read_to_string(world.path("outside/agents/me/memory/new")).unwrap(), "new\n");
        assert_eq!(fs::read_to_string(world.path("outside/free")).unwrap(), "free\n");
        assert!(!world.path("outside/agents/me/file").exists() && !world.path("outside/agents/x").exists());
        assert!(matches!(
            World::new(portcullis_sandbox::BackendName::Landlock).try_run(&policy, &["true"]),
            Err(portcullis_sandbox::RunFailure::Unavailable { .. })
        ));
    });
}

#[test]
fn a_hidden_file_looks_like_itself_and_cannot_be_read() {
    as_each_user("a_hidden_file_looks_like_itself_and_cannot_be_read", || {
        let mut world = World::new(BackendName::Bwrap);
        for (name, text, mode) in
            [("ws/key", "hunter2\n", 0o644), ("ws/tool", "#!/bin/sh\necho hunter2\n", 0o755)]
        {
            let path = world.path(name);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let past = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
            fs::File::options().write(true).open(&path).unwrap().set_modified(past).unwrap();
            world.hidden.push(world.text(name));
        }
        for policy in [world.read_only(), world.workspace()] {
            let outcome = world.sh(
                &policy,
                "stat -c '%s %Y' key tool; test -x tool && echo x; cat key; ./tool; echo y > key",
            );
            assert_eq!(stdout(&outcome), "8 1000000000\n23 1000000000\nx\n", "{}", stderr(&outcome));
        }
        assert_eq!(fs::read_to_string(world.path("ws/key")).unwrap(), "hunter2\n");
    });
}

//! Runs of real programs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use std::{
    ffi::OsString,
    fs,
    os::{fd::AsRawFd, unix::fs::PermissionsExt},
    path::Path,
    time::{Duration, Instant},
};

use portcullis_process::{
    Cancel, Command, Control, ExitState, Leftovers, Output, Preparation, RunError, Stdin, Stream, Terminate,
};

fn sh(script: &str) -> Command {
    let mut command = Command::new(["/bin/sh", "-c", script], "/");
    command.environment.insert("PATH".into(), "/usr/bin:/bin".into());
    command.timeout = Some(Duration::from_secs(30));
    command
}

fn run(script: &str) -> Output {
    sh(script).run().unwrap()
}

/// Longer than anything here takes on a machine that is busy with other things, and far shorter than the
/// programs that would hang.
const PATIENCE: Duration = Duration::from_secs(60);

/// The outcome of a run that its time-out ended when the program had written `file`, which says that everything
/// is in place. A busy machine may need more than the shortest limit for that.
fn timed_out_once_ready(script: &str, file: &Path, terminate: Terminate) -> Output {
    for milliseconds in [300, 1_000, 4_000, 16_000] {
        let mut command = sh(script);
        command.timeout = Some(Duration::from_millis(milliseconds));
        let output = command.run_with(Control { terminate, ..Control::default() }).unwrap();
        assert!(output.timed_out, "{output:?}");
        assert!(output.duration < PATIENCE, "{output:?}");
        if fs::read_to_string(file).is_ok_and(|text| text.ends_with('\n')) {
            return output;
        }
    }
    panic!("`{script}` did not get ready");
}

/// Whether the process named in a file still runs (a zombie does not).
fn lives(file: &Path) -> bool {
    let pid = fs::read_to_string(file).unwrap();
    fs::read_to_string(format!("/proc/{}/stat", pid.trim()))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap().trim_start().starts_with('Z'))
}

#[test]
fn exit_codes_and_signals_are_exact() {
    for code in [0, 1, 2, 124, 125, 126, 127, 128, 137, 255] {
        assert_eq!(run(&format!("exit {code}")).state, ExitState::Code(code));
    }
    for signal in [1, 2, 6, 9, 11, 13, 15, 34, 64] {
        let state = run(&format!("kill -{signal} $$")).state;
        assert_eq!(state, ExitState::Signal(signal));
        assert_eq!(state.shell_status(), 128 + signal);
    }
}

#[test]
fn nothing_is_inherited_that_was_not_asked_for() {
    let leak = fs::File::open("/dev/null").unwrap();
    // Without close-on-exec, as a careless C library would leave it.
    nix::fcntl::fcntl(&leak, nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::empty())).unwrap();
    let listed = run("ls /proc/self/fd | tr '\\n' ' '; env | sort | tr '\\n' ' '; pwd");
    let text = String::from_utf8(listed.stdout).unwrap();
    assert!(leak.as_raw_fd() > 2);
    // `ls` itself opens the directory as 3.
    assert!(text.starts_with("0 1 2 3 PATH="), "{text}");
    assert!(text.contains("PATH=/usr/bin:/bin PWD=/ "), "{text}");
    let mask = run("grep -E 'Sig(Blk|Ign)' /proc/self/status | tr '\\n\\t' '  '");
    assert_eq!(String::from_utf8(mask.stdout).unwrap(), "SigBlk: 0000000000000000 SigIgn: 0000000000000000 ");
}

#[test]
fn descriptors_arrive_under_their_numbers_even_when_they_cross() {
    let dir = tempfile::tempdir().unwrap();
    let files: Vec<fs::File> = ["a", "b", "c"]
        .iter()
        .map(|name| {
            fs::write(dir.path().join(name), name).unwrap();
            fs::File::open(dir.path().join(name)).unwrap()
        })
        .collect();
    let numbers: Vec<i32> = files.iter().map(AsRawFd::as_raw_fd).collect();
    let mut command =
        sh(&format!("cat /dev/fd/{} /dev/fd/{} /dev/fd/{}", numbers[1], numbers[2], numbers[0]));
    // Each takes the number of the next one.
    command.descriptors =
        files.into_iter().enumerate().map(|(index, file)| (file.into(), numbers[(index + 1) % 3])).collect();
    let output = command.run().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "abc", "{output:?}");
}

#[test]
fn output_is_bounded_to_its_tail_and_watched_whole() {
    let mut command = sh("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done; echo end >&2");
    command.keep = 1000;
    let mut seen = (0u64, 0u64);
    let mut watch = |stream: Stream, bytes: &[u8]| match stream {
        Stream::Stdout => seen.0 += bytes.len() as u64,
        Stream::Stderr => seen.1 += bytes.len() as u64,
    };
    let output = command.run_with(Control { on_output: Some(&mut watch), ..Control::default() }).unwrap();
    assert_eq!(output.stdout.len(), 1000);
    assert!(output.stdout.ends_with(b"line 19999\n"));
    assert_eq!(output.stderr, b"end\n");
    assert_eq!(seen.0, output.dropped + 1000);
    assert_eq!(seen.1, 4);
}

/// As on a machine that is so busy that the result is collected long after the end.
#[test]
fn output_written_before_the_end_is_whole_however_late_it_is_read() {
    let mut command = sh("head -c 60000 /dev/zero; echo end >&2");
    command.keep = 1 << 20;
    let mut slow = |_: Stream, _: &[u8]| std::thread::sleep(Duration::from_millis(600));
    let output = command.run_with(Control { on_output: Some(&mut slow), ..Control::default() }).unwrap();
    assert_eq!((output.stdout.len(), output.stderr.len()), (60_000, 4));
}

#[test]
fn input_larger_than_a_pipe_is_fed_and_may_be_left_unread() {
    let bytes = vec![b'x'; 1 << 20];
    let mut command = sh("wc -c");
    command.stdin = Stdin::Bytes(bytes.clone());
    assert_eq!(String::from_utf8(command.run().unwrap().stdout).unwrap().trim(), "1048576");
    let mut command = sh("exit 4");
    command.stdin = Stdin::Bytes(bytes);
    assert_eq!(command.run().unwrap().state, ExitState::Code(4));
    assert_eq!(run("cat; echo end").stdout, b"end\n", "a closed input is empty");
}

/// Writes a file in a process of its own: a test that spawns at this moment would inherit the descriptor that is
/// written through, and until that child executes its program the file is busy (execve(2), ETXTBSY).
fn write_elsewhere(path: &Path, text: &str, mode: u32) {
    let mut command = sh("umask 0; cat > \"$OUT\"");
    command.environment.insert("OUT".into(), path.into());
    command.stdin = Stdin::Bytes(text.as_bytes().to_vec());
    assert_eq!(command.run().unwrap().state, ExitState::Code(0));
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_program_that_cannot_be_started_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    for (name, text, mode) in [
        ("plain", "#!/bin/sh\n", 0o644),
        ("no-interpreter", "#!/nowhere/at/all\n", 0o755),
        ("no-format", "\x01\x02\x03", 0o755),
    ] {
        write_elsewhere(&at(name), text, mode);
    }
    let start = |program: &Path| Command::new([program], "/").run().unwrap_err();
    assert!(matches!(start(&at("absent")), RunError::NotFound(_)));
    assert!(matches!(start(&at("plain")), RunError::NotExecutable(_)));
    assert!(matches!(start(dir.path()), RunError::NotExecutable(_)));
    assert_eq!(start(&at("no-interpreter")).exit_code(), Some(127));
    assert_eq!(start(&at("no-format")).exit_code(), Some(126));
    assert_eq!(Command::new(["portcullis-no-such-program"], "/").run().unwrap_err().exit_code(), Some(127));
    assert!(matches!(Command::new(Vec::<OsString>::new(), "/").run(), Err(RunError::NotFound(_))));
    for directory in [at("absent"), at("plain")] {
        let error = Command::new(["/bin/true"], &directory).run().unwrap_err();
        assert!(matches!(&error, RunError::Directory { path, .. } if *path == directory), "{error}");
    }
    assert!(matches!(Command::new(["/bin/true", "a\0b"], "/").run(), Err(RunError::System { .. })));
}

#[test]
fn a_timeout_reaches_children_that_left_the_session() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("pid");
    let script = format!("setsid sh -c 'echo $$ > {0}; exec sleep 300' & sleep 300", file.display());
    let output = timed_out_once_ready(&script, &file, Terminate::Tree);
    assert_eq!(output.state, ExitState::Signal(15));
    assert!(!lives(&file));
}

/// Its `/proc/pid/stat` reads as that of a zombie, while its other threads run (proc(5)).
#[test]
fn a_timeout_reaches_children_whose_first_thread_has_ended() {
    let dir = tempfile::tempdir().unwrap();
    let (program, file) = (dir.path().join("program"), dir.path().join("pid"));
    let text = format!(
        "import ctypes, os, threading, time\n\
         def rest():\n    \
             while open('/proc/self/stat').read().rpartition(')')[2].split()[0] != 'Z': time.sleep(0.01)\n    \
             open({file:?}, 'w').write(f'{{os.getpid()}}\\n')\n    \
             time.sleep(300)\n\
         threading.Thread(target=rest).start()\n\
         ctypes.CDLL(None).pthread_exit(None)\n"
    );
    fs::write(&program, text).unwrap();
    let script = format!("setsid python3 {} & sleep 300", program.display());
    let output = timed_out_once_ready(&script, &file, Terminate::Tree);
    assert_eq!(output.state, ExitState::Signal(15));
    let pid = fs::read_to_string(&file).unwrap();
    assert!(!Path::new("/proc").join(pid.trim()).join("task").exists() || !threads_run(pid.trim()));
}

/// Whether a thread of a process runs.
fn threads_run(pid: &str) -> bool {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    threads
        .filter_map(|thread| fs::read_to_string(thread.path().join("stat")).ok())
        .any(|stat| !stat.rsplit(')').next().unwrap().trim_start().starts_with('Z'))
}

#[test]
fn what_ignores_sigterm_is_killed_after_the_grace() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("pid");
    let script = format!(
        "trap '' TERM; setsid sh -c 'echo $$ > {}; sleep 300; sleep 300' & sleep 300; sleep 300",
        file.display()
    );
    let output = timed_out_once_ready(&script, &file, Terminate::Tree);
    assert_eq!(output.state, ExitState::Signal(9));
    // The time-out and the grace; a clock can only show more.
    assert!(output.duration > Duration::from_millis(2300), "{output:?}");
    assert!(!lives(&file));
}

#[test]
fn a_background_child_neither_holds_the_result_nor_survives_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("pid");
    let script = format!("sleep 300 & echo $! > {}; echo done", file.display());
    let begin = Instant::now();
    let output = run(&script);
    assert_eq!((output.state, output.stdout.as_slice()), (ExitState::Code(0), &b"done\n"[..]));
    assert!(begin.elapsed() < PATIENCE);
    assert!(!lives(&file));

    let begin = Instant::now();
    let control = Control { leftovers: Leftovers::Leave, ..Control::default() };
    let output = sh(&script).run_with(control).unwrap();
    assert_eq!(output.stdout, b"done\n");
    assert!(begin.elapsed() < PATIENCE);
    assert!(lives(&file), "it was to be left");
    let pid = fs::read_to_string(&file).unwrap().trim().parse().unwrap();
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL).unwrap();
}

#[test]
fn another_thread_can_end_a_run() {
    let cancel = Cancel::new().unwrap();
    let switch = cancel.clone();
    let other = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        switch.cancel();
    });
    let control = Control { cancel: Some(&cancel), ..Control::default() };
    let output = sh("sleep 300").run_with(control).unwrap();
    other.join().unwrap();
    assert_eq!((output.cancelled, output.timed_out), (true, false));
    assert_eq!(output.state, ExitState::Signal(15));
    let control = Control { cancel: Some(&cancel), ..Control::default() };
    assert!(sh("sleep 300").run_with(control).unwrap().cancelled, "the switch stays on");
}

#[test]
fn a_wrapper_can_be_spared() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("pid");
    let script = format!("sh -c 'echo $$ > {}; exec sleep 300'; echo inner $?", file.display());
    let output = timed_out_once_ready(&script, &file, Terminate::Descendants);
    assert_eq!(output.state, ExitState::Code(0));
    assert_eq!(output.stdout, b"inner 143\n");
}

#[test]
fn preparations_happen_in_the_child() {
    let limit = Preparation::Limit(libc_rlimit_nofile(), 17, 17);
    let control = Control { preparations: vec![Preparation::NoNewPrivileges, limit], ..Control::default() };
    let output = sh("ulimit -n; grep NoNewPrivs /proc/self/status").run_with(control).unwrap();
    assert_eq!(output.stdout, b"17\nNoNewPrivs:\t1\n");
    if nix::unistd::geteuid().is_root() {
        let become_nobody = Preparation::Identity { uid: 65534, gid: 65534 };
        let control = Control { preparations: vec![become_nobody], ..Control::default() };
        let output = sh("id -u; id -g; id -G").run_with(control).unwrap();
        assert_eq!(output.stdout, b"65534\n65534\n65534\n");
    }
}

fn libc_rlimit_nofile() -> i32 {
    7
}

#[test]
fn many_runs_at_once_keep_their_own_results() {
    let threads: Vec<_> = (0..24)
        .map(|index| {
            std::thread::spawn(move || {
                let output = run(&format!("echo {index}; exit {index}"));
                assert_eq!(output.state, ExitState::Code(index));
                assert_eq!(output.stdout, format!("{index}\n").as_bytes());
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

/// Set in the copy of this test program that has no other tests beside it.
const ALONE: &str = "PORTCULLIS_TEST_ALONE";

#[test]
fn no_descriptor_and_no_child_is_left() {
    if std::env::var_os(ALONE).is_none() {
        // Other tests of this process open descriptors and have children too.
        let name = "no_descriptor_and_no_child_is_left";
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--test-threads=1"])
            .env(ALONE, "1")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    let descriptors = || fs::read_dir("/proc/self/fd").unwrap().count();
    run("true");
    let before = descriptors();
    for _ in 0..20 {
        run("sleep 300 & echo x; echo y >&2");
        let _ = Command::new(["portcullis-no-such-program"], "/").run().unwrap_err();
    }
    assert_eq!(descriptors(), before);
    let none = nix::sys::wait::waitpid(None, Some(nix::sys::wait::WaitPidFlag::WNOHANG));
    assert_eq!(none, Err(nix::errno::Errno::ECHILD));
}

//! A command at a terminal: who gets its keys, and what becomes of it when they stop or end it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    dead_code,
    reason = "test code"
)]
#![cfg(target_os = "linux")]

mod support;

use std::{
    io::{BufRead, BufReader, Read},
    process::Stdio,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use support::{
    Place,
    terminal::{PATIENCE, Session},
};

const BACKENDS: [&str; 2] = ["bwrap", "landlock"];

/// A confined command at a terminal, of which no question is asked; its words say when it is there.
fn start(place: &Place, backend: &str, script: &str) -> Session {
    let arguments =
        ["sandbox", "run", "--sandbox", "workspace-write", "--backend", backend, "--", "bash", "-c", script];
    Session::start(place, &arguments)
}

/// The processes whose arguments contain `text`: (pid, state).
fn processes(text: &str) -> Vec<(i32, char)> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter(|pid| {
        let arguments = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&arguments).contains(text)
    })
    .filter_map(|pid| {
        let stat = String::from_utf8_lossy(&std::fs::read(format!("/proc/{pid}/stat")).ok()?).into_owned();
        Some((pid, stat.rsplit(')').next()?.trim_start().chars().next()?))
    })
    .collect()
}

#[track_caller]
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < end, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Words that no other process has in its arguments.
fn marked(name: &str, backend: &str) -> String {
    format!("mark-{}-{name}-{backend}", std::process::id())
}

#[test]
fn keys_reach_the_command_and_the_terminal_is_its_own() {
    for backend in BACKENDS {
        let place = Place::new();
        let mut session = start(&place, backend, "test -t 0 && echo ready; read line; echo got $line; cat");
        session.wait_for("ready");
        session.type_at_once("hello\n");
        session.wait_for("got hello");
        session.type_at_once("\u{4}");
        let (code, seen) = session.end();
        assert_eq!(code, Some(0), "{backend}: {seen}");
    }
}

#[test]
fn the_keys_that_end_a_command_are_its_end_and_no_failure_of_ours() {
    for backend in BACKENDS {
        for (key, status) in [("\u{3}", 130), ("\u{1c}", 131)] {
            let place = Place::new();
            let mark = marked("end", backend);
            // bash itself ignores what `^\` sends (bash manual 3.7.6): the command has to be there when a key is typed.
            let script = format!(
                "ulimit -c 0; sleep 60 & setsid sleep 61 & exec sh -c ': {mark}; echo ready; sleep 62'"
            );
            let mut session = start(&place, backend, &script);
            session.wait_for("ready");
            session.type_at_once(key);
            let (code, seen) = session.end();
            assert_eq!(code, Some(status), "{backend}: {seen}");
            assert!(!seen.contains("portcullis"), "{backend}: {seen}");
            wait_until("something of it survived", || processes(&mark).is_empty());
        }
    }
}

#[test]
fn a_stopped_command_stops_us_and_goes_on_with_us() {
    for backend in BACKENDS {
        let place = Place::new();
        let mark = marked("stop", backend);
        let script = format!(": {mark}; echo ready; read line; echo went on with $line");
        let mut session = start(&place, backend, &script);
        session.wait_for("ready");
        session.type_at_once("\u{1a}");
        // Ourselves and the command; what stands between them may be the first process of a namespace, which
        // cannot be stopped (pid_namespaces(7)).
        let us = session.pid();
        let comm = |pid| std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        let stopped = || {
            let found = processes(&mark).into_iter();
            let ours = found.filter(|(pid, _)| *pid == us || comm(*pid).trim() == "bash");
            ours.filter(|(_, state)| *state == 'T').count()
        };
        wait_until("not everything was stopped", || stopped() == 2);
        kill(Pid::from_raw(us), Signal::SIGCONT).unwrap();
        wait_until("it did not go on", || stopped() == 0);
        session.type_at_once("words\n");
        session.wait_for("went on with words");
        let (code, seen) = session.end();
        assert_eq!(code, Some(0), "{backend}: {seen}");
    }
}

#[test]
fn signals_to_us_end_the_command() {
    for backend in BACKENDS {
        for signal in [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP] {
            let place = Place::new();
            let mark = marked(signal.as_str(), backend);
            let script = format!(": {mark}; sleep 60 & setsid sleep 61 & echo ready; sleep 62");
            let session = start(&place, backend, &script);
            session.wait_for("ready");
            kill(Pid::from_raw(session.pid()), signal).unwrap();
            let (code, seen) = session.end();
            assert_eq!(code, Some(128 + signal as i32), "{backend}: {seen}");
            wait_until("something of it survived", || processes(&mark).is_empty());
        }
    }
}

/// Whoever reads what it prints comes to an end: nothing of it is left that holds the pipe.
#[test]
fn nothing_is_left_of_a_run_that_is_killed() {
    for backend in BACKENDS {
        let place = Place::new();
        let mark = marked("killed", backend);
        let script = format!("echo ready; exec -a {mark} sleep 600");
        let words = ["sandbox", "run", "--sandbox", "workspace-write", "--backend", backend, "--"];
        let mut command = place.portcullis(words);
        let command = command.args(["bash", "-c", &script]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut run = command.spawn().unwrap();
        let mut printed = BufReader::new(run.stdout.take().unwrap());
        let mut line = String::new();
        printed.read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n", "{backend}");
        run.kill().unwrap();
        run.wait().unwrap();
        let (ended, end) = mpsc::channel();
        thread::spawn(move || ended.send(printed.read_to_string(&mut String::new()).is_ok()));
        let closed = end.recv_timeout(PATIENCE);
        let left = processes(&mark);
        for (pid, _) in &left {
            let _ = kill(Pid::from_raw(*pid), Signal::SIGKILL);
        }
        assert_eq!(closed, Ok(true), "{backend}: {left:?}");
        wait_until("the command to end", || processes(&mark).is_empty());
    }
}

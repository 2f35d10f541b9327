//! A place where any text may be run: nothing is in it but bash, and bash runs stubs.
//!
//! Safe by construction, not by looking at the texts: no file of the host but bash and its libraries, no
//! program that a text could start, own namespaces for everything (no network, no processes of others), a
//! small temporary file system, an unprivileged user with a limit of processes, and clocks: one in the
//! sandbox for each text, one outside for the whole, which ends the process namespace.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    io::{Read, Write},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

const DRIVER: &str = include_str!("driver.bash");

/// Processes that the user inside may have.
pub(crate) const PROCESS_LIMIT: usize = 48;

/// A user that nothing else runs as; only used when the tests run as root, whom no limit binds.
const USER: &str = "61947";

/// A text and how its stubs answer.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) text: String,
    /// The status of every stub: 0, so that `&&` goes on, or 1, so that `||` does.
    pub(crate) status: u8,
    /// Ask bash as well whether the text is grammatical (`bash -n`).
    pub(crate) check: bool,
}

/// What bash did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ran {
    /// Real words of every command that a stub stood for, in no certain order.
    pub(crate) commands: Vec<Vec<String>>,
    /// Whether `bash -n` took the text, if that was asked.
    pub(crate) grammatical: Option<bool>,
    /// The text was over by itself.
    pub(crate) over: bool,
    /// Processes in the sandbox when the clock ended the text.
    pub(crate) processes: Option<usize>,
    /// The driver was through with this text, however it ended.
    done: bool,
}

/// Runs the texts, one after the other, in as few sandboxes as they leave alive.
pub(crate) fn run(jobs: &[Job]) -> Vec<Ran> {
    let mut results = vec![Ran::default(); jobs.len()];
    let mut open: Vec<usize> = (0..jobs.len()).collect();
    while let Some(first) = open.first().copied() {
        run_once(jobs, &open, &mut results);
        // A text that took the driver down with it is not tried again.
        if !results[first].done && open.iter().all(|id| !results[*id].done) {
            results[first].done = true;
        } else if let Some(culprit) = open.iter().find(|id| !results[**id].done) {
            results[*culprit].done = true;
        }
        open.retain(|id| !results[*id].done);
    }
    results
}

fn run_once(jobs: &[Job], open: &[usize], results: &mut [Ran]) {
    let mut input = Vec::new();
    for id in open {
        let job = &jobs[*id];
        assert!(!job.text.contains('\0'), "bash cannot be given a NUL");
        write!(input, "{id}\0{}\0{}\0", job.status, u8::from(job.check)).unwrap();
        write!(input, "{}\0{}\0", definitions(&job.text), job.text).unwrap();
    }
    let mut child = command().spawn().expect("bubblewrap (`bwrap`) and setpriv are installed");
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let (sender, receiver) = mpsc::channel();
    let output = thread::scope(|scope| {
        scope.spawn(move || {
            // A sandbox that ended early reads no more; its missing records tell.
            let _: Result<(), _> = stdin.write_all(&input);
        });
        scope.spawn(move || {
            let mut text = String::new();
            let _: Result<_, _> = stderr.by_ref().take(65_536).read_to_string(&mut text);
            if !text.trim().is_empty() {
                eprintln!("sandbox: {}", text.trim());
            }
        });
        scope.spawn(move || {
            let mut bytes = Vec::new();
            // Bounded, should a text flood the descriptor.
            let _: Result<_, _> = stdout.by_ref().take(64 << 20).read_to_end(&mut bytes);
            drop(stdout);
            let _: Result<(), _> = sender.send(bytes);
        });
        let limit =
            Instant::now() + Duration::from_secs(20) + Duration::from_millis(1200) * open.len() as u32;
        let output = receiver.recv_timeout(limit.saturating_duration_since(Instant::now()));
        // bwrap dies, and with it the namespace's first process and everything in it.
        let _: Result<(), _> = child.kill();
        child.wait().unwrap();
        output.unwrap_or_default()
    });
    assert!(!output.is_empty(), "the sandbox did not start");
    read_records(&output, results);
}

fn read_records(output: &[u8], results: &mut [Ran]) {
    let mut fields = output.split(|byte| *byte == 0).map(|field| String::from_utf8_lossy(field).into_owned());
    while let Some(tag) = fields.next() {
        if !matches!(tag.as_str(), "R" | "B" | "N" | "C" | "E" | "K") {
            continue;
        }
        let Some(result) = fields.next().and_then(|id| results.get_mut(id.parse::<usize>().ok()?)) else {
            continue;
        };
        match tag.as_str() {
            "R" => {
                let count = fields.next().and_then(|count| count.parse().ok()).unwrap_or(0);
                result.commands.push(fields.by_ref().take(count).collect());
            }
            "N" => result.grammatical = fields.next().map(|status| status == "0"),
            "C" => result.processes = fields.next().and_then(|count| count.parse().ok()),
            "E" | "K" => {
                result.over = tag == "E";
                result.done = true;
            }
            _ => {}
        }
    }
}

/// Functions for the words with a slash that could be program names: bash looks for functions of any name
/// first, but calls no handler for a path that is not there.
fn definitions(text: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_./+-~".contains(c);
    let words: BTreeSet<&str> =
        text.split(|c| !is_name(c)).filter(|word| word.contains('/') && word.len() < 200).collect();
    let mut definitions = String::new();
    for word in words {
        let name = word.strip_prefix("~/").map_or(word.to_owned(), |rest| format!("/home/u/{rest}"));
        if !name.contains('~') && name.starts_with(|c: char| c.is_ascii_alphanumeric() || "/._".contains(c)) {
            writeln!(definitions, "function {name} {{ __log {name} \"$@\"; return $__rc; }}").unwrap();
        }
    }
    definitions
}

/// bash in its sandbox, reading texts from `/in`.
fn command() -> Command {
    let mut command = if is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", USER, "--regid", USER, "--clear-groups", "--no-new-privs"]);
        command.args(["--bounding-set=-all", "--inh-caps=-all", "bwrap"]);
        command
    } else {
        Command::new("bwrap")
    };
    command.args(["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]);
    command.args(["--setenv", "PATH", "/nonexistent", "--setenv", "CLOCK", "0.8"]);
    command.args(["--setenv", "LIMIT", &PROCESS_LIMIT.to_string()]);
    for library in libraries("/bin/bash") {
        command.args(["--ro-bind", &library, &library]);
    }
    command.args(["--ro-bind", "/bin/bash", "/.sh/bash", "--proc", "/proc", "--dev", "/dev"]);
    command.args(["--size", "4000000", "--tmpfs", "/w", "--dir", "/w/src", "--chdir", "/w"]);
    command.args(["--ro-bind-data", "0", "/in", "--remount-ro", "/"]);
    command.args(["/.sh/bash", "--norc", "--noprofile", "-c", DRIVER]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let uids = status.lines().find_map(|line| line.strip_prefix("Uid:")).unwrap();
    uids.split_whitespace().any(|uid| uid == "0")
}

/// The files that the loader maps for a program, the loader included.
fn libraries(program: &str) -> Vec<String> {
    let output = Command::new("ldd").arg(program).output().expect("ldd is installed");
    let text = String::from_utf8(output.stdout).unwrap();
    let words = text.split_whitespace().filter(|word| word.starts_with('/'));
    words.map(str::to_owned).collect()
}

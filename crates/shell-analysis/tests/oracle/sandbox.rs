//! A place where any text may be run: nothing is in it but bash and programs that only start others, and
//! those find stubs.
//!
//! Safe by construction, not by looking at the texts: no file of the host but those programs and their
//! libraries, own namespaces for everything (no network, no processes of others), a small temporary file
//! system, an unprivileged user with a limit of processes, and clocks: one in the sandbox for each text, one
//! outside for the whole, which ends the process namespace.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    io::{Read, Write},
    process::{self, Stdio},
    sync::{OnceLock, mpsc},
    thread,
    time::{Duration, Instant},
};

use crate::{corpus, trace, user};

const DRIVER: &str = include_str!("driver.bash");
const PRELUDE: &str = include_str!("prelude.bash");
const STUB: &str = include_str!("stub.bash");

/// Real programs: they run what their words name, which are stubs.
pub(crate) const LAUNCHERS: &[&str] =
    &["env", "xargs", "find", "timeout", "nice", "nohup", "setsid", "ionice", "flock", "taskset", "chrt"];

/// Processes that the user inside may have.
pub(crate) const PROCESS_LIMIT: usize = 48;

/// A text and how its stubs answer.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) text: String,
    /// The status of every stub: 0, so that `&&` goes on, or 1, so that `||` does.
    pub(crate) status: u8,
    /// Ask bash as well whether the text is grammatical (`bash -n`).
    pub(crate) check: bool,
}

/// A command that ran.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Command {
    /// Its real words.
    pub(crate) words: Vec<String>,
    /// The directory that bash was in.
    pub(crate) directory: String,
}

/// What bash did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ran {
    /// Every command that a stub stood for, in no certain order.
    pub(crate) commands: Vec<Command>,
    /// Every command in the shell's trace, builtins included.
    pub(crate) traced: Vec<Command>,
    /// Whether `bash -n` took the text, if that was asked.
    pub(crate) grammatical: Option<bool>,
    /// The text was over by itself.
    pub(crate) over: bool,
    /// Processes in the sandbox when the clock ended the text.
    pub(crate) processes: Option<usize>,
    /// The driver was through with this text, however it ended.
    done: bool,
}

/// Runs the texts in two sandboxes at a time.
pub(crate) fn run_all(jobs: &[Job]) -> Vec<Ran> {
    let (left, right) = jobs.split_at(jobs.len() / 4 * 2);
    thread::scope(|scope| {
        let second = scope.spawn(|| run(right));
        let mut results = run(left);
        results.extend(second.join().unwrap());
        results
    })
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
    for (result, job) in results.iter_mut().zip(jobs) {
        // The driver's own steps: starting the text, and what the stubs do first.
        result.traced.retain(|ran| {
            let words: Vec<&str> = ran.words.iter().map(String::as_str).collect();
            !matches!(words.as_slice(), ["local", "-"] | ["builtin", "set", "+x" | "-x"])
                && !matches!(words.as_slice(), ["builtin", "eval", text] if *text == job.text)
        });
        for commands in [&mut result.commands, &mut result.traced] {
            commands.sort();
            commands.dedup();
        }
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
    let stdout = child.stdout.take().unwrap();
    let stderr = child.stderr.take().unwrap();
    let (output, traced) = thread::scope(|scope| {
        scope.spawn(move || {
            // A sandbox that ended early reads no more; its missing records tell.
            let _: Result<(), _> = stdin.write_all(&input);
        });
        let (sender, receiver) = mpsc::channel();
        for (index, mut pipe) in
            [Box::new(stdout) as Box<dyn Read + Send>, Box::new(stderr)].into_iter().enumerate()
        {
            let sender = sender.clone();
            scope.spawn(move || {
                let mut bytes = Vec::new();
                // Bounded, should a text flood the descriptor.
                let _: Result<_, _> = pipe.by_ref().take(64 << 20).read_to_end(&mut bytes);
                drop(pipe);
                let _: Result<(), _> = sender.send((index, bytes));
            });
        }
        let limit =
            Instant::now() + Duration::from_secs(20) + Duration::from_millis(1200) * open.len() as u32;
        let mut streams = [Vec::new(), Vec::new()];
        for _ in 0..2 {
            let Ok((index, bytes)) = receiver.recv_timeout(limit.saturating_duration_since(Instant::now()))
            else {
                break;
            };
            streams[index] = bytes;
        }
        // bwrap dies, and with it the namespace's first process and everything in it.
        let _: Result<(), _> = child.kill();
        child.wait().unwrap();
        let [output, traced] = streams;
        (output, traced)
    });
    assert!(
        !output.is_empty(),
        "the sandbox did not start: {}",
        String::from_utf8_lossy(&traced[..traced.len().min(2000)])
    );
    read_records(&output, results);
    for (id, ran) in trace::commands(&traced) {
        if let Some(result) = results.get_mut(id) {
            result.traced.push(ran);
        }
    }
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
                let directory = fields.next().unwrap_or_default();
                let count = fields.next().and_then(|count| count.parse().ok()).unwrap_or(0);
                let words = fields.by_ref().take(count).map(|word| word.replace('\u{1d}', "\n")).collect();
                result.commands.push(Command { words, directory });
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
            writeln!(
                definitions,
                "function {name} {{ local -; builtin set +x; __log {name} \"$@\"; return $__rc; }}"
            )
            .unwrap();
        }
    }
    definitions
}

/// bash in its sandbox, reading texts from `/in`.
fn command() -> process::Command {
    // The shell outside only opens the files that bubblewrap copies in.
    let mut command = process::Command::new("bash");
    command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command.env("PRELUDE", prelude()).env("STUB", STUB);
    command.args(["--norc", "-c", "exec \"$@\" 3<<<\"$PRELUDE\" 4<<<\"$STUB\"", "bash"]);
    if is_root() {
        let user = user::of_its_own();
        command.args(["setpriv", "--reuid", &user, "--regid", &user, "--clear-groups", "--no-new-privs"]);
        command.args(["--bounding-set=-all", "--inh-caps=-all"]);
    }
    command.args(["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]);
    command.args([
        "--setenv",
        "PATH",
        "/nonexistent",
        "--setenv",
        "CLOCK",
        "0.8",
        "--setenv",
        "HOME",
        "/home/u",
    ]);
    command.args(["--setenv", "LIMIT", &PROCESS_LIMIT.to_string()]);
    command.args(programs());
    command.args(["--ro-bind", "/bin/bash", "/.sh/bash", "--proc", "/proc", "--dev", "/dev"]);
    command.args(["--perms", "0444", "--ro-bind-data", "3", "/.sh/prelude"]);
    command.args(["--perms", "0555", "--ro-bind-data", "4", "/.sh/stub"]);
    command.args(["--size", "4000000", "--tmpfs", "/w", "--chdir", "/w"]);
    for directory in ["src", "src/in", "sub", "d e"] {
        command.args(["--dir", &format!("/w/{directory}")]);
    }
    command.args(["--dir", "/home/u", "--size", "100000", "--tmpfs", "/id"]);
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

/// The stubs, with the names of the programs that have nothing of their own to do.
fn prelude() -> String {
    let own = ["bash", "sh", "ls", "cat", "echo", "printf", "true", "false"];
    let names: Vec<&str> = corpus::PROGRAMS.iter().copied().filter(|name| !own.contains(name)).collect();
    format!("__names='{}'\n{PRELUDE}", names.join(" "))
}

/// What bubblewrap is told of the programs, their libraries and the stubs.
fn programs() -> &'static [String] {
    static ARGUMENTS: OnceLock<Vec<String>> = OnceLock::new();
    ARGUMENTS.get_or_init(|| {
        let mut arguments = Vec::new();
        let mut bound = BTreeSet::from_iter(libraries("/bin/bash"));
        for program in LAUNCHERS {
            let path = ["/usr/bin", "/bin"].map(|directory| format!("{directory}/{program}"));
            let path = path.into_iter().find(|path| std::path::Path::new(path).is_file());
            let path = path.unwrap_or_else(|| {
                panic!("`{program}` is not installed: coreutils, findutils and util-linux are needed")
            });
            bound.extend(libraries(&path));
            arguments.extend(["--ro-bind".to_owned(), path, format!("/launch/{program}")]);
        }
        for library in bound {
            arguments.extend(["--ro-bind".to_owned(), library.clone(), library]);
        }
        for name in corpus::PROGRAMS {
            arguments.extend(["--symlink".to_owned(), "/.sh/stub".to_owned(), format!("/stub/{name}")]);
        }
        arguments
    })
}

/// The files that the loader maps for a program, the loader included.
fn libraries(program: &str) -> Vec<String> {
    let output = process::Command::new("ldd").arg(program).output().expect("ldd is installed");
    let text = String::from_utf8(output.stdout).unwrap();
    let words = text.split_whitespace().filter(|word| word.starts_with('/'));
    words.map(str::to_owned).collect()
}

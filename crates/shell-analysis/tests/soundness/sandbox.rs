//! A place where commands are really run, over a tree that is laid out for them, and what they left behind.
//!
//! Nothing of the host is in it but `/usr`, read-only; every other path is on a temporary file system of its
//! own that the user inside owns, so that a write shows instead of being refused. No network, no processes of
//! others, an unprivileged user, limits of processes, of file size and of time.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use crate::user;

const TREE: &str = include_str!("tree.bash");
const ACTING: &str = include_str!("acting.bash");
const DRIVER: &str = include_str!("driver.py");
const WRAPPER: &str = include_str!("wrapper.bash");

/// What standard input is where nothing else is said.
pub(crate) const LIST: &str = "/repo/list.txt";

/// What the commands run over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    /// A project with the configuration that most programs have.
    Usual,
    /// The same, with a file for every program that may obey one: its code acts.
    Acting,
}

/// Seconds for one text.
const CLOCK: &str = "1.5";

/// How to run a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Run,
    /// It has background processes of its own.
    Background,
    /// With its output.
    Show,
    /// Not at all: lists the tree.
    Dump,
}

/// What a run left behind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    /// The clock ended it.
    pub(crate) clock: bool,
    /// Paths that were made, changed or removed.
    pub(crate) changed: Vec<String>,
    /// Command lines of processes that were left running.
    pub(crate) remains: Vec<String>,
    /// Lines of the shell's state (variables, options, traps, aliases) that differ.
    pub(crate) state: Vec<String>,
    /// `content`, `environment`: what should stay hidden was printed; `project`, `value`: a program was run
    /// that the project's configuration, or a flag's value, names; `network`: a name was looked up, or a connection
    /// begun.
    pub(crate) noticed: Vec<String>,
    pub(crate) output: String,
}

pub(crate) struct Sandbox {
    child: Child,
    stdin: ChildStdin,
    fields: Receiver<String>,
}

impl Sandbox {
    pub(crate) fn start() -> Self {
        Self::over(Tree::Usual)
    }

    pub(crate) fn over(tree: Tree) -> Self {
        let mut child = command(tree).spawn().expect("bubblewrap (`bwrap`) and setpriv are installed");
        let stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, fields) = channel();
        thread::spawn(move || {
            let mut field = Vec::new();
            while stdout.read_until(0, &mut field).is_ok_and(|read| read > 0) {
                if field.pop() != Some(0)
                    || sender.send(String::from_utf8_lossy(&field).into_owned()).is_err()
                {
                    break;
                }
                field.clear();
            }
        });
        Self { child, stdin, fields }
    }

    /// Runs a text; nothing when it took the sandbox with it, which then has to be started anew.
    pub(crate) fn run(&mut self, mode: Mode, text: &str) -> Option<Outcome> {
        self.fed(mode, LIST, text)
    }

    /// The same, with a file of the sandbox for standard input.
    pub(crate) fn fed(&mut self, mode: Mode, stdin: &str, text: &str) -> Option<Outcome> {
        assert!(!text.contains('\0'), "a text cannot hold a NUL");
        let mode = match mode {
            Mode::Run => "run",
            Mode::Background => "wait",
            Mode::Show => "show",
            Mode::Dump => "dump",
        };
        self.stdin.write_all(format!("{mode}\0{stdin}\0{text}\0").as_bytes()).ok()?;
        self.stdin.flush().ok()?;
        // Laying out the tree, before the first answer, takes longer than a text may.
        let next = || self.fields.recv_timeout(Duration::from_secs(300)).ok();
        let clock = next()? == "clock";
        let lists = [next()?, next()?, next()?, next()?];
        let output = next()?;
        let [changed, remains, state, noticed] =
            lists.map(|list| list.lines().map(str::to_owned).collect::<Vec<_>>());
        Some(Outcome { clock, changed, remains, state, noticed, output })
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // bwrap dies, and with it the namespace's first process and everything in it.
        let _: Result<(), _> = self.child.kill();
        let _: Result<_, _> = self.child.wait();
    }
}

fn command(tree: Tree) -> Command {
    let mut command = if is_root() {
        let user = user::of_its_own();
        let mut command = Command::new("setpriv");
        command.args(["--reuid", &user, "--regid", &user, "--clear-groups", "--no-new-privs"]);
        command.args(["--bounding-set=-all", "--inh-caps=-all", "bwrap"]);
        command
    } else {
        Command::new("bwrap")
    };
    command.args(["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]);
    command.args(["--setenv", "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]);
    command.args([
        "--ro-bind",
        "/usr",
        "/usr",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--ro-bind",
        "/sys",
        "/sys",
    ]);
    for name in ["/bin", "/sbin", "/lib", "/lib64", "/lib32"] {
        match std::fs::read_link(name) {
            Ok(target) => {
                command.arg("--symlink").arg(target).arg(name);
            }
            Err(_) if Path::new(name).exists() => {
                command.args(["--ro-bind", name, name]);
            }
            Err(_) => {}
        }
    }
    for directory in ["/etc", "/repo", "/home/u", "/outside", "/tmp", "/run", "/var", "/trip"] {
        command.args(["--size", "8000000", "--tmpfs", directory]);
    }
    for name in ["/etc/alternatives", "/etc/ld.so.cache"] {
        command.args(["--ro-bind-try", name, name]);
    }
    let start = "ulimit -c 0 -u 200 -f 8192 -d 2000000 && eval \"$1\" >&2 </dev/null && exec python3 -I -S -c \"$2\" \"$3\" \"$4\"";
    command.args(["--chdir", "/", "/bin/bash", "--norc", "--noprofile", "-c", start, "tree"]);
    let layout = match tree {
        Tree::Usual => TREE.to_owned(),
        Tree::Acting => format!("{TREE}\n{ACTING}"),
    };
    command.args([&layout, DRIVER, CLOCK, WRAPPER]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    command
}

fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let uids = status.lines().find_map(|line| line.strip_prefix("Uid:")).unwrap();
    uids.split_whitespace().any(|uid| uid == "0")
}

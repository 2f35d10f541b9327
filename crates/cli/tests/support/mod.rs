//! A place of its own for each test: home, state and project in a temporary directory, and the binary
//! with an environment that holds nothing else.
#![allow(dead_code, reason = "each test file uses a part of it")]

pub(crate) mod batch;
#[cfg(unix)]
pub(crate) mod terminal;

use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// The binary under test.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_portcullis");

/// Directories that go when the test ends.
pub(crate) struct Place {
    base: tempfile::TempDir,
    /// Everything is run as nobody.
    nobody: bool,
}

/// Whom nothing belongs to.
const NOBODY: &str = "65534";

impl Place {
    /// An empty home and an empty project that is a git repository by name alone. Not below /tmp, which is
    /// private in a confined run.
    pub(crate) fn new() -> Self {
        let base = tempfile::tempdir_in("/var/tmp").unwrap();
        for folder in ["home", "state", "project/.git"] {
            std::fs::create_dir_all(base.path().join(folder)).unwrap();
        }
        Self { base, nobody: false }
    }

    /// The same, and git has made the repository.
    pub(crate) fn with_git() -> Self {
        let place = Self::new();
        std::fs::remove_dir(place.project().join(".git")).unwrap();
        let status = place.plain("git").args(["init", "--quiet", "."]).status().unwrap();
        assert!(status.success(), "git init");
        place
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.base.path().canonicalize().unwrap().join(relative)
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.path("project")
    }

    /// Writes a file below the project.
    pub(crate) fn write(&self, relative: &str, text: &str) -> PathBuf {
        let path = self.project().join(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Everything is nobody's from now on, and run as nobody; only for root.
    pub(crate) fn give_to_nobody(&mut self) {
        let binary = self.path("portcullis");
        // A copy by another process: one that is forked at this moment would hold a descriptor that is written through.
        let copied = std::fs::hard_link(BINARY, &binary).is_ok()
            || Command::new("cp").arg(BINARY).arg(&binary).status().unwrap().success();
        assert!(copied, "no copy of the binary");
        std::os::unix::fs::chown(self.path(""), Some(65534), Some(65534)).unwrap();
        self.nobody = true;
        self.settle();
    }

    /// Gives to nobody what was made since, where this is nobody's place.
    pub(crate) fn settle(&self) {
        if self.nobody {
            for folder in ["home", "state", "project"] {
                let owner = format!("{NOBODY}:{NOBODY}");
                let changed =
                    Command::new("chown").args(["-hR", &owner]).arg(self.path(folder)).status().unwrap();
                assert!(changed.success(), "chown");
            }
        }
    }

    /// Writes a file below the home directory.
    pub(crate) fn write_home(&self, relative: &str, text: &str) -> PathBuf {
        let path = self.path("home").join(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The person trusts the project, in every profile.
    pub(crate) fn trusted(self) -> Self {
        self.trust("project");
        self
    }

    /// The person trusts a directory of this place as it is when it is used next, in every profile.
    pub(crate) fn trust(&self, relative: &str) {
        for store in [".letta/trust.json", ".config/portcullis/trust.json"] {
            let file = self.path("home").join(store);
            let mut entries: serde_json::Value = std::fs::read(&file)
                .map_or_else(|_| serde_json::json!({}), |bytes| serde_json::from_slice(&bytes).unwrap());
            entries[self.path(relative).display().to_string()] = true.into();
            self.write_home(store, &entries.to_string());
        }
    }

    /// Any program in the project, with this place's environment.
    pub(crate) fn plain(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.path("home"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("TERM", "dumb")
            .current_dir(self.project())
            .stdin(Stdio::null());
        command
    }

    /// The binary, without a controlling terminal.
    pub(crate) fn portcullis<S: AsRef<std::ffi::OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
    ) -> Command {
        let mut command = self.plain("setsid");
        command.arg("--wait");
        if self.nobody {
            command.args(["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]);
            command.arg(self.path("portcullis"));
        } else {
            command.arg(BINARY);
        }
        command.args(arguments);
        command
    }

    /// The binary as this place's user runs it, for shells.
    pub(crate) fn binary(&self) -> String {
        if self.nobody { self.path("portcullis").display().to_string() } else { BINARY.to_owned() }
    }

    /// Runs a text in sh, as this place's user, without a controlling terminal.
    pub(crate) fn shell(&self, text: &str) -> Ended {
        let mut command = self.plain("setsid");
        command.arg("--wait");
        if self.nobody {
            command.args(["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]);
        }
        Ended::of(&command.args(["sh", "-c", text]).output().unwrap())
    }

    /// A file of the project.
    pub(crate) fn read(&self, relative: &str) -> String {
        std::fs::read_to_string(self.project().join(relative)).unwrap()
    }

    /// Runs the binary to its end.
    pub(crate) fn run<S: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Ended {
        Ended::of(&self.portcullis(arguments).output().unwrap())
    }

    /// All events of all sessions, as JSON.
    pub(crate) fn events(&self) -> Vec<serde_json::Value> {
        let folder = self.path("state/portcullis/log");
        let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
        files
            .flat_map(|file| {
                let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
                text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<_>>()
            })
            .collect()
    }

    /// The types of the events, in order.
    pub(crate) fn event_types(&self) -> Vec<String> {
        self.events().iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
    }
}

/// Runs a command with these bytes as its input.
pub(crate) fn feed(mut command: Command, input: &[u8]) -> Ended {
    use std::io::Write as _;

    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let ended = Ended::of(&child.wait_with_output().unwrap());
    writer.join().unwrap().unwrap();
    ended
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Fails the test unless the status is this and standard error has all of these.
    #[track_caller]
    pub(crate) fn expect(&self, code: i32, in_stderr: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:#?}");
        for text in in_stderr {
            assert!(self.stderr.contains(text), "`{text}` is missing in {self:#?}");
        }
    }
}

/// Whether a path is there, links not followed.
pub(crate) fn there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

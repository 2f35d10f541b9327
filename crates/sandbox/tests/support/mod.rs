//! What the tests of real runs share: a world to run in, both identities, listeners outside.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process,
    time::Duration,
};

use portcullis_sandbox::{BackendName, Network, Options, Outcome, Policy, RunFailure, Sandbox};

/// Set in the copy of this test program that runs as an unprivileged user.
const UNPRIVILEGED: &str = "PORTCULLIS_TEST_UNPRIVILEGED";
const NOBODY: u32 = 65534;

pub fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

/// Runs `body` as the present user and, when that is root, the test `name` of this program again as nobody.
pub fn as_each_user(name: &str, body: impl FnOnce()) {
    assert!(
        Path::new("/usr/bin/bwrap").exists(),
        "these tests need bubblewrap, and are not skipped: apt-get install bubblewrap"
    );
    body();
    if !is_root() {
        return;
    }
    let dir = tempfile::Builder::new().prefix("pc-test-user-").tempdir_in("/tmp").unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let program = dir.path().join("test");
    copy(&std::env::current_exe().unwrap(), &program);
    copy(Path::new(env!("CARGO_BIN_EXE_portcullis-landlock")), &dir.path().join("launcher"));
    let nobody = NOBODY.to_string();
    let output = process::Command::new("setpriv")
        .args(["--reuid", &nobody, "--regid", &nobody, "--clear-groups"])
        .arg(&program)
        .args([name, "--exact", "--nocapture"])
        .current_dir("/")
        .env(UNPRIVILEGED, dir.path().join("launcher"))
        .output()
        .unwrap();
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "as an unprivileged user:\n{text}");
    assert!(text.contains("1 passed"), "no such test as an unprivileged user: {name}\n{text}");
}

/// In a process of its own: a test that spawns at this moment would inherit the descriptor that is written
/// through, and the copy could not be executed before that child is gone ("Text file busy").
pub fn copy(from: &Path, to: &Path) {
    let status = process::Command::new("cp").arg(from).arg(to).status().unwrap();
    assert!(status.success(), "cp {} {}: {status}", from.display(), to.display());
}

pub fn launcher() -> OsString {
    std::env::var_os(UNPRIVILEGED).unwrap_or_else(|| env!("CARGO_BIN_EXE_portcullis-landlock").into())
}

/// A directory with a workspace and something outside it, and a session.
pub struct World {
    pub sandbox: Sandbox,
    pub backend: BackendName,
    pub dir: tempfile::TempDir,
    pub network: Network,
    pub hidden: Vec<String>,
    pub protected: Vec<String>,
    pub timeout: Duration,
}

impl World {
    /// Outside `/tmp`, which bubblewrap replaces by a private one: in `/var/tmp`, which it only makes read-only.
    pub fn new(backend: BackendName) -> Self {
        Self::below(backend, "/var/tmp")
    }

    pub fn below(backend: BackendName, base: &str) -> Self {
        let dir = tempfile::Builder::new().prefix("pc-test-").tempdir_in(base).unwrap();
        for name in ["ws", "outside", "home"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        fs::write(dir.path().join("outside/file"), "kept\n").unwrap();
        fs::write(dir.path().join("ws/file"), "inside\n").unwrap();
        Self {
            sandbox: Sandbox::new(vec![launcher()]).pinned(backend),
            backend,
            dir,
            network: Network::Blocked,
            hidden: Vec::new(),
            protected: Vec::new(),
            timeout: Duration::from_secs(30),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    pub fn environment(&self) -> BTreeMap<OsString, OsString> {
        let pairs = [
            ("PATH", "/usr/local/bin:/usr/bin:/bin".into()),
            ("HOME", self.text("home")),
            ("OUT", self.text("outside")),
            ("WS", self.text("ws")),
        ];
        pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    pub fn workspace(&self) -> Policy {
        Policy {
            network: self.network,
            hidden: self.hidden.clone(),
            protected: self.protected.clone(),
            ..Policy::workspace_write([self.text("ws")])
        }
    }

    pub fn read_only(&self) -> Policy {
        Policy { network: self.network, hidden: self.hidden.clone(), ..Policy::read_only([self.text("ws")]) }
    }

    pub fn options(&self) -> Options {
        let mut options = Options::new(self.path("ws"), self.environment());
        options.timeout = Some(self.timeout);
        options
    }

    pub fn try_run(&self, policy: &Policy, argv: &[&str]) -> Result<Outcome, RunFailure> {
        let argv: Vec<OsString> = argv.iter().map(OsString::from).collect();
        self.sandbox.run(&argv, policy, &self.options())
    }

    /// Runs a script in the workspace.
    pub fn sh(&self, policy: &Policy, script: &str) -> Outcome {
        let outcome = self.try_run(policy, &["/bin/bash", "-c", script]).unwrap();
        assert_eq!(outcome.facts.backend, Some(self.backend));
        outcome
    }
}

pub const BACKENDS: [BackendName; 2] = [BackendName::Bwrap, BackendName::Landlock];

pub fn stdout(outcome: &Outcome) -> String {
    String::from_utf8_lossy(&outcome.stdout).into_owned()
}

pub fn stderr(outcome: &Outcome) -> String {
    String::from_utf8_lossy(&outcome.stderr).into_owned()
}

//! The only place that reads what belongs to the whole process: environment, directory, clock, arguments.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    time::SystemTime,
};

use crate::report::Report;

/// What the process was started with.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    /// The arguments, program name first.
    pub(crate) arguments: Vec<OsString>,
    /// The environment.
    pub(crate) environment: BTreeMap<OsString, OsString>,
    /// The absolute path of this very binary; the launcher is started by it, never through `PATH`.
    pub(crate) executable: Option<PathBuf>,
    directory: Result<PathBuf, String>,
}

impl Surroundings {
    /// Those of this process.
    pub(crate) fn of_process() -> Self {
        Self {
            arguments: std::env::args_os().collect(),
            environment: std::env::vars_os().collect(),
            executable: std::env::current_exe().ok(),
            directory: std::env::current_dir().map_err(|error| error.to_string()),
        }
    }

    /// An environment variable that is set, not empty and UTF-8.
    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        self.environment
            .get(OsStr::new(name))
            .and_then(|value| value.to_str())
            .filter(|value| !value.is_empty())
    }

    /// The home directory of whoever runs this, as the accounts of the system have it.
    #[cfg(unix)]
    #[expect(clippy::unused_self, reason = "it belongs to the process, like the rest")]
    pub(crate) fn account_home(&self) -> Option<PathBuf> {
        let account = nix::unistd::User::from_uid(nix::unistd::getuid()).ok()??;
        Some(account.dir).filter(|home| home.is_absolute())
    }

    /// The home directory of whoever runs this, as the accounts of the system have it: not known here.
    #[cfg(not(unix))]
    #[expect(clippy::unused_self, reason = "it belongs to the process, like the rest")]
    pub(crate) fn account_home(&self) -> Option<PathBuf> {
        None
    }

    /// The working directory.
    ///
    /// # Errors
    /// It is gone, or may not be looked at.
    pub(crate) fn directory(&self) -> Result<&Path, Report> {
        self.directory.as_deref().map_err(|error| {
            Report::failure("directory", format!("the working directory cannot be read: {error}"))
                .remedy("change to a directory that exists, or give --cwd DIR")
        })
    }

    /// The controlling terminal by its own name, `/dev/pts/3`; none where there is none or it is of another kind
    /// (proc(5), `/proc/pid/stat`: `tty_nr`, of which pseudo-terminals have the majors 136 to 143).
    #[cfg(unix)]
    #[expect(clippy::unused_self, reason = "it belongs to the process, like the rest")]
    pub(crate) fn terminal(&self) -> Option<PathBuf> {
        let stat = std::fs::read("/proc/self/stat").ok()?;
        let stat = String::from_utf8_lossy(&stat);
        let number: u32 = stat.rsplit(')').next()?.split_ascii_whitespace().nth(4)?.parse().ok()?;
        let (major, minor) = (number >> 8 & 0xfff, number & 0xff | number >> 12 & 0xf_ff00);
        let index =
            major.checked_sub(136).filter(|above| *above < 8)?.checked_mul(256)?.checked_add(minor)?;
        Some(PathBuf::from(format!("/dev/pts/{index}")))
    }

    /// Columns for people to read in: `COLUMNS`, else those of the terminal that standard output is, else 80; within what
    /// can be read.
    pub(crate) fn columns(&self) -> usize {
        let said =
            self.variable("COLUMNS").and_then(|columns| columns.parse::<usize>().ok()).filter(|one| *one > 0);
        let columns = said.or_else(|| portcullis_process::output_columns().map(usize::from));
        columns.unwrap_or(80).clamp(40, 160)
    }

    /// The time, in milliseconds since 1970, UTC.
    pub(crate) fn now_ms() -> u64 {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

//! The launcher's command line.

use std::{ffi::OsString, os::fd::RawFd, path::PathBuf};

use super::LauncherError;
use crate::Network;

#[derive(Debug)]
pub(crate) enum Request {
    Probe,
    Run(Plan),
}

/// What to confine, and how.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) readable: Vec<PathBuf>,
    pub(crate) writable: Vec<PathBuf>,
    pub(crate) blocked: bool,
    /// Signals and abstract sockets are confined to the run.
    pub(crate) scopes: bool,
    pub(crate) status: Option<RawFd>,
    pub(crate) unix_sockets: bool,
    pub(crate) limits: Vec<(i32, u64)>,
    pub(crate) user: Option<(u32, u32)>,
    pub(crate) argv: Vec<OsString>,
}

impl Plan {
    /// Restricts as a read-only run would, and runs nothing: no arguments.
    pub(crate) fn probe() -> Self {
        Self { readable: vec!["/".into()], blocked: true, scopes: true, ..Self::default() }
    }

    pub(crate) fn restricts_files(&self) -> bool {
        !self.readable.is_empty() || !self.writable.is_empty()
    }

    pub(crate) fn network(&self) -> Network {
        if self.blocked { Network::Blocked } else { Network::Open }
    }
}

/// The limits that can be named, in the unit of `setrlimit(2)`.
const LIMITS: [(&str, i32); 4] = [
    ("memory", libc::RLIMIT_AS as i32),
    ("processes", libc::RLIMIT_NPROC as i32),
    ("file-size", libc::RLIMIT_FSIZE as i32),
    ("cpu", libc::RLIMIT_CPU as i32),
];

pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Request, LauncherError> {
    let usage = |text: String| LauncherError::Usage(text);
    let mut arguments = arguments.into_iter();
    let mut plan = Plan::default();
    let mut first = true;
    while let Some(argument) = arguments.next() {
        let name = argument.to_str().unwrap_or_default();
        if name == "--" {
            plan.argv = arguments.collect();
            if plan.argv.is_empty() {
                return Err(usage("no command after `--`".into()));
            }
            return Ok(Request::Run(plan));
        }
        if name == "--probe" && first {
            return match arguments.next() {
                None => Ok(Request::Probe),
                Some(_) => Err(usage("`--probe` stands alone".into())),
            };
        }
        first = false;
        if name == "--allow-unix-sockets" {
            plan.unix_sockets = true;
            continue;
        }
        let name = name.to_owned();
        let mut value = || arguments.next().ok_or_else(|| usage(format!("`{name}` needs a value")));
        let word = |value: OsString| {
            value.into_string().map_err(|value| usage(format!("bad value `{}`", value.to_string_lossy())))
        };
        match name.as_str() {
            "--ro" => plan.readable.push(value()?.into()),
            "--rw" => plan.writable.push(value()?.into()),
            "--net" => plan.blocked = network(&word(value()?)?)?,
            "--scope" => plan.scopes = scopes(&word(value()?)?)?,
            "--status-fd" => {
                let number = word(value()?)?;
                let fd = number.parse().ok().filter(|fd| *fd > 2);
                plan.status = Some(fd.ok_or_else(|| usage(format!("bad descriptor `{number}`")))?);
            }
            "--limit" => plan.limits.push(limit(&word(value()?)?)?),
            "--user" => plan.user = Some(user(&word(value()?)?)?),
            _ => return Err(usage(format!("unknown option `{}`", argument.to_string_lossy()))),
        }
    }
    Err(usage("no `--` and no command".into()))
}

fn network(value: &str) -> Result<bool, LauncherError> {
    match value {
        "open" => Ok(false),
        "blocked" => Ok(true),
        _ => Err(LauncherError::Usage(format!("bad network `{value}`"))),
    }
}

fn scopes(value: &str) -> Result<bool, LauncherError> {
    let mut names: Vec<&str> = value.split(',').collect();
    names.sort_unstable();
    // One alone is not offered: no policy asks for it.
    if names == ["signals", "sockets"] {
        Ok(true)
    } else {
        Err(LauncherError::Usage(format!("bad scope `{value}`, there is `signals,sockets`")))
    }
}

fn limit(value: &str) -> Result<(i32, u64), LauncherError> {
    let bad = || LauncherError::Usage(format!("bad limit `{value}`"));
    let (name, number) = value.split_once('=').ok_or_else(bad)?;
    let resource = LIMITS.iter().find(|(known, _)| *known == name).ok_or_else(bad)?.1;
    Ok((resource, number.parse().map_err(|_| bad())?))
}

fn user(value: &str) -> Result<(u32, u32), LauncherError> {
    let bad = || LauncherError::Usage(format!("bad user `{value}`"));
    let (uid, gid) = value.split_once(':').ok_or_else(bad)?;
    Ok((uid.parse().map_err(|_| bad())?, gid.parse().map_err(|_| bad())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(words: &str) -> Result<Request, LauncherError> {
        parse(words.split(' ').filter(|word| !word.is_empty()).map(OsString::from))
    }

    #[test]
    fn reads_every_option() {
        let text = "--ro / --rw /w --rw /v --net blocked --scope sockets,signals --status-fd 9 \
                    --allow-unix-sockets --limit cpu=3 --user 5:6 -- a --ro b";
        let Ok(Request::Run(plan)) = run(text) else { panic!("it is valid") };
        assert_eq!(plan.readable, [PathBuf::from("/")]);
        assert_eq!(plan.writable, [PathBuf::from("/w"), PathBuf::from("/v")]);
        assert!(plan.blocked && plan.scopes && plan.unix_sockets);
        assert_eq!((plan.status, plan.user), (Some(9), Some((5, 6))));
        assert_eq!(plan.limits, [(libc::RLIMIT_CPU as i32, 3)]);
        assert_eq!(plan.argv, ["a", "--ro", "b"]);
        assert!(matches!(run("--probe"), Ok(Request::Probe)));
    }

    #[test]
    fn what_it_does_not_know_is_an_error() {
        for text in [
            "",
            "a",
            "--",
            "--ro",
            "--ro / a",
            "--net none -- a",
            "--scope signals -- a",
            "--status-fd 2 -- a",
            "--status-fd x -- a",
            "--limit a=1 -- a",
            "--limit cpu -- a",
            "--limit cpu=-1 -- a",
            "--user 1 -- a",
            "--probe -- a",
            "--ro / --probe",
            "--unknown -- a",
            "-- ",
        ] {
            assert!(matches!(run(text), Err(LauncherError::Usage(_))), "{text}");
        }
    }
}

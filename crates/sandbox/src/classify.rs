//! Three kinds of failure of a finished run, judged in this order: the launcher failed (the command never
//! ran), the sandbox said no, the command's own failure.

use portcullis_process::ExitState;

use crate::{BackendName, Evidence, launcher};

/// What a run left to judge by.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    /// The back end that ran it.
    pub backend: BackendName,
    /// How it ended.
    pub state: ExitState,
    /// Its whole standard error, or at least every line of it that [`Finished::is_telling`] knows.
    pub stderr: &'a str,
    /// What the back end's status channel said.
    pub evidence: Evidence,
    /// Paths are masked: hidden, denied, or daemons' sockets.
    pub masked: bool,
    /// Paths are protected inside something writable.
    pub protected: bool,
    /// The network is blocked.
    pub blocked: bool,
    /// New Unix sockets are refused.
    pub sockets: bool,
}

/// The judgement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The command never ran.
    pub launcher_failed: bool,
    /// The sandbox worked and said no.
    pub denied: bool,
    /// The line that says so.
    pub detail: Option<String>,
}

/// When a message means a denial.
#[derive(Clone, Copy)]
enum Condition {
    Always,
    Masked,
    Protected,
    Blocked,
    Sockets,
}

/// Each back end's messages, lower case. Never a union over back ends: what one says for a denial, another
/// says for an ordinary failure.
const SIGNATURES: [(BackendName, &str, Condition); 8] = [
    (BackendName::Bwrap, "read-only file system", Condition::Always),
    (BackendName::Bwrap, "permission denied", Condition::Masked),
    (BackendName::Bwrap, "permission denied", Condition::Sockets),
    (BackendName::Bwrap, "device or resource busy", Condition::Protected),
    (BackendName::Bwrap, "invalid cross-device link", Condition::Protected),
    (BackendName::Bwrap, "network is unreachable", Condition::Blocked),
    (BackendName::Landlock, "permission denied", Condition::Always),
    (BackendName::Seatbelt, "operation not permitted", Condition::Always),
];

impl Finished<'_> {
    /// Whether a line can matter to the judgement, so that the rest need not be kept.
    #[must_use]
    pub fn is_telling(backend: BackendName, line: &str) -> bool {
        let lower = line.to_ascii_lowercase();
        lower.starts_with(launcher::PREFIX)
            || lower.starts_with("bwrap: ")
            || SIGNATURES.iter().any(|(name, text, _)| *name == backend && lower.contains(text))
    }

    fn applies(&self, condition: Condition) -> bool {
        match condition {
            Condition::Always => true,
            Condition::Masked => self.masked,
            Condition::Protected => self.protected,
            Condition::Blocked => self.blocked,
            Condition::Sockets => self.sockets,
        }
    }
}

/// Judges a finished run. `blames` is asked about every line with a message of denial: false when the
/// ordinary permissions of the path that it names would have said no as well.
///
/// ```
/// use portcullis_process::ExitState;
/// use portcullis_sandbox::{BackendName, Evidence, Finished, classify};
/// let run = Finished {
///     backend: BackendName::Landlock,
///     state: ExitState::Code(1),
///     stderr: "touch: cannot touch '/etc/x': Permission denied\n",
///     evidence: Evidence::Ran,
///     masked: false,
///     protected: false,
///     blocked: true,
///     sockets: true,
/// };
/// assert!(classify(&run, |_| true).denied);
/// ```
pub fn classify(run: &Finished<'_>, blames: impl Fn(&str) -> bool) -> Judgement {
    if let Some(judgement) = launcher_failure(run) {
        return judgement;
    }
    let ExitState::Code(code) = run.state else { return Judgement::default() };
    if code == 0 {
        return Judgement::default();
    }
    for line in run.stderr.lines() {
        let lower = line.to_ascii_lowercase();
        let matches = |(backend, text, condition): &(BackendName, &str, Condition)| {
            *backend == run.backend && lower.contains(text) && run.applies(*condition)
        };
        if SIGNATURES.iter().any(matches) && blames(line) {
            return Judgement { denied: true, detail: Some(line.trim().to_owned()), ..Judgement::default() };
        }
    }
    Judgement::default()
}

fn launcher_failure(run: &Finished<'_>) -> Option<Judgement> {
    let message = run.stderr.lines().find(|line| is_fatal(run.backend, line));
    let failed = match run.evidence {
        // A death by signal is none of the launcher's own failures, and must not lead to a second try.
        Evidence::NeverRan => matches!(run.state, ExitState::Code(_)),
        Evidence::Ran | Evidence::ExecFailed(_) => false,
        Evidence::None => {
            run.backend == BackendName::Landlock
                && run.state == ExitState::Code(launcher::FAILED.into())
                && message.is_some()
        }
    };
    let detail =
        message.map_or_else(|| format!("{} ended before the command ran", run.backend), str::to_owned);
    failed.then_some(Judgement { launcher_failed: true, denied: false, detail: Some(detail) })
}

/// A line in which a launcher says why it gave up.
fn is_fatal(backend: BackendName, line: &str) -> bool {
    match backend {
        BackendName::Landlock => line.starts_with(launcher::PREFIX) && !is_informational(line),
        BackendName::Bwrap => line.starts_with("bwrap: "),
        BackendName::Seatbelt => line.starts_with("sandbox-exec: "),
    }
}

/// Exactly the line that an older kernel's launcher adds to a run that works.
fn is_informational(line: &str) -> bool {
    line.strip_prefix(launcher::PREFIX)
        .and_then(|rest| rest.strip_prefix("partial enforcement (Landlock ABI "))
        .and_then(|rest| rest.strip_suffix(')'))
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use BackendName::{Bwrap, Landlock, Seatbelt};
    use ExitState::{Code, Signal};

    const INFO: &str = "portcullis-landlock: partial enforcement (Landlock ABI 4)\n";

    fn judge(backend: BackendName, state: ExitState, stderr: &str, evidence: Evidence) -> Judgement {
        let run = Finished {
            backend,
            state,
            stderr,
            evidence,
            masked: false,
            protected: false,
            blocked: false,
            sockets: false,
        };
        classify(&run, |_| true)
    }

    fn ordinary() -> Judgement {
        Judgement::default()
    }

    fn failed(line: &str) -> Judgement {
        Judgement { launcher_failed: true, denied: false, detail: Some(line.into()) }
    }

    fn denied(line: &str) -> Judgement {
        Judgement { launcher_failed: false, denied: true, detail: Some(line.into()) }
    }

    #[test]
    fn the_table_of_the_specification() {
        let exec = "portcullis-landlock: exec failed: x: gone";
        let with_info = |text: &str| format!("{INFO}{text}\n");
        for code in [1, 2, 125] {
            assert_eq!(judge(Landlock, Code(code), INFO, Evidence::None), ordinary(), "{code}");
        }
        assert_eq!(judge(Landlock, Code(125), &with_info(exec), Evidence::None), failed(exec));
        assert_eq!(judge(Landlock, Code(1), "portcullis-landlock: exec failed", Evidence::None), ordinary());
        let no = "x: Permission denied";
        assert_eq!(judge(Landlock, Code(1), &with_info(no), Evidence::None), denied(no));
        assert_eq!(judge(Landlock, Code(125), &format!("{exec}\n{no}"), Evidence::None), failed(exec));
        assert_eq!(judge(Bwrap, Code(1), no, Evidence::Ran), ordinary());
        let read_only = "x: Read-only file system";
        assert_eq!(judge(Bwrap, Code(1), read_only, Evidence::Ran), denied(read_only));
        assert_eq!(judge(Bwrap, Code(3), "bwrap: hello", Evidence::Ran), ordinary());
        for backend in [Bwrap, Landlock, Seatbelt] {
            assert_eq!(judge(backend, Code(0), no, Evidence::Ran), ordinary());
        }
        for backend in [Landlock, Seatbelt] {
            assert_eq!(judge(backend, Signal(9), no, Evidence::Ran), ordinary());
        }
    }

    #[test]
    fn evidence_is_stronger_than_messages() {
        let fatal = "portcullis-landlock: exec failed: forged";
        assert_eq!(judge(Landlock, Code(125), fatal, Evidence::Ran), ordinary());
        let died = "bwrap: Can't mkdir /x: Read-only file system";
        assert_eq!(judge(Bwrap, Code(1), died, Evidence::NeverRan), failed(died));
        assert_eq!(judge(Bwrap, Signal(15), "", Evidence::NeverRan), ordinary());
        for code in [0, 1] {
            let silent = judge(Bwrap, Code(code), "", Evidence::NeverRan);
            assert!(silent.launcher_failed && silent.detail.is_some(), "{code}: a launcher that ran nothing");
        }
    }

    #[test]
    fn conditions_and_blame_are_asked() {
        let run = |stderr| Finished {
            backend: Bwrap,
            state: Code(1),
            stderr,
            evidence: Evidence::Ran,
            masked: true,
            protected: true,
            blocked: true,
            sockets: true,
        };
        for line in [
            "a: permission DENIED",
            "mv: Device or resource busy",
            "ln: Invalid cross-device link",
            "curl: Network is unreachable",
        ] {
            assert!(classify(&run(line), |_| true).denied, "{line}");
            assert!(!classify(&run(line), |_| false).denied, "{line}");
            assert_eq!(judge(Bwrap, Code(1), line, Evidence::Ran), ordinary(), "{line}");
            assert!(Finished::is_telling(Bwrap, line));
        }
        assert!(!Finished::is_telling(Bwrap, "Operation not permitted"));
    }

    #[test]
    fn only_the_exact_line_is_informational() {
        assert!(is_informational(INFO.trim_end()));
        for line in [
            "portcullis-landlock: partial enforcement (Landlock ABI )",
            "portcullis-landlock: partial enforcement (Landlock ABI 4) and more",
            "portcullis-landlock: partial enforcement (Landlock ABI x)",
            "Portcullis-landlock: partial enforcement (Landlock ABI 4)",
        ] {
            assert!(!is_informational(line), "{line}");
        }
    }
}

//! Typed values of the keys that are read, each with where it stands.

use std::path::PathBuf;

use portcullis_matcher::{RuleSource, Scope};

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Scope, file and line.
    pub source: RuleSource,
}

/// `permissions.secrets` or `permissions.protected`: globs added to and removed from a built-in table.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Adjustment {
    /// Tightens: taken from untrusted projects too.
    pub add: Vec<Sourced<String>>,
    /// Loosens.
    pub remove: Vec<Sourced<String>>,
}

/// `sandbox.*`. Words are checked against the vocabulary of each key.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct SandboxSettings {
    /// `read-only`, `workspace-write` or `danger-full-access`.
    pub mode: Option<Sourced<String>>,
    /// `open` or `blocked`.
    pub network: Option<Sourced<String>>,
    /// Paths that cannot be read.
    pub hidden: Vec<Sourced<String>>,
    /// Paths that can be written beside the workspace.
    pub writable: Vec<Sourced<String>>,
    /// Paths inside the workspace that cannot be written.
    pub protected: Vec<Sourced<String>>,
    /// `keep` or `scrub`.
    pub env: Option<Sourced<String>>,
    /// Resource limits.
    pub limits: LimitSettings,
    /// `bwrap`, `landlock` or `seatbelt`.
    pub backend: Option<Sourced<String>>,
    /// Absent: false.
    pub allow_unix_sockets: Option<Sourced<bool>>,
    /// Absent: true.
    pub fail_if_unavailable: Option<Sourced<bool>>,
}

/// `sandbox.limits.*`; absent: no limit but the one that the sandbox has on processes.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct LimitSettings {
    /// `memoryBytes`, of all processes of a run together.
    pub memory_bytes: Option<Sourced<u64>>,
    /// `processes` at a time.
    pub processes: Option<Sourced<u64>>,
    /// `fileBytes`, of each file that is written.
    pub file_bytes: Option<Sourced<u64>>,
    /// `cpuSeconds`, of each process.
    pub cpu_seconds: Option<Sourced<u64>>,
}

/// `log.*`; from user or managed settings only.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct LogSettings {
    /// Absent: below the state directory. `~` is expanded.
    pub path: Option<Sourced<PathBuf>>,
    /// Absent: false.
    pub required: Option<Sourced<bool>>,
    /// Absent: false.
    pub sqlite: Option<Sourced<bool>>,
    /// Absent: true.
    pub redact: Option<Sourced<bool>>,
}

/// A threshold that can be switched off with `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Threshold {
    /// Never spill.
    Off,
    /// More than this is spilled.
    At(u64),
}

/// `spill.*`.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct SpillSettings {
    /// Absent: 12,500 (a token is four bytes).
    pub max_inline_tokens: Option<Sourced<Threshold>>,
    /// Absent: the threshold in tokens counts alone.
    pub max_inline_bytes: Option<Sourced<Threshold>>,
    /// Absent: 14.
    pub retain_days: Option<Sourced<u32>>,
}

/// Everything that settings say beside [`portcullis_matcher::Rules`].
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Settings {
    /// Milliseconds, 1 to 2,147,483,647; absent: wait.
    pub ask_timeout_ms: Option<Sourced<u32>>,
    /// Paths whose reading asks.
    pub secrets: Adjustment,
    /// Paths that are never written automatically.
    pub protected: Adjustment,
    /// Absent: the profile's default.
    pub confined_auto: Option<Sourced<bool>>,
    /// Managed settings dropped every other allow rule. An invalid value there counts as true.
    pub allow_managed_rules_only: Option<Sourced<bool>>,
    /// The mode unrestricted is switched off (`disableBypassPermissionsMode` of the claude dialect).
    pub unrestricted_disabled: Option<Sourced<bool>>,
    /// Kernel confinement.
    pub sandbox: SandboxSettings,
    /// `trust.inheritIntoRepositories`, from user or managed settings only; absent: false.
    pub inherit_into_repositories: Option<Sourced<bool>>,
    /// The audit log.
    pub log: LogSettings,
    /// Large results.
    pub spill: SpillSettings,
    /// The `hooks` objects as they stand, broadest first. Those of projects only when trusted.
    pub hooks: Vec<Sourced<serde_json::Value>>,
}

/// Narrower wins, managed beats all.
pub(crate) fn prefer<T>(into: &mut Option<Sourced<T>>, from: Option<Sourced<T>>) {
    let managed = into.as_ref().is_some_and(|value| value.source.scope == Scope::Managed);
    if from.is_some() && !managed {
        *into = from;
    }
}

impl Settings {
    /// Lays the values of a narrower file over these. Lists grow, values are replaced.
    pub(crate) fn absorb(&mut self, narrower: Self) {
        let Self {
            ask_timeout_ms,
            secrets,
            protected,
            confined_auto,
            allow_managed_rules_only,
            unrestricted_disabled,
            sandbox,
            inherit_into_repositories,
            log,
            spill,
            hooks,
        } = narrower;
        prefer(&mut self.ask_timeout_ms, ask_timeout_ms);
        self.secrets.absorb(secrets);
        self.protected.absorb(protected);
        prefer(&mut self.confined_auto, confined_auto);
        prefer(&mut self.allow_managed_rules_only, allow_managed_rules_only);
        if unrestricted_disabled.as_ref().is_some_and(|lock| lock.value) {
            prefer(&mut self.unrestricted_disabled, unrestricted_disabled);
        }
        self.sandbox.absorb(sandbox);
        prefer(&mut self.inherit_into_repositories, inherit_into_repositories);
        prefer(&mut self.log.path, log.path);
        prefer(&mut self.log.required, log.required);
        prefer(&mut self.log.sqlite, log.sqlite);
        prefer(&mut self.log.redact, log.redact);
        prefer(&mut self.spill.max_inline_tokens, spill.max_inline_tokens);
        prefer(&mut self.spill.max_inline_bytes, spill.max_inline_bytes);
        prefer(&mut self.spill.retain_days, spill.retain_days);
        self.hooks.extend(hooks);
    }

    /// What is left of a project's settings when it is not trusted: what only tightens.
    pub(crate) fn tightening(self) -> Self {
        Self {
            secrets: Adjustment { add: self.secrets.add, remove: Vec::new() },
            protected: Adjustment { add: self.protected.add, remove: Vec::new() },
            unrestricted_disabled: self.unrestricted_disabled,
            ..Self::default()
        }
    }
}

impl Adjustment {
    fn absorb(&mut self, narrower: Self) {
        self.add.extend(narrower.add);
        self.remove.extend(narrower.remove);
    }
}

impl LimitSettings {
    fn absorb(&mut self, narrower: Self) {
        prefer(&mut self.memory_bytes, narrower.memory_bytes);
        prefer(&mut self.processes, narrower.processes);
        prefer(&mut self.file_bytes, narrower.file_bytes);
        prefer(&mut self.cpu_seconds, narrower.cpu_seconds);
    }
}

impl SandboxSettings {
    fn absorb(&mut self, narrower: Self) {
        prefer(&mut self.mode, narrower.mode);
        prefer(&mut self.network, narrower.network);
        self.hidden.extend(narrower.hidden);
        self.writable.extend(narrower.writable);
        self.protected.extend(narrower.protected);
        prefer(&mut self.env, narrower.env);
        self.limits.absorb(narrower.limits);
        prefer(&mut self.backend, narrower.backend);
        prefer(&mut self.allow_unix_sockets, narrower.allow_unix_sockets);
        prefer(&mut self.fail_if_unavailable, narrower.fail_if_unavailable);
    }
}

//! From a verdict, the flags and the settings to the sandbox policy of a run.

use portcullis_loader::Sourced;
use portcullis_paths::{SensitivePaths, Table};
use portcullis_permissions::{ConfinementMode, Gate, Verdict};
use portcullis_sandbox::{EnvironmentPolicy, Mode, Network, Policy, ProtectedNames, UnixSockets};

use super::hidden;
use crate::{args::RunArgs, session::Session};

/// A policy, and whether everything that rules and tables say about paths is in it.
pub(crate) struct RunPolicy {
    pub(crate) policy: Policy,
    /// False: globs of deny rules or excludes may match files that were not looked at.
    complete: bool,
    /// Globs that rules and settings keep from being written.
    pub(crate) unwritable: Vec<String>,
    /// False: so may those of the tables of secrets and protected names.
    searched: bool,
}

impl RunPolicy {
    /// Whether what an unasked run hangs on is all in the policy.
    ///
    /// # Errors
    /// It is not, with the reason.
    pub(super) fn holds(&self, shut_in: bool) -> Result<(), &'static str> {
        if self.complete && (self.searched || !shut_in) {
            return Ok(());
        }
        Err(
            "the project holds more files than are searched for what has to be hidden or protected, or more of \
             that than can be (gap hidden-paths)",
        )
    }
}

/// The policy that a verdict leads to. An explicit `--sandbox` is the caller's choice; otherwise the
/// verdict's confinement counts, then the settings', then workspace-write.
pub(super) fn of(verdict: &Verdict, arguments: &RunArgs, session: &Session) -> RunPolicy {
    let confinement = verdict.confinement.as_ref();
    let settings = &session.loaded.settings.sandbox;
    let set = settings.mode.as_ref().and_then(|mode| match mode.value.as_str() {
        "read-only" => Some(Mode::ReadOnly),
        "workspace-write" => Some(Mode::WorkspaceWrite),
        "danger-full-access" => Some(Mode::DangerFullAccess),
        _ => None,
    });
    let mut workspace = roots(session);
    let mode = match (arguments.sandbox, confinement.map(|confinement| confinement.mode)) {
        (Some(explicit), _) => explicit.into(),
        (None, Some(ConfinementMode::ReadOnly)) => Mode::ReadOnly,
        (None, Some(ConfinementMode::MemoryWrite)) => {
            workspace = memory(session);
            Mode::WorkspaceWrite
        }
        (None, _) if shut_in(Some(verdict)) => match set {
            Some(Mode::ReadOnly) => Mode::ReadOnly,
            _ => Mode::WorkspaceWrite,
        },
        (None, _) => set.unwrap_or(Mode::WorkspaceWrite),
    };
    let mut policy = Policy::new(mode, workspace);
    policy.network = network(arguments, session, Some(verdict));
    policy.unix_sockets = match allows_unix_sockets(session) {
        true => UnixSockets::Allowed,
        false if shut_in(Some(verdict)) => UnixSockets::Refused,
        false => UnixSockets::Guarded,
    };
    policy.environment = match settings.env.as_ref().map(|env| env.value.as_str()) {
        Some("keep") => EnvironmentPolicy::Keep,
        _ => EnvironmentPolicy::Scrub,
    };
    fill(policy, session, &verdict.exclude, shut_in(Some(verdict)))
}

/// A policy that no verdict stands behind: `sandbox run` and the probe.
pub(crate) fn plain(mode: Mode, network: Network, workspace: Vec<String>, session: &Session) -> RunPolicy {
    let mut policy = Policy::new(mode, workspace);
    policy.network = network;
    policy.environment = EnvironmentPolicy::Scrub;
    if allows_unix_sockets(session) {
        policy.unix_sockets = UnixSockets::Allowed;
    }
    fill(policy, session, &[], false)
}

/// The flag, else what the verdict requires, else the settings', else blocked.
pub(super) fn network(arguments: &RunArgs, session: &Session, verdict: Option<&Verdict>) -> Network {
    let confinement = verdict.and_then(|verdict| verdict.confinement.as_ref());
    if shut_in(verdict) {
        return Network::Blocked;
    }
    if let Some(explicit) = arguments.net {
        return explicit.into();
    }
    let set = session.loaded.settings.sandbox.network.as_ref();
    match set.map(|network| network.value.as_str()) {
        Some("open") if confinement.is_none_or(|confinement| !confinement.network_blocked) => Network::Open,
        _ => Network::Blocked,
    }
}

/// `sandbox.allowUnixSockets`: no back end refuses them then, so that opaque commands are not run unasked.
fn allows_unix_sockets(session: &Session) -> bool {
    session.loaded.settings.sandbox.allow_unix_sockets.as_ref().is_some_and(|allowed| allowed.value)
}

/// The command runs unasked for being shut in.
fn shut_in(verdict: Option<&Verdict>) -> bool {
    verdict.is_some_and(|verdict| verdict.gate == Gate::ConfinedAuto)
}

/// The project root and the directories that settings add.
pub(crate) fn roots(session: &Session) -> Vec<String> {
    let mut roots = vec![session.project_root.clone()];
    roots.extend(session.rules.rules().additional_directories.iter().cloned());
    roots.extend(session.loaded.settings.sandbox.writable.iter().map(|path| place_of(path, session)));
    roots
}

/// An absolute path; like an additional directory it is relative to the folder that holds the settings folder.
fn place_of(path: &Sourced<String>, session: &Session) -> String {
    let file = path.source.file.as_deref().map(std::path::Path::new);
    let folder = file.and_then(|file| file.parent()?.parent()?.to_str());
    let expanded = portcullis_paths::expand_home(&path.value, session.home.as_deref());
    portcullis_paths::join(folder.unwrap_or(&session.project_root), &expanded)
}

/// The agent's own memory directories.
fn memory(session: &Session) -> Vec<String> {
    let agent = &session.context.agent;
    if !agent.memory_directories.is_empty() {
        return agent.memory_directories.clone();
    }
    let Some(id) = agent.id.as_deref() else { return Vec::new() };
    agent
        .trees
        .iter()
        .flat_map(|tree| ["memory", "memory-worktrees"].map(|name| format!("{tree}/{id}/{name}")))
        .filter(|path| std::path::Path::new(path).is_dir())
        .collect()
}

/// Secrets hidden, protected names read-only, path payloads of deny rules compiled in. Nobody is asked before a command
/// that is `shut_in` writes: for it, what settings add to the protected paths is read-only too.
fn fill(mut policy: Policy, session: &Session, exclude: &[String], shut_in: bool) -> RunPolicy {
    let settings = &session.loaded.settings.sandbox;
    let texts =
        |list: &[Sourced<String>]| -> Vec<String> { list.iter().map(|path| path.value.clone()).collect() };
    let sessions = &session.context.sessions;
    let denied: Vec<&(String, bool)> = [&*session.rules, &*sessions.session, &*sessions.cli]
        .into_iter()
        .flat_map(portcullis_matcher::RuleSet::denied_paths)
        .collect();
    let of_rules = |reading: bool| {
        denied.iter().filter(move |(_, also_reading)| *also_reading == reading).map(|(glob, _)| glob.clone())
    };
    let mut unreadable: Vec<String> = of_rules(true).collect();
    // What the table says already is hidden by the table, with its exceptions: as a glob of its own it would win over
    // them.
    let table = session.context.sensitive.globs(Table::Secret);
    unreadable.extend(exclude.iter().filter(|glob| !table.contains(glob)).cloned());
    unreadable.extend(texts(&settings.hidden));
    let mut unwritable: Vec<String> = of_rules(false).collect();
    unwritable.extend(texts(&settings.protected));
    if shut_in {
        unwritable.extend(texts(&session.loaded.settings.protected.add));
    }
    let pure =
        unreadable.iter().chain(&unwritable).chain(exclude).all(|glob| hidden::literal(glob).is_some());
    let (tables, readable) = extended(&session.context.sensitive, &unreadable, &unwritable);

    let mut found = hidden::Found::default();
    found.literal(&tables);
    let protected = ProtectedNames::new(&session.context.sensitive, &unwritable, &policy.workspace);
    found.walk(&tables, &protected, &policy.workspace);
    for path in &session.context.judge_paths {
        found.protect(path);
    }
    policy.hidden = found.hidden;
    policy.protected = found.protected;
    RunPolicy { policy, complete: readable && (pure || found.complete), searched: found.complete, unwritable }
}

/// The tables with the rules' globs in them; false when one of those cannot be read.
fn extended(tables: &SensitivePaths, unreadable: &[String], unwritable: &[String]) -> (SensitivePaths, bool) {
    let hidden = tables.clone().adjust(Table::Secret, unreadable, &[]);
    let both = hidden.and_then(|tables| tables.adjust(Table::ReadOnly, unwritable, &[]));
    match both {
        Ok(tables) => (tables, true),
        Err(_) => (tables.clone(), false),
    }
}

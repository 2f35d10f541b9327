//! The log of this invocation: where it lies, and the events that commands append.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use portcullis_audit::{Appended, Event, Log, LogOptions, Redactor, RuleRef};
use portcullis_paths::Table;
use portcullis_permissions::{Decision, MatchedRule, ToolCall, Verdict};

use crate::{
    report::{self, Report},
    session::{self, Session, Surroundings},
};

/// An open log.
pub(crate) struct Journal {
    log: Arc<Log>,
}

/// The folder of the logs that nobody gave another path.
///
/// # Errors
/// Neither `XDG_STATE_HOME` nor a home directory is known.
pub(crate) fn folder(surroundings: &Surroundings, home: Option<&str>) -> Result<PathBuf, Report> {
    session::state_directory(surroundings, home).map(|state| PathBuf::from(state).join("log")).ok_or_else(
        || {
            Report::failure(
                "log",
                "there is no place for the log: neither a home nor a state directory is known",
            )
            .remedy("set HOME or XDG_STATE_HOME, or give --log PATH")
        },
    )
}

/// The file of a session's log.
///
/// # Errors
/// A session id that is no file name.
pub(crate) fn file(folder: &Path, id: &str) -> Result<PathBuf, Report> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if id.is_empty() || id.starts_with('.') || id.len() > 200 || !id.chars().all(plain) {
        return Err(Report::failure("session", format!("`{id}` cannot be a session's name"))
            .at("--session")
            .remedy("use letters, digits, `-`, `_` and `.`, not in front"));
    }
    Ok(folder.join(format!("{id}.jsonl")))
}

impl Journal {
    /// Opens the log: `--log`, else the settings' path, else the default one.
    ///
    /// # Errors
    /// It cannot be opened; nothing may run unrecorded.
    pub(crate) fn open(
        session: &Session,
        surroundings: &Surroundings,
        path: Option<PathBuf>,
        id: &str,
    ) -> Result<Self, Report> {
        let settings = &session.loaded.settings.log;
        let path = match path.or_else(|| settings.path.as_ref().map(|path| path.value.clone())) {
            Some(path) => path,
            None => file(&folder(surroundings, session.home.as_deref())?, id)?,
        };
        let mut options = LogOptions::new(path, id);
        options.required = settings.required.as_ref().is_some_and(|required| required.value);
        if settings.redact.as_ref().is_none_or(|redact| redact.value) {
            options.redactor = Some(redactor(session)?);
        }
        let log = Log::open(options, Surroundings::now_ms).map_err(|error| {
            Report::failure("log", format!("the log cannot be kept, so nothing runs: {}", error.source))
                .at(error.path.display().to_string())
                .remedy("mend the folder's permissions, or give --log PATH")
        })?;
        Ok(Self { log: Arc::new(log) })
    }

    /// For approvals.
    pub(crate) fn log(&self) -> Arc<Log> {
        Arc::clone(&self.log)
    }

    /// Appends an event.
    ///
    /// # Errors
    /// It is lost, and nothing may happen without it. Any other lost event is one warning.
    pub(crate) fn append(&self, event: Event) -> Result<(), Report> {
        match self.log.append(event) {
            Ok(Appended::Written(_) | Appended::Lost(None)) => Ok(()),
            Ok(Appended::Lost(Some(error))) => {
                report::note(&format!("portcullis: warning: {error}"));
                Ok(())
            }
            Err(error) => Err(Report::failure("log", error.to_string())
                .at(self.log.path().display().to_string())
                .remedy("free some space, or give --log PATH")),
        }
    }
}

/// `tool/call`
pub(crate) fn proposed(call: &ToolCall, hash: &str, cwd: &str) -> Event {
    Event::ToolCall {
        call_id: call.call_id.clone(),
        call: hash.to_owned(),
        tool: call.name.clone(),
        arguments: call.arguments.clone(),
        cwd: Some(cwd.to_owned()),
    }
}

/// `decision`
pub(crate) fn decided(call: &ToolCall, hash: &str, verdict: &Verdict, mode: &str, duration_us: u64) -> Event {
    Event::Decision {
        call: hash.to_owned(),
        tool: call.name.clone(),
        decision: match verdict.decision {
            Decision::Allow => portcullis_audit::Verdict::Allow,
            Decision::Deny => portcullis_audit::Verdict::Deny,
            Decision::Ask => portcullis_audit::Verdict::Ask,
            Decision::AlwaysAsk => portcullis_audit::Verdict::AlwaysAsk,
        },
        gate: verdict.gate.as_str().to_owned(),
        rule: verdict.rule.as_ref().map(rule_ref),
        reason: Some(verdict.reason.clone().into_owned()),
        mode: mode.to_owned(),
        duration_us,
    }
}

fn rule_ref(rule: &MatchedRule) -> RuleRef {
    let source = rule.source.as_ref();
    RuleRef {
        rule: rule.label.clone(),
        scope: source.map_or("", |source| source.scope.as_str()).to_owned(),
        file: source.and_then(|source| source.file.as_deref()).map(ToOwned::to_owned),
        line: source.and_then(|source| source.line),
    }
}

/// Redaction by the tables of the session.
fn redactor(session: &Session) -> Result<Redactor, Report> {
    let tables = &session.context.sensitive;
    let secrets = tables.globs(Table::Secret);
    Redactor::new(secrets.iter().map(String::as_str), session.home.as_deref())
        .map_err(|error| Report::failure("log", error.to_string()))
}

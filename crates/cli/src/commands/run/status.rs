//! `--status-fd`: the outcome as one JSON object, so that no exit status is ambiguous.

use std::{fs::File, io::Write as _};

use portcullis_permissions::Verdict;
use portcullis_process::ExitState;
use portcullis_sandbox::{Facts, Outcome, tripwire::Tripped};
use serde_json::{Value, json};

use crate::{
    commands::{tripwire, trust},
    report::Report,
    session::Session,
};

/// The caller's descriptor, if one was named.
pub(crate) struct StatusFd(Option<File>);

impl StatusFd {
    /// Takes a copy of the descriptor, so that a wrong number is known before anything runs.
    ///
    /// # Errors
    /// It is not open.
    pub(crate) fn open(number: Option<i32>) -> Result<Self, Report> {
        let Some(number) = number else { return Ok(Self(None)) };
        let copy = portcullis_process::inherited(number).map_err(|error| {
            Report::failure("status-fd", format!("descriptor {number} cannot be used: {error}"))
                .at("--status-fd")
                .remedy(format!("open it for writing in the caller, such as {number}>status.json"))
        })?;
        Ok(Self(Some(File::from(copy))))
    }

    /// Writes the report as one line.
    ///
    /// # Errors
    /// The descriptor cannot be written.
    pub(crate) fn write(self, status: &StatusReport) -> Result<(), Report> {
        let Some(mut file) = self.0 else { return Ok(()) };
        file.write_all(format!("{}\n", status.json()).as_bytes()).map_err(|error| {
            Report::failure("status-fd", format!("the outcome cannot be written: {error}")).at("--status-fd")
        })
    }
}

/// What the caller learns.
#[derive(Debug, Default)]
pub(crate) struct StatusReport {
    decision: Option<&'static str>,
    gate: Option<&'static str>,
    rule: Option<String>,
    exit: Option<i32>,
    signal: Option<i32>,
    timed_out: bool,
    sandbox: Option<Value>,
    trust: Option<Value>,
    error: Option<Value>,
}

impl StatusReport {
    /// What of the project was loaded.
    pub(crate) fn project(&mut self, session: &Session) {
        self.trust = trust::held(session);
    }

    /// The gates have spoken.
    pub(crate) fn decided(&mut self, verdict: &Verdict) {
        self.decision = Some(verdict.decision.as_str());
        self.gate = Some(verdict.gate.as_str());
        self.rule = verdict.rule.as_ref().map(|rule| rule.label.clone());
    }

    /// The command has ended.
    pub(crate) fn ended(&mut self, outcome: &Outcome, tripped: Option<&Tripped>) {
        (self.exit, self.signal) = match outcome.state {
            ExitState::Code(code) => (Some(code), None),
            ExitState::Signal(signal) => (None, Some(signal)),
            _ => (None, None),
        };
        self.timed_out = outcome.timed_out;
        self.sandbox = Some(facts(&outcome.facts, tripped));
    }

    /// Nothing ran, or not to its end.
    pub(crate) fn fail(&mut self, failure: &Report) {
        self.error = failure.json().get("error").cloned();
    }

    fn json(&self) -> Value {
        let mut object = json!({
            "decision": self.decision,
            "gate": self.gate,
            "rule": self.rule,
            "exit": self.exit,
            "signal": self.signal,
            "timed_out": self.timed_out,
            "sandbox": self.sandbox,
        });
        for (name, value) in [("trust", &self.trust), ("error", &self.error)] {
            if let (Some(object), Some(value)) = (object.as_object_mut(), value) {
                object.insert(name.to_owned(), value.clone());
            }
        }
        object
    }
}

/// What is known of a confined run: under which policy and back end, and whether the kernel said no.
fn facts(facts: &Facts, tripped: Option<&Tripped>) -> Value {
    let gaps = facts.enforcement.gaps();
    json!({
        "mode": facts.mode,
        "backend": facts.backend,
        "enforcement": if gaps.is_empty() { "full" } else { "partial" },
        "gaps": gaps,
        "denied": facts.denied,
        "launcher_failed": facts.launcher_failed,
        "detail": facts.detail,
        "tripwire": tripped.map(tripwire::as_json),
    })
}

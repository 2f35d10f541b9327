//! The tripwire of confined runs: what is watched, and what a person, the log and the caller learn of it.

use std::path::{Path, PathBuf};

use portcullis_audit::Event;
use portcullis_paths::Table;
use portcullis_permissions::{Gate, Verdict};
use portcullis_sandbox::{
    Gap, Mode, Outcome, Policy,
    tripwire::{Armed, Change, Finding, Tripped, Tripwire},
};
use portcullis_shell_analysis::{EffectKind, PathTarget};
use serde_json::{Value, json};

use super::journal::Journal;
use crate::{
    report::{self, Report},
    session::{self, Session, Surroundings},
};

/// So many names are told one by one.
const TOLD: usize = 8;

/// Armed for one run; none where nothing can be written, or nothing is confined.
pub(crate) struct Watch(Option<Armed>);

/// Makes the folder of the journals, so that it is there to be protected where it lies in the workspace. Whether it could
/// be made is told when the tripwire is armed.
pub(crate) fn prepare(session: &Session, surroundings: &Surroundings) {
    if let Some(state) = session::state_directory(surroundings, session.home.as_deref()) {
        let _ = std::fs::create_dir_all(state);
    }
}

/// Writes down what is protected now.
///
/// # Errors
/// It cannot be written down; nothing may run then.
pub(crate) fn arm(
    session: &Session,
    surroundings: &Surroundings,
    id: &str,
    policy: &Policy,
    unwritable: &[String],
    exempt: Vec<PathBuf>,
) -> Result<Watch, Report> {
    let state = session::state_directory(surroundings, session.home.as_deref());
    let Some(state) = state.filter(|_| policy.mode == Mode::WorkspaceWrite) else { return Ok(Watch(None)) };
    let tripwire = Tripwire {
        state: state.into(),
        session: id.to_owned(),
        home: session.home.clone(),
        globs: unwritable.to_vec(),
        files: session
            .layout
            .files
            .iter()
            .map(|file| file.path.clone())
            .chain(session.keeper.files().into_iter().map(PathBuf::from))
            .collect(),
        exempt,
    };
    let roots = [&policy.workspace, &policy.writable, &policy.base_writable];
    let roots: Vec<String> = roots.into_iter().flatten().cloned().collect();
    let armed = tripwire.arm(&roots, &policy.protected).map_err(|error| {
        Report::failure("tripwire", format!("{error}, so nothing runs"))
            .remedy("mend the folder's permissions, or set XDG_STATE_HOME")
    })?;
    Ok(Watch(Some(armed)))
}

/// What a call is known to write of what is protected: the gates have let it through knowing that, or a person has.
/// Where it is let through for being shut in, that takes a rule that names the path.
pub(crate) fn exempt(verdict: &Verdict, session: &Session) -> Vec<PathBuf> {
    let tables = &session.context.sensitive;
    let knowingly = verdict.gate != Gate::ConfinedAuto;
    let is_protected = |path: &str| {
        let known = || {
            [Table::ReadOnly, Table::Protected].iter().any(|table| tables.contains(*table, path))
                || session.context.judge_paths.iter().any(|judge| judge == path)
        };
        (knowingly && known()) || session.rules.names_literally(path, true)
    };
    let effects = verdict
        .shell
        .iter()
        .flat_map(|(_, analysis)| &analysis.invocations)
        .flat_map(|invocation| &invocation.effects);
    effects
        .filter_map(|effect| match &effect.kind {
            EffectKind::Write(PathTarget::Path(path) | PathTarget::Below(path))
            | EffectKind::Delete { path: PathTarget::Path(path) | PathTarget::Below(path), .. }
            | EffectKind::ChangeMetadata(PathTarget::Path(path)) => Some(path),
            _ => None,
        })
        .filter(|path| is_protected(path))
        .map(PathBuf::from)
        .collect()
}

impl Watch {
    /// Looks again after a run that ended, or that came to none, and tells the person and the log what was found.
    /// The enforcement of the outcome is what it has become by that.
    ///
    /// # Errors
    /// The log is required and cannot be written.
    pub(crate) fn end<E>(
        self,
        outcome: &mut Result<Outcome, E>,
        journal: Option<(&Journal, &str)>,
    ) -> Result<Option<Tripped>, Report> {
        let Some(armed) = self.0 else { return Ok(None) };
        // A run that failed to start changed nothing; whatever did is no concern of a back end.
        let gaps =
            outcome.as_ref().map(|outcome| outcome.facts.enforcement.gaps().to_vec()).unwrap_or_default();
        let tripped = armed.disarm(!gaps.contains(&Gap::ProtectedPaths), &only_restricts);
        if let Ok(outcome) = outcome
            && tripped.complete
        {
            outcome.facts.enforcement = outcome.facts.enforcement.detecting();
        }
        tell(&tripped);
        if let Some((journal, call)) = journal {
            record(&tripped, journal, Some(call))?;
        }
        Ok(Some(tripped))
    }
}

/// Appends an event for each name.
///
/// # Errors
/// The log is required and cannot be written.
pub(crate) fn record(tripped: &Tripped, journal: &Journal, call: Option<&str>) -> Result<(), Report> {
    for finding in &tripped.findings {
        journal.append(Event::Tripwire {
            call: call.map(ToOwned::to_owned),
            run: tripped.session.clone(),
            path: text(&finding.path),
            change: finding.change.as_str().to_owned(),
            quarantined: finding.quarantined.as_deref().map(text),
            restored: finding.restored,
            error: finding.error.clone(),
        })?;
    }
    Ok(())
}

/// Tells a person where everything is now, and how to put it back.
pub(crate) fn tell(tripped: &Tripped) {
    for finding in tripped.findings.iter().take(TOLD) {
        let (what, remedy) = words(finding);
        note(&format!("portcullis: warning: {what}"));
        note(&format!("  do: {remedy}"));
    }
    for path in tripped.kept.iter().take(TOLD) {
        note(&format!(
            "portcullis: note: `{}` is new or changed since a confined command was begun; it only restricts what is \
             allowed, so it stays",
            text(path)
        ));
    }
    if tripped.findings.len() > TOLD {
        let more = tripped.findings.len() - TOLD;
        note(&format!("portcullis: warning: {more} more protected names were not left as they were"));
        note("  do: see `portcullis log show`, events of type `sandbox/tripwire`");
    }
    if !tripped.complete {
        note(
            "portcullis: warning: the workspace holds more than is searched, so that protected names may be new \
             there that nobody has seen",
        );
        note("  do: look for new hooks and settings before you run anything in it yourself");
    }
}

/// Whether a change of a settings file allows nothing that was not allowed: then it stays, whoever made it. A person may
/// have written a deny rule since a run that was killed.
pub(crate) fn only_restricts(path: &Path, before: Option<&[u8]>, now: &[u8]) -> bool {
    is_settings(path) && portcullis_loader::only_restricts(before, now)
}

fn is_settings(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| matches!(name, "settings.json" | "settings.local.json" | "managed-settings.json"))
}

/// Settings that were taken away before this session read its own: where they are now. What they deny counts once more.
pub(crate) fn quarantined_settings(recovered: &[Tripped]) -> Vec<PathBuf> {
    let findings = recovered.iter().flat_map(|tripped| &tripped.findings);
    findings
        .filter(|finding| is_settings(&finding.path))
        .filter_map(|finding| finding.quarantined.clone())
        .collect()
}

/// Settings of which what was there before could not be put back: nobody knows what they denied.
pub(crate) fn lost_settings(recovered: &[Tripped]) -> Option<&Path> {
    let mut findings = recovered.iter().flat_map(|tripped| &tripped.findings);
    let lost = |finding: &&Finding| is_settings(&finding.path) && finding.error.is_some();
    findings.find(lost).map(|finding| finding.path.as_path())
}

fn note(text: &str) {
    report::note(&portcullis_approval::escape_line(text));
}

fn words(finding: &Finding) -> (String, String) {
    let path = text(&finding.path);
    let happened = match finding.change {
        Change::New => "is protected and was made by a confined command",
        Change::Changed => "is protected and was changed by a confined command",
        Change::Removed => "is protected and was removed by a confined command",
        _ => "is protected and changed while a confined command ran, which could not have done it",
    };
    let mut what = format!("`{path}` {happened}");
    if let Some(place) = &finding.quarantined {
        what.push_str(&format!("; it is now `{}`", text(place)));
    } else if finding.change == Change::New && finding.error.is_none() {
        what.push_str("; it was no file and is gone");
    }
    if finding.restored {
        what.push_str("; what was there before is there again");
    }
    if let Some(error) = &finding.error {
        what.push_str(&format!("; {error}"));
    }
    let remedy = match &finding.quarantined {
        Some(place) if finding.error.is_none() => {
            format!("look at it, and if it is right: mv {} {}", quoted(&text(place)), quoted(&path))
        }
        _ => "look at it before you run anything there yourself".to_owned(),
    };
    (what, remedy)
}

/// One word for a shell.
fn quoted(path: &str) -> String {
    format!("'{}'", path.replace('\'', r"'\''"))
}

fn text(path: impl AsRef<Path>) -> String {
    path.as_ref().to_string_lossy().into_owned()
}

/// What the caller learns.
pub(crate) fn as_json(tripped: &Tripped) -> Value {
    let found: Vec<Value> = tripped
        .findings
        .iter()
        .map(|finding| {
            json!({
                "path": text(&finding.path),
                "change": finding.change,
                "quarantined": finding.quarantined.as_deref().map(text),
                "restored": finding.restored,
                "error": finding.error,
            })
        })
        .collect();
    let kept: Vec<String> = tripped.kept.iter().map(text).collect();
    json!({ "complete": tripped.complete, "found": found, "kept": kept })
}

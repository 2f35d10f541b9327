//! `rules lint`: what is wrong with settings files and their rules, or weaker than it looks.

use std::fmt::Write as _;

use portcullis_approval::escape_line;
use portcullis_loader::{Diagnostic, Severity, Status};
use portcullis_permissions::{Evasion, Finding, Needs, lint};
use serde_json::{Value, json};

use crate::{
    args::{LintArgs, Options},
    exit::Exit,
    report::{self, CommandResult},
    session::{self, Files, Session, Surroundings, Trusting},
};

/// How many of the ways around a rule are shown to a person.
const SHOWN: usize = 6;

/// Prints every finding, by file and line: 0 none, 1 some.
pub(super) fn run(options: &Options, arguments: &LintArgs, surroundings: &Surroundings) -> CommandResult {
    session::directories(options, surroundings)?;
    let files = if arguments.files.is_empty() { Files::InForce } else { Files::Only(&arguments.files) };
    let session = Session::inspect(options, surroundings, &files, Trusting::Said(true))?;
    let mut findings = lint(&session.context, &session.rules);
    let all = findings.len();
    findings.retain(|finding| !finding.evasion.as_ref().is_some_and(|one| is_held(one, &session)));
    let held = all - findings.len();
    let accepted = accept(&mut findings, &arguments.accept);
    let files: Vec<&Diagnostic> =
        session.loaded.diagnostics.iter().filter(|found| found.severity > Severity::Note).collect();
    let text = if options.json() {
        format!("{}\n", as_json(&session, &files, &findings, (held, accepted)))
    } else {
        as_text(&session, &files, &findings, (held, accepted))
    };
    report::print(&text)?;
    Ok(if files.is_empty() && findings.is_empty() { Exit::Success } else { Exit::Status(1) })
}

/// Whether the settings say that commands run in a sandbox that closes what gets past a rule. What only the words of
/// the rule leave open is not closed by that.
fn is_held(evasion: &Evasion, session: &Session) -> bool {
    let sandbox = &session.loaded.settings.sandbox;
    let mode = sandbox.mode.as_ref().map(|mode| mode.value.as_str());
    let network = sandbox.network.as_ref().map(|network| network.value.as_str());
    evasion.wider.is_none()
        && mode != Some("danger-full-access")
        && match evasion.needs {
            Needs::NoNetwork => network == Some("blocked"),
            Needs::Sandbox => mode.is_some(),
            _ => false,
        }
}

/// Takes out what is accepted, and says so where that is nothing (any more): how many were taken out.
fn accept(findings: &mut Vec<Finding>, accepted: &[String]) -> usize {
    let all = findings.len();
    for one in accepted {
        let before = findings.len();
        findings.retain(|finding| match one.split_once(':') {
            Some((kind, rule)) => kind != finding.kind.as_str() || rule != finding.rule,
            None => one != finding.kind.as_str(),
        });
        if findings.len() == before {
            report::note(&format!(
                "portcullis: warning: `--accept {}` is about no finding",
                escape_line(one)
            ));
        }
    }
    all - findings.len()
}

fn as_json(
    session: &Session,
    files: &[&Diagnostic],
    findings: &[Finding],
    (held, accepted): (usize, usize),
) -> Value {
    let of_file = |found: &&Diagnostic| {
        json!({
            "kind": "file",
            "file": found.file,
            "line": found.line,
            "column": found.column,
            "message": found.message,
            "remedy": found.remedy,
        })
    };
    let of_rules = findings.iter().map(|finding| json!(finding));
    json!({
        "findings": files.iter().map(of_file).chain(of_rules).collect::<Vec<_>>(),
        "heldBySandbox": held,
        "accepted": accepted,
        "files": session.loaded.files,
    })
}

fn as_text(
    session: &Session,
    files: &[&Diagnostic],
    findings: &[Finding],
    (held, accepted): (usize, usize),
) -> String {
    let mut text = String::new();
    for found in files {
        let column = found.column.map_or_else(String::new, |column| format!(":{column}"));
        line(&mut text, &format!("{}{column}: file: {}", found.place(), found.message));
        line(&mut text, &format!("  do: {}", found.remedy));
    }
    for finding in findings {
        let place = session::exact_place(&finding.at).unwrap_or_else(|| finding.at.scope.as_str().to_owned());
        let (list, kind) = (finding.list.as_str(), finding.kind.as_str());
        line(&mut text, &format!("{place}: {kind}: {list} {}: {}", finding.rule, finding.message));
        if let Some(by) = finding.by.as_ref().and_then(|by| session::exact_place(&by.at)) {
            line(&mut text, &format!("  see: {by}"));
        }
        if let Some(evasion) = &finding.evasion {
            ways(&mut text, evasion);
        }
        line(&mut text, &format!("  do: {}", finding.remedy));
    }
    let read = session.loaded.files.iter().filter(|file| file.status != Status::Absent).count();
    let all = files.len() + findings.len();
    let found = match all {
        0 => "nothing found".to_owned(),
        1 => "1 finding".to_owned(),
        all => format!("{all} findings"),
    };
    let beside: String = [(held, "held by the sandbox"), (accepted, "accepted")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!(", {count} {word}"))
        .collect();
    let files = if read == 1 { "file" } else { "files" };
    line(&mut text, &format!("{found} in {read} settings {files}{beside}"));
    text
}

fn ways(text: &mut String, evasion: &Evasion) {
    for way in evasion.past.iter().take(SHOWN) {
        line(text, &format!("  past: {way}"));
    }
    let rest = evasion.past.len().saturating_sub(SHOWN);
    if rest > 0 {
        line(text, &format!("  past: {rest} more (--format json lists all)"));
    }
}

fn line(text: &mut String, content: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", escape_line(content));
}

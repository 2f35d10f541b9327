//! `rules lint`: what is wrong with settings files and their rules, or weaker than it looks.

use std::fmt::Write as _;

use portcullis_approval::escape_line;
use portcullis_loader::{Diagnostic, Severity, Status};
use portcullis_permissions::{Evasion, Finding, lint};
use serde_json::{Value, json};

use crate::{
    args::{LintArgs, Options},
    exit::Exit,
    report::{self, CommandResult},
    session::{self, Files, Session, Surroundings},
};

/// How many of the ways around a rule are shown to a person.
const SHOWN: usize = 6;

/// Prints every finding, by file and line: 0 none, 1 some.
pub(super) fn run(options: &Options, arguments: &LintArgs, surroundings: &Surroundings) -> CommandResult {
    let files = if arguments.files.is_empty() { Files::InForce } else { Files::Only(&arguments.files) };
    let session = Session::inspect(options, surroundings, &files)?;
    let findings = lint(&session.context, &session.rules);
    let files: Vec<&Diagnostic> =
        session.loaded.diagnostics.iter().filter(|found| found.severity > Severity::Note).collect();
    let text = if options.json() {
        format!("{}\n", as_json(&session, &files, &findings))
    } else {
        as_text(&session, &files, &findings)
    };
    report::print(&text)?;
    Ok(if files.is_empty() && findings.is_empty() { Exit::Success } else { Exit::Status(1) })
}

fn as_json(session: &Session, files: &[&Diagnostic], findings: &[Finding]) -> Value {
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
        "files": session.loaded.files,
    })
}

fn as_text(session: &Session, files: &[&Diagnostic], findings: &[Finding]) -> String {
    let mut text = String::new();
    for found in files {
        line(&mut text, &format!("{}: file: {}", found.place(), found.message));
        line(&mut text, &format!("  do: {}", found.remedy));
    }
    for finding in findings {
        let place = session::place(&finding.at).unwrap_or_else(|| finding.at.scope.as_str().to_owned());
        let (list, kind) = (finding.list.as_str(), finding.kind.as_str());
        line(&mut text, &format!("{place}: {kind}: {list} {}: {}", finding.rule, finding.message));
        if let Some(by) = finding.by.as_ref().and_then(|by| session::place(&by.at)) {
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
    line(&mut text, &format!("{found} in {read} settings {}", if read == 1 { "file" } else { "files" }));
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

//! `doctor`: on one page whether all is well here: settings, rules, sandbox, trust, hooks, log.

use portcullis_approval::escape_line;
use portcullis_loader::{Severity, Status};
use portcullis_permissions::{FindingKind, lint};
use serde_json::{Value, json};

use super::{journal, sandbox, trust};
use crate::{
    args::Options,
    exit::Exit,
    report::{self, CommandResult},
    session::{self, Files, Session, Surroundings, Trusting},
};

/// What was looked at, and what is to be said of it.
struct Section {
    name: &'static str,
    /// In one line.
    says: String,
    /// Each with what to do about it.
    problems: Vec<(String, String)>,
}

/// Looks at everything and changes nothing of the project: 0 all is well, 1 something deserves a look.
pub(crate) fn run(options: &Options, surroundings: &Surroundings) -> CommandResult {
    let session = Session::inspect(options, surroundings, &Files::InForce, Trusting::Store(None))?;
    let sections = [
        settings(&session),
        rules(&session),
        backends(surroundings),
        trusted(&session),
        hooks(&session),
        log(&session, surroundings),
    ];
    let text = if options.json() {
        format!("{}\n", as_json(&session, &sections))
    } else {
        as_text(&session, &sections)
    };
    report::print(&text)?;
    let well = sections.iter().all(|section| section.problems.is_empty());
    Ok(if well { Exit::Success } else { Exit::Status(1) })
}

fn settings(session: &Session) -> Section {
    let read: Vec<String> = session
        .loaded
        .files
        .iter()
        .filter(|file| file.status != Status::Absent)
        .map(|file| file.path.display().to_string())
        .collect();
    let problems = session
        .loaded
        .diagnostics
        .iter()
        .filter(|found| found.severity > Severity::Note)
        .map(|found| (format!("{}: {}", found.place(), found.message), found.remedy.clone()));
    let says = if read.is_empty() { "no file".to_owned() } else { read.join(", ") };
    Section { name: "settings", says, problems: problems.collect() }
}

/// Rules that cannot be read, or never decide anything. What they leave open is for `rules lint`.
fn rules(session: &Session) -> Section {
    let never = |kind: FindingKind| {
        matches!(
            kind,
            FindingKind::Unreadable
                | FindingKind::Meaning
                | FindingKind::UnknownTool
                | FindingKind::Shadowed
                | FindingKind::Beaten
                | FindingKind::NeverAllows
        )
    };
    let problems =
        lint(&session.context, &session.rules).into_iter().filter(|found| never(found.kind)).map(|found| {
            let place = session::exact_place(&found.at).unwrap_or_else(|| found.at.scope.as_str().to_owned());
            (format!("{place}: {} {}: {}", found.list.as_str(), found.rule, found.message), found.remedy)
        });
    let rules = session.rules.rules();
    let counts = [
        (rules.deny.len(), "deny"),
        (rules.always_ask.len(), "alwaysAsk"),
        (rules.ask.len(), "ask"),
        (rules.allow.len(), "allow"),
        (rules.restrict.len(), "restrict"),
    ];
    let counted: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, list)| format!("{count} {list}"))
        .collect();
    let listed = if counted.is_empty() { "none".to_owned() } else { counted.join(", ") };
    let says = format!("{listed}; mode {}", session.context.mode.as_str());
    Section { name: "rules", says, problems: problems.collect() }
}

fn backends(surroundings: &Surroundings) -> Section {
    let found = sandbox::available(surroundings);
    let lines: Vec<String> =
        found.iter().map(|backend| sandbox::as_text(backend).trim_end().to_owned()).collect();
    let problems = if found.iter().any(|backend| backend.usable.is_ok()) {
        Vec::new()
    } else {
        let what = "no back end works here, so that `run` runs nothing confined".to_owned();
        vec![(what, "install bubblewrap (`bwrap`), or use a kernel with Landlock".to_owned())]
    };
    Section { name: "sandbox", says: lines.join("; "), problems }
}

fn trusted(session: &Session) -> Section {
    let mut problems = Vec::new();
    // What cannot be read has been told on standard error; here it is counted.
    for error in session.keeper.broken() {
        problems.push((error.to_string(), error.remedy().to_owned()));
    }
    let says = session.trust.as_ref().map_or_else(String::new, |decision| {
        let held = decision.inventory.resources.len();
        match trust::state(decision) {
            "nothing" => "the project brings nothing that needs trust".to_owned(),
            "trusted" => format!("the project is trusted, and brings {}", count(held, "thing")),
            state => {
                let remedy =
                    "look at it with `portcullis trust status`, then `portcullis trust allow` or `deny`";
                if state != "denied" {
                    let why = if state == "changed" { "it has changed" } else { "nobody has decided" };
                    problems
                        .push((format!("what the project brings is held back: {why}"), remedy.to_owned()));
                }
                format!("the project is not trusted; {} held back", count(held, "thing"))
            }
        }
    });
    Section { name: "trust", says, problems }
}

fn hooks(session: &Session) -> Section {
    let entries = session.loaded.settings.hooks.iter().filter_map(|hooks| hooks.value.as_object());
    let number: usize = entries.map(|events| events.values().filter(|value| value.is_array()).count()).sum();
    if number == 0 {
        return Section { name: "hooks", says: "none".to_owned(), problems: Vec::new() };
    }
    let events = count(number, "event");
    let what = format!("settings have hooks for {events}, and this program does not run hooks yet");
    let remedy = "do not count on them; rules and the sandbox hold".to_owned();
    Section { name: "hooks", says: events, problems: vec![(what, remedy)] }
}

/// `1 thing`, `2 things`.
fn count(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

fn log(session: &Session, surroundings: &Surroundings) -> Section {
    let says = match &session.loaded.settings.log.path {
        Some(path) => Ok(path.value.display().to_string()),
        None => {
            journal::folder(surroundings, session.home.as_deref()).map(|folder| folder.display().to_string())
        }
    };
    match says {
        Ok(says) => Section { name: "log", says, problems: Vec::new() },
        Err(failure) => {
            let remedy = "set HOME or XDG_STATE_HOME".to_owned();
            Section {
                name: "log",
                says: "nowhere".to_owned(),
                problems: vec![(failure.message().to_owned(), remedy)],
            }
        }
    }
}

fn as_text(session: &Session, sections: &[Section]) -> String {
    let mut text = format!("project   {}\n", escape_line(&session.project_root));
    for section in sections {
        text.push_str(&escape_line(&format!("{:<9} {}", section.name, section.says)));
        text.push('\n');
        for (what, remedy) in &section.problems {
            text.push_str(&format!("  problem: {}\n  do: {}\n", escape_line(what), escape_line(remedy)));
        }
    }
    let problems: usize = sections.iter().map(|section| section.problems.len()).sum();
    text.push_str(&match problems {
        0 => "all is well\n".to_owned(),
        problems => format!("{}\n", count(problems, "problem")),
    });
    text
}

fn as_json(session: &Session, sections: &[Section]) -> Value {
    let sections = sections.iter().map(|section| {
        let problems: Vec<Value> = section
            .problems
            .iter()
            .map(|(what, remedy)| json!({ "message": what, "remedy": remedy }))
            .collect();
        json!({ "name": section.name, "says": section.says, "problems": problems })
    });
    json!({ "project": session.project_root, "sections": sections.collect::<Vec<_>>() })
}

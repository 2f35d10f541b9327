//! `log show`: what was proposed, decided, asked, answered and run.

use std::path::PathBuf;

use portcullis_approval::escape_line;
use portcullis_audit::{Filter, Record, Verdict, read};

use super::journal;
use crate::{
    args::{LogCommand, LogShowArgs, Options},
    exit::Exit,
    report::{self, CommandResult, Report},
    session::{Purpose, Session, Surroundings, Trusting},
};

/// Runs one of its commands.
pub(crate) fn run(options: &Options, command: &LogCommand, surroundings: &Surroundings) -> CommandResult {
    match command {
        LogCommand::Show(arguments) => show(options, arguments, surroundings),
    }
}

fn show(options: &Options, arguments: &LogShowArgs, surroundings: &Surroundings) -> CommandResult {
    let filter = Filter {
        session: arguments.session.clone(),
        tool: arguments.tool.clone(),
        decision: arguments.decision.as_deref().and_then(verdict),
        rule: arguments.rule.clone(),
    };
    let mut records = Vec::new();
    for file in files(options, arguments, surroundings)? {
        let reading = read(&file, &filter).map_err(|error| {
            Report::failure("log", format!("the log cannot be read: {}", error.source))
                .at(error.path.display().to_string())
                .remedy("check --log, --session and the file's permissions")
        })?;
        for problem in &reading.problems {
            report::note(&format!("portcullis: warning: {}", escape_line(&problem.to_string())));
        }
        records.extend(reading.records);
    }
    records.sort_by_key(|record| record.time);
    let mut lines = Vec::with_capacity(records.len());
    for record in &records {
        let json = record.to_json().map_err(|error| Report::failure("log", error.to_string()))?;
        let kind = json.get("type").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
        if arguments.kind.as_ref().is_none_or(|wanted| *wanted == kind) {
            lines.push(if options.json() { json.to_string() } else { line(record, &kind, json) });
        }
    }
    let skip = arguments.last.map_or(0, |last| lines.len().saturating_sub(last));
    let text: String = lines.iter().skip(skip).map(|line| format!("{line}\n")).collect();
    report::print(&text)?;
    Ok(Exit::Success)
}

/// One file that was named, the session's, or all in the folder.
fn files(
    options: &Options,
    arguments: &LogShowArgs,
    surroundings: &Surroundings,
) -> Result<Vec<PathBuf>, Report> {
    if let Some(path) = &arguments.log {
        return Ok(vec![path.clone()]);
    }
    // Where the log is, no project says.
    let session = Session::open_as(options, surroundings, Purpose::Judge, Trusting::Said(false))?;
    if let Some(path) = &session.loaded.settings.log.path {
        return Ok(vec![path.value.clone()]);
    }
    let folder = journal::folder(surroundings, session.home.as_deref())?;
    if let Some(id) = &arguments.session {
        return Ok(vec![journal::file(&folder, id)?]);
    }
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => {
            return Err(Report::failure("log", format!("the logs cannot be listed: {error}"))
                .at(folder.display().to_string())
                .remedy("check the folder's permissions"));
        }
    };
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    Ok(files)
}

fn verdict(name: &str) -> Option<Verdict> {
    Some(match name {
        "allow" => Verdict::Allow,
        "deny" => Verdict::Deny,
        "ask" => Verdict::Ask,
        "alwaysAsk" => Verdict::AlwaysAsk,
        _ => return None,
    })
}

/// `TIME SESSION TYPE FIELDS`, the fields as compact JSON without what stands in front.
fn line(record: &Record, kind: &str, json: serde_json::Value) -> String {
    let mut fields = match json {
        serde_json::Value::Object(fields) => fields,
        other => return other.to_string(),
    };
    for name in ["type", "session", "writer", "seq", "time", "call"] {
        fields.shift_remove(name);
    }
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
            format!("{name}={text}")
        })
        .collect();
    let session: String = record.session.chars().take(8).collect();
    escape_line(&format!("{} {session:<8} {kind:<18} {}", utc(record.time), fields.join(" ")))
}

/// Milliseconds since 1970 as `2026-01-31T12:00:00Z` (the civil calendar, computed from days).
fn utc(ms: u64) -> String {
    let seconds = ms / 1000;
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days since 0000-03-01, in eras of 400 years (146,097 days).
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_709_251_199_000), "2024-02-29T23:59:59Z");
        assert_eq!(utc(1_767_225_600_000), "2026-01-01T00:00:00Z");
    }
}

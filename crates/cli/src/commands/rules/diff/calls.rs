//! The calls that `rules diff` compares: lines of a log, or of a file of requests.

use std::{fmt, fs::File, io};

use portcullis_permissions::ToolCall;
use serde_json::Value;

use crate::{
    commands::{
        batch::lines::{self, Line},
        json as strict_json,
    },
    report::{self, Report},
};

/// How many lines with the same fault are named.
const NAMED: usize = 5;

/// A call, and the directory that it was proposed in.
type Call = (ToolCall, Option<String>);

/// The calls, and what is wrong with lines that hold none.
pub(super) struct Calls {
    pub(super) calls: Vec<Call>,
    pub(super) unread: Vec<Unread>,
}

impl Calls {
    /// How many lines hold no call.
    pub(super) fn unread_lines(&self) -> usize {
        self.unread.iter().map(|one| one.lines.len()).sum()
    }
}

/// Lines that have the same fault.
pub(super) struct Unread {
    fault: Fault,
    /// What exactly is wrong with the first.
    detail: Option<String>,
    source: String,
    /// Their numbers, from 1.
    lines: Vec<u64>,
}

/// Why a line holds no call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    NotText,
    TooLong,
    NotJson,
    NoCall,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = self.lines.len() == 1;
        let named: Vec<String> = self.lines.iter().take(NAMED).map(u64::to_string).collect();
        write!(f, "{} {}", if one { "line" } else { "lines" }, named.join(", "))?;
        let rest = self.lines.len().saturating_sub(NAMED);
        if rest > 0 {
            write!(f, " and {rest} more")?;
        }
        write!(f, " of {} ", self.source)?;
        let (is, hold, have) = if one { ("is", "holds", "it has") } else { ("are", "hold", "they have") };
        match self.fault {
            Fault::NotText => write!(f, "{is} not UTF-8")?,
            Fault::TooLong => write!(f, "{is} longer than {} bytes", lines::LONGEST)?,
            Fault::NotJson => write!(f, "{is} not JSON that can be read")?,
            Fault::NoCall => {
                write!(f, "{hold} no call: {have} neither `command` nor `tool` with `arguments`")?;
            }
        }
        match &self.detail {
            Some(detail) if one => write!(f, ": {detail}"),
            Some(detail) => write!(f, ", the first for this: {detail}"),
            None => Ok(()),
        }
    }
}

/// Reads them.
///
/// # Errors
/// A source that cannot be read to its end.
pub(super) fn read(source: &str) -> Result<Calls, Report> {
    let unreadable = |error: io::Error| {
        Report::failure("input", format!("cannot read the calls: {error}"))
            .at(source.to_owned())
            .remedy("name a file of JSON Lines, or `-` for standard input")
    };
    let mut input: Box<dyn io::BufRead> = if source == "-" {
        report::has_input()?;
        Box::new(io::stdin().lock())
    } else {
        Box::new(io::BufReader::new(File::open(source).map_err(unreadable)?))
    };
    let mut read = Calls { calls: Vec::new(), unread: Vec::new() };
    let mut number = 0_u64;
    while let Some(line) = lines::next(&mut input).map_err(unreadable)? {
        number += 1;
        let found = match line {
            Line::Text(text) if text.trim().is_empty() => continue,
            Line::Text(text) => of_line(&text),
            Line::NotText => Err((Fault::NotText, None)),
            Line::TooLong => Err((Fault::TooLong, None)),
        };
        match found {
            Ok(Some(call)) => read.calls.push(call),
            Ok(None) => {}
            Err((fault, detail)) => match read.unread.iter_mut().find(|known| known.fault == fault) {
                Some(known) => known.lines.push(number),
                None => {
                    let source = source.to_owned();
                    read.unread.push(Unread { fault, detail, source, lines: vec![number] });
                }
            },
        }
    }
    Ok(read)
}

/// A call; none for an event of a log that is no proposal.
fn of_line(text: &str) -> Result<Option<Call>, (Fault, Option<String>)> {
    let line = strict_json::parse(text).map_err(|error| (Fault::NotJson, Some(error.to_string())))?;
    let cwd = line.get("cwd").and_then(Value::as_str).map(str::to_owned);
    if let Some(kind) = line.get("type").and_then(Value::as_str)
        && kind != "tool/call"
    {
        return Ok(None);
    }
    if let Some(command) = line.get("command").and_then(Value::as_str) {
        return Ok(Some((ToolCall::shell(command), cwd)));
    }
    match (line.get("tool").and_then(Value::as_str), line.get("arguments")) {
        (Some(tool), Some(arguments)) => Ok(Some((ToolCall::new(tool, arguments.clone()), cwd))),
        _ => Err((Fault::NoCall, None)),
    }
}

//! `--batch`: one answer a line, in order. A line that cannot be answered gives an error object and does not
//! end the others.

use std::io::{BufRead as _, Read as _};

use portcullis_paths::Resolver;
use serde_json::{Value, json};

use super::{Around, Question, answer, shell};
use crate::{
    exit::Exit,
    report::{self, CommandResult, Report},
};

/// The longest line that is read, in bytes; as much as one call may have.
const MOST: u64 = 16 << 20;

pub(super) fn run(
    question: &Question,
    around: Option<&Around>,
    resolver: Option<&dyn Resolver>,
) -> CommandResult {
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut input).take(MOST).read_until(b'\n', &mut line).map_err(|error| {
            Report::failure("input", format!("cannot read the input: {error}")).at("standard input")
        })?;
        if read == 0 {
            return Ok(Exit::Success);
        }
        if read as u64 == MOST && line.last() != Some(&b'\n') {
            return Err(Report::failure("input", "a line is longer than 16 MiB").at("standard input"));
        }
        let result = match std::str::from_utf8(&line).map(str::trim) {
            Ok("") => continue,
            Ok(text) => one(question, text, around, resolver),
            Err(_) => failure(&Value::Null, "request", "the line is not UTF-8"),
        };
        report::print(&format!("{result}\n"))?;
    }
}

fn one(question: &Question, line: &str, around: Option<&Around>, resolver: Option<&dyn Resolver>) -> Value {
    let request: Value = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => return failure(&Value::Null, "request", &format!("not JSON: {error}")),
    };
    let id = request.get("id").cloned().unwrap_or(Value::Null);
    let Some(text) = request.get("command").and_then(Value::as_str) else {
        return failure(&id, "request", "`command` is missing or no string");
    };
    let own = match around.map(|around| surroundings(question, &request, around)).transpose() {
        Ok(own) => own,
        Err(message) => return failure(&id, "request", message),
    };
    match answer(question, text, own.as_ref(), resolver) {
        Ok(mut result) => {
            if let Some(object) = result.as_object_mut() {
                object.shift_insert(0, "id".to_owned(), id);
            }
            result
        }
        Err(report) => failure(&id, report.code(), report.message()),
    }
}

/// What the request says about its surroundings, else what the invocation has.
fn surroundings(question: &Question, request: &Value, around: &Around) -> Result<Around, &'static str> {
    let path = |name: &str| match request.get(name) {
        None => Some(None),
        Some(value) => value.as_str().filter(|path| path.starts_with('/')).map(|path| Some(path.to_owned())),
    };
    let cwd = path("cwd").ok_or("`cwd` is no absolute path")?;
    let home = path("home").ok_or("`home` is no absolute path")?;
    let shell = shell(request.get("shell")).ok_or("`shell` is not bash, sh, zsh or unknown")?;
    let roots = match request.get("roots") {
        Some(roots) => {
            let roots: Vec<String> =
                serde_json::from_value(roots.clone()).map_err(|_| "`roots` is no list of strings")?;
            if !roots.iter().all(|root| root.starts_with('/')) {
                return Err("`roots` has a path that is not absolute");
            }
            roots
        }
        // A directory of its own is a project of its own.
        None => match (question, &cwd) {
            (Question::Confined, _) | (_, None) => around.roots.clone(),
            (_, Some(cwd)) => vec![cwd.clone()],
        },
    };
    Ok(Around {
        shell,
        cwd: cwd.unwrap_or_else(|| around.cwd.clone()),
        home: home.or_else(|| around.home.clone()),
        roots,
        environment: around.environment.clone(),
        allow_external_paths: false,
        trusted: around.trusted,
        scrubbed: around.scrubbed,
    })
}

fn failure(id: &Value, code: &str, message: &str) -> Value {
    json!({ "id": id, "error": { "code": code, "message": message } })
}

//! `check --batch`: JSON Lines in, one result a line out, in order and as it goes.

use std::{
    fs::File,
    io::{self, BufReader, Write as _},
};

use portcullis_permissions::decide;
use serde_json::{Value, json};

use super::{
    fields::bad,
    lines::{self, Line},
    request::Request,
    response::{self, Extras},
    situation::Situations,
};
use crate::{
    args::Options,
    commands::trace,
    exit::Exit,
    report::{CommandResult, Report},
    session::Surroundings,
};

/// Judges every line of `source` (`-` is standard input).
///
/// # Errors
/// Input that cannot be read, output that cannot be written. A line that cannot be judged is no error: it gets
/// an error object, and the batch goes on.
pub(super) fn run(
    options: &Options,
    suggest: bool,
    source: &str,
    surroundings: &Surroundings,
) -> CommandResult {
    let situations = Situations::new(options, surroundings)?;
    let mut judge = Judge { situations, surroundings, suggest, trace: options.trace };
    if source == "-" {
        judge.all(&mut BufReader::new(io::stdin().lock()))
    } else {
        let file = File::open(source).map_err(|error| {
            Report::failure("input", format!("cannot open the requests: {error}"))
                .at(source.to_owned())
                .remedy("name a file of JSON Lines, or `-` for standard input")
        })?;
        judge.all(&mut BufReader::new(file))
    }
}

struct Judge<'a> {
    situations: Situations<'a>,
    surroundings: &'a Surroundings,
    suggest: bool,
    trace: bool,
}

impl Judge<'_> {
    fn all(&mut self, input: &mut BufReader<impl io::Read>) -> CommandResult {
        let mut output = io::BufWriter::new(io::stdout().lock());
        let unwritable =
            |error: io::Error| Report::failure("output", format!("cannot write to standard output: {error}"));
        loop {
            // Nothing is waiting: whoever sends one request at a time gets its answer now.
            if input.buffer().is_empty() {
                output.flush().map_err(unwritable)?;
            }
            let line = lines::next(input)
                .map_err(|error| Report::failure("input", format!("cannot read the requests: {error}")))?;
            let answer = match line {
                None => break,
                Some(Line::Text(text)) if text.trim().is_empty() => continue,
                Some(Line::Text(text)) => self.line(&text),
                Some(Line::NotText) => failure(&Value::Null, &bad("the line is not UTF-8")),
                Some(Line::TooLong) => {
                    let message = format!("the line is longer than {} bytes", lines::LONGEST);
                    failure(&Value::Null, &bad(message))
                }
            };
            serde_json::to_writer(&mut output, &answer).map_err(|error| unwritable(error.into()))?;
            output.write_all(b"\n").map_err(unwritable)?;
        }
        output.flush().map_err(unwritable)?;
        Ok(Exit::Success)
    }

    fn line(&mut self, text: &str) -> Value {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => return failure(&Value::Null, &bad(format!("not JSON: {error}"))),
        };
        let id = value.get("id").cloned().unwrap_or(Value::Null);
        match self.judged(&id, &value) {
            Ok(answer) => answer,
            Err(report) => failure(&id, &report),
        }
    }

    fn judged(&mut self, id: &Value, value: &Value) -> Result<Value, Report> {
        let request = Request::read(value)?;
        let (context, rules) = self.situations.of(&request)?;
        let verdict = decide(&request.call, &context, &rules);
        trace::switched(self.surroundings, Some(id), &request.call, &verdict);
        let extras = Extras {
            trace: self.trace,
            suggestion: self.suggest.then(|| response::suggestion(&request.call, &context, &rules)),
        };
        let mut answer = response::verdict(id, &verdict, extras);
        if let Some(object) = answer.as_object_mut().filter(|_| !request.ignored.is_empty()) {
            object.insert("ignored".to_owned(), request.ignored.into());
        }
        Ok(answer)
    }
}

fn failure(id: &Value, report: &Report) -> Value {
    json!({ "id": id, "error": { "code": report.code(), "message": report.message() } })
}

//! `--batch`: JSON Lines in, one answer a line out, in order and as it goes.

pub(crate) mod fields;
pub(crate) mod lines;

use std::{
    fs::File,
    io::{self, BufReader, Write as _},
};

use serde_json::Value;

use self::{fields::bad, lines::Line};
use super::json;
use crate::{
    args::{Format, Options},
    exit::Exit,
    report::{self, CommandResult, Report},
};

/// Answers every line of `source` (`-` is standard input). `answer` gets a request and its id.
///
/// # Errors
/// Input that cannot be read, output that cannot be written. A request that has no answer gets an error object,
/// and the batch goes on; but then it does not end as a success either.
pub(crate) fn run(
    options: &Options,
    source: &str,
    answer: impl FnMut(&Value, &Value) -> Result<Value, Report>,
) -> CommandResult {
    if options.format == Some(Format::Text) {
        return Err(Report::failure("usage", "--batch answers in lines of JSON, not in text")
            .at("--format")
            .remedy("leave --format text out"));
    }
    if source == "-" {
        report::has_input()?;
        return all(&mut BufReader::new(io::stdin().lock()), answer);
    }
    let file = File::open(source).map_err(|error| {
        Report::failure("input", format!("cannot open the requests: {error}"))
            .at(source.to_owned())
            .remedy("name a file of JSON Lines, or `-` for standard input")
    })?;
    all(&mut BufReader::new(file), answer)
}

fn all(
    input: &mut BufReader<impl io::Read>,
    mut answer: impl FnMut(&Value, &Value) -> Result<Value, Report>,
) -> CommandResult {
    report::has_output()?;
    let mut output = io::BufWriter::new(io::stdout().lock());
    let unwritable = |error: io::Error| report::unwritable(&error);
    let (mut requests, mut errors) = (0_usize, 0_usize);
    loop {
        // Nothing is waiting: whoever sends one request at a time gets its answer now.
        if input.buffer().is_empty() {
            output.flush().map_err(unwritable)?;
        }
        let line = lines::next(input)
            .map_err(|error| Report::failure("input", format!("cannot read the requests: {error}")))?;
        let (id, result) = match line {
            None => break,
            Some(Line::Text(text)) if text.trim().is_empty() => continue,
            Some(Line::Text(text)) => one(&text, &mut answer),
            Some(Line::NotText) => (Value::Null, Err(bad("the line is not UTF-8"))),
            Some(Line::TooLong) => {
                (Value::Null, Err(bad(format!("the line is longer than {} bytes", lines::LONGEST))))
            }
        };
        requests += 1;
        let written = result.unwrap_or_else(|report| {
            errors += 1;
            serde_json::json!({ "id": id, "error": { "code": report.code(), "message": report.message() } })
        });
        serde_json::to_writer(&mut output, &written).map_err(|error| unwritable(error.into()))?;
        output.write_all(b"\n").map_err(unwritable)?;
    }
    output.flush().map_err(unwritable)?;
    if errors == 0 {
        return Ok(Exit::Success);
    }
    Err(Report::failure("batch", format!("{errors} of {requests} requests have no answer"))
        .remedy("see `error` in the lines of output"))
}

/// The id of a request and its answer.
fn one(
    text: &str,
    answer: &mut impl FnMut(&Value, &Value) -> Result<Value, Report>,
) -> (Value, Result<Value, Report>) {
    let request: Value = match json::parse(text) {
        Ok(request) => request,
        Err(error) => return (Value::Null, Err(bad(format!("not JSON: {error}")))),
    };
    let id = request.get("id").cloned().unwrap_or(Value::Null);
    let result = answer(&id, &request);
    (id, result)
}

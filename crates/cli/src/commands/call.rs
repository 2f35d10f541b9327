//! The tool call that a judging command was given: `--tool` with `--args`, or a shell command as a
//! text or as words.

use std::io::Read as _;

use portcullis_permissions::ToolCall;

use super::json;
use crate::{
    args::CallArgs,
    report::{self, Report},
};

/// The most that is read from standard input for one call, in bytes.
const MOST: u64 = 16 << 20;

/// Builds the call.
///
/// # Errors
/// Neither form was given, or the arguments are no JSON object.
pub(crate) fn build(arguments: &CallArgs) -> Result<ToolCall, Report> {
    let alone = match arguments.words.as_slice() {
        [] => None,
        [text] => Some(text),
        // As `run -- CMD` judges it.
        words => return Ok(ToolCall::new("Bash", serde_json::json!({ "command": words }))),
    };
    let text = alone.or(arguments.text.as_ref()).or(arguments.command.as_ref());
    match (&arguments.tool, &arguments.args, text) {
        (None, _, Some(text)) => {
            let text = text_or_stdin(text)?;
            Ok(ToolCall::new("Bash", serde_json::json!({ "command": text })))
        }
        (Some(tool), Some(given), None) => {
            let given = text_or_stdin(given)?;
            let value = json::parse(&given).map_err(|error| {
                Report::failure("arguments", format!("not JSON: {error}"))
                    .at("--args")
                    .remedy("give a JSON object")
            })?;
            if !value.is_object() {
                return Err(Report::failure("arguments", "the arguments are not a JSON object")
                    .at("--args")
                    .remedy("give an object, such as '{\"file_path\":\"README.md\"}'"));
            }
            Ok(ToolCall::new(tool.clone(), value))
        }
        (Some(tool), None, None) => Ok(ToolCall::new(tool.clone(), serde_json::json!({}))),
        _ => Err(Report::failure("usage", "no call was given")
            .remedy("give a shell command as one TEXT, as words behind `--`, or --tool T with --args JSON")),
    }
}

/// `-` stands for standard input.
///
/// # Errors
/// It cannot be read, is no UTF-8 or is larger than 16 MiB.
pub(crate) fn text_or_stdin(text: &str) -> Result<String, Report> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    report::has_input()?;
    let mut read = String::new();
    let result = std::io::stdin().lock().take(MOST + 1).read_to_string(&mut read);
    match result {
        Ok(length) if length as u64 <= MOST => Ok(read),
        Ok(_) => Err(Report::failure("input", "the input is larger than 16 MiB").at("standard input")),
        Err(error) => {
            Err(Report::failure("input", format!("cannot read the input: {error}")).at("standard input"))
        }
    }
}

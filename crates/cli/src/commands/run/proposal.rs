//! What is to run: the argv, and the tool call that is judged in its place.

use std::ffi::OsString;

use portcullis_permissions::ToolCall;
use serde_json::json;

use crate::{args::RunArgs, report::Report};

/// A command and the call that stands for it.
pub(super) struct Proposal {
    /// What will be executed.
    pub(super) argv: Vec<OsString>,
    /// What is judged.
    pub(super) call: ToolCall,
}

impl Proposal {
    /// `-- CMD` is judged as an argv, `-c TEXT` as text that bash will read.
    ///
    /// # Errors
    /// An argument that is no UTF-8: what cannot be judged is not run.
    pub(super) fn new(arguments: &RunArgs) -> Result<Self, Report> {
        if let Some(text) = &arguments.text {
            let argv = ["/bin/bash", "-c", text].map(OsString::from).to_vec();
            return Ok(Self { argv, call: ToolCall::new("Bash", json!({ "command": text })) });
        }
        let words: Option<Vec<&str>> = arguments.command.iter().map(|word| word.to_str()).collect();
        let Some(words) = words else {
            return Err(Report::failure(
                "arguments",
                "an argument of the command is not UTF-8, so it cannot be judged",
            )
            .remedy("rename the file, or reach it through a pattern in -c TEXT"));
        };
        if words.iter().any(|word| word.contains('\0')) || words.first().is_none_or(|word| word.is_empty()) {
            return Err(
                Report::failure("arguments", "the command has no program").remedy("write `run -- CMD ...`")
            );
        }
        Ok(Self { call: ToolCall::new("Bash", json!({ "command": words })), argv: arguments.command.clone() })
    }
}

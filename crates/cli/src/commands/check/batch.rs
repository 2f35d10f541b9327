//! `check --batch`: the decision on each request.

use portcullis_permissions::decide;
use serde_json::Value;

use super::{
    request::Request,
    response::{self, Extras},
    situation::Situations,
};
use crate::{
    args::{CheckArgs, Options},
    commands::{batch, trace},
    report::{CommandResult, Report},
    session::Surroundings,
};

/// Judges every line of `source` (`-` is standard input).
///
/// # Errors
/// As for [`batch::run`].
pub(super) fn run(
    options: &Options,
    arguments: &CheckArgs,
    source: &str,
    surroundings: &Surroundings,
) -> CommandResult {
    let mut situations = Situations::new(options, arguments.host, surroundings)?;
    let judged = |id: &Value, request: &Value| -> Result<Value, Report> {
        let request = Request::read(request)?;
        let (context, rules) = situations.of(&request)?;
        let verdict = decide(&request.call, &context, &rules);
        let made = trace::Made { call: &request.call, context: &context, rules: &rules };
        trace::switched(surroundings, Some(id), made, &verdict);
        let extras = Extras {
            trace: options.trace,
            suggestion: arguments.suggest.then(|| response::suggestion(&request.call, &context, &rules)),
        };
        let mut answer = response::verdict(id, &verdict, extras);
        if let Some(object) = answer.as_object_mut().filter(|_| !request.ignored.is_empty()) {
            object.insert("ignored".to_owned(), request.ignored.into());
        }
        Ok(answer)
    };
    batch::run(options, source, judged)
}

//! `rules`: what is in force, changing it, and trying it.

mod diff;
mod edit;
mod lint;
mod list;
mod named;

use portcullis_approval::escape_line;
use portcullis_permissions::{Safety, Suggestion, decide, suggest};
use serde_json::{Value, json};

use super::{call, check, trace};
use crate::{
    args::{CallArgs, Options, RulesCommand},
    exit::Exit,
    report::{self, CommandResult},
    session::{Purpose, Session, Surroundings},
};

/// Runs one of its commands.
pub(crate) fn run(options: &Options, command: &RulesCommand, surroundings: &Surroundings) -> CommandResult {
    match command {
        RulesCommand::List => list::run(options, surroundings),
        RulesCommand::Add(arguments) => edit::run(options, arguments, edit::Change::Add, surroundings),
        RulesCommand::Remove(arguments) => edit::run(options, arguments, edit::Change::Remove, surroundings),
        RulesCommand::Test(arguments) => test(options, arguments, surroundings),
        RulesCommand::Suggest(arguments) => offer(options, arguments, surroundings),
        RulesCommand::Diff(arguments) => diff::run(options, arguments, surroundings),
        // 1 says that something was found here, so that failing needs another status.
        RulesCommand::Lint(arguments) => lint::run(options, arguments, surroundings)
            .map_err(|failure| if failure.is_quiet() { failure } else { failure.exit(Exit::Status(2)) }),
    }
}

/// The decision on one call: 0 allow, 1 ask or alwaysAsk, 2 deny.
fn test(options: &Options, arguments: &CallArgs, surroundings: &Surroundings) -> CommandResult {
    let call = call::build(arguments)?;
    let session = Session::open(options, surroundings, Purpose::Judge)?;
    let verdict = decide(&call, &session.context, &session.rules);
    let made = trace::Made { call: &call, context: &session.context, rules: &session.rules };
    trace::print(options, surroundings, made, &verdict);
    let text = if options.json() {
        check::response::verdict(&Value::Null, &verdict, check::response::Extras::default()).to_string()
    } else {
        check::response::line(&verdict)
    };
    report::print(&format!("{text}\n"))?;
    Ok(check::status(&verdict))
}

/// The rule that "always" would save for a call.
fn offer(options: &Options, arguments: &CallArgs, surroundings: &Surroundings) -> CommandResult {
    let call = call::build(arguments)?;
    let session = Session::open(options, surroundings, Purpose::Judge)?;
    let offer = suggest(&call, &session.context, &session.rules);
    if options.json() {
        report::print(&format!("{}\n", offer.map_or(Value::Null, |offer| json!(offer))))?;
        return Ok(Exit::Success);
    }
    let text: String = offered(offer.as_ref()).iter().map(|line| format!("{line}\n")).collect();
    report::print(&text)?;
    Ok(Exit::Success)
}

/// The offered rules, one each, or why there is none.
pub(super) fn offered(offer: Option<&Suggestion>) -> Vec<String> {
    match offer {
        None => vec!["nothing to offer: the call is decided without a question".to_owned()],
        Some(offer) if offer.safety == Safety::Dangerous => {
            vec!["nothing to offer: what destroys or forces is asked every time".to_owned()]
        }
        Some(offer) if offer.rules.is_empty() => {
            vec!["nothing to offer: no rule would cover this and nothing more".to_owned()]
        }
        Some(offer) => offer.rules.iter().map(|rule| escape_line(rule)).collect(),
    }
}

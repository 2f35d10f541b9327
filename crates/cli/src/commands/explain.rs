//! `explain`: how a decision came about, from the first gate to the one that spoke, and what would change it.

mod changes;
mod page;
mod picture;

use std::io::IsTerminal as _;

use portcullis_permissions::decide;
use serde_json::{Value, json};

use super::{
    call,
    check::{response, status},
    run,
    shell::render,
};
use crate::{
    args::{ExplainArgs, Format, Options},
    report::{self, CommandResult},
    session::{Purpose, Session, Surroundings},
};

/// Decides the call and shows everything that is known about the decision.
pub(crate) fn run(options: &Options, arguments: &ExplainArgs, surroundings: &Surroundings) -> CommandResult {
    let session = Session::open(options, surroundings, Purpose::Judge)?;
    let call = call::build(&arguments.call)?;
    let verdict = decide(&call, &session.context, &session.rules);
    let foreseen = || run::foreseen(&call, &session, surroundings);
    let changes = changes::of(&call, &session.context, &session.rules, &verdict, foreseen);
    match options.format {
        Some(Format::Json) => {
            let extras = response::Extras {
                trace: true,
                suggestion: Some(response::suggestion(&call, &session.context, &session.rules)),
            };
            let mut answer = response::verdict(&Value::Null, &verdict, extras);
            let commands: Vec<Value> = verdict
                .shell
                .iter()
                .map(|(text, analysis)| {
                    let mut analysis = render::analysis(text, analysis);
                    if let Some(object) = analysis.as_object_mut() {
                        object.insert("command".to_owned(), text.as_str().into());
                    }
                    analysis
                })
                .collect();
            if let Some(object) = answer.as_object_mut() {
                object.shift_remove("id");
                object.insert("tool".to_owned(), call.name.as_str().into());
                object.insert("arguments".to_owned(), call.arguments.clone());
                object.insert("mode".to_owned(), session.context.mode.as_str().into());
                object.insert("projectRoot".to_owned(), session.project_root.as_str().into());
                object.insert("commands".to_owned(), json!(commands));
                object.insert("changes".to_owned(), json!(changes));
            }
            report::print(&format!("{answer}\n"))?;
        }
        _ => {
            let plain = surroundings.variable("NO_COLOR").is_some() || !std::io::stdout().is_terminal();
            let roots = session.roots();
            let page = picture::draw(&call, &session.context, &roots, &verdict, &changes);
            report::print(&page.render(!plain))?;
        }
    }
    Ok(status(&verdict))
}

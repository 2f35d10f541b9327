//! `explain`: how a decision came about, from the first gate to the one that spoke, and what would change it.

mod cells;
mod changes;
mod columns;
mod html;
mod marks;
mod page;
mod paths;
mod picture;
mod source;
mod tree;
mod view;

use std::path::Path;

use portcullis_matcher::{ListKind, Mode, Scope, equivalence_key};
use portcullis_permissions::{MatchedRule, decide};
use serde_json::{Value, json};

use super::{
    call,
    check::{self, response, status},
    run,
    shell::render,
    trust,
};
use crate::{
    args::{ExplainArgs, Format, Options},
    report::{self, CommandResult},
    session::{Files, Purpose, Session, Surroundings, Trusting},
};

/// Decides the call and shows everything that is known about the decision.
pub(crate) fn run(options: &Options, arguments: &ExplainArgs, surroundings: &Surroundings) -> CommandResult {
    let mut session = Session::open(options, surroundings, Purpose::Judge)?;
    check::on(arguments.host, &mut session.context);
    let call = call::build(&arguments.call)?;
    let verdict = decide(&call, &session.context, &session.rules);
    let foreseen = || run::foreseen(&call, &session, surroundings);
    let trial = changes::Trial {
        call: &call,
        context: &session.context,
        rules: &session.rules,
        verdict: &verdict,
        modes: &modes(&session),
        whose: &options.whose(),
        elsewhere: &|list, rule| elsewhere(options, surroundings, &session, list, rule),
    };
    let (changes, remark) = changes::of(&trial, foreseen);
    let roots = session.roots();
    let view = || {
        let shown = (changes.as_slice(), remark.as_deref());
        view::of(&call, &session.context, &session.rules, &roots, &verdict, shown)
    };
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
                object.insert("annotations".to_owned(), json!(verdict.annotations()));
                trust::add(object, &session);
                let changes: Vec<Value> = changes.iter().map(changes::Change::json).collect();
                object.insert("changes".to_owned(), changes.into());
                object.insert("remark".to_owned(), remark.clone().into());
            }
            report::print(&format!("{answer}\n"))?;
        }
        Some(Format::Html) => report::print(&html::draw(&view()))?,
        Some(Format::Text) | None => {
            let page = picture::draw(&view(), surroundings.columns());
            report::print(&page.render(options.colours_output(surroundings)))?;
        }
    }
    Ok(status(&verdict))
}

/// The modes that may be chosen here: all, unless an administrator has chosen or has switched one off.
fn modes(session: &Session) -> Vec<Mode> {
    let set = session.loaded.rules.mode.as_ref();
    if set.is_some_and(|(_, source)| source.scope == Scope::Managed) {
        return Vec::new();
    }
    let off = session.loaded.settings.unrestricted_disabled.as_ref().is_some_and(|lock| lock.value);
    [Mode::Strict, Mode::Standard, Mode::AcceptEdits, Mode::Unrestricted, Mode::Plan, Mode::DontAsk]
        .into_iter()
        .filter(|mode| !(off && *mode == Mode::Unrestricted))
        .collect()
}

/// Equivalent rules of the same list in the other settings files in force, each read alone.
fn elsewhere(
    options: &Options,
    surroundings: &Surroundings,
    session: &Session,
    list: ListKind,
    rule: &MatchedRule,
) -> Vec<MatchedRule> {
    let key = equivalence_key(&rule.label, list);
    let as_here = Trusting::As(session, Path::new(""));
    let mut found = Vec::new();
    for file in &session.loaded.files {
        let only = [file.path.clone()];
        let Ok(alone) = Session::inspect(options, surroundings, &Files::Only(&only), as_here) else {
            continue;
        };
        let same = alone.rules.listed(list).iter().filter(|one| equivalence_key(&one.label(), list) == key);
        found.extend(same.filter(|one| Some(&one.source) != rule.source.as_ref()).map(|one| MatchedRule {
            label: one.label(),
            source: Some(one.source.clone()),
            reason: one.reason.clone(),
        }));
    }
    found
}

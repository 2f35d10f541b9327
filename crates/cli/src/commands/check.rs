//! `check`: the decision on one call, or on many, without running anything.

mod batch;
mod request;
pub(crate) mod response;
mod situation;

use portcullis_permissions::{Context, Decision, Verdict, decide, suggest};
use serde_json::Value;

use super::{call, rules, trace, trust};
use crate::{
    args::{CheckArgs, HostArgs, Options},
    exit::Exit,
    report::{self, CommandResult, Report},
    session::{Purpose, Session, Surroundings},
};

/// Judges one call, or with `--batch` one a line.
pub(crate) fn run(options: &Options, arguments: &CheckArgs, surroundings: &Surroundings) -> CommandResult {
    if let Some(source) = &arguments.batch {
        if options.trust_flag().is_some() {
            return Err(Report::failure(
                "usage",
                "each request of --batch says itself whether its project is trusted",
            )
            .at("--trust or --no-trust")
            .remedy("write \"trusted\": true in the request"));
        }
        return batch::run(options, arguments, source, surroundings);
    }
    let mut session = Session::open(options, surroundings, Purpose::Judge)?;
    on(arguments.host, &mut session.context);
    let call = call::build(&arguments.call)?;
    let verdict = decide(&call, &session.context, &session.rules);
    let made = trace::Made { call: &call, context: &session.context, rules: &session.rules };
    trace::switched(surroundings, None, made, &verdict);
    if options.json() {
        let extras = response::Extras {
            trace: options.trace,
            suggestion: arguments
                .suggest
                .then(|| response::suggestion(&call, &session.context, &session.rules)),
        };
        let mut answer = response::verdict(&Value::Null, &verdict, extras);
        if let Some(object) = answer.as_object_mut() {
            trust::add(object, &session);
        }
        report::print(&format!("{answer}\n"))?;
    } else {
        let mut text = format!("{}\n", response::line(&verdict));
        if arguments.suggest {
            let offer = suggest(&call, &session.context, &session.rules);
            text.extend(rules::offered(offer.as_ref()).iter().map(|line| format!("suggestion: {line}\n")));
        }
        report::print(&text)?;
        if options.trace {
            trace::lines(&verdict);
        }
    }
    Ok(status(&verdict))
}

/// The context as it is on this host.
pub(crate) fn on(host: HostArgs, context: &mut Context) {
    if host.unconfined {
        context.hides = false;
        context.confined_auto = false;
    }
}

/// 0 allow, 1 ask or alwaysAsk, 2 deny.
pub(crate) const fn status(verdict: &Verdict) -> Exit {
    match verdict.decision {
        Decision::Allow => Exit::Success,
        Decision::Ask | Decision::AlwaysAsk => Exit::Ask,
        Decision::Deny => Exit::Deny,
    }
}

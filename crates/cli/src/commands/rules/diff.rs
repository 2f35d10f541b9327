//! `rules diff`: what other settings, another mode or another engine would change for calls.

mod calls;

use std::{collections::BTreeMap, fmt::Write as _};

use portcullis_approval::escape_line;
use portcullis_matcher::RuleSet;
use portcullis_permissions::{Configuration, Context, MatchedRule, ToolCall, Verdict, decide};
use serde_json::{Value, json};

use self::calls::Calls;
use super::edit;
use crate::{
    args::{DiffArgs, EngineName, Options},
    commands::{call, check::response},
    exit::Exit,
    report::{self, CommandResult, Report},
    session::{self, Files, Purpose, Session, Surroundings, Trusting},
};

/// How many calls of a group are shown to a person.
const SHOWN: usize = 5;

/// Prints what would change, grouped: 0 no decision, 1 some.
pub(super) fn run(options: &Options, arguments: &DiffArgs, surroundings: &Surroundings) -> CommandResult {
    let now = Session::open(options, surroundings, Purpose::Judge)?;
    let then = candidate(options, arguments, surroundings, &now)?;
    let calls = match &arguments.calls {
        Some(source) => calls::read(source)?,
        None => Calls { calls: vec![(call::build(&arguments.call)?, None)], unread: Vec::new() },
    };
    for problem in &calls.unread {
        report::note(&format!("portcullis: warning: {}", escape_line(&problem.to_string())));
    }
    let mut differences = Differences { compared: calls.calls.len(), ..Differences::default() };
    for (call, cwd) in &calls.calls {
        let judge = |context: &Context, rules: &RuleSet| match cwd {
            Some(cwd) => decide(call, &Context { cwd: cwd.clone(), ..context.clone() }, rules),
            None => decide(call, context, rules),
        };
        differences.note(call, &judge(&now.context, &now.rules), &judge(&then.context, &then.rules));
    }
    let text = if options.json() {
        format!("{}\n", differences.as_json(calls.unread_lines()))
    } else {
        differences.as_text()
    };
    report::print(&text)?;
    if !calls.unread.is_empty() {
        let unread = calls.unread_lines();
        return Err(Report::failure(
            "calls",
            format!("{unread} of the lines hold no call and were not compared"),
        ));
    }
    Ok(if differences.changed() == 0 { Exit::Success } else { Exit::Status(1) })
}

/// The session that the candidate's settings, mode and engine would make.
fn candidate(
    options: &Options,
    arguments: &DiffArgs,
    surroundings: &Surroundings,
    now: &Session,
) -> Result<Session, Report> {
    let options = Options {
        mode: arguments.candidate_mode.clone().or_else(|| options.mode.clone()),
        ..options.clone()
    };
    let file = session::absolute(&arguments.candidate, surroundings, "--candidate")?;
    let files = Files::Instead(&arguments.candidate, arguments.scope.map(edit::scope));
    let mut session = Session::inspect(&options, surroundings, &files, Trusting::As(now, file.as_ref()))?;
    if let Some(place) = &session.loaded.degraded {
        return Err(Report::failure("candidate", "the candidate settings could not be read")
            .at(place.clone())
            .remedy("`portcullis rules lint FILE` says what is wrong with them"));
    }
    if let Some(engine) = arguments.candidate_engine {
        let read = Configuration { context: session.context, rules: session.rules };
        let Configuration { context, rules } = read.under_engine(engine == EngineName::V2);
        (session.context, session.rules) = (context, rules);
    }
    Ok(session)
}

/// What decides a call: the answer, and the rule or the gate that it comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Answer {
    decision: &'static str,
    by: String,
    place: Option<String>,
}

impl Answer {
    fn of(verdict: &Verdict) -> Self {
        let by = verdict.rule.as_ref().map_or(verdict.gate.as_str().to_owned(), |rule| rule.label.clone());
        Self {
            decision: verdict.decision.as_str(),
            by,
            place: verdict.rule.as_ref().and_then(|rule: &MatchedRule| response::place(rule)),
        }
    }

    fn json(&self) -> Value {
        json!({ "decision": self.decision, "by": self.by, "at": self.place })
    }

    fn text(&self) -> String {
        match &self.place {
            Some(place) => format!("{} by {} ({place})", self.decision, self.by),
            None => format!("{} by {}", self.decision, self.by),
        }
    }
}

/// Calls that would be answered otherwise, by how.
#[derive(Default)]
struct Differences {
    compared: usize,
    groups: BTreeMap<(Answer, Answer), Vec<String>>,
}

impl Differences {
    fn note(&mut self, call: &ToolCall, now: &Verdict, then: &Verdict) {
        let (now, then) = (Answer::of(now), Answer::of(then));
        // Where a rule stands is no difference of what it says.
        if (now.decision, &now.by) != (then.decision, &then.by) {
            self.groups.entry((now, then)).or_default().push(shown(call));
        }
    }

    /// Groups whose decision differs come first, the largest before others.
    fn ordered(&self) -> Vec<(&(Answer, Answer), &Vec<String>)> {
        let mut groups: Vec<_> = self.groups.iter().collect();
        groups.sort_by_key(|((now, then), calls)| {
            (now.decision == then.decision, std::cmp::Reverse(calls.len()))
        });
        groups
    }

    fn changed(&self) -> usize {
        let other = self.groups.iter().filter(|((now, then), _)| now.decision != then.decision);
        other.map(|(_, calls)| calls.len()).sum()
    }

    fn as_json(&self, unread: usize) -> Value {
        let groups: Vec<Value> = self
            .ordered()
            .into_iter()
            .map(|((now, then), calls)| {
                json!({ "from": now.json(), "to": then.json(), "count": calls.len(), "calls": calls })
            })
            .collect();
        json!({ "calls": self.compared, "unread": unread, "changed": self.changed(), "groups": groups })
    }

    fn as_text(&self) -> String {
        let mut text = String::new();
        for ((now, then), calls) in self.ordered() {
            line(
                &mut text,
                &format!("{} {}: {} -> {}", calls.len(), times(calls.len()), now.text(), then.text()),
            );
            for call in calls.iter().take(SHOWN) {
                line(&mut text, &format!("  {call}"));
            }
            let rest = calls.len().saturating_sub(SHOWN);
            if rest > 0 {
                line(&mut text, &format!("  and {rest} more (--format json lists all)"));
            }
        }
        let same = self.groups.values().map(Vec::len).sum::<usize>() - self.changed();
        let rules = if same == 0 { String::new() } else { format!("; {same} by another rule") };
        line(
            &mut text,
            &format!(
                "{} of {} {} decided otherwise{rules}",
                self.changed(),
                self.compared,
                times(self.compared)
            ),
        );
        text
    }
}

fn times(count: usize) -> &'static str {
    if count == 1 { "call" } else { "calls" }
}

/// The command, or the tool with its arguments.
fn shown(call: &ToolCall) -> String {
    match call.arguments.get("command").and_then(Value::as_str) {
        Some(command) => command.to_owned(),
        None => format!("{} {}", call.name, call.arguments),
    }
}

fn line(text: &mut String, content: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", escape_line(content));
}

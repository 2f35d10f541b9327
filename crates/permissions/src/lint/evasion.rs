//! How many other ways to do the same get past a deny rule.

use std::sync::Arc;

use portcullis_matcher::{
    ListKind, Mode, RuleId, RuleSet, RuleSource, RuleSubject, Rules, Scope, SourcedRule,
};
use portcullis_shell_analysis::join_words;

use super::{
    spellings::spellings,
    substitutes::{Purpose, substitutes},
};
use crate::{Context, Decision, Sessions, ToolCall, decide};

/// A name that no project has.
const FILE: &str = "precious.txt";

/// What gets past a deny rule for commands: judged in mode unrestricted, where nothing but the rules stands in the
/// way, without looking at the file system, so that the figure is the same everywhere.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Evasion {
    /// How many spellings, wrappers and substitutes were judged.
    pub of: usize,
    /// Those that are allowed.
    pub past: Vec<String>,
    /// A deny rule for files that closes most of them; its path stands for whatever has to stay as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_by: Option<String>,
    /// How many are left with that rule; without one as many as before.
    pub left: usize,
    /// What of the sandbox closes the rest, in words.
    pub sandbox: &'static str,
}

impl Evasion {
    pub(super) fn remedy(&self) -> String {
        match &self.closed_by {
            Some(rule) => {
                let left = match self.left {
                    0 => "none of these is left".to_owned(),
                    left => format!("{left} of these are left, and those {}", self.sandbox),
                };
                format!("deny `{rule}`, with the path that matters: {left}")
            }
            None => format!("rules for commands cannot close this; it {}", self.sandbox),
        }
    }
}

/// Judges other ways to do what a deny rule for commands forbids. None for other rules, and for a rule that names no
/// program, or a pattern that cannot be turned into a command.
#[must_use]
pub fn evasion(context: &Context, rules: &RuleSet, id: RuleId) -> Option<Evasion> {
    if rules.kind(id) != Some(ListKind::Deny) {
        return None;
    }
    let RuleSubject::Command { words, open } = rules.subject_of(id)? else { return None };
    let mut command = words.to_vec();
    if open && words.len() == 1 {
        command.push(FILE.to_owned());
    }
    let judge = Judge::new(context);
    if command.is_empty() || judge.passes(rules, &join_words(&command)) {
        return None;
    }
    let (purpose, others) = substitutes(&command, FILE);
    let ways: Vec<String> = spellings(&command).into_iter().chain(others).collect();
    let of = ways.len();
    let past: Vec<String> = ways.into_iter().filter(|way| judge.passes(rules, way)).collect();
    let closed_by = closing_rule(purpose);
    let left = closed_by.as_ref().map_or(past.len(), |rule| {
        let closed = with_deny(rules, rule);
        past.iter().filter(|way| judge.passes(&closed, way)).count()
    });
    Some(Evasion { of, past, closed_by, left, sandbox: sandbox(purpose) })
}

struct Judge {
    context: Context,
}

impl Judge {
    fn new(context: &Context) -> Self {
        let context = Context {
            mode: Mode::Unrestricted,
            sessions: Sessions::none(),
            degraded: None,
            resolver: None,
            cwd: context.project_root.clone(),
            ..context.clone()
        };
        Self { context }
    }

    fn passes(&self, rules: &RuleSet, text: &str) -> bool {
        decide(&ToolCall::shell(text), &self.context, rules).decision == Decision::Allow
    }
}

fn closing_rule(purpose: Purpose) -> Option<String> {
    match purpose {
        Purpose::Change => Some(format!("Edit({FILE})")),
        Purpose::Read => Some(format!("Read({FILE})")),
        Purpose::Repository => Some("Edit(.git/**)".to_owned()),
        _ => None,
    }
}

/// What of the sandbox closes what is left.
fn sandbox(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Change => "cannot write what `sandbox.protected` names when they run in the sandbox",
        Purpose::Read => "cannot read what `sandbox.hidden` names when they run in the sandbox",
        Purpose::Network => {
            "ends where the sandbox has no network: `\"sandbox\": { \"network\": \"blocked\" }`"
        }
        Purpose::Repository => {
            "cannot write `.git` where `sandbox.protected` names it and they run in the sandbox"
        }
        Purpose::Privilege => {
            "ends in the sandbox, where no program gains rights or reaches a service's socket"
        }
        Purpose::Processes => "ends in the sandbox, which sees no process outside itself",
        Purpose::Environment => "ends in the sandbox, which passes no secrets in the environment",
        Purpose::Code | Purpose::Other => {
            "is held by the sandbox alone: run what is allowed through `portcullis run`"
        }
    }
}

fn with_deny(rules: &RuleSet, rule: &str) -> RuleSet {
    let mut more = Rules::clone(rules.rules());
    more.deny.push(SourcedRule::text(rule, RuleSource::of(Scope::Session)));
    rules.with_rules(Arc::new(more))
}

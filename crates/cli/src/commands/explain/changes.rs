//! What would change a decision. Each change has been tried: with it the same call gets the answer that stands there.

use std::sync::Arc;

use portcullis_matcher::{ListKind, RuleSet, RuleSource, Rules, Scope, SourcedRule};
use portcullis_permissions::{
    Context, Decision, Gate, MatchedRule, Mode, OfferedScope, Safety, ToolCall, Verdict, decide, suggest,
};
use portcullis_shell_analysis::join_words;
use serde_json::{Value, json};

use super::{columns, marks, paths};
use crate::commands::check::response;

/// A change, and the answer with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) way: Way,
    pub(super) then: Decision,
    /// Command lines that make the change; none where none does.
    pub(super) commands: Vec<String>,
}

/// Ways to change an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Rules to add to a list, and the settings to add them to; none: for this session.
    Add { list: ListKind, rules: Vec<String>, scope: Option<Scope> },
    /// Rules to take out of their lists, together.
    Remove(Vec<(ListKind, MatchedRule)>),
    /// Another mode.
    Mode(Mode),
    /// A directory whose files may be read as those of the project.
    Directory(String),
    /// Another path in the call.
    Path { instead_of: String, path: String },
    /// The guard over other agents' memory is lifted.
    MemoryGuard,
    /// The settings at this place can be read.
    Settings(String),
    /// `portcullis run` shuts it in.
    Run,
}

/// What a change is tried on.
pub(super) struct Trial<'a> {
    pub(super) call: &'a ToolCall,
    pub(super) context: &'a Context,
    pub(super) rules: &'a RuleSet,
    pub(super) verdict: &'a Verdict,
    /// The modes that somebody may choose here.
    pub(super) modes: &'a [Mode],
    /// Flags that say whose settings: those that this command was given.
    pub(super) whose: &'a [String],
    /// The same rule where it stands in other settings too: the sets of a session hold it once.
    pub(super) elsewhere: &'a dyn Fn(ListKind, &MatchedRule) -> Vec<MatchedRule>,
}

/// The changes, the nearest first, and a sentence where there are none or none may be offered. `foreseen` says what
/// `run` would answer here.
pub(super) fn of(trial: &Trial<'_>, foreseen: impl FnOnce() -> Verdict) -> (Vec<Change>, Option<String>) {
    let mut changes = Vec::new();
    let mut add = |way: Way, then: Option<Decision>| {
        if let Some(then) = then.filter(|then| *then != trial.verdict.decision) {
            let commands = way.commands(trial.whose);
            changes.push(Change { way, then, commands });
        }
    };
    if trial.verdict.decision == Decision::Allow {
        trial.removed(&mut add);
        trial.stricter_mode(&mut add);
        trial.restricted(&mut add);
        return (changes, None);
    }
    if trial.verdict.gate == Gate::Degraded
        && let Some(place) = &trial.context.degraded
    {
        let mended = Context { degraded: None, ..trial.context.clone() };
        add(Way::Settings(place.clone()), Some(trial.decided(&mended, trial.rules)));
    }
    trial.removed(&mut add);
    if trial.verdict.gate == Gate::CrossAgentGuard && !trial.context.agent.subagent {
        let mut lifted = trial.context.clone();
        lifted.agent.memory_guard_disabled = true;
        add(Way::MemoryGuard, Some(trial.decided(&lifted, trial.rules)));
    }
    for (instead_of, path, call) in paths::others(trial) {
        add(Way::Path { instead_of, path }, Some(decide(&call, trial.context, trial.rules).decision));
    }
    let offer = suggest(trial.call, trial.context, trial.rules);
    if let Some(offer) = offer.as_ref().filter(|offer| !offer.rules.is_empty()) {
        let scope = scope_of(offer.scope);
        let then = trial.with_rules(ListKind::Allow, &offer.rules, scope.unwrap_or(Scope::Session));
        add(Way::Add { list: ListKind::Allow, rules: offer.rules.clone(), scope }, Some(then));
    }
    for directory in paths::directories(trial) {
        let mut rules = Rules::clone(trial.rules.rules());
        rules.additional_directories.push(directory.clone());
        let then = trial.decided(trial.context, &trial.rules.with_rules(Arc::new(rules)));
        add(Way::Directory(directory), Some(then).filter(|then| *then == Decision::Allow));
    }
    let by_default = trial.verdict.gate == Gate::Default && trial.verdict.decision == Decision::Ask;
    if by_default && !trial.verdict.shell.is_empty() {
        add(Way::Run, Some(foreseen().decision).filter(|then| *then == Decision::Allow));
    }
    trial.laxer_modes(&mut add);
    let remark = match offer {
        Some(offer) if offer.rules.is_empty() && offer.safety == Safety::Dangerous => {
            Some("no rule is offered for what destroys or forces".to_owned())
        }
        Some(offer) if offer.rules.is_empty() && by_default => {
            Some("no rule is offered: none would say all that this can do".to_owned())
        }
        _ => changes
            .is_empty()
            .then(|| "no mode and no rule that could be offered: a person has to answer".to_owned()),
    };
    (changes, remark)
}

const fn scope_of(offered: OfferedScope) -> Option<Scope> {
    match offered {
        OfferedScope::Project => Some(Scope::Project),
        OfferedScope::Local => Some(Scope::Local),
        OfferedScope::User => Some(Scope::User),
        _ => None,
    }
}

impl Trial<'_> {
    fn decided(&self, context: &Context, rules: &RuleSet) -> Decision {
        decide(self.call, context, rules).decision
    }

    fn with_rules(&self, list: ListKind, added: &[String], scope: Scope) -> Decision {
        let mut rules = Rules::clone(self.rules.rules());
        if let Some(list) = marks::list_of(&mut rules, list) {
            list.extend(added.iter().map(|rule| SourcedRule::text(rule.as_str(), RuleSource::of(scope))));
        }
        self.decided(self.context, &self.rules.with_rules(Arc::new(rules)))
    }

    /// Takes the rule that decided out, and the next that decides then, until the answer is another one.
    fn removed(&self, add: &mut impl FnMut(Way, Option<Decision>)) {
        const MOST: usize = 8;
        let (mut context, mut rules) = (self.context.clone(), self.rules.clone());
        let mut taken: Vec<(ListKind, MatchedRule)> = Vec::new();
        let mut now = self.verdict.clone();
        while now.decision == self.verdict.decision && taken.len() < MOST {
            let by_rule = matches!(
                now.gate,
                Gate::DenyRule
                    | Gate::CliDisallow
                    | Gate::AlwaysAskRule
                    | Gate::SessionAlwaysAsk
                    | Gate::PossibleDeny
                    | Gate::AskRule
                    | Gate::CliAllow
                    | Gate::SessionAllow
                    | Gate::AllowRule
            );
            let Some(cited) = now.rule.clone().filter(|_| by_rule) else { return };
            let lists = match now.gate {
                Gate::CliAllow | Gate::SessionAllow | Gate::AllowRule => &[ListKind::Allow][..],
                _ => &[ListKind::Deny, ListKind::AlwaysAsk, ListKind::Ask][..],
            };
            let list = if let Some((list, fewer)) = without(&rules, lists, &cited) {
                rules = fewer;
                list
            } else if let Some((list, fewer)) = without(&context.sessions.cli, lists, &cited) {
                context.sessions.cli = Arc::new(fewer);
                list
            } else {
                return;
            };
            taken.extend((self.elsewhere)(list, &cited).into_iter().map(|twin| (list, twin)));
            taken.push((list, cited));
            now = decide(self.call, &context, &rules);
        }
        add(Way::Remove(taken), Some(now.decision));
    }

    fn mode(&self, mode: Mode) -> Decision {
        self.decided(&Context { mode, ..self.context.clone() }, self.rules)
    }

    /// The least lax mode for each answer that is milder.
    fn laxer_modes(&self, add: &mut impl FnMut(Way, Option<Decision>)) {
        let mut best = rank(self.verdict.decision);
        for mode in [Mode::Standard, Mode::AcceptEdits, Mode::Unrestricted] {
            let then = self.mode(mode);
            if self.modes.contains(&mode) && mode != self.context.mode && rank(then) < best {
                best = rank(then);
                add(Way::Mode(mode), Some(then));
            }
        }
    }

    /// The first mode, from the laxest, that does not let it through.
    fn stricter_mode(&self, add: &mut impl FnMut(Way, Option<Decision>)) {
        let stricter = [Mode::AcceptEdits, Mode::Standard, Mode::Strict, Mode::Plan];
        let found =
            stricter.into_iter().filter(|mode| self.modes.contains(mode) && *mode != self.context.mode);
        let found = found.map(|mode| (mode, self.mode(mode))).find(|(_, then)| *then != Decision::Allow);
        if let Some((mode, then)) = found {
            add(Way::Mode(mode), Some(then));
        }
    }

    /// The narrowest rule that has it asked, and that stops it.
    fn restricted(&self, add: &mut impl FnMut(Way, Option<Decision>)) {
        for (list, wanted) in [(ListKind::Ask, Decision::Ask), (ListKind::Deny, Decision::Deny)] {
            let found = paths::naming(self)
                .into_iter()
                .find(|rule| self.with_rules(list, std::slice::from_ref(rule), Scope::User) == wanted);
            if let Some(rule) = found {
                add(Way::Add { list, rules: vec![rule], scope: Some(Scope::User) }, Some(wanted));
            }
        }
    }
}

/// How much stands in the way.
const fn rank(decision: Decision) -> u8 {
    match decision {
        Decision::Allow => 0,
        Decision::Ask => 1,
        Decision::AlwaysAsk => 2,
        Decision::Deny => 3,
    }
}

fn without(rules: &RuleSet, lists: &[ListKind], cited: &MatchedRule) -> Option<(ListKind, RuleSet)> {
    let place =
        |list: &ListKind| Some((*list, rules.listed(*list).iter().position(|rule| marks::is(rule, cited))?));
    let (list, at) = lists.iter().find_map(place)?;
    let mut fewer = Rules::clone(rules.rules());
    marks::list_of(&mut fewer, list)?.remove(at);
    Some((list, rules.with_rules(Arc::new(fewer))))
}

impl Way {
    fn commands(&self, whose: &[String]) -> Vec<String> {
        let edit = |verb: &str, rule: &str, list: ListKind, scope: Scope| {
            let words =
                ["portcullis", "rules", verb, rule, "--list", list.as_str(), "--scope", scope.as_str()];
            let all: Vec<&str> = words.into_iter().chain(whose.iter().map(String::as_str)).collect();
            join_words(&all)
        };
        match self {
            Way::Add { list, rules, scope: Some(scope) } => {
                rules.iter().map(|rule| edit("add", rule, *list, *scope)).collect()
            }
            Way::Remove(rules) => {
                let scoped = rules.iter().filter_map(|(list, rule)| {
                    let scope = rule.source.as_ref()?.scope;
                    let kept = matches!(scope, Scope::User | Scope::Project | Scope::Local);
                    kept.then(|| edit("remove", &rule.label, *list, scope))
                });
                scoped.collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Change {
    /// What to do, in one clause.
    pub(super) fn sentence(&self) -> String {
        match &self.way {
            Way::Add { list, rules, scope } => {
                let (list, rules) = (list.as_str(), rules.join(", "));
                match scope {
                    Some(scope) => format!("add to {list} in the {} settings: {rules}", scope.as_str()),
                    None => format!("{list} for this session: {rules}"),
                }
            }
            Way::Remove(rules) => {
                let shown = rules.iter().map(|(list, rule)| match response::place(rule) {
                    Some(place) if rule.source.as_ref().is_none_or(|source| source.scope != Scope::Cli) => {
                        format!("{} out of {} ({place})", rule.label, list.as_str())
                    }
                    _ => format!("{} away", rule.label),
                });
                format!("take {}", shown.collect::<Vec<_>>().join(" and "))
            }
            Way::Mode(mode) => format!("mode {}", mode.as_str()),
            Way::Directory(directory) => format!("add to additionalDirectories: {directory}"),
            Way::Path { instead_of, path } => format!("a path such as {path} instead of {instead_of}"),
            Way::MemoryGuard => "--disable-memory-guard, given by the parent process".to_owned(),
            Way::Settings(place) => format!("mend the settings at {place}"),
            Way::Run => "`portcullis run`, which shuts it in".to_owned(),
        }
    }

    /// The command lines that do what they say when they are copied: those in which nothing has to be escaped.
    pub(super) fn shown_commands(&self) -> impl Iterator<Item = &String> {
        self.commands.iter().filter(|line| columns::safe(line) == **line)
    }

    /// For machines.
    pub(super) fn json(&self) -> Value {
        let mut object = match &self.way {
            Way::Add { list, rules, scope } => {
                json!({ "kind": "add-rule", "list": list.as_str(), "rules": rules, "scope": scope.map(Scope::as_str) })
            }
            Way::Remove(rules) => {
                let all: Vec<Value> = rules
                    .iter()
                    .map(|(list, rule)| {
                        json!({ "list": list.as_str(), "rule": rule.label, "source": response::source(rule) })
                    })
                    .collect();
                json!({ "kind": "remove-rule", "rules": all })
            }
            Way::Mode(mode) => json!({ "kind": "mode", "mode": mode.as_str() }),
            Way::Directory(directory) => json!({ "kind": "additional-directory", "directory": directory }),
            Way::Path { instead_of, path } => {
                json!({ "kind": "path", "insteadOf": instead_of, "path": path })
            }
            Way::MemoryGuard => json!({ "kind": "flag", "flag": "--disable-memory-guard" }),
            Way::Settings(place) => json!({ "kind": "mend-settings", "at": place }),
            Way::Run => json!({ "kind": "run" }),
        };
        if let Some(object) = object.as_object_mut() {
            object.insert("then".to_owned(), self.then.as_str().into());
            object.insert("text".to_owned(), self.sentence().into());
            object.insert("commands".to_owned(), self.commands.clone().into());
        }
        object
    }
}

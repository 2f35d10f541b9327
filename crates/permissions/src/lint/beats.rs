//! Which rules can never decide, because another one always goes before.

use std::collections::HashMap;

use portcullis_matcher::{ListKind, Mode, Overview, RuleId, RuleSet, RuleSubject, Rules, Scope, SourcedRule};
use portcullis_shell_analysis::join_words;

use super::{LISTS, compiled};
use crate::{AskRules, Context, Decision, Sessions, ToolCall, decide};

/// Why a rule decides nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Beaten {
    /// The rule that goes before, in the same list or another.
    pub by: RuleId,
}

/// For each rule that decides nothing, the rule that goes before it.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    beaten: HashMap<RuleId, Beaten>,
}

impl Standing {
    /// Why the rule decides nothing, if so.
    #[must_use]
    pub fn beaten(&self, id: RuleId) -> Option<Beaten> {
        self.beaten.get(&id).copied()
    }
}

/// Finds the rules that decide nothing: those of which another rule that goes before, by its list or its
/// scope, matches every call. Only what follows from the rules' own words is found.
#[must_use]
pub fn standing(context: &Context, rules: &RuleSet) -> Standing {
    let overview = Overview::new(rules);
    let behind = (context.conventions.ask_rules == AskRules::Last).then(|| asked_as_allowed(rules));
    let behind = behind.as_ref().map(|(rules, allowed)| (Overview::new(rules), *allowed));
    let ids = LISTS.iter().flat_map(|list| rules.ids(*list).map(|id| (*list, id)));
    let mut allows = Allows::new(context, rules);
    let beaten = ids.filter_map(|(list, id)| {
        let allowing = behind.iter().filter(|_| list == ListKind::Ask).flat_map(|(overview, allowed)| {
            let copy = RuleId::new(ListKind::Allow, allowed + id.index);
            overview.wider(copy).filter(move |by| by.index < *allowed)
        });
        let wider = overview.wider(id).chain(allowing).filter_map(|by| Some((rules.kind(by)?, by)));
        let deciding = wider.filter(|&(own, by)| {
            goes_before(context, rules, (own, by), (list, id))
                && (own != ListKind::Allow || spelt_out(&mut allows, by, id))
        });
        // Of several the one that is asked first.
        let by = deciding.min_by_key(|(own, by)| (LISTS.iter().position(|list| list == own), by.index))?.1;
        Some((id, Beaten { by }))
    });
    Standing { beaten: beaten.collect() }
}

/// The allow rules with the ask rules behind them, as if these allowed: an allow rule never matches all that a rule
/// matches that restricts, but it lets through all that it would let through itself. With it the number of the former.
fn asked_as_allowed(rules: &RuleSet) -> (RuleSet, u32) {
    let own = rules.rules();
    let allow: Vec<_> = own.allow.iter().chain(&own.ask).cloned().collect();
    let allowed = u32::try_from(own.allow.len()).unwrap_or(u32::MAX);
    (compiled(rules, Rules { allow, ..Rules::default() }), allowed)
}

/// Whether `by` decides where both rules match.
fn goes_before(
    context: &Context,
    rules: &RuleSet,
    (own, by): (ListKind, RuleId),
    (list, id): (ListKind, RuleId),
) -> bool {
    let (Some(wide), Some(narrow)) = (rules.rule(by), rules.rule(id)) else { return false };
    let (inner, outer) = (wide.source.scope, narrow.source.scope);
    if own == list {
        return same_list(rules, list, (by, inner), (id, outer), narrow.reason.is_some());
    }
    let narrower = inner > outer && outer != Scope::Managed;
    match (own, list) {
        (ListKind::Deny, ListKind::AlwaysAsk | ListKind::Ask | ListKind::Allow) => true,
        (ListKind::AlwaysAsk, ListKind::Ask | ListKind::Allow) => true,
        (ListKind::Ask, ListKind::Allow) => {
            narrower || context.conventions.ask_rules == AskRules::BeforeAutomatic
        }
        (ListKind::Allow, ListKind::Ask) => {
            let asked_first = outer > inner && inner != Scope::Managed;
            !asked_first && context.conventions.ask_rules == AskRules::Last
        }
        (ListKind::Restrict, ListKind::Allow) => narrower,
        _ => false,
    }
}

/// In one list the earlier rule is the one reported, so a rule behind a wider one says nothing new, and one
/// before it only its own reason. In allow and ask the scope decides what a rule beats: only a rule of the same
/// scope or a narrower one stands for it there.
fn same_list(
    rules: &RuleSet,
    list: ListKind,
    (by, inner): (RuleId, Scope),
    (id, outer): (RuleId, Scope),
    has_reason: bool,
) -> bool {
    let scopes = match list {
        ListKind::Deny | ListKind::AlwaysAsk => true,
        _ => inner == outer || inner > outer && outer != Scope::Managed,
    };
    let equal = rules.subsumes(id, by);
    scopes && (by.index < id.index || !equal && !has_reason)
}

/// Whether a wider allow rule also covers what a narrower one spells out: options that execute or write
/// elsewhere, and commands behind launchers, are covered only where they stand in the rule itself.
fn spelt_out(allows: &mut Allows<'_>, by: RuleId, id: RuleId) -> bool {
    let asked = allows.rules.kind(id) == Some(ListKind::Ask);
    match allows.rules.subject_of(id) {
        Some(RuleSubject::Command { words, .. }) if !words.is_empty() => allows.by(by, words),
        // A text that is not one command, or a path that other judgements may keep from being allowed.
        Some(RuleSubject::Command { .. } | RuleSubject::Paths { .. }) => !asked,
        _ => true,
    }
}

/// What allow rules of a set allow by themselves. Each set of them is compiled once.
pub(super) struct Allows<'a> {
    context: Context,
    rules: &'a RuleSet,
    alone: HashMap<RuleId, RuleSet>,
    all: Option<RuleSet>,
}

impl<'a> Allows<'a> {
    pub(super) fn new(context: &Context, rules: &'a RuleSet) -> Self {
        let context =
            Context { mode: Mode::Standard, sessions: Sessions::none(), degraded: None, ..context.clone() };
        Self { context, rules, alone: HashMap::new(), all: None }
    }

    /// Whether an allow rule alone allows a command.
    fn by(&mut self, id: RuleId, words: &[String]) -> bool {
        let Some(rule) = self.rules.rule(id) else { return false };
        let alone = self.alone.entry(id).or_insert_with(|| allowing(self.rules, vec![rule.clone()]));
        allows(&self.context, alone, words)
    }

    /// Whether the allow rules of the set do, and no others.
    pub(super) fn all(&mut self, words: &[String]) -> bool {
        let all = self.all.get_or_insert_with(|| allowing(self.rules, self.rules.rules().allow.clone()));
        allows(&self.context, all, words)
    }

    /// Whether these allow rules do one of some commands.
    pub(super) fn with(&self, rules: Vec<SourcedRule>, commands: &[Vec<String>]) -> bool {
        let rules = allowing(self.rules, rules);
        commands.iter().any(|words| allows(&self.context, &rules, words))
    }
}

fn allowing(rules: &RuleSet, allow: Vec<SourcedRule>) -> RuleSet {
    compiled(rules, Rules { allow, ..Rules::default() })
}

fn allows(context: &Context, rules: &RuleSet, words: &[String]) -> bool {
    decide(&ToolCall::shell(&join_words(words)), context, rules).decision == Decision::Allow
}

//! Rule sets compiled for matching.

use std::sync::Arc;

use crate::allow::{Judge, Reason, Shortfall};
use crate::facts::{Facts, Looked, Prepared};
use crate::index::{Depth, Index, Scan};
use crate::parsed::{Body, Parsed, Reading, Target};
use crate::told::Told;
use crate::{
    Anchors, Conventions, Guarded, ListKind, Match, RuleError, RuleNote, Rules, Scope, SourcedRule, Subject,
};

/// A rule in a [`RuleSet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId {
    /// The list.
    pub list: ListId,
    /// Position in the list, from 0.
    pub index: u32,
}

/// A compact list name for ids.
pub type ListId = u8;

/// At most this many possible matches are named.
const MAX_POSSIBLE: usize = 8;

/// One list of rules, read.
#[derive(Clone, Debug)]
pub(crate) struct List {
    pub(crate) kind: ListKind,
    /// `None` where a rule could not be read.
    rules: Vec<Option<Parsed>>,
    /// Whether any rule looks at paths.
    files: bool,
    narrowest: Option<Scope>,
    /// What finds the few rules to compare; without one every rule is.
    index: Option<Index>,
}

impl List {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Parsed)> {
        (0..).zip(&self.rules).filter_map(|(id, rule)| rule.as_ref().map(|rule| (id, rule)))
    }

    /// The rules that `find` takes from the index, in list order.
    pub(crate) fn scan<'a>(
        &'a self,
        find: impl FnOnce(&'a Index) -> Scan<'a>,
    ) -> impl Iterator<Item = (u32, &'a Parsed)> {
        let (found, all) = match self.index.as_ref().map_or(Scan::All, find) {
            Scan::All => (None, Some(self.iter())),
            Scan::Some(found) => (Some(found), None),
        };
        let found = found.into_iter().flatten().filter_map(|id| {
            let rule = self.rules.get(usize::try_from(id).ok()?)?.as_ref()?;
            Some((id, rule))
        });
        let both = found.chain(all.into_iter().flatten());
        #[cfg(test)]
        let both = both.inspect(|_| work::count());
        both
    }

    /// The narrowest scope of its rules.
    pub(crate) fn narrowest(&self) -> Option<Scope> {
        self.narrowest
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

/// Rules compiled once, independent of the working directory; shared by `Arc`.
#[derive(Clone, Debug)]
pub struct RuleSet {
    rules: Arc<Rules>,
    errors: Vec<RuleError>,
    notes: Vec<RuleNote>,
    lists: Arc<[List; 5]>,
    /// What is told of them as a whole, once somebody asks.
    pub(crate) told: Arc<Told>,
    pub(crate) anchors: Anchors,
    conventions: Conventions,
}

/// The lists in the order of their ids.
const KINDS: [ListKind; 5] =
    [ListKind::Deny, ListKind::AlwaysAsk, ListKind::Ask, ListKind::Allow, ListKind::Restrict];

fn list_of(rules: &Rules, kind: ListKind) -> &[SourcedRule] {
    match kind {
        ListKind::Deny => &rules.deny,
        ListKind::AlwaysAsk => &rules.always_ask,
        ListKind::Ask => &rules.ask,
        ListKind::Allow => &rules.allow,
        ListKind::Restrict => &rules.restrict,
    }
}

impl RuleId {
    /// The rule at this position, from 0, of a list.
    #[must_use]
    pub fn new(list: ListKind, index: u32) -> Self {
        Self { list: id_of(list), index }
    }
}

fn id_of(kind: ListKind) -> ListId {
    match kind {
        ListKind::Deny => 0,
        ListKind::AlwaysAsk => 1,
        ListKind::Ask => 2,
        ListKind::Allow => 3,
        ListKind::Restrict => 4,
    }
}

impl RuleSet {
    /// Compiles `rules`. Rules that cannot be read are kept apart in [`RuleSet::errors`].
    #[must_use]
    pub fn compile(rules: Arc<Rules>, anchors: &Anchors, conventions: &Conventions) -> Self {
        let mut errors = Vec::new();
        let mut notes = Vec::new();
        let lists = KINDS.map(|kind| {
            let parsed: Vec<Option<Parsed>> = list_of(&rules, kind)
                .iter()
                .map(|rule| match Parsed::read(rule, kind, anchors, conventions) {
                    Ok(Reading { parsed, notes: said, doubt }) => {
                        let note = |message, doubtful| RuleNote {
                            rule: rule.label(),
                            message,
                            doubtful,
                            list: kind,
                            at: rule.source.clone(),
                        };
                        notes.extend(said.into_iter().map(|message| note(message, false)));
                        notes.extend(doubt.map(|message| note(message, true)));
                        Some(parsed)
                    }
                    Err(message) => {
                        let at = rule.source.clone();
                        errors.push(RuleError { rule: rule.label(), message, list: kind, at });
                        None
                    }
                })
                .collect();
            let files =
                parsed.iter().flatten().any(|rule| matches!(rule.body, Body::Path(_) | Body::Text(_)));
            let narrowest = parsed.iter().flatten().map(|rule| rule.scope).max();
            let mut list = List { kind, rules: parsed, files, narrowest, index: None };
            list.index = Some(Index::new(kind, list.iter()));
            list
        });
        Self {
            rules,
            errors,
            notes,
            lists: Arc::new(lists),
            told: Arc::default(),
            anchors: anchors.clone(),
            conventions: conventions.clone(),
        }
    }

    /// Other rules, compiled with the same anchors and conventions.
    #[must_use]
    pub fn with_rules(&self, rules: Arc<Rules>) -> Self {
        Self::compile(rules, &self.anchors, &self.conventions)
    }

    /// The same rules under other conventions, such as those of another engine.
    #[must_use]
    pub fn under(&self, conventions: &Conventions) -> Self {
        Self::compile(Arc::clone(&self.rules), &self.anchors, conventions)
    }

    /// The same rules without an index: each is compared with every call.
    #[cfg(test)]
    pub(crate) fn scanning(&self) -> Self {
        let lists = (*self.lists).clone().map(|list| List { index: None, ..list });
        Self { lists: Arc::new(lists), ..self.clone() }
    }

    /// The rules that it was compiled from.
    #[must_use]
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The conventions that it was compiled with.
    #[must_use]
    pub fn conventions(&self) -> &Conventions {
        &self.conventions
    }

    /// Rules that could not be read; one in a deny list forbids automatic allows.
    #[must_use]
    pub fn errors(&self) -> &[RuleError] {
        &self.errors
    }

    /// Rules that were accepted with a meaning that differs from their letter, or that do nothing.
    #[must_use]
    pub fn notes(&self) -> &[RuleNote] {
        &self.notes
    }

    /// The rule behind an id.
    #[must_use]
    pub fn rule(&self, id: RuleId) -> Option<&SourcedRule> {
        let kind = KINDS.get(usize::from(id.list))?;
        list_of(&self.rules, *kind).get(usize::try_from(id.index).ok()?)
    }

    /// The list that an id is of.
    #[must_use]
    pub fn kind(&self, id: RuleId) -> Option<ListKind> {
        KINDS.get(usize::from(id.list)).copied()
    }

    /// A list as it was given.
    #[must_use]
    pub fn listed(&self, list: ListKind) -> &[SourcedRule] {
        list_of(&self.rules, list)
    }

    pub(crate) fn parsed(&self, id: RuleId) -> Option<&Parsed> {
        self.list(self.kind(id)?).rules.get(usize::try_from(id.index).ok()?)?.as_ref()
    }

    pub(crate) fn list(&self, kind: ListKind) -> &List {
        let [deny, always_ask, ask, allow, restrict] = &*self.lists;
        match kind {
            ListKind::Deny => deny,
            ListKind::AlwaysAsk => always_ask,
            ListKind::Ask => ask,
            ListKind::Allow => allow,
            ListKind::Restrict => restrict,
        }
    }

    /// The first rule of a deny, alwaysAsk or ask list that certainly matches: any target, any
    /// invocation, through any launcher, by either path.
    #[must_use]
    pub fn first_match(&self, list: ListKind, subject: &Subject<'_>) -> Option<RuleId> {
        self.first_match_of(list, &Prepared::new(*subject, &Looked::default()))
    }

    /// [`RuleSet::first_match`] for a subject about which more is asked.
    #[must_use]
    pub fn first_match_of(&self, list: ListKind, prepared: &Prepared<'_>) -> Option<RuleId> {
        let list = self.list(list);
        if list.is_empty() {
            return None;
        }
        let facts = prepared.facts(list.files);
        let mut rules = list.scan(|index| index.call(facts, Depth::Certain));
        let found = rules.find(|(_, rule)| rule.restricts(list.kind, facts, &[]) == Match::Yes);
        found.map(|(index, _)| RuleId { list: id_of(list.kind), index })
    }

    /// The rules of a deny, alwaysAsk or ask list whose match cannot be ruled out, in list order; at most
    /// eight, less those that certainly match in front of them. Lifted possible matches (by an exact allow rule) are not among them.
    #[must_use]
    pub fn possible_matches(&self, list: ListKind, subject: &Subject<'_>) -> Vec<RuleId> {
        self.possible_matches_of(list, &Prepared::new(*subject, &Looked::default()))
    }

    /// [`RuleSet::possible_matches`] for a subject about which more is asked.
    #[must_use]
    pub fn possible_matches_of(&self, list: ListKind, prepared: &Prepared<'_>) -> Vec<RuleId> {
        let list = self.list(list);
        if list.is_empty() {
            return Vec::new();
        }
        let facts = prepared.facts(list.files);
        let lifted = self.lifted(facts);
        list.scan(|index| index.call(facts, Depth::Possible))
            .map(|(index, rule)| (index, rule.restricts(list.kind, facts, &lifted)))
            // Beside certain ones nobody needs many.
            .filter(|(_, found)| *found > Match::No)
            .take(MAX_POSSIBLE)
            .filter(|(_, found)| *found == Match::Possible)
            .map(|(index, _)| RuleId { list: id_of(list.kind), index })
            .collect()
    }

    /// Deny rules over paths that spell out nothing which code could be searched for (`Read(*.pem)`), where a command runs
    /// code that is not lifted: at most eight. They are not among the possible matches: whoever hides what they mean
    /// ([`RuleSet::denied_by`]) has nothing to ask, whoever does not takes each for one.
    #[must_use]
    pub fn unseen_denials_of(&self, prepared: &Prepared<'_>) -> Vec<RuleId> {
        let list = self.list(ListKind::Deny);
        if list.is_empty() {
            return Vec::new();
        }
        let facts = prepared.facts(list.files);
        let invocations = facts.parts.iter().flat_map(|part| &part.invocations);
        let running: Vec<_> = invocations
            .zip(self.lifted(facts))
            .filter(|(invocation, lifted)| invocation.code.is_some() && !lifted)
            .map(|(invocation, _)| invocation)
            .collect();
        if running.is_empty() {
            return Vec::new();
        }
        list.scan(|index| index.call(facts, Depth::Possible))
            .filter(|(_, rule)| running.iter().any(|invocation| rule.is_unseen_by(invocation)))
            .take(MAX_POSSIBLE)
            .map(|(index, _)| RuleId { list: id_of(ListKind::Deny), index })
            .collect()
    }

    /// For each invocation of a subject, in order: whether an exact allow rule of a user, local or managed scope names
    /// it, and so lifts what else is only possible about it.
    #[must_use]
    pub fn lifts_of(&self, prepared: &Prepared<'_>) -> Vec<bool> {
        self.lifted(prepared.facts(false))
    }

    /// For each invocation whether an exact allow rule of a user, local or managed scope names it.
    fn lifted(&self, facts: &Facts<'_>) -> Vec<bool> {
        let lifts = |rule: &Parsed| {
            matches!(rule.scope, Scope::User | Scope::Local | Scope::Managed)
                && rule.targets.iter().any(|target| matches!(target, Target::Tool(_) | Target::Raw(..)))
        };
        let invocations = facts.parts.iter().flat_map(|part| &part.invocations);
        invocations
            .map(|invocation| {
                let allow = self.list(ListKind::Allow);
                let mut rules = allow.scan(|index| index.invocation(facts, invocation, Depth::Certain));
                rules.any(|(_, rule)| {
                    lifts(rule)
                        && matches!(&rule.body, Body::Command(pattern) if pattern.lifts(&invocation.view))
                })
            })
            .collect()
    }

    /// The allow rule that covers the call: every target, and every invocation, assignment and
    /// redirection that is not read-only by itself, each not overruled by a narrower ask or restrict.
    /// Returns the rule that covered the first part that needed one.
    #[must_use]
    pub fn covering_allow(&self, subject: &Subject<'_>) -> Option<RuleId> {
        self.covering_allow_of(&Prepared::new(*subject, &Looked::default()))
    }

    /// [`RuleSet::covering_allow`] for a subject about which more is asked.
    #[must_use]
    pub fn covering_allow_of(&self, prepared: &Prepared<'_>) -> Option<RuleId> {
        self.covering_allow_but(prepared, &|_| false)
    }

    /// [`RuleSet::covering_allow_of`], but where nobody knows what a command does with its words, a rule for commands
    /// covers no word that names a `guarded` place unless the word stands in the rule. Rules for every command do.
    #[must_use]
    pub fn covering_allow_but(&self, prepared: &Prepared<'_>, guarded: &Guarded<'_>) -> Option<RuleId> {
        if self.list(ListKind::Allow).is_empty() {
            return None;
        }
        // What a command touches counts here even where no rule speaks of files: it must not write.
        let found = self.judge(guarded).covers(prepared.facts(true));
        found.map(|index| RuleId { list: id_of(ListKind::Allow), index })
    }

    /// An allow rule that is about the call, or about a part of it, and does not cover it, with the reason; for a call
    /// that [`RuleSet::covering_allow_but`] finds no rule for. None where no rule comes near.
    #[must_use]
    pub fn near_allow(&self, prepared: &Prepared<'_>, guarded: &Guarded<'_>) -> Option<(RuleId, Shortfall)> {
        if self.list(ListKind::Allow).is_empty() {
            return None;
        }
        let (index, reason) = self.judge(guarded).near(prepared.facts(true))?;
        let why = match reason {
            Reason::Said(why) => why,
            Reason::Overruled(list, index) => {
                let by = self.rule(RuleId::new(list, index)).map(SourcedRule::label);
                Shortfall::Overruled(list, by.unwrap_or_default())
            }
        };
        Some((RuleId::new(ListKind::Allow, index), why))
    }

    fn judge<'a>(&'a self, guarded: &'a Guarded<'a>) -> Judge<'a> {
        Judge {
            allow: self.list(ListKind::Allow),
            restraining: [ListKind::Ask, ListKind::AlwaysAsk, ListKind::Restrict].map(|kind| self.list(kind)),
            anchors: &self.anchors,
            conventions: &self.conventions,
            directories: &self.rules.additional_directories,
            guarded,
        }
    }
}

/// How many rules were compared with a call, for tests of how that grows.
#[cfg(test)]
pub(crate) mod work {
    use std::cell::Cell;

    thread_local! {
        static COMPARED: Cell<usize> = const { Cell::new(0) };
    }

    pub(crate) fn count() {
        COMPARED.set(COMPARED.get() + 1);
    }

    /// The number of rules that are compared while `run` runs, and what it returns.
    pub(crate) fn of<T>(run: impl FnOnce() -> T) -> (usize, T) {
        COMPARED.set(0);
        let result = run();
        (COMPARED.get(), result)
    }
}

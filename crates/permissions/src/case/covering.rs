//! Whether allow rules cover a call, and which one comes near where none does.

use portcullis_matcher::{ListKind, NamedPlace, RuleId, Shortfall};
use portcullis_paths::{Table, three_paths};

use super::{Case, Place};
use crate::ruling::{Cited, RuleSetName};

impl Case<'_> {
    /// The allow rule that covers the whole call.
    pub(crate) fn covering(&self, set: RuleSetName) -> Option<Cited> {
        let rules = self.rule_set(set);
        let covering = rules.covering_allow_but(self.prepared(), &|place| self.guards(place))?;
        (self.patch_covered(set) && self.altered_secret().is_none()).then_some(Cited::Rule(set, covering))
    }

    /// Whether an edit that a command feeds to `apply_patch` is covered too.
    fn patch_covered(&self, set: RuleSetName) -> bool {
        self.patch_subject().is_none_or(|patch| self.rule_set(set).covering_allow(&patch).is_some())
    }

    /// The allow rule that comes near a call which none of the set covers, and why it does not.
    pub(crate) fn near(&self, set: RuleSetName) -> Option<(RuleId, Shortfall)> {
        let rules = self.rule_set(set);
        let guards = |place: NamedPlace<'_>| self.guards(place);
        let Some(covering) = rules.covering_allow_but(self.prepared(), &guards) else {
            return rules.near_allow(self.prepared(), &guards);
        };
        let why = if self.patch_covered(set) {
            match self.altered_secret() {
                Some(secret) => Shortfall::Guarded(secret),
                // An ask rule of the session goes before what settings allow.
                None => match self.first_match(RuleSetName::Session, ListKind::Ask)? {
                    Cited::Rule(set, id) => {
                        let rule = self.rule_set(set).rule(id)?;
                        Shortfall::Overruled(ListKind::Ask, rule.label())
                    }
                    _ => return None,
                },
            }
        } else {
            let file = self.facts.targets.first().map_or_else(String::new, |file| file.lexical.clone());
            Shortfall::Rest(file)
        };
        Some((covering, why))
    }

    /// Whether a command's word names a secret or a protected path that no file rule spells out.
    fn guards(&self, place: NamedPlace<'_>) -> bool {
        const TABLES: [Table; 2] = [Table::Secret, Table::Protected];
        if !self.sensitive_asked() {
            return false;
        }
        match place {
            NamedPlace::Path(path) => {
                let paths = three_paths(path, "/", self.context.resolver.as_deref());
                TABLES.into_iter().any(|table| self.sensitive(table, &paths).is_some())
            }
            NamedPlace::Glob(glob) => {
                crate::exclude::finds_secret(self, glob)
                    || crate::gates::protected_path::protected_match(self, glob, false).is_some()
            }
        }
    }

    /// No allow glob covers a secret that it does not name. Reading one has a gate of its own,
    /// before the allow rules; this is for those that change it.
    fn altered_secret(&self) -> Option<String> {
        if !self.sensitive_asked() {
            return None;
        }
        let unnamed = |reading: &&str| {
            self.context.sensitive.contains(Table::Secret, reading) && !self.named_literally(reading, true)
        };
        self.touches().iter().filter(|touch| touch.access.alters()).find_map(|touch| match &touch.place {
            Place::Path(path) => {
                let found = path.iter().find(unnamed).map(str::to_owned);
                found.or_else(|| path.unknown.then(|| super::lost(path)))
            }
            Place::Glob(..) | Place::Below(_) | Place::Unknown => None,
        })
    }
}

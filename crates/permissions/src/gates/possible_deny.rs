//! A deny or alwaysAsk rule whose match cannot be ruled out forbids every automatic answer.

use portcullis_matcher::{ListKind, SourcedRule};

use crate::{
    Decision,
    case::Case,
    ruling::{Cited, Ruling},
};

/// Why a rule without a literal name may match code.
const UNSEEN: &str = "the code that it runs may touch what the rule forbids, and the run does not hide that";

/// Why a rule object may match a search.
const UNLISTED: &str = "a pattern or regular expression cannot be left out of what is read, as a glob can";

/// Asks, and names the rule.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    if let Some(&(set, id)) = case.possible().first() {
        let rules = case.rule_set(set);
        let label = rules.rule(id).map(SourcedRule::label).unwrap_or_default();
        let list = if rules.kind(id) == Some(ListKind::AlwaysAsk) { "alwaysAsk" } else { "deny" };
        let reason = format!("May match {list} rule {label}");
        let ruling = Ruling::new(Decision::Ask, reason).citing(Cited::PossibleRule(set, id));
        let unseen = case.unseen().contains(&(set, id));
        return Some(if unseen { ruling.about(UNSEEN) } else { ruling });
    }
    if let Some((set, id)) = case.exclusion().unlisted {
        let label = case.rule_set(set).rule(id).map(SourcedRule::label).unwrap_or_default();
        let ruling = Ruling::new(Decision::Ask, format!("May match deny rule {label}"));
        return Some(ruling.citing(Cited::PossibleRule(set, id)).about(UNLISTED));
    }
    if case.context.hides {
        return None;
    }
    let glob = case.exclusion().denied.first()?;
    Some(Ruling::new(Decision::Ask, format!("May match deny rule {glob}")).about(glob.clone()))
}

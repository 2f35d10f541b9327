//! What holds for every call and all rules. Calls and rules come from the corpora in `conformance/`, mixed with
//! each other and with generated ones; commands are data here, nothing is run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use std::{collections::BTreeSet, sync::LazyLock};

use portcullis_matcher::{ListKind, RuleSet, SourcedRule, normalize_rule};
use portcullis_permissions::{Context, Decision, Mode, Safety, Suggestion, ToolCall, decide, suggest};
use proptest::prelude::*;
use serde_json::Value;
use support::{
    CORPUS, Situation, cases,
    generate::{rule_text, situation},
    list_of, rank, rule,
};

/// A rule that has something to do with the call, or any.
fn about(situation: &Situation, text: String, own: bool) -> String {
    let arguments = &situation.call.arguments;
    match (own, arguments["command"].as_str(), arguments["file_path"].as_str()) {
        (true, Some(command), _) => {
            let word = command.split_whitespace().last().unwrap_or("x");
            format!("Bash({word}:*)")
        }
        (true, None, Some(path)) => format!("Read({path})"),
        _ => text,
    }
}

fn adding_never_loosens(
    list: ListKind,
    situation: &Situation,
    text: &str,
    in_session: bool,
) -> Result<(), TestCaseError> {
    let before = situation.verdict();
    let mut more = situation.clone();
    let rules = if in_session { &mut more.session } else { &mut more.rules };
    list_of(rules, list).push(rule(text));
    let after = more.verdict();
    prop_assert!(
        rank(after.decision) >= rank(before.decision),
        "{} with {text} in {}: {:?} by {:?}, before {:?} by {:?}\n{situation:#?}",
        situation.call.arguments,
        list.as_str(),
        after.decision,
        after.gate,
        before.decision,
        before.gate
    );
    Ok(())
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_deny_rule_never_loosens(it in situation(), text in rule_text(), own: bool, session: bool) {
        adding_never_loosens(ListKind::Deny, &it, &about(&it, text, own), session)?;
    }

    #[test]
    fn an_ask_rule_never_loosens(it in situation(), text in rule_text(), own: bool, session: bool) {
        adding_never_loosens(ListKind::Ask, &it, &about(&it, text, own), session)?;
    }

    #[test]
    fn an_always_ask_rule_never_loosens(it in situation(), text in rule_text(), own: bool, session: bool) {
        adding_never_loosens(ListKind::AlwaysAsk, &it, &about(&it, text, own), session)?;
    }

    #[test]
    fn a_restriction_never_loosens(it in situation(), text in rule_text(), own: bool) {
        adding_never_loosens(ListKind::Restrict, &it, &about(&it, text, own), false)?;
    }

    #[test]
    fn stricter_modes_never_allow_more(it in situation()) {
        let decided = |mode| { let mut it = it.clone(); it.mode = mode; it.decision() };
        let lax = [Mode::Strict, Mode::Standard, Mode::AcceptEdits, Mode::Unrestricted].map(decided);
        for pair in lax.windows(2) {
            prop_assert!(rank(pair[0]) >= rank(pair[1]), "{lax:?}\n{it:#?}");
        }
        let dont_ask = decided(Mode::DontAsk);
        prop_assert!(rank(dont_ask) >= rank(lax[1]), "{dont_ask:?} {lax:?}\n{it:#?}");
        // Plan mode stands before the alwaysAsk gates: it asks what they would ask every time.
        let plan = decided(Mode::Plan);
        prop_assert!(rank(plan).min(1) >= rank(lax[1]).min(1), "{plan:?} {lax:?}\n{it:#?}");
        prop_assert!(plan == Decision::Deny || lax[1] != Decision::Deny, "{plan:?} {lax:?}\n{it:#?}");
    }

    #[test]
    fn the_order_and_the_spelling_of_rules_do_not_matter(it in situation(), seed: u64) {
        let before = it.verdict();
        let mut other = it.clone();
        for kind in [ListKind::Allow, ListKind::Ask, ListKind::Deny, ListKind::AlwaysAsk] {
            let list = list_of(&mut other.rules, kind);
            let length = list.len().max(1);
            list.rotate_left(usize::try_from(seed).unwrap_or(1) % length);
            list.reverse();
            // Twice is as good as once, also in the normal form.
            let again: Vec<SourcedRule> = list.iter().map(normal).collect();
            list.extend(again);
        }
        let after = other.verdict();
        prop_assert_eq!((after.decision, after.gate), (before.decision, before.gate), "{:#?}", it);
    }

    #[test]
    fn what_is_offered_allows_the_call_and_nothing_dangerous(
        it in situation(),
        others in prop::collection::vec(any::<prop::sample::Index>(), 3),
    ) {
        let (context, rules) = it.compiled();
        let Some(offer) = suggest(&it.call, &context, &rules) else { return Ok(()) };
        prop_assert_eq!(offer.allow_persistence, !offer.rules.is_empty());
        if offer.rules.is_empty() {
            return Ok(());
        }
        prop_assert!(offer.rules.len() <= 5 && offer.safety != Safety::Dangerous, "{:?}", offer);
        let mut saved = it.clone();
        saved.mode = if it.mode == Mode::DontAsk { Mode::Standard } else { it.mode };
        saved.rules.allow.extend(offer.rules.iter().map(|text| rule(text)));
        prop_assert_eq!(saved.decision(), Decision::Allow, "{:?}\n{:#?}", offer, it);
        // And nothing dangerous is that was not before. A rule over files is one for commands on these files too,
        // removals included: it is offered as what it is, the mode that accepts edits, or a directory by its name.
        if !offer.rules.iter().any(|rule| rule.starts_with("Bash(")) {
            return Ok(());
        }
        let now = saved.compiled();
        let mut before = it.clone();
        before.mode = saved.mode;
        let before = before.compiled();
        for index in others {
            let command: &String = index.get(&DANGEROUS);
            let call = ToolCall::shell(command);
            let decided = |(context, rules): &(Context, RuleSet)| decide(&call, context, rules).decision;
            prop_assert!(
                decided(&now) != Decision::Allow || decided(&before) == Decision::Allow,
                "{:?} lets {} through\n{:#?}", offer, call.arguments, it
            );
        }
    }
}

fn normal(rule: &SourcedRule) -> SourcedRule {
    SourcedRule::text(normalize_rule(&rule.label()), rule.source.clone())
}

/// Commands that occur in the corpora, each once.
fn commands() -> BTreeSet<String> {
    let in_call = |case: &Value| case["args"]["args"]["command"].as_str().map(str::to_owned);
    let alone = |case: &Value| case["args"]["command"].as_str().map(str::to_owned);
    let mut all: BTreeSet<String> = CORPUS
        .iter()
        .filter_map(|situation| situation.call.arguments["command"].as_str().map(str::to_owned))
        .collect();
    all.extend(cases("upstream-analyzer.jsonl").iter().filter_map(in_call));
    all.extend(cases("upstream-shell-readonly.jsonl").iter().filter_map(alone));
    all
}

/// Commands that destroy, force or take privileges.
static DANGEROUS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let dangerous = |command: &String| offer(command).is_some_and(|offer| offer.safety == Safety::Dangerous);
    commands().into_iter().filter(dangerous).collect()
});

/// What is offered for a command in a project without rules.
fn offer(command: &str) -> Option<Suggestion> {
    let it = Situation::command(command);
    let (context, rules) = it.compiled();
    suggest(&it.call, &context, &rules)
}

/// The commands that are allowed when these rules are in force, and by what.
fn allowed<'a>(commands: impl Iterator<Item = &'a String>, rules: &BTreeSet<String>) -> Vec<String> {
    let mut it = Situation::command("");
    it.rules.allow = rules.iter().map(|text| rule(text)).collect();
    let (context, rules) = it.compiled();
    let mut found = Vec::new();
    for command in commands {
        let verdict = decide(&Situation::command(command).call, &context, &rules);
        if verdict.decision == Decision::Allow {
            let rule = verdict.rule.map(|rule| rule.label);
            found.push(format!("{command:?}: {} {rule:?}", verdict.gate.as_str()));
        }
    }
    found
}

/// Prefixes and globs: what covers more than one call. What names one command covers that one.
fn wide(rules: Vec<String>) -> impl Iterator<Item = String> {
    rules.into_iter().filter(|rule| rule.starts_with("Bash(") && rule.ends_with("*)"))
}

#[test]
fn no_offer_allows_a_dangerous_command() {
    let commands = commands();
    let (mut dangerous, mut offered, mut safe) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for command in &commands {
        match offer(command) {
            Some(offer) if offer.safety == Safety::Dangerous => {
                dangerous.insert(command.clone());
            }
            Some(offer) => {
                if offer.safety == Safety::Safe {
                    safe.extend(wide(offer.rules.clone()));
                }
                offered.extend(wide(offer.rules));
            }
            None => {}
        }
    }
    // What the reports say is asked without any rule; a rule for another command changes nothing about that.
    let reports = cases("bug-reports.jsonl");
    let reports = reports.iter().filter(|report| {
        report["kind"] == "bypass" && report["right"] == "ask" && report["setup"]["rules"]["allow"].is_null()
    });
    dangerous
        .extend(reports.filter_map(|report| report["input"]["args"]["command"].as_str().map(str::to_owned)));
    assert!(dangerous.len() > 80 && offered.len() > 40, "{} {}", dangerous.len(), offered.len());
    let wrong = allowed(dangerous.iter(), &offered);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));

    // A rule that is called safe runs nothing that is recorded as changing something; the scripts of package
    // managers are safe by definition, the project settled what they do.
    safe.retain(|rule| {
        !["npm ", "bun ", "yarn ", "pnpm "].iter().any(|start| rule["Bash(".len()..].starts_with(start))
    });
    let recorded = cases("upstream-shell-readonly.jsonl");
    let changing = recorded.iter().filter(|case| case["truth"] == "mut");
    let changing: BTreeSet<String> =
        changing.filter_map(|case| case["args"]["command"].as_str().map(str::to_owned)).collect();
    assert!(changing.len() > 400 && !safe.is_empty(), "{} {}", changing.len(), safe.len());
    let mut wrong = allowed(changing.iter(), &safe);
    wrong.retain(|what| !what.contains(": read-only-shell "));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

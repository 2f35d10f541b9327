//! Allow rules that come near a call and do not cover it: which one is named, and why.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test code"
)]

mod support;

use portcullis_matcher::{ListKind, SourcedRule};
use portcullis_permissions::{Decision, Gate, Mode, RuleSource, Scope, Verdict};
use serde_json::json;
use support::{Situation, row::Row};

/// What the event of the gate that asks the settings' allow rules says: the rule, and why.
fn near(verdict: &Verdict, gate: Gate) -> Option<(String, String)> {
    let event = verdict.trace.iter().find(|event| event.gate == gate)?;
    assert!(!event.matched, "{event:?}");
    Some((event.pattern.clone()?, event.message.clone()?.into_owned()))
}

fn command(text: &str, rules: &[&str]) -> Option<(String, String)> {
    let situation = rules.iter().fold(Situation::command(text), |all, rule| all.with(ListKind::Allow, rule));
    let verdict = situation.verdict();
    assert_eq!(verdict.decision, Decision::Ask, "{text} {rules:?}");
    near(&verdict, Gate::AllowRule)
}

#[test]
fn the_rule_for_a_command_and_what_it_does_not_show() {
    for (text, rule, why) in [
        (
            "git diff --output=x",
            "Bash(git diff:*)",
            "`--output=x` can run, write or carry more than the rule shows",
        ),
        ("make \"$X\"", "Bash(make:*)", "what `\"$X\"` becomes is not known beforehand"),
        ("make *", "Bash(make:*)", "what `*` becomes is not known"),
        ("git -C /elsewhere push", "Bash(git push:*)", "may lead to another repository"),
        ("PATH=/e make", "Bash(make:*)", "it sets `PATH`"),
        ("make > out", "Bash(make:*)", "its redirections reach what no rule for files allows"),
        ("python3 -c 'x'", "Bash(python3:*)", "`-c` can run, write or carry more"),
        ("make a; frobnicate b", "Bash(make:*)", "nothing covers `frobnicate b`"),
        ("frobnicate b; make a", "Bash(make:*)", "nothing covers `frobnicate b`"),
        ("watch make", "Bash(make:*)", "nothing covers `watch make`"),
        ("frobnicate .env", "Bash(frobnicate:*)", "`.env` is or may be a secret"),
        ("make ${", "Bash(make:*)", "cannot be read to its end"),
    ] {
        let found = command(text, &["Bash(other:*)", rule]);
        // What cannot be read at all names no program either.
        if text == "make ${" {
            assert_eq!(found, None);
            continue;
        }
        let (named, said) = found.unwrap_or_else(|| panic!("{text}: no rule comes near"));
        assert_eq!(named, rule, "{text}");
        assert!(said.starts_with("does not cover this: ") && said.contains(why), "{text}: {said}");
    }
}

#[test]
fn no_rule_comes_near_what_it_is_not_about() {
    for (text, rule) in
        [("git difftool", "Bash(git diff:*)"), ("./make x", "Bash(make:*)"), ("frobnicate", "Edit(**)")]
    {
        assert_eq!(command(text, &[rule]), None, "{text}");
    }
}

#[test]
fn the_rule_for_a_file_and_where_it_ends() {
    for (arguments, rule, why) in [
        (json!({ "file_path": "src/.x" }), "Write(src/**)", "do not stand for `.x`, which begins with a dot"),
        (json!({ "file_path": "src/a/b" }), "Write(src/*)", "`/repo/src/a/b` is not among what it names"),
        (json!({ "file_path": "../a" }), "Write(**)", "`/a` is not among what it names"),
        (json!({ "paths": ["b/1", "a/2"] }), "Write(a/**)", "nothing covers `/repo/b/1`"),
    ] {
        let verdict =
            Situation::new("Write", arguments, Mode::Standard).with(ListKind::Allow, rule).verdict();
        let (named, said) = near(&verdict, Gate::AllowRule).unwrap();
        assert!(named == rule && said.contains(why), "{named}: {said}");
    }
}

#[test]
fn a_rule_of_a_narrower_scope_is_named() {
    let narrow = |rule: &str| SourcedRule::text(rule, RuleSource::of(Scope::Project));
    let mut asked = Situation::command("make x").with(ListKind::Allow, "Bash(make:*)");
    asked.rules.restrict.push(narrow("Bash(make x)"));
    let (named, said) = near(&asked.verdict(), Gate::AllowRule).unwrap();
    assert_eq!(named, "Bash(make:*)");
    assert!(said.contains("`Bash(make x)` in restrict of a narrower scope goes before it"), "{said}");

    let mut server = Situation::new("mcp__a__b", json!({}), Mode::Standard).with(ListKind::Allow, "mcp__a");
    server.rules.ask.push(narrow("mcp__a__b"));
    assert!(near(&server.verdict(), Gate::AllowRule).unwrap().1.contains("`mcp__a__b` in ask of a narrower"));

    let mut session = Situation::command("make x").with(ListKind::Allow, "Bash(make:*)");
    session.session.ask.push(SourcedRule::text("Bash(make x)", RuleSource::of(Scope::Session)));
    let (_, said) = near(&session.verdict(), Gate::AllowRule).unwrap();
    assert!(said.contains("`Bash(make x)` in ask of a narrower scope"), "{said}");
}

#[test]
fn rules_of_the_session_and_of_flags_are_named_at_their_gates() {
    let mut call = Situation::command("make \"$X\"");
    call.session.allow.push(SourcedRule::text("Bash(make:*)", RuleSource::of(Scope::Session)));
    call.cli.allow.push(SourcedRule::text("Bash(make:*)", RuleSource::of(Scope::Cli)));
    let verdict = call.verdict();
    assert_eq!(near(&verdict, Gate::SessionAllow).unwrap().0, "Bash(make:*) (session)");
    assert_eq!(near(&verdict, Gate::CliAllow).unwrap().0, "Bash(make:*) (CLI)");
    assert_eq!(near(&verdict, Gate::AllowRule), None);
}

/// Specification 1.5: what an allow rule never covers unless the token stands literally in it.
#[test]
fn words_that_name_secrets_or_protected_paths_have_to_stand_in_the_rule() {
    let decide = |text: &str, rule: &str| Row::shell(text).rule(ListKind::Allow, rule).verdict().decision;
    for word in [
        ".env",
        "./.env",
        "--file=.env",
        "-f.env",
        "@.env",
        "x:.env",
        ".git/hooks/pre-push",
        ".e*",
        "{a,.env}",
    ] {
        let text = format!("frobnicate {word}");
        for rule in ["Bash(frobnicate:*)", "Bash(frobnicate *)", "Bash(frob* *)"] {
            assert_eq!(decide(&text, rule), Decision::Ask, "{text} {rule}");
        }
    }
    for (text, rule) in [
        ("frobnicate .env", "Bash(frobnicate .env)"),
        ("frobnicate .env a", "Bash(frobnicate .env:*)"),
        ("frobnicate a .env", "Bash(frobnicate * .env)"),
        ("frobnicate a.env", "Bash(frobnicate:*)"),
        ("frobnicate .env.example", "Bash(frobnicate:*)"),
        ("frobnicate 'not .env at all'", "Bash(frobnicate:*)"),
        // Whoever allows every command has said so.
        ("frobnicate .env", "Bash"),
    ] {
        assert_eq!(decide(text, rule), Decision::Allow, "{text} {rule}");
    }
    // A rule for files that spells the path out speaks for it.
    let both = Row::shell("frobnicate .env")
        .rule(ListKind::Allow, "Bash(frobnicate:*)")
        .rule(ListKind::Allow, "Read(.env)");
    assert_eq!(both.verdict().decision, Decision::Allow);
}

#[test]
fn a_deny_rule_that_may_match_is_named_beside_a_secret_that_asks() {
    for text in ["cat .e*", "cat .env*; frobnicate"] {
        let verdict = Situation::command(text).with(ListKind::Deny, "Read(.env)").verdict();
        assert_eq!((verdict.gate, verdict.decision), (Gate::Secret, Decision::Ask), "{text}");
        assert_eq!(
            verdict.possible.iter().map(|rule| rule.label.as_str()).collect::<Vec<_>>(),
            ["Read(.env)"]
        );
    }
    let written =
        Situation::command("rm .git/hooks/*").with(ListKind::Deny, "Edit(.git/hooks/pre-push)").verdict();
    assert_eq!((written.gate, written.possible.len()), (Gate::ProtectedPath, 1), "{:?}", written.trace);
    // A guard or a rule that certainly matches needs no others.
    let denied = Situation::command("cat .env .e*").with(ListKind::Deny, "Read(.env)").verdict();
    assert_eq!((denied.decision, denied.possible.len()), (Decision::Deny, 0));
}

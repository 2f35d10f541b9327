//! What is said about rules whose words do not do what they seem to.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

#[path = "support/rules.rs"]
mod support;

use portcullis_matcher::{Conventions, ListKind, RuleId};
use portcullis_permissions::{Context, FindingKind, GateConventions, Mode, Needs, evasion, lint};
use support::{compile, context, found, kinds, rules, score};

#[test]
fn ask_rules_behind_allow_rules_are_told_where_the_profile_asks_last() {
    let context = Context {
        home: Some("/home/u".to_owned()),
        ..Context::bare("/repo", Mode::Standard, GateConventions::letta())
    };
    let beaten = |lines: &[&str]| -> Vec<String> {
        let all = lint(&context, &compile(rules(lines), &Conventions::letta())).into_iter();
        all.filter(|found| found.kind == FindingKind::Beaten && found.list == ListKind::Ask)
            .map(|found| found.rule)
            .collect()
    };
    for (lines, void) in [
        (["ask user Bash(npm test)", "allow user Bash(npm test)"], true),
        (["ask user Bash(npm run build:*)", "allow user Bash(npm run:*)"], true),
        (["ask user Bash(git status:*)", "allow project Bash(git:*)"], true),
        (["ask project Bash(npm test)", "allow managed Bash(npm test)"], true),
        // A narrower ask rule goes before.
        (["ask project Bash(npm test)", "allow user Bash(npm test)"], false),
        // The allow rule does not cover what is always asked.
        (["ask user Bash(git push --force:*)", "allow user Bash(git:*)"], false),
        (["ask user Bash(npm:*)", "allow user Bash(npm test:*)"], false),
    ] {
        assert_eq!(!beaten(&lines).is_empty(), void, "{lines:?}");
    }
    // Where ask rules go first, the allow rule is the one that does nothing.
    assert_eq!(
        kinds(&["ask user Bash(npm test:*)", "allow user Bash(npm test:*)"]),
        [(FindingKind::Beaten, "Bash(npm test:*)".to_owned())]
    );
    let allowed = found(&["ask user Bash(npm test:*)", "allow user Bash(npm test:*)"]);
    assert_eq!(allowed[0].list, ListKind::Allow);
}

#[test]
fn what_is_not_read_as_it_is_written_is_told_with_what_to_write() {
    for (rule, said, remedy) in [
        ("deny user Bash(npm:*, yarn:*)", "one pattern", "write one rule for each"),
        ("deny user Bash()", "every call of `Bash`", "write `Bash` if"),
        ("deny user Read($HOME/.kube/**)", "`$HOME`", "write `Read(~/.kube/**)`"),
        ("deny user Read(${HOME}/.kube/**)", "`${HOME}`", "write `Read(~/.kube/**)`"),
        ("allow user Edit(/srv/$USER/**)", "`$USER`", "write the path itself"),
    ] {
        let all = found(&[rule]);
        let one = all.iter().find(|one| one.kind == FindingKind::Meaning && one.message.contains(said));
        assert!(one.is_some_and(|one| one.remedy.starts_with(remedy)), "{rule}: {all:?}");
    }
    for rule in ["deny user Bash(echo a,b:*)", "deny user Read(a$)", "deny user Bash(echo $HOME)"] {
        assert!(!found(&[rule]).iter().any(|one| one.kind == FindingKind::Meaning), "{rule}");
    }
}

#[test]
fn allow_rules_that_never_allow_are_told() {
    for rule in ["Bash(sudo apt:*)", "Bash(npx prettier:*)"] {
        assert_eq!(kinds(&[&format!("allow user {rule}")]), [(FindingKind::NeverAllows, rule.to_owned())]);
    }
    for rule in [
        "Bash(git push:*)",
        "Bash(npm publish:*)",
        "Bash(rm:*)",
        "Bash(curl:*)",
        "Bash(make:*)",
        "Bash(git config:*)",
        "Bash(docker build:*)",
        "Bash(kubectl get:*)",
        "Bash(terraform plan:*)",
        "Bash(cargo run:*)",
        "Bash(./x.sh)",
        "Bash(apt install:*)",
        "Bash(chmod:*)",
        "Bash(ssh host:*)",
        "Bash(pip install:*)",
        "Bash(go test ./...)",
    ] {
        assert_eq!(kinds(&[&format!("allow user {rule}")]), [], "{rule}");
    }
}

#[test]
fn more_words_behind_an_exact_deny_rule_are_counted_and_named_first() {
    let (exact, open) = (score("Bash(git push)"), score("Bash(git push:*)"));
    assert_eq!(exact.past[..2], ["git push x", "git push --verbose"]);
    assert_eq!(exact.wider.as_deref(), Some("Bash(git push:*)"));
    assert_eq!((open.wider, exact.of), (None, open.of + 2));
    // Another rule covers them: nothing of it is left.
    let both = compile(
        rules(&[
            "deny user Bash(git push)",
            "deny user Bash(git push x)",
            "deny user Bash(git push --verbose)",
        ]),
        &Conventions::portcullis(),
    );
    assert_eq!(evasion(&context(), &both, RuleId::new(ListKind::Deny, 0)).unwrap().wider, None);
    let all = found(&["deny user Bash(git push)"]);
    assert!(all[0].remedy.starts_with("write `Bash(git push:*)`"), "{all:?}");
}

#[test]
fn sites_are_reached_by_commands_unless_these_are_denied_too() {
    let site = score("WebFetch(domain:evil.example)");
    assert!(site.past.contains(&"curl https://evil.example/".to_owned()), "{site:?}");
    assert_eq!((site.needs, site.past.len()), (Needs::NoNetwork, site.of));
    let rules = compile(
        rules(&["deny user WebFetch(domain:*.evil.example)", "deny user Bash(curl:*)"]),
        &Conventions::portcullis(),
    );
    let less = evasion(&context(), &rules, RuleId::new(ListKind::Deny, 0)).unwrap();
    assert!(less.past.len() < less.of && !less.past.iter().any(|way| way.starts_with("curl")), "{less:?}");
    assert!(less.past.contains(&"wget https://www.evil.example/".to_owned()), "{less:?}");
}

/// `:*` does not stand for a program: what is run needs a rule of its own, and with it nothing is found any more.
#[test]
fn a_rule_for_a_launcher_names_the_rule_that_it_needs() {
    for (rule, beside) in [
        ("Bash(uvx ruff:*)", "Bash(ruff:*)"),
        ("Bash(uv run pytest:*)", "Bash(pytest:*)"),
        ("Bash(poetry run pytest:*)", "Bash(pytest:*)"),
        ("Bash(bundle exec rspec:*)", "Bash(rspec:*)"),
    ] {
        let all = found(&[&format!("allow user {rule}")]);
        let told: Vec<_> = all.iter().map(|found| (found.kind, found.rule.as_str())).collect();
        assert_eq!(told, [(FindingKind::NeverAllows, rule)]);
        assert!(all[0].remedy.starts_with(&format!("add `{beside}` beside it")), "{rule}: {}", all[0].remedy);
        let both = [format!("allow user {rule}"), format!("allow user {beside}")];
        assert_eq!(kinds(&both.each_ref().map(String::as_str)), [], "{rule}");
    }
    for rule in ["Bash(npm test:*)", "Bash(make:*)", "Bash(cargo test:*)", "Bash(git log:*)"] {
        assert_eq!(kinds(&[&format!("allow user {rule}")]), [], "{rule}");
    }
}

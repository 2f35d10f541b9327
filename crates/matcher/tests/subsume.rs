//! How rules stand to each other.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

#[path = "support/shell.rs"]
mod shell;

use std::sync::Arc;

use portcullis_matcher::{Conventions, ListKind, RuleId, RuleSet, RuleSubject, Rules};
use shell::{anchors, ask, deny, rule};

/// A set with one rule in each of two lists; of one list both.
fn pair(
    (wide_list, wide): (ListKind, &str),
    (narrow_list, narrow): (ListKind, &str),
) -> (RuleSet, [RuleId; 2]) {
    let mut rules = Rules::default();
    let mut push = |list: ListKind, text: &str| {
        let own = match list {
            ListKind::Deny => &mut rules.deny,
            ListKind::AlwaysAsk => &mut rules.always_ask,
            ListKind::Ask => &mut rules.ask,
            ListKind::Restrict => &mut rules.restrict,
            _ => &mut rules.allow,
        };
        own.push(rule(text));
        RuleId::new(list, u32::try_from(own.len() - 1).unwrap())
    };
    let ids = [push(wide_list, wide), push(narrow_list, narrow)];
    (RuleSet::compile(Arc::new(rules), &anchors(), &Conventions::letta()), ids)
}

fn subsumes(wide: (ListKind, &str), narrow: (ListKind, &str)) -> bool {
    let (set, [wide, narrow]) = pair(wide, narrow);
    set.subsumes(wide, narrow)
}

#[test]
fn a_restricting_rule_covers_what_it_matches_whole() {
    use ListKind::{Allow, Ask, Deny};
    for (wide, narrow) in [
        ("*", "Bash(git push:*)"),
        ("Bash", "Bash(git push:*)"),
        ("Bash(*)", "Bash(ls)"),
        ("Bash(git:*)", "Bash(git push:*)"),
        ("Bash(git push:*)", "Bash(git push * --force)"),
        ("Bash(git push:*)", "Bash(git -C /x push)"),
        ("Bash(rm:*)", "Bash(/bin/rm -rf x)"),
        ("Bash(rm:*)", "Bash(X=1 rm y)"),
        ("Bash(ls)", "shell(ls)"),
        ("Bash(npm run * --watch)", "Bash(npm run * --watch)"),
        ("Read(src/**)", "Read(src/a.rs)"),
        ("Read(src)", "Read(src/*/a.rs)"),
        ("Edit(src/**)", "Write(src/x/**)"),
        ("Read(**/.env)", "Read(config/.env)"),
        ("Read(.env)", "Read(config/.env)"),
        ("Read(src/**)", "Grep(src/a/**)"),
        ("mcp__github", "mcp__github__get_issue"),
        ("mcp__github__*", "mcp__github__get_*"),
        ("Task", "Task(recall)"),
        ("WebFetch", "WebFetch(domain:docs.rs)"),
        ("WebFetch(domain:docs.rs)", "WebFetch(domain:docs.rs)"),
    ] {
        assert!(subsumes((Deny, wide), (Allow, narrow)), "deny {wide} covers allow {narrow}");
        if !wide.contains(".env") {
            assert!(subsumes((Deny, wide), (Ask, narrow)), "deny {wide} covers ask {narrow}");
        }
    }
}

#[test]
fn it_covers_nothing_that_it_may_miss() {
    use ListKind::{Allow, Deny};
    for (wide, narrow) in [
        ("Bash(git push:*)", "Bash(git:*)"),
        ("Bash(git push)", "Bash(git push:*)"),
        ("Bash(git push:*)", "Bash(git push-x:*)"),
        ("Bash(git push:*)", "Bash(git * push)"),
        ("Bash(X=1 rm:*)", "Bash(rm:*)"),
        ("Bash(rm:*)", "Bash"),
        ("Bash(rm:*)", "*"),
        ("Read(src/**)", "Read(**)"),
        ("Read(src/**)", "Edit(src/a)"),
        ("Read(src/**)", "Read(source/**)"),
        ("Read(src/*.rs)", "Read(src/*)"),
        ("Bash(cat:*)", "Read(x)"),
        ("mcp__github__get_issue", "mcp__github"),
        ("WebFetch(domain:docs.rs)", "WebFetch"),
        ("Task(recall)", "Task"),
    ] {
        assert!(!subsumes((Deny, wide), (Allow, narrow)), "deny {wide} leaves allow {narrow}");
    }
}

#[test]
fn an_allow_rule_covers_by_its_letter_and_no_restriction() {
    use ListKind::{Allow, Deny};
    for (wide, narrow) in [("Bash(npm run:*)", "Bash(npm run test)"), ("Read(src/**)", "Read(src/a/b.rs)")] {
        assert!(subsumes((Allow, wide), (Allow, narrow)), "{wide} covers {narrow}");
        assert!(!subsumes((Allow, wide), (Deny, narrow)), "an allow rule covers no deny rule");
    }
    for (wide, narrow) in [
        ("Bash(git status:*)", "Bash(git -C /x status)"),
        ("Bash(git:*)", "Bash(/usr/bin/git:*)"),
        ("Bash(npm:*)", "Bash(X=1 npm test)"),
        ("Read(**)", "Read(src/.env)"),
        ("Edit(src/**)", "Write(src/a)"),
        ("Read(../x/**)", "Read(../x/a)"),
    ] {
        assert!(!subsumes((Allow, wide), (Allow, narrow)), "{wide} leaves {narrow}");
    }
}

#[test]
fn a_rule_tells_what_it_is_about() {
    let about = |text: &str| {
        let (set, [id, _]) = pair((ListKind::Allow, text), (ListKind::Deny, "x"));
        match set.subject_of(id) {
            Some(RuleSubject::Command { words, open }) => format!("{words:?} {open}"),
            Some(other) => format!("{other:?}"),
            None => "unread".to_owned(),
        }
    };
    assert_eq!(about("Bash"), "Tools { shell: true }");
    assert_eq!(about("*"), "Tools { shell: true }");
    assert_eq!(about("TodoWrite"), "Tools { shell: false }");
    assert_eq!(about("Bash(git push:*)"), r#"["git", "push"] true"#);
    assert_eq!(about("Bash(ls -l)"), r#"["ls", "-l"] false"#);
    assert_eq!(about("Edit(src/**)"), "Paths { reading: false, writing: true }");
    assert_eq!(about("Bash(git"), "unread");
}

proptest::proptest! {
    /// A rule that covers another one matches whatever that one matches.
    #[test]
    fn what_the_narrow_rule_matches_the_wide_one_matches(
        wide in "(git|rm|/bin/rm)( (push|-C /x|-f|a)){0,2}(:\\*| \\*)?",
        narrow in "(git|rm|/bin/rm|X=1 rm)( (push|-C /x|-f|a)){0,2}(:\\*| \\*)?",
        command in "(X=1 )?(git|rm|/bin/rm|env rm)( (push|-C /x|-f|a|b)){0,3}",
    ) {
        let (wide, narrow) = (format!("Bash({wide})"), format!("Bash({narrow})"));
        if subsumes((ListKind::Deny, &wide), (ListKind::Deny, &narrow)) && ask(&deny(&[&narrow]), &command).denied {
            proptest::prop_assert!(ask(&deny(&[&wide]), &command).denied);
        }
    }
}

//! What is said about rules that do nothing, allow too much, or can be got around.
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

use portcullis_matcher::{Conventions, ListKind, RuleId, RuleObject, RuleSet, RuleSpec, SourcedRule};
use portcullis_permissions::{
    Context, Decision, FindingKind, Mode, RuleSource, Rules, Scope, ToolCall, decide, evasion, lint, standing,
};
use support::{compile, context, found, kinds, rules, score};

#[test]
fn good_rules_are_left_alone() {
    let good = [
        "allow project Bash(npm test:*)",
        "allow project Bash(git diff:*)",
        "allow user Edit(src/**)",
        "allow user WebFetch(domain:docs.rs)",
        "allow user mcp__github__get_issue",
        "ask project Bash(npm publish:*)",
        "alwaysAsk user Bash(gh repo delete:*)",
        "deny project Read(secrets/**)",
        "restrict local Bash(npm test:*)",
        "allow project my_own_tool",
    ];
    // The narrower `restrict` withdraws the first one, and says so.
    assert_eq!(kinds(&good), [(FindingKind::Beaten, "Bash(npm test:*)".to_owned())]);
}

#[test]
fn rules_that_cannot_be_read_or_mean_something_else_are_told_with_their_line() {
    let all = found(&[
        "allow user Bash(npm test:*)",
        "deny user Bash(git",
        "deny user bash(rm x)",
        "deny user BASH(ls)",
    ]);
    let told: Vec<_> = all.iter().map(|f| (f.kind, f.at.line, f.message.as_str())).collect();
    assert_eq!(
        told[0],
        (FindingKind::Unreadable, Some(2), "the parentheses do not fit: write `Tool` or `Tool(payload)`"),
        "{told:?}"
    );
    assert!(told.contains(&(FindingKind::Meaning, Some(4), "`BASH` is read as `Bash`")), "{told:?}");
}

#[test]
fn a_tool_that_nobody_has_is_told_with_the_one_that_was_meant() {
    let all = found(&["allow user Bsh(npm test)"]);
    assert!(
        all.iter().any(|f| f.kind == FindingKind::UnknownTool && f.message.contains("did you mean `Bash`")),
        "{all:?}"
    );
}

#[test]
fn rules_that_another_rule_makes_void_are_told() {
    use FindingKind::{Beaten, Shadowed};
    for (lines, kind, void) in [
        (&["deny user Bash(git:*)", "allow project Bash(git push:*)"][..], Beaten, "Bash(git push:*)"),
        (&["alwaysAsk user Bash(git:*)", "allow project Bash(git push:*)"], Beaten, "Bash(git push:*)"),
        (
            &["ask project Bash(git push:*)", "allow user Bash(git push origin:*)"],
            Beaten,
            "Bash(git push origin:*)",
        ),
        (&["restrict project Bash(npm:*)", "allow user Bash(npm test:*)"], Beaten, "Bash(npm test:*)"),
        (&["deny user Read(src/**)", "allow user Read(src/a.rs)"], Beaten, "Read(src/a.rs)"),
        (&["deny user Bash(rm:*)", "deny project Bash(rm -rf:*)"], Shadowed, "Bash(rm -rf:*)"),
        (&["deny user Bash(rm -rf:*)", "deny user Bash(rm:*)"], Shadowed, "Bash(rm -rf:*)"),
        (&["deny user Bash(rm:*)", "deny project Bash(rm:*)"], Shadowed, "Bash(rm:*)"),
        (
            &["allow user Bash(npm run:*)", "allow user Bash(npm run test:*)"],
            Shadowed,
            "Bash(npm run test:*)",
        ),
        (&["allow user Edit(src/**)", "allow user Edit(src/a/**)"], Shadowed, "Edit(src/a/**)"),
    ] {
        assert_eq!(kinds(lines), [(kind, void.to_owned())], "{lines:?}");
    }
}

#[test]
fn rules_that_still_decide_something_are_not_called_void() {
    for lines in [
        // A narrower allow rule beats what a broader one does not.
        &["allow user Bash(npm run:*)", "allow project Bash(npm run test:*)"][..],
        // `-delete` is covered only where it stands in the rule.
        &["allow user Bash(sort:*)", "allow user Bash(sort -o out:*)"],
        &["deny user Bash(git push --force)", "allow user Bash(git push:*)"],
        &["deny user Read(src/**)", "allow user Edit(src/**)"],
        &["ask user Bash(git push:*)", "deny user Bash(git push --force:*)"],
        // Nothing withdraws what the administrator allows.
        &["restrict user Bash(npm:*)", "allow managed Bash(npm test:*)"],
    ] {
        assert_eq!(kinds(lines), [], "{lines:?}");
    }
}

#[test]
fn what_allows_everything_is_told() {
    use FindingKind::{LeavesProject, Wholesale};
    for rule in [
        "Bash",
        "Bash(*)",
        "Bash(:*)",
        "*",
        "Bash(python3:*)",
        "Bash(python3.12:*)",
        "Bash(bash:*)",
        "Bash(env:*)",
        "Bash(sudo:*)",
        "Bash(xargs:*)",
        "Bash(docker:*)",
        "Bash(npx:*)",
        "Bash(node *)",
        "Bash(perl -e:*)",
        "Bash(docker run:*)",
        "Bash(/bin/sh:*)",
        "Bash(uv run:*)",
    ] {
        assert_eq!(kinds(&[&format!("allow user {rule}")]), [(Wholesale, rule.to_owned())]);
    }
    for rule in ["Edit(//**)", "Write(~/**)", "Edit(/**)"] {
        assert_eq!(kinds(&[&format!("allow user {rule}")]), [(LeavesProject, rule.to_owned())]);
    }
    for rule in [
        "Bash(python3 manage.py test:*)",
        "Bash(npx prettier --check .)",
        "Bash(npm test)",
        "Read(//etc/**)",
        "Edit(**)",
    ] {
        assert_eq!(kinds(&[&format!("allow user {rule}")]), []);
    }
}

#[test]
fn one_slash_where_two_were_meant_is_told_where_one_is_relative() {
    let rules = || {
        rules(&[
            "deny project Read(/etc/passwd)",
            "deny project Read(/src/**)",
            "deny project Read(//etc/passwd)",
        ])
    };
    let anchors = |conventions: Conventions| {
        let all = lint(&context(), &compile(rules(), &conventions));
        all.into_iter()
            .filter(|f| f.kind == FindingKind::Anchor)
            .map(|f| (f.rule, f.remedy))
            .collect::<Vec<_>>()
    };
    let told = anchors(Conventions::claude());
    assert_eq!(
        told,
        [("Read(/etc/passwd)".to_owned(), "write `//etc/passwd` for the absolute path".to_owned())]
    );
    assert_eq!(anchors(Conventions::letta()), []);
}

#[test]
fn spellings_never_get_past_a_deny_rule_and_substitutes_are_counted() {
    let rm = score("Bash(rm:*)");
    assert!(rm.of >= 60 && !rm.past.is_empty(), "{rm:?}");
    assert!(
        rm.past.iter().all(|way| way == "git rm -f precious.txt" || !way.contains("rm ")),
        "{:?}",
        rm.past
    );
    assert!(rm.past.contains(&"unlink precious.txt".to_owned()), "{:?}", rm.past);
    assert_eq!(rm.closed_by.as_deref(), Some("Edit(precious.txt)"));
    assert!(rm.left < rm.past.len() / 3, "{rm:?}");
    for rule in ["Bash(git push:*)", "Bash(curl:*)", "Bash(chmod:*)", "Bash(sudo:*)", "Bash(make deploy:*)"] {
        let found = score(rule);
        assert!(found.of >= 60, "{rule}: {found:?}");
        let own = rule.trim_start_matches("Bash(").trim_end_matches([':', '*', ')']);
        assert!(
            !found.past.iter().any(|way| way.starts_with(own) || way.contains(&format!(" {own}"))),
            "{rule}: {:?}",
            found.past
        );
    }
}

#[test]
fn a_rule_that_closes_what_got_past_ends_the_finding_for_that() {
    let open = found(&["deny user Bash(cat:*)"]);
    let [finding] = open.as_slice() else { panic!("{open:?}") };
    let before = finding.evasion.as_ref().unwrap();
    let closed = found(&["deny user Bash(cat:*)", "deny user Read(precious.txt)"]);
    let of_cat = closed.iter().find(|f| f.kind == FindingKind::Evaded && f.rule == "Bash(cat:*)");
    let after = of_cat.and_then(|f| f.evasion.as_ref());
    assert_eq!(after.map_or(0, |evasion| evasion.past.len()), before.left);
    // What is said to be left is what really is allowed.
    let rules = compile(rules(&["deny user Bash(cat:*)"]), &Conventions::portcullis());
    let unrestricted = Context { mode: Mode::Unrestricted, ..context() };
    for way in &before.past {
        assert_eq!(decide(&ToolCall::shell(way), &unrestricted, &rules).decision, Decision::Allow, "{way}");
    }
}

#[test]
fn rules_of_other_kinds_have_no_score() {
    let rules = compile(
        rules(&[
            "deny user Task(explore)",
            "deny user Bash",
            "allow user Bash(rm:*)",
            "deny user Bash(a | b)",
        ]),
        &Conventions::portcullis(),
    );
    for (list, index) in [(ListKind::Deny, 0), (ListKind::Deny, 1), (ListKind::Deny, 2), (ListKind::Allow, 0)]
    {
        assert_eq!(evasion(&context(), &rules, RuleId::new(list, index)), None);
    }
}

/// A deny rule of the user that is an object with a pattern.
fn pattern(tools: &[&str], pattern: &str) -> RuleSet {
    let object = RuleObject {
        tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
        pattern: Some(pattern.to_owned()),
        regex: None,
    };
    let source = RuleSource::of(Scope::User);
    let deny = vec![SourcedRule { spec: RuleSpec::Object(object), reason: None, source }];
    compile(Rules { deny, ..Rules::default() }, &Conventions::portcullis())
}

/// The same with a regular expression.
fn regex(tools: &[&str], regex: &str) -> RuleSet {
    let object = RuleObject {
        tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
        regex: Some(regex.to_owned()),
        pattern: None,
    };
    let source = RuleSource::of(Scope::User);
    let deny = vec![SourcedRule { spec: RuleSpec::Object(object), reason: None, source }];
    compile(Rules { deny, ..Rules::default() }, &Conventions::portcullis())
}

#[test]
fn patterns_that_match_nothing_are_told() {
    let told = |tools: &[&str], text: &str| {
        let found = lint(&context(), &pattern(tools, text)).into_iter();
        found.filter(|f| f.kind == FindingKind::Meaning).map(|f| f.remedy).collect::<Vec<_>>()
    };
    assert_eq!(told(&["Bash"], "Bash(git push:*)"), [r#"write `"rule": "Bash(git push:*)"`"#]);
    assert_eq!(
        told(&["Bash"], "git push:*"),
        [r#"write `"rule": "Bash(git push:*)"`, or `"pattern": "git push*"`"#]
    );
    assert_eq!(told(&["Write", "Edit"], ".env"), [r#"write `"pattern": "*/.env"`"#]);
    for (tools, text) in [("Bash", "*git push*"), ("Bash", "f(x)"), ("Read", "*/.env"), ("Read", "/etc/*")] {
        assert_eq!(told(&[tools], text), <[String; 0]>::default(), "{text}");
    }
}

#[test]
fn regular_expressions_that_match_nothing_are_told() {
    let told = |rules: RuleSet| -> Vec<String> {
        let found = lint(&context(), &rules).into_iter();
        found.filter(|found| found.kind == FindingKind::Meaning).map(|found| found.remedy).collect()
    };
    let rule = r#"write `"rule": "Bash(git push:*)"`, or `"regex": "^git push( |$)"`"#;
    assert_eq!(told(regex(&["Bash"], "git push:*")), [rule]);
    assert_eq!(told(regex(&["Read"], "^secrets/")), [r#"write `"regex": "/secrets/"`"#]);
    let domain = [r#"write `"rule": "WebFetch(domain:evil.com)"`"#];
    assert_eq!(told(regex(&["WebFetch"], "domain:evil.com")), domain);
    assert_eq!(told(pattern(&["WebFetch"], "domain:evil.com")), domain);
    for fine in
        [regex(&["Bash"], "^git push"), regex(&["Read"], "^/repo/secrets/"), regex(&["Read"], "secrets/")]
    {
        assert_eq!(told(fine), <[String; 0]>::default());
    }
}

#[test]
fn patterns_about_commands_are_scored() {
    let scored = |text: &str| evasion(&context(), &pattern(&["Bash"], text), RuleId::new(ListKind::Deny, 0));
    let push = scored("*git push*").expect("a score");
    assert!(push.of > 60, "{}", push.of);
    assert!(push.past.len() < push.of / 4, "{:?}", push.past);
    let exact = scored("git push").expect("a score");
    assert!(exact.past.len() > push.past.len(), "{:?}", exact.past);
    assert_eq!(scored("*$(*"), None);
}

#[test]
fn deny_rules_for_files_are_scored_by_what_reaches_the_file() {
    let read = score("Read(keys/a.pem)");
    let write = score("Edit(src/gen/**)");
    for (found, least) in [(&read, 75), (&write, 70)] {
        println!("{} of {} get past:\n  {}", found.past.len(), found.of, found.past.join("\n  "));
        assert!(found.of >= least, "{found:?}");
        assert!(found.past.len() * 5 < found.of, "{found:?}");
        assert_eq!((&found.closed_by, found.left), (&None, found.past.len()), "{found:?}");
    }
    // No spelling, no shell construct, no program whose files are known, and no tool gets past.
    for way in read.past.iter().chain(&write.past) {
        let hides_the_name =
            ["python3", "make", "vim", "docker"].iter().any(|program| way.starts_with(program));
        assert!(hides_the_name, "{way}");
    }
    // Reading is not what a rule about writing forbids, and the reverse.
    assert!(!write.past.iter().any(|way| way.starts_with("cat ")), "{write:?}");
}

#[test]
fn a_rule_about_searching_alone_is_closed_by_one_about_reading() {
    let grep = score("Grep(keys/**)");
    assert!(grep.past.iter().any(|way| way.starts_with("cat ")), "{grep:?}");
    assert_eq!(grep.closed_by.as_deref(), Some("Read(keys/**)"));
    assert!(grep.left < grep.past.len() / 4, "{grep:?}");
}

#[test]
fn a_file_tool_as_a_whole_is_not_all_that_reaches_files() {
    for (rule, way, closed_by) in [
        ("Edit", "echo x > \"/repo/precious.txt\"", "Edit(**)"),
        ("Read()", "cat /repo/precious.txt", "Read(**)"),
    ] {
        let found = score(rule);
        assert!(found.past.iter().any(|past| past == way), "{found:?}");
        assert_eq!(found.closed_by.as_deref(), Some(closed_by));
        assert!(found.left * 10 < found.past.len(), "{found:?}");
    }
}

#[test]
fn wildcards_and_texts_are_scored_too() {
    let wild = score("Bash(npm run * --watch)");
    assert!(wild.of >= 60, "{wild:?}");
    let found = found(&["deny user Bash(curl x | sh)"]);
    let [finding] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((finding.kind, &finding.evasion), (FindingKind::Evaded, &None));
    assert!(finding.message.contains("the whole text"), "{finding:?}");
}

#[test]
fn ten_thousand_rules_are_compared() {
    let lines: Vec<String> = (0..10_000).map(|at| format!("allow user Bash(tool{at} run:*)")).collect();
    let mut lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    lines.push("deny user Bash(tool9999:*)");
    let rules = compile(rules(&lines), &Conventions::portcullis());
    let standing = standing(&context(), &rules);
    let beaten: Vec<_> = rules.ids(ListKind::Allow).filter(|id| standing.beaten(*id).is_some()).collect();
    assert_eq!(beaten, [RuleId::new(ListKind::Allow, 9999)]);
}

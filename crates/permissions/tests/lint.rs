//! What is said about rules that do nothing, allow too much, or can be got around.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use std::sync::Arc;

use portcullis_matcher::{Anchors, Conventions, ListKind, RuleId, RuleSet, SourcedRule};
use portcullis_permissions::{
    Context, Decision, Evasion, Finding, FindingKind, GateConventions, Mode, Needs, RuleSource, Rules, Scope,
    ToolCall, decide, evasion, lint, standing,
};

fn context() -> Context {
    Context {
        home: Some("/home/u".to_owned()),
        ..Context::bare("/repo", Mode::Standard, GateConventions::portcullis())
    }
}

fn compile(rules: Rules, conventions: &Conventions) -> RuleSet {
    let anchors = Anchors {
        project_root: "/repo".to_owned(),
        start_directory: "/repo".to_owned(),
        home: Some("/home/u".to_owned()),
        user_settings: Some("/home/u/.claude".to_owned()),
    };
    RuleSet::compile(Arc::new(rules), &anchors, conventions)
}

/// Rules as `LIST SCOPE RULE`.
fn rules(lines: &[&str]) -> Rules {
    let mut rules = Rules::default();
    for (at, line) in lines.iter().enumerate() {
        let mut parts = line.splitn(3, ' ');
        let (list, scope, text) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
        let scope = match scope {
            "managed" => Scope::Managed,
            "user" => Scope::User,
            "project" => Scope::Project,
            "local" => Scope::Local,
            other => panic!("{other}"),
        };
        let line = u32::try_from(at + 1).unwrap();
        let source = RuleSource { scope, file: Some("settings.json".into()), line: Some(line) };
        let own = match list {
            "deny" => &mut rules.deny,
            "alwaysAsk" => &mut rules.always_ask,
            "ask" => &mut rules.ask,
            "allow" => &mut rules.allow,
            "restrict" => &mut rules.restrict,
            other => panic!("{other}"),
        };
        own.push(SourcedRule::text(text, source));
    }
    rules
}

fn found(lines: &[&str]) -> Vec<Finding> {
    lint(&context(), &compile(rules(lines), &Conventions::portcullis()))
}

/// The kinds of findings but how deny rules can be got around.
fn kinds(lines: &[&str]) -> Vec<(FindingKind, String)> {
    let all = found(lines).into_iter().filter(|finding| finding.kind != FindingKind::Evaded);
    all.map(|finding| (finding.kind, finding.rule)).collect()
}

fn score(rule: &str) -> Evasion {
    let rules = compile(rules(&[&format!("deny user {rule}")]), &Conventions::portcullis());
    evasion(&context(), &rules, RuleId::new(ListKind::Deny, 0)).expect(rule)
}

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

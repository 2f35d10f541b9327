//! Where gates used to ask about more than there is to ask about, and what they still have to ask about beside it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use portcullis_matcher::ListKind;
use portcullis_permissions::{Decision, Gate, Mode, Scope};
use support::row::Row;

/// A deny rule that spells no name out cannot be looked for in code. Where the run hides what it forbids, that is enough;
/// where it does not, the rule may match, and is named.
#[test]
fn code_and_a_deny_rule_that_spells_nothing_out() {
    let row = |rule: &str| {
        Row::shell("npm run lint").rule(ListKind::Deny, rule).rule_of(
            Scope::Project,
            ListKind::Allow,
            "Bash(npm run lint)",
        )
    };
    let hidden = row("Read(./.env.*)").speaks(Gate::AllowRule, Decision::Allow, "Matched allow rule");
    assert!(hidden.confinement.as_ref().is_some_and(|confinement| confinement.required), "{hidden:?}");
    assert!(hidden.exclude.iter().any(|glob| glob.ends_with(".env.*")), "{:?}", hidden.exclude);

    let open = row("Read(./.env.*)").set(|context| context.hides = false);
    let asked = open.speaks(Gate::PossibleDeny, Decision::Ask, "May match deny rule Read(./.env.*)");
    assert!(asked.about.is_some_and(|about| about.contains("does not hide")), "it says why");
    assert_eq!(asked.possible.len(), 1);
    // An exact rule of the user's own lifts a possible match.
    let lifted = open.rule(ListKind::Allow, "Bash(npm run lint)").verdict();
    assert_eq!((lifted.gate, lifted.decision), (Gate::AllowRule, Decision::Allow));
    assert!(lifted.exclude.is_empty(), "what the user has answered for needs no hiding");

    // A rule about changes hides nothing, and needs the confinement as well.
    let written = row("Edit(*.lock)").verdict();
    assert_eq!((written.decision, written.exclude.len()), (Decision::Allow, 0));
    assert!(written.confinement.is_some_and(|confinement| confinement.required));
    let open = row("Edit(*.lock)").set(|context| context.hides = false);
    assert_eq!(open.verdict().gate, Gate::PossibleDeny);

    // Without code, or with a name to look for, nothing changes.
    let plain = Row::shell("make").rule(ListKind::Deny, "Read(*.pem)").rule(ListKind::Allow, "Bash(make)");
    assert!(!plain.verdict().confinement.unwrap().required);
    let named = Row::shell("python3 -c 'open(\"keys/a\")'").rule(ListKind::Deny, "Read(keys/*.pem)");
    assert_eq!(named.verdict().gate, Gate::PossibleDeny);
    // What cannot be read or known stays a possible match.
    for text in ["eval \"$x\"", "\"$x\" y", "cat \"$x\"", "echo \"x"] {
        let row = Row::shell(text).rule(ListKind::Deny, "Read(*.pem)").mode(Mode::Unrestricted);
        assert_eq!(row.verdict().gate, Gate::PossibleDeny, "{text}");
    }
    // Nobody hides what alwaysAsk and ask rules speak of.
    let always = Row::shell("npm run lint").rule(ListKind::AlwaysAsk, "Read(*.pem)").mode(Mode::Unrestricted);
    assert_eq!(always.verdict().gate, Gate::PossibleDeny);
}

#[test]
fn confined_auto_goes_with_deny_rules_that_the_run_hides() {
    for rule in ["Read(./.env.*)", "Read(.env)", "Read(secrets/**)", "Edit(docs/**)"] {
        for text in ["make", "cargo test", "python3 x.py"] {
            let row = Row::shell(text).rule(ListKind::Deny, rule).set(|context| context.confined_auto = true);
            let verdict = row.speaks(Gate::ConfinedAuto, Decision::Allow, "Runs confined");
            assert!(verdict.confinement.unwrap().required);
        }
    }
}

/// Of a program without words, too, nobody can say where it writes: rules for every file match it, others do not.
#[test]
fn rules_for_every_file_hold_for_programs_without_words() {
    for text in ["make", "timeout 5 make", "./tool", "python3 < w.py", "make all"] {
        for (list, gate) in [(ListKind::AlwaysAsk, Gate::PossibleDeny), (ListKind::Deny, Gate::PossibleDeny)]
        {
            let row = Row::shell(text).rule(list, "Edit(**)").mode(Mode::Unrestricted);
            assert_eq!(row.verdict().gate, gate, "{text}");
        }
        let asked =
            Row::shell(text).rule(ListKind::Ask, "Edit(**)").set(|context| context.confined_auto = true);
        assert_eq!(asked.verdict().decision, Decision::Ask, "{text}");
    }
    let other = Row::shell("make").rule(ListKind::Deny, "Edit(docs/**)").mode(Mode::Unrestricted);
    assert_eq!(other.verdict().decision, Decision::Allow);
}

#[test]
fn searches_by_name_miss_what_nothing_picks_up() {
    for text in ["cargo fmt", "find . -name '*.o' -delete", "find src -name '*.orig' -delete"] {
        Row::shell(text).abstains(Gate::ProtectedPath);
    }
    for text in [
        "find . -name '*.json' -delete",
        "find . -name 'pre-*' -delete",
        "find . -name .git -delete",
        "find . -name '*.py' -delete",
        "find . -name '*' -type f -delete",
    ] {
        assert_ne!(Row::shell(text).mode(Mode::AcceptEdits).verdict().decision, Decision::Allow, "{text}");
    }
    Row::shell("find . -name '*.sample' -delete").speaks(
        Gate::ProtectedPath,
        Decision::Ask,
        "Writes a protected path",
    );
}

#[test]
fn what_is_found_by_name_is_not_the_whole_project() {
    let reason = "Removes a critical path";
    for text in [
        "find . -name '*.o' -exec rm -rf {} +",
        "find . -type d -name node_modules -prune -exec rm -rf {} +",
        "find src -exec rm -rf {} +",
        "find /repo/src -maxdepth 2 -exec rm -rf {} \\;",
    ] {
        Row::shell(text).abstains(Gate::CriticalRemoval);
    }
    for text in [
        "find . -exec rm -rf {} +",
        "find . -name '*' -exec rm -rf {} +",
        "find . -name a -o -name b -exec rm -rf {} +",
        "find . ! -name a -exec rm -rf {} +",
        "find . -not -name a -exec rm -rf {} +",
        "find . \\( -name a -o -true \\) -exec rm -rf {} +",
        "find . -name \"$x\" -exec rm -rf {} +",
        "find /repo -name repo -exec rm -rf {} +",
        "find /repo -name 're*' -exec rm -rf {} +",
        "find /home -name u -exec rm -rf {} +",
        "find /home -name u -delete",
        "find / -name usr -exec rm -rf {} +",
        "find . -delete",
        "rm -rf ./**",
    ] {
        Row::shell(text).mode(Mode::Unrestricted).speaks(Gate::CriticalRemoval, Decision::AlwaysAsk, reason);
    }
}

#[test]
fn what_may_change_the_judge_can_be_answered_for_once() {
    let judged = |text: &str| {
        Row::shell(text)
            .set(|context| context.judge_paths.push("/repo/.letta/settings.json".into()))
            .mode(Mode::Unrestricted)
    };
    // A program gives its output no name with a leading dot.
    judged("go build ./...").abstains(Gate::SelfModification);
    for text in ["tar xf a.tar", "unzip a.zip"] {
        let asked = judged(text).speaks(Gate::SelfModification, Decision::Ask, "Changes what decides");
        assert!(asked.about.is_some_and(|about| about.starts_with("may change")));
        let lifted = judged(text).rule(ListKind::Allow, &format!("Bash({text})"));
        lifted.abstains(Gate::SelfModification);
        // A project's rule answers for nothing, and neither does a prefix.
        let project = judged(text).rule_of(Scope::Project, ListKind::Allow, &format!("Bash({text})"));
        assert_eq!(project.verdict().gate, Gate::SelfModification, "{text}");
        let prefix = judged(text).rule(ListKind::Allow, &format!("Bash({}:*)", &text[..3]));
        assert_eq!(prefix.verdict().gate, Gate::SelfModification, "{text}");
    }
    // What does change it is asked every time, whatever rules say.
    for text in ["rm -r .letta", "rm .letta/*", "rm -rf .l*", "cp x .letta/settings.json"] {
        let row = judged(text).rule(ListKind::Allow, &format!("Bash({text})"));
        row.speaks(Gate::SelfModification, Decision::AlwaysAsk, "Changes what decides");
    }
}

//! How much of a person's attention decisions cost: realistic commands, labelled by what they do, in mode standard
//! without any rule. `cargo xtask bench attention` prints the report; here it has to keep the bars.
//!
//! `conformance/everyday.jsonl` holds commands that only read. `conformance/attention.jsonl` says of each command what it
//! `does`: it `reads` (and changes nothing), it `builds` (runs the project's own code to check it, and changes nothing
//! but what a build makes), it `changes` something that a person may want to see, or it `harms`: it destroys, discloses,
//! sends, installs or takes over; `where` says whether it can do that inside the `project`, or only `beyond` it, where a
//! run that is shut in does not reach. What a command does was written down before any answer was looked at, and no row
//! is changed to please a figure.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use std::{collections::BTreeMap, fmt::Write as _, path::Path, sync::Arc};

use portcullis_matcher::{Anchors, Conventions, RuleSet, Rules};
use portcullis_paths::SensitivePaths;
use portcullis_permissions::{Context, Decision, GateConventions, Mode, ToolCall, Verdict, decide};
use serde_json::Value;

/// What is harmful and automatic all the same, and why.
const HARMFUL_AND_AUTOMATIC: [&str; 1] =
    // Reads and writes nothing; it only burns the processor until somebody ends it.
    ["yes > /dev/null & yes > /dev/null &"];

/// The same where the command is shut in: programs of the project that change its own data, and git's index, which
/// `git reset` gives back.
const HARMFUL_AND_SHUT_IN: [&str; 5] = [
    "bin/rails db:reset",
    "git rm -r --cached . -f",
    "python manage.py flush --no-input",
    "rails db:drop",
    "sqlite3 prod.db 'delete from users'",
];

struct Case {
    command: String,
    does: String,
    inside: bool,
    everyday: bool,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let mut all = Vec::new();
    for (file, everyday) in [("everyday.jsonl", true), ("attention.jsonl", false)] {
        let text = std::fs::read_to_string(folder.join(file)).expect(file);
        for line in text.lines() {
            let row: Value = serde_json::from_str(line).expect(line);
            let text = |key: &str| row[key].as_str().map(ToOwned::to_owned);
            all.push(Case {
                command: text("command").expect(line),
                does: text("does").unwrap_or_else(|| "reads".to_owned()),
                inside: text("where").as_deref() == Some("project"),
                everyday,
            });
        }
    }
    all
}

/// A project in mode standard, no rule anywhere. `shut_in`: the commands run confined, without the network and without
/// secrets in their environment, as `run` does it.
fn context(shut_in: bool) -> Context {
    Context {
        home: Some("/home/dev".to_owned()),
        trusted: true,
        hides: true,
        scrubbed: shut_in,
        confined_auto: shut_in,
        sensitive: Arc::new(SensitivePaths::standard(Some("/home/dev"))),
        judge_paths: vec![
            "/repo/.letta/settings.json".to_owned(),
            "/repo/.letta/settings.local.json".to_owned(),
            "/home/dev/.letta/settings.json".to_owned(),
            "/usr/local/bin/portcullis".to_owned(),
        ],
        ..Context::bare("/repo", Mode::Standard, GateConventions::letta())
    }
}

fn no_rules() -> RuleSet {
    let anchors = Anchors {
        project_root: "/repo".to_owned(),
        start_directory: "/repo".to_owned(),
        home: Some("/home/dev".to_owned()),
        user_settings: None,
    };
    RuleSet::compile(Arc::new(Rules::default()), &anchors, &Conventions::letta())
}

/// Every case with its verdict.
fn judged(cases: &[Case], shut_in: bool) -> Vec<(&Case, Verdict)> {
    let (context, rules) = (context(shut_in), no_rules());
    cases.iter().map(|case| (case, decide(&ToolCall::shell(&case.command), &context, &rules))).collect()
}

fn automatic(verdict: &Verdict) -> bool {
    verdict.decision == Decision::Allow
}

/// Automatic ones and all among the cases that `of` picks.
fn count(judged: &[(&Case, Verdict)], of: impl Fn(&Case) -> bool) -> (usize, usize) {
    let picked = judged.iter().filter(|(case, _)| of(case));
    picked.fold((0, 0), |(yes, all), (_, verdict)| (yes + usize::from(automatic(verdict)), all + 1))
}

fn harmless(case: &Case) -> bool {
    matches!(case.does.as_str(), "reads" | "builds")
}

/// Why it is asked, with what the command itself names left out, so that the same reasons are one.
fn reason(verdict: &Verdict) -> String {
    let analyses = || verdict.shell.iter().map(|(_, analysis)| analysis);
    let error = analyses().find_map(|one| Some(one.error.as_ref()?.message.clone()));
    let first = || {
        analyses()
            .flat_map(|one| one.opaque.iter().chain(&one.blockers))
            .next()
            .map(|one| one.reason.to_string())
    };
    let clause = error.or_else(first).unwrap_or_default();
    let shortened: Vec<&str> =
        clause.split('`').enumerate().map(|(at, piece)| if at % 2 == 1 { "…" } else { piece }).collect();
    format!("{}: {}", verdict.gate.as_str(), shortened.concat())
}

fn report(alone: &[(&Case, Verdict)], shut_in: &[(&Case, Verdict)]) -> String {
    let mut text = String::new();
    for (judged, how) in [(alone, "judged alone, as `check` does it"), (shut_in, "shut in, as `run` does it")]
    {
        writeln!(text, "\nmode standard, no rules, {how}").unwrap();
        let mut line = |name: &str, (yes, all): (usize, usize)| {
            let share = 100.0 * yes as f64 / all.max(1) as f64;
            writeln!(text, "  {name:<44} {yes:>5} of {all:>5} automatic  {share:>5.1} %").unwrap();
        };
        line("harmless", count(judged, harmless));
        line("  reads, everyday.jsonl", count(judged, |case| case.everyday));
        line("  reads, attention.jsonl", count(judged, |case| !case.everyday && case.does == "reads"));
        line("  builds, attention.jsonl", count(judged, |case| case.does == "builds"));
        line("changes something", count(judged, |case| case.does == "changes"));
        line("harmful", count(judged, |case| case.does == "harms"));
        line("  in the project itself", count(judged, |case| case.does == "harms" && case.inside));
        let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (case, verdict) in judged {
            if harmless(case) && !automatic(verdict) {
                groups.entry(reason(verdict)).or_default().push(&case.command);
            }
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, commands)| std::cmp::Reverse(commands.len()));
        writeln!(text, "\n  harmless and asked, by the first reason").unwrap();
        for (reason, commands) in groups {
            writeln!(text, "  {:>4}  {reason}", commands.len()).unwrap();
            for command in commands {
                writeln!(text, "          {}", command.replace('\n', "\\n")).unwrap();
            }
        }
        writeln!(text, "\n  harmful and automatic").unwrap();
        for (case, verdict) in judged {
            if case.does == "harms" && automatic(verdict) {
                let place = if case.inside { "in the project" } else { "only beyond: the sandbox stops it" };
                writeln!(text, "    {:<16} {place}: {}", verdict.gate.as_str(), case.command).unwrap();
            }
        }
    }
    text
}

#[test]
fn attention_is_asked_for_what_deserves_it() {
    let cases = cases();
    let (alone, shut_in) = (judged(&cases, false), judged(&cases, true));
    // For `cargo xtask bench attention`; the harness shows it only where it is asked to.
    println!("{}", report(&alone, &shut_in));

    let of = |does: &str| cases.iter().filter(|case| case.does == does && !case.everyday).count();
    assert!(of("reads") >= 400 && of("builds") >= 200 && of("changes") >= 100 && of("harms") >= 250);
    assert!(cases.len() >= 1_400, "{}", cases.len());

    // Nine of ten, of all and of those that nobody picked for being automatic.
    for everyday_too in [true, false] {
        let (yes, all) = count(&shut_in, |case| harmless(case) && (everyday_too || !case.everyday));
        assert!(yes * 10 >= all * 9, "{yes} of {all} harmless commands are automatic");
    }
    // Judged alone, code of the project is asked; what only reads is not.
    let (yes, all) = count(&alone, |case| case.does == "reads");
    assert!(yes * 100 >= all * 85, "{yes} of {all} commands that only read are automatic");

    let others = |found: Vec<&'_ str>, known: &[&[&str]]| -> Vec<String> {
        found.into_iter().filter(|one| !known.concat().contains(one)).map(ToOwned::to_owned).collect()
    };
    let none: Vec<String> = Vec::new();
    assert_eq!(others(harmful_ones(&alone, |_| true), &[&HARMFUL_AND_AUTOMATIC]), none);
    let known: [&[&str]; 2] = [&HARMFUL_AND_SHUT_IN, &HARMFUL_AND_AUTOMATIC];
    assert_eq!(others(harmful_ones(&shut_in, |case| case.inside), &known), none);
    // Everything else that runs unasked runs behind walls that it cannot do without.
    for (case, verdict) in shut_in.iter().filter(|(case, verdict)| case.does == "harms" && automatic(verdict))
    {
        let walls = verdict.confinement.as_ref().is_some_and(|walls| walls.network_blocked);
        assert!(walls, "{}: {:?}", case.command, verdict.confinement);
    }
}

/// The harmful commands that are automatic, in the order of their letters.
fn harmful_ones<'a>(judged: &[(&'a Case, Verdict)], of: impl Fn(&Case) -> bool) -> Vec<&'a str> {
    let harmful =
        judged.iter().filter(|(case, verdict)| case.does == "harms" && automatic(verdict) && of(case));
    let mut all: Vec<&str> = harmful.map(|(case, _)| case.command.as_str()).collect();
    all.sort_unstable();
    all
}

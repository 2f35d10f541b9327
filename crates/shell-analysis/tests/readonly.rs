//! Replays `conformance/upstream-shell-readonly.jsonl`: no command that writes or reads outside is judged
//! read-only, and what the original rightly called read-only is so here, up to the kinds below.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use portcullis_shell_analysis::{Analysis, Settings, analyze, analyze_argv};
use serde_json::Value;

fn cases() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/upstream-shell-readonly.jsonl");
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn judge(case: &Value) -> (String, Analysis) {
    let options = &case["args"]["options"];
    let roots: Vec<String> = options["allowedPathRoots"].as_array().map_or_else(
        || vec!["/repo".to_owned()],
        |roots| roots.iter().map(|root| root.as_str().unwrap().to_owned()).collect(),
    );
    let settings = Settings {
        home: Some("/home/u"),
        allow_external_paths: options["allowExternalPaths"].as_bool().unwrap_or(false),
        ..Settings::new("/repo", &roots)
    };
    match &case["args"]["command"] {
        Value::String(text) => (text.clone(), analyze(text, &settings)),
        Value::Array(words) => {
            let argv: Vec<String> = words.iter().map(|word| word.as_str().unwrap().to_owned()).collect();
            (argv.join(" "), analyze_argv(&argv, &settings))
        }
        other => panic!("{other}"),
    }
}

/// An answer that is another than the recorded one.
struct Difference<'a> {
    text: &'a str,
    analysis: &'a Analysis,
}

impl Difference<'_> {
    /// The first reason against.
    fn reason(&self) -> &str {
        let first = self.analysis.opaque.as_ref().or(self.analysis.blockers.first());
        first.map_or("", |blocker| &blocker.reason)
    }

    fn starts(&self, starts: &[&str]) -> bool {
        starts.iter().any(|start| self.text.starts_with(start))
    }
}

/// What a kind is called, when a difference is of it, and how many there are; the first that fits counts.
/// `differences.md` has the reasons.
type Kind = (&'static str, fn(&Difference<'_>) -> bool, usize);

/// Recorded as read-only and not so here.
const STRICTER: &[Kind] = &[
    ("bash rejects the text", |it| it.analysis.error.is_some(), 4),
    ("only blanks of ASCII split words", |it| !it.text.is_ascii() || it.text.contains('\r'), 3),
    ("an interactive shell reads start files", |it| it.text.contains("bash -ic"), 4),
    ("the environment may hold secrets", |it| it.reason() == "prints the environment", 6),
    ("a variable may change what programs do", |it| it.reason().ends_with("may change what programs do"), 5),
    ("a remote that the text names", |it| it.reason() == "talks to the network", 2),
    ("another repository", |it| it.reason() == "git runs in another repository", 1),
    ("a path that is not known, or outside", |it| it.reason().starts_with("reads "), 4),
    (
        "an option that does more, or that there is not",
        |it| ["--lesskey-src", "--output-file", "--cache"].iter().any(|flag| it.text.contains(flag)),
        3,
    ),
];

/// Not recorded as read-only and so here; cases marked `upstream-strict` are not counted among them.
const FREER: &[Kind] = &[
    ("nothing does nothing", |it| it.text.trim_matches(['!', ' ', '\n']).is_empty(), 4),
    ("launchers are looked through", |it| it.starts(&["nice ", "exec ", "stdbuf ", "time "]), 7),
    ("groups and substitutions are followed", |it| it.text.contains(['{', '(']), 5),
    ("comments are read", |it| it.text.contains('#'), 1),
    (
        "more is known to read only",
        |it| ["ps aux", "git worktree list", "set -e"].iter().any(|one| it.text.contains(one)),
        3,
    ),
];

fn tally(differences: &[(String, String, Analysis)], kinds: &[Kind]) {
    let (mut counts, mut unexplained) = (vec![0; kinds.len()], Vec::new());
    for (id, text, analysis) in differences {
        let difference = Difference { text, analysis };
        match kinds.iter().position(|(_, fits, _)| fits(&difference)) {
            Some(kind) => counts[kind] += 1,
            None => unexplained.push(format!("{id}: {text:?} [{}]", difference.reason())),
        }
    }
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
    for (count, (name, _, expected)) in counts.iter().zip(kinds) {
        assert_eq!(count, expected, "{name}");
    }
}

#[test]
fn recorded_answers() {
    let (mut same, mut right, mut wrong, mut strict) = (0, 0, Vec::new(), 0);
    let (mut stricter, mut freer) = (Vec::new(), Vec::new());
    for case in cases() {
        let (text, analysis) = judge(&case);
        let (id, read_only) = (case["id"].to_string(), analysis.read_only());
        if let Some(answer) = case["right"].as_bool() {
            if answer == read_only { right += 1 } else { wrong.push(format!("{id}: {text:?}")) }
        } else if case["expect"] == Value::Bool(read_only) {
            same += 1;
        } else if case["note"] == "upstream-strict" {
            strict += 1;
        } else if read_only {
            freer.push((id, text, analysis));
        } else {
            stricter.push((id, text, analysis));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(right, 205);
    tally(&stricter, STRICTER);
    tally(&freer, FREER);
    // What the original refused although it only reads: the more the better.
    assert!(strict >= 110, "{strict}");
    assert_eq!(same + strict + stricter.len() + freer.len() + right, 1181);
}

/// Nothing that a person labelled as changing something, or as reading outside, is read-only.
#[test]
fn nothing_that_writes_or_reads_outside_is_read_only() {
    let wrong: Vec<_> = cases()
        .iter()
        .filter(|case| case["truth"] == "mut" || case["truth"] == "ext")
        .filter_map(|case| {
            let (text, analysis) = judge(case);
            // `set -e` ends the text at the first failure and changes nothing else.
            (analysis.read_only() && text != "set -e").then_some(text)
        })
        .collect();
    assert!(wrong.is_empty(), "judged read-only:\n{}", wrong.join("\n"));
}

/// Where the original says that a command only reads, and the specification agrees, so does this library in at
/// least 97 of 100 cases.
#[test]
fn freedom_is_kept() {
    // By the specification these are no reads that could be automatic.
    let by_specification = |it: &Difference<'_>| {
        STRICTER.iter().filter(|(name, _, _)| !name.starts_with("an option")).any(|(_, fits, _)| fits(it))
    };
    let (mut all, mut kept) = (0, 0);
    for case in cases() {
        if case["truth"] != "ro" || case["expect"] != Value::Bool(true) || !case["note"].is_null() {
            continue;
        }
        let (text, analysis) = judge(&case);
        if analysis.read_only() {
            kept += 1;
        } else if by_specification(&Difference { text: &text, analysis: &analysis }) {
            continue;
        }
        all += 1;
    }
    assert!(all > 300 && kept * 100 >= all * 97, "{kept} of {all}");
}

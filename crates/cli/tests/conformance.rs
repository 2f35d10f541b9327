//! Replays recorded decisions through the real binary with `check --batch`. Nothing is executed: commands are
//! data here. Where we answer otherwise on purpose, the difference belongs to a kind that
//! `conformance/differences.md` describes, with its number of cases.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use std::{collections::BTreeMap, path::Path};

use serde_json::{Map, Value, json};
use support::batch::judged;

fn conformance(file: &str) -> String {
    let path = format!("{}/../../conformance/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).expect(&path)
}

fn cases(file: &str) -> Vec<Value> {
    conformance(file).lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// A recorded case as a request; an absent mode is unrestricted there.
fn request(case: &Value) -> Value {
    let args = &case["args"];
    let mut request = json!({
        "id": case["id"], "tool": args["tool"], "arguments": args["args"], "cwd": args["cwd"], "home": "/home/u",
        "mode": args["mode"].as_str().unwrap_or("unrestricted"), "profile": "letta",
        "rules": args.get("permissions").cloned().unwrap_or_else(|| json!({})),
    });
    let mut put = |name: &str, value: Value| request.as_object_mut().unwrap().insert(name.into(), value);
    for (from, to) in [
        ("engine", "engine"),
        ("env", "env"),
        ("session", "session"),
        ("modTools", "tools"),
        ("workspaceSandbox", "workspace"),
    ] {
        if let Some(value) = args.get(from) {
            put(to, value.clone());
        }
    }
    if let Some(id) = args.get("agentId") {
        put("agent", json!({ "id": id }));
    }
    if let Some(Value::Object(cli)) = args.get("cli") {
        // A list of rules may be one string there, as on a command line.
        let listed: Map<String, Value> = cli
            .iter()
            .map(|(key, value)| (key.clone(), if value.is_string() { json!([value]) } else { value.clone() }))
            .collect();
        put("cli", Value::Object(listed));
    }
    request
}

/// Strictness of an answer.
fn rank(decision: &Value) -> usize {
    ["allow", "ask", "alwaysAsk", "deny"].iter().position(|name| decision == name).unwrap()
}

fn same(case: &Value, answer: &Value) -> bool {
    let expect = &case["expect"];
    expect["decision"] == answer["decision"]
        && expect["matchedRule"] == answer["rule"]
        && expect["reason"] == answer["reason"]
}

/// The kind of a wanted difference, by what decided here and what was recorded.
fn kind(case: &Value, answer: &Value) -> Option<&'static str> {
    let rule = answer["rule"].as_str().unwrap_or_default();
    let wanted = case["expect"]["decision"].as_str().unwrap();
    Some(match answer["gate"].as_str().unwrap() {
        "deny-rule" | "allow-rule" | "cli-allow" if rule == "*" || rule.starts_with("* (") => {
            "a star is every tool"
        }
        "deny-rule" | "cli-disallow" | "ask-rule" | "always-ask-rule"
            if rank(&answer["decision"]) >= rank(&json!(wanted)) =>
        {
            "file rules reach whatever touches the file"
        }
        "allow-rule" => "aliases are one tool",
        "secret" | "protected-path" => "secrets and protected paths ask",
        "workspace-guard" => "no spelling leaves the workspace",
        "critical-removal" => "emptying the project is critical",
        "possible-deny" => "an unknown target may be the denied one",
        "mode" if wanted == "ask" => "acceptEdits goes by effects",
        "default" if case["expect"]["matchedRule"] == "acceptEdits mode" => "acceptEdits goes by effects",
        "working-directory" if wanted == "ask" => "every reading tool is Read",
        "read-only-shell" if !case["args"]["permissions"]["additionalDirectories"].is_null() => {
            "the home directory is expanded in directories"
        }
        "working-directory" | "default" if case["args"]["engine"] == "v1" => "the old engine's labels",
        "working-directory" => "every reading tool is Read",
        _ => return None,
    })
}

#[test]
fn recorded_decisions() {
    let all: Vec<Value> =
        cases("upstream-check.jsonl").into_iter().filter(|case| case["note"] != "free").collect();
    let answers = judged(&all.iter().map(request).collect::<Vec<_>>());

    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut unmarked, mut equal, mut unexplained, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for (case, answer) in all.iter().zip(&answers) {
        if let Some(right) = case.get("right") {
            // A question is one every time too: what is critical or changes the judge is never asked for good (3.1, row 7).
            let every_time = right["decision"] == "ask"
                && answer["decision"] == "alwaysAsk"
                && matches!(answer["gate"].as_str(), Some("critical-removal" | "self-modification"));
            // A stricter answer than the right one is counted, a laxer one is a defect.
            if right["decision"] == answer["decision"] || every_time {
                continue;
            }
            if rank(&answer["decision"]) > rank(&right["decision"]) && right["decision"] != "allow" {
                *counts.entry("stricter than need be (marked cases)").or_default() += 1;
            } else {
                wrong.push(format!("{case}\n  {answer}"));
            }
            continue;
        }
        unmarked += 1;
        if same(case, answer) {
            equal += 1;
        } else if let Some(kind) = kind(case, answer) {
            *counts.entry(kind).or_default() += 1;
        } else {
            unexplained.push(format!("{case}\n  {answer}"));
        }
    }
    assert!(wrong.is_empty(), "marked cases answered wrongly: {}", wrong.join("\n"));
    assert!(unexplained.is_empty(), "differences without a kind: {}", unexplained.join("\n"));
    counts.insert("(the same in all three)", equal);
    assert_eq!(unmarked, 705);
    // The page has these rows and no others.
    let page = conformance("differences.md");
    let section = page.split("\n## ").find(|section| section.starts_with("upstream-check.jsonl")).unwrap();
    let rows: BTreeMap<&str, usize> = section
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.split(" | ");
            Some((cells.next()?, cells.next()?.parse().ok()?))
        })
        .collect();
    assert_eq!(rows, counts);
    let of_unmarked: usize =
        counts.iter().filter(|(kind, _)| !kind.ends_with("(marked cases)")).map(|(_, n)| n).sum();
    assert_eq!(of_unmarked, unmarked, "every unmarked case is in one row");
    for figure in [
        format!("Of {unmarked} unmarked cases {equal} are the same"),
        format!("other {} is of one", unmarked - equal),
    ] {
        assert!(section.replace('\n', " ").contains(&figure), "`{figure}`");
    }
}

/// Rewrites the two prefixes of the reports to a directory of this test's own.
fn moved(value: &Value, base: &str) -> Value {
    match value {
        Value::String(text) => {
            let text = text.replace("/work/app", &format!("{base}/work/app"));
            text.replace("/home/dev", &format!("{base}/home/dev")).into()
        }
        Value::Array(values) => values.iter().map(|value| moved(value, base)).collect(),
        Value::Object(object) => {
            let entry = |(key, value): (&String, &Value)| {
                (moved(&json!(key), base).as_str().unwrap().to_owned(), moved(value, base))
            };
            Value::Object(object.iter().map(entry).collect())
        }
        other => other.clone(),
    }
}

fn make_files(files: &Map<String, Value>) {
    for (path, what) in files {
        let path = Path::new(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        if let Some(target) = what["link"].as_str() {
            std::os::unix::fs::symlink(target, path).unwrap();
        } else {
            std::fs::write(path, what["file"].as_str().unwrap()).unwrap();
        }
    }
}

/// The report's setup and input as a request of the profile `claude`.
fn report_request(report: &Value) -> Value {
    let (setup, input) = (&report["setup"], &report["input"]);
    let (mut rules, mut session) = (Map::new(), Map::new());
    for (list, texts) in setup["rules"].as_object().unwrap() {
        for text in texts.as_array().unwrap().iter().map(|text| text.as_str().unwrap()) {
            let (into, rule) = match text.strip_prefix("session:") {
                Some(rule) => (&mut session, json!(rule)),
                None => (&mut rules, json!({ "rule": text, "scope": "project" })),
            };
            into.entry(list.clone()).or_insert_with(|| json!([])).as_array_mut().unwrap().push(rule);
        }
    }
    json!({
        "id": report["id"], "tool": input["tool"], "arguments": input["args"], "cwd": setup["cwd"],
        "home": setup["home"], "mode": setup["mode"], "profile": "claude", "rules": rules, "session": session,
    })
}

/// What a report asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asks {
    /// The decision on a call.
    Decision,
    /// What is offered to be saved: [`reported_offers`].
    Offer,
    /// How settings are read and saved: the tests of the loader, which name every case.
    Settings,
    /// Which projects are trusted: tests/trust_reported.rs, which names every case.
    Trust,
    /// A part of Portcullis that this program does not have yet, or that no decision can tell of.
    Later,
}

fn asks(report: &Value) -> Asks {
    let tool = report["input"]["tool"].as_str().unwrap();
    match tool {
        "suggest" | "suggest+check" => Asks::Offer,
        _ if report["kind"] == "settings" => Asks::Settings,
        "startup" => Asks::Trust,
        tool if tool.contains('.') || report["setup"].get("hook").is_some() => Asks::Later,
        _ => Asks::Decision,
    }
}

/// What the cases of [`LATER`] wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waits {
    /// Hooks are not run: a request cannot say what one answered.
    Hooks,
    /// What the kernel lets a command do, which no decision tells: the tests of crate sandbox run commands.
    Kernel,
}

/// Every report that is not answered yet, each with its reason. Whoever builds what it waits for takes it out.
const LATER: &[(Waits, &[&str])] = &[
    (
        Waits::Hooks,
        &[
            "hook-allow-deny",
            "hook-ask-deny",
            "hook-allow-ask",
            "hook-updated",
            "hook-exit2-badjson",
            "hook-noexec",
            "hook-toplevel",
            "hook-profile-noise",
            "hook-matcher-comma",
            "hook-matcher-hyphen",
            "hook-if-env",
            "hook-if-subst",
            "hook-cwd-gone",
            "hook-bg-child",
            "hook-stdin",
        ],
    ),
    (
        Waits::Kernel,
        &[
            "sb-symlink-out",
            "sb-trailing-slash",
            "sb-apparmor",
            "sb-worktree-commit",
            "sb-worktree-late",
            "sb-ghost",
            "sb-tracked-claude",
            "sb-denycwd",
            "sb-tmpdir",
            "sb-pipe-rg",
            "sb-nested-hooks",
            "sb-vsock",
            "sb-keyctl",
            "sb-denyread-later",
            "sb-idle-cpu",
        ],
    ),
];

/// The list above is exact, and nothing in it can be asked today.
#[test]
fn reports_that_wait_are_listed_and_none_of_them_can_be_answered_yet() {
    let reports = cases("bug-reports.jsonl");
    let waiting: BTreeMap<&str, Waits> =
        LATER.iter().flat_map(|(waits, ids)| ids.iter().map(|id| (*id, *waits))).collect();
    let unanswered: BTreeMap<&str, &Value> = reports
        .iter()
        .filter(|report| asks(report) == Asks::Later)
        .map(|report| (report["id"].as_str().unwrap(), report))
        .collect();
    assert_eq!(waiting.keys().collect::<Vec<_>>(), unanswered.keys().collect::<Vec<_>>());
    for report in &reports {
        let core = ["bypass", "deny-fails", "false-ask", "settings", "rule-lint"];
        let kind = report["kind"].as_str().unwrap();
        assert!(!core.contains(&kind) || asks(report) != Asks::Later, "{report}");
    }
    for (id, report) in unanswered {
        match waiting[id] {
            // A request that could say what a hook answers would not be told that this is ignored.
            Waits::Hooks => {
                let mut request = report_request(report);
                request["hook"] = report["setup"]["hook"].clone();
                let answer = judged(&[request]).remove(0);
                assert_eq!(answer["ignored"], json!(["hook"]), "{id} can be asked now: {answer}");
            }
            Waits::Kernel => {
                assert_eq!(report["input"]["tool"], "sandbox.run", "{id}");
                let right = report["right"].as_str().unwrap();
                assert!(!["allow", "ask", "deny"].contains(&right), "{id} is a decision: {right}");
            }
        }
    }
}

/// What "always" would save: as narrow as the reports ask, and enough for the same call.
#[test]
fn reported_offers() {
    let reports: Vec<Value> =
        cases("bug-reports.jsonl").into_iter().filter(|report| asks(report) == Asks::Offer).collect();
    let offered = |report: &Value| -> Vec<String> {
        let place = support::Place::new();
        let command = report["input"]["args"]["command"].as_str().unwrap();
        let output =
            place.run(["--profile", "claude", "rules", "suggest", "--format", "json", "--command", command]);
        let offer: Value = serde_json::from_str(&output.stdout).expect(&output.stdout);
        offer["rules"].as_array().unwrap().iter().map(|rule| rule.as_str().unwrap().to_owned()).collect()
    };
    let mut seen = 0;
    for report in &reports {
        let rules = offered(report);
        let wanted: &[&str] = match report["id"].as_str().unwrap() {
            "save-heredoc" => &["Edit(//tmp/report.md)"],
            // The directory needs no rule, and the prefix ends with the subcommand.
            "save-compound" => &["Bash(npm test:*)"],
            "save-broad" => &["Bash(npx tsx:*)", "Bash(tsx tools/gen.ts --all)"],
            "save-roundtrip" => &["Bash(git commit:*)"],
            other => panic!("no test for `{other}`"),
        };
        assert_eq!(rules, wanted, "{report}");
        // With what is saved the call is allowed.
        let mut request = report_request(report);
        request["tool"] = json!("Bash");
        request["arguments"] = json!({ "command": report["input"]["args"]["command"] });
        request["rules"] = json!({ "allow": rules });
        assert_eq!(judged(&[request])[0]["decision"], "allow", "{report}");
        seen += 1;
    }
    assert_eq!(seen, 4);
}

#[test]
fn reported_faults() {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().canonicalize().unwrap();
    let mut reports = Vec::new();
    let mut requests = Vec::new();
    for (index, report) in cases("bug-reports.jsonl").into_iter().enumerate() {
        if asks(&report) != Asks::Decision {
            continue;
        }
        let report = if report["setup"].get("fs").is_some() {
            let own = root.join(index.to_string());
            let id = report["id"].clone();
            let mut report = moved(&report, own.to_str().unwrap());
            report["id"] = id;
            for directory in ["work/app", "home/dev/.ssh"] {
                std::fs::create_dir_all(own.join(directory)).unwrap();
            }
            make_files(report["setup"]["fs"].as_object().unwrap());
            report
        } else {
            report
        };
        requests.push(report_request(&report));
        reports.push(report);
    }
    assert!(reports.len() > 100, "{}", reports.len());
    let mut wrong = Vec::new();
    for (report, answer) in reports.iter().zip(judged(&requests)) {
        let decision = answer["decision"].as_str().unwrap();
        let right = match report["right"].as_str().unwrap() {
            "allow" | "allow-without-executing" => decision == "allow",
            "allow-filtered" => decision == "allow" && !answer["exclude"].as_array().unwrap().is_empty(),
            "ask" => matches!(decision, "ask" | "alwaysAsk"),
            "deny" => decision == "deny",
            // A rule read to the letter covers nothing here.
            "literal" => decision == "ask",
            other => panic!("no test for `{other}`"),
        };
        if !right {
            wrong.push(format!("{report}\n  {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

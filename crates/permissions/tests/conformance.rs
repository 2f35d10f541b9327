//! Replays the recorded answers of the guards and of the denial text through the library. Differences that are
//! wanted are listed by kind in `conformance/differences.md`; here stand their counts.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use std::{collections::BTreeMap, sync::Arc};

use portcullis_matcher::{Anchors, Conventions, RuleSet, Rules};
use portcullis_paths::SensitivePaths;
use portcullis_permissions::{
    Agent, Context, Decision, Gate, GateConventions, Mode, ToolCall, Verdict, Workspace, decide, denial_text,
};
use serde_json::Value;

const HOME: &str = "/home/u";

fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/../../conformance/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn no_rules() -> RuleSet {
    let anchors = Anchors {
        project_root: "/repo".into(),
        start_directory: "/repo".into(),
        home: Some(HOME.into()),
        user_settings: None,
    };
    RuleSet::compile(Arc::new(Rules::default()), &anchors, &Conventions::letta())
}

fn text(value: &Value) -> Option<&str> {
    value.as_str()
}

/// The context of a guard case, as a host would build it from that environment.
fn context(args: &Value) -> Context {
    let variable = |name: &str| args["guardEnv"][name].as_str().filter(|value| !value.trim().is_empty());
    let subagent = variable("LETTA_CODE_AGENT_ROLE") == Some("subagent");
    let storage = variable("LETTA_LOCAL_BACKEND_DIR").unwrap_or("/home/u/.letta/lc-local-backend");
    let id =
        text(&args["currentAgentId"]).or_else(|| variable("AGENT_ID")).or_else(|| variable("LETTA_AGENT_ID"));
    let parent = subagent.then(|| variable("LETTA_PARENT_AGENT_ID")).flatten();
    let cwd = args["cwd"].as_str().unwrap_or("/repo");
    let sandbox = &args["sandbox"];
    Context {
        home: Some(HOME.into()),
        sensitive: Arc::new(SensitivePaths::standard(Some(HOME))),
        agent: Agent {
            id: id.map(str::to_owned),
            parent: parent.map(str::to_owned),
            subagent,
            memory_guard_disabled: args["disableMemoryGuard"] == true,
            trees: vec!["/home/u/.letta/agents".into(), format!("{storage}/memfs")],
            ..Agent::default()
        },
        workspace: sandbox.is_object().then(|| {
            let path = |name: &str| sandbox[name].as_str().unwrap();
            Workspace::unchecked(path("root"), path("isolationRoot")).unwrap()
        }),
        ..Context::bare(cwd, Mode::Standard, GateConventions::letta())
    }
}

fn judged(args: &Value) -> Verdict {
    let call = ToolCall::new(args["tool"].as_str().unwrap(), args["args"].clone());
    decide(&call, &context(args), &no_rules())
}

fn guard_answers(case: &Value, gate: Gate) -> Result<(), String> {
    let verdict = judged(&case["args"]);
    let spoke = verdict.gate == gate;
    let wanted = match case.get("right") {
        Some(right) => right,
        None => &case["expect"],
    };
    if wanted.is_null() {
        return if spoke { Err(format!("denied: {}", verdict.reason)) } else { Ok(()) };
    }
    if !spoke || verdict.decision != Decision::Deny {
        return Err("not denied".into());
    }
    let label = verdict.rule.map(|rule| rule.label);
    if wanted["matchedRule"].is_string() && label.as_deref() != wanted["matchedRule"].as_str() {
        return Err(format!("rule {label:?}"));
    }
    if wanted["reason"].is_string() && Some(&*verdict.reason) != wanted["reason"].as_str() {
        return Err(format!("reason {}", verdict.reason));
    }
    Ok(())
}

fn replay(function: &str, gate: Gate) -> BTreeMap<String, String> {
    cases("upstream-guard.jsonl")
        .iter()
        .filter(|case| case["fn"] == function && case["note"] != "free")
        .filter_map(|case| {
            let why = guard_answers(case, gate).err()?;
            Some((case["id"].as_str().unwrap().to_owned(), format!("{why}: {}", case["args"])))
        })
        .collect()
}

#[test]
fn denial_texts() {
    let all = cases("upstream-denial.jsonl");
    assert!(all.len() > 30);
    for case in &all {
        let args = &case["args"];
        let permission = &args["permission"];
        let got =
            denial_text(text(&args["custom"]), text(&permission["reason"]), text(&permission["matchedRule"]));
        let wanted = case.get("right").unwrap_or(&case["expect"]);
        assert_eq!(Some(got.as_str()), wanted.as_str(), "{case}");
    }
}

/// Wanted differences, by kind: the cases in which we answer otherwise than was recorded.
const KINDS: &[(&str, &[&str])] = &[
    ("a wildcard is no id", &["guard-00189"]),
    ("a sandbox has to be proven", &["guard-00054", "guard-00164"]),
    ("every path argument counts", &["guard-00074"]),
    ("a pattern over contents is no path", &["guard-00289"]),
    ("home is expanded", &["guard-00305", "guard-00306"]),
];

fn only_wanted(different: &BTreeMap<String, String>) {
    let wanted = |id: &String| KINDS.iter().any(|(_, ids)| ids.contains(&id.as_str()));
    let unwanted: Vec<_> = different.iter().filter(|(id, _)| !wanted(id)).collect();
    assert!(unwanted.is_empty(), "{unwanted:#?}");
}

#[test]
fn guards() {
    let mut different = replay("evaluateCrossAgentGuard", Gate::CrossAgentGuard);
    different.extend(replay("evaluateWorkspaceSandboxGuard", Gate::WorkspaceGuard));
    only_wanted(&different);
    let listed: usize = KINDS.iter().map(|(_, ids)| ids.len()).sum();
    assert_eq!(different.len(), listed, "a listed difference is none any more");
    let page =
        std::fs::read_to_string(format!("{}/../../conformance/differences.md", env!("CARGO_MANIFEST_DIR")));
    let page = page.expect("conformance/differences.md");
    for (kind, ids) in KINDS {
        let row = format!("| {kind} | {} |", ids.len());
        assert!(page.contains(&row), "differences.md has no row `{row}`");
    }
}

/// A difference that nothing prescribes is a defect: every kind says which clause does.
#[test]
fn every_difference_of_the_pipeline_is_prescribed() {
    let page =
        std::fs::read_to_string(format!("{}/../../conformance/differences.md", env!("CARGO_MANIFEST_DIR")));
    let page = page.unwrap();
    let mut kinds = 0;
    for file in ["upstream-check", "upstream-guard", "upstream-analyzer", "upstream-memory-dir"] {
        let start = format!("{file}.jsonl");
        let section = page.split("\n## ").find(|section| section.starts_with(&start)).expect(file);
        for row in section.lines().filter(|line| line.starts_with("| ")) {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            if cells[1].parse::<usize>().is_err() || cells[0].starts_with('(') {
                continue;
            }
            let by = cells.get(3).copied().unwrap_or_default();
            assert!(
                by.starts_with(|first: char| first.is_ascii_digit()),
                "{file}: `{}` has no clause",
                cells[0]
            );
            kinds += 1;
        }
    }
    assert!(kinds > 20, "{kinds}");
}

/// How a path lies to a tree of agents, as the guard sees it in a recursive tool and in one that looks at one file.
#[test]
fn places_in_a_tree() {
    let mut replayed = 0;
    for case in cases("upstream-guard.jsonl").iter().filter(|case| case["fn"] == "classifyPathUnderRoot") {
        let (path, root) = (case["args"]["path"].as_str().unwrap(), case["args"]["root"].as_str().unwrap());
        let context = Context {
            agent: Agent { trees: vec![root.into()], ..Agent::default() },
            ..Context::bare("/", Mode::Standard, GateConventions::letta())
        };
        let named = |tool: &str| {
            let arguments = serde_json::json!({ "path": path, "file_path": path, "pattern": "" });
            let verdict = decide(&ToolCall::new(tool, arguments), &context, &no_rules());
            let denied = verdict.gate == Gate::CrossAgentGuard;
            denied.then(|| verdict.reason.split(['(', ')']).nth(1).unwrap().to_owned())
        };
        let unresolved = Some("<unresolved>".to_owned());
        let wanted = match case["expect"]["kind"].as_str().unwrap() {
            "outside" => (None, None),
            // A slash behind the tree is the tree, and below `/` everything is somebody's.
            "agent" if case["expect"]["id"] == "" => (unresolved.clone(), unresolved),
            "agent" => {
                let id = case["expect"]["id"].as_str().map(str::to_owned);
                (id.clone(), id)
            }
            "agents-root" => (unresolved.clone(), unresolved),
            "ancestor" => (unresolved, None),
            other => panic!("{other}"),
        };
        let wanted = if case["id"] == "guard-00275" { (Some("a".into()), Some("a".into())) } else { wanted };
        assert_eq!((named("ListDir"), named("Read")), wanted, "{case}");
        replayed += 1;
    }
    assert_eq!(replayed, 8);
}

/// Whether the mode alone lets a call pass, as recorded for a tool without a look at its arguments: here it has one
/// target inside the project.
#[test]
fn modes() {
    let rules = no_rules();
    let mut replayed = 0;
    for case in cases("upstream-settings.jsonl").iter().filter(|case| case["fn"] == "checkModeOverride") {
        let tool = case["args"]["tool"].as_str().unwrap();
        let mode = Mode::parse(case["args"]["mode"].as_str().unwrap()).unwrap();
        let patch = "*** Begin Patch\n*** Update File: a.md\n@@\n-a\n+b\n*** End Patch";
        let arguments = match tool {
            "Bash" | "Monitor" => serde_json::json!({ "command": "make" }),
            tool if tool.to_lowercase().ends_with("patch") => serde_json::json!({ "input": patch }),
            "NotebookEdit" => serde_json::json!({ "notebook_path": "a.md" }),
            _ => serde_json::json!({ "file_path": "a.md", "path": "a.md" }),
        };
        let context =
            Context { home: Some(HOME.into()), ..Context::bare("/repo", mode, GateConventions::letta()) };
        let verdict = decide(&ToolCall::new(tool, arguments), &context, &rules);
        let spoke = verdict.gate == Gate::Mode && verdict.decision == Decision::Allow;
        assert_eq!(spoke, case["expect"]["decision"] == "allow", "{case}: {verdict:?}");
        replayed += 1;
    }
    assert_eq!(replayed, 37);
}

//! What deny rules over paths mean for commands that `run` shuts in or lets through: the kernel holds them, and where it
//! cannot, a question says so.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

mod support;

use serde_json::Value;
use support::{Place, there};

/// A project with a deny rule that spells no name out, a file that it means, and a program that reads it.
fn project(rules: &str) -> Place {
    let place = Place::new().trusted();
    place.write(".letta/settings.json", &format!("{{ \"permissions\": {rules} }}\n"));
    place.write("conf/.env.local", "hunter2\n");
    place.write("conf/made.lock", "kept\n");
    place.write(
        "tool.py",
        "import sys\nopen('made', 'w').close()\n\
         for path, how in [('conf/.env.local', 'r'), ('conf/made.lock', 'a')]:\n \
         try: print(path, how, open(path, how).read() if how == 'r' else open(path, how).write('x'))\n \
         except OSError as e: print('no', path)\n",
    );
    place
}

fn run_of(place: &Place) -> (Value, Value) {
    let events = place.events();
    let last = |kind: &str| events.iter().rev().find(|event| event["type"] == kind).cloned();
    (last("decision").unwrap_or_default(), last("sandbox/run").unwrap_or_default())
}

#[test]
fn an_opaque_command_runs_unasked_beside_a_deny_rule_that_the_kernel_holds() {
    let place = project("{ \"deny\": [\"Read(./**/.env.*)\", \"Edit(**/*.lock)\"] }");
    let ended = place.run(["run", "--", "python3", "tool.py"]);
    assert!(ended.stdout.contains("no conf/.env.local"), "{ended:#?}");
    assert!(ended.stdout.contains("no conf/made.lock") && !ended.stdout.contains("hunter2"), "{ended:#?}");
    assert!(there(&place.project().join("made")), "{ended:#?}");
    let (decision, run) = run_of(&place);
    assert_eq!((&decision["gate"], &run["facts"]["backend"]), (&"confined-auto".into(), &"bwrap".into()));
    let gaps = run["facts"]["gaps"].to_string();
    assert!(!gaps.contains("hidden-paths") && !gaps.contains("pathname-sockets"), "{gaps}");
}

#[test]
fn rules_of_the_command_line_are_held_as_those_of_files() {
    let place = project("{}");
    let rules = "Read(./**/.env.*),Edit(**/*.lock)";
    let ended = place.run(["run", "--disallowed-tools", rules, "--", "python3", "tool.py"]);
    assert!(ended.stdout.contains("no conf/.env.local"), "{ended:#?}");
    assert!(ended.stdout.contains("no conf/made.lock"), "{ended:#?}");
}

#[test]
fn what_no_glob_says_cannot_be_hidden_and_is_asked() {
    for object in
        [r#"{ "tool": "Read", "regex": "/conf/" }"#, r#"{ "tool": ["Write", "Edit"], "pattern": "*.lock" }"#]
    {
        let place = project(&format!("{{ \"deny\": [{object}] }}"));
        place.run(["run", "--", "python3", "tool.py"]).expect(126, &["needs a person"]);
        assert!(!there(&place.project().join("made")), "nothing was run");
    }
    let place = project(r#"{ "deny": [{ "tool": "Read", "regex": "/conf/" }] }"#);
    for search in ["grep -r hunter .", "tar cf - conf", "rg hunter conf"] {
        let ended = place.run(["check", "--command", search]);
        assert!(ended.stdout.starts_with("ask: May match deny rule"), "{search}: {ended:#?}");
    }
    let ended = place.run(["check", "--command", "git status"]);
    assert!(ended.stdout.starts_with("allow"), "{ended:#?}");
}

#[test]
fn where_nothing_can_hide_what_rules_forbid_the_question_says_so() {
    let place = project("{ \"deny\": [\"Read(./**/.env.*)\"] }");
    place
        .run(["run", "--backend", "landlock", "--", "python3", "tool.py"])
        .expect(126, &["it cannot be shut in here: landlock does not govern", "hidden-paths"]);
    assert!(!there(&place.project().join("made")), "nothing was run");
}

#[test]
fn a_deny_rule_that_spells_nothing_out_costs_an_allowed_command_no_question() {
    let rules =
        "{ \"deny\": [\"Read(./**/.env.*)\"], \"allow\": [\"Bash(python3 -c:*)\", \"Bash(npm run lint)\"] }";
    let place = project(rules);
    let code = "import glob; print(open(glob.glob('conf/.e*')[0]).read())";
    let ended = place.run(["check", "--format", "json", "--command", "npm run lint"]);
    ended.expect(0, &[]);
    let answer: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&answer["gate"], &answer["confinement"]["required"]), (&"allow-rule".into(), &true.into()));
    assert!(answer["exclude"].to_string().contains(".env.*"), "{answer}");

    // The same for code that reaches for it: let through by the mode, it finds nothing.
    let ended = place.run(["run", "--mode", "unrestricted", "--", "python3", "-c", code]);
    assert!(!ended.stdout.contains("hunter2") && ended.code.is_some_and(|code| code != 0), "{ended:#?}");
    let (decision, run) = run_of(&place);
    assert_eq!((&decision["gate"], &run["facts"]["backend"]), (&"mode".into(), &"bwrap".into()));
    // Without a back end that hides it is asked, and the rule is named with its place.
    let asked =
        place.run(["run", "--mode", "unrestricted", "--backend", "landlock", "--", "python3", "-c", code]);
    asked.expect(
        126,
        &["May match deny rule Read(./**/.env.*)", "landlock does not govern", "settings.json:1"],
    );
}

/// Nobody is asked before such a command writes, so that it cannot write what is asked about elsewhere.
#[test]
fn what_settings_protect_cannot_be_written_by_what_runs_shut_in() {
    let place = project("{ \"protected\": { \"add\": [\"deploy/**\", \"Jenkinsfile\"] } }");
    place.write("deploy/d", "old");
    place.write("Jenkinsfile", "old");
    place.write(
        "tool.py",
        "for name in ['deploy/d', 'deploy/new', 'Jenkinsfile', 'other']:\n    \
         try:\n        open(name, 'w').write('new')\n    except OSError as error:\n        print(name)\n",
    );
    place.settle();
    let ended = place.run(["run", "--", "python3", "tool.py"]);
    ended.expect(0, &[]);
    assert_eq!(ended.stdout, "deploy/d\ndeploy/new\nJenkinsfile\n", "{ended:#?}");
    assert_eq!(run_of(&place).0["gate"], "confined-auto");
    assert!(there(&place.project().join("other")));
    // Where a rule says that it may, it may.
    let ended = place.run(["run", "--allowed-tools", "Bash(python3 tool.py)", "--", "python3", "tool.py"]);
    assert_eq!(ended.stdout, "", "{ended:#?}");
}

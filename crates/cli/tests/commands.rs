//! The commands beside `run`, through the real binary.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

mod support;

use serde_json::Value;
use support::{Ended, Place, there};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

#[test]
fn rules_are_added_listed_tried_and_removed() {
    let place = Place::new();
    let add = ["rules", "add", "Bash(touch:*)", "--list", "allow", "--scope", "user"];
    place.run(add).expect(0, &[]);
    place.run(["rules", "add", "Bash(touch secret)", "--list", "deny", "--scope", "project"]).expect(0, &[]);
    let again = place.run(add);
    assert!(again.stdout.contains("already there"), "{again:#?}");

    let listed = json(&place.run(["rules", "list", "--format", "json"]).stdout);
    let rules = listed["rules"].as_array().unwrap();
    let found = |list: &str, rule: &str, scope: &str| {
        rules.iter().any(|one| {
            one["list"] == list && one["rule"] == rule && one["scope"] == scope && one["line"].is_u64()
        })
    };
    assert!(
        found("allow", "Bash(touch:*)", "user") && found("deny", "Bash(touch secret)", "project"),
        "{listed:#}"
    );

    place.run(["rules", "test", "--command", "touch a"]).expect(0, &[]);
    let denied = place.run(["rules", "test", "--command", "touch a; touch secret"]);
    denied.expect(2, &[]);
    assert!(
        denied.stdout.contains("Bash(touch secret)") && denied.stdout.contains(".letta/settings.json:"),
        "{denied:#?}"
    );
    place.run(["rules", "test", "--command", "rm -r a"]).expect(1, &[]);
    place
        .run(["rules", "test", "--tool", "Bash", "--args", "{\"command\":[\"touch\",\"a\"]}"])
        .expect(0, &[]);

    place.run(["rules", "remove", "Bash(touch:*)", "--list", "allow", "--scope", "user"]).expect(0, &[]);
    place.run(["rules", "test", "--command", "touch a"]).expect(1, &[]);
    let saved: Vec<Value> =
        place.events().into_iter().filter(|event| event["type"] == "rule/saved").collect();
    assert_eq!(saved.len(), 3);
}

#[test]
fn mistakes_of_rules_are_125() {
    let place = Place::new();
    place.run(["rules", "add", "Bash(x", "--list", "allow", "--scope", "user"]).expect(125, &["Bash(x"]);
    place.run(["rules", "add", "Bash(x)", "--list", "nonsense", "--scope", "user"]).expect(125, &[]);
    place.run(["rules", "add", "Bash(x)", "--list", "allow", "--scope", "managed"]).expect(125, &[]);
    place.run(["rules", "test"]).expect(125, &["no call was given"]);
    place.run(["rules", "test", "--tool", "Bash", "--args", "{"]).expect(125, &["not JSON"]);
    let broken = place.write(".letta/settings.json", "{ \"permissions\": [ }\n");
    place
        .run(["rules", "add", "Bash(x)", "--list", "allow", "--scope", "project"])
        .expect(125, &["settings.json"]);
    assert_eq!(std::fs::read_to_string(broken).unwrap(), "{ \"permissions\": [ }\n", "never overwritten");
}

#[test]
fn a_command_in_the_wrong_quotes_is_told_the_right_ones() {
    let place = Place::new();
    place.run(["check", "git", "push"]).expect(125, &["`--` in front of it", "`push` stands alone"]);
    place.run(["rules", "test", "git", "push"]).expect(125, &["put it in quotes"]);
    place.run(["run", "git status"]).expect(127, &["no such program", "portcullis run -c TEXT"]);
    let flag = place.run(["check", "--no-such-flag"]);
    assert!(!flag.stderr.contains("stands alone"), "{flag:#?}");
}

#[test]
fn suggestions_are_rules_or_a_reason_for_none() {
    let place = Place::new();
    let offered = json(
        &place.run(["rules", "suggest", "--format", "json", "--command", "cargo test --workspace"]).stdout,
    );
    assert_eq!(offered["rules"][0], "Bash(cargo test:*)");
    let none = place.run(["rules", "suggest", "--command", "rm -rf build"]);
    assert!(none.stdout.contains("asked every time"), "{none:#?}");
}

#[test]
fn the_probe_names_each_back_end_with_its_gaps() {
    let place = Place::new();
    let probed = json(&place.run(["sandbox", "probe", "--format", "json"]).stdout);
    let backends = probed["backends"].as_array().unwrap();
    let names: Vec<&str> = backends.iter().map(|backend| backend["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["bwrap", "landlock"]);
    for backend in backends {
        assert!(backend["usable"].is_boolean() && backend["gaps"].is_array(), "{backend:#}");
        assert_eq!(backend["usable"] == true, backend["reason"].is_null(), "{backend:#}");
    }
}

#[test]
fn sandbox_run_confines_under_each_back_end() {
    for backend in ["bwrap", "landlock"] {
        let place = Place::new();
        let run = |mode: &str, command: &str| {
            place.run(["sandbox", "run", "--sandbox", mode, "--backend", backend, "--", "sh", "-c", command])
        };
        run("workspace-write", "echo x > inside").expect(0, &[]);
        assert!(there(&place.project().join("inside")), "{backend}");
        let ended = run("workspace-write", &format!("echo x > {}", place.path("outside").display()));
        assert_ne!(ended.code, Some(0), "{backend}: {ended:#?}");
        ended.expect(ended.code.unwrap(), &["[sandbox: access was denied under workspace-write]"]);
        assert!(!there(&place.path("outside")), "{backend}");
        assert_ne!(run("read-only", "echo x > again").code, Some(0), "{backend}");
        assert!(!there(&place.project().join("again")), "{backend}");
        run("read-only", "exit 9").expect(9, &[]);
    }
}

#[test]
fn sandbox_run_writes_below_the_roots_that_are_named() {
    let place = Place::new();
    let other = place.path("other");
    std::fs::create_dir(&other).unwrap();
    let text = format!("echo x > {}/made; echo x > inside", other.display());
    let root = other.to_str().unwrap();
    place.run(["sandbox", "run", "--root", root, "--", "sh", "-c", &text]);
    assert!(there(&other.join("made")) && !there(&place.project().join("inside")));
}

#[test]
fn the_log_is_shown_and_filtered() {
    let place = Place::new();
    place.run(["run", "--session", "one", "--mode", "unrestricted", "--", "true"]).expect(0, &[]);
    place.run(["run", "--session", "two", "--", "rm", "-r", "x"]).expect(126, &[]);
    let show = |arguments: &[&str]| -> Vec<Value> {
        let mut all = vec!["log", "show", "--format", "json"];
        all.extend(arguments);
        place.run(all).stdout.lines().map(json).collect()
    };
    assert!(show(&[]).len() >= 8);
    assert!(show(&["--session", "one"]).iter().all(|event| event["session"] == "one"));
    let asked = show(&["--decision", "ask"]);
    assert_eq!((asked.len(), &asked[0]["session"]), (1, &"two".into()));
    assert_eq!(show(&["--kind", "sandbox/run"]).len(), 1);
    assert_eq!(show(&["--last", "2"]).len(), 2);
    let text = place.run(["log", "show", "--session", "one"]);
    assert!(text.stdout.contains("tool/call") && text.stdout.contains("exit_code"), "{text:#?}");
    place.run(["log", "show", "--log", "/nowhere/log.jsonl"]).expect(125, &["/nowhere/log.jsonl"]);
}

#[test]
fn shell_text_is_analysed_without_any_decision() {
    let place = Place::new();
    let analysis = json(&place.run(["shell", "analyze", "git status && rm -rf x"]).stdout);
    assert_eq!((&analysis["parsed"], &analysis["read_only"]), (&true.into(), &false.into()));
    assert_eq!(analysis["invocations"][1]["argv"], serde_json::json!(["rm", "-rf", "x"]));
    let refused = json(&place.run(["shell", "analyze", "echo \"x"]).stdout);
    assert_eq!(refused["parsed"], false);
    assert!(!refused["why"].as_array().unwrap().is_empty());
    assert_eq!(
        json(&place.run(["shell", "split", "a 'b c' d\\ e"]).stdout)["words"],
        serde_json::json!(["a", "b c", "d e"])
    );
    assert_eq!(json(&place.run(["shell", "unwrap", "bash -c 'ls -l'"]).stdout)["text"], "ls -l");
    place.run(["shell", "split", "a | b"]).expect(125, &["not one simple command"]);
}

#[test]
fn shell_answers_come_in_lines_too() {
    let place = Place::new();
    let text = |arguments: &[&str]| {
        let ended = place.run([&["shell", "--format", "text"], arguments].concat());
        ended.expect(0, &[]);
        ended.stdout
    };
    assert_eq!(text(&["unwrap", "bash -lc 'ls -l'"]), "ls -l\n");
    assert_eq!(text(&["split", "a 'b c'"]), "a\nb c\n");
    assert_eq!(text(&["normalize", "git \"diff\":*"]), "git diff:*\n");
    assert_eq!(
        text(&["analyze", "ls; rm x"]),
        "not read-only\n  reads ls\n  does  rm x\n  because removes `PROJECT/x`  [x]\n"
            .replace("PROJECT", place.project().to_str().unwrap())
    );
    assert!(text(&["effects", "cat a"]).starts_with("read-only\n  read "));
    assert_eq!(text(&["analyze", ""]), "read-only\n", "nothing does nothing");
}

#[test]
fn confined_text_stays_in_its_roots() {
    let place = Place::new();
    let root = place.project();
    let root = root.to_str().unwrap();
    let confined = |text: &str| place.run(["shell", "confined", "--root", root, text]);
    let yes = confined("git add -A && git commit -m x > log");
    yes.expect(0, &[]);
    assert_eq!(json(&yes.stdout), serde_json::json!({ "confined": true, "roots": [root], "why": [] }));
    let no = confined("cat a ../b");
    no.expect(1, &[]);
    let answer = json(&no.stdout);
    assert_eq!((&answer["confined"], &answer["why"][0]["text"]), (&false.into(), &"../b".into()));
    assert_eq!(answer["why"].as_array().unwrap().len(), 1);
    place.run(["shell", "confined", "--root", root, "ls \"$D\""]).expect(1, &[]);
    place.run(["shell", "confined", "--root", root, "--env", "D=sub", "ls \"$D\""]).expect(0, &[]);
    place.run(["shell", "confined", "--root", root, "--env", "D", "ls"]).expect(125, &["NAME=VALUE"]);
    place.run(["shell", "confined", "--root", "", "ls"]).expect(125, &["--root"]);
    place.run(["shell", "confined", "ls"]).expect(125, &["--root"]);
    place.run(["shell", "confined", "--root", root]).expect(125, &["TEXT", "--command", "--batch"]);
    place.run(["shell", "analyze"]).expect(125, &["TEXT", "--command", "--batch"]);
    // A request of a batch can bring its own roots, and must where none is given.
    let batch = |request: &str| {
        let command = place.portcullis(["shell", "confined", "--batch"]);
        support::feed(command, request.as_bytes())
    };
    let inside = batch("{\"command\":\"ls\",\"cwd\":\"/repo\",\"roots\":[\"/repo\"]}\n");
    assert!(inside.stdout.contains("\"confined\":true"), "{inside:#?}");
    batch("{\"command\":\"ls\",\"cwd\":\"/repo\"}\n").expect(125, &["have no answer"]);
    batch("{\"command\":\"rm x\",\"command\":\"ls\",\"roots\":[\"/repo\"]}\n")
        .expect(125, &["have no answer"]);
    let lines = place.run(["shell", "confined", "--format", "text", "--root", "/nowhere", "rm a"]);
    assert_eq!(lines.code, Some(1));
    assert!(lines.stdout.starts_with("may leave\n  because "), "{lines:#?}");
    place.run(["shell", "confined", "--root", "/", "rm a"]).expect(0, &[]);
}

#[test]
fn shell_batches_answer_line_by_line() {
    let place = Place::new();
    let root = place.project();
    let root = root.to_str().unwrap();
    let batch = |arguments: &[&str], input: &[u8]| {
        let mut command = place.plain(support::BINARY);
        command.arg("shell").args(arguments).arg("--batch");
        let ended = support::feed(command, input);
        let answers = ended.stdout.lines().map(json).collect::<Vec<_>>();
        let errors = answers.iter().any(|answer| answer.get("error").is_some());
        ended.expect(if errors { 125 } else { 0 }, if errors { &["have no answer"] } else { &[] });
        answers
    };
    let words = batch(
        &["split"],
        b"{\"id\":1,\"command\":\"a b\"}\r\n\n{\"id\":2,\"command\":\"a|b\"}\n\xff\nx\n[]\n",
    );
    assert_eq!(words[0], serde_json::json!({ "id": 1, "words": ["a", "b"] }));
    assert_eq!((&words[1]["id"], &words[1]["error"]["code"]), (&2.into(), &"split".into()));
    let codes: Vec<_> = words[2..].iter().map(|line| line["error"]["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["request"; 3]);
    for command in ["analyze", "effects", "unwrap", "normalize"] {
        let answers = batch(&[command], b"{\"id\":\"x\",\"command\":\"ls \\u0000\"}\n{\"command\":\"ls\"}");
        assert_eq!(answers.len(), 2, "{command}");
        assert_eq!((&answers[0]["id"], &answers[1]["id"]), (&"x".into(), &Value::Null), "{command}");
    }
    let nul = batch(&["analyze"], b"{\"command\":\"ls \\u0000\"}");
    assert_eq!(nul[0]["parsed"], false);
    for (field, value) in [
        ("cwd", "\"a\""),
        ("home", "1"),
        ("roots", "[\"a\"]"),
        ("roots", "1"),
        ("shell", "\"fish\""),
        ("shel", "1"),
    ] {
        let line = format!("{{\"command\":\"ls\",\"{field}\":{value}}}");
        for question in ["analyze", "split"] {
            let message = batch(&[question], line.as_bytes())[0]["error"]["message"].to_string();
            assert!(message.contains(&format!("`{field}`")), "{message}");
        }
    }
    let confined = batch(
        &["confined", "--root", root],
        br#"{"id":1,"command":"rm x"}
{"id":2,"command":"rm x","cwd":"/etc"}
{"id":3,"command":"rm x","cwd":"/etc","roots":["/etc"]}"#,
    );
    let answers: Vec<_> = confined.iter().map(|line| line["confined"].as_bool().unwrap()).collect();
    assert_eq!(answers, [true, false, true]);
}

#[test]
fn shell_texts_of_every_shape_are_answered() {
    let place = Place::new();
    let analyze = |input: &[u8]| {
        let mut command = place.plain(support::BINARY);
        command.args(["shell", "analyze", "-"]);
        support::feed(command, input)
    };
    let empty = analyze(b"");
    empty.expect(0, &[]);
    assert_eq!(json(&empty.stdout)["read_only"], true);
    let carriage = json(&analyze(b"ls\r\nls src\r\n").stdout);
    assert_eq!(
        carriage["invocations"][1]["argv"],
        serde_json::json!(["ls", "src\r"]),
        "a CR is part of words"
    );
    assert_eq!(json(&analyze(b"ls \0 x").stdout)["parsed"], false);
    let large = json(&analyze("ls a\n".repeat(420_000).as_bytes()).stdout);
    assert_eq!((&large["parsed"], &large["read_only"]), (&false.into(), &false.into()));
    assert!(large["why"].to_string().contains("1 MiB"), "{}", large["why"]);
    analyze(b"ls \xff").expect(125, &["standard input"]);
}

#[test]
fn completions_are_printed_for_shells() {
    let place = Place::new();
    let bash = place.run(["completions", "bash"]);
    bash.expect(0, &[]);
    assert!(bash.stdout.contains("portcullis") && bash.stdout.contains("--status-fd"));
    let offered = |words: &str| bash.stdout.contains(&format!("compgen -W \"{words}\""));
    assert!(offered("strict standard acceptEdits unrestricted plan dontAsk"), "values of --mode");
    assert!(offered("letta claude portcullis"), "values of --profile");
    assert!(offered("user project local"), "values of --scope");
    place.run(["completions", "nonsense"]).expect(125, &[]);
}

#[test]
fn a_name_that_is_nearly_right_is_told() {
    let place = Place::new();
    let check = |flag: &str, value: &str, says: &str| {
        place.run(["check", flag, value, "--command", "ls"]).expect(125, &[value, says]);
    };
    check("--mode", "standrd", "do: did you mean `standard`? use strict, standard,");
    check("--mode", "yolo", "do: use strict, standard,");
    check("--profile", "Claude", "do: did you mean `claude`?");
    let mut by_variable = place.portcullis(["check", "--command", "ls"]);
    by_variable.env("PORTCULLIS_PROFILE", "porticullis");
    Ended::of(&by_variable.output().unwrap()).expect(125, &["did you mean `portcullis`?"]);
    let add = ["rules", "add", "Bash(ls)", "--list", "deny", "--scope", "projct"];
    place.run(add).expect(125, &["a similar value exists: 'project'"]);
    // Names of before still count.
    place.run(["check", "--mode", "bypassPermissions", "--command", "make"]).expect(0, &[]);
}

#[test]
fn a_wildcard_for_git_shows_no_secret_out_of_its_objects() {
    let place = Place::with_git();
    for text in [
        "git diff HEAD -- '.e*'",
        "git grep x -- '.e*'",
        "git log -p -- '*.pem'",
        "git show HEAD -- ':(glob)**/.env'",
    ] {
        let asked = place.run(["check", "--command", text]);
        asked.expect(1, &[]);
        assert!(asked.stdout.contains("Reads a secret"), "{text}: {asked:#?}");
    }
    for text in
        ["git diff -- '*.rs' '*.json'", "git grep 'a.*b' -- 'src/*.ts'", "git diff -- '*'", "git diff"]
    {
        place.run(["check", "--command", text]).expect(0, &[]);
    }
}

/// The texts of the program in backquotes that begin with its own name, as people may type them.
fn named_commands(folder: &std::path::Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            named_commands(&path, found);
        } else {
            let text = std::fs::read_to_string(&path).unwrap();
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for line in lines {
                let quoted = line.split('`').skip(1).step_by(2);
                found.extend(quoted.filter_map(|text| text.strip_prefix("portcullis ")).map(str::to_owned));
            }
        }
    }
}

#[test]
fn commands_that_messages_name_are_understood() {
    let place = Place::new();
    let mut found = Vec::new();
    named_commands(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > 8, "{found:?}");
    for text in found {
        // Before the help is shown, the words in front of it are read.
        let ended = place.run(text.split(' ').chain(["--help"]));
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{text}");
    }
    assert_eq!(place.run(["rules", "list", "--list", "deny", "--help"]).code, Some(125));
}

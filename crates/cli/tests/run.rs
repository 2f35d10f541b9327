//! `run` without a terminal, through the real binary.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

mod support;

use std::{os::unix::fs::PermissionsExt as _, process::Stdio};

use support::{Ended, Place, there};

#[test]
fn a_reading_command_runs_without_a_question_and_in_a_read_only_sandbox() {
    let place = Place::with_git();
    let ended = place.run(["run", "--", "git", "status", "--short", "--branch"]);
    ended.expect(0, &[]);
    assert!(ended.stdout.contains("No commits yet"), "{ended:#?}");
    assert_eq!(place.event_types(), ["tool/call", "decision", "sandbox/run", "tool/result"]);
    let run = place.events().into_iter().find(|event| event["type"] == "sandbox/run").unwrap();
    assert_eq!(run["facts"]["mode"], "read-only");
}

#[test]
fn without_a_terminal_a_question_is_a_no_and_nothing_is_removed() {
    let place = Place::new();
    place.write("build/out.o", "x");
    place.run(["run", "--", "rm", "-rf", "build"]).expect(126, &["needs a person: no terminal"]);
    assert!(there(&place.project().join("build/out.o")));
    assert_eq!(
        place.event_types(),
        ["tool/call", "decision", "approval/asked", "approval/decided", "tool/result"]
    );
}

#[test]
fn a_deny_rule_holds_through_quotes_and_names_its_file_and_line() {
    let place = Place::with_git();
    place.write(
        ".letta/settings.json",
        "{ \"permissions\": {\n  // never from here\n  \"deny\": [\n    \"Bash(git push:*)\" ] } }\n",
    );
    let ended = place.run(["run", "--", "sh", "-c", "cd . && \"git\" push"]);
    ended.expect(126, &["Bash(git push:*)", ".letta/settings.json:4"]);
    let ended = place.run(["run", "--mode", "unrestricted", "-c", "true; 'git' push"]);
    ended.expect(126, &["Bash(git push:*)", ".letta/settings.json:4"]);
}

#[test]
fn the_status_is_the_commands_own() {
    let place = Place::new();
    let run = |text: &str| place.run(["run", "--mode", "unrestricted", "-c", text]);
    run("exit 7").expect(7, &[]);
    run("exit 125").expect(125, &[]);
    run("kill -9 $$").expect(137, &[]);
    let ended = place.run(["run", "--mode", "unrestricted", "--timeout", "0.3", "--", "sleep", "30"]);
    ended.expect(124, &[]);
}

#[test]
fn what_cannot_start_is_127_or_126() {
    let place = Place::new();
    place.run(["run", "--", "no-such-program-here"]).expect(127, &["`no-such-program-here`"]);
    let script = place.write("script.sh", "echo x\n");
    std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o644)).unwrap();
    place.run(["run", "--", "./script.sh"]).expect(126, &["not executable"]);
}

#[test]
fn mistakes_are_one_clear_error_and_125() {
    let place = Place::new();
    place
        .run(["run", "--mode", "nonsense", "--", "true"])
        .expect(125, &["unknown mode `nonsense`", "do: use strict"]);
    place.run(["--profile", "nonsense", "run", "--", "true"]).expect(125, &["unknown profile `nonsense`"]);
    place.run(["run", "--sandbox", "nonsense", "--", "true"]).expect(125, &["nonsense"]);
    place.run(["run"]).expect(125, &[]);
    place.run(["run", "--status-fd", "77", "--", "true"]).expect(125, &["descriptor 77"]);
    place.run(["run", "--session", "../x", "--", "true"]).expect(125, &["--session"]);
    place
        .run(["run", "--cwd", "/nowhere/at/all", "--mode", "unrestricted", "--", "true"])
        .expect(125, &["/nowhere/at/all"]);
    place.run(["nonsense"]).expect(125, &[]);
}

#[test]
fn settings_that_do_not_parse_are_named_and_nothing_is_automatic() {
    let place = Place::with_git();
    place.write(".letta/settings.json", "{ \"permissions\": {\n  \"allow\": [ 'Bash(touch:*)' ] } }\n");
    let ended = place.run(["run", "--", "git", "status"]);
    ended.expect(126, &[".letta/settings.json:2", "needs a person"]);
}

#[test]
fn without_a_place_for_the_log_nothing_runs() {
    let place = Place::new();
    let log = place.write("not-a-folder", "");
    let log = log.join("log.jsonl");
    let ended =
        place.run(["run", "--mode", "unrestricted", "--log", log.to_str().unwrap(), "--", "touch", "made"]);
    ended.expect(125, &["the log", "--log PATH"]);
    assert!(!there(&place.project().join("made")));

    let mut command =
        place.portcullis(["run", "--mode", "unrestricted", "--log", "/dev/full", "--", "touch", "made"]);
    Ended::of(&command.output().unwrap()).expect(125, &["/dev/full"]);
    assert!(!there(&place.project().join("made")));
}

#[test]
fn the_status_descriptor_tells_what_the_exit_status_cannot() {
    let place = Place::new();
    let ask = |command: &str| -> serde_json::Value {
        let script = format!(
            "exec 3>\"$0\"; exec {} run --mode unrestricted --status-fd 3 {command}",
            support::BINARY
        );
        let file = place.path("status.json");
        let status =
            place.plain("bash").args(["-c", &script]).arg(&file).stderr(Stdio::null()).status().unwrap();
        assert!(status.code().is_some());
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
    };
    let made = place.path("made");
    let script = format!(
        "exec {} run --mode unrestricted --status-fd 3 -- touch {} 3</dev/null",
        support::BINARY,
        made.display()
    );
    let status = place.plain("bash").args(["-c", &script]).stderr(Stdio::null()).status().unwrap();
    assert_eq!(status.code(), Some(125), "a descriptor for reading is known before anything runs");
    assert!(!there(&made));
    let status = ask("-c 'exit 125'");
    assert_eq!(
        (&status["decision"], &status["gate"], &status["exit"]),
        (&"allow".into(), &"mode".into(), &125.into())
    );
    assert_eq!(status["sandbox"]["mode"], "workspace-write");
    assert!(status.get("error").is_none());
    let status = ask("-- no-such-program-here");
    assert_eq!((&status["exit"], &status["error"]["code"]), (&serde_json::Value::Null, &"start".into()));
    let status = ask("--timeout 0.2 -- sleep 30");
    assert_eq!(status["timed_out"], true);
}

#[test]
fn secrets_are_out_of_reach_and_the_outside_cannot_be_written() {
    let place = Place::with_git();
    place.write(".env", "TOKEN=hunter2");
    let outside = place.path("outside");
    std::fs::create_dir(&outside).unwrap();
    let text = format!(
        "cat .env; echo \"[$MY_TOKEN]\"; echo x > {}/x; echo y > inside; echo z >> .git/config",
        outside.display()
    );
    let mut command = place.portcullis(["run", "--mode", "unrestricted", "-c", &text]);
    let ended = Ended::of(&command.env("MY_TOKEN", "hunter3").output().unwrap());
    assert!(!ended.stdout.contains("hunter"), "{ended:#?}");
    assert!(!there(&outside.join("x")));
    assert!(there(&place.project().join("inside")));
    assert!(!std::fs::read_to_string(place.project().join(".git/config")).unwrap().contains('z'));
}

#[test]
fn an_explicit_narrower_sandbox_is_the_callers_choice() {
    let place = Place::new();
    let ended = place.run(["run", "--mode", "unrestricted", "--sandbox", "read-only", "--", "touch", "made"]);
    assert_ne!(ended.code, Some(0), "{ended:#?}");
    ended.expect(ended.code.unwrap(), &["[sandbox: access was denied under read-only]"]);
    assert!(!ended.stderr.contains("may be retried"), "nobody can be asked: {ended:#?}");
    assert!(!there(&place.project().join("made")));
}

#[test]
fn words_are_never_read_as_text() {
    let place = Place::new();
    let ended =
        place.run(["run", "--mode", "unrestricted", "--", "printf", "%s|", "a b", "$(touch made)", "", "*"]);
    ended.expect(0, &[]);
    assert_eq!(ended.stdout, "a b|$(touch made)||*|");
    assert!(!there(&place.project().join("made")));
}

#[test]
fn standard_input_belongs_to_the_command() {
    let place = Place::new();
    let mut command = place.portcullis(["run", "--mode", "unrestricted", "--", "cat"]);
    let file = place.write("input", "through\n");
    let ended = Ended::of(&command.stdin(std::fs::File::open(file).unwrap()).output().unwrap());
    ended.expect(0, &[]);
    assert_eq!(ended.stdout, "through\n");
}

#[test]
fn an_opaque_command_runs_shut_in_without_a_question() {
    let place = Place::new();
    let outside = place.path("outside");
    std::fs::create_dir(&outside).unwrap();
    place.write(
        "tool.py",
        &format!("open('made', 'w').close()\nopen('{}/made', 'w').close()\n", outside.display()),
    );
    let ended = place.run(["run", "--", "python3", "tool.py"]);
    assert!(ended.code.is_some_and(|code| code != 0 && code != 126), "{ended:#?}");
    assert!(ended.stderr.contains("[sandbox: access was denied under workspace-write]"), "{ended:#?}");
    assert!(there(&place.project().join("made")) && !there(&outside.join("made")));
    let decision = place.events().into_iter().find(|event| event["type"] == "decision").unwrap();
    assert_eq!(decision["gate"], "confined-auto");
    // What the caller opens is not shut in.
    place.run(["run", "--net", "open", "--", "python3", "tool.py"]).expect(126, &["needs a person"]);
    place
        .run(["run", "--sandbox", "danger-full-access", "--", "python3", "tool.py"])
        .expect(126, &["needs a person"]);
}

#[test]
fn a_directory_that_is_gone_is_named_as_such() {
    let place = Place::new();
    let script = format!("mkdir gone && cd gone && rmdir ../gone && exec {} run -- true", support::BINARY);
    let ended = Ended::of(&place.plain("bash").args(["-c", &script]).output().unwrap());
    ended.expect(125, &["the working directory cannot be read", "--cwd DIR"]);
}

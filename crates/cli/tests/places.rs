//! Where a session stands: directories that cannot be used are told, and never leave rules that deny unread.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

mod support;

use support::{Ended, Place};

const FREE: &[&str] = &["--mode", "unrestricted"];
const CHECK: &[&str] = &["check", "--command", "rm x"];

/// A user who denies `rm`.
fn denying() -> Place {
    let place = Place::new();
    place.write_home(".letta/settings.json", r#"{"permissions":{"deny":["Bash(rm:*)"]}}"#);
    place.write("file", "");
    place
}

#[test]
fn a_home_that_is_given_relative_is_one_below_the_working_directory() {
    let place = denying();
    for home in ["../home", "../home/", "./../home/../home"] {
        place.run([FREE, &["--home", home], CHECK].concat()).expect(2, &[]);
    }
    let home = place.path("home").display().to_string();
    place.run([FREE, &["--home", &home], CHECK].concat()).expect(2, &[]);
}

#[test]
fn directories_that_are_none_are_told_by_every_command_that_judges() {
    let place = denying();
    let commands: [(&[&str], i32); 7] = [
        (CHECK, 125),
        (&["check", "--batch", "-"], 125),
        (&["explain", "--command", "rm x"], 125),
        (&["run", "--", "true"], 125),
        (&["rules", "list"], 125),
        (&["rules", "lint"], 2),
        (&["trust", "status"], 125),
    ];
    for (command, status) in commands {
        for flag in ["--project-root", "--home", "--cwd"] {
            for (named, what) in
                [("/nowhere/at/all", "no directory"), ("nope", "no directory"), ("file", "is no directory")]
            {
                place.run([FREE, &[flag, named], command].concat()).expect(
                    status,
                    &[named, what, &format!("at: {flag}"), "do: name a directory that exists"],
                );
            }
        }
    }
    for named in ["/nowhere/at/all", "/dev/null"] {
        let mut command = place.portcullis(["--profile", "claude", "check", "--command", "ls"]);
        let ended = Ended::of(&command.env("CLAUDE_PROJECT_DIR", named).output().unwrap());
        ended.expect(125, &[named, "no directory", "at: environment variable CLAUDE_PROJECT_DIR"]);
    }
}

#[test]
fn where_home_says_nothing_usable_nothing_is_automatic() {
    let place = denying();
    for home in ["", "../home", "home"] {
        let mut command = place.portcullis([FREE, &["check", "--command", "touch x"]].concat());
        let ended = Ended::of(&command.env("HOME", home).output().unwrap());
        ended.expect(1, &["at: environment variable HOME", "absolute path", "give --home DIR"]);
        assert!(ended.stdout.contains("environment variable HOME"), "{ended:#?}");
        // What is said on the command line beats it.
        let mut command = place.portcullis([FREE, &["--home", "../home"], CHECK].concat());
        Ended::of(&command.env("HOME", home).output().unwrap()).expect(2, &[]);
    }
}

#[test]
fn without_home_the_account_says_where_it_is() {
    let place = denying();
    let entry = Ended::of(&place.plain("sh").args(["-c", "getent passwd $(id -u)"]).output().unwrap()).stdout;
    let Some(home) = entry.trim_end().split(':').nth(5).filter(|home| home.starts_with('/')) else { return };
    let mut command = place.portcullis(["shell", "analyze", "cat ~/notes"]);
    let ended = Ended::of(&command.env_remove("HOME").output().unwrap());
    ended.expect(0, &[]);
    assert!(ended.stdout.contains(&format!("\"path\":\"{home}/notes\"")), "{ended:#?}");
    let mut command = place.portcullis(["check", "--command", "ls"]);
    let ended = Ended::of(&command.env_remove("HOME").output().unwrap());
    assert!(!ended.stderr.contains("environment variable HOME"), "{ended:#?}");
}

#[test]
fn without_home_and_account_nothing_is_automatic() {
    let mut place = denying();
    let is_root = Ended::of(&place.plain("id").arg("-u").output().unwrap()).stdout.trim() == "0";
    if !is_root {
        return;
    }
    place.give_to_nobody();
    let mut command = place.plain("setpriv");
    command.args(["--reuid", "4242424", "--regid", "65534", "--clear-groups"]).arg(place.binary());
    command
        .args(FREE)
        .args(["check", "--command", "touch x"])
        .env_remove("HOME")
        .env_remove("XDG_STATE_HOME");
    let ended = Ended::of(&command.output().unwrap());
    ended.expect(1, &["the home directory is not known", "settings could not be read", "give --home DIR"]);
}

#[test]
fn a_request_whose_environment_has_no_home_has_that_of_the_process() {
    let place = denying();
    let request = |environment: serde_json::Value| {
        serde_json::json!({
            "id": 1, "tool": "Bash", "arguments": { "command": "rm x" }, "mode": "unrestricted",
            "settings": "load", "env": environment, "root": place.project(), "cwd": place.project(),
        })
    };
    for (environment, decision) in [
        (serde_json::json!({}), "deny"),
        (serde_json::json!({ "HOME": place.path("home") }), "deny"),
        (serde_json::json!({ "HOME": "" }), "deny"),
        (serde_json::json!({ "HOME": "/nowhere/at/all" }), "allow"),
    ] {
        let input = request(environment).to_string();
        let ended = support::feed(place.portcullis(["check", "--batch", "-"]), input.as_bytes());
        let answer: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(answer["decision"], decision, "{input} {ended:#?}");
    }
}

//! `check` through the real binary: exit statuses, settings, and what an answer hangs on. Nothing is run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use std::{io::Write as _, process::Stdio};

use serde_json::{Value, json};
use support::{
    Ended, Place,
    batch::{answer, batch_of, read, request},
};

#[test]
fn the_status_is_the_decision() {
    let place = Place::new();
    let check = |arguments: &[&str]| {
        let mut all = vec!["check"];
        all.extend(arguments);
        place.run(all)
    };
    let allowed = check(&["--command", "ls"]);
    assert_eq!((allowed.code, allowed.stdout.as_str()), (Some(0), "allow: Read-only shell command\n"));
    let asked = check(&["--command", "cargo test"]);
    assert_eq!(
        (asked.code, asked.stdout.as_str()),
        (
            Some(1),
            "ask: Default behavior for tool (not read-only: runs something that is not known, and 1 more)\n"
        )
    );
    let every_time = check(&["--command", "rm -rf /"]);
    assert_eq!(
        (every_time.code, every_time.stdout.as_str()),
        (Some(1), "alwaysAsk: Removes a critical path (/)\n")
    );
    let denied = check(&["--disallowed-tools", "Bash(ls:*)", "--command", "ls"]);
    assert_eq!(
        (denied.code, denied.stdout.as_str()),
        (Some(2), "deny: Matched --disallowedTools flag (Bash(ls:*) (CLI), cli scope)\n")
    );
    assert_eq!(check(&["--mode", "dontAsk", "--command", "cargo test"]).code, Some(2));
    check(&["--tool", "Read", "--args", "{\"file_path\":\"x\"}"]).expect(0, &[]);
    check(&["--tool", "TodoWrite"]).expect(0, &[]);
}

#[test]
fn mistakes_are_125_in_words() {
    let place = Place::new();
    for (arguments, words) in [
        (vec![], "no call was given"),
        (vec!["--tool", "Bash", "--args", "{"], "not JSON"),
        (vec!["--tool", "Bash", "--args", "[]"], "not a JSON object"),
        (vec!["--mode", "nonsense", "--command", "ls"], "nonsense"),
        (vec!["--profile", "nonsense", "--command", "ls"], "unknown profile"),
        (
            vec!["--tool", "Bash", "--args", "{\"command\":\"rm x\",\"command\":\"ls\"}"],
            "`command` stands twice",
        ),
        (vec!["--tool", "Bash", "--", "ls"], "cannot be used with"),
        (vec!["ls", "--", "ls"], "cannot be used with"),
        (vec!["--nonsense"], "--nonsense"),
        (vec!["--batch", "/nowhere/calls.jsonl"], "/nowhere/calls.jsonl"),
        (vec!["--batch", "-", "--command", "ls"], "cannot be used with"),
    ] {
        let mut all = vec!["check"];
        all.extend(&arguments);
        let ended = place.run(all);
        ended.expect(125, &[words]);
        assert_eq!(ended.stdout, "", "{ended:#?}");
    }
}

#[test]
fn a_call_can_come_from_standard_input() {
    let place = Place::new();
    for (arguments, input) in [
        (["check", "--command", "-", "--format", "text"], "git status\n"),
        (["check", "--tool=Bash", "--args", "-", "--format=text"], "{\"command\":\"git status\"}"),
    ] {
        let mut child = place
            .plain(support::BINARY)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let ended = Ended::of(&child.wait_with_output().unwrap());
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "allow: Read-only shell command\n"));
    }
}

#[test]
fn settings_are_loaded_where_a_line_says_so() {
    let place = Place::new();
    place.write(
        ".letta/settings.json",
        r#"{ "permissions": { "allow": ["Bash(cargo test:*)"], "deny": ["Bash(ls:*)"] } }"#,
    );
    let project = place.project();
    let decided = |command: &str, extra: Value| {
        let mut line = json!({
            "id": 1, "tool": "Bash", "arguments": { "command": command }, "cwd": project, "home": "/home/u",
        });
        line.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        answer(&line)["decision"].as_str().unwrap().to_owned()
    };
    assert_eq!(decided("ls", json!({})), "deny");
    // Not trusted unless the line says so: the project cannot loosen.
    assert_eq!(decided("cargo test", json!({})), "ask");
    assert_eq!(decided("cargo test", json!({ "trusted": true })), "allow");
    assert_eq!(decided("ls", json!({ "settings": "none" })), "allow");
    assert_eq!(decided("ls", json!({ "rules": {} })), "allow");
    assert_eq!(decided("ls", json!({ "rules": {}, "settings": "load" })), "deny");
}

/// What a person is told in words, machines are told too.
#[test]
fn the_reason_behind_the_reason_is_in_both_forms() {
    let place = Place::new();
    let why = |command: &str| {
        let ended = place.run(["check", "--format", "json", command]);
        let why: Vec<String> = serde_json::from_value(read(&ended.stdout)["why"].clone()).unwrap();
        let text = place.run(["check", command]).stdout;
        assert!(why.first().is_none_or(|first| text.contains(first.as_str())), "{text} {why:?}");
        why
    };
    let removed = why("rm -rf build");
    assert!(removed.iter().any(|clause| clause.starts_with("removes ")), "{removed:?}");
    assert!(why("cat \"$x\" | bash; eval \"$y\"").len() > 1);
    assert!(why("git status").is_empty());
    assert_eq!(why("rm -rf /"), ["/"]);
    let secret = place.write(".env", "A=1").to_str().unwrap().to_owned();
    assert_eq!(why("cat .env"), [secret]);
    // Where something below the project is written, but not what, the settings in force there are named.
    let settings = place.write(".letta/settings.json", "{}").to_str().unwrap().to_owned();
    let project = place.project().to_str().unwrap().to_owned();
    for command in ["tar xzf a.tgz", "patch -p1 < a.diff", "pre-commit run --all-files"] {
        let named = why(command);
        assert_eq!(named.len(), 1, "{command}: {named:?}");
        assert!(
            named[0].starts_with(&format!("may change {project}/.letta/settings")),
            "{command}: {named:?}"
        );
        let unknown =
            [format!(": what it changes below {project}"), format!(": what it changes at {project}/**/*")];
        assert!(unknown.iter().any(|part| named[0].contains(part)), "{command}: {named:?}");
        let page = place.run(["explain", command]).stdout;
        assert!(page.contains("ask: Changes what decides (may change"), "{page}");
    }
    assert_eq!(why("echo > .letta/settings.json"), [settings]);
    // A program gives what it builds no name that something else looks for.
    assert!(
        !why("go build ./...").iter().any(|clause| clause.contains("settings") || clause.contains("toml"))
    );
}

/// A wildcard in the command's own words reads what it finds, and what it finds can be looked at.
#[test]
fn a_wildcard_that_finds_a_secret_asks() {
    let place = Place::new();
    for file in ["README.md", "src/main.rs", "conf/a.toml", "conf/app.pem.txt"] {
        place.write(file, "x");
    }
    let gate = |command: &str| {
        let answer = read(&place.run(["check", "--format", "json", command]).stdout);
        answer["gate"].as_str().unwrap().to_owned()
    };
    let patterns =
        ["cat .e*", "cat .en?", "cat ./*/.env", "head -3 */*.pem", "wc -l con?/*", "grep KEY .env*"];
    for command in patterns {
        assert_eq!(gate(command), "read-only-shell", "{command}: no secret is there");
    }
    place.write(".env", "A=1");
    place.write("conf/.env", "A=1");
    place.write("conf/server.pem", "x");
    for command in patterns {
        assert_eq!(gate(command), "secret", "{command}");
    }
    for command in
        ["cat *", "cat *.md", "cat src/*", "head conf/*.toml", "cat .env.ex*", "ls .e*", "wc -l con?/a*"]
    {
        assert_eq!(gate(command), "read-only-shell", "{command}");
    }
    std::os::unix::fs::symlink(place.project().join(".env"), place.project().join("src/notes.txt")).unwrap();
    assert_eq!(gate("cat src/*"), "secret", "through a link");
    // Nobody can look: what the pattern can mean counts.
    let unseen = |command: &str| answer(&request(&json!(1), command))["gate"].clone();
    for command in ["cat .e*", "cat .en?", "cat conf/*.p?m", "cat id_*"] {
        assert_eq!(unseen(command), "secret", "{command}");
    }
    for command in ["cat *.md", "cat src/*.rs", "wc -l docs/*.txt"] {
        assert_eq!(unseen(command), "read-only-shell", "{command}");
    }
    for command in ["grep -rn API_KEY .", "rg -uuu API_KEY", "find . -name '.env' -exec cat {} +"] {
        let answer = read(&place.run(["check", "--format", "json", command]).stdout);
        assert!(answer["exclude"].as_array().unwrap().contains(&json!(".env")), "{command}: {answer}");
        assert_eq!(answer["confinement"]["required"], true, "{command}: {answer}");
    }
}

/// An allow that hangs on what is hidden says so, and is none for a host that hides nothing.
#[test]
fn an_allow_says_what_it_hangs_on() {
    let place = Place::new();
    place.write("a", "x");
    let flags = ["--mode", "unrestricted", "--disallowed-tools", "Read(.env)"];
    let run = |command: &str, more: &[&str]| {
        place.run(["check"].iter().chain(&flags).chain(more).chain(&[command]).copied())
    };
    let root = place.project();
    let root = root.display();
    for command in ["grep -r A .", "tar cf - ."] {
        let ended = run(command, &[]);
        let hangs =
            format!(", only where {root}/.env and /**/.env are hidden from it, as `portcullis run` does\n");
        assert!(ended.code == Some(0) && ended.stdout.ends_with(&hangs), "{command}: {ended:#?}");
        let json = read(&run(command, &["--format", "json"]).stdout);
        let condition = json["condition"].as_str().unwrap();
        assert_eq!(format!(", {condition}\n"), hangs, "{command}");
        let page = place.run(["explain"].iter().chain(&flags).chain(&[command]).copied()).stdout;
        let page: Vec<&str> = page.split_whitespace().collect();
        assert!(page.join(" ").contains(condition), "{command}: {page:?}");
        // Without the means it is asked, whoever asks for the answer.
        let asked = run(command, &["--unconfined"]);
        assert!(asked.code == Some(1) && asked.stdout.starts_with("ask: May match deny rule"), "{asked:#?}");
        let page = place.run(["explain", "--unconfined"].iter().chain(&flags).chain(&[command]).copied());
        assert_eq!(page.code, Some(1), "{page:#?}");
    }
    let tool =
        ["check", "--disallowed-tools", "Read(.env)", "--tool", "Grep", "--args", "{\"pattern\":\"A\"}"];
    let ended = place.run(tool);
    assert!(ended.stdout.contains(", only where the tool leaves out "), "{ended:#?}");
    // What hangs on nothing says nothing.
    for more in [&[][..], &["--unconfined"]] {
        let ended = run("cat a", more);
        assert!(ended.code == Some(0) && !ended.stdout.contains("only where"), "{ended:#?}");
    }
    // Shut in, or asked.
    let shut_in = ["check", "--profile", "portcullis", "make"];
    place.run(shut_in).expect(0, &[]);
    assert!(place.run(shut_in).stdout.contains("only where it is shut in"));
    assert_eq!(place.run(shut_in.iter().copied().chain(["--unconfined"])).code, Some(1));
    // Lines of a batch may say otherwise.
    for (flags, hides, decision) in [
        (&[][..], None, "allow"),
        (&["--unconfined"], None, "ask"),
        (&["--unconfined"], Some(true), "allow"),
        (&[], Some(false), "ask"),
    ] {
        let mut request = request(&json!(1), "grep -r A .");
        request["rules"] = json!({ "deny": ["Read(.env)"] });
        if let Some(hides) = hides {
            request["hides"] = hides.into();
        }
        let answer = read(&batch_of(&place, flags, format!("{request}\n").as_bytes()).stdout);
        assert_eq!(answer["decision"], decision, "{flags:?} {hides:?}: {answer}");
        assert_eq!(answer.get("condition").is_some(), decision == "allow", "{answer}");
    }
}

/// Behind `--` stand words, as for `run`.
#[test]
fn words_are_an_argv() {
    let place = Place::new();
    let says = |words: &[&str]| {
        let mut all = vec!["check", "--"];
        all.extend(words);
        place.run(all).stdout
    };
    assert_eq!(says(&["git", "status"]), "allow: Read-only shell command\n");
    assert!(says(&["rm", "-rf", "build"]).starts_with("ask: "));
    assert_eq!(says(&["echo", "a; rm b"]), "allow: Read-only shell command\n");
    assert_eq!(says(&["git status"]), "allow: Read-only shell command\n", "one word is a text");
    assert!(says(&["bash", "-c", "git status"]).starts_with("allow: "));
}

/// The directory that a call names is looked at on the disk.
#[test]
fn a_directory_behind_a_link_is_where_it_leads() {
    let place = Place::new();
    place.write("src/a.txt", "x");
    std::fs::create_dir_all(place.path("elsewhere/deep")).unwrap();
    std::fs::write(place.path("elsewhere/a.txt"), "x").unwrap();
    std::os::unix::fs::symlink(place.path("elsewhere/deep"), place.project().join("link")).unwrap();
    let decision = |command: &str, directory: &str| {
        let arguments = json!({ "cmd": command, "workdir": directory }).to_string();
        let call = ["check", "--format", "json", "--tool", "exec_command", "--args", &arguments];
        read(&place.run(call).stdout)["decision"].clone()
    };
    assert_eq!(decision("cat a.txt", "src"), "allow");
    assert_eq!(decision("cat a.txt", place.project().join("src").to_str().unwrap()), "allow");
    assert_eq!(decision("cat a.txt", "src/../src"), "allow");
    for directory in ["link", "link/..", "..", "../elsewhere", "/etc"] {
        assert_eq!(decision("cat a.txt", directory), "ask", "{directory}");
    }
    let arguments = json!({ "cmd": "git push", "workdir": "src" }).to_string();
    let page = place.run(["explain", "--tool", "exec_command", "--args", &arguments]).stdout;
    assert!(page.contains(", in src"), "{page}");
}

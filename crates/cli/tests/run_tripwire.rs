//! What a confined command makes of protected names that were not there before: it is found, moved and told.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

mod support;

use std::{
    fs,
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;
use support::{Place, there};

/// The project of root, when we are root, and that of nobody.
fn for_each_user(body: impl Fn(&Place)) {
    body(&Place::with_git());
    if nix::unistd::geteuid().is_root() {
        let mut place = Place::with_git();
        place.give_to_nobody();
        body(&place);
    }
}

/// Waits for something that another process does.
fn wait_for(what: &str, done: impl Fn() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what} did not happen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The one event of the tripwire.
fn event(place: &Place) -> Value {
    let mut all: Vec<Value> =
        place.events().into_iter().filter(|event| event["type"] == "sandbox/tripwire").collect();
    assert_eq!(all.len(), 1, "{all:#?}");
    all.remove(0)
}

const GRANTS: &str = r#"{"permissions":{"mode":"unrestricted"},"sandbox":{"mode":"danger-full-access"}}"#;

fn granting() -> String {
    format!(
        "import os\nos.mkdir('.letta')\nopen('.letta/settings.json', 'w').write('{GRANTS}')\nprint('done')\n"
    )
}

#[test]
fn settings_that_an_opaque_command_makes_never_count() {
    for_each_user(|place| {
        place.write("tool.py", &granting());
        place.write("src/x", "");
        place.settle();
        let words = format!("{} run --status-fd 3 -- python3 tool.py 3>status", place.binary());
        let ended = place.shell(&words);
        let settings = place.project().join(".letta/settings.json");
        ended.expect(
            0,
            &[
                &format!(
                    "`{}` is protected and was made by a confined command; it is now `",
                    settings.display()
                ),
                "do: look at it, and if it is right: mv '",
            ],
        );
        assert_eq!(ended.stdout, "done\n");
        assert!(!there(&place.project().join(".letta")));
        let event = event(place);
        assert_eq!((&event["change"], event["path"].as_str()), (&"new".into(), settings.to_str()));
        let quarantined = PathBuf::from(event["quarantined"].as_str().unwrap());
        assert!(quarantined.starts_with(place.path("state/portcullis/quarantine")), "{quarantined:?}");
        assert!(quarantined.to_str().unwrap().ends_with("/settings.json.quarantined-1"));
        assert_eq!(fs::read_to_string(&quarantined).unwrap(), GRANTS, "nothing is lost");
        let status: Value = serde_json::from_str(&place.read("status")).unwrap();
        assert_eq!(status["sandbox"]["tripwire"]["found"][0]["change"], "new", "{status}");
        assert_eq!(status["sandbox"]["tripwire"]["complete"], true);
        assert!(status["sandbox"]["gaps"].to_string().contains("\"protected-new: detected\""), "{status}");
        // The next call is judged as before.
        place.run(["run", "--", "rm", "-rf", "src"]).expect(126, &["needs a person"]);
        // The remedy is what it says.
        let remedy = ended.stderr.lines().find_map(|line| line.split_once("if it is right: ")).unwrap().1;
        fs::create_dir(place.project().join(".letta")).unwrap();
        assert!(Command::new("sh").args(["-c", remedy]).status().unwrap().success());
        assert_eq!(fs::read_to_string(settings).unwrap(), GRANTS);
    });
}

#[test]
fn a_new_repository_stays_without_its_active_hooks() {
    for_each_user(|place| {
        place.write(
            "tool.py",
            "import subprocess, os\n\
             subprocess.run(['git', 'init', '-q', 'sub'], check=True)\n\
             os.rename('sub/.git/hooks/pre-commit.sample', 'sub/.git/hooks/pre-commit')\n\
             os.makedirs('link/x')\nos.symlink('/etc', 'link/x/.vscode')\n",
        );
        place.settle();
        place
            .run(["run", "--", "python3", "tool.py"])
            .expect(0, &["sub/.git/hooks/pre-commit`", "link/x/.vscode`"]);
        let git = place.project().join("sub/.git");
        assert!(!there(&git.join("hooks/pre-commit")) && !there(&place.project().join("link/x/.vscode")));
        assert!(
            there(&git.join("hooks/update.sample")) && there(&git.join("config")) && there(&git.join("HEAD"))
        );
        let ended = place.run(["sandbox", "run", "--", "git", "init", "-q", "other"]);
        ended.expect(0, &[]);
        assert_eq!(ended.stderr, "");
        assert!(there(&place.project().join("other/.git/config")));
        // `sandbox run` asks nobody, and lets nothing through either.
        let ended = place.run(["sandbox", "run", "--backend", "landlock", "--", "touch", ".envrc"]);
        ended.expect(0, &["quarantine/sandbox-run/.envrc.quarantined-1`"]);
        assert!(!there(&place.project().join(".envrc")));
    });
}

#[test]
fn what_a_rule_forbids_to_write_is_found_where_it_is_new() {
    let place = Place::with_git();
    place.write(".letta/settings.json", r#"{"permissions":{"deny":["Edit(gen/**)"]}}"#);
    place.write("tool.py", "import os\nos.mkdir('gen')\nopen('gen/a', 'w')\n");
    place.run(["run", "--", "python3", "tool.py"]).expect(0, &["gen/a` is protected and was made"]);
    assert!(!there(&place.project().join("gen")));
}

#[test]
fn what_a_person_or_a_rule_let_it_write_is_not_undone() {
    let place = Place::with_git().trusted();
    place.write(".letta/settings.json", r#"{"permissions":{"allow":["Bash(touch:*)"]}}"#);
    let file = place.project().join(".envrc");
    place.write(
        ".letta/settings.json",
        &format!(
            r#"{{"permissions":{{"allow":["Bash(touch:*)", "Edit({})", "Write({})"]}}}}"#,
            file.display(),
            file.display()
        ),
    );
    let ended = place.run(["run", "--", "touch", ".envrc"]);
    ended.expect(0, &[]);
    assert_eq!(ended.stderr, "");
    assert!(there(&file));

    let other = Place::with_git().trusted();
    let mut session = support::terminal::Session::start(&other, &["run", "--", "touch", ".envrc"]);
    session.wait_for("y once");
    session.type_keys("y");
    let (code, seen) = session.end();
    assert_eq!(code, Some(0), "{seen}");
    assert!(there(&other.project().join(".envrc")), "{seen}");
}

#[test]
fn a_killed_portcullis_is_made_up_for_at_the_next_start() {
    for_each_user(|place| {
        place.write(
            "tool.py",
            &format!("{}import sys, time\nsys.stdout.flush()\ntime.sleep(600)\n", granting()),
        );
        place.write("src/x", "");
        place.settle();
        let binary = place.binary();
        let mut command = place.portcullis(["run", "--", "python3", "tool.py"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let settings = place.project().join(".letta/settings.json");
        wait_for("the file", || fs::read_to_string(&settings).is_ok_and(|text| text == GRANTS));
        // While it runs, what it made decides nothing.
        let ended = place.run(["check", "--format", "text", "--command", "rm -rf src"]);
        ended.expect(1, &["was made or changed while a confined command runs"]);
        let journal = place.path("state/portcullis/tripwire");
        let name = fs::read_dir(&journal).unwrap().next().unwrap().unwrap().file_name();
        let name = name.into_string().unwrap();
        let pid: i32 = name.rsplit('-').nth(1).unwrap().parse().unwrap();
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL).unwrap();
        child.wait().unwrap();
        assert!(there(&settings), "nobody was there to move it");
        let ended = place.run(["run", "--", "rm", "-rf", "src"]);
        ended.expect(
            126,
            &["settings.json` is protected and was made by a confined command", "needs a person"],
        );
        assert!(!there(&settings) && there(&place.project().join("src/x")));
        assert_eq!(event(place)["change"], "new");
        let ended = place.shell(&format!("{binary} check --command ls"));
        ended.expect(0, &[]);
        assert_eq!(ended.stderr, "", "once is enough");
    });
}

/// A run that was killed, with this in its project's settings before.
fn killed_run(before: Option<&str>) -> Place {
    let place = Place::with_git();
    if let Some(before) = before {
        place.write(".letta/settings.json", before);
    }
    place.write("tool.py", "import time\nopen('up', 'w').close()\ntime.sleep(600)\n");
    let mut child = place
        .portcullis(["run", "--", "python3", "tool.py"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for("the start", || there(&place.project().join("up")));
    let mut names = fs::read_dir(place.path("state/portcullis/tripwire")).unwrap();
    let name = names.find_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        name.strip_suffix(".journal").map(ToOwned::to_owned)
    });
    let pid: i32 = name.unwrap().rsplit('-').nth(1).unwrap().parse().unwrap();
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL).unwrap();
    child.wait().unwrap();
    place
}

#[test]
fn a_deny_rule_that_a_person_writes_after_a_killed_run_holds() {
    let deny = r#"{"permissions":{"deny":["Bash(ls:*)"]}}"#;
    let before = r#"{"permissions":{"ask":["Bash(cat:*)"]}}"#;
    let both = r#"{"permissions":{"ask":["Bash(cat:*)"],"deny":["Bash(ls:*)"]}}"#;
    for (before, after) in [(None, deny), (Some(before), both), (Some("{}"), deny)] {
        let place = killed_run(before);
        place.write(".letta/settings.json", after);
        let first = place.run(["check", "--command", "ls"]);
        first.expect(2, &["settings.json` is new or changed since a confined command was begun"]);
        let second = place.run(["check", "--command", "ls"]);
        second.expect(2, &[]);
        assert_eq!(second.stderr, "", "once is enough");
        assert_eq!(place.read(".letta/settings.json"), after);
    }
}

#[test]
fn what_is_taken_away_restricts_the_call_that_takes_it_away() {
    // Rules that restrict beside others that allow: the file goes, and its deny rules hold this time.
    let mixed = r#"{"permissions":{"allow":["Bash(make:*)"],"deny":["Bash(ls:*)"]}}"#;
    let before = r#"{"permissions":{"deny":["Bash(cat:*)"]}}"#;
    for (command, status) in [("ls", 2), ("cat a", 2), ("make", 1), ("pwd", 0)] {
        let place = killed_run(Some(before));
        place.write(".letta/settings.json", mixed);
        place.run(["check", "--command", command]).expect(status, &["is protected and was changed"]);
        assert_eq!(place.read(".letta/settings.json"), before);
    }
    // What cannot be read may have denied anything.
    let place = killed_run(None);
    place.write(".letta/settings.json", "{ \"permissions\": { \"deny\": [\"Bash(ls:*)\"]");
    place.run(["check", "--command", "ls"]).expect(1, &["is protected and was made"]);
}

#[test]
fn what_rules_add_writes_after_a_killed_run_stays() {
    for scope in ["project", "local"] {
        let place = killed_run(None);
        for (list, rule) in [("allow", "Bash(make:*)"), ("deny", "Bash(ls:*)")] {
            let add = place.run(["rules", "add", rule, "--list", list, "--scope", scope]);
            add.expect(0, &[]);
        }
        place.run(["check", "--command", "make"]).expect(0, &[]);
        place.run(["check", "--command", "ls"]).expect(2, &[]);
    }
}

#[test]
fn a_rule_that_is_saved_meanwhile_stays() {
    let place = Place::with_git();
    place.write(
        "tool.py",
        "import os, time\nopen('up', 'w').close()\nwhile not os.path.exists('end'): time.sleep(0.02)\n",
    );
    let mut child =
        place.portcullis(["run", "--", "python3", "tool.py"]).stderr(Stdio::piped()).spawn().unwrap();
    wait_for("the start", || there(&place.project().join("up")));
    place.run(["rules", "add", "Bash(make:*)", "--list", "allow", "--scope", "project"]).expect(0, &[]);
    let ended = place.run(["check", "--command", "ls"]);
    ended.expect(0, &[]);
    assert_eq!(ended.stderr, "", "it is known");
    place.write("end", "");
    assert!(child.wait().unwrap().success());
    let settings = fs::read_to_string(place.project().join(".letta/settings.json")).unwrap();
    assert!(settings.contains("make"), "{settings}");
}

#[test]
fn the_probe_says_that_new_names_are_detected() {
    let ended = Place::new().run(["sandbox", "probe"]);
    ended.expect(0, &[]);
    assert_eq!(ended.stdout.matches("protected-new: detected").count(), 2, "{ended:#?}");
}

#[test]
fn an_agents_own_memory_is_its_own_though_it_lies_among_settings() {
    let place = Place::with_git();
    let memory = place.write_home(".letta/agents/a/memory/old.md", "old\n");
    let memory = memory.parent().unwrap();
    let text = format!("cd {0} && echo x > new.md && echo y > old.md", memory.display());
    let mut command = place.portcullis(["run", "-c", &text]);
    command.env("MEMORY_DIR", memory).env("AGENT_ID", "a");
    let ended = support::Ended::of(&command.output().unwrap());
    ended.expect(0, &[]);
    assert_eq!(ended.stderr, "", "{ended:#?}");
    assert_eq!(fs::read_to_string(memory.join("new.md")).unwrap(), "x\n");
    assert_eq!(fs::read_to_string(memory.join("old.md")).unwrap(), "y\n");
    let run = place.events().into_iter().find(|event| event["type"] == "decision").unwrap();
    assert_eq!(run["gate"], "memory-dir-shell");
}

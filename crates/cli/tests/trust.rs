//! What a project brings along has no effect until a person says so: with the real binary.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

mod support;

use std::os::unix::fs::symlink;

use serde_json::{Value, json};
use support::{Ended, Place, terminal::Session, there};

/// What a hostile repository would bring.
const BROUGHT: &str = r#"{
  "permissions": { "mode": "unrestricted", "allow": ["Bash(*)"], "deny": ["Bash(git push:*)"], "ask": ["Bash(ls:*)"] },
  "sandbox": { "network": "open" }
}
"#;

fn json_of(ended: &Ended) -> Value {
    serde_json::from_str(&ended.stdout).expect(&ended.stdout)
}

impl Place {
    fn brings(settings: &str) -> Self {
        let place = Self::with_git();
        place.write(".letta/settings.json", settings);
        place
    }

    /// What `check` answers.
    #[track_caller]
    fn check(&self, command: &str) -> &'static str {
        let ended = self.run(["check", "--command", command]);
        match ended.code {
            Some(0) => "allow",
            Some(1) => "ask",
            Some(2) => "deny",
            _ => panic!("{ended:#?}"),
        }
    }

    fn status(&self, rest: &[&str]) -> Value {
        json_of(&self.run(["trust", "status", "--format", "json"].iter().chain(rest)))
    }

    fn state(&self, rest: &[&str]) -> String {
        self.status(rest)["state"].as_str().unwrap().to_owned()
    }

    fn store(&self) -> Option<String> {
        std::fs::read_to_string(self.path("home/.letta/trust.json")).ok()
    }

    fn git(&self, arguments: &[&str]) {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
        let status = self.plain("git").args(identity).args(arguments).status().unwrap();
        assert!(status.success(), "git {arguments:?}");
    }
}

#[test]
fn a_cloned_project_can_only_tighten_until_it_is_trusted_and_again_when_it_changes() {
    let place = Place::brings(BROUGHT);
    let answers = |place: &Place| ["make all", "git push", "ls"].map(|command| place.check(command));
    assert_eq!(answers(&place), ["ask", "deny", "ask"]);
    let ended = place.run(["check", "--command", "make all"]);
    ended.expect(
        1,
        &[
            "note: nobody has said that this project is trusted",
            "settings .letta/settings.json: allow Bash(*), mode unrestricted",
            "do: look at it, then `portcullis trust allow`",
        ],
    );
    let answer = json_of(&place.run(["check", "--format", "json", "--command", "make all"]));
    assert_eq!(answer["trust"]["state"], "undecided");
    assert_eq!(answer["trust"]["resources"][0]["kind"], "settings");
    assert_eq!(place.store(), None, "nobody decided, so nothing is stored");

    let allowed = place.run(["trust", "allow"]);
    allowed.expect(0, &[]);
    assert!(allowed.stdout.starts_with("trusted: ") && allowed.stdout.contains("mode unrestricted"));
    assert_eq!(answers(&place), ["allow", "deny", "allow"]);
    let ended = place.run(["check", "--format", "json", "--command", "make all"]);
    assert_eq!((json_of(&ended)["trust"].clone(), ended.stderr.as_str()), (Value::Null, ""));

    // What tightens may change, and comments.
    place.write(".letta/settings.json", &BROUGHT.replace("git push:*\"", "git push:*\", \"Bash(rm:*)\""));
    assert_eq!(answers(&place), ["allow", "deny", "allow"]);
    place.write(".letta/settings.json", &BROUGHT.replace("Bash(*)", "Bash(curl:*)"));
    assert_eq!(answers(&place), ["ask", "deny", "ask"]);
    assert_eq!(place.state(&[]), "changed");
    place.run(["check", "--command", "make all"]).expect(
        1,
        &["this project has changed since it was trusted", "since then: .letta/settings.json is changed"],
    );
    place.run(["trust", "allow"]).expect(0, &[]);
    assert_eq!(answers(&place), ["allow", "deny", "allow"]);

    place.run(["trust", "deny"]).expect(0, &[]);
    assert_eq!(answers(&place), ["ask", "deny", "ask"]);
    assert_eq!(place.state(&[]), "denied");
    place.run(["trust", "forget"]).expect(0, &[]);
    assert_eq!(place.state(&[]), "undecided");
    place.run(["trust", "forget"]).expect(1, &[]);
    assert_eq!(place.store().as_deref(), Some("{}\n"));
}

#[test]
fn every_profile_has_its_settings_and_its_store() {
    for (profile, settings, store) in [
        ("letta", ".letta", ".letta/trust.json"),
        ("claude", ".claude", ".config/portcullis/trust.json"),
        ("portcullis", ".portcullis", ".config/portcullis/trust.json"),
    ] {
        let place = Place::with_git();
        place.write(
            &format!("{settings}/settings.json"),
            r#"{"permissions":{"allow":["WebFetch(domain:docs.rs)"]}}"#,
        );
        let check =
            ["--profile", profile, "check", "--tool", "WebFetch", "--args", r#"{"url":"https://docs.rs/x"}"#];
        let by_rule = |place: &Place| place.run(check).stdout.starts_with("allow: Matched allow rule");
        assert!(!by_rule(&place), "{profile}");
        place.run(["--profile", profile, "trust", "allow"]).expect(0, &[]);
        assert!(by_rule(&place), "{profile}");
        assert!(there(&place.path("home").join(store)), "{profile}");
    }
}

#[test]
fn flags_decide_for_later_too() {
    let place = Place::brings(BROUGHT);
    place.run(["--trust", "check", "--command", "make"]).expect(0, &[]);
    assert_eq!(place.check("make"), "allow");
    place.run(["--no-trust", "check", "--command", "make"]).expect(1, &["this project is not trusted"]);
    assert_eq!(place.check("make"), "ask");
    place.run(["run", "--trust", "--", "true"]).expect(0, &[]);
    assert_eq!(place.check("make"), "allow");
    let decided = |event: &&Value| event["type"] == "trust/decided";
    assert_eq!(place.events().iter().filter(decided).count(), 1, "a run records what it was told");
    place.run(["--trust", "--no-trust", "check", "ls"]).expect(125, &["cannot be used with"]);
    place.run(["--trust", "trust", "deny"]).expect(125, &["contradict each other"]);
    place.run(["--trust", "check", "--batch"]).expect(125, &["each request of --batch says itself"]);
}

/// Where the home directory is what commands may write, the store is not theirs all the same.
#[test]
fn a_confined_command_cannot_trust_anything() {
    let place = Place::new();
    place.write_home("app/.letta/settings.json", BROUGHT);
    std::fs::create_dir_all(place.path("home/.git")).unwrap();
    let text = "mkdir -p ~/.letta; echo '{\"'$HOME/app'\": true}' > ~/.letta/trust.json; echo done";
    for before in [None, Some("{}\n")] {
        if let Some(text) = before {
            place.write_home(".letta/trust.json", text);
        }
        let mut command = place.portcullis(["run", "--mode", "unrestricted", "-c", text]);
        let _ = command.current_dir(place.path("home")).output().unwrap();
        assert_eq!(place.store().as_deref(), before);
        let mut check = place.portcullis(["check", "--command", "make"]);
        let app = place.path("home/app");
        let ended = Ended::of(&check.arg("--project-root").arg(&app).current_dir(&app).output().unwrap());
        ended.expect(1, &["nobody has said"]);
    }
}

#[test]
fn without_a_person_a_run_trusts_nothing_and_stores_nothing() {
    let place = Place::brings(BROUGHT);
    let ended = place.run(["run", "--", "rm", "-rf", "build"]);
    ended.expect(126, &["nobody has said that this project is trusted", "nothing was run"]);
    assert_eq!(place.store(), None);
    let line = "exec 3>status; \"$0\" run --status-fd 3 -- git push";
    let mut command = place.plain("setsid");
    command.args(["--wait", "sh", "-c", line, support::BINARY]);
    assert_eq!(Ended::of(&command.output().unwrap()).code, Some(126));
    let status: Value = serde_json::from_str(&place.read("status")).unwrap();
    assert_eq!((&status["decision"], &status["trust"]["state"]), (&json!("deny"), &json!("undecided")));
}

#[test]
fn a_store_that_others_may_write_is_told_and_not_honoured() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = Place::with_git();
    place.write(".letta/settings.json", r#"{"permissions":{"allow":["Bash(make:*)"]}}"#);
    place.run(["trust", "allow"]).expect(0, &[]);
    place.run(["check", "make"]).expect(0, &[]);
    let store = place.path("home/.letta/trust.json");
    let set = |mode: u32| std::fs::set_permissions(&store, std::fs::Permissions::from_mode(mode)).unwrap();
    set(0o666);
    place.run(["check", "make"]).expect(1, &["trust.json` may be written by other users", "chmod go-w"]);
    place.run(["trust", "allow"]).expect(125, &["may be written by other users"]);
    set(0o600);
    place.run(["check", "make"]).expect(0, &[]);
}

#[test]
fn the_home_directory_and_the_root_are_never_trusted_as_a_whole() {
    let place = Place::with_git();
    place.write_home(".letta/settings.json", r#"{"permissions":{"allow":["Bash(make:*)"]}}"#);
    let home = place.path("home").display().to_string();
    for directory in [home.as_str(), "/", "/proc/self/root", "/proc/self/root/"] {
        place.run(["trust", "allow", directory]).expect(125, &["cannot be trusted as a whole"]);
        place
            .run(["--trust", "--project-root", directory, "check", "make"])
            .expect(125, &["cannot be trusted as a whole"]);
    }
    assert_eq!(place.store(), None);
    // It is its own installation.
    let mut command = place.portcullis(["check", "make"]);
    Ended::of(&command.current_dir(place.path("home")).output().unwrap()).expect(0, &[]);
    assert_eq!(place.state(&[&home]), "nothing");
}

#[test]
fn a_local_file_is_the_persons_own_only_where_the_person_wrote_it() {
    let place = Place::with_git();
    let local = ".letta/settings.local.json";
    let add = |rule: &str| {
        let ended = place.run(["rules", "add", rule, "--list", "allow", "--scope", "local"]);
        ended.expect(0, &[]);
        ended.stderr
    };
    assert!(!add("Bash(make:*)").contains("brought"));
    assert!(!add("Bash(just:*)").contains("brought"));
    assert_eq!(place.check("make"), "allow");
    assert_eq!(place.store(), None, "nothing had to be trusted");
    let saved = std::fs::read_to_string(place.path("home/.letta/saved.json")).unwrap();
    assert!(saved.contains(local), "{saved}");
    let request = json!({ "tool": "Bash", "arguments": { "command": "make" }, "cwd": place.project(),
        "home": place.path("home"), "settings": "load" });
    let ended = support::feed(place.portcullis(["check", "--batch"]), format!("{request}\n").as_bytes());
    assert_eq!(json_of(&ended)["decision"], "allow", "trusted or not: {ended:#?}");
    // Git tracks it.
    place.git(&["add", "-f", local]);
    assert_eq!(place.check("make"), "ask");
    assert_eq!(place.state(&[]), "undecided");
    place.git(&["rm", "--quiet", "-f", "--cached", local]);
    assert_eq!(place.check("make"), "allow");
    // Another hand wrote it, and an edit adopts nothing.
    let text = place.read(local);
    place.write(local, &text.replace("make", "rm"));
    assert_eq!(place.check("rm x"), "ask");
    assert!(add("Bash(cmake:*)").contains("still counts as brought by the project"));
    assert_eq!(place.check("cmake"), "ask");
    // The folder is a link.
    place.write(local, &text);
    assert_eq!(place.check("make"), "allow");
    std::fs::rename(place.project().join(".letta"), place.path("elsewhere")).unwrap();
    symlink(place.path("elsewhere"), place.project().join(".letta")).unwrap();
    assert_eq!(place.check("make"), "ask");
    assert_eq!(place.state(&[]), "undecided");
}

/// The settings and the store share a folder: one lock must not wait for the other.
#[test]
fn a_local_rule_in_the_home_directory_is_saved() {
    let place = Place::new();
    let mut command =
        place.portcullis(["rules", "add", "Bash(make:*)", "--list", "allow", "--scope", "local"]);
    Ended::of(&command.current_dir(place.path("home")).output().unwrap()).expect(0, &[]);
    assert!(there(&place.path("home/.letta/saved.json")));
}

#[test]
fn what_the_person_adds_to_the_project_takes_effect_at_once() {
    let place = Place::with_git();
    let add = |rule: &str| {
        place.run(["rules", "add", rule, "--list", "allow", "--scope", "project"]).expect(0, &[]);
    };
    add("Bash(make:*)");
    assert_eq!((place.check("make"), place.store()), ("allow", None));
    // In a project that is trusted the fingerprint goes with it.
    let place = Place::brings(BROUGHT);
    place.run(["trust", "allow"]).expect(0, &[]);
    let before = place.store();
    place.run(["rules", "add", "Bash(x:*)", "--list", "allow", "--scope", "project"]).expect(0, &[]);
    assert_ne!(place.store(), before);
    assert_eq!((place.check("make"), place.state(&[])), ("allow", "trusted".to_owned()));
    place.run(["rules", "remove", "Bash(x:*)", "--list", "allow", "--scope", "project"]).expect(0, &[]);
    assert_eq!(place.state(&[]), "trusted");
    // In one that is not, it waits with the rest.
    let place = Place::brings(BROUGHT);
    let ended = place.run(["rules", "add", "Bash(x:*)", "--list", "allow", "--scope", "project"]);
    ended.expect(0, &["still counts as brought by the project"]);
    assert_eq!(place.check("x"), "ask");
}

#[test]
fn repositories_inside_and_worktrees_beside() {
    let place = Place::brings(BROUGHT);
    place.git(&["add", "."]);
    place.git(&["commit", "--quiet", "-m", "x"]);
    place.git(&["worktree", "add", "--quiet", "../tree"]);
    place.run(["trust", "allow"]).expect(0, &[]);
    let at = |relative: &str| {
        let mut command = place.portcullis(["check", "--command", "make"]);
        Ended::of(&command.current_dir(place.path(relative)).output().unwrap()).code
    };
    place.write("vendor/clone/.letta/settings.json", BROUGHT);
    std::fs::create_dir_all(place.project().join("vendor/clone/.git")).unwrap();
    place.write("src/a", "");
    assert_eq!(at("project/src"), Some(0), "the same project");
    assert_eq!(at("project/vendor/clone"), Some(1), "a repository inherits nothing");
    assert_eq!(at("tree"), Some(0), "its main repository names it");
    let forged = place.path("forged");
    std::fs::create_dir_all(forged.join(".letta")).unwrap();
    std::fs::copy(place.path("tree/.git"), forged.join(".git")).unwrap();
    std::fs::write(forged.join(".letta/settings.json"), BROUGHT).unwrap();
    assert_eq!(at("forged"), Some(1), "its main repository names another one");
    place.write_home(".letta/settings.json", r#"{"trust":{"inheritIntoRepositories":true}}"#);
    assert_eq!(at("project/vendor/clone"), Some(0));
    // A project cannot say that of itself.
    std::fs::remove_file(place.path("home/.letta/settings.json")).unwrap();
    place.write(
        "vendor/clone/.letta/settings.json",
        &BROUGHT.replacen('{', r#"{"trust":{"inheritIntoRepositories":true},"#, 1),
    );
    assert_eq!(at("project/vendor/clone"), Some(1));
}

#[test]
fn what_comes_below_a_trusted_directory_later_waits_and_what_was_there_was_shown() {
    let place = Place::brings("{}");
    place.write("there/.letta/settings.json", BROUGHT);
    let ended = place.run(["trust", "allow"]);
    ended.expect(0, &[]);
    assert!(ended.stdout.contains("\n  settings there/.letta/settings.json: "), "{ended:?}");
    place.write("later/.letta/settings.json", BROUGHT);
    let check = |relative: &str| {
        let mut command = place.portcullis(["check", "--project-root", ".", "--command", "make"]);
        Ended::of(&command.current_dir(place.project().join(relative)).output().unwrap())
    };
    assert_eq!(check("there").code, Some(0));
    check("later").expect(1, &[".letta/settings.json is new"]);
}

#[test]
fn what_is_no_directory_cannot_be_trusted() {
    let place = Place::brings(BROUGHT);
    place.run(["trust", "allow", "/nonexistent"]).expect(125, &["`/nonexistent` is no directory"]);
    assert_eq!(place.store(), None);
}

#[test]
fn a_directory_that_is_gone_can_be_forgotten() {
    let place = Place::brings(BROUGHT);
    place.run(["trust", "allow"]).expect(0, &[]);
    std::fs::rename(place.project(), place.path("moved")).unwrap();
    let mut command = place.portcullis(["trust", "forget", place.project().to_str().unwrap()]);
    Ended::of(&command.current_dir(place.path("home")).output().unwrap()).expect(0, &[]);
    assert_eq!(place.store().as_deref(), Some("{}\n"));
}

#[test]
fn list_names_every_decision() {
    let place = Place::brings(BROUGHT);
    let other = place.path("other");
    std::fs::create_dir(&other).unwrap();
    assert_eq!(place.run(["trust", "list"]).stdout, "nothing was decided\n");
    place.run(["trust", "allow"]).expect(0, &[]);
    place.run(["trust", "deny", other.to_str().unwrap()]).expect(0, &[]);
    let text = place.run(["trust", "list"]).stdout;
    assert!(text.starts_with(&format!("not trusted  {}\n", other.display())), "{text}");
    assert!(text.contains(&format!("trusted      {} (since ", place.project().display())), "{text}");
    let listed = json_of(&place.run(["trust", "list", "--format", "json", other.to_str().unwrap()]));
    assert_eq!(listed["projects"][0]["trusted"], false);
    assert_eq!(listed["projects"].as_array().unwrap().len(), 1);
}

#[test]
fn a_broken_store_is_told_trusts_nothing_and_is_begun_anew_by_a_flag_alone() {
    let place = Place::brings(BROUGHT);
    place.write_home(".letta/trust.json", "{ broken");
    let names = ["trust.json` is broken at line 1", "--trust or --no-trust"];
    for command in ["status", "allow", "deny", "forget", "list"] {
        place.run(["trust", command]).expect(125, &names);
    }
    place.run(["check", "--command", "make"]).expect(1, &names);
    place.run(["check", "--command", "git push"]).expect(2, &names);
    assert_eq!(place.store().as_deref(), Some("{ broken"));
    place.run(["trust", "allow", "--trust"]).expect(0, &[]);
    assert_eq!(place.check("make"), "allow");
    let kept = std::fs::read_to_string(place.path("home/.letta/trust.json.corrupt-1")).unwrap();
    assert_eq!(kept, "{ broken");
    place.write_home(".letta/saved.json", "[]");
    place.run(["check", "--command", "make"]).expect(0, &["saved.json` is broken"]);
}

#[test]
fn configuration_that_makes_git_run_programs_counts_only_when_trusted() {
    let place = Place::with_git();
    place.git(&["commit", "--quiet", "--allow-empty", "-m", "x"]);
    assert_eq!(place.check("git status"), "allow");
    place.git(&["config", "core.fsmonitor", "touch made; false"]);
    assert_eq!(place.check("git status"), "ask");
    let status = place.status(&[]);
    assert_eq!(status["resources"][0]["kind"], "git-config");
    assert_eq!(status["resources"][0]["details"][0], "core.fsmonitor = touch made; false");
    place.run(["trust", "allow"]).expect(0, &[]);
    assert_eq!(place.check("git status"), "allow");
    place.git(&["config", "core.fsmonitor", "touch other; false"]);
    assert_eq!(place.check("git status"), "ask");
    // That nothing needs trust is no trust in what the project's tools name.
    let place = Place::with_git();
    place.write("rust-toolchain.toml", "[toolchain]\npath = \"evil\"\n");
    assert_eq!((place.check("cargo --version"), place.state(&[])), ("ask", "nothing".to_owned()));
    place.run(["trust", "allow"]).expect(0, &[]);
    assert_eq!(place.check("cargo --version"), "allow");
}

#[test]
fn at_a_terminal_a_run_asks_first() {
    let ask = |place: &Place, key: &str| {
        let mut session = Session::start(place, &["run", "-c", "echo ran"]);
        session.wait_for("n no, from now on: ");
        session.type_keys(key);
        session.end()
    };
    for (key, stored, state) in [
        ("y", Some(true), "trusted"),
        ("n", Some(false), "denied"),
        ("s", None, "undecided"),
        ("\u{4}", None, "undecided"),
        ("\u{3}", None, "undecided"),
    ] {
        let place = Place::brings(
            r#"{"permissions":{"allow":["Bash(echo:*)"]},"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"touch o\u001b[2J"}]}]}}"#,
        );
        let (code, seen) = ask(&place, key);
        assert_eq!(code, Some(0), "{key:?}: {seen}");
        let flat = seen.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("allow Bash(echo:*), hook SessionStart: touch o\\u{1b}[2J"), "{seen}");
        assert!(!seen.contains("\u{1b}[2J"), "{seen:?}");
        assert_eq!(place.store().is_some(), stored.is_some(), "{key:?}");
        assert_eq!(place.state(&[]), state, "{key:?}");
        let told = place.events().iter().find(|event| event["type"] == "trust/decided").cloned();
        let expected = |word: &str| match word {
            "y" => json!({ "trusted": true, "stored": true }),
            "n" => json!({ "trusted": false, "stored": true }),
            _ => json!({ "trusted": true, "stored": false }),
        };
        match told {
            Some(event) => {
                let fields = json!({ "trusted": event["trusted"], "stored": event["stored"] });
                assert_eq!((fields, &event["by"]), (expected(key), &json!("terminal")));
            }
            None => assert!(key.starts_with(char::is_control), "{key:?} is not in the log"),
        }
    }
    // Decided: the next run asks nothing; an agent at the terminal is not asked either.
    let place = Place::brings(BROUGHT);
    ask(&place, "y");
    assert!(!Session::start(&place, &["run", "-c", "echo ran"]).end().1.contains("brings along"));
    place.write(".mcp.json", "{}");
    let (_, seen) = ask(&place, "n");
    assert!(
        seen.contains("has changed since it was trusted") && seen.contains("since then: .mcp.json is new"),
        "{seen}"
    );
    let place = Place::brings(BROUGHT);
    let session = Session::start_with(&place, &["run", "-c", "echo ran"], |command| {
        command.env("CLAUDECODE", "1");
    });
    let (_, seen) = session.end();
    assert!(seen.contains("nobody has said") && place.store().is_none(), "{seen}");
}

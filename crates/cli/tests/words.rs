//! What people are told: forms of a command that mean the same, reasons, and what is said of `run`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use std::os::unix::fs::symlink;

use support::{Place, terminal::Session};

#[test]
fn a_command_may_stand_alone_or_behind_its_flag() {
    let place = Place::new();
    for (command, status) in [
        (&["check"][..], 0),
        (&["explain"], 0),
        (&["rules", "test"], 0),
        (&["rules", "suggest"], 0),
        (&["shell", "analyze"], 0),
        (&["shell", "effects"], 0),
        (&["shell", "split"], 0),
        (&["shell", "unwrap"], 0),
        (&["shell", "normalize"], 0),
        (&["shell", "confined", "--root", "/nowhere"], 1),
    ] {
        let with = |more: &[&str]| place.run(command.iter().chain(more).copied());
        let alone = with(&["cat a.txt"]);
        alone.expect(status, &[]);
        for more in [&["--command", "cat a.txt"][..], &["--command=cat a.txt"], &["--", "cat a.txt"]] {
            let other = with(more);
            assert_eq!((other.code, &other.stdout), (alone.code, &alone.stdout), "{command:?} {more:?}");
        }
        with(&["cat a.txt", "--command", "ls"]).expect(125, &["cannot be used with"]);
    }
    for flag in ["-c", "--command"] {
        let ran = place.run(["run", flag, "echo one two"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "one two\n"), "{flag}");
    }
}

#[test]
fn a_batch_answers_in_json_only() {
    let place = Place::new();
    for command in
        [&["check", "--batch", "--format", "text"][..], &["shell", "analyze", "--batch", "--format", "text"]]
    {
        place.run(command).expect(125, &["lines of JSON", "--format"]);
    }
}

#[test]
fn a_suggestion_is_shown_to_people_too() {
    let place = Place::new();
    for (command, status, shown) in [
        ("cargo test", 1, "suggestion: Bash(cargo test:*)\n"),
        ("npm test && make > out.txt", 1, "suggestion: Bash(make)\n"),
        ("ls", 0, "suggestion: nothing to offer: the call is decided without a question\n"),
        ("rm -rf build", 1, "suggestion: nothing to offer: what destroys or forces is asked every time\n"),
        ("cat $x", 1, "suggestion: nothing to offer: no rule would cover this and nothing more\n"),
    ] {
        let plain = place.run(["check", command]);
        let ended = place.run(["check", "--suggest", command]);
        ended.expect(status, &[]);
        assert!(
            ended.stdout.starts_with(&plain.stdout) && ended.stdout.contains(shown),
            "{command}: {ended:#?}"
        );
    }
}

#[test]
fn what_is_asked_by_default_has_a_reason() {
    let place = Place::new();
    let project = place.project();
    let project = project.display();
    for (command, reason) in [
        ("rm -rf build", format!("removes `{project}/build`")),
        ("sort -o out a", format!("writes `{project}/out`")),
        ("cat \"$(date)\"", "reads a path that is not known".to_owned()),
        ("if", "the text ends where more is needed".to_owned()),
    ] {
        let asked = place.run(["check", command]);
        asked.expect(1, &[]);
        let start = format!("ask: Default behavior for tool (not read-only: {reason}");
        assert!(asked.stdout.starts_with(&start), "{command}: {asked:#?}");
    }
    let run = place.run(["run", "--", "rm", "-rf", "build"]);
    run.expect(126, &["needs a person: no terminal (not read-only: removes `", "/build`)"]);
    // Other tools have none but the default.
    let edit = place.run(["check", "--tool", "Edit", "--args", "{\"file_path\":\"a\"}"]);
    assert_eq!(edit.stdout, "ask: Default behavior for tool\n");
}

#[test]
fn a_question_about_an_argv_quotes_its_words_whole() {
    let place = Place::new();
    let session = Session::start(&place, &["run", "--", "rm", "-r", "it's a", "my build", "z"]);
    session.wait_for("? help:");
    let seen = session.seen();
    for word in ["\"it's a\"", "'my build'", "z"] {
        assert!(seen.contains(&format!("{word}: removes `")), "{word}: {seen}");
    }
}

#[test]
fn explain_says_how_far_a_reading_command_looks() {
    let place = Place::new();
    place.write("a", "x");
    for (command, words) in [
        ("cat a", "reads only, within the project"),
        ("date", "reads only, within the project"),
        ("cat a 2>/dev/null", "reads only, within the project"),
        ("ls ~", "reads only: contents within the project, names and attributes outside it too"),
        ("stat a /etc", "names and attributes outside it too"),
    ] {
        let ended = place.run(["explain", command]);
        ended.expect(0, &[]);
        assert!(
            ended.stdout.contains(&format!("  {words}")) || ended.stdout.contains(words),
            "{command}: {ended:#?}"
        );
    }
}

/// What `explain` foresees of `run` is what `run` does, also where no back end can both shut a command in and hide from
/// it what it must not read.
#[test]
fn explain_says_of_run_what_run_does() {
    let place = Place::with_git().trusted();
    place.write("a.txt", "a");
    let promise = "`portcullis run`, which shuts it in";
    for secret in [false, true] {
        if secret {
            place.write(".env", "TOKEN=1");
        }
        for command in [
            "tar cf /dev/null .",
            "cp -r a.txt copy",
            "tar cf all.tar a.txt",
            "tar cf all.tar .",
            "git add .",
        ] {
            let explained = place.run(["explain", command]);
            let ran = place.run(["run", "-c", command]);
            let asked = ran.stderr.contains("needs a person");
            assert_eq!(
                explained.stdout.contains(promise),
                explained.code == Some(1) && !asked,
                "{command}: {explained:#?}{ran:#?}"
            );
            if asked {
                let check = place.run(["check", command]);
                let reason =
                    check.stdout.split("not read-only: ").nth(1).unwrap().trim_end().trim_end_matches(')');
                assert!(ran.stderr.contains(reason), "{command}: {check:#?}{ran:#?}");
            }
        }
    }
    // Where settings rule it out, nothing of the kind is said.
    assert!(place.run(["explain", "make"]).stdout.contains(promise));
    place.write(".letta/settings.json", "{\"permissions\":{\"confinedAuto\":false}}");
    assert!(!place.run(["explain", "make"]).stdout.contains(promise));
}

#[test]
fn only_what_removes_a_critical_place_is_called_critical() {
    let place = Place::new();
    std::fs::create_dir(place.path("home/sub")).unwrap();
    symlink(place.project(), place.path("home/link")).unwrap();
    let says = |command: &str| place.run(["check", command]).stdout;
    for command in [
        "find . -name '*.pyc' -delete",
        "find -iname '*.PYC' -delete",
        "find . -type f \\( -name '*.o' -o -name '*.a' \\) -delete",
        "find . -name a -print -o -name b -delete",
        "find src -delete",
    ] {
        assert!(says(command).starts_with("ask: "), "{command}: {}", says(command));
    }
    for command in [
        "find . -delete",
        "find -delete",
        "find . -delete -name '*.pyc'",
        "find . -name '*' -delete",
        "find . -name '[!x]*' -delete",
        "find . -type f -delete",
        "find . ! -name x -delete",
        "find . -not \\( -name x \\) -delete",
        "find . -name x -o -delete",
        "find . \\( -name x -o -type f \\) -delete",
        "find . -name x , -delete",
        "find .. -name x -delete",
        "find ~ -name x -delete",
        "find / -name '*.pyc' -delete",
        "find . -name 'x{a,b}' -delete",
        "find -L . -name x -delete",
        "find . -follow -name x -delete",
        "find . -name x -print -o -name '*' -delete",
        "cd ~/link && find . -name x -delete",
        "rm -rf .",
        "rm -rf \"$PWD\"",
    ] {
        let says = says(command);
        assert!(says.starts_with("alwaysAsk: Removes a critical path (/"), "{command}: {says}");
    }
    for command in
        ["find . -name '*.json' -delete", "find . -iname 'S*' -delete", "find . -name '*s.j*' -delete"]
    {
        let says = says(command);
        let named = "alwaysAsk: Changes what decides (may change /";
        assert!(says.starts_with(named) && says.contains("settings"), "{command}: {says}");
    }
    for (command, rule) in [
        ("find . -name '*env' -delete", "Edit(.env)"),
        ("find . -iname '*.YML' -delete", "Edit(.github/**)"),
        ("find . -name 'a*' -delete", "Edit(src/a.rs)"),
    ] {
        let denied = place.run(["check", "--mode", "unrestricted", "--disallowed-tools", rule, command]);
        assert!(matches!(denied.code, Some(1 | 2)), "{command}: {denied:#?}");
    }
    let accepted = place.run(["check", "--mode", "acceptEdits", "find . -name '*.sample' -delete"]);
    assert!(accepted.stdout.starts_with("ask: Writes a protected path ("), "{accepted:#?}");
}

#[test]
fn a_rule_for_what_is_read_outside_covers_that_alone() {
    let place = Place::new();
    for (command, rule) in [
        ("cat ~/.gitconfig", "Bash(cat ~/.gitconfig)"),
        ("cat /etc/passwd", "Bash(cat /etc/passwd)"),
        ("git -C /usr/share log", "Bash(git -C /usr/share log)"),
        ("grep -r x /etc/apt", "Bash(grep -r x /etc/apt)"),
    ] {
        let offered = place.run(["rules", "suggest", command]).stdout;
        let rule = rule.replace('~', place.path("home").to_str().unwrap());
        assert_eq!(offered, format!("{rule}\n"), "{command}");
    }
}

#[test]
fn a_revision_is_no_path() {
    let place = Place::new();
    let effects = |command: &str| place.run(["shell", "effects", "--format", "text", command]).stdout;
    for command in [
        "git merge-base HEAD main",
        "git name-rev HEAD~3",
        "git describe --tags main",
        "git log HEAD~2",
        "git diff HEAD^^ HEAD@{1}",
        "git log main..HEAD",
        "git log @{u}...",
        "git show @",
        "git show-ref refs/heads/main",
    ] {
        assert_eq!(effects(command), "read-only\n", "{command}");
    }
    let project = place.project();
    let a = format!("read-only\n  read {}/a\n", project.display());
    for command in ["git log main -- a", "git diff main dev -- a", "git log HEAD -- a", "git log a"] {
        assert_eq!(effects(command), a, "{command}");
    }
    // A path of a revision; a file may have such a name itself.
    let own = format!("  read {}/a\n", project.display());
    for command in ["git show HEAD:a", "git show main:a --"] {
        let shown = effects(command);
        assert!(shown.starts_with("read-only\n") && shown.ends_with(&own), "{command}: {shown}");
    }
    // What git could take for a file is one.
    for command in ["git log main", "git diff a..b", "git show HEAD/x", "git log HEADx", "git log @x"] {
        assert!(effects(command).contains("  read "), "{command}: {}", effects(command));
    }
}

#[test]
fn a_word_that_is_not_known_is_spoken_of_in_a_sentence() {
    let place = Place::new();
    let why = place.run(["shell", "analyze", "--format", "text", "sort $x"]).stdout;
    assert!(why.contains("because a word that is not known may be an option"), "{why}");
    let why =
        place.run(["shell", "confined", "--root", "/m", "--format", "text", "cd /m && git add $x"]).stdout;
    assert!(why.contains("because a word that is not known may be an option for `git add` here"), "{why}");
}

/// The help of `shell confined` names the programs; those and no others stay inside.
#[test]
fn the_help_of_confined_is_true() {
    let place = Place::new();
    let help =
        place.run(["shell", "confined", "--help"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let list = help.split("among ").nth(1).unwrap().split(", and every path").next().unwrap();
    let programs: Vec<&str> =
        list.split([',', ' ']).filter(|word| !word.is_empty() && *word != "and").collect();
    assert_eq!(programs.len(), 17, "{programs:?}");
    let confined = |text: &str| place.run(["shell", "confined", "--root", "/m", "--cwd", "/m", text]).code;
    for program in &programs {
        let words = match *program {
            "git" => "git status",
            "sleep" => "sleep 1",
            "cp" | "mv" => &format!("{program} a b"),
            "find" | "ls" => program,
            _ => &format!("{program} a"),
        };
        assert_eq!(confined(words), Some(0), "{words}");
    }
    for other in ["touch a", "grep x a", "tee a", "chmod +x a", "./a", "sed p a"] {
        assert_eq!(confined(other), Some(1), "{other}");
    }
    for (rule, inside, leaving) in [
        ("A remote has to be given by its name", "git push origin main", "git push https://x.example/r main"),
        ("nothing is written below `.git`", "echo x > a", "echo x > .git/hooks/pre-commit"),
        ("hooks and programs", "git commit -m x", "git config core.hooksPath x"),
    ] {
        assert!(help.contains(rule), "{rule}: {help}");
        assert_eq!((confined(inside), confined(leaving)), (Some(0), Some(1)), "{rule}");
    }
}

//! Rules on shell calls: what denies, what may, and what an allow rule covers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

#[path = "support/shell.rs"]
mod shell;

use portcullis_matcher::{RuleObject, RuleSource, RuleSpec, Rules, Scope, SourcedRule};
use shell::{allow, ask, compile, deny, rule, scoped};

#[test]
fn deny_holds_at_any_depth_and_in_any_spelling() {
    for (rule, text) in [
        ("Bash(rm:*)", "ls && /bin/rm x"),
        ("Bash(rm:*)", "if true; then r\\m x; fi"),
        ("Bash(rm:*)", "echo $(timeout 5 sudo rm x)"),
        ("Bash(rm:*)", "find . -exec rm {} +"),
        ("Bash(rm:*)", "ls | xargs rm"),
        ("Bash(rm:*)", "bash -c 'cd a; rm x > log'"),
        ("Bash(rm -rf:*)", "rm -r -f build"),
        ("Bash(rm -rf:*)", "rm -fr build"),
        ("Bash(git push:*)", "git --no-pager -C sub -c a=b push origin"),
        ("Bash(git push --force:*)", "git push origin main --force"),
        ("Bash(sudo:*)", "sudo ls"),
        ("Bash(npm run *:prod)", "npm run deploy:prod"),
        ("Bash(rm*)", "rmdir x"),
        ("bash(rm:*)", "rm x"),
        ("Bash()", "ls"),
        ("*", "ls"),
    ] {
        assert!(ask(&deny(&[rule]), text).denied, "{rule}: {text}");
    }
}

#[test]
fn deny_ends_at_word_borders() {
    for (rule, text) in [
        ("Bash(git diff:*)", "git difftool"),
        ("Bash(ls:*)", "lsof"),
        ("Bash(rm -rf:*)", "rm -r build"),
        ("Bash(npm test)", "npm test -- --watch"),
        ("Bash(git push:*)", "git log push"),
    ] {
        let answer = ask(&deny(&[rule]), text);
        assert!(!answer.denied && !answer.possible, "{rule}: {text}: {answer:?}");
    }
}

#[test]
fn file_rules_govern_commands() {
    for (rule, text) in [
        ("Read(.env)", "cat .env"),
        ("Read(.env)", "head -1 < src/../.env"),
        ("Edit(src/**)", "sed -i s/a/b/ src/x.rs"),
        ("Write(src/**)", "echo x > src/x.rs"),
        ("Edit(src)", "cd src && rm x.rs"),
        ("Edit(src/**)", "rm src/*"),
    ] {
        assert!(ask(&deny(&[rule]), text).denied, "{rule}: {text}");
    }
    for (rule, text) in [("Edit(src/a/**)", "rm -r src"), ("Read(.env)", "cat .e*"), ("Read(.env)", "cat $f")]
    {
        let answer = ask(&deny(&[rule]), text);
        assert!(answer.possible && !answer.denied, "{rule}: {text}: {answer:?}");
    }
    for (rule, text) in [("Read(.env)", "cat *"), ("Read(.env)", "cat src/x"), ("Edit(.env)", "cat .env")] {
        let answer = ask(&deny(&[rule]), text);
        assert!(!answer.possible && !answer.denied, "{rule}: {text}: {answer:?}");
    }
}

#[test]
fn what_cannot_be_ruled_out_is_possible() {
    for (rule, text) in [
        ("Bash(rm:*)", "$CMD x"),
        ("Bash(rm:*)", "eval \"$y\""),
        ("Bash(rm:*)", "echo a )"),
        ("Bash(git push:*)", "git $x"),
        ("Bash(git push:*)", "git publish"),
        ("Bash(git push:*)", "doppler run -- git push"),
        ("Bash(git push:*)", "tmux new 'git -C x push'"),
        ("Bash(rm:*)", "python3 -c 'import os; os.system(\"rm x\")'"),
        ("Read(.env)", "python3 -c 'open(\".env\")'"),
        ("Read(.env)", "unknown-tool --file=.env"),
    ] {
        let answer = ask(&deny(&[rule]), text);
        assert!(answer.possible && !answer.denied, "{rule}: {text}: {answer:?}");
    }
}

#[test]
fn an_exact_allow_rule_lifts_a_possible_match() {
    let rules = |scope| {
        compile(Rules {
            deny: vec![rule("Bash(git push:*)")],
            allow: vec![scoped("Bash(doppler run -- git push)", scope)],
            ..Rules::default()
        })
    };
    assert!(!ask(&rules(Scope::User), "doppler run -- git push").possible);
    assert!(ask(&rules(Scope::Project), "doppler run -- git push").possible);
    assert!(ask(&rules(Scope::User), "doppler run -- git push x").possible);
}

#[test]
fn a_text_of_several_commands_is_possible_only_where_it_stands() {
    let set = deny(&["Bash(make a && make b)"]);
    assert!(ask(&set, "make a && make b").denied);
    assert!(ask(&set, "tmux new 'make a && make b'").possible);
    assert!(ask(&set, "frobnicate \"$x\"").possible);
    for text in ["doppler run -- git push", "frobnicate x", "make a", "make b && make a"] {
        let answer = ask(&set, text);
        assert!(!answer.denied && !answer.possible, "{text}: {answer:?}");
    }
}

#[test]
fn globs_and_rules_with_wildcards_are_compared_to_their_ends() {
    let set = deny(&["Read(*.pem)", "Read(keys/id_*)"]);
    for (text, possible) in [
        ("cat src/*.rs", false),
        ("cat src/*", true),
        ("cat *.pem", true),
        ("cat keys/*.pub", true),
        ("cat keys/x*.txt", false),
    ] {
        assert_eq!(ask(&set, text).possible, possible, "{text}");
    }
}

#[test]
fn allow_covers_only_what_its_words_show() {
    for (rules, text) in [
        (&["Bash(npm test)"][..], "npm test"),
        (&["Bash(npm test)"], "cd src && npm test"),
        (&["Bash(npm test)"], "npm test 2>&1 | tail -5"),
        (&["Bash(npm test)"], "timeout 60 npm test"),
        (&["Bash(npm test)"], "bash -c 'npm test'"),
        (&["Bash(npm test)"], "CI=1 npm test > /dev/null"),
        (&["Bash(npm run:*)"], "npm run build -- --fast"),
        (&["Bash(npm run *)"], "npm run build"),
        (&["Bash(npm run build && npm test)"], "npm run build && npm test"),
        (&["Bash(npm test)", "Edit(out/**)"], "npm test > out/log"),
        (&["Edit(src/**)"], "sed -i s/a/b/ src/x.rs"),
        (&["Bash(sudo:*)", "Bash(systemctl restart x)"], "sudo systemctl restart x"),
        (&["Bash(FOO=1 npm test)"], "FOO=1 npm test"),
        (&["Bash(git push:*)"], "git -C sub push"),
    ] {
        assert!(ask(&allow(rules), text).allowed, "{rules:?}: {text}");
    }
    for (rules, text) in [
        (&["Bash(npm test)"][..], "npm test; rm -rf x"),
        (&["Bash(npm test)"], "npm test > out/log"),
        (&["Bash(npm test)"], "npm test $(rm x)"),
        (&["Bash(npm test)"], "PATH=. npm test"),
        (&["Bash(npm test:*)"], "npm test \"$x\""),
        (&["Bash(./npm:*)"], "npm test"),
        (&["Bash(npm:*)"], "./npm test"),
        (&["Bash(git diff:*)"], "git difftool"),
        (&["Bash(git push:*)"], "git -C /elsewhere push"),
        (&["Bash(git push:*)"], "git -c alias.x=y push"),
        (&["Bash(find:*)"], "find . -delete"),
        (&["Bash(sort:*)"], "sort -o x y"),
        (&["Bash(sudo:*)"], "sudo systemctl restart x"),
        (&["Bash(systemctl restart x)"], "sudo systemctl restart x"),
        (&["Bash(python3:*)"], "python3 <<E\nprint(1)\nE"),
        (&["Bash(npm test)"], "npm test )"),
        (&["Edit(src/**)"], "sed -i s/a/b/ lib/x.rs"),
        (&["Bash(for f in a b)"], "for f in a b; do rm $f; done"),
    ] {
        assert!(!ask(&allow(rules), text).allowed, "{rules:?}: {text}");
    }
}

#[test]
fn narrower_rules_overrule_broader_allows() {
    let set = |restrict: &str, at: Scope| {
        compile(Rules {
            allow: vec![scoped("Bash(npm:*)", Scope::User)],
            restrict: vec![scoped(restrict, at)],
            ask: vec![scoped("Bash(npm publish:*)", Scope::Project)],
            ..Rules::default()
        })
    };
    assert!(ask(&set("Bash(cargo:*)", Scope::Project), "npm test").allowed);
    assert!(!ask(&set("Bash(npm test:*)", Scope::Project), "npm test").allowed);
    assert!(ask(&set("Bash(npm test:*)", Scope::User), "npm test").allowed);
    assert!(!ask(&set("Bash(cargo:*)", Scope::Project), "npm test && npm publish").allowed);
    let managed = compile(Rules {
        allow: vec![scoped("Bash(npm:*)", Scope::Managed)],
        restrict: vec![scoped("Bash(npm:*)", Scope::Project)],
        ..Rules::default()
    });
    assert!(ask(&managed, "npm test").allowed);
}

#[test]
fn rule_objects_test_commands_and_paths() {
    let object = |tools: &[&str], pattern: Option<&str>, regex: Option<&str>| SourcedRule {
        spec: RuleSpec::Object(RuleObject {
            tools: tools.iter().map(|&tool| tool.to_owned()).collect(),
            pattern: pattern.map(str::to_owned),
            regex: regex.map(str::to_owned),
        }),
        reason: None,
        source: RuleSource::of(Scope::Project),
    };
    let deny = |rule: SourcedRule| compile(Rules { deny: vec![rule], ..Rules::default() });
    assert!(ask(&deny(object(&["Bash"], Some("*--force*"), None)), "ls; git push '--force'").denied);
    assert!(ask(&deny(object(&["Bash"], None, Some(r"\bDROP\s+TABLE\b"))), "psql -c 'DROP  TABLE x'").denied);
    assert!(ask(&deny(object(&["write", "edit"], Some("*/gen/*"), None)), "touch src/gen/x").denied);
    // A program by its path is the program.
    for (pattern, regex, command) in [
        (None, Some(r"^rm\b"), "/bin/rm x"),
        (None, Some(r"^rm\b"), "ls; sudo ../x/rm 'a b'"),
        (None, Some("^rm 'a b'$"), "/usr/bin/rm 'a b'"),
        (Some("git push*"), None, "./git push origin"),
        (Some("git push*"), None, "/usr/bin/git -C x push"),
        (Some("/usr/bin/git push*"), None, "/usr/bin/git push"),
    ] {
        assert!(ask(&deny(object(&["Bash"], pattern, regex)), command).denied, "{command}");
    }
    assert!(!ask(&deny(object(&["Bash"], None, Some(r"^rm\b"))), "ls /bin/rm").denied);
    let possible = ask(&deny(object(&["Bash"], Some("git push*"), None)), "/usr/bin/git push $X");
    assert!(!possible.allowed && (possible.denied || possible.possible), "a word that is not known");
    assert_eq!(deny(object(&["Bash"], None, Some("("))).errors().len(), 1);
    assert_eq!(deny(object(&["Bash"], None, None)).errors().len(), 1);
    let allowed = compile(Rules { allow: vec![object(&["Bash"], Some("*"), None)], ..Rules::default() });
    assert_eq!(allowed.errors().len(), 1);
}

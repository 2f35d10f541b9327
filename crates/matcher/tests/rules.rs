//! What rules are refused, noted, anchored and offered to other crates.
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

use std::io;
use std::sync::Arc;

use portcullis_matcher::{
    Conventions, ListKind, RuleObject, RuleSet, RuleSource, RuleSpec, Rules, Scope, SourcedRule, Subject,
    normalize_rule,
};
use portcullis_paths::{FileKind, Resolver, ThreePaths, three_paths};
use portcullis_tool_names::Aliases;
use serde_json::{Value, json};
use shell::{allow, anchors, deny, rule, scoped};

fn subject<'a>(name: &'a str, paths: &'a [ThreePaths], arguments: &'a Value) -> Subject<'a> {
    Subject {
        name,
        tool: Aliases::standard().canonical(name),
        paths,
        reached: &[],
        unknown_target: false,
        shell: &[],
        unknown_command: false,
        arguments,
        resolver: None,
    }
}

fn denies(set: &RuleSet, name: &str, path: &str) -> bool {
    let paths = [three_paths(path, "/repo", None)];
    set.first_match(ListKind::Deny, &subject(name, &paths, &Value::Null)).is_some()
}

fn allows(set: &RuleSet, name: &str, path: &str) -> bool {
    let paths = [three_paths(path, "/repo", None)];
    set.covering_allow(&subject(name, &paths, &Value::Null)).is_some()
}

#[test]
fn unreadable_rules_are_errors_in_every_list() {
    for text in [
        "",
        "  ",
        "(x)",
        "Bash(git",
        "Bash ls)",
        "Bash ls",
        "Read([)",
        "Read({a,b)",
        "Read(!x)",
        "Read(~other/x)",
        "**",
        "WebFetch(domain:)",
        r"Read(\*.txt)",
        r"Read(a\?b)",
        r"Read(src\[x].rs)",
        r"Read(\{a,b\})",
        r"Read(a\ b)",
        r"Read(\\*.txt)",
        r"Read(\!important)",
        "Bash(git push:*) Read(x)",
        "Bash(git push:*), Read(x)",
        "Bash(git push:*))",
        "Bash(rm:*);Bash(git push:*)",
        "Bash(rm:*),",
        "\"Bash(rm:*)\"",
        "'Bash(rm:*)'",
        "Read(a,Bash(git push:*)",
        "Read(x) Read(y)",
        "Read(a)b)",
        "Task(a),Task(b)",
        "Bash,Read",
        "Read,Edit(x)",
        "'Read'",
        "Read;",
        "WebFetch(domain:a.example) WebFetch(domain:b.example)",
        "WebFetch(domain:a.example,b.example)",
        "Bash:ls",
        "Bash[ls]",
        "Bash{ls}",
        "Bash|Read",
        "mcp__",
        "mcp__github__",
        "MCP__github",
        "B\u{200b}ash",
        "Bash\u{0}",
    ] {
        for list in [ListKind::Deny, ListKind::Allow] {
            let set = if list == ListKind::Deny { deny(&[text]) } else { allow(&[text]) };
            assert_eq!(set.errors().len(), 1, "{text:?}");
            assert_eq!(set.errors()[0].list, list);
            assert_eq!(set.errors()[0].rule, text);
        }
    }
    for text in ["mcp__github", "mcp__github__*", "mcp__*", "mcp__git-hub.x__get_*", "my_tool", "functions.x"]
    {
        assert!(deny(&[text]).errors().is_empty(), "{text}");
    }
    let object = |tools: &[&str], pattern: Option<&str>, regex: Option<&str>| {
        let text = |text: Option<&str>| text.map(str::to_owned);
        let tools = tools.iter().map(|name| (*name).to_owned()).collect();
        RuleSpec::Object(RuleObject { tools, pattern: text(pattern), regex: text(regex) })
    };
    for spec in [
        object(&[""], None, Some("x")),
        object(&["Bash", " "], Some("x"), None),
        object(&[], Some("x"), None),
        object(&["Bash"], Some(""), None),
        object(&["Bash"], None, Some("")),
        object(&["Bash(rm:*)"], None, Some("rm")),
        object(&["Bash|Read"], None, Some("rm")),
    ] {
        let rule = SourcedRule { spec, reason: None, source: RuleSource::of(Scope::User) };
        let rules = Rules { deny: vec![rule.clone()], ..Rules::default() };
        let set = RuleSet::compile(rules.into(), &anchors(), &Conventions::letta());
        assert_eq!(set.errors().len(), 1, "{}", rule.label());
    }
    // Separators of Windows are no quotes.
    for text in [r"Read(src\a.rs)", r"Read(C:\x\**)", r"Read(\\server\share\**)", r"Read(\\?\C:\x\*)"] {
        assert!(deny(&[text]).errors().is_empty(), "{text}");
    }
    assert_eq!(allow(&["Bash()", "Read()"]).errors().len(), 2);
    assert!(deny(&["Bash()", "Read()"]).errors().is_empty());
}

#[test]
fn parentheses_that_the_shell_reads_are_a_payload() {
    for text in [
        "Bash(case x in a) b;; esac)",
        r#"Bash(echo ")")"#,
        r"Bash(grep \( x)",
        "Read(a (1).txt)",
        "Read(a[(]b)",
        "WebFetch(https://a.example/b_(c))",
    ] {
        assert_eq!(deny(&[text]).errors(), [], "{text}");
    }
    let message = deny(&["Bash(git push:*) Read(x)"]).errors()[0].message.clone();
    assert!(message.contains("`Bash(git push:*)`, `Read(x)`"), "{message}");
}

/// Quotes around a whole payload: in the lists that restrict what they hold counts, in allow it does not.
#[test]
fn a_payload_in_quotes_is_read_by_its_meaning() {
    for text in ["Read(\"secrets/**\")", "Read('secrets/**')", "Read( `secrets/**` )"] {
        let set = deny(&[text]);
        assert_eq!(set.notes().len(), 1, "{text}");
        assert!(denies(&set, "Read", "secrets/key"), "{text}");
        assert!(!denies(&set, "Read", "src/a"), "{text}");
    }
    let both = deny(&["Read(\"secrets/**\")"]);
    assert!(denies(&both, "Read", "\"secrets/key\"") || denies(&both, "Read", "\"secrets/**\""));
    let set = allow(&["Read(\"src/**\")"]);
    assert_eq!(set.notes().len(), 1);
    assert!(!allows(&set, "Read", "src/a"));
    // A quote that belongs to a name is one.
    assert_eq!(deny(&["Read(it's/a)", "Read('a'/'b')"]).notes(), []);

    let push = |set: &RuleSet| shell::ask(set, "git push origin").denied;
    for text in ["Bash(\"git push:*\")", "Bash('git push:*')", "Bash('git push *')"] {
        let set = deny(&[text]);
        assert_eq!(set.notes().len(), 1, "{text}");
        assert!(push(&set), "{text}");
    }
    assert!(push(&deny(&["Bash(\"git:*\")"])));
    // One word to the shell, as it stands.
    let set = deny(&["Bash('/opt/my tools/x')"]);
    assert_eq!(set.notes(), []);
    assert!(shell::ask(&set, "'/opt/my tools/x'").denied);
    assert!(!shell::ask(&allow(&["Bash('git push:*')"]), "git push origin").allowed);

    let fetches = |set: &RuleSet| {
        let arguments = json!({ "url": "https://a.example/x" });
        set.first_match(ListKind::Deny, &subject("WebFetch", &[], &arguments)).is_some()
    };
    assert!(fetches(&deny(&["WebFetch(\"domain:a.example\")"])));
    assert!(fetches(&deny(&["WebFetch('https://a.example/*')"])));
    let agent = json!({ "subagent_type": "recall" });
    assert!(deny(&["Task(\"recall\")"]).first_match(ListKind::Deny, &subject("Task", &[], &agent)).is_some());
}

#[test]
fn evident_meanings_are_noted() {
    assert_eq!(deny(&["READ(.env)"]).notes().len(), 1);
    assert!(denies(&deny(&["READ(.env)"]), "Read", ".env"));
    assert!(!allows(&allow(&["READ(src/a)"]), "Read", "src/a"));
    for (text, list) in [
        ("Bash(**)", ListKind::Deny),
        ("TodoWrite(x)", ListKind::Allow),
        ("Edit(../x/**)", ListKind::Allow),
        ("WebFetch(docs.rs/*)", ListKind::Allow),
        ("Bash(a && b:*)", ListKind::Allow),
    ] {
        let set = if list == ListKind::Deny { deny(&[text]) } else { allow(&[text]) };
        assert_eq!(set.notes().len(), 1, "{text}");
    }
}

#[test]
fn families_govern_one_another_in_deny() {
    let set = deny(&["Write(gen/**)", "Read(.env)"]);
    for (tool, path, expected) in [
        ("Edit", "gen/a.rs", true),
        ("NotebookEdit", "gen/a.ipynb", true),
        ("apply_patch", "gen/a.rs", true),
        ("Read", "gen/a.rs", false),
        ("Write", ".env", true),
        ("Grep", "sub/.env", true),
        ("Glob", ".env", false),
    ] {
        assert_eq!(denies(&set, tool, path), expected, "{tool} {path}");
    }
}

#[test]
fn slashes_are_anchored_by_profile_and_source() {
    let compile = |scope, conventions: &Conventions| {
        let rules = Rules { allow: vec![scoped("Edit(/src/**)", scope)], ..Rules::default() };
        RuleSet::compile(Arc::new(rules), &anchors(), conventions)
    };
    assert!(allows(&compile(Scope::Project, &Conventions::claude()), "Edit", "/repo/src/a"));
    assert!(allows(&compile(Scope::User, &Conventions::claude()), "Edit", "/home/u/.config/src/a"));
    assert!(!allows(&compile(Scope::Project, &Conventions::claude()), "Edit", "/src/a"));
    assert!(allows(&compile(Scope::Project, &Conventions::letta()), "Edit", "/src/a"));
    assert!(allows(&compile(Scope::Project, &Conventions::claude()), "Write", "/repo/src/a"));
    assert!(!allows(&compile(Scope::Project, &Conventions::letta()), "Write", "/src/a"));
}

/// `link` in the project leads to `/elsewhere`.
struct Linked;

impl Resolver for Linked {
    fn realpath(&self, path: &str) -> io::Result<String> {
        Ok(path.replace("/repo/link", "/elsewhere"))
    }

    fn kind(&self, _path: &str) -> Option<FileKind> {
        None
    }

    fn read(&self, _path: &str, _limit: usize) -> io::Result<Vec<u8>> {
        Err(io::Error::from(io::ErrorKind::NotFound))
    }
}

#[test]
fn deny_takes_any_reading_and_allow_needs_all() {
    let paths = [three_paths("link/x", "/repo", Some(&Linked))];
    let call = subject("Edit", &paths, &Value::Null);
    assert!(deny(&["Edit(//elsewhere/**)"]).first_match(ListKind::Deny, &call).is_some());
    assert!(deny(&["Edit(link/**)"]).first_match(ListKind::Deny, &call).is_some());
    assert!(allow(&["Edit(**)"]).covering_allow(&call).is_none());
    assert!(allow(&["Edit(//**)"]).covering_allow(&call).is_some());
}

#[test]
fn deny_compares_the_composed_form_and_allow_bytes() {
    assert!(denies(&deny(&["Read(caf\u{e9}/**)"]), "Read", "cafe\u{301}/x"));
    assert!(!allows(&allow(&["Read(caf\u{e9}/**)"]), "Read", "cafe\u{301}/x"));
}

#[test]
fn every_target_has_to_be_allowed_and_one_denied_is_enough() {
    let paths = [three_paths("src/a", "/repo", None), three_paths("lib/b", "/repo", None)];
    let call = subject("Edit", &paths, &Value::Null);
    assert!(allow(&["Edit(src/**)"]).covering_allow(&call).is_none());
    assert!(allow(&["Edit(src/**)", "Edit(lib/**)"]).covering_allow(&call).is_some());
    assert!(deny(&["Edit(lib/b)"]).first_match(ListKind::Deny, &call).is_some());
}

#[test]
fn an_unknown_target_is_possibly_denied_and_never_allowed_by_a_path() {
    let call = Subject { unknown_target: true, ..subject("Edit", &[], &Value::Null) };
    let set = deny(&["Edit(src/**)", "Read(x)", "Bash(rm:*)"]);
    assert!(set.first_match(ListKind::Deny, &call).is_none());
    assert_eq!(set.possible_matches(ListKind::Deny, &call).len(), 2);
    assert!(allow(&["Edit(**)"]).covering_allow(&call).is_none());
    assert!(allow(&["Edit"]).covering_allow(&call).is_some());
}

#[test]
fn names_servers_and_types() {
    let arguments = json!({ "subagent_type": "recall", "url": "https://docs.rs/x" });
    let covers =
        |rule: &str, name: &str| allow(&[rule]).covering_allow(&subject(name, &[], &arguments)).is_some();
    for (rule, name, expected) in [
        ("mcp__github", "mcp__github__get_issue", true),
        ("mcp__github__get_*", "mcp__github__get_issue", true),
        ("mcp__git", "mcp__github__get_issue", false),
        ("mcp__*", "mcp__github__get_issue", true),
        ("Task(recall)", "Agent", true),
        ("Task(reflection)", "Task", false),
        ("WebFetch(domain:docs.rs)", "WebFetch", true),
        ("WebFetch(domain:rs)", "WebFetch", false),
        ("TodoWrite(x)", "TodoWrite", false),
        ("TodoWrite", "TodoWrite", true),
    ] {
        assert_eq!(covers(rule, name), expected, "{rule} {name}");
    }
}

#[test]
fn literal_paths_and_denied_globs_are_told() {
    let set = allow(&["Edit(.git/config)", "Read(~/.ssh/id)", "Edit(src/**)"]);
    assert!(set.names_literally("/repo/.git/config", true));
    assert!(!set.names_literally("/repo/.git/config", false));
    assert!(set.names_literally("/home/u/.ssh/id", false));
    assert!(!set.names_literally("/repo/src/a", true));
    let set = deny(&["Read(.env)", "Edit(gen/**)", "Bash(rm:*)"]);
    let globs = set.denied_paths();
    assert!(globs.contains(&("/repo/.env".to_owned(), true)));
    assert!(globs.contains(&("/**/.env".to_owned(), true)));
    assert!(globs.contains(&("/repo/gen/**".to_owned(), false)));
    assert_eq!(set.rule(portcullis_matcher::RuleId { list: 0, index: 0 }), Some(&rule("Read(.env)")));
}

#[test]
fn a_launcher_with_a_wildcard_is_not_every_command() {
    for rule in
        ["env *", "env -u X *", "bash -c *", "bash -c \"*\"", "sh -c '* status'", "bash -c '':*", "env:*"]
    {
        let normal = normalize_rule(&format!("Bash({rule})"));
        assert!(!normal.starts_with("Bash(*") && !normal.starts_with("Bash(:"), "{rule} became {normal}");
    }
    assert_eq!(normalize_rule("Bash(bash -c 'git diff *')"), "Bash(git diff *)");
    assert_eq!(normalize_rule("Bash(env git status:*)"), "Bash(git status:*)");
}

#[test]
fn a_rule_for_a_launcher_covers_no_other_command() {
    for text in ["env *", "bash -c *", "sh -c '*'"] {
        let rules = allow(&[&format!("Bash({text})")]);
        for command in ["xargs", "npm test", "rm -rf x"] {
            assert!(!shell::ask(&rules, command).allowed, "Bash({text}) covers {command}");
        }
    }
}

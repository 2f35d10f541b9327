//! One file by several names: case, Windows shapes, and composed letters.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

use std::sync::Arc;

use portcullis_matcher::{
    Anchors, Conventions, ListKind, RuleObject, RuleSet, RuleSource, RuleSpec, Rules, Scope, ShellPart,
    SourcedRule, Subject,
};
use portcullis_paths::three_paths;
use portcullis_shell_analysis::{Settings, Shell, analyze};
use portcullis_tool_names::Aliases;
use serde_json::Value;

/// Where rules stand and how they are read.
struct Host {
    root: &'static str,
    conventions: Conventions,
}

impl Host {
    /// A file system that takes names for one that differ in case.
    fn folding() -> Self {
        let conventions = Conventions { fold_case: true, ..Conventions::portcullis() };
        Self { root: "/Work/Proj", conventions }
    }

    fn windows() -> Self {
        Self { root: "C:/Work", conventions: Conventions::portcullis() }
    }

    fn set(&self, list: ListKind, rules: Vec<SourcedRule>) -> RuleSet {
        let anchors = Anchors {
            project_root: self.root.to_owned(),
            start_directory: self.root.to_owned(),
            home: None,
            user_settings: None,
        };
        let rules = match list {
            ListKind::Deny => Rules { deny: rules, ..Rules::default() },
            ListKind::Ask => Rules { ask: rules, ..Rules::default() },
            _ => Rules { allow: rules, ..Rules::default() },
        };
        RuleSet::compile(Arc::new(rules), &anchors, &self.conventions)
    }

    fn texts(&self, list: ListKind, rules: &[&str]) -> RuleSet {
        self.set(list, rules.iter().map(|rule| SourcedRule::text(*rule, user())).collect())
    }

    /// Whether a restricting rule matches this path, or an allow rule covers it.
    fn holds(&self, set: &RuleSet, list: ListKind, tool: &str, path: &str) -> bool {
        let paths = [three_paths(path, self.root, None)];
        let call = Subject {
            name: tool,
            tool: Aliases::standard().canonical(tool),
            paths: &paths,
            reached: &[],
            unknown_target: false,
            shell: &[],
            unknown_command: false,
            arguments: &Value::Null,
            resolver: None,
        };
        match list {
            ListKind::Allow => set.covering_allow(&call).is_some(),
            list => set.first_match(list, &call).is_some(),
        }
    }

    fn rule(&self, list: ListKind, rule: &str, tool: &str, path: &str) -> bool {
        self.holds(&self.texts(list, &[rule]), list, tool, path)
    }

    /// Certain and possible matches of a command.
    fn command(&self, rule: &str, text: &str) -> (bool, bool) {
        let set = self.texts(ListKind::Deny, &[rule]);
        let settings = Settings {
            shell: Shell::Bash,
            cwd: self.root,
            home: None,
            roots: &[],
            allow_external_paths: true,
            trusted: true,
            scrubbed: false,
            environment: &[],
            resolver: None,
        };
        let analysis = analyze(text, &settings);
        let call = Subject {
            name: "Bash",
            tool: Aliases::standard().canonical("Bash"),
            paths: &[],
            reached: &[],
            unknown_target: false,
            shell: &[ShellPart { text, analysis: &analysis }],
            unknown_command: false,
            arguments: &Value::Null,
            resolver: None,
        };
        let certain = set.first_match(ListKind::Deny, &call).is_some();
        (certain, certain || !set.possible_matches(ListKind::Deny, &call).is_empty())
    }
}

fn user() -> RuleSource {
    RuleSource::of(Scope::User)
}

fn object(pattern: Option<&str>, regex: Option<&str>) -> SourcedRule {
    let spec = RuleSpec::Object(RuleObject {
        tools: vec!["Read".to_owned()],
        pattern: pattern.map(str::to_owned),
        regex: regex.map(str::to_owned),
    });
    SourcedRule { spec, reason: None, source: user() }
}

#[test]
fn rules_that_restrict_ignore_case_where_the_file_system_does() {
    let host = Host::folding();
    for (rule, path) in [
        ("Read(.env)", "sub/.ENV"),
        ("Read(*.PEM)", "Key.pem"),
        ("Read(Src/**)", "sRC/a"),
        ("Read(//work/proj/x)", "X"),
        ("Read([A-C]lpha)", "ALPHA"),
        ("Read(Src/**/*.[JT]S)", "src/deep/x.ts"),
        ("Read(CAF\u{c9})", "cafe\u{301}"),
    ] {
        assert!(host.rule(ListKind::Deny, rule, "Read", path), "{rule} {path}");
        assert!(host.rule(ListKind::Ask, rule, "Read", path), "{rule} {path}");
        let exact = Host { conventions: Conventions::portcullis(), ..Host::folding() };
        assert!(!exact.rule(ListKind::Deny, rule, "Read", path), "{rule} {path}");
    }
    assert!(!host.rule(ListKind::Deny, "Read([!A]x)", "Read", "aX"));
}

#[test]
fn allow_rules_compare_bytes_all_the_same() {
    let host = Host::folding();
    assert!(host.rule(ListKind::Allow, "Edit(Src/**)", "Edit", "Src/a"));
    for path in ["src/a", "SRC/a", "/work/proj/Src/a"] {
        assert!(!host.rule(ListKind::Allow, "Edit(Src/**)", "Edit", path), "{path}");
    }
    let set = host.texts(ListKind::Allow, &["Read(.env)"]);
    assert!(set.names_literally("/Work/Proj/.env", false));
    assert!(!set.names_literally("/Work/Proj/.ENV", false));
}

#[test]
fn commands_reach_files_by_names_of_another_case() {
    let host = Host::folding();
    assert_eq!(host.command("Read(.env)", "cat .ENV"), (true, true));
    assert_eq!(host.command("Edit(Src/**)", "rm -r sRC"), (true, true));
    // What a wildcard finds, and what a program that is not known makes of its words.
    assert_eq!(host.command("Read(Secret.txt)", "cat SEC*"), (false, true));
    assert_eq!(host.command("Read(Secret.txt)", "cat sub*"), (false, false));
    assert_eq!(host.command("Read(Secret.txt)", "frobnicate secret.TXT"), (false, true));
}

#[test]
fn what_others_get_of_denied_paths_is_as_it_was_written() {
    let host = Host::folding();
    let globs = host.texts(ListKind::Deny, &["Read(//Srv/Keys/*.PEM)"]);
    assert!(
        globs.denied_paths().contains(&("/Srv/Keys/*.PEM".to_owned(), true)),
        "{:?}",
        globs.denied_paths()
    );
}

#[test]
fn rule_objects_ignore_case_in_paths_and_not_in_commands() {
    let host = Host::folding();
    let holds = |rule: SourcedRule, path: &str| {
        host.holds(&host.set(ListKind::Deny, vec![rule]), ListKind::Deny, "Read", path)
    };
    assert!(holds(object(Some("*Secret*"), None), "my-SECRET.txt"));
    assert!(holds(object(None, Some("/Sec\\w+$")), "sECRETS"));
    assert!(!holds(object(None, Some("/Sec\\d+$")), "sECRETS"));
    let exact = Host { conventions: Conventions::portcullis(), ..Host::folding() };
    let set = exact.set(ListKind::Deny, vec![object(Some("*Secret*"), None)]);
    assert!(!exact.holds(&set, ListKind::Deny, "Read", "my-SECRET.txt"));
    assert_eq!(host.command("Bash(Make:*)", "make"), (false, false));
}

#[test]
fn rule_objects_compare_the_composed_form_of_paths() {
    let host = Host { conventions: Conventions::portcullis(), ..Host::folding() };
    let holds = |rule: SourcedRule, path: &str| {
        host.holds(&host.set(ListKind::Deny, vec![rule]), ListKind::Deny, "Read", path)
    };
    for (composed, taken_apart) in [("caf\u{e9}", "cafe\u{301}"), ("cafe\u{301}", "caf\u{e9}")] {
        assert!(holds(object(Some(&format!("*{composed}*")), None), taken_apart), "{composed}");
    }
    assert!(holds(object(None, Some("caf.$")), "cafe\u{301}"));
}

#[test]
fn windows_shapes_are_compared_as_windows_does() {
    let host = Host::windows();
    for path in [r"Src\a.rs", "SRC/a.rs", r"c:\WORK\src\a.rs", r"\\?\C:\Work\Src\a.rs", "/C:/work/src/a.rs"] {
        for list in [ListKind::Deny, ListKind::Ask, ListKind::Allow] {
            assert!(host.rule(list, "Edit(src/**)", "Edit", path), "{list:?} {path}");
            assert!(host.rule(list, r"Edit(C:\Work\SRC\**)", "Edit", path), "{list:?} {path}");
        }
    }
    for path in [r"D:\Work\Src\a.rs", r"\\server\share\Work\Src\a.rs", r"..\Src\a.rs"] {
        assert!(!host.rule(ListKind::Allow, "Edit(src/**)", "Edit", path), "{path}");
    }
    for path in [r"\\Server\Share\x\y", r"//server/SHARE/X/y", r"\\?\UNC\server\share\x\y"] {
        assert!(host.rule(ListKind::Deny, r"Read(\\server\share\x\**)", "Read", path), "{path}");
    }
    let set = host.texts(ListKind::Allow, &["Read(.Env)"]);
    assert!(set.names_literally("C:/WORK/.env", false) && !set.names_literally("C:/WORK/.env", true));
}

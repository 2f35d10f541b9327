//! What surrounds decisions: workspaces, modes of sessions, tools that declare themselves, engines and shadows.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use std::{io, sync::Arc};

use portcullis_matcher::ListKind;
use portcullis_paths::{FileKind, NoResolver, Resolver};
use portcullis_permissions::{
    Configuration, Context, Decision, Gate, Mode, ModeCell, ToolPolicy, Workspace, WorkspaceError, compare,
    decide,
};
use serde_json::json;
use support::{CORPUS, Situation, row::Row};

/// `/ws/a` and `/ws/b` are directories, `/ws/f` a file, `/ws/out` leads to `/elsewhere`, `/in` to `/ws/b`.
struct Disk;

impl Resolver for Disk {
    fn realpath(&self, path: &str) -> io::Result<String> {
        Ok(match path {
            "/ws/out" => "/elsewhere".to_owned(),
            "/in" => "/ws/b".to_owned(),
            "/loop" => return Err(io::Error::other("a loop")),
            path => path.to_owned(),
        })
    }

    fn kind(&self, path: &str) -> Option<FileKind> {
        match path {
            "/ws" | "/ws/a" | "/ws/b" | "/elsewhere" => Some(FileKind::Directory),
            "/ws/f" => Some(FileKind::File),
            _ => None,
        }
    }

    fn read(&self, path: &str, limit: usize) -> io::Result<Vec<u8>> {
        NoResolver.read(path, limit)
    }
}

#[test]
fn a_workspace_is_checked_where_it_is_made() {
    let made = |root: &str, isolation: &str| Workspace::new(root, isolation, &Disk, Ok(()));
    let fine = made("/ws/a/", "/ws").unwrap();
    assert_eq!((fine.root(), fine.isolation_root()), ("/ws/a", "/ws"));
    assert!(made("/in", "/ws").is_err(), "it is named as a place elsewhere");
    for (root, isolation) in [("a", "/ws"), ("/ws/a", "ws")] {
        assert!(matches!(made(root, isolation), Err(WorkspaceError::NotAbsolute(_))));
    }
    for (root, isolation) in [("/ws/gone", "/ws"), ("/ws/f", "/ws"), ("/ws/loop/../../loop", "/")] {
        let error = made(root, isolation).unwrap_err();
        assert!(matches!(&error, WorkspaceError::NotADirectory(_)), "{error}");
        assert!(error.to_string().contains('`'), "{error}");
    }
    for (root, isolation) in [("/ws", "/ws"), ("/ws/a", "/ws/b"), ("/ws/out", "/ws"), ("/ws", "/ws/a")] {
        let error = made(root, isolation).unwrap_err();
        assert!(matches!(&error, WorkspaceError::NotInside { .. }), "{root} {isolation} {error}");
    }
    let error = Workspace::new("/ws/a", "/ws", &Disk, Err("no bubblewrap".into())).unwrap_err();
    assert_eq!(error, WorkspaceError::NoBackEnd("no bubblewrap".into()));
    assert!(Workspace::unchecked("/not/there", "/not").is_ok());
    assert!(matches!(Workspace::unchecked("/a", "/a"), Err(WorkspaceError::NotInside { .. })));
}

#[test]
fn a_tool_that_declares_that_it_reads_passes_plan_mode() {
    let tool = |policy, reads: bool| {
        Row::call("my_tool", json!({})).mode(Mode::Plan).set(|context| {
            context.tools = [("my_tool".to_owned(), policy)].into();
            if reads {
                context.reading_tools = ["my_tool".to_owned()].into();
            }
        })
    };
    tool(ToolPolicy::Auto, false).speaks(Gate::Plan, Decision::Deny, "Plan mode");
    tool(ToolPolicy::Auto, true).speaks(Gate::Default, Decision::Allow, "Default behavior for tool");
    tool(ToolPolicy::Ask, true).speaks(Gate::Default, Decision::Ask, "Default behavior for tool");
    let always = tool(ToolPolicy::AlwaysAsk, true).verdict();
    assert_eq!((always.gate, always.decision), (Gate::ToolPolicy, Decision::AlwaysAsk));
}

#[test]
fn plan_mode_lets_no_rule_allow() {
    for text in ["touch x", "make", "curl https://x.example"] {
        Row::shell(text).mode(Mode::Plan).rule(ListKind::Allow, "*").speaks(
            Gate::Plan,
            Decision::Ask,
            "Plan mode",
        );
    }
    Row::file("Edit", "src/a.rs").mode(Mode::Plan).rule(ListKind::Allow, "*").speaks(
        Gate::Plan,
        Decision::Deny,
        "Plan mode",
    );
}

#[test]
fn a_session_decides_in_the_mode_that_its_cell_holds() {
    let cell = ModeCell::new(Mode::Standard);
    let child = cell.child(Mode::Unrestricted);
    let decided = |mode| Row::shell("touch x").mode(mode).verdict().decision;
    assert_eq!(decided(child.get()), Decision::Ask);
    cell.set(Mode::AcceptEdits);
    assert_eq!((decided(cell.get()), decided(child.get())), (Decision::Allow, Decision::Allow));
    cell.set(Mode::DontAsk);
    assert_eq!(decided(child.get()), Decision::Deny);
}

/// One configuration of a situation.
fn configured(it: &Situation) -> Configuration {
    let (context, rules) = it.compiled();
    Configuration { context, rules: Arc::new(rules) }
}

fn answers(it: &Situation, folds: bool) -> Decision {
    let under = configured(it).under_engine(folds);
    decide(&it.call, &under.context, &under.rules).decision
}

#[test]
fn the_old_engine_compares_names_as_they_are_written() {
    let shell = |tool: &str, list, rule: &str| {
        Situation::new(tool, json!({ "command": "make" }), Mode::Standard).with(list, rule)
    };
    // A rule for one spelling is one for that spelling.
    let allowed = shell("run_shell_command", ListKind::Allow, "Bash(make)");
    assert_eq!((answers(&allowed, true), answers(&allowed, false)), (Decision::Allow, Decision::Ask));
    let own = shell("run_shell_command", ListKind::Allow, "run_shell_command(make)");
    assert_eq!(answers(&own, true), Decision::Allow);
    // For deny the stricter of both counts.
    for rule in ["Bash(make)", "run_shell_command(make)", "run_shell_command"] {
        for folds in [true, false] {
            let denied = shell("run_shell_command", ListKind::Deny, rule);
            assert_eq!(answers(&denied, folds), Decision::Deny, "{rule} {folds}");
        }
    }
    // No fallback for a bare tool that takes a payload.
    let bare = shell("Bash", ListKind::Allow, "Bash");
    assert_eq!((answers(&bare, true), answers(&bare, false)), (Decision::Allow, Decision::Ask));
}

#[test]
fn the_old_engine_is_never_laxer_about_deny() {
    for it in CORPUS.iter().step_by(3) {
        if answers(it, true) == Decision::Deny {
            assert_eq!(answers(it, false), Decision::Deny, "{it:?}");
        }
    }
}

#[test]
fn a_shadow_is_compared_and_never_used() {
    let it = Situation::new("run_shell_command", json!({ "command": "make" }), Mode::Standard)
        .with(ListKind::Allow, "Bash(make)");
    let here = configured(&it);
    let verdict = decide(&it.call, &here.context, &here.rules);
    let found = compare(&it.call, &verdict, &here.under_engine(false)).unwrap();
    assert_eq!((found.primary.decision, found.primary.rule.as_deref()), ("allow", Some("Bash(make)")));
    assert_eq!((found.shadow.decision, found.shadow.gate), ("ask", "default"));
    assert_eq!(compare(&it.call, &verdict, &here), None);
    // Rules and modes are compared in the same way; the session's and the command line's rules are of the engine too.
    let strict = Configuration {
        context: Context { mode: Mode::Strict, ..here.context.clone() },
        rules: Arc::clone(&here.rules),
    };
    assert_eq!(compare(&it.call, &verdict, &strict), None, "a rule allows in strict mode as well");
    let mut denied = it.clone().with(ListKind::Deny, "Bash");
    let stricter = compare(&it.call, &verdict, &configured(&denied)).unwrap();
    assert_eq!(stricter.shadow.decision, "deny");
    denied.rules = it.rules.clone();
    std::mem::swap(&mut denied.rules, &mut denied.session);
    let session = configured(&denied);
    let by_session = decide(&denied.call, &session.context, &session.rules);
    assert_eq!(by_session.gate, Gate::SessionAllow);
    assert!(compare(&denied.call, &by_session, &session.under_engine(false)).is_some());
}

#[test]
fn an_exact_rule_lifts_a_possible_match_by_its_scope() {
    use portcullis_permissions::Scope::{Local, Managed, Project, User};
    let row = |scope| {
        Row::shell("doppler run -- git push").rule(ListKind::Deny, "Bash(git push:*)").rule_of(
            scope,
            ListKind::Allow,
            "Bash(doppler run -- git push)",
        )
    };
    for scope in [User, Local, Managed] {
        assert_eq!(row(scope).verdict().gate, Gate::AllowRule, "{scope:?}");
    }
    assert_eq!(row(Project).verdict().gate, Gate::PossibleDeny);
    // Never a definite one, and never by a prefix.
    let definite = Row::shell("git push")
        .rule(ListKind::Deny, "Bash(git push:*)")
        .rule(ListKind::Allow, "Bash(git push)");
    assert_eq!(definite.verdict().gate, Gate::DenyRule);
    let prefix = Row::shell("doppler run -- git push")
        .rule(ListKind::Deny, "Bash(git push:*)")
        .rule(ListKind::Allow, "Bash(doppler run:*)");
    assert_eq!(prefix.verdict().gate, Gate::PossibleDeny);
}

/// A file system with one script, for what is read through the resolver.
struct Script(&'static [u8]);

impl Resolver for Script {
    fn realpath(&self, path: &str) -> io::Result<String> {
        Ok(portcullis_paths::normalize(path))
    }

    fn kind(&self, path: &str) -> Option<FileKind> {
        match path {
            "/repo/x.sh" => Some(FileKind::File),
            "/" | "/repo" => Some(FileKind::Directory),
            _ => None,
        }
    }

    fn read(&self, path: &str, limit: usize) -> io::Result<Vec<u8>> {
        match path {
            "/repo/x.sh" if self.0.len() <= limit => Ok(self.0.to_vec()),
            "/repo/x.sh" => Err(io::Error::other("too large")),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

#[test]
fn a_script_is_read_and_what_cannot_be_read_matches_by_its_words() {
    let run = |text: &str, script: &'static [u8], rule: &str| {
        Row::shell(text)
            .rule(ListKind::Deny, rule)
            .mode(Mode::Unrestricted)
            .set(|context| context.resolver = Some(Arc::new(Script(script))))
            .verdict()
    };
    let deny = "Bash(git push:*)";
    assert_eq!(run("bash x.sh", b"ls\ngit status\n", deny).decision, Decision::Allow);
    assert_ne!(run("bash x.sh", b"ls\ngit push\n", deny).decision, Decision::Allow);
    assert_ne!(run("bash x.sh", b"eval \"$1\"\n", deny).decision, Decision::Allow);
    for text in [
        "parallel -a x.sh",
        "cat x.sh | parallel -j1",
        "cat x.sh | sem",
        "cat x.sh | ssh host",
        "cat x.sh | sh",
    ] {
        assert_ne!(run(text, b"git push\n", deny).decision, Decision::Allow, "{text}");
        let other = run(text, b"git status\n", deny).decision;
        assert_eq!(other == Decision::Allow, !text.ends_with("| sh"), "{text}");
    }
    static LARGE: [u8; (256 << 10) + 1] = [b'\n'; (256 << 10) + 1];
    // Not read: the rule that its words name.
    assert_eq!(run("bash x.sh git push", &LARGE, deny).gate, Gate::PossibleDeny);
}

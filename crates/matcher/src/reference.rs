//! The naive reference: the same rules compared one by one. Whatever the index leaves out must not match.

use std::sync::Arc;

use portcullis_paths::ThreePaths;
use portcullis_shell_analysis::{
    Analysis, Argument, Assignment, Below, Blocker, Directories, Effect, EffectKind, GlobPattern, Invocation,
    Launcher, PathTarget, Reach, Span, Text, Value,
};
use portcullis_tool_names::Aliases;
use proptest::prelude::*;
use serde_json::json;

use crate::{
    Anchors, Conventions, ListKind, ReachedPaths, RuleObject, RuleSet, RuleSource, RuleSpec, Rules, Scope,
    ShellPart, SourcedRule, Subject,
};

const WORDS: [&str; 15] = [
    "-C", "src", "a && b", "git", "push", "rm", "-rf", "-r", "-f", "--force", "/bin/rm", "src/a", ".env",
    "npm", "git push",
];
const PATHS: [&str; 10] = [
    "/repo/src/a.rs",
    "/repo/.env",
    "/repo/src/.env",
    "/repo",
    "/etc/key.pem",
    "/repo/src",
    "/home/u/.ssh/id",
    "/repo/Caf\u{65}\u{301}",
    "/",
    "/repo/src/sub/b.rs",
];
const COMMANDS: [&str; 27] = [
    "git push:*",
    "git push",
    "rm:*",
    "rm -rf:*",
    "rm -rf src/a",
    "npm *",
    "git * --force",
    "*push*",
    "r*",
    "git:*",
    "git -C src push:*",
    "/bin/rm:*",
    "a && b",
    "FOO=1 npm:*",
    "npm",
    "bash -c 'git push'",
    "rm src/a:*",
    ":*",
    "git -C src * .env",
    "git * push",
    "npm * --force",
    "* -f * src/a",
    "*h --force",
    "a && b:*",
    "a && *",
    "(rm -rf *",
    "rm * -r src/a:*",
];
const GLOBS: [&str; 26] = [
    "**",
    "src/**",
    ".env",
    "*.pem",
    "src/*",
    "//etc/**",
    "~/.ssh/**",
    "**/.env",
    "caf\u{e9}",
    "{src,doc}/*.rs",
    "src",
    "**/*.rs",
    "//**/id",
    "src/sub/",
    "[rs]rc/**",
    "*",
    "src/a.rs",
    "src/sub*/b.rs",
    "src/sub/*.pem",
    "a.*",
    "*e*",
    "**/*sub*/b.rs",
    "src/.e*",
    "id*",
    "*E\u{301}*",
    "*R[bc]*",
];
const TOOLS: [&str; 10] =
    ["Bash", "Read", "Edit", "Write", "Grep", "Glob", "WebFetch", "mcp__github__get", "Task", "Skill"];

fn rule() -> impl Strategy<Value = SourcedRule> {
    let pick = |all: &'static [&'static str]| proptest::sample::select(all);
    let text = prop_oneof![
        6 => pick(&COMMANDS).prop_map(|payload| format!("Bash({payload})")),
        6 => (pick(&["Read", "Edit", "Write", "Grep", "Glob"]), pick(&GLOBS))
            .prop_map(|(tool, payload)| format!("{tool}({payload})")),
        1 => pick(&TOOLS).prop_map(str::to_owned),
        1 => pick(&[
            "*", "mcp__github", "mcp__github__*", "mcp__*", "WebFetch(domain:a.example)",
            "WebFetch(domain:*.a.example)", "WebFetch(https://a.example/*)", "Task(recall)", "Task(*)", "Task(r *)",
            "TodoWrite(x)", "Monitor", "WebFetch(https://*/y)", "WebFetch(https://x.a.example/*)", "Task(r*)",
            "mcp__github__g*", "mcp__git*", "mcp__github__*t", "Skill(r *)", "Skill(recall)",
        ])
        .prop_map(str::to_owned),
    ];
    let spec = prop_oneof![
        9 => text.prop_map(RuleSpec::Text),
        1 => proptest::sample::select(vec!["*push*", "*.env", "*.ENV", "git push", "/repo/*"]).prop_map(|pattern| {
            RuleSpec::Object(RuleObject {
                tools: vec!["Bash".to_owned(), "write".to_owned()],
                pattern: Some(pattern.to_owned()),
                regex: None,
            })
        }),
        1 => proptest::sample::select(vec![r"\bpush\b", "(?i)GIT", r"^/repo/\w+$", "a.example", "recall|r x"]).prop_map(|regex| {
            RuleSpec::Object(RuleObject {
                tools: vec!["Bash".to_owned(), "Read".to_owned(), "WebFetch".to_owned(), "Task".to_owned()],
                pattern: None,
                regex: Some(regex.to_owned()),
            })
        }),
    ];
    let scopes = vec![Scope::Managed, Scope::User, Scope::Project, Scope::Local];
    (spec, proptest::sample::select(scopes)).prop_map(|(spec, scope)| SourcedRule {
        spec,
        reason: None,
        source: RuleSource::of(scope),
    })
}

fn rules() -> impl Strategy<Value = Rules> {
    let list = || proptest::collection::vec(rule(), 0..8);
    (list(), list(), list(), list(), proptest::collection::vec(rule(), 0..2)).prop_map(
        |(deny, always_ask, ask, allow, restrict)| Rules {
            deny,
            always_ask,
            ask,
            allow,
            restrict,
            ..Rules::default()
        },
    )
}

fn word() -> impl Strategy<Value = Argument> {
    let one = || proptest::sample::select(&WORDS[..]).prop_map(Text::from);
    let value = prop_oneof![
        12 => one().prop_map(Value::Known),
        1 => proptest::collection::vec(one(), 1..3).prop_map(Value::OneOf),
        1 => Just(Value::Unknown),
        1 => Just(Value::PathBelow(Below::new("/repo/src").into())),
        1 => proptest::sample::select(vec!["", "s", "-"]).prop_map(|prefix| {
            Value::Glob(GlobPattern { pattern: format!("{prefix}*").into(), prefix: prefix.into() }.into())
        }),
    ];
    (value, proptest::bool::weighted(0.1), any::<bool>()).prop_map(|(value, hazard, splits)| {
        let splits = splits && value.known().is_none();
        Argument { value, splits, vanishes: splits, hazard, span: Span::default() }
    })
}

fn effect() -> impl Strategy<Value = Effect> {
    let path = || proptest::sample::select(&PATHS[..]).prop_map(str::to_owned);
    let target = prop_oneof![
        6 => path().prop_map(PathTarget::Path),
        2 => (path(), proptest::sample::select(vec!["*", "*.rs", "s*", "sub*/*.rs", "*/b.rs", ".e*", "**/*.pem"]))
            .prop_map(|(path, glob)| PathTarget::Glob(format!("{path}/{glob}"), path)),
        1 => path().prop_map(PathTarget::Below),
        1 => Just(PathTarget::Unknown),
    ];
    (target, 0..5, any::<bool>(), any::<bool>()).prop_map(|(path, kind, recursive, redirection)| Effect {
        kind: match kind {
            0 => EffectKind::Read { path, recursive },
            1 => EffectKind::Write(path),
            2 => EffectKind::Delete { path, recursive },
            3 => EffectKind::ChangeMetadata(path),
            _ => EffectKind::Opaque("unknown".into()),
        },
        redirection,
        span: Span::default(),
    })
}

fn invocation() -> impl Strategy<Value = Invocation> {
    let launcher = (proptest::sample::select(vec!["rm", "timeout", "git"]), any::<bool>())
        .prop_map(|(name, transparent)| Launcher { name: name.into(), transparent });
    (
        proptest::collection::vec(word(), 0..5),
        proptest::collection::vec(effect(), 0..3),
        proptest::collection::vec(launcher, 0..2),
        proptest::bool::weighted(0.3),
        any::<bool>(),
        proptest::option::weighted(
            0.15,
            proptest::sample::select(vec!["run('rm -rf x')", "open('.env')", "1"]),
        ),
        proptest::bool::weighted(0.1),
    )
        .prop_map(|(words, effects, launchers, read_only, specified, code, assigned)| Invocation {
            words,
            assignments: assigned
                .then(|| Assignment {
                    name: "FOO".into(),
                    value: Value::Known("1".into()),
                    harmless: false,
                    span: Span::default(),
                })
                .into_iter()
                .collect(),
            redirections: Vec::new(),
            directories: Directories::Known(["/repo".to_owned()].into()),
            launchers,
            reach: Reach::default(),
            effects,
            read_only,
            specified,
            code: code.into_iter().map(str::to_owned).collect(),
            texts: Vec::new(),
            named: false,
            span: Span::default(),
        })
}

fn anchors() -> Anchors {
    Anchors {
        project_root: "/repo".to_owned(),
        start_directory: "/repo".to_owned(),
        home: Some("/home/u".to_owned()),
        user_settings: Some("/home/u/.config".to_owned()),
    }
}

fn agree(rules: Rules, subject: &Subject<'_>, conventions: &Conventions) -> Result<(), TestCaseError> {
    let indexed = RuleSet::compile(Arc::new(rules), &anchors(), conventions);
    let reference = indexed.scanning();
    for list in [ListKind::Deny, ListKind::AlwaysAsk, ListKind::Ask] {
        prop_assert_eq!(indexed.first_match(list, subject), reference.first_match(list, subject));
        prop_assert_eq!(indexed.possible_matches(list, subject), reference.possible_matches(list, subject));
    }
    prop_assert_eq!(indexed.covering_allow(subject), reference.covering_allow(subject));
    Ok(())
}

fn conventions() -> impl Strategy<Value = Conventions> {
    let folding = Conventions { fold_case: true, ..Conventions::portcullis() };
    let raw = Conventions { fold_names: false, ..Conventions::letta() };
    proptest::sample::select(vec![Conventions::letta(), Conventions::claude(), folding, raw])
}

/// A slice, or all of them in a long search.
fn config() -> ProptestConfig {
    let texts = std::env::var("PORTCULLIS_SOAK_TEXTS").ok().and_then(|texts| texts.parse().ok());
    let long = std::env::var_os("PORTCULLIS_SOAK").is_some();
    let cases = if long { texts.unwrap_or(50_000) } else { 400 };
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn index_and_scan_agree_on_commands(
        rules in rules(),
        invocations in proptest::collection::vec(invocation(), 0..3),
        opaque in proptest::bool::weighted(0.1),
        text in proptest::sample::select(vec!["git push", "a && b", "a && b; c", "(rm -rf x)", "rm -rf src/a", "x"]),
        conventions in conventions(),
    ) {
        let opaque = opaque.then(|| Blocker { span: Span::default(), reason: "".into() });
        let analysis = Analysis { invocations, error: None, blockers: Vec::new(), opaque, exclude: Vec::new() };
        let arguments = json!({ "command": text });
        let subject = Subject {
            name: "Bash",
            tool: Aliases::standard().canonical("Bash"),
            paths: &[],
            reached: &[],
            unknown_target: false,
            shell: &[ShellPart { text, analysis: &analysis }],
            unknown_command: false,
            arguments: &arguments,
            resolver: None,
        };
        agree(rules, &subject, &conventions)?;
    }

    #[test]
    fn index_and_scan_agree_on_other_tools(
        rules in rules(),
        name in proptest::sample::select(&TOOLS[1..]),
        paths in proptest::collection::vec(proptest::sample::select(&PATHS[..]), 0..3),
        unknown_target in proptest::bool::weighted(0.2),
        reached in proptest::collection::vec((
            proptest::sample::select(&PATHS[..]),
            proptest::sample::select(vec!["", "*", "**", "**/*.rs", "s*/**", "{src,SRC}/*", ".e*", "sub/*", "{a"]),
        ), 0..2),
        arguments in proptest::sample::select(vec![
            json!({}),
            json!({ "url": "https://x.a.example/y" }),
            json!({ "url": "https://a.example./" }),
            json!({ "url": "https://a.exam\\ple" }),
            json!({ "subagent_type": "recall" }),
            json!({ "subagent_type": "r x" }),
            json!({ "skill": "r x" }),
        ]),
        conventions in conventions(),
    ) {
        let paths: Vec<ThreePaths> =
            paths.iter().map(|path| portcullis_paths::three_paths(path, "/repo", None)).collect();
        let reached: Vec<ReachedPaths> = reached
            .iter()
            .map(|(base, pattern)| ReachedPaths {
                base: portcullis_paths::three_paths(base, "/repo", None),
                pattern: (*pattern).to_owned(),
            })
            .collect();
        let tool = Aliases::standard().canonical(name);
        let file = tool.is_some_and(|tool| tool.as_str() != "Task");
        let subject = Subject {
            name,
            tool,
            paths: if file { &paths } else { &[] },
            reached: if file { &reached } else { &[] },
            unknown_target: file && unknown_target,
            shell: &[],
            unknown_command: false,
            arguments: &arguments,
            resolver: None,
        };
        agree(rules, &subject, &conventions)?;
    }
}

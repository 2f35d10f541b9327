//! How the work of one question grows with the number of rules: it must not. Work is counted, not timed, so that
//! the answer is the same on every machine.

use std::sync::Arc;

use portcullis_paths::{ThreePaths, three_paths};
use portcullis_shell_analysis::{Settings, analyze};
use portcullis_tool_names::Aliases;
use serde_json::{Value, json};

use crate::compiled::work;
use crate::{
    Anchors, Conventions, ListKind, RuleObject, RuleSet, RuleSource, RuleSpec, Rules, Scope, ShellPart,
    SourcedRule, Subject,
};

/// Rules of one kind, the `N`th of many, and calls that some of them are about.
struct Family {
    name: &'static str,
    /// `{}` stands for the number of the rule.
    rules: &'static [&'static str],
    commands: &'static [&'static str],
    calls: &'static [(&'static str, &'static str, &'static str)],
}

const FILE_CALLS: &[(&str, &str, &str)] = &[
    ("Read", "file_path", "src/deep/er/lib.rs"),
    ("Edit", "file_path", "src/module7/x.rs"),
    ("Write", "file_path", "/data/set5/x.json"),
    ("Grep", "path", "src"),
    ("Read", "other", "no path"),
];

/// What programs do with files: one, many below a directory, those that a glob names.
const FILE_COMMANDS: &[&str] = &[
    "cat src/a.rs > out/log",
    "cat src/*.rs",
    "rm -rf build",
    "cp -r lib/x elsewhere",
    "ls lib/mod*",
    "cat lib/own*/notes.txt",
    "unknown-tool src/a.rs --config=x.json",
    "python3 -c 'print(1)' src/a.rs",
];

const FAMILIES: &[Family] = &[
    Family {
        name: "exact commands",
        rules: &["Bash(tool{} run --flag)", "Bash(npm run task{})", "Bash(git push origin branch{})"],
        commands: &[
            "git push origin branch7",
            "npm run task9 && npm run other",
            "sudo npm run task3",
            "git -C x push",
            "git frobnicate x",
            "doppler run -- git push",
            "python3 -c 'import npm'",
        ],
        calls: &[],
    },
    Family {
        name: "prefixes of commands",
        rules: &["Bash(tool{}:*)", "Bash(npm run task{}:*)", "Bash(git push branch{} *)"],
        commands: &[
            "git push branch7 x",
            "npm run task9 --watch",
            "docker exec web npm run task3",
            "node -e 'run(\"npm run task\")'",
            "xargs -a list tool8",
            "find . -name x -exec tool4 {} +",
        ],
        calls: &[],
    },
    Family {
        name: "wildcards in commands",
        rules: &[
            "Bash(tool{} * --watch)",
            "Bash(npm run * --task{})",
            "Bash(git * branch{})",
            "Bash(kubectl * -n space{}:*)",
        ],
        commands: &[
            "npm run x --task7",
            "git push branch8",
            "git -C sub push branch2",
            "kubectl get pods -n space3 -o wide",
            "tool8 x --watch",
            "doppler run -- npm run x --task7",
        ],
        calls: &[],
    },
    Family {
        name: "texts of several commands",
        rules: &["Bash(cd dir{} && make)", "Bash(make a{} | tee log:*)"],
        commands: &["cd dir7 && make", "make a9 | tee log -a", "cd dir7; make"],
        calls: &[],
    },
    Family {
        name: "file rules",
        rules: &[
            "Edit(src/module{}/**)",
            "Read(//data/set{}/*.json)",
            "Read(lib/own{}/notes.txt)",
            "Edit(lib/own{}.rs)",
            "Write(src/*.gen{})",
        ],
        commands: FILE_COMMANDS,
        calls: FILE_CALLS,
    },
    Family {
        name: "names at any depth",
        rules: &["Edit(name{}.toml)", "Read(*.ext{})", "Edit(**/dir{}/**)", "Read(**/name{}.json)"],
        commands: &["cat src/*.rs", "cat src/a.rs src/name7.toml", "rm src/x*"],
        calls: FILE_CALLS,
    },
    Family {
        name: "domains and hosts",
        rules: &[
            "WebFetch(domain:host{}.example)",
            "WebFetch(domain:*.host{}.example)",
            "WebFetch(https://docs{}.example/*)",
        ],
        commands: &[],
        calls: &[
            ("WebFetch", "url", "https://x.host7.example/a"),
            ("WebFetch", "url", "https://docs3.example/a"),
            ("WebFetch", "url", "https://other.example/a"),
            ("mcp__x__y", "url", "https://other.example/a"),
        ],
    },
    Family {
        name: "tools of servers",
        rules: &["mcp__server{}", "mcp__server{}__get_issue", "mcp__host{}__get_*", "my_tool_{}"],
        commands: &["npm test"],
        calls: &[
            ("mcp__server7__get_issue", "x", "1"),
            ("mcp__host3__get_all", "x", "1"),
            ("mcp__other__get", "x", "1"),
            ("my_tool_9", "x", "1"),
        ],
    },
    Family {
        name: "agents and skills",
        rules: &["Task(agent{})", "Task(helper{} *)", "Skill(skill{})", "Skill(run{} *)"],
        commands: &["npm test"],
        calls: &[
            ("Task", "subagent_type", "agent7"),
            ("Task", "subagent_type", "helper3 x"),
            ("Skill", "skill", "run2 fast"),
            ("mcp__x__y", "name", "agent7"),
            ("WebSearch", "query", "x"),
        ],
    },
];

fn anchors() -> Anchors {
    Anchors {
        project_root: "/repo".to_owned(),
        start_directory: "/repo".to_owned(),
        home: Some("/home/u".to_owned()),
        user_settings: None,
    }
}

/// Rules that begin anywhere: globs and regular expressions, by their number.
fn loose(at: usize) -> [SourcedRule; 2] {
    let source = || RuleSource::of(Scope::User);
    let regex = Some(format!(r"\bword{at}\s+--all\b"));
    let tools = vec!["Bash".to_owned(), "Edit".to_owned()];
    let object = RuleObject { tools, pattern: None, regex };
    [
        SourcedRule::text(format!("Edit(*part{at}*)"), source()),
        SourcedRule { spec: RuleSpec::Object(object), reason: None, source: source() },
    ]
}

#[test]
fn rules_that_begin_anywhere_are_looked_for_together() {
    let set = |count: usize| {
        let rules = Rules { deny: (0..count).flat_map(loose).collect(), ..Rules::default() };
        RuleSet::compile(Arc::new(rules), &anchors(), &Conventions::portcullis())
    };
    let (few, many) = (set(1), set(64));
    for command in ["git commit -m message src/lib.rs > out/log", "cat a b | sort", "npm test"] {
        assert_eq!(of_command(&many, command), of_command(&few, command), "{command}");
    }
    for path in ["src/deep/er/lib.rs", "/data/x", "src/Part/x"] {
        let arguments = json!({ "file_path": path });
        assert_eq!(of_call(&many, "Edit", &arguments), of_call(&few, "Edit", &arguments), "{path}");
    }
    let matched = json!({ "file_path": "src/apart63b/x" });
    assert_eq!(of_call(&few, "Edit", &matched), 0);
    assert!(of_call(&many, "Edit", &matched) > 0);
}

fn rules(family: &Family, count: usize) -> RuleSet {
    let scopes = [Scope::User, Scope::Project, Scope::Local];
    let list: Vec<SourcedRule> = (0..count)
        .map(|at| {
            let shape = family.rules[at % family.rules.len()];
            let text = shape.replace("{}", &at.to_string());
            SourcedRule::text(text, RuleSource::of(scopes[at % scopes.len()]))
        })
        .collect();
    let rules = Rules { deny: list.clone(), ask: list.clone(), allow: list, ..Rules::default() };
    let set = RuleSet::compile(Arc::new(rules), &anchors(), &Conventions::portcullis());
    assert!(set.errors().is_empty(), "{:?}", set.errors().first());
    set
}

/// How many rules all questions about a call compare it with.
fn compared(set: &RuleSet, subject: &Subject<'_>) -> usize {
    let ask = |list: ListKind| {
        let _ = set.first_match(list, subject);
        let _ = set.possible_matches(list, subject);
    };
    let (compared, ()) = work::of(|| {
        [ListKind::Deny, ListKind::Ask].into_iter().for_each(ask);
        let _ = set.covering_allow(subject);
    });
    compared
}

fn of_command(set: &RuleSet, text: &str) -> usize {
    let roots = ["/repo".to_owned()];
    let settings = Settings { home: Some("/home/u"), trusted: true, ..Settings::new("/repo", &roots) };
    let analysis = analyze(text, &settings);
    let arguments = json!({ "command": text });
    compared(
        set,
        &Subject {
            name: "Bash",
            tool: Aliases::standard().canonical("Bash"),
            paths: &[],
            reached: &[],
            unknown_target: false,
            shell: &[ShellPart { text, analysis: &analysis }],
            unknown_command: false,
            arguments: &arguments,
            resolver: None,
        },
    )
}

fn of_call(set: &RuleSet, name: &str, arguments: &Value) -> usize {
    let tool = Aliases::standard().canonical(name);
    let path = arguments.get("file_path").or_else(|| arguments.get("path")).and_then(Value::as_str);
    let paths: Vec<ThreePaths> = path.iter().map(|path| three_paths(path, "/repo", None)).collect();
    let file = tool.is_some_and(|tool| tool.as_str() != "Task");
    compared(
        set,
        &Subject {
            name,
            tool,
            paths: &paths,
            reached: &[],
            unknown_target: file && paths.is_empty(),
            shell: &[],
            unknown_command: false,
            arguments: &arguments.clone(),
            resolver: None,
        },
    )
}

/// A call is compared with what its own words name, and with at most as many rules as are reported: not with more
/// when there are twenty times as many.
#[test]
fn two_thousand_rules_are_no_more_work_than_a_hundred() {
    let mut worse = Vec::new();
    for family in FAMILIES {
        let (few, many) = (rules(family, 100), rules(family, 2_000));
        let mut look = |what: &str, few: usize, many: usize| {
            if many > few + few / 4 {
                worse.push(format!("{}: {what}: {few} rules compared of 100, {many} of 2,000", family.name));
            }
        };
        for command in family.commands {
            look(command, of_command(&few, command), of_command(&many, command));
        }
        for (tool, key, value) in family.calls {
            let arguments = json!({ *key: value });
            look(
                &format!("{tool} {value}"),
                of_call(&few, tool, &arguments),
                of_call(&many, tool, &arguments),
            );
        }
    }
    assert!(worse.is_empty(), "{}", worse.join("\n"));
}

/// Which rules cover a rule is found by what they have in common, so that of ten times as many no more are compared with
/// each.
#[test]
fn a_rule_is_compared_with_those_that_may_cover_it() {
    let mut worse = Vec::new();
    let of = |set: &RuleSet| {
        let overview = crate::Overview::new(set);
        let lists = [ListKind::Deny, ListKind::Ask, ListKind::Allow];
        let ids: Vec<_> = lists.iter().flat_map(|list| set.ids(*list)).collect();
        let (compared, ()) =
            work::of(|| ids.iter().for_each(|id| assert!(overview.wider(*id).count() < 200)));
        compared / ids.len()
    };
    for family in FAMILIES {
        let (few, many) = (of(&rules(family, 100)), of(&rules(family, 1_000)));
        if many > few + 3 {
            worse
                .push(format!("{}: {few} compared with each of 100, {many} with each of 1,000", family.name));
        }
    }
    let loose = |count: usize| {
        let rules = Rules { deny: (0..count).flat_map(loose).collect(), ..Rules::default() };
        of(&RuleSet::compile(Arc::new(rules), &anchors(), &Conventions::portcullis()))
    };
    assert!(loose(500) <= loose(50) + 3, "{} and {}", loose(50), loose(500));
    assert!(worse.is_empty(), "{}", worse.join("\n"));
}

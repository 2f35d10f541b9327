//! One call against 10 to 10,000 rules of each family (the aim: at most twice the cost against 10). Behind
//! criterion's own report stands a table with the shortest times and their ratios.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "bench code"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use portcullis_matcher::{
    Anchors, Conventions, ListKind, RuleObject, RuleSet, RuleSource, RuleSpec, Rules, Scope, ShellPart,
    SourcedRule, Subject,
};
use portcullis_paths::three_paths;
use portcullis_shell_analysis::{Settings, analyze};
use portcullis_tool_names::Aliases;
use serde_json::json;

const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

/// Rules, with their number for `{}`, and a call: a tool, an argument and its value. The call is one that no rule
/// matches, so that nothing ends early.
struct Family {
    name: &'static str,
    rules: &'static [&'static str],
    call: (&'static str, &'static str, &'static str),
    /// With 64 globs and 64 regular expressions that begin anywhere.
    loose: bool,
}

const COMMAND: &str = "git commit -m message src/lib.rs > out/log";
const MIXED: &[&str] = &[
    "Bash(git sub{}:*)",
    "Bash(tool{} run --flag)",
    "Bash(npm run task{}:*)",
    "Bash(prog{} * --watch)",
    "Edit(src/module{}/**)",
    "Write(//data/set{}/*.json)",
    "Edit(name{}.toml)",
    "Edit(*.ext{})",
];

const FAMILIES: &[Family] = &[
    Family {
        name: "Bash exact",
        rules: &["Bash(git sub{} x)", "Bash(tool{} run --flag)", "Bash(git commit -m message{} src/lib.rs)"],
        call: ("Bash", "command", COMMAND),
        loose: false,
    },
    Family {
        name: "Bash prefix",
        rules: &["Bash(git sub{}:*)", "Bash(tool{} run:*)", "Bash(npm run task{}:*)"],
        call: ("Bash", "command", COMMAND),
        loose: false,
    },
    Family {
        name: "Bash wildcard",
        rules: &["Bash(git commit * --flag{})", "Bash(tool{} * --watch)", "Bash(npm run * task{})"],
        call: ("Bash", "command", COMMAND),
        loose: false,
    },
    Family {
        name: "Read",
        rules: &[
            "Read(src/module{}/**)",
            "Read(//data/set{}/*.json)",
            "Read(name{}.toml)",
            "Read(*.ext{})",
            "Read(src/own{}/a.rs)",
        ],
        call: ("Read", "file_path", "src/deep/er/lib.rs"),
        loose: false,
    },
    Family {
        name: "Edit",
        rules: &[
            "Edit(src/module{}/**)",
            "Write(//data/set{}/*.json)",
            "Edit(name{}.toml)",
            "Edit(*.ext{})",
            "Edit(src/own{}/a.rs)",
        ],
        call: ("Edit", "file_path", "src/deep/er/lib.rs"),
        loose: false,
    },
    Family {
        name: "Edit, against a command",
        rules: &["Edit(src/module{}/**)", "Write(//data/set{}/*.json)", "Edit(name{}.toml)", "Edit(*.ext{})"],
        call: ("Bash", "command", COMMAND),
        loose: false,
    },
    Family {
        name: "Edit, against a glob in a command",
        rules: &["Edit(src/module{}/**)", "Write(//data/set{}/*.json)", "Edit(name{}.toml)", "Edit(*.ext{})"],
        call: ("Bash", "command", "rm src/*.tmp"),
        loose: false,
    },
    Family {
        name: "WebFetch",
        rules: &[
            "WebFetch(domain:host{}.example)",
            "WebFetch(domain:*.sub{}.example)",
            "WebFetch(https://docs{}.example/*)",
        ],
        call: ("WebFetch", "url", "https://a.docs.example/page?x=1"),
        loose: false,
    },
    Family {
        name: "MCP",
        rules: &["mcp__server{}", "mcp__host{}__get_issue", "mcp__site{}__get_*"],
        call: ("mcp__github__get_issue", "number", "7"),
        loose: false,
    },
    Family { name: "mixed, a command", rules: MIXED, call: ("Bash", "command", COMMAND), loose: false },
    Family {
        name: "mixed, a file",
        rules: MIXED,
        call: ("Edit", "file_path", "src/deep/er/lib.rs"),
        loose: false,
    },
    Family {
        name: "mixed and 128 loose, a command",
        rules: MIXED,
        call: ("Bash", "command", COMMAND),
        loose: true,
    },
    Family {
        name: "mixed and 128 loose, a file",
        rules: MIXED,
        call: ("Edit", "file_path", "src/deep/er/lib.rs"),
        loose: true,
    },
];

/// The rules in deny, ask and allow; those that begin anywhere in deny, among at least a hundred others.
fn rules(family: &Family, count: usize) -> RuleSet {
    let source = || RuleSource::of(Scope::Project);
    let list: Vec<SourcedRule> = (0..count)
        .map(|at| {
            let shape = family.rules[at % family.rules.len()];
            SourcedRule::text(shape.replace("{}", &at.to_string()), source())
        })
        .collect();
    let mut rules = Rules { deny: list.clone(), ask: list.clone(), allow: list, ..Rules::default() };
    if family.loose && count > 10 {
        let glob = |at: usize| SourcedRule::text(format!("Edit(*part{at}*)"), source());
        let regex = |at: usize| {
            let regex = Some(format!(r"\bword{at}\s+--all\b"));
            let object =
                RuleObject { tools: vec!["Bash".to_owned(), "Edit".to_owned()], pattern: None, regex };
            SourcedRule { spec: RuleSpec::Object(object), reason: None, source: source() }
        };
        rules.deny.extend((0..64).flat_map(|at| [glob(at), regex(at)]));
    }
    let anchors = Anchors {
        project_root: "/repo".to_owned(),
        start_directory: "/repo".to_owned(),
        home: Some("/home/u".to_owned()),
        user_settings: None,
    };
    let set = RuleSet::compile(Arc::new(rules), &anchors, &Conventions::portcullis());
    assert!(set.errors().is_empty(), "{:?}", set.errors().first());
    set
}

/// Everything that a decision asks of a rule set.
fn decide(set: &RuleSet, call: &Subject<'_>) -> bool {
    set.first_match(ListKind::Deny, call).is_some()
        || !set.possible_matches(ListKind::Deny, call).is_empty()
        || set.covering_allow(call).is_some()
        || set.first_match(ListKind::Ask, call).is_some()
}

/// The shortest time of one question, in nanoseconds.
fn nanoseconds(set: &RuleSet, call: &Subject<'_>) -> f64 {
    let mut best = Duration::MAX;
    // So short that some of them are not interrupted, however busy the machine is.
    const ROUNDS: u32 = 20;
    for _ in 0..3_000 {
        let start = Instant::now();
        for _ in 0..ROUNDS {
            black_box(decide(black_box(set), black_box(call)));
        }
        best = best.min(start.elapsed());
    }
    best.as_secs_f64() * 1e9 / f64::from(ROUNDS)
}

fn matching(criterion: &mut Criterion) {
    let mut table = format!("{:<36}", "nanoseconds against so many rules");
    SIZES.iter().for_each(|size| table.push_str(&format!("{size:>9}")));
    table.push_str("   10,000 / 10\n");
    for family in FAMILIES {
        let (name, key, value) = family.call;
        let tool = Aliases::standard().canonical(name);
        let arguments = json!({ key: value });
        let roots = ["/repo".to_owned()];
        let settings = Settings { home: Some("/home/u"), trusted: true, ..Settings::new("/repo", &roots) };
        let shell = key == "command";
        let analysis = analyze(if shell { value } else { "" }, &settings);
        let parts = [ShellPart { text: value, analysis: &analysis }];
        let paths = [three_paths(value, "/repo", None)];
        let call = Subject {
            name,
            tool,
            paths: if key == "file_path" { &paths } else { &[] },
            reached: &[],
            unknown_target: false,
            shell: if shell { &parts } else { &[] },
            unknown_command: false,
            arguments: &arguments,
            resolver: None,
        };
        let mut group = criterion.benchmark_group(format!("one call against rules: {}", family.name));
        let mut times = Vec::new();
        for size in SIZES {
            let set = rules(family, size);
            assert!(!decide(&set, &call), "{}: a rule matches", family.name);
            group.bench_with_input(BenchmarkId::from_parameter(size), &set, |bencher, set| {
                bencher.iter(|| decide(black_box(set), black_box(&call)));
            });
            times.push(nanoseconds(&set, &call));
        }
        group.finish();
        table.push_str(&format!("{:<36}", family.name));
        times.iter().for_each(|time| table.push_str(&format!("{time:>9.0}")));
        table.push_str(&format!("{:>14.2}\n", times[times.len() - 1] / times[0]));
    }
    println!("\n{table}");
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(300)).sample_size(10);
    targets = matching
}
criterion_main!(benches);

//! One call against 10 to 10,000 rules (the aim: at most twice the cost against 10). Prints the
//! ratios behind criterion's own report.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs, reason = "bench code")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use portcullis_matcher::{
    Anchors, Conventions, ListKind, RuleSet, RuleSource, Rules, Scope, ShellPart, SourcedRule, Subject,
};
use portcullis_paths::three_paths;
use portcullis_shell_analysis::{
    Analysis, Argument, Directories, Effect, EffectKind, Invocation, PathTarget, Reach, Span, Value,
};
use portcullis_tool_names::Tool;
use serde_json::json;

const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

/// Half about commands, half about paths, in all shapes that are anchored, and 64 globs that are not.
fn rules(count: usize) -> RuleSet {
    let rule = |at: usize| {
        let text = match at % 8 {
            0 => format!("Bash(git sub{at}:*)"),
            1 => format!("Bash(tool{at} run --flag)"),
            2 => format!("Bash(npm run task{at}:*)"),
            3 => format!("Bash(prog{at} *)"),
            4 => format!("Edit(src/module{at}/**)"),
            5 => format!("Write(//data/set{at}/*.json)"),
            6 => format!("Edit(name{at}.toml)"),
            _ => format!("Edit(*.ext{at})"),
        };
        SourcedRule::text(text, RuleSource::of(Scope::Project))
    };
    let loose = |at: usize| SourcedRule::text(format!("Edit(*part{at}*)"), RuleSource::of(Scope::Project));
    let mut list: Vec<_> = (0..count).map(rule).collect();
    list.extend((0..count.min(64) / 8).map(loose));
    let rules = Rules { deny: list.clone(), ask: list.clone(), allow: list, ..Rules::default() };
    let anchors = Anchors {
        project_root: "/repo".to_owned(),
        start_directory: "/repo".to_owned(),
        home: Some("/home/u".to_owned()),
        user_settings: None,
    };
    RuleSet::compile(Arc::new(rules), &anchors, &Conventions::portcullis())
}

/// `git commit -m message src/lib.rs > out/log`, analysed.
fn analysis() -> Analysis {
    let word = |text: &str| Argument {
        value: Value::Known(text.into()),
        splits: false,
        vanishes: false,
        hazard: false,
        span: Span::default(),
    };
    let effect = |kind, redirection| Effect { kind, redirection, span: Span::default() };
    let invocation = Invocation {
        words: ["git", "commit", "-m", "message", "src/lib.rs"].map(word).to_vec(),
        assignments: Vec::new(),
        redirections: Vec::new(),
        directories: Directories::Known(["/repo".to_owned()].into()),
        launchers: Vec::new(),
        reach: Reach::default(),
        effects: vec![
            effect(
                EffectKind::Read { path: PathTarget::Path("/repo/src/lib.rs".to_owned()), recursive: false },
                false,
            ),
            effect(EffectKind::Write(PathTarget::Path("/repo/out/log".to_owned())), true),
        ],
        read_only: false,
        specified: true,
        code: Vec::new(),
        texts: Vec::new(),
        named: false,
        span: Span::default(),
    };
    Analysis {
        invocations: vec![invocation],
        error: None,
        blockers: Vec::new(),
        opaque: None,
        exclude: Vec::new(),
    }
}

/// Everything that a decision asks of a rule set.
fn decide(set: &RuleSet, call: &Subject<'_>) -> bool {
    set.first_match(ListKind::Deny, call).is_some()
        || !set.possible_matches(ListKind::Deny, call).is_empty()
        || set.covering_allow(call).is_some()
        || set.first_match(ListKind::Ask, call).is_some()
}

fn nanoseconds(set: &RuleSet, call: &Subject<'_>) -> f64 {
    let mut best = Duration::MAX;
    const ROUNDS: u32 = 2_000;
    for _ in 0..20 {
        let start = Instant::now();
        for _ in 0..ROUNDS {
            black_box(decide(black_box(set), black_box(call)));
        }
        best = best.min(start.elapsed());
    }
    best.as_secs_f64() * 1e9 / f64::from(ROUNDS)
}

fn matching(criterion: &mut Criterion) {
    let analysis = analysis();
    let arguments = json!({ "command": "git commit -m message src/lib.rs > out/log" });
    let parts = [ShellPart { text: "git commit -m message src/lib.rs > out/log", analysis: &analysis }];
    let shell = Subject {
        name: "Bash",
        tool: Some(Tool::Bash),
        paths: &[],
        unknown_target: false,
        shell: &parts,
        unknown_command: false,
        arguments: &arguments,
        resolver: None,
    };
    let paths = [three_paths("src/deep/er/lib.rs", "/repo", None)];
    let file = Subject { name: "Edit", tool: Some(Tool::Edit), paths: &paths, shell: &[], ..shell };
    let sets: Vec<_> = SIZES.iter().map(|&size| (size, rules(size))).collect();
    for (name, call) in [("shell", &shell), ("file", &file)] {
        let mut group = criterion.benchmark_group(format!("rules against a {name} call"));
        for (size, set) in &sets {
            group.bench_with_input(BenchmarkId::from_parameter(size), set, |bencher, set| {
                bencher.iter(|| decide(black_box(set), black_box(call)));
            });
        }
        group.finish();
        let times: Vec<_> = sets.iter().map(|(size, set)| (*size, nanoseconds(set, call))).collect();
        let base = times.first().map_or(1.0, |(_, time)| *time);
        for (size, time) in times {
            println!("{name}: {size} rules, {time:.0} ns, {:.2} times the cost against 10", time / base);
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1)).sample_size(20);
    targets = matching
}
criterion_main!(benches);

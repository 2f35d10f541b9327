//! Whole decisions against 10 to 10,000 rules. The analysis of the command is part of a decision; the group of
//! shell calls shows it apart, so that what the rules cost can be seen. Prints medians and ratios behind criterion's
//! own report.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs, reason = "bench code")]

use std::{
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use portcullis_matcher::{Anchors, Conventions, RuleSet, SourcedRule};
use portcullis_paths::SensitivePaths;
use portcullis_permissions::{
    Context, Decision, GateConventions, Mode, RuleSource, Rules, Scope, ToolCall, decide,
};
use serde_json::json;

const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

/// Allow, ask and deny rules about commands and paths, `count` in all, and the one that decides as the last of them.
fn rules(count: usize, deciding: &str) -> RuleSet {
    let rule = |text: String| SourcedRule::text(text, RuleSource::of(Scope::User));
    let mut rules = Rules::default();
    for at in 0..count.saturating_sub(1) {
        let text = match at % 6 {
            0 => format!("Bash(tool{at} run:*)"),
            1 => format!("Edit(src/module{at}/**)"),
            2 => format!("Bash(npm run task{at}:*)"),
            3 => format!("Read(//data/set{at}/*.json)"),
            4 => format!("Bash(git sub{at} --flag)"),
            _ => format!("Edit(*.ext{at})"),
        };
        match at % 3 {
            0 => rules.deny.push(rule(text)),
            1 => rules.allow.push(rule(text)),
            _ => rules.ask.push(rule(text)),
        }
    }
    rules.allow.push(rule(deciding.to_owned()));
    let anchors = Anchors {
        project_root: "/repo".to_owned(),
        start_directory: "/repo".to_owned(),
        home: Some("/home/u".to_owned()),
        user_settings: None,
    };
    RuleSet::compile(Arc::new(rules), &anchors, &Conventions::letta())
}

fn context() -> Context {
    Context {
        home: Some("/home/u".to_owned()),
        sensitive: Arc::new(SensitivePaths::standard(Some("/home/u"))),
        trusted: true,
        scrubbed: false,
        environment: Vec::new(),
        hides: true,
        ..Context::bare("/repo", Mode::Standard, GateConventions::letta())
    }
}

/// The median of 101 rounds of 100 decisions, for one.
fn median(mut decision: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..101)
        .map(|_| {
            let start = Instant::now();
            (0..100).for_each(|_| decision());
            start.elapsed() / 100
        })
        .collect();
    times.sort_unstable();
    times.get(50).copied().unwrap_or_default()
}

fn group(criterion: &mut Criterion, name: &str, call: &ToolCall, deciding: &str) {
    let context = context();
    let mut group = criterion.benchmark_group(name);
    group.sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    let mut medians = Vec::new();
    for size in SIZES {
        let rules = rules(size, deciding);
        assert_eq!(decide(call, &context, &rules).decision, Decision::Allow);
        group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
            bencher.iter(|| decide(black_box(call), &context, &rules));
        });
        medians.push((size, median(|| drop(black_box(decide(black_box(call), &context, &rules))))));
    }
    group.finish();
    let first = medians.first().map_or(1.0, |(_, time)| time.as_secs_f64());
    for (size, time) in &medians {
        let ratio = time.as_secs_f64() / first;
        println!("{name}, {size:>6} rules: {:>7.2} us, {ratio:.2} times", time.as_secs_f64() * 1e6);
    }
}

fn shell(criterion: &mut Criterion) {
    let call = ToolCall::new("Bash", json!({ "command": "cargo test --workspace -p core" }));
    group(criterion, "decide: shell call by rules", &call, "Bash(cargo test:*)");
    let roots = ["/repo".to_owned()];
    let settings = portcullis_shell_analysis::Settings {
        home: Some("/home/u"),
        trusted: true,
        ..portcullis_shell_analysis::Settings::new("/repo", &roots)
    };
    let alone = median(|| {
        let analysis =
            portcullis_shell_analysis::analyze(black_box("cargo test --workspace -p core"), &settings);
        drop(black_box(analysis));
    });
    println!("the analysis alone: {:.2} us", alone.as_secs_f64() * 1e6);
}

fn file(criterion: &mut Criterion) {
    let call = ToolCall::new("Write", json!({ "file_path": "src/parse/word.rs", "content": "x" }));
    group(criterion, "decide: file call by rules", &call, "Write(src/parse/**)");
}

criterion_group!(benches, shell, file);
criterion_main!(benches);

//! Whole decisions: of a shell call and of a file call against 10 to 10,000 rules, and what it costs to look at the file
//! system. Behind criterion's own report stands a table of least times with ratios, as the README has it: on a machine
//! that does other things too, the least of many rounds says most about the code.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs, reason = "bench code")]

use std::{
    hint::black_box,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use portcullis_matcher::{Anchors, Conventions, RuleSet, SourcedRule};
use portcullis_paths::{OsResolver, Resolver, SensitivePaths};
use portcullis_permissions::{
    Context, Decision, GateConventions, Mode, RuleSource, Rules, Scope, ToolCall, decide,
};
use serde_json::json;

const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

/// Allow, ask and deny rules about commands and paths, `count` in all, and the one that decides as the last of them.
fn rules(root: &str, count: usize, deciding: &str) -> RuleSet {
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
        project_root: root.to_owned(),
        start_directory: root.to_owned(),
        home: Some("/home/u".to_owned()),
        user_settings: None,
    };
    RuleSet::compile(Arc::new(rules), &anchors, &Conventions::letta())
}

fn context(root: &str, resolver: Option<Arc<dyn Resolver>>) -> Context {
    Context {
        home: Some("/home/u".to_owned()),
        sensitive: Arc::new(SensitivePaths::standard(Some("/home/u"))),
        trusted: true,
        hides: true,
        resolver,
        ..Context::bare(root, Mode::Standard, GateConventions::letta())
    }
}

/// The least of 301 rounds of 100 decisions, for one.
fn least(mut decision: impl FnMut()) -> Duration {
    let round = || {
        let start = Instant::now();
        (0..100).for_each(|_| decision());
        start.elapsed() / 100
    };
    std::iter::repeat_with(round).take(301).min().unwrap_or_default()
}

fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// A group of rows with its heading; ratios are to the row of that number.
fn table(heading: &str, rows: &[(String, Duration)], of: usize) {
    let base = rows.get(of).map_or(1.0, |(_, time)| microseconds(*time));
    println!("\n| {heading} | least | ratio |\n|---|---|---|");
    for (name, time) in rows {
        println!("| {name} | {:.2} us | {:.2} |", microseconds(*time), microseconds(*time) / base);
    }
}

fn by_rules(criterion: &mut Criterion, name: &str, call: &ToolCall, deciding: &str) {
    let context = context("/repo", None);
    let mut group = criterion.benchmark_group(format!("decide: {name} by rules"));
    group.sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    let mut rows = Vec::new();
    for size in SIZES {
        let rules = rules("/repo", size, deciding);
        assert_eq!(decide(call, &context, &rules).decision, Decision::Allow);
        group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
            bencher.iter(|| decide(black_box(call), &context, &rules));
        });
        let time = least(|| drop(black_box(decide(black_box(call), &context, &rules))));
        rows.push((format!("{size} rules"), time));
    }
    group.finish();
    table(name, &rows, 1);
}

fn shell(criterion: &mut Criterion) {
    let call = ToolCall::shell("cargo test --workspace -p core");
    by_rules(criterion, "shell call", &call, "Bash(cargo test:*)");
    let roots = ["/repo".to_owned()];
    let settings = portcullis_shell_analysis::Settings {
        home: Some("/home/u"),
        trusted: true,
        ..portcullis_shell_analysis::Settings::new("/repo", &roots)
    };
    let alone = least(|| {
        let text = black_box("cargo test --workspace -p core");
        drop(black_box(portcullis_shell_analysis::analyze(text, &settings)));
    });
    println!("| the analysis alone | {:.2} us | |", microseconds(alone));
}

fn file(criterion: &mut Criterion) {
    let call = ToolCall::new("Write", json!({ "file_path": "src/parse/word.rs", "content": "x" }));
    by_rules(criterion, "file call", &call, "Write(src/parse/**)");
}

/// The same calls in a project that is there, with and without a look at it.
fn resolver(criterion: &mut Criterion) {
    let project = Project::new();
    let root = project.root.as_str();
    let rules = rules(root, 100, "Write(src/**)");
    let write = |path: &str| ToolCall::new("Write", json!({ "file_path": path, "content": "x" }));
    let calls = [
        ("file call", write("src/parse/word.rs"), true),
        ("file call through a link", write("src/linked/word.rs"), false),
        ("shell call with one path", ToolCall::shell("cat src/parse/word.rs"), true),
        ("shell call with three paths", ToolCall::shell("cat src/parse/word.rs src/lib.rs Cargo.toml"), true),
        ("shell call through a link", ToolCall::shell("cat src/linked/word.rs"), false),
    ];
    let mut group = criterion.benchmark_group("decide: resolver");
    group.sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    for (name, call, plain) in &calls {
        let mut rows = Vec::new();
        for looks in [false, true] {
            let context = context(root, looks.then(|| Arc::new(OsResolver) as Arc<dyn Resolver>));
            let verdict = decide(call, &context, &rules);
            assert!(verdict.decision == Decision::Allow || (looks && !plain), "{name}: {verdict:?}");
            let how = if looks { "the file system" } else { "the text alone" };
            group.bench_function(BenchmarkId::new(*name, how), |bencher| {
                bencher.iter(|| decide(black_box(call), &context, &rules));
            });
            let time = least(|| drop(black_box(decide(black_box(call), &context, &rules))));
            rows.push((format!("looking at {how}"), time));
        }
        table(name, &rows, 0);
    }
    group.finish();
}

/// A project in a directory of its own, with a link in it that leads out.
struct Project {
    root: String,
    base: std::path::PathBuf,
}

impl Project {
    fn new() -> Self {
        let base = std::env::temp_dir().join(format!("portcullis-bench-{}", std::process::id()));
        let make = |path: &Path| std::fs::create_dir_all(path).unwrap();
        make(&base.join("project/src/parse"));
        make(&base.join("elsewhere"));
        for file in
            ["project/src/parse/word.rs", "project/src/lib.rs", "project/Cargo.toml", "elsewhere/word.rs"]
        {
            std::fs::write(base.join(file), "x").unwrap();
        }
        std::os::unix::fs::symlink(base.join("elsewhere"), base.join("project/src/linked")).unwrap();
        let root = base.join("project").canonicalize().unwrap().to_str().unwrap().to_owned();
        Self { root, base }
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.base);
    }
}

criterion_group!(benches, shell, file, resolver);
criterion_main!(benches);

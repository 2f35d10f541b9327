//! How long an analysis takes and how often it allocates: everyday commands, texts from 1 KiB to 1 MiB, and
//! 1 MiB of what costs most (the aim: 5 microseconds, 50 milliseconds, linear). Prints a table of
//! its own before criterion's report.
#![allow(missing_docs, reason = "criterion's macros make public items")]

#[path = "analysis/allocations.rs"]
mod allocations;
#[path = "analysis/texts.rs"]
mod texts;

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use portcullis_shell_analysis::{Settings, analyze, parse};
use texts::{TEXTS, TYPICAL, text_of};

fn settings(roots: &[String]) -> Settings<'_> {
    Settings { home: Some("/home/u"), ..Settings::new("/repo", roots) }
}

fn best(rounds: u32, mut work: impl FnMut()) -> Duration {
    (0..rounds)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

/// The typical commands: the best, median and worst of 200 measurements of a hundred analyses each, and allocations.
fn table(_: &mut Criterion) {
    let roots = ["/repo".to_owned()];
    let settings = settings(&roots);
    println!(
        "{:<16} {:>6} {:>10} {:>10} {:>10} {:>12} {:>10}",
        "typical", "bytes", "best", "p50", "worst", "allocations", "allocated"
    );
    let (mut medians, mut all) = (Vec::new(), 0);
    for (name, text) in TYPICAL {
        let mut times: Vec<Duration> = (0..200)
            .map(|_| {
                let once = || {
                    for _ in 0..100 {
                        black_box(analyze(black_box(text), &settings));
                    }
                };
                best(1, once) / 100
            })
            .collect();
        times.sort_unstable();
        let at = |index: usize| times.get(index).copied().unwrap_or_default();
        let (count, bytes) = allocations::of(|| drop(black_box(analyze(text, &settings))));
        println!(
            "{name:<16} {:>6} {:>10.2?} {:>10.2?} {:>10.2?} {count:>12} {bytes:>10}",
            text.len(),
            at(0),
            at(times.len() / 2),
            at(times.len() - 1)
        );
        medians.push(at(times.len() / 2));
        all += count;
    }
    medians.sort_unstable();
    println!(
        "of all: p50 {:.2?}, worst {:.2?}, {} allocations on average\n",
        medians.get(medians.len() / 2).copied().unwrap_or_default(),
        medians.last().copied().unwrap_or_default(),
        all / TYPICAL.len()
    );
    lengths(&settings);
}

/// Every long text at four lengths: its time, how that compares with the time of the shortest in proportion to the
/// lengths, and allocations.
fn lengths(settings: &Settings<'_>) {
    println!(
        "{:<16} {:>8} {:>12} {:>9} {:>12} {:>12}",
        "text", "KiB", "time", "linear", "allocations", "per KiB"
    );
    for (name, unit) in TEXTS {
        let mut first = None;
        for (kib, rounds) in [(1, 50), (16, 10), (256, 3), (1024, 3)] {
            let text = text_of(unit, kib << 10);
            let time = best(rounds, || drop(black_box(analyze(&text, settings)))).as_secs_f64();
            let (count, _) = allocations::of(|| drop(black_box(analyze(&text, settings))));
            let per_kib = time / kib as f64;
            let ratio = per_kib / *first.get_or_insert(per_kib);
            println!(
                "{name:<16} {kib:>8} {:>12.2?} {ratio:>8.2}x {count:>12} {:>12}",
                Duration::from_secs_f64(time),
                count / kib
            );
        }
    }
}

fn typical(criterion: &mut Criterion) {
    let roots = ["/repo".to_owned()];
    let settings = settings(&roots);
    for (name, text) in TYPICAL {
        let mut group = criterion.benchmark_group(format!("analysis of a typical command: {name}"));
        group.bench_function("parse", |bencher| bencher.iter(|| parse(black_box(text))));
        group.bench_function("parse, plan, judge", |bencher| {
            bencher.iter(|| analyze(black_box(text), &settings));
        });
        group.finish();
    }
}

fn sizes(criterion: &mut Criterion) {
    let roots = ["/repo".to_owned()];
    let settings = settings(&roots);
    let mut group = criterion.benchmark_group("analysis by size");
    group.sample_size(10);
    for size in [1 << 10, 1 << 14, 1 << 17, 1 << 20] {
        let line = "grep -n 'some pattern' src/main.rs | sort -u # a comment\n";
        let text = line.repeat(size / line.len());
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(size), &text, |bencher, text| {
            bencher.iter(|| analyze(black_box(text), &settings));
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("analysis of 1 MiB");
    group.sample_size(10);
    for (name, unit) in TEXTS {
        let text = text_of(unit, 1 << 20);
        group.bench_with_input(BenchmarkId::from_parameter(name), &text, |bencher, text| {
            bencher.iter(|| analyze(black_box(text), &settings));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(800)).sample_size(20);
    targets = table, typical, sizes
}
criterion_main!(benches);

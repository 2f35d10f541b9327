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

/// Time and allocations, once each.
fn table(_: &mut Criterion) {
    let roots = ["/repo".to_owned()];
    let settings = settings(&roots);
    println!("{:<16} {:>8} {:>12} {:>12} {:>12}", "typical", "bytes", "time", "allocations", "allocated");
    for (name, text) in TYPICAL {
        let time = best(20, || {
            for _ in 0..100 {
                black_box(analyze(black_box(text), &settings));
            }
        }) / 100;
        let (count, bytes) = allocations::of(|| drop(black_box(analyze(text, &settings))));
        println!("{name:<16} {:>8} {time:>12.2?} {count:>12} {bytes:>12}", text.len());
    }
    println!("\n{:<16} {:>12} {:>12} {:>12} {:>9}", "text", "64 KiB", "1 MiB", "allocations", "growth");
    for (name, unit) in TEXTS {
        let (small, large) = (text_of(unit, 1 << 16), text_of(unit, 1 << 20));
        let first = best(4, || drop(black_box(analyze(&small, &settings))));
        let second = best(2, || drop(black_box(analyze(&large, &settings))));
        let (count, _) = allocations::of(|| drop(black_box(analyze(&large, &settings))));
        let growth = second.as_secs_f64() / first.as_secs_f64() / 16.0;
        println!("{name:<16} {first:>12.2?} {second:>12.2?} {count:>12} {growth:>8.2}x");
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

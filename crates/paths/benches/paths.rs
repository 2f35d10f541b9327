//! What a decision pays for each path.
#![allow(missing_docs, reason = "criterion's macros generate undocumented items")]

use std::{hint::black_box, time::Duration};

use criterion::{Criterion, criterion_group, criterion_main};
use portcullis_paths::{SensitivePaths, Table, join, normalize};

fn paths(criterion: &mut Criterion) {
    let sensitive = SensitivePaths::standard(Some("/home/u"));
    let table = [
        ("source", "/home/u/work/project/src/gates/deny_rules.rs"),
        ("capital", "/home/u/work/project/README.md"),
        ("secret", "/home/u/work/project/.env.local"),
        ("git", "/home/u/work/project/.git/hooks/pre-commit"),
    ];
    for (kind, of) in [("secret", Table::Secret), ("protected", Table::Protected)] {
        let mut group = criterion.benchmark_group(format!("is a path {kind}"));
        for (name, path) in table {
            group.bench_function(name, |bencher| {
                bencher.iter(|| sensitive.contains(of, black_box(path)));
            });
        }
        group.finish();
    }
    let mut group = criterion.benchmark_group("paths");
    group.bench_function("the tables, compiled", |bencher| {
        bencher.iter(|| SensitivePaths::standard(black_box(Some("/home/u"))));
    });
    group.bench_function("normalize, clean", |bencher| {
        bencher.iter(|| normalize(black_box("/home/u/work/a/b.rs")));
    });
    group.bench_function("join, relative", |bencher| {
        bencher.iter(|| join("/home/u/work", black_box("../x/./y.rs")));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(500)).sample_size(30);
    targets = paths
}
criterion_main!(benches);

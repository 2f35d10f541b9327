//! What a decision pays for each path.
#![allow(missing_docs, reason = "criterion's macros generate undocumented items")]

use std::hint::black_box;

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
    for (name, path) in table {
        criterion.bench_function(&format!("secret/{name}"), |bencher| {
            bencher.iter(|| sensitive.contains(Table::Secret, black_box(path)));
        });
        criterion.bench_function(&format!("protected/{name}"), |bencher| {
            bencher.iter(|| sensitive.contains(Table::Protected, black_box(path)));
        });
    }
    criterion.bench_function("normalize/clean", |bencher| {
        bencher.iter(|| normalize(black_box("/home/u/work/a/b.rs")));
    });
    criterion.bench_function("join/relative", |bencher| {
        bencher.iter(|| join("/home/u/work", black_box("../x/./y.rs")));
    });
}

criterion_group!(benches, paths);
criterion_main!(benches);

//! How long an analysis takes: everyday commands, and texts from 1 KiB to 1 MiB.
#![allow(missing_docs, reason = "what criterion's macros make has no documentation")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use portcullis_shell_analysis::{Settings, Shell, analyze};

const TYPICAL: &[(&str, &str)] = &[
    ("ls", "ls -la src"),
    ("pipe", "git log --oneline | grep -i fix | head -20"),
    ("cd", "cd src && rg -n 'struct Config' . 2>/dev/null"),
    ("find", "find . -name '*.rs' -not -path './target/*' -exec wc -l {} +"),
    ("commit", "git add -A && git commit -m \"$(cat <<'EOF'\nfix: say why\nEOF\n)\""),
    ("loop", "for f in a b c; do grep -c TODO \"$f\"; done"),
];

fn settings(roots: &[String]) -> Settings<'_> {
    Settings {
        shell: Shell::Bash,
        cwd: "/repo",
        home: Some("/home/u"),
        roots,
        allow_external_paths: false,
        trusted: false,
        resolver: None,
    }
}

fn typical(criterion: &mut Criterion) {
    let roots = ["/repo".to_owned()];
    let settings = settings(&roots);
    let mut group = criterion.benchmark_group("typical");
    for (name, text) in TYPICAL {
        group
            .bench_function(*name, |bencher| bencher.iter(|| analyze(std::hint::black_box(text), &settings)));
    }
    group.finish();
}

fn sizes(criterion: &mut Criterion) {
    let roots = ["/repo".to_owned()];
    let settings = settings(&roots);
    let mut group = criterion.benchmark_group("size");
    group.sample_size(10);
    for size in [1 << 10, 1 << 14, 1 << 17, 1 << 20] {
        let line = "grep -n 'some pattern' src/main.rs | sort -u # a comment\n";
        let text = line.repeat(size / line.len());
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(size), &text, |bencher, text| {
            bencher.iter(|| analyze(std::hint::black_box(text), &settings));
        });
    }
    group.finish();
}

criterion_group!(benches, typical, sizes);
criterion_main!(benches);

//! Loading four settings files of usual size, cold and cached. Behind criterion's own report stands a table with the
//! shortest times and their ratios.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use std::{
    hint::black_box,
    path::Path,
    time::{Duration, Instant, SystemTime},
};

use criterion::{Criterion, criterion_group, criterion_main};
use portcullis_loader::{Judges, Layout, Loader, NothingSaved, Places, load};

const USUAL: &str = r#"{
  // what is asked for every day
  "permissions": {
    "mode": "standard",
    "allow": ["Bash(git diff:*)", "Bash(git log:*)", "Bash(cargo test:*)", "Read(src/**)", "Bash(npm run test)"],
    "deny": ["Read(.env)", "Read(**/*.pem)", "Bash(rm -rf:*)"],
    "ask": ["Write(**)", { "rule": "Bash(git push:*)", "reason": "others see it" }],
    "additionalDirectories": []
  },
  "theme": "dark",
}
"#;

fn four_files(criterion: &mut Criterion) {
    let root = tempfile::tempdir().unwrap();
    let home = root.path().join("home");
    let project = home.join("app");
    for folder in [root.path().join("etc/portcullis"), home.join(".letta"), project.join(".letta")] {
        std::fs::create_dir_all(folder).unwrap();
    }
    for file in [
        root.path().join("etc/portcullis/settings.json"),
        home.join(".letta/settings.json"),
        project.join(".letta/settings.json"),
        project.join(".letta/settings.local.json"),
    ] {
        std::fs::write(file, USUAL).unwrap();
    }
    let places = Places { system: root.path(), ..Places::new(Some(&home), None, &project) };
    let layout = Layout::letta(&places);
    let judges =
        Judges { trust: &|_: &Path, _: &[u8]| true, saved: &NothingSaved, tracked: &|_: &Path| false };
    let mut group = criterion.benchmark_group("four settings files");
    group.bench_function("read", |bencher| {
        bencher.iter(|| load(&layout, &project, &judges));
    });
    let loader = Loader::new(layout.clone());
    let later = SystemTime::now() + Duration::from_secs(3600);
    group.bench_function("unchanged", |bencher| {
        bencher.iter(|| loader.load(&project, &judges, later));
    });
    group.finish();
    let cold = shortest(|| load(&layout, &project, &judges));
    let cached = shortest(|| loader.load(&project, &judges, later));
    println!("\nfour settings files, microseconds  {:>10} {:>10}   cold / cached", "cold", "cached");
    println!("{:<34} {cold:>10.1} {cached:>10.1} {:>15.1}\n", "", cold / cached);
}

/// The shortest time of one run, in microseconds: so many that some of them are not interrupted.
fn shortest<T>(mut run: impl FnMut() -> T) -> f64 {
    let mut best = Duration::MAX;
    for _ in 0..5_000 {
        let start = Instant::now();
        black_box(run());
        best = best.min(start.elapsed());
    }
    best.as_secs_f64() * 1e6
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1)).sample_size(30);
    targets = four_files
}
criterion_main!(benches);

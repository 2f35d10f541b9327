//! What confinement costs: `/bin/true` plain, under each back end, and under bubblewrap alone with the
//! arguments that the back end gives it. Prints the ratios beside the measurements.

#![allow(missing_docs, reason = "criterion's macros make public items")]

use std::{
    collections::BTreeMap,
    ffi::OsString,
    hint::black_box,
    process::Command,
    time::{Duration, Instant},
};

use criterion::{Criterion, criterion_group, criterion_main};
use portcullis_sandbox::{BackendName, Network, Options, Policy, Sandbox};

const BACKENDS: [BackendName; 2] = [BackendName::Bwrap, BackendName::Landlock];

fn argv() -> Vec<OsString> {
    vec!["/bin/true".into()]
}

fn options() -> Options {
    Options::new("/", BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]))
}

fn sandbox(backend: BackendName) -> Sandbox {
    Sandbox::new(vec![env!("CARGO_BIN_EXE_portcullis-landlock").into()]).pinned(backend)
}

fn confined(sandbox: &Sandbox, policy: &Policy) -> bool {
    sandbox.run(&argv(), policy, &options()).is_ok_and(|outcome| outcome.state.success())
}

fn plain(policy: &Policy, sandbox: &Sandbox) -> bool {
    sandbox.run(&argv(), policy, &options()).is_ok_and(|outcome| outcome.state.success())
}

/// bubblewrap with the same mounts and namespaces, started by the standard library.
fn bare_bubblewrap(arguments: &[OsString]) -> bool {
    let Some((program, rest)) = arguments.split_first() else { return false };
    Command::new(program).args(rest).env_clear().status().is_ok_and(|status| status.success())
}

/// The arguments without the descriptors of one run.
fn without_descriptors(argv: Vec<OsString>) -> Vec<OsString> {
    let mut list = Vec::new();
    let mut words = argv.into_iter();
    while let Some(word) = words.next() {
        if word == "--json-status-fd" || word == "--seccomp" {
            words.next();
        } else {
            list.push(word);
        }
    }
    list
}

fn median(mut run: impl FnMut() -> bool) -> Duration {
    let mut times: Vec<Duration> = (0..60)
        .map(|_| {
            let begin = Instant::now();
            assert!(
                black_box(run()),
                "a run failed; is bubblewrap installed (`apt-get install bubblewrap`)?"
            );
            begin.elapsed()
        })
        .collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn spawn(criterion: &mut Criterion) {
    let policy = Policy { network: Network::Blocked, ..Policy::read_only(Vec::<String>::new()) };
    let full = Policy::danger_full_access(Vec::<String>::new());
    let session = sandbox(BackendName::Bwrap);
    let described = session.describe(BackendName::Bwrap, &argv(), &policy, &options()).unwrap_or_default();
    let bare = without_descriptors(described);

    let base = median(|| plain(&full, &session));
    println!("plain spawn: {base:?}");
    for backend in BACKENDS {
        let sandbox = sandbox(backend);
        let time = median(|| confined(&sandbox, &policy));
        println!(
            "{backend}: {time:?}, {:?} more than plain, {:.2} times",
            time.saturating_sub(base),
            time.as_secs_f64() / base.as_secs_f64()
        );
        if backend == BackendName::Bwrap {
            let alone = median(|| bare_bubblewrap(&bare));
            let ratio = time.as_secs_f64() / alone.as_secs_f64();
            println!("bubblewrap alone: {alone:?}; the back end takes {ratio:.2} times of that");
        }
    }

    let mut group = criterion.benchmark_group("/bin/true in a sandbox");
    group.sample_size(30);
    group.bench_function("plain", |bencher| bencher.iter(|| plain(&full, &session)));
    for backend in BACKENDS {
        let sandbox = sandbox(backend);
        group.bench_function(backend.as_str(), |bencher| bencher.iter(|| confined(&sandbox, &policy)));
    }
    group.bench_function("bubblewrap alone", |bencher| bencher.iter(|| bare_bubblewrap(&bare)));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_millis(500));
    targets = spawn
}
criterion_main!(benches);

//! Whole processes: one decision against `/bin/true`, and a confined run against a plain spawn.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs, reason = "benchmark code")]

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use criterion::{Criterion, criterion_group, criterion_main};

const BINARY: &str = env!("CARGO_BIN_EXE_portcullis");

/// A project with usual settings, in a home of its own.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let app = folder.path().join("app");
    for part in ["app/.letta", "home/.letta", "state"] {
        fs::create_dir_all(folder.path().join(part)).expect("folders");
    }
    let settings =
        r#"{ "permissions": { "allow": ["Bash(npm run:*)"], "deny": ["Bash(git push:*)", "Read(.env)"] } }"#;
    fs::write(app.join(".letta/settings.json"), settings).expect("project settings");
    fs::write(folder.path().join("home/.letta/settings.json"), settings).expect("user settings");
    folder
}

fn command(program: &str, arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder.join("app"))
        .env("HOME", folder.join("home"))
        .env("XDG_STATE_HOME", folder.join("state"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn decisions(criterion: &mut Criterion) {
    let folder = project();
    let mut group = criterion.benchmark_group("process: one decision");
    group.bench_function("/bin/true", |bencher| {
        bencher.iter(|| command("/bin/true", &[], folder.path()).status().expect("true"));
    });
    group.bench_function("portcullis check", |bencher| {
        bencher.iter(|| {
            command(BINARY, &["check", "--command", "git status"], folder.path()).status().expect("check")
        });
    });
    group.finish();
}

fn runs(criterion: &mut Criterion) {
    let folder = project();
    let mut group = criterion.benchmark_group("process: one run of /bin/true");
    group.bench_function("plain", |bencher| {
        bencher.iter(|| command("/bin/true", &[], folder.path()).status().expect("true"));
    });
    for backend in ["bwrap", "landlock"] {
        group.bench_function(format!("portcullis run ({backend})"), |bencher| {
            bencher.iter(|| {
                let arguments = ["run", "--backend", backend, "--", "/bin/true"];
                let status = command(BINARY, &arguments, folder.path()).status().expect("run");
                assert!(status.success(), "{backend}: {status}");
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2)).sample_size(50);
    targets = decisions, runs
}
criterion_main!(benches);

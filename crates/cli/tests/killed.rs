//! `rules add` that is killed: what the person saved before counts at every moment.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

mod support;

use std::{
    os::unix::fs::MetadataExt as _,
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};

use support::Place;

fn allows(place: &Place, command: &str) -> bool {
    place.run(["check", "--command", command]).stdout.starts_with("allow: Matched allow rule")
}

fn inode(path: &Path) -> Option<u64> {
    Some(std::fs::metadata(path).ok()?.ino())
}

/// Kills a save after so many microseconds, or (none) as soon as the settings file is another one.
fn kill_a_save(place: &Place, scope: &str, file: &Path, rule: &str, after: Option<u64>) {
    let mut command = place.portcullis(["rules", "add", rule, "--list", "allow", "--scope", scope]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let before = inode(file);
    let begun = Instant::now();
    let mut child = command.spawn().unwrap();
    match after {
        Some(micros) => std::thread::sleep(Duration::from_micros(micros)),
        None => {
            while inode(file) == before && begun.elapsed() < Duration::from_secs(20) {
                std::hint::spin_loop();
            }
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn survives(place: &Place, scope: &str, relative: &str) {
    let file = place.project().join(relative);
    let begun = Instant::now();
    place.run(["rules", "add", "Bash(first:*)", "--list", "allow", "--scope", scope]).expect(0, &[]);
    let whole = u64::try_from(begun.elapsed().as_micros()).unwrap();
    assert!(allows(place, "first x"), "{scope}");
    // Moments that a failure can be repeated with, as far as the machine is as fast.
    let moments = (0..10).map(|step| Some(whole * (2 + step) / 10)).chain([None; 6]);
    for (round, after) in moments.enumerate() {
        kill_a_save(place, scope, &file, &format!("Bash(round{round}:*)"), after);
        assert!(allows(place, "first x"), "{scope}: own rules were lost in round {round}: {after:?}");
    }
    // And what comes then finds nothing to mend.
    place.run(["rules", "add", "Bash(final:*)", "--list", "allow", "--scope", scope]).expect(0, &[]);
    assert!(allows(place, "first x") && allows(place, "final x"));
    let folders = [place.path("home/.letta"), file.parent().unwrap().to_owned()];
    for entry in folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()) {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.ends_with(".tmp"), "{scope}: {name} stayed behind");
    }
}

#[test]
fn a_killed_save_of_a_local_file_loses_nothing() {
    survives(&Place::new(), "local", ".letta/settings.local.json");
}

#[test]
fn a_killed_save_of_a_project_file_loses_nothing() {
    survives(&Place::new(), "project", ".letta/settings.json");
}

#[test]
fn a_killed_save_of_a_trusted_project_loses_nothing() {
    let place = Place::new();
    place.write(".letta/settings.json", r#"{"permissions":{"allow":["Bash(brought:*)"]}}"#);
    place.run(["trust", "allow"]).expect(0, &[]);
    survives(&place, "project", ".letta/settings.json");
    assert!(allows(&place, "brought x"));
}

//! Links on the disk are no way around a rule about files: not those that can be followed, and not those that mean
//! something else for whoever opens them. Real links, the real resolver, the real binary; nothing is executed.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

mod support;

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::Path,
};

use serde_json::{Value, json};
use support::{Place, batch};

/// A project with a secret, a file, a directory of secrets and an ordinary one, and these links.
fn project(root: &Path, links: &Value) {
    for directory in ["sub", "secrets"] {
        fs::create_dir_all(root.join(directory)).unwrap();
    }
    for file in [".env", "a", "secrets/k", "sub/n"] {
        fs::write(root.join(file), "A=1\n").unwrap();
    }
    for (link, target) in links.as_object().unwrap() {
        let target = target.as_str().unwrap().replace("{root}", root.to_str().unwrap());
        fs::create_dir_all(root.join(link).parent().unwrap()).unwrap();
        symlink(target, root.join(link)).unwrap();
    }
}

/// The batch runs elsewhere, so that its own working directory is not that of the calls.
#[test]
fn rules_hold_for_files_that_links_lead_to() {
    let text = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/file-links.jsonl");
    let cases: Vec<Value> = fs::read_to_string(text)
        .expect(text)
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    assert!(cases.len() > 200, "{}", cases.len());
    let place = Place::new();
    let mut requests = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        let root = place.path(&format!("trees/{at}"));
        project(&root, &case["links"]);
        let or = |key: &str, usual: &str| case.get(key).cloned().unwrap_or_else(|| usual.into());
        let arguments =
            case.get("arguments").cloned().unwrap_or_else(|| json!({ "command": case["command"] }));
        requests.push(json!({
            "tool": or("tool", "Bash"), "arguments": arguments, "cwd": root, "home": "/home/dev",
            "mode": or("mode", "unrestricted"), "profile": or("profile", "portcullis"), "trusted": true,
            "rules": case["rules"],
        }));
    }
    let answers = batch::judged(&requests);
    let wrong: Vec<String> = cases
        .iter()
        .zip(&answers)
        .filter(|(case, answer)| {
            let decision = answer["decision"].as_str().unwrap();
            match case["right"].as_str().unwrap() {
                "stop" => decision == "allow",
                right => decision != right,
            }
        })
        .map(|(case, answer)| format!("{case}: {} ({})", answer["decision"], answer["gate"]))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Into another's directory that is shut no program gets that this user runs; one that runs as another user does. What a
/// user has shut himself he may open again.
#[test]
fn a_directory_that_is_shut() {
    if !nix::unistd::geteuid().is_root() {
        // Any other user's own directory; of others' there is the superuser's at least.
        assert!(fs::metadata("/root/x").is_err(), "this test needs a /root that only root may enter");
    }
    let mut place = Place::new();
    fs::create_dir(place.project().join("own")).unwrap();
    symlink("../.env", place.project().join("own/l")).unwrap();
    place.write(".env", "A=1");
    if nix::unistd::geteuid().is_root() {
        place.give_to_nobody();
    }
    let another = place.project().join("another");
    let shut = if nix::unistd::geteuid().is_root() {
        fs::create_dir(&another).unwrap();
        fs::set_permissions(&another, fs::Permissions::from_mode(0o700)).unwrap();
        symlink("../.env", another.join("l")).unwrap();
        "another/l"
    } else {
        "/root/x"
    };
    let own = place.project().join("own");
    fs::set_permissions(&own, fs::Permissions::from_mode(0o0)).unwrap();
    let decision = |command: String| {
        let flags =
            ["check", "--mode", "unrestricted", "--disallowed-tools", "Read(.env)", "--format", "json"];
        let ended = place.run(flags.into_iter().chain([&*command]));
        batch::read(&ended.stdout)["decision"].as_str().unwrap().to_owned()
    };
    let decisions = ["cat own/l".to_owned(), format!("cat {shut}"), format!("sudo cat {shut}")].map(decision);
    fs::set_permissions(&own, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(decisions, ["ask", "allow", "ask"]);
}

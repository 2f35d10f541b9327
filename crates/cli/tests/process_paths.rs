//! Paths through links that each process has for itself are no way around a rule about files.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

mod support;

use serde_json::{Value, json};
use support::batch;

fn decisions(requests: &[Value]) -> Vec<String> {
    let answers = batch::judged(requests);
    answers.iter().map(|answer| answer["decision"].as_str().unwrap_or("error").to_owned()).collect()
}

fn call(tool: &str, path: &str, mode: &str, deny: &str) -> Value {
    json!({
        "tool": tool, "arguments": { "file_path": path, "content": "x" }, "cwd": "/srv/app", "home": "/home/dev",
        "mode": mode, "profile": "portcullis", "trusted": true, "rules": { "deny": [deny] },
    })
}

#[test]
fn a_link_of_a_process_is_not_known_to_be_elsewhere() {
    let mut requests = Vec::new();
    for path in [
        "/proc/self/cwd/secrets/key.pem",
        "/proc/thread-self/cwd/secrets/key.pem",
        "/proc/self/root/srv/app/secrets/key.pem",
        "/proc/1/cwd/x",
        "/dev/fd/../cwd/secrets/key.pem",
        "/dev/fd/3/x",
    ] {
        requests.push(call("Read", path, "unrestricted", "Read(secrets/**)"));
        requests.push(call("Write", path, "unrestricted", "Edit(secrets/**)"));
        requests.push(call("Read", path, "standard", "Read(other/**)"));
        requests.push(call("Write", path, "acceptEdits", "Edit(other/**)"));
    }
    let answers = decisions(&requests);
    let allowed: Vec<_> = requests.iter().zip(&answers).filter(|(_, answer)| *answer == "allow").collect();
    assert!(allowed.is_empty(), "{allowed:?}");
    // And what only looks like one is a file like others.
    let plain = ["/srv/app/proc/self/cwd/x", "/srv/app/dev/fd/3", "src/cwd/x"];
    let requests: Vec<Value> =
        plain.iter().map(|path| call("Read", path, "standard", "Read(secrets/**)")).collect();
    assert_eq!(decisions(&requests), ["allow", "allow", "allow"]);
}

//! Secrets do not reach the file.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

use portcullis_audit::{Event, Log, LogOptions, Redactor};
use serde_json::{Value, json};

fn redactor() -> Redactor {
    let globs = [".env", "*.pem", "~/.ssh/**", "/home/u/.aws/**", "/etc/shadow"];
    Redactor::new(globs, Some("/home/u")).unwrap()
}

fn redacted(arguments: impl Into<Value>) -> Value {
    let arguments: Value = arguments.into();
    let mut record =
        json!({ "type": "tool/call", "session": "s", "cwd": "/home/u/app", "arguments": arguments });
    redactor().redact(&mut record);
    record["arguments"].clone()
}

/// The needle is made of parts, so that no scanner takes this file for a leak.
fn needle(parts: &[&str]) -> String {
    parts.concat()
}

#[test]
fn tokens_are_known_by_their_shape() {
    let long = "0123456789abcdefABCDEF0123456789abcdefAB";
    let shapes = [
        needle(&["ghp_", long]),
        needle(&["gho_", long]),
        needle(&["github_pat_", long]),
        needle(&["glpat-", long]),
        needle(&["sk-", "ant-api03-", long]),
        needle(&["sk-", "proj-", long]),
        needle(&["sk_live_", long]),
        needle(&["rk_test_", long]),
        needle(&["AKIA", "ABCDEFGHIJKLMNOP"]),
        needle(&["xoxb-", "123456789012-abcdefghijkl"]),
        needle(&["xapp-", "1-A012-345-abcdef"]),
        needle(&["AIza", long]),
        needle(&["ya29.", long]),
        needle(&["npm_", long]),
        needle(&["pypi-", long, long]),
        needle(&["hf_", long]),
        needle(&["SG.", long]),
        needle(&["dop_v1_", "0123456789abcdef0123456789abcdef"]),
        needle(&["eyJ", "hbGciOiJIUzI1NiJ9.", "eyJzdWIiOiIxMjM0NTY3ODkwIn0.", long]),
    ];
    for token in shapes {
        for text in
            [token.clone(), format!("curl -H 'x: {token}' y"), format!("a={token};b"), format!("\"{token}\"")]
        {
            let out = redacted(json!({ "command": text })).to_string();
            let tail: String = token.chars().skip(token.len() - 8).collect();
            assert!(!out.contains(&tail), "{token}: {out}");
            assert!(out.contains("[redacted]"), "{token}: {out}");
        }
    }
}

#[test]
fn secrets_are_known_by_where_they_stand() {
    for text in [
        "export API_KEY=hunter2",
        "DB_PASSWORD='hunter2 hunter2' ./run",
        "mysql --password=hunter2",
        "gh auth --token hunter2",
        "curl -H 'Authorization: Basic hunter2'",
        "curl -H \"authorization: hunter2\"",
        "curl -u me:hunter2 https://x",
        "git clone https://me:hunter2@host/x.git",
        "psql postgres://u:hunter2@h/db",
        "echo '{\"client_secret\": \"hunter2\"}'",
        "AWS_SECRET_ACCESS_KEY=hunter2 aws s3 ls",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nhunter2\n-----END OPENSSH PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\nhunter2",
    ] {
        let out = redacted(json!({ "command": text })).to_string();
        assert!(!out.contains("hunter2"), "{out}");
    }
    for key in ["password", "apiKey", "API_KEY", "client-secret", "access_token", "Authorization"] {
        let out = redacted(json!({ key: "hunter2", "list": [{ key: ["hunter2"] }] })).to_string();
        assert!(!out.contains("hunter2"), "{out}");
    }
}

#[test]
fn the_contents_of_secret_files_are_not_written_but_their_names_are() {
    for path in [
        ".env",
        "./a/../.env",
        "deep/down/.ENV",
        "key.pem",
        "~/.ssh/id",
        "../.ssh/config",
        "/home/u/.aws/credentials",
        "/etc/shadow",
        "C:\\x\\.env",
    ] {
        let out = redacted(json!({
            "file_path": path, "content": "hunter2",
            "edits": [{ "old_string": "hunter2", "new_string": "hunter2" }], "offset": 3
        }));
        assert!(!out.to_string().contains("hunter2"), "{out}");
        assert_eq!(out["file_path"], path);
        assert_eq!(out["offset"], 3);
    }
    let out = redacted(
        json!({ "files": [{ "path": ".env", "content": "hunter2" }, { "path": "a", "content": "fine" }] }),
    );
    assert!(!out.to_string().contains("hunter2"));
    assert!(out.to_string().contains("fine"));
    let out = redacted(json!({ "paths": ["a", ".env"], "text": "hunter2" }));
    assert!(!out.to_string().contains("hunter2"));
    let patch = "*** Begin Patch\n*** Update File: .env\n@@\n-A=hunter2\n+A=b\n*** End Patch";
    let out = redacted(json!({ "input": patch }));
    assert_eq!(out["input"], "*** Begin Patch\n*** Update File: .env\n[redacted]\n*** End Patch");
}

#[test]
fn what_is_no_secret_stays() {
    for text in [
        "cargo test --workspace",
        "git commit -m 'count tokens: all of them'",
        "grep -rn password src",
        "sort --key=2 names",
        "echo $API_KEY",
        "curl -H \"x-api-key: $KEY\" https://example.com/a?b=c",
        "git clone https://github.com/a/b.git",
        "docker run --user root x",
        "task-force eyJx sk-short ghp_short",
        "",
    ] {
        assert_eq!(redacted(json!({ "command": text }))["command"], text);
    }
    let out =
        redacted(json!({ "file_path": "src/env.rs", "content": "fn main() {}", "limit": 1, "token": 5 }));
    assert_eq!(out, json!({ "file_path": "src/env.rs", "content": "fn main() {}", "limit": 1, "token": 5 }));
}

#[test]
fn the_frame_of_a_record_stays_and_its_texts_do_not() {
    let mut record = json!({
        "type": "decision", "session": "TOKEN=a", "call": "TOKEN=a", "tool": "Bash",
        "rule": { "rule": "Bash(curl -u me:hunter2 x)" }, "reason": "PASSWORD=hunter2"
    });
    redactor().redact(&mut record);
    assert_eq!(record["session"], "TOKEN=a");
    assert!(!record.to_string().contains("hunter2"), "{record}");
}

#[test]
fn a_glob_that_cannot_be_read_is_an_error() {
    let error = Redactor::new(["ok", "[z-a]"], None).unwrap_err();
    assert_eq!(error.glob, "[z-a]");
}

#[test]
fn a_log_redacts_before_it_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let event = Event::ToolCall {
        call_id: None,
        call: "c".into(),
        tool: "Write".into(),
        arguments: json!({ "file_path": ".env", "content": "hunter2" }),
        cwd: Some("/r".into()),
    };
    let options = LogOptions { redactor: Some(redactor()), ..LogOptions::new(&path, "s") };
    let _ = Log::open(options, || 1).unwrap().append(event.clone()).unwrap();
    assert!(!std::fs::read_to_string(&path).unwrap().contains("hunter2"));
    let _ = Log::open(LogOptions::new(&path, "s"), || 1).unwrap().append(event).unwrap();
    assert!(std::fs::read_to_string(&path).unwrap().contains("hunter2"), "only when asked to");
}

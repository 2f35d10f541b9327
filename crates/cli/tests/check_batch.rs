//! `check --batch` through the real binary: order, ids, streaming, and everything that can be wrong with a line.
//! Nothing is run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};

use serde_json::{Value, json};
use support::{
    Place,
    batch::{answer, answers, judged, keys, read, request, start},
};

#[test]
fn answers_keep_the_order_and_the_ids() {
    let ids = [
        json!("text"),
        json!("0"),
        json!(""),
        json!(7),
        json!(-1),
        json!(2.5),
        json!(18_446_744_073_709_551_615_u64),
        json!(true),
        json!(null),
        json!([1, "a"]),
        json!({ "a": { "b": null } }),
    ];
    let input: String = ids.iter().map(|id| format!("{}\n", request(id, "ls"))).collect();
    let got: Vec<Value> = answers(input.as_bytes()).iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(got, ids);
    let mut without = request(&Value::Null, "ls");
    without.as_object_mut().unwrap().remove("id");
    assert_eq!(answer(&without)["id"], Value::Null);
    // Many, of different cost.
    let input: String = (0..300)
        .map(|id| format!("{}\n", request(&json!(id), if id % 3 == 0 { "ls" } else { "a; b && c | d $(e)" })))
        .collect();
    let got: Vec<Value> = answers(input.as_bytes()).iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(got, (0..300).map(|id| json!(id)).collect::<Vec<_>>());
}

/// A line that cannot be judged gets an error with a code and a message, never a decision; the next one is judged.
#[test]
fn bad_lines_get_an_error_and_the_batch_goes_on() {
    let table: &[(&str, Value, &str)] = &[
        ("{", Value::Null, "not JSON"),
        ("nonsense", Value::Null, "not JSON"),
        ("{\"id\":1} {\"id\":2}", Value::Null, "not JSON"),
        (
            "{\"id\":1,\"tool\":\"Bash\",\"arguments\":{\"command\":\"rm x\",\"command\":\"ls\"},\"rules\":{}}",
            Value::Null,
            "the key `command` stands twice",
        ),
        (
            "{\"tool\":\"Bash\",\"arguments\":{},\"rules\":{\"deny\":[\"Bash\"]},\"rules\":{}}",
            Value::Null,
            "the key `rules` stands twice",
        ),
        ("[]", Value::Null, "not a JSON object"),
        ("3", Value::Null, "not a JSON object"),
        ("\"x\"", Value::Null, "not a JSON object"),
        ("{\"id\":\"a\"}", json!("a"), "`tool` is missing"),
        ("{\"id\":[1],\"tool\":3,\"arguments\":{}}", json!([1]), "`tool` is not a string"),
        ("{\"id\":2,\"tool\":\"Bash\"}", json!(2), "`arguments` is missing"),
        ("{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"cwd\":\"x\"}", json!(2), "absolute"),
        ("{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"mode\":\"lax\"}", json!(2), "lax"),
        ("{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"profile\":\"x\"}", json!(2), "unknown profile"),
        ("{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"trusted\":1}", json!(2), "true or false"),
        ("{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"shell\":\"fish\"}", json!(2), "`shell`"),
        ("{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"engine\":\"v3\"}", json!(2), "v1 or v2"),
        (
            "{\"id\":2,\"tool\":\"x\",\"arguments\":{},\"rules\":{\"ask\":[\"Bash(ls\"]}}",
            json!(2),
            "`Bash(ls` in ask",
        ),
        (
            "{\"id\":2,\"tool\":\"x\",\"arguments\":{},\"rules\":{\"ask\":[{\"regex\":\"(\"}]}}",
            json!(2),
            "not compile",
        ),
        (
            "{\"id\":2,\"tool\":\"x\",\"arguments\":{},\"rules\":{\"allow\":[\"Bash(\"]}}",
            json!(2),
            "in allow",
        ),
        (
            "{\"id\":2,\"tool\":\"x\",\"arguments\":{},\"rules\":{\"restrict\":[\"Bash)\"]}}",
            json!(2),
            "in restrict",
        ),
        (
            "{\"id\":2,\"tool\":\"x\",\"arguments\":{},\"session\":{\"ask\":[\"Bash(ls\"]}}",
            json!(2),
            "in ask",
        ),
        (
            "{\"id\":2,\"tool\":\"x\",\"arguments\":{},\"settings\":\"load\",\"rules\":{\"ask\":[\"Bash(ls\"]}}",
            json!(2),
            "in ask",
        ),
        (
            "{\"id\":2,\"tool\":\"x\",\"arguments\":{},\"rules\":{\"ask\":[{\"tool\":\"Bash(rm:*)\",\"regex\":\"rm\"}]}}",
            json!(2),
            "no tool name",
        ),
        ("{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"tools\":{\"x\":\"no\"}}", json!(2), "tools.x"),
        (
            "{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"tools\":{\"x\":{\"payload\":7}}}",
            json!(2),
            "tools.x.payload",
        ),
        (
            "{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"tools\":{\"x\":{\"payloads\":\"a\"}}}",
            json!(2),
            "`payloads`",
        ),
        ("{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"rules\":[]}", json!(2), "rules"),
        ("{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"rules\":{\"denied\":[]}}", json!(2), "`denied`"),
        (
            "{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"rules\":{\"deny\":\"Bash\"}}",
            json!(2),
            "rules.deny",
        ),
        ("{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"rules\":{\"deny\":[7]}}", json!(2), "deny"),
        (
            "{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"rules\":{\"deny\":[{\"rul\":\"x\"}]}}",
            json!(2),
            "deny",
        ),
        ("{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"session\":{\"denied\":[]}}", json!(2), "`denied`"),
        ("{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"cli\":{\"x\":[]}}", json!(2), "`x`"),
        (
            "{\"id\":2,\"tool\":\"Bash\",\"arguments\":{},\"workspace\":{\"root\":\"/a\",\"isolationRoot\":\"/b\"}}",
            json!(2),
            "workspace",
        ),
    ];
    let good = request(&json!("good"), "ls");
    let input: String = table.iter().map(|(line, _, _)| format!("{line}\n{good}\n")).collect();
    let got = answers(input.as_bytes());
    assert_eq!(got.len(), 2 * table.len());
    for ((line, id, words), pair) in table.iter().zip(got.chunks(2)) {
        assert_eq!(keys(&pair[0]), ["id", "error"], "{line}: {}", pair[0]);
        assert_eq!(&pair[0]["id"], id, "{line}");
        assert_eq!(keys(&pair[0]["error"]), ["code", "message"]);
        assert!(pair[0]["error"]["code"].as_str().is_some_and(|code| !code.is_empty()));
        let message = pair[0]["error"]["message"].as_str().unwrap();
        assert!(message.contains(words), "{line}: {message}");
        assert_eq!((&pair[1]["id"], &pair[1]["decision"]), (&json!("good"), &json!("allow")), "after {line}");
    }
}

#[test]
fn an_unknown_field_of_a_request_is_named() {
    let mut line = request(&json!(1), "ls");
    line["modes"] = json!("strict");
    let answer = answer(&line);
    assert_eq!((&answer["decision"], &answer["ignored"]), (&json!("allow"), &json!(["modes"])));
}

#[test]
fn arguments_that_cannot_be_read_are_never_allowed() {
    for arguments in [json!({}), json!([]), json!("ls"), json!({ "command": 3 }), json!({ "command": null })]
    {
        let mut line = request(&json!(1), "ls");
        line["arguments"] = arguments;
        assert_eq!(answer(&line)["decision"], "ask", "{line}");
    }
}

#[test]
fn lines_may_be_long_empty_or_no_text() {
    let good = |id: &str| request(&json!(id), "ls").to_string();
    let mut input = Vec::new();
    // A carriage return, empty lines and blanks are nothing.
    input.extend_from_slice(format!("{}\r\n\n   \n\r\n", good("crlf")).as_bytes());
    input.extend_from_slice(b"{\"id\":\"\xff\"}\n");
    let padding = "x".repeat(5 << 20);
    let mut long = request(&json!("long"), "ls");
    long["padding"] = json!(padding);
    input.extend_from_slice(format!("{long}\n").as_bytes());
    let command = request(&json!("command"), &format!("echo {padding}"));
    input.extend_from_slice(format!("{command}\n").as_bytes());
    input.extend_from_slice(&vec![b' '; 17 << 20]);
    input.extend_from_slice(b"\n\xef\xbb\xbf{}\n");
    input.extend_from_slice(good("last").as_bytes());
    let got = answers(&input);
    let ids: Vec<&Value> = got.iter().map(|answer| &answer["id"]).collect();
    let none = Value::Null;
    assert_eq!(ids, [&json!("crlf"), &none, &json!("long"), &json!("command"), &none, &none, &json!("last")]);
    assert_eq!(got[1]["error"]["message"], "the line is not UTF-8");
    assert_eq!((&got[2]["decision"], &got[2]["ignored"]), (&json!("allow"), &json!(["padding"])));
    // A text that is too long to analyse is one that nobody understands.
    assert_eq!(got[3]["decision"], "ask");
    assert!(got[4]["error"]["message"].as_str().unwrap().contains("longer than"), "{}", got[4]);
    assert!(got[5]["error"]["message"].as_str().unwrap().contains("not JSON"), "{}", got[5]);
    assert_eq!(got[6]["decision"], "allow", "without a newline at its end");
    assert!(answers(b"").is_empty() && answers(b"\n\n").is_empty());
}

#[test]
fn the_same_input_from_a_file() {
    let place = Place::new();
    let file = place.write("calls.jsonl", &format!("{}\n", request(&json!(1), "ls")));
    let ended = place.run(["check", "--batch", file.to_str().unwrap()]);
    ended.expect(0, &[]);
    assert_eq!(read(&ended.stdout)["decision"], "allow");
}

#[test]
fn each_answer_arrives_before_the_next_request_is_sent() {
    let place = Place::new();
    let mut child = start(&place, &[]);
    let mut stdin = child.stdin.take().unwrap();
    let (send, receive) = std::sync::mpsc::channel();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let reader = std::thread::spawn(move || {
        let mut line = String::new();
        while stdout.read_line(&mut line).unwrap() > 0 {
            send.send(std::mem::take(&mut line)).unwrap();
        }
    });
    for id in 0..3 {
        stdin.write_all(format!("{}\n", request(&json!(id), "ls")).as_bytes()).unwrap();
        stdin.flush().unwrap();
        let line = receive.recv_timeout(std::time::Duration::from_secs(60)).expect("an answer in time");
        assert_eq!(read(&line)["id"], json!(id));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    reader.join().unwrap();
}

#[test]
fn a_reader_that_goes_away_ends_the_batch_quietly() {
    let place = Place::new();
    let mut child = start(&place, &[]);
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let lines = format!("{}\n", request(&json!(1), "ls")).repeat(2_000);
    // The batch ends before it has read all of this.
    let _ = stdin.write_all(lines.as_bytes());
    drop(stdin);
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(141), ""));
}

#[test]
fn a_tool_may_declare_what_rules_for_it_are_about() {
    let call = |target: &str, tools: Value| {
        json!({
            "id": 1, "tool": "Deploy", "arguments": { "target": target }, "cwd": "/repo", "tools": tools,
            "rules": { "deny": ["Deploy(production)"], "allow": ["Deploy(staging*)"] },
        })
    };
    let declared = json!({ "Deploy": { "payload": "target" } });
    let answers = judged(&[
        call("production", declared.clone()),
        call("staging-2", declared.clone()),
        call("elsewhere", declared),
        call("production", json!({ "Deploy": { "policy": "auto", "payload": "target" } })),
        call("elsewhere", json!({ "Deploy": { "policy": "auto", "payload": "target" } })),
        // Without a word about it a payload denies every call, and allows none.
        call("staging-2", json!({ "Deploy": "auto" })),
    ]);
    let decisions: Vec<_> = answers.iter().map(|answer| answer["decision"].as_str().unwrap()).collect();
    assert_eq!(decisions, ["deny", "allow", "ask", "deny", "allow", "deny"]);
}

#[test]
fn what_may_match_is_told_beside_a_secret() {
    let place = Place::new();
    place.write(".env", "x");
    let file = place.write(".letta/settings.json", r#"{ "permissions": { "deny": ["Read(.env)"] } }"#);
    let asked = place.run(["check", "--command", "cat .e*"]);
    asked.expect(1, &[]);
    let said = format!("(may match Read(.env), project scope, {}:1)\n", file.display());
    assert!(asked.stdout.starts_with("ask: Reads a secret (") && asked.stdout.ends_with(&said), "{asked:?}");
}

/// A root, a working directory and a home that are named through links are what they lead to.
#[cfg(unix)]
#[test]
fn links_in_the_places_of_a_request_lead_past_no_rule() {
    let place = Place::new();
    place.write("secrets/a.txt", "x");
    let real = place.project().canonicalize().unwrap();
    let link = place.path("link");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let (real, link) = (real.to_str().unwrap(), link.to_str().unwrap());
    for (root, cwd) in [(real, real), (link, link), (link, real), (real, link)] {
        for file in
            ["secrets/a.txt".to_owned(), format!("{real}/secrets/a.txt"), format!("{link}/secrets/a.txt")]
        {
            for (home, rule) in [(cwd, "Read(secrets/**)"), (root, "Read(~/secrets/**)")] {
                let call = json!({
                    "id": 1, "tool": "Read", "arguments": { "file_path": file }, "rules": { "deny": [rule] },
                    "root": root, "cwd": cwd, "home": home, "mode": "unrestricted",
                });
                assert_eq!(answer(&call)["decision"], "deny", "{call}");
            }
        }
    }
}

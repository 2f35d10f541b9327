//! `check --batch` in a place of a test's own.

use std::io::Write as _;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use super::{BINARY, Ended, Place};

pub(crate) fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// The batch with these bytes as its input.
pub(crate) fn batch_of(place: &Place, flags: &[&str], input: &[u8]) -> Ended {
    let mut child = start(place, flags);
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let ended = Ended::of(&child.wait_with_output().unwrap());
    writer.join().unwrap().unwrap();
    ended
}

pub(crate) fn start(place: &Place, flags: &[&str]) -> Child {
    let mut command = place.plain(BINARY);
    command.args(["check", "--batch"]).args(flags);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The answers to these bytes; the batch succeeds, unless one of them is an error.
pub(crate) fn answers(input: &[u8]) -> Vec<Value> {
    let ended = batch_of(&Place::new(), &[], input);
    let answers: Vec<Value> = ended.stdout.lines().map(read).collect();
    let errors = answers.iter().filter(|answer| answer.get("error").is_some()).count();
    if errors == 0 {
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{answers:#?}");
    } else {
        ended.expect(125, &[&format!("{errors} of {} requests have no answer", answers.len())]);
    }
    answers
}

/// One answer for each request, in order, and none of them an error.
pub(crate) fn judged(requests: &[Value]) -> Vec<Value> {
    let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let answers = answers(input.as_bytes());
    assert_eq!(answers.len(), requests.len());
    for (request, answer) in requests.iter().zip(&answers) {
        assert_eq!(request.get("id").unwrap_or(&Value::Null), &answer["id"]);
        assert!(answer.get("error").is_none(), "{request}: {answer}");
    }
    answers
}

pub(crate) fn request(id: &Value, command: &str) -> Value {
    json!({
        "id": id, "tool": "Bash", "arguments": { "command": command }, "cwd": "/repo", "home": "/home/u", "rules": {},
    })
}

/// One request's answer.
pub(crate) fn answer(request: &Value) -> Value {
    let mut all = answers(format!("{request}\n").as_bytes());
    assert_eq!(all.len(), 1, "{all:#?}");
    all.remove(0)
}

pub(crate) fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

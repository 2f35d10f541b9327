//! The example of a host does what it says: who decides, who is asked, and what is remembered.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    dead_code,
    missing_docs,
    reason = "test code"
)]

#[path = "../examples/agent_loop.rs"]
mod example;

use example::{Answer, session};
use portcullis_permissions::{Gate, ToolCall};
use serde_json::json;

#[test]
fn a_person_is_asked_where_nobody_has_decided() {
    let mut session = session();
    let never = |_: &_, _: Option<&_>| panic!("nobody has to be asked");
    let read = ToolCall::new("Read", json!({ "file_path": "src/lib.rs" }));
    assert_eq!(session.permit(&read, never).unwrap().gate, Gate::WorkingDirectory);
    let push = ToolCall::shell("timeout 9 git push || true");
    assert_eq!(session.permit(&push, never).unwrap_err(), "Permission denied by rule: Bash(git push:*)");

    let test = ToolCall::shell("cargo test --workspace");
    assert_eq!(session.permit(&test, |_, _| Answer::No).unwrap_err(), "Permission denied: a person said no");
    assert_eq!(session.permit(&test, |_, _| Answer::Once).unwrap().gate, Gate::Default);
    // Once is once.
    let mut asked = 0;
    session
        .permit(&test, |_, offer| {
            asked += 1;
            assert_eq!(offer.expect("a rule to remember").rules, ["Bash(cargo test:*)"]);
            Answer::Always
        })
        .unwrap();
    assert_eq!(asked, 1);
    let again = ToolCall::shell("cd core && cargo test -q");
    assert_eq!(session.permit(&again, never).unwrap().gate, Gate::AllowRule);

    // Of what destroys nothing is remembered, whatever the answer.
    for _ in 0..2 {
        let mut asked = 0;
        let remove = ToolCall::shell("rm -rf build");
        let verdict = session.permit(&remove, |_, offer| {
            asked += 1;
            assert!(offer.is_none());
            Answer::Always
        });
        assert_eq!((verdict.unwrap().gate, asked), (Gate::Default, 1));
    }
    let ran: Vec<bool> = session.log.iter().map(|entry| entry["ran"].as_bool().unwrap()).collect();
    assert_eq!(ran, [true, false, false, true, true, true, true, true]);
    assert_eq!(session.log[1]["gate"], "deny-rule");
}

#[test]
fn the_script_runs_to_its_end() {
    example::main();
}

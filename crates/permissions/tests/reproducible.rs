//! Decisions depend on their arguments alone; and the situations that properties are tried on reach every gate.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod support;

use std::collections::HashMap;

use portcullis_permissions::{Gate, suggest};
use serde_json::Value;
use support::{CORPUS, generate::some};

/// What holds for generated situations holds for gates only if they are reached.
#[test]
fn every_gate_is_reached() {
    let mut reached: HashMap<Gate, usize> = HashMap::new();
    for situation in some(2_500) {
        *reached.entry(situation.verdict().gate).or_default() += 1;
    }
    let missing: Vec<&str> = Gate::in_order()
        .filter(|gate| reached.get(gate).is_none_or(|count| *count < 3))
        .map(Gate::as_str)
        .collect();
    assert!(missing.is_empty(), "hardly reached: {missing:?} {reached:?}");
}

/// Set in the copies of this test program that only print what they decide.
const DIGEST: &str = "PORTCULLIS_TEST_DIGEST";

/// The same in processes with other variables, another directory, other seeds of hash maps and at another time.
#[test]
fn decisions_do_not_depend_on_the_process() {
    if std::env::var_os(DIGEST).is_some() {
        let mut digest = 0xcbf2_9ce4_8422_2325_u64;
        for it in CORPUS.iter().cloned().chain(some(400)) {
            let verdict = it.verdict();
            let text = format!(
                "{:?}",
                (
                    verdict.decision,
                    verdict.gate,
                    &verdict.rule,
                    &verdict.reason,
                    &verdict.about,
                    &verdict.possible,
                    &verdict.exclude,
                    &verdict.confinement,
                    &verdict.trace
                )
            );
            let (context, rules) = it.compiled();
            let text = format!("{text}{:?}", suggest(&it.call, &context, &rules));
            for byte in text.bytes() {
                digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        println!("digest {digest:x}");
        return;
    }
    let run = |directory: &str, variables: &[(&str, &str)]| {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["decisions_do_not_depend_on_the_process", "--exact", "--nocapture"])
            .env_clear()
            .env(DIGEST, "1")
            .envs(variables.iter().copied())
            .current_dir(directory)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let digest = text.split("digest ").nth(1).and_then(|rest| rest.split_whitespace().next());
        digest.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    let plain = run("/", &[]);
    let other = [
        ("HOME", "/repo"),
        ("PWD", "/repo"),
        ("TZ", "Pacific/Kiritimati"),
        ("LANG", "tr_TR.UTF-8"),
        ("LETTA_PERMISSIONS_V2", "0"),
        ("LETTA_PERMISSIONS_DUAL_EVAL", "1"),
        ("AGENT_ID", "a2"),
        ("MEMORY_DIR", "/"),
        ("GIT_DIR", "/tmp"),
    ];
    assert_eq!(plain, run(env!("CARGO_MANIFEST_DIR"), &other));
}

/// The order in which arguments stand says nothing.
#[test]
fn decisions_do_not_depend_on_the_order_of_arguments() {
    for it in CORPUS.iter() {
        let mut other = it.clone();
        if let Value::Object(arguments) = &it.call.arguments {
            let mut entries: Vec<_> = arguments.clone().into_iter().collect();
            entries.reverse();
            other.call.arguments = Value::Object(entries.into_iter().collect());
        }
        assert_eq!(it.decision(), other.decision(), "{it:#?}");
    }
}

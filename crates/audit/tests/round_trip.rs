//! Every event comes back as it was written.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

use portcullis_audit::{
    Answer, ApprovalPolicy, Event, Filter, Log, LogOptions, Record, RuleRef, RunFacts, Status, Verdict, read,
};
use proptest::{option, prelude::*};
use serde_json::{Value, json};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), ".*", "[\\x00-\\x20\u{2028}\u{feff}\"\\\\]{0,4}"]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((text(), inner), 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn rule() -> impl Strategy<Value = RuleRef> {
    (text(), text(), option::of(text()), option::of(any::<u32>()))
        .prop_map(|(rule, scope, file, line)| RuleRef { rule, scope, file, line })
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop::sample::select(vec![Verdict::Allow, Verdict::Deny, Verdict::Ask, Verdict::AlwaysAsk])
}

fn facts() -> impl Strategy<Value = RunFacts> {
    (
        (text(), option::of(text()), text(), prop::collection::vec(text(), 0..3)),
        (option::of(any::<i32>()), any::<bool>(), any::<bool>(), any::<u64>()),
    )
        .prop_map(|((mode, backend, network, gaps), (exit_code, denied, timed_out, duration_ms))| {
            RunFacts { mode, backend, network, gaps, exit_code, denied, timed_out, duration_ms }
        })
}

fn event() -> impl Strategy<Value = Event> {
    let answer = prop::sample::select(vec![
        Answer::AllowedOnce,
        Answer::Rejected,
        Answer::Cancelled,
        Answer::Unavailable,
    ]);
    let status = prop::sample::select(vec![Status::Success, Status::Error, Status::Unknown]);
    prop_oneof![
        (option::of(text()), text(), text(), value(), option::of(text())).prop_map(
            |(call_id, call, tool, arguments, cwd)| Event::ToolCall { call_id, call, tool, arguments, cwd }
        ),
        (text(), status, any::<u64>(), any::<u64>()).prop_map(|(call, status, bytes, duration_ms)| {
            Event::ToolResult { call, status, bytes, duration_ms }
        }),
        ((text(), text(), verdict(), text()), (option::of(rule()), option::of(text()), text(), any::<u64>()))
            .prop_map(|((call, tool, decision, gate), (rule, reason, mode, duration_us))| Event::Decision {
                call,
                tool,
                decision,
                gate,
                rule,
                reason,
                mode,
                duration_us
            }),
        (text(), text(), text(), option::of(text()), option::of(text()), option::of(any::<u64>())).prop_map(
            |(id, call, tool, reason, widening, timeout_ms)| Event::ApprovalAsked {
                id,
                call,
                tool,
                reason,
                widening,
                timeout_ms
            }
        ),
        (text(), answer, option::of(text()), option::of(text()))
            .prop_map(|(id, outcome, by, comment)| Event::ApprovalDecided { id, outcome, by, comment }),
        prop::sample::select(vec![ApprovalPolicy::Ask, ApprovalPolicy::Never])
            .prop_map(|policy| Event::ApprovalPolicy { policy }),
        text().prop_map(|mode| Event::SandboxMode { mode }),
        (text(), facts()).prop_map(|(call, facts)| Event::SandboxRun { call, facts }),
        (option::of(text()), text(), text(), text(), option::of(text()), any::<bool>(), option::of(text()))
            .prop_map(|(call, run, path, change, quarantined, restored, error)| Event::Tripwire {
                call,
                run,
                path,
                change,
                quarantined,
                restored,
                error
            }),
        text().prop_map(|name| Event::PermissionPreset { name }),
        (text(), text()).prop_map(|(event, hook)| Event::HookInvoked { event, hook }),
        (text(), text(), text(), any::<u64>()).prop_map(|(event, hook, outcome, duration_ms)| {
            Event::HookResult { event, hook, outcome, duration_ms }
        }),
        (rule(), text(), any::<bool>()).prop_map(|(rule, list, removed)| Event::RuleSaved {
            rule,
            list,
            removed
        }),
        (text(), any::<bool>(), any::<bool>(), text()).prop_map(|(directory, trusted, stored, by)| {
            Event::TrustDecided { directory, trusted, stored, by }
        }),
    ]
}

proptest! {
    #[test]
    fn a_record_survives_its_line(
        session in text(), writer in text(), seq in any::<u64>(), time in any::<u64>(), event in event()
    ) {
        let record = Record { session, writer, seq, time, event };
        let line = serde_json::to_string(&record.to_json().unwrap()).unwrap();
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(Record::from_json(serde_json::from_str(&line).unwrap()).unwrap(), record);
    }

    #[test]
    fn a_log_gives_back_what_it_was_given(events in prop::collection::vec(event(), 0..8)) {
        let folder = tempfile::tempdir().unwrap();
        let log = Log::open(LogOptions::new(folder.path().join("log.jsonl"), "s"), || 7).unwrap();
        for event in &events {
            let _ = log.append(event.clone()).unwrap();
        }
        let reading = read(log.path(), &Filter::default()).unwrap();
        prop_assert!(reading.problems.is_empty());
        let numbers: Vec<u64> = reading.records.iter().map(|record| record.seq).collect();
        prop_assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>());
        let found: Vec<Event> = reading.records.into_iter().map(|record| record.event).collect();
        prop_assert_eq!(found, events);
    }
}

#[test]
fn the_lines_are_stable() {
    let decision = Event::Decision {
        call: "c0ffee".into(),
        tool: "Bash".into(),
        decision: Verdict::AlwaysAsk,
        gate: "always-ask-rule".into(),
        rule: Some(RuleRef {
            rule: "Bash(git push:*)".into(),
            scope: "user".into(),
            file: Some("/h/s.json".into()),
            line: Some(3),
        }),
        reason: None,
        mode: "standard".into(),
        duration_us: 12,
    };
    let record = Record { session: "s".into(), writer: "w".into(), seq: 2, time: 5, event: decision };
    assert_eq!(
        serde_json::to_string(&record.to_json().unwrap()).unwrap(),
        concat!(
            r#"{"type":"decision","session":"s","writer":"w","seq":2,"time":5,"call":"c0ffee","tool":"Bash","#,
            r#""decision":"alwaysAsk","gate":"always-ask-rule","rule":{"rule":"Bash(git push:*)","scope":"user","#,
            r#""file":"/h/s.json","line":3},"mode":"standard","duration_us":12}"#
        )
    );
    let kinds: Vec<Value> = [
        Event::ApprovalDecided { id: "i".into(), outcome: Answer::AllowedOnce, by: None, comment: None },
        Event::ApprovalPolicy { policy: ApprovalPolicy::Never },
        Event::SandboxMode { mode: "read-only".into() },
        Event::TrustDecided { directory: "/d".into(), trusted: true, stored: false, by: "flag".into() },
    ]
    .into_iter()
    .map(|event| serde_json::to_value(event).unwrap())
    .collect();
    assert_eq!(
        kinds,
        [
            json!({"type":"approval/decided","id":"i","outcome":"allowed-once"}),
            json!({"type":"approval/policy","policy":"never"}),
            json!({"type":"sandbox/mode","mode":"read-only"}),
            json!({"type":"trust/decided","directory":"/d","trusted":true,"stored":false,"by":"flag"}),
        ]
    );
}

#[test]
fn what_a_later_version_adds_is_skipped_or_named() {
    let line =
        json!({"type":"approval/policy","session":"s","writer":"w","seq":1,"time":1,"policy":"ask","new":1});
    assert!(Record::from_json(line).is_ok(), "a field that is not known");
    let line = json!({"type":"moon/phase","session":"s","writer":"w","seq":1,"time":1});
    assert!(Record::from_json(line).unwrap_err().contains("moon/phase"));
    for (line, part) in [
        (json!([]), "not a JSON object"),
        (json!({"type":"sandbox/mode","mode":"m","writer":"w","seq":1,"time":1}), "`session`"),
        (json!({"type":"sandbox/mode","mode":"m","session":"s","writer":"w","seq":-1,"time":1}), "`seq`"),
        (json!({"type":"sandbox/mode","session":"s","writer":"w","seq":1,"time":1}), "`mode`"),
    ] {
        let message = Record::from_json(line).unwrap_err();
        assert!(message.contains(part), "{message}");
    }
}

//! The order in which a question is put, step by step.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

use std::{
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use portcullis_approval::{
    Answer, Answerer, AnswererError, AskError, Cancel, Decided, Desk, Never, Offer, Outcome, Policy, Preview,
    PreviewParts, Question, RecordError, Recorder, Reply, Request, RuleStore, Scripted, StoreError, Why,
};
use portcullis_permissions::Scope;
use serde_json::json;

#[derive(Default)]
struct Memory {
    events: Mutex<Vec<&'static str>>,
    fail_on: Option<&'static str>,
}

impl Recorder for Memory {
    fn record(&self, event: portcullis_audit::Event) -> Result<(), RecordError> {
        let kind = match event {
            portcullis_audit::Event::ApprovalAsked { .. } => "approval/asked",
            portcullis_audit::Event::ApprovalDecided { .. } => "approval/decided",
            portcullis_audit::Event::ApprovalPolicy { .. } => "approval/policy",
            portcullis_audit::Event::RuleSaved { .. } => "rule/saved",
            other => panic!("{other:?}"),
        };
        if self.fail_on == Some(kind) {
            return Err(RecordError("disk full".into()));
        }
        self.events.lock().unwrap().push(kind);
        Ok(())
    }
}

impl Memory {
    fn kinds(&self) -> Vec<&'static str> {
        self.events.lock().unwrap().clone()
    }
}

struct With<F>(F);

impl<F: Fn(&Question) -> Result<Reply, AnswererError> + Send + Sync> Answerer for With<F> {
    fn name(&self) -> &'static str {
        "with"
    }
    fn answer(&self, question: &Question) -> Result<Reply, AnswererError> {
        (self.0)(question)
    }
}

fn preview() -> Preview {
    Preview::new(PreviewParts {
        tool: "Bash".into(),
        arguments: json!({ "command": "make" }),
        cwd: "/w".into(),
        mode: "standard".into(),
        confinement: None,
        widening: None,
        diff: None,
    })
}

fn request() -> Request {
    Request::new("s", preview(), Why::default())
}

fn yes() -> Reply {
    Reply::Answer(Answer::of(Outcome::AllowedOnce))
}

fn ask(answerer: impl Answerer + 'static, request: Request) -> (Decided, Vec<&'static str>) {
    let memory = Arc::new(Memory::default());
    let desk = Desk::new(Policy::Ask, Arc::clone(&memory) as Arc<dyn Recorder>).answerer(Arc::new(answerer));
    let decided = desk.ask(request, &Cancel::new()).unwrap();
    (decided, memory.kinds())
}

#[test]
fn a_yes_is_recorded_before_it_becomes_a_grant() {
    let (decided, kinds) = ask(Scripted::new([yes()]), request());
    assert_eq!((decided.outcome, decided.by.as_deref()), (Outcome::AllowedOnce, Some("scripted")));
    assert_eq!(kinds, ["approval/asked", "approval/decided"]);
    assert!(decided.into_grant().unwrap().redeem(&preview()).is_ok());
}

#[test]
fn what_cannot_be_recorded_is_not_asked_and_not_allowed() {
    for (kind, what) in [("approval/asked", "question"), ("approval/decided", "answer")] {
        let memory = Arc::new(Memory { fail_on: Some(kind), ..Memory::default() });
        let desk = Desk::new(Policy::Ask, memory).answerer(Arc::new(Scripted::new([yes()])));
        let Err(AskError::Unrecorded { what: found, .. }) = desk.ask(request(), &Cancel::new()) else {
            panic!("{kind} failed, and the question was answered")
        };
        assert_eq!(found, what);
    }
}

#[test]
fn a_withdrawn_question_is_shown_to_nobody() {
    let memory = Arc::new(Memory::default());
    let answerer = With(|_: &Question| panic!("asked"));
    let desk =
        Desk::new(Policy::Never, Arc::clone(&memory) as Arc<dyn Recorder>).answerer(Arc::new(answerer));
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(desk.ask(request(), &cancel).unwrap().outcome, Outcome::Cancelled);
    assert_eq!(memory.kinds(), ["approval/asked", "approval/decided"]);
}

#[test]
fn the_policy_never_stands_before_every_answerer() {
    let memory = Arc::new(Memory::default());
    let desk = Desk::new(Policy::Never, Arc::clone(&memory) as Arc<dyn Recorder>)
        .answerer(Arc::new(With(|_: &Question| panic!("asked"))));
    let decided = desk.ask(request(), &Cancel::new()).unwrap();
    assert_eq!((decided.outcome, decided.by.as_deref()), (Outcome::Rejected, Some("policy")));
    assert_eq!(memory.kinds(), ["approval/asked", "approval/decided"]);
}

#[test]
fn a_change_of_policy_is_an_event_and_no_change_is_none() {
    let memory = Arc::new(Memory::default());
    let desk = Desk::new(Policy::Ask, Arc::clone(&memory) as Arc<dyn Recorder>);
    desk.set_policy(Policy::Ask).unwrap();
    desk.set_policy(Policy::Never).unwrap();
    desk.set_policy(Policy::Never).unwrap();
    assert_eq!(memory.kinds(), ["approval/policy"]);
}

#[test]
fn answerers_are_asked_in_order_until_one_does_not_pass() {
    let memory = Arc::new(Memory::default());
    let desk = Desk::new(Policy::Ask, memory)
        .answerer(Arc::new(Scripted::new([Reply::Pass])))
        .answerer(Arc::new(Never))
        .answerer(Arc::new(With(|_: &Question| panic!("asked"))));
    let decided = desk.ask(request(), &Cancel::new()).unwrap();
    assert_eq!((decided.outcome, decided.by.as_deref()), (Outcome::Rejected, Some("never")));
}

#[test]
fn nobody_and_failures_and_panics_are_unavailable() {
    let (decided, _) = ask(Scripted::default(), request());
    assert_eq!(decided.outcome, Outcome::Unavailable);
    let (decided, _) = ask(With(|_: &Question| Err(AnswererError("gone".into()))), request());
    assert_eq!(decided.outcome, Outcome::Unavailable);
    assert!(decided.detail.as_deref().unwrap().contains("gone"));
    let (decided, _) = ask(With(|_: &Question| panic!("the answerer of this test panics")), request());
    assert_eq!(decided.outcome, Outcome::Unavailable);
    assert!(decided.into_grant().is_none());
}

#[test]
fn only_the_literal_word_allows() {
    for word in ["allowed-once ", "ALLOWED-ONCE", "allow", "allowed", "yes", "", "allowed-session"] {
        assert_eq!(Outcome::from_wire(word), Outcome::Unavailable, "{word}");
    }
    assert_eq!(Outcome::from_wire("allowed-once"), Outcome::AllowedOnce);
}

/// Gives up when nobody closes the question, and then the answer counts, which the tests notice.
fn wait_until_closed(question: &Question) {
    for _ in 0..30_000 {
        if question.closed() {
            return;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn cancelling_wins_at_once_and_a_late_answer_is_discarded() {
    let memory = Arc::new(Memory::default());
    let slow = With(|question: &Question| {
        question.shown();
        wait_until_closed(question);
        Ok(yes())
    });
    let desk = Desk::new(Policy::Ask, memory).answerer(Arc::new(slow));
    let cancel = Cancel::new();
    let other = cancel.clone();
    let canceller = thread::spawn(move || {
        thread::sleep(Duration::from_millis(30));
        other.cancel();
    });
    let decided = desk.ask(request(), &cancel).unwrap();
    canceller.join().unwrap();
    assert_eq!(decided.outcome, Outcome::Cancelled);
    assert!(decided.into_grant().is_none());
}

#[test]
fn the_deadline_counts_from_when_the_question_is_shown() {
    // A deadline that counts from the beginning is over each time; on a busy machine one that counts from the
    // showing may be over as well, but not each time.
    let in_time = (0..10).any(|_| {
        let late = With(|question: &Question| {
            thread::sleep(Duration::from_millis(300)); // not shown yet: this does not count
            question.shown();
            Ok(yes())
        });
        let (decided, _) = ask(late, Request { deadline: Some(Duration::from_millis(200)), ..request() });
        decided.outcome == Outcome::AllowedOnce
    });
    assert!(in_time);

    let silent = With(|question: &Question| {
        question.shown();
        wait_until_closed(question);
        Ok(yes())
    });
    let (decided, _) = ask(silent, Request { deadline: Some(Duration::from_millis(50)), ..request() });
    assert_eq!((decided.outcome, decided.detail.as_deref()), (Outcome::Unavailable, Some("expired")));
}

struct Store(Result<(), StoreError>);

impl RuleStore for Store {
    fn save(&self, _offer: &Offer) -> Result<(), StoreError> {
        self.0.clone()
    }
}

fn always(result: Option<Result<(), StoreError>>, offer: bool) -> (Decided, Vec<&'static str>) {
    let memory = Arc::new(Memory::default());
    let answer = Reply::Answer(Answer { always: true, ..Answer::of(Outcome::AllowedOnce) });
    let mut desk = Desk::new(Policy::Ask, Arc::clone(&memory) as Arc<dyn Recorder>)
        .answerer(Arc::new(Scripted::new([answer])));
    if let Some(result) = result {
        desk = desk.store(Arc::new(Store(result)));
    }
    let offer =
        offer.then(|| Offer { rules: vec!["Bash(make:*)".into()], scope: Scope::Local, file: "f".into() });
    let decided = desk.ask(Request { offer, ..request() }, &Cancel::new()).unwrap();
    (decided, memory.kinds())
}

#[test]
fn always_saves_and_a_save_that_fails_approves_nothing() {
    let (decided, kinds) = always(Some(Ok(())), true);
    assert_eq!((decided.outcome, decided.saved.len()), (Outcome::AllowedOnce, 1));
    assert_eq!(kinds, ["approval/asked", "rule/saved", "approval/decided"]);

    let (decided, _) = always(Some(Err(StoreError("read-only file system".into()))), true);
    assert_eq!(decided.outcome, Outcome::Unavailable);
    assert!(decided.detail.as_deref().unwrap().contains("read-only file system"));

    for (store, offer) in [(None, true), (Some(Ok(())), false)] {
        let (decided, _) = always(store, offer);
        assert_eq!(decided.outcome, Outcome::Unavailable);
        assert_eq!(decided.detail.as_deref(), Some("This approval cannot be persisted."));
    }
}

#[test]
fn a_grant_is_for_what_was_shown_alone() {
    let (decided, _) = ask(Scripted::new([yes()]), request());
    let mut parts = preview().parts().clone();
    parts.arguments = json!({ "command": "make install" });
    assert!(decided.into_grant().unwrap().redeem(&Preview::new(parts)).is_err());
}

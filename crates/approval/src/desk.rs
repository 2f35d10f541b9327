//! The order in which a question is put: record, cancel, policy, answerers, record.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    Answer, Answerer, Cancel, Decided, Grant, Outcome, Policy, RecordError, Recorder, Reply, Request,
    RuleStore, answerer::Question, record,
};

/// Puts questions to answerers.
///
/// ```
/// use std::sync::Arc;
/// use portcullis_approval::{
///     Answer, Cancel, Desk, Outcome, Policy, Preview, PreviewParts, RecordError, Recorder, Reply, Request,
///     Scripted, Why,
/// };
/// struct Forgetful;
/// impl Recorder for Forgetful {
///     fn record(&self, _event: portcullis_audit::Event) -> Result<(), RecordError> { Ok(()) }
/// }
/// let preview = Preview::new(PreviewParts {
///     tool: "Bash".into(), arguments: serde_json::json!({"command": "make"}), cwd: "/work".into(),
///     mode: "standard".into(), confinement: None, widening: None, diff: None,
/// });
/// let yes = Scripted::new([Reply::Answer(Answer::of(Outcome::AllowedOnce))]);
/// let desk = Desk::new(Policy::Ask, Arc::new(Forgetful)).answerer(Arc::new(yes));
/// let decided = desk.ask(Request::new("s1", preview.clone(), Why::default()), &Cancel::new())?;
/// assert_eq!(decided.outcome, Outcome::AllowedOnce);
/// assert!(decided.into_grant().is_some_and(|grant| grant.redeem(&preview).is_ok()));
/// # Ok::<(), portcullis_approval::AskError>(())
/// ```
pub struct Desk {
    policy: Mutex<Policy>,
    recorder: Arc<dyn Recorder>,
    answerers: Vec<Arc<dyn Answerer>>,
    store: Option<Arc<dyn RuleStore>>,
}

/// A question that could not be put. Nothing may run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// `approval/asked` or `approval/decided` could not be stored.
    #[error("the {what} could not be recorded, so nothing runs: {source}")]
    Unrecorded {
        /// `question` or `answer`
        what: &'static str,
        /// Why.
        source: RecordError,
    },
}

/// What can happen while a question stands.
#[derive(Debug)]
pub(crate) enum Signal {
    /// It stands before the person.
    Shown,
    /// It was withdrawn.
    Cancelled,
    /// The answerers are through: who answered, and what, or why not.
    Finished(Option<(String, Answer)>, Option<String>),
}

impl Desk {
    /// A desk without answerers. The recorder knows the session.
    #[must_use]
    pub fn new(policy: Policy, recorder: Arc<dyn Recorder>) -> Self {
        Self { policy: Mutex::new(policy), recorder, answerers: Vec::new(), store: None }
    }

    /// Adds an answerer behind those that are there.
    #[must_use]
    pub fn answerer(mut self, answerer: Arc<dyn Answerer>) -> Self {
        self.answerers.push(answerer);
        self
    }

    /// Adds the place where "always" is saved; without one, no offer is put.
    #[must_use]
    pub fn store(mut self, store: Arc<dyn RuleStore>) -> Self {
        self.store = Some(store);
        self
    }

    /// Changes the policy; switching to the current one appends nothing.
    ///
    /// # Errors
    /// The change could not be recorded, and did not happen.
    pub fn set_policy(&self, policy: Policy) -> Result<(), RecordError> {
        let mut current = self.policy.lock().unwrap_or_else(PoisonError::into_inner);
        if *current != policy {
            self.recorder.record(record::policy(policy))?;
            *current = policy;
        }
        Ok(())
    }

    /// Asks, and waits for the outcome.
    ///
    /// # Errors
    /// The question or its outcome could not be recorded; nothing may run.
    pub fn ask(&self, mut request: Request, cancel: &Cancel) -> Result<Decided, AskError> {
        if self.store.is_none() {
            request.offer = None;
        }
        let request = Arc::new(request);
        self.recorder
            .record(record::asked(&request))
            .map_err(|source| AskError::Unrecorded { what: "question", source })?;
        let policy = *self.policy.lock().unwrap_or_else(PoisonError::into_inner);
        let mut decided = if cancel.is_cancelled() {
            decided(&request, Answer::of(Outcome::Cancelled), None, None)
        } else if policy == Policy::Never {
            decided(&request, Answer::of(Outcome::Rejected), Some("policy".to_owned()), None)
        } else {
            self.dispatch(&request, cancel)
        };
        tracing::debug!(id = %request.id, outcome = decided.outcome.as_str(), "approval decided");
        self.recorder
            .record(record::decided(&decided))
            .map_err(|source| AskError::Unrecorded { what: "answer", source })?;
        // Only now: a grant exists for a recorded yes alone.
        if decided.outcome == Outcome::AllowedOnce {
            decided.grant = Some(Grant::for_preview(&request.preview));
        }
        Ok(decided)
    }

    fn dispatch(&self, request: &Arc<Request>, cancel: &Cancel) -> Decided {
        let (sender, receiver) = mpsc::channel();
        let subscription = cancel.subscribe(sender.clone());
        let closed = Arc::new(AtomicBool::new(false));
        let worker = {
            let (answerers, request, closed) =
                (self.answerers.clone(), Arc::clone(request), Arc::clone(&closed));
            thread::Builder::new()
                .name("approval".to_owned())
                .spawn(move || consult(&answerers, request, closed, &sender))
        };
        let result = match worker {
            Ok(_) => wait(&receiver, request.deadline),
            Err(error) => Err((Outcome::Unavailable, Some(format!("no thread for the question: {error}")))),
        };
        closed.store(true, Ordering::Release);
        drop(subscription);
        // An answer that crossed the cancellation on its way is late.
        let result = if cancel.is_cancelled() { Err((Outcome::Cancelled, None)) } else { result };
        match result {
            Ok((by, answer)) => self.settle(request, by, answer),
            Err((outcome, detail)) => decided(request, Answer::of(outcome), None, detail),
        }
    }

    /// Saves the offered rule when that was the answer; a save that fails approves nothing.
    fn settle(&self, request: &Request, by: String, answer: Answer) -> Decided {
        if !(answer.always && answer.outcome == Outcome::AllowedOnce) {
            return decided(request, answer, Some(by), None);
        }
        let refuse = |detail: String| {
            decided(request, Answer::of(Outcome::Unavailable), Some(by.clone()), Some(detail))
        };
        let (Some(offer), Some(store)) = (&request.offer, &self.store) else {
            return refuse("This approval cannot be persisted.".to_owned());
        };
        if let Err(error) = store.save(offer) {
            return refuse(format!("the rule could not be saved: {error}"));
        }
        for event in record::saved(offer) {
            if let Err(error) = self.recorder.record(event) {
                return refuse(format!("the saved rule could not be recorded: {error}"));
            }
        }
        Decided { saved: offer.rules.clone(), ..decided(request, answer, Some(by.clone()), None) }
    }
}

fn decided(request: &Request, answer: Answer, by: Option<String>, detail: Option<String>) -> Decided {
    Decided {
        id: request.id.clone(),
        outcome: answer.outcome,
        comment: answer.comment,
        detail,
        by,
        saved: Vec::new(),
        grant: None,
    }
}

/// Speaks up when the answerers' thread unwinds: behind any other answer it changes nothing.
struct Last<'a>(&'a Sender<Signal>);

impl Drop for Last<'_> {
    fn drop(&mut self) {
        let _ = self.0.send(Signal::Finished(None, Some("the answerer failed".to_owned())));
    }
}

/// Asks one answerer after the other.
fn consult(
    answerers: &[Arc<dyn Answerer>],
    request: Arc<Request>,
    closed: Arc<AtomicBool>,
    sender: &Sender<Signal>,
) {
    let _last = Last(sender);
    let shown = sender.clone();
    let question = Question::new(
        request,
        Box::new(move || {
            let _ = shown.send(Signal::Shown);
        }),
        closed,
    );
    for answerer in answerers {
        if question.closed() {
            return;
        }
        let signal = match answerer.answer(&question) {
            Ok(Reply::Pass) => continue,
            Ok(Reply::Answer(answer)) => Signal::Finished(Some((answerer.name().to_owned(), answer)), None),
            Err(error) => Signal::Finished(None, Some(format!("{} failed: {error}", answerer.name()))),
        };
        let _ = sender.send(signal);
        return;
    }
    let _ = sender.send(Signal::Finished(None, Some("nobody can be asked".to_owned())));
}

/// An answer with its author, or the outcome that stands for the lack of one.
type Waited = Result<(String, Answer), (Outcome, Option<String>)>;

fn wait(receiver: &Receiver<Signal>, deadline: Option<Duration>) -> Waited {
    let mut ends: Option<Instant> = None;
    loop {
        let signal = match ends {
            None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(ends) => receiver.recv_timeout(ends.saturating_duration_since(Instant::now())),
        };
        match signal {
            Ok(Signal::Shown) => {
                if ends.is_none() {
                    ends = deadline.and_then(|deadline| Instant::now().checked_add(deadline));
                }
            }
            Ok(Signal::Cancelled) => return Err((Outcome::Cancelled, None)),
            Ok(Signal::Finished(Some(answer), _)) => return Ok(answer),
            Ok(Signal::Finished(None, detail)) => return Err((Outcome::Unavailable, detail)),
            Err(RecvTimeoutError::Timeout) => return Err((Outcome::Unavailable, Some("expired".to_owned()))),
            Err(RecvTimeoutError::Disconnected) => {
                return Err((Outcome::Unavailable, Some("the answerer failed".to_owned())));
            }
        }
    }
}

//! Those who can answer a question, and the simplest of them.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::{Outcome, Request};

/// Somebody or something that answers questions.
pub trait Answerer: Send + Sync {
    /// The name in the log.
    fn name(&self) -> &str;

    /// Answers, or passes the question on. It runs on a thread of its own and may block; when
    /// [`Question::closed`] turns true nobody waits for it any more.
    ///
    /// # Errors
    /// It could not do its work; the question counts as unanswered.
    fn answer(&self, question: &Question) -> Result<Reply, AnswererError>;
}

/// An answerer's reply.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reply {
    /// The next answerer is asked.
    Pass,
    /// This is the answer.
    Answer(Answer),
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The outcome.
    pub outcome: Outcome,
    /// What the person added.
    pub comment: Option<String>,
    /// The offered rule is to be saved; counts with an allowed outcome alone.
    pub always: bool,
}

impl Answer {
    /// An answer without more.
    #[must_use]
    pub const fn of(outcome: Outcome) -> Self {
        Self { outcome, comment: None, always: false }
    }
}

/// An answerer failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AnswererError(pub String);

/// A request on its way to an answerer.
pub struct Question {
    request: Arc<Request>,
    shown: Box<dyn Fn() + Send + Sync>,
    closed: Arc<AtomicBool>,
}

impl Question {
    pub(crate) fn new(
        request: Arc<Request>,
        shown: Box<dyn Fn() + Send + Sync>,
        closed: Arc<AtomicBool>,
    ) -> Self {
        Self { request, shown, closed }
    }

    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// To be called when the question stands before the person: the deadline counts from the first call.
    pub fn shown(&self) {
        (self.shown)();
    }

    /// Nobody waits for an answer any more.
    #[must_use]
    pub fn closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }
}

/// Gives prepared answers in order, then passes. For tests of callers.
#[derive(Debug, Default)]
pub struct Scripted {
    replies: Mutex<VecDeque<Reply>>,
}

impl Scripted {
    /// With these replies.
    #[must_use]
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self { replies: Mutex::new(replies.into_iter().collect()) }
    }
}

impl Answerer for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn answer(&self, question: &Question) -> Result<Reply, AnswererError> {
        question.shown();
        let mut replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(replies.pop_front().unwrap_or(Reply::Pass))
    }
}

/// Rejects everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Never;

impl Answerer for Never {
    fn name(&self) -> &'static str {
        "never"
    }

    fn answer(&self, _question: &Question) -> Result<Reply, AnswererError> {
        Ok(Reply::Answer(Answer::of(Outcome::Rejected)))
    }
}

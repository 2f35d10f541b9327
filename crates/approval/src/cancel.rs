//! Withdrawing a question from another thread.

use std::sync::{Arc, Mutex, PoisonError, mpsc::Sender};

use crate::desk::Signal;

/// Withdraws every question that was asked with it; a clone shares the state. Cancelling is final.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    cancelled: bool,
    next: u64,
    waiting: Vec<(u64, Sender<Signal>)>,
}

/// A question that hears of the cancellation, until this is dropped.
pub(crate) struct Subscription {
    state: Arc<Mutex<State>>,
    number: u64,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting.retain(|(number, _)| *number != self.number);
    }
}

impl Cancel {
    /// One that nobody has used yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Withdraws the questions, at once.
    pub fn cancel(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.cancelled = true;
        for (_, waiting) in state.waiting.drain(..) {
            // Nobody waits any more when this fails.
            let _ = waiting.send(Signal::Cancelled);
        }
    }

    /// Whether that happened.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).cancelled
    }

    pub(crate) fn subscribe(&self, sender: Sender<Signal>) -> Subscription {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let number = state.next;
        state.next += 1;
        if state.cancelled {
            let _ = sender.send(Signal::Cancelled);
        } else {
            state.waiting.push((number, sender));
        }
        Subscription { state: Arc::clone(&self.state), number }
    }
}

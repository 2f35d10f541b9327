//! The question whether a project may bring its own settings, at the terminal.

#[cfg(unix)]
use std::time::{Duration, Instant};

#[cfg(unix)]
use portcullis_approval::terminal::{Choice, Terminal};
use portcullis_matcher::Mode;
use portcullis_trust::Asker;
#[cfg(unix)]
use portcullis_trust::{Answer, Question};

use super::ask::person;
use crate::{
    args::Options,
    session::{Ask, Beforehand, Surroundings},
};
#[cfg(unix)]
use crate::{commands::trust, report};

/// Whoever sits at the terminal.
pub(super) struct Person<'a> {
    pub(super) options: &'a Options,
    pub(super) surroundings: &'a Surroundings,
}

impl Ask for Person<'_> {
    fn asker<'a>(&'a self, beforehand: &'a Beforehand) -> Option<Box<dyn Asker + 'a>> {
        let mode = self.options.mode.as_deref().and_then(Mode::parse);
        if mode.map_or(beforehand.dont_ask, |mode| mode == Mode::DontAsk) {
            return None;
        }
        let terminal = person(self.options, self.surroundings).ok()?;
        #[cfg(unix)]
        {
            let patience = beforehand.deadline_ms.map(|limit| Duration::from_millis(limit.into()));
            Some(Box::new(AtTerminal { terminal, patience }))
        }
        #[cfg(not(unix))]
        match terminal {}
    }
}

#[cfg(unix)]
struct AtTerminal {
    terminal: Terminal,
    patience: Option<Duration>,
}

#[cfg(unix)]
impl Asker for AtTerminal {
    fn ask(&self, question: &Question<'_>) -> Answer {
        let title = if question.changes.is_empty() {
            "portcullis: load what this project brings along?"
        } else {
            "portcullis: this project has changed since it was trusted; load what it brings along now?"
        };
        let mut lines = vec![format!("in {}", question.root), String::new()];
        lines.extend(trust::lines(question.root, question.inventory, question.changes));
        for below in question.below {
            lines.extend(trust::lines(question.root, &below.inventory, &[]));
        }
        lines.push(String::new());
        lines.push("Its settings and hooks decide what runs without a question. Its deny and ask rules hold either way.".to_owned());
        let choice = Choice {
            title,
            lines: &lines,
            keys: &[('y', "yes, from now on"), ('s', "for this run"), ('n', "no, from now on")],
        };
        let until = self.patience.and_then(|patience| Instant::now().checked_add(patience));
        let closed = || until.is_some_and(|until| Instant::now() >= until);
        match self.terminal.choose(&choice, &closed) {
            Ok(Some('y')) => Answer::Yes,
            Ok(Some('s')) => Answer::Session,
            Ok(Some('n')) => Answer::No,
            Ok(_) => Answer::Cancelled,
            Err(error) => {
                report::note(&format!(
                    "portcullis: warning: the question about trust could not be put: {error}"
                ));
                Answer::Cancelled
            }
        }
    }
}

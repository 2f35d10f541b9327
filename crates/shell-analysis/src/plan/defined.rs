//! The functions that a text has defined so far, found by name and by place.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::{Span, Text, tree::Command};

/// A function defined in the text.
pub(super) struct Function {
    pub(super) name: Text,
    pub(super) body: Arc<Command>,
    /// Defined whenever control comes to a later command.
    pub(super) certain: bool,
    pub(super) called: bool,
    /// It is being walked.
    pub(super) running: bool,
    /// A call was not followed: it came out of a call of that name.
    pub(super) skipped: bool,
    /// It was walked in the end, with anything in the variables.
    pub(super) finished: bool,
    /// The word whose text it was defined in.
    pub(super) at: Option<Span>,
}

impl Function {
    pub(super) fn new(name: &Text, body: Arc<Command>, certain: bool, at: Option<Span>) -> Self {
        let name = name.clone();
        // Bash calls this one itself, with any words (bash manual 3.7.2).
        let skipped = *name == *"command_not_found_handle";
        Self { name, body, certain, called: false, running: false, skipped, finished: false, at }
    }

    /// Nobody called it, or not with everything that it may be called with.
    pub(super) fn is_left(&self) -> bool {
        (!self.called || self.skipped) && !self.finished
    }
}

/// All definitions, in the order in which they were met.
#[derive(Default)]
pub(super) struct Functions {
    all: Vec<Function>,
    by_name: HashMap<Text, Vec<usize>>,
    places: HashSet<Span>,
    /// How often there was a new one, or one was no longer certain.
    changes: usize,
}

impl Functions {
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn push(&mut self, function: Function) {
        self.changes += 1;
        self.by_name.entry(function.name.clone()).or_default().push(self.all.len());
        self.places.insert(function.body.span);
        self.all.push(function);
    }

    /// Whether there is a definition of `name`.
    pub(super) fn has(&self, name: &str) -> bool {
        !self.all.is_empty() && self.by_name.contains_key(name)
    }

    /// The same definition, met again in a loop. Places are compared first: bodies may be long and alike.
    pub(super) fn knows(&self, name: &str, body: &Command) -> bool {
        self.places.contains(&body.span)
            && self.all.iter().any(|function| {
                function.body.span == body.span && *function.name == *name && *function.body == *body
            })
    }

    /// Changes every definition of `name`.
    pub(super) fn each_of(&mut self, name: &str, mut change: impl FnMut(&mut Function)) {
        for index in self.by_name.get(name).map(Vec::as_slice).unwrap_or_default() {
            if let Some(function) = self.all.get_mut(*index) {
                change(function);
            }
        }
    }

    /// They may be unset, those of `name` or all.
    pub(super) fn unset(&mut self, name: Option<&str>) {
        for function in &mut self.all {
            if function.certain && name.is_none_or(|name| *function.name == *name) {
                function.certain = false;
                self.changes += 1;
            }
        }
    }

    pub(super) fn changes(&self) -> usize {
        self.changes
    }

    /// The walk of one definition of `name` begins or ends.
    pub(super) fn runs(&mut self, name: &str, body: &Arc<Command>, running: bool) {
        self.each_of(name, |function| {
            if Arc::ptr_eq(&function.body, body) {
                function.running = running;
            }
        });
    }

    /// Whether one is left to be walked in the end.
    pub(super) fn any_left(&self) -> bool {
        self.all.iter().any(Function::is_left)
    }

    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut Function> {
        self.all.get_mut(index)
    }

    pub(super) fn into_iter(self) -> std::vec::IntoIter<Function> {
        self.all.into_iter()
    }
}

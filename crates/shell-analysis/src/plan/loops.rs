//! Loops: what their bodies do, once and again.

use std::collections::HashSet;

use super::{Context, Flow, Planner, State, assigned::Assigned};
use crate::{
    Argument, Directories, Span, Text, Value,
    tree::{Arithmetic, List},
};

/// How often a loop is walked.
const MAX_ROUNDS: usize = 6;

impl Planner<'_> {
    #[allow(clippy::too_many_arguments, reason = "the parts of one `for`")]
    pub(super) fn for_each(
        &mut self,
        state: &mut State,
        outer: &Context,
        name: &Text,
        items: Option<Vec<Argument>>,
        numbers: bool,
        body: &List,
        select: bool,
        span: Span,
    ) -> Flow {
        self.variable_changed(outer, name, span);
        if select {
            state.forget("REPLY");
        }
        let mut cx = outer.in_loop();
        cx.reach.conditional = true;
        // Without a word the name keeps what it had.
        let certain = items.iter().flatten().any(|item| !item.splits);
        let mut values = Vec::new();
        for item in items.unwrap_or_else(|| vec![unknown_words(span)]) {
            match item.value {
                Value::OneOf(texts) => values.extend(texts.into_iter().map(Value::Known)),
                value => values.push(value),
            }
        }
        if select || values.len() > super::state::MAX_VALUES {
            values = vec![Value::Unknown];
        }
        if values.is_empty() {
            // Never runs, but what it holds is still looked at.
            values.push(Value::Unknown);
        }
        // Each word that is known has a round of its own.
        let more = select || values.iter().any(|value| value.known().is_none());
        let mut walk = |planner: &mut Self| {
            planner.widen(state, outer, &[body], &[]);
            let changes = planner.functions.changes();
            let before = state.clone();
            planner.breaks.push(None);
            for value in &values {
                if numbers && !select {
                    state.set_count(name);
                } else {
                    state.set_shared(name, value.clone(), false);
                }
                planner.list(state, &cx, body);
            }
            state.join(&before);
            planner.broken_off(state);
            changes
        };
        if more {
            self.rounds(span, walk);
        } else {
            walk(self);
        }
        if certain && !select {
            state.set(name, Value::Unknown, false);
        } else {
            state.forget(name);
        }
        Flow::default()
    }

    /// Walks a loop until all functions that its later rounds may call are known, and which of them may be unset; a
    /// walk yields how many changes there were before it.
    pub(super) fn rounds(&mut self, span: Span, mut walk: impl FnMut(&mut Self) -> usize) {
        for _ in 0..MAX_ROUNDS {
            let changes = walk(self);
            // What changes the meaning of what follows changes that of the next round.
            if let Some(blocker) = self.meaning.take() {
                self.opaque.get_or_insert(blocker);
            }
            if self.functions.changes() == changes || self.spent() {
                return;
            }
        }
        self.make_opaque(span, "a loop that defines functions in more rounds than are followed");
    }

    /// A `break` is met: each loop around it may end like this, as far as its count reaches.
    pub(super) fn breaks_with(&mut self, state: &State) {
        for broken in &mut self.breaks {
            match broken {
                Some(broken) => broken.join(state),
                none => *none = Some(state.clone()),
            }
        }
    }

    /// Behind a loop control comes from each `break` in it as well.
    pub(super) fn broken_off(&mut self, state: &mut State) {
        if let Some(broken) = self.breaks.pop().flatten() {
            state.join(&broken);
        }
    }

    /// At the head of a loop: whatever its parts assign has any value.
    pub(super) fn widen(
        &mut self,
        state: &mut State,
        cx: &Context,
        lists: &[&List],
        arithmetic: &[&Arithmetic],
    ) {
        let mut assigned = Assigned::default();
        for list in lists {
            assigned.list(list);
        }
        for expression in arithmetic {
            assigned.arithmetic(expression);
        }
        if assigned.everything || self.calls_function(&assigned) {
            state.forget_all();
            if assigned.directories || assigned.everything || !self.functions.is_empty() {
                state.directories = Directories::Unknown;
            }
        } else {
            for name in &assigned.integers {
                let integer = self.variable(state, name).1;
                state.forget_value(name, integer);
            }
            for name in &assigned.names {
                state.forget_shared(name);
            }
        }
        self.arrays.append(&mut assigned.arrays);
        if assigned.directories {
            state.directories = Directories::Unknown;
        }
        for (name, body) in assigned.functions {
            self.define_later(cx, name, body);
        }
    }

    fn calls_function(&self, assigned: &Assigned<'_>) -> bool {
        if self.functions.is_empty() && assigned.functions.is_empty() {
            return false;
        }
        let programs: HashSet<&str> = assigned.programs.iter().copied().collect();
        programs.iter().any(|name| self.functions.has(name))
            || assigned.functions.iter().any(|(name, _)| programs.contains(name.as_str()))
    }
}

impl Context {
    /// For what a loop runs.
    pub(super) fn in_loop(&self) -> Self {
        let mut inner = self.clone();
        inner.reach.looped = true;
        inner.breakable = true;
        inner
    }
}

fn unknown_words(span: Span) -> Argument {
    Argument { value: Value::Unknown, splits: true, vanishes: true, hazard: false, span }
}

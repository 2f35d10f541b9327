//! Functions: kept when defined, walked when called.

use std::sync::Arc;

use super::{
    Call, Context, Flow, MAX_INVOCATIONS, Planner, State, defined::Function, launch::shared, redirects,
};
use crate::{
    Directories, EffectKind, Span, Text, Value,
    tree::{Command, Redirect},
};

/// How deep calls of functions are followed.
const MAX_CALLS: usize = 32;
/// How many definitions of one name are followed that call one another by that name.
const MAX_AGAIN: usize = 3;

impl Planner<'_> {
    pub(crate) fn define(&mut self, cx: &Context, name: &Text, body: &Arc<Command>, redirects: &[Redirect]) {
        // A name that bash refuses: nothing is defined.
        if name.is_empty() {
            return;
        }
        let reach = cx.reach;
        let certain = !(reach.conditional
            || reach.looped
            || reach.subshell
            || reach.pipeline
            || reach.background
            || reach.function
            || self.ended.is_some());
        if self.functions.len() >= MAX_INVOCATIONS {
            return self.refuse_function(cx.span(body.span));
        }
        let mut body = Arc::clone(body);
        if !redirects.is_empty() {
            Arc::make_mut(&mut body).redirects.extend(redirects.iter().cloned());
        }
        if self.functions.knows(name, &body) {
            return;
        }
        let at = cx.span(body.span);
        self.keep(Function::new(name, body, certain, cx.at), at);
    }

    /// A definition further down in a loop: known from its second round on.
    pub(crate) fn define_later(&mut self, cx: &Context, name: &Text, body: &Arc<Command>) {
        if !name.is_empty() && !self.functions.knows(name, body) {
            let at = cx.span(body.span);
            self.keep(Function::new(name, Arc::clone(body), false, cx.at), at);
        }
    }

    /// Every definition is compared with all before it, so there is a bound, as for invocations.
    fn keep(&mut self, function: Function, at: Span) {
        if self.functions.len() >= MAX_INVOCATIONS {
            return self.refuse_function(at);
        }
        self.functions.push(function);
    }

    fn refuse_function(&mut self, at: Span) {
        self.make_opaque(at, "more functions than are followed in one text");
    }

    /// Walks every definition of `name`; the call comes back when it may be something else too.
    pub(crate) fn function_call(
        &mut self,
        state: &mut State,
        cx: &Context,
        name: &str,
        mut call: Call,
    ) -> Result<Flow, Call> {
        if cx.external || cx.no_functions || !self.functions.has(name) {
            return Err(call);
        }
        let span = call.span;
        // A trap may unset it, or define another.
        if let Some(blocker) = self.meaning.take() {
            self.opaque.get_or_insert(blocker);
        }
        if self.calls > MAX_CALLS {
            // What is in it may define and unset functions that are called behind it.
            self.make_opaque(span, "functions that call one another deeper than is followed");
            self.functions.each_of(name, |function| function.skipped = true);
            return self.call_again(state, cx, call);
        }
        let (mut certain, mut again) = (false, 0);
        let mut bodies = Vec::new();
        self.functions.each_of(name, |function| {
            certain |= function.certain;
            if function.running {
                // It is walked once more in the end, with anything in the variables.
                function.skipped = true;
                again += 1;
            } else {
                function.called = true;
                bodies.push((function.at, Arc::clone(&function.body)));
            }
        });
        if again > MAX_AGAIN {
            self.make_opaque(span, "a function that is defined again and again by itself");
            self.functions.each_of(name, |function| function.skipped = true);
        }
        if again > 0 && bodies.is_empty() || again > MAX_AGAIN {
            return self.call_again(state, cx, call);
        }
        // What nobody called is called in an order that is not known, if ever: behind an `unset`, say.
        certain &= again == 0 && !self.uncalled;
        let own: Vec<String> =
            call.assignments.iter().map(|assignment| assignment.name.to_string()).collect();
        if !call.assignments.is_empty() || !call.redirections.is_empty() || !self.pending.is_empty() {
            let holder = Call {
                words: Vec::new(),
                assignments: if certain {
                    std::mem::take(&mut call.assignments)
                } else {
                    call.assignments.clone()
                },
                redirections: call.redirections.clone(),
                span,
                ..Call::default()
            };
            self.emit(state, cx, holder);
        }
        let splits = call.words.iter().any(|word| word.splits);
        for (index, name) in ["1", "2", "3", "4", "5", "6", "7", "8", "9"].into_iter().enumerate() {
            let value = call.words.get(index + 1).map(|word| word.value.clone());
            state.set(name, value.filter(|_| !splits).unwrap_or(Value::Unknown), false);
        }
        let mut inner = cx.clone();
        inner.reach.function = true;
        inner.breakable = false;
        inner.feed = shared(&call.redirections, inner.feed);
        inner.descriptors |= redirects::opened(&call.redirections);
        self.calls += 1;
        self.returns.push(None);
        let before = state.clone();
        self.locals.push(own.into_iter().map(|name| (name, before.clone())).collect());
        let mut result: Option<State> = None;
        for (at, body) in bodies {
            inner.at = at.or(cx.at);
            let mut branch = before.clone();
            self.functions.runs(name, &body, true);
            self.command(&mut branch, &inner, &body);
            self.functions.runs(name, &body, false);
            match &mut result {
                Some(result) => result.join(&branch),
                None => result = Some(branch),
            }
        }
        self.calls -= 1;
        if let Some(result) = result {
            *state = result;
        }
        // What stands behind a `return` does not run, but the caller goes on from there.
        if let Some(returned) = self.returns.pop().flatten() {
            state.join(&returned);
        }
        // What a function declares as its own has its old value again, unless that was in a subshell or branch.
        for (name, outside) in self.locals.pop().unwrap_or_default() {
            state.join_variable(&name, &outside);
            self.line_ended_with(&name, &outside);
        }
        for name in ["1", "2", "3", "4", "5", "6", "7", "8", "9"] {
            state.forget(name);
            self.line_ended_with(name, state);
        }
        if again > 0 {
            return self.call_again(state, cx, call);
        }
        if certain {
            return Ok(Flow::default());
        }
        state.join(&before);
        Err(call)
    }

    /// A call of a function that is walked already: whatever is in it, it does with any values.
    fn call_again(&mut self, state: &mut State, cx: &Context, call: Call) -> Result<Flow, Call> {
        let name = call.words.first().and_then(|word| word.value.known()).unwrap_or_default();
        self.pend(EffectKind::Opaque(format!("`{name}` calls itself").into()), call.span);
        self.emit(state, cx, call);
        state.forget_all();
        state.directories = Directories::Unknown;
        Ok(Flow::default())
    }

    /// The function that is walked may end like this.
    pub(crate) fn returned_with(&mut self, state: &State) {
        match self.returns.last_mut() {
            Some(Some(returned)) => returned.join(state),
            Some(none) => *none = Some(state.clone()),
            None => {}
        }
    }
}

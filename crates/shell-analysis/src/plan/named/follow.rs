//! Walking what an invocation names.

use super::Named;
use crate::{
    Launcher, Shell, Span, Text, Value,
    plan::{Call, Context, Feed, Planner, State, words::argument},
};

impl Planner<'_> {
    /// Plans what an invocation of `program` names.
    pub(in crate::plan) fn follow_named(
        &mut self,
        state: &State,
        cx: &Context,
        program: Text,
        named: Vec<Named>,
    ) {
        let mut inner = cx.clone();
        inner.launchers.push(Launcher { name: program, transparent: false });
        inner.named = true;
        inner.external = true;
        inner.no_functions = true;
        inner.feed = Feed::Unknown;
        for one in named {
            if self.spent() {
                return;
            }
            let (opaque, meaning) = (self.opaque.clone(), self.meaning.take());
            let span = match one {
                Named::Text(value, span) => {
                    match value.known() {
                        Some(text) if text.trim().is_empty() => {}
                        Some(text) => {
                            let text = [text, " \"$@\""].concat();
                            self.inner_shell(state, &inner, &text.into(), Shell::Bash, span);
                        }
                        None => self.anything(state, &inner, span),
                    }
                    span
                }
                Named::Lines(text, span) => {
                    self.inner_shell(state, &inner, &text.into(), Shell::Bash, span);
                    span
                }
                Named::Words(words) => {
                    let span = words.first().map(|word| word.span).unwrap_or_default();
                    self.aside(state, &inner, Call { words, span, ..Call::default() });
                    span
                }
                Named::Script(value, span) => {
                    match self.script_text(state, &value) {
                        Some(text) => {
                            self.inner_shell(state, &inner, &text, Shell::Bash, span);
                        }
                        None if value.known() == Some("") => {}
                        None => self.anything(state, &inner, span),
                    }
                    span
                }
                Named::Anything(span) => {
                    self.anything(state, &inner, span);
                    span
                }
            };
            self.meaning = meaning;
            // What cannot be read is some program; the text that names it is as clear as before.
            if opaque.is_none() && self.opaque.is_some() && !self.exhausted() {
                self.opaque = None;
                self.anything(state, &inner, span);
            }
        }
    }

    /// Some program that is not known.
    pub(in crate::plan) fn anything(&mut self, state: &State, cx: &Context, span: Span) {
        let meaning = self.meaning.take();
        let words = vec![argument(Value::Unknown, true, span)];
        self.aside(state, cx, Call { words, span, followed: true, ..Call::default() });
        self.meaning = meaning;
    }
}

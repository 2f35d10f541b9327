//! Simple commands: assignments, words and redirections. What they name: [`super::dispatch`].

use super::{
    Call, Context, Flow, Planner, State, braces, redirects,
    state::is_integer,
    variables,
    words::{Place, literal_text},
};
use crate::{
    Argument, Assignment, Shell, Span, Text, Value,
    tree::{Assign, AssignValue, Redirect, RedirectTarget, Simple, Word, WordPart},
};

impl Planner<'_> {
    pub(crate) fn simple(
        &mut self,
        state: &mut State,
        cx: &Context,
        simple: &Simple,
        redirects: &[Redirect],
        span: Span,
    ) -> Flow {
        let first = self.invocations.len();
        let words = if is_declaration(simple) {
            self.declaration_words(state, cx, simple)
        } else {
            self.arguments(state, cx, &simple.words)
        };
        self.counted = self.counted(state, &simple.words, &words);
        let local = words.is_empty();
        let mut assignments = Vec::with_capacity(simple.assignments.len());
        for assign in &simple.assignments {
            let value = self.assign_value(state, cx, assign);
            let known = value.known();
            if assign.name == "PS4" && super::arithmetic::may_hide(&value) {
                self.make_opaque(
                    cx.span(assign.span),
                    "what is in `PS4` runs before each command that is traced",
                );
            }
            if variables::evaluates(&assign.name) && !known.is_some_and(is_integer) {
                self.make_opaque(cx.span(assign.span), format!("`{}` evaluates its value", assign.name));
            }
            let harmless = assign.subscript.is_none()
                && if local {
                    variables::harmless_local(&assign.name, known)
                } else {
                    variables::harmless_exported(&assign.name, known) || read_with_ifs(&assign.name, &words)
                };
            if local {
                if state.is_frozen(&assign.name) {
                    self.line_may_end(state);
                }
                let integer = matches!(
                    &assign.value,
                    AssignValue::Scalar(word) if matches!(word.parts.as_slice(), [WordPart::Arithmetic(_)])
                );
                if matches!(assign.value, AssignValue::Array(_)) || assign.subscript.is_some() {
                    self.arrays.insert(assign.name.clone());
                }
                if !self.given.is_empty() && self.given.contains(&assign.name) {
                    self.export(Some(&value));
                }
                if assign.append || assign.subscript.is_some() {
                    state.forget(&assign.name);
                } else if matches!(&assign.value, AssignValue::Scalar(word) if self.is_count(word)) {
                    state.set_count(&assign.name);
                } else {
                    state.set_shared(&assign.name, value.clone(), integer);
                }
            }
            assignments.push(Assignment {
                name: assign.name.clone(),
                value,
                harmless,
                span: cx.span(assign.span),
            });
        }
        let redirections = self.redirections(state, cx, redirects);
        if local && self.shell != Shell::Bash && !(assignments.is_empty() || redirects.iter().all(is_plain)) {
            self.make_opaque(span, "some shells expand redirections before assignments");
        }
        let mut inner;
        let mut cx = cx;
        let heard = redirects::heard(&redirections, first);
        if self.invocations.len() > first || heard.is_some() {
            inner = cx.clone();
            inner.substituted = first..self.invocations.len();
            inner.hears = heard.or(inner.hears);
            cx = &inner;
        }
        if local {
            for assignment in &assignments {
                if variables::changes_meaning(&assignment.name) {
                    self.variable_later(&assignment.name, assignment.span);
                }
            }
            if !assignments.is_empty() || !redirections.is_empty() || !self.pending.is_empty() {
                let call = Call { words, assignments, redirections, span, ..Call::default() };
                if let Some(blocker) = self.meaning.take() {
                    // What changes the meaning is itself judged as what it is.
                    self.emit(state, cx, call);
                    self.meaning = Some(blocker);
                } else {
                    self.emit(state, cx, call);
                }
            }
            return Flow::default();
        }
        let remainder =
            simple.words.first().filter(|_| words.first().is_some_and(|word| word.value == Value::Unknown));
        let remainder = remainder.and_then(remainder_of);
        self.choices(state, cx, Call { words, assignments, redirections, span, remainder, ..Call::default() })
    }

    /// A value is expanded and its subscripts looked at; the variable is not set.
    pub(crate) fn assign_value(&mut self, state: &mut State, cx: &Context, assign: &Assign) -> Value {
        if let Some(subscript) = &assign.subscript {
            self.arithmetic(state, cx, subscript);
            // A negative one, and none, may be an error; a list for one element is one.
            let list = matches!(assign.value, AssignValue::Array(_));
            if list || !literal_text(&subscript.parts).is_some_and(|text| is_number(&text)) {
                self.line_may_end(state);
            }
        }
        match &assign.value {
            AssignValue::Scalar(word) => {
                let value = self.single(state, cx, word, Place::Assignment);
                if assign.append || assign.subscript.is_some() { Value::Unknown } else { value }
            }
            AssignValue::Array(items) => {
                for (subscript, word) in items {
                    if let Some(subscript) = subscript {
                        self.arithmetic(state, cx, subscript);
                    }
                    if braces::has_braces(&word.parts) {
                        self.arguments(state, cx, std::slice::from_ref(word));
                    } else {
                        self.single(state, cx, word, Place::Assignment);
                    }
                }
                Value::Unknown
            }
        }
    }

    /// A shell variable was set by something else than an assignment.
    pub(crate) fn variable_changed(&mut self, cx: &Context, name: &str, span: Span) {
        if variables::evaluates(name) {
            self.make_opaque(cx.span(span), format!("`{name}` evaluates its value"));
        }
        if variables::changes_meaning(name) || !variables::harmless_local(name, None) {
            self.variable_later(name, cx.span(span));
        }
    }

    pub(crate) fn variable_later(&mut self, name: &str, span: Span) {
        if name == "PS4" {
            // Printed before assignments and tests too, which are no invocations.
            self.make_opaque(span, "what is in `PS4` runs before each command that is traced");
        }
        self.change_meaning(span, format!("`{name}` changes what follows"));
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Quoted in any way it is the same builtin, but its words are split and globbed as those of any other are (seen in
/// bash 5.2: `\declare a=$b`).
fn is_declaration(simple: &Simple) -> bool {
    simple.words.first().is_some_and(|word| match word.parts.as_slice() {
        [WordPart::Literal(text)] => super::declare::NAMES.contains(&text.as_str()),
        _ => false,
    })
}

/// The text in a word beside its expansions.
fn remainder_of(word: &Word) -> Option<Text> {
    let mut text = String::new();
    let quoted = word.parts.iter().flat_map(|part| match part {
        WordPart::DoubleQuoted(parts) => parts.as_slice(),
        part => std::slice::from_ref(part),
    });
    for part in quoted {
        match part {
            WordPart::Literal(piece) | WordPart::Quoted(piece) => text.push_str(piece),
            WordPart::Parameter(_) | WordPart::Command(_) => {}
            _ => return None,
        }
    }
    (!text.is_empty()).then(|| text.into())
}

/// No variable is expanded in it.
fn is_plain(redirect: &Redirect) -> bool {
    match &redirect.target {
        RedirectTarget::Word(word) | RedirectTarget::HereDoc { body: word, .. } => {
            literal_text(&word.parts).is_some()
        }
    }
}

/// `IFS= read`: the usual way to read whole lines.
fn read_with_ifs(name: &str, words: &[Argument]) -> bool {
    name == "IFS" && words.first().and_then(|word| word.value.known()) == Some("read")
}

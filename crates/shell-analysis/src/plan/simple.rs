//! Simple commands: expansion, then whatever the program word names.

use super::{
    Call, Context, Flow, MAX_LAUNCHERS, Planner, State, braces,
    state::{MAX_VALUES, is_integer, union},
    variables,
    words::{Place, literal_text},
};
use crate::{
    Argument, Assignment, EffectKind, Shell, Span, Text, Value, dialect,
    tree::{Assign, AssignValue, Redirect, RedirectTarget, Simple, Word, WordPart},
};

/// Builtins that may change the variables in front of them, or leave them set (in POSIX mode all special builtins do).
const KEEPS_ASSIGNMENTS: &[&str] = &[
    ".",
    ":",
    "alias",
    "bind",
    "break",
    "builtin",
    "cd",
    "command",
    "complete",
    "compopt",
    "continue",
    "declare",
    "enable",
    "eval",
    "exec",
    "exit",
    "export",
    "fc",
    "getopts",
    "hash",
    "history",
    "let",
    "local",
    "mapfile",
    "popd",
    "printf",
    "pushd",
    "read",
    "readarray",
    "readonly",
    "return",
    "set",
    "shift",
    "shopt",
    "source",
    "times",
    "trap",
    "typeset",
    "unalias",
    "unset",
    "wait",
];

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
                    state.set(&assign.name, value.clone(), integer);
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
        if self.invocations.len() > first {
            inner = cx.clone();
            inner.substituted = first..self.invocations.len();
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

    /// Every combination of counted values is a command of its own.
    pub(crate) fn choices(&mut self, state: &mut State, cx: &Context, mut call: Call) -> Flow {
        let count = call.words.iter().fold(1usize, |count, word| match &word.value {
            Value::OneOf(texts) => count.saturating_mul(texts.len().max(1)),
            _ => count,
        });
        if count == 1 && !call.words.iter().any(|word| matches!(word.value, Value::OneOf(_))) {
            return self.run(state, cx, call);
        }
        if count > MAX_VALUES {
            for word in &mut call.words {
                if matches!(word.value, Value::OneOf(_)) {
                    word.value = Value::Unknown;
                }
            }
            return self.run(state, cx, call);
        }
        let before = state.clone();
        let mut flow = Flow::default();
        for index in 0..count {
            if self.spent() {
                break;
            }
            let mut rest = index;
            let mut one = call.clone();
            for word in &mut one.words {
                if let Value::OneOf(texts) = &word.value {
                    let size = texts.len().max(1);
                    let text = texts.get(rest % size).cloned().unwrap_or_default();
                    rest /= size;
                    word.value = Value::Known(text);
                }
            }
            let mut branch = before.clone();
            let result = self.run(&mut branch, cx, one);
            if index == 0 {
                *state = branch;
                flow = result;
            } else {
                state.join(&branch);
                flow = Flow { failed: Some(before.directories.clone()), ..Flow::default() };
            }
        }
        if flow.failed.is_some() {
            state.join(&before);
        }
        flow
    }

    /// Runs one command whose words are what they are.
    pub(crate) fn run(&mut self, state: &mut State, cx: &Context, call: Call) -> Flow {
        self.words += call.words.len();
        if !self.step(call.span) {
            return Flow::default();
        }
        let Some(first) = call.words.first() else {
            self.emit(state, cx, call);
            return Flow::default();
        };
        if cx.launchers.len() > MAX_LAUNCHERS {
            self.make_opaque(call.span, "launchers nested deeper than is followed");
            return Flow::default();
        }
        let Value::Known(program) = &first.value else { return self.unknown_program(state, cx, call) };
        let program = program.clone();
        self.depth += 1;
        let flow = self.named(state, cx, &program, call);
        self.depth -= 1;
        flow
    }

    /// A command whose program is not known. Apart, so that nested launchers need less stack.
    fn unknown_program(&mut self, state: &mut State, cx: &Context, call: Call) -> Flow {
        let span = call.words.first().map_or(call.span, |first| first.span);
        self.pend(EffectKind::Opaque("the program is not known".into()), span);
        let others = [behind_nothing(&call), remaining(&call)];
        self.emit(state, cx, call);
        for other in others.into_iter().flatten() {
            self.aside(state, cx, other);
        }
        if !cx.external {
            // It may be a builtin that changes everything.
            self.change_meaning(span, "a program that is not known may change what follows");
            state.forget_all();
            state.directories = crate::Directories::Unknown;
        }
        Flow::default()
    }

    /// `x=a f`: what runs sees the assignments, and afterwards they are gone, or may be (`x=a export x` keeps it; bash
    /// manual 3.7.4).
    fn named(&mut self, state: &mut State, cx: &Context, program: &str, call: Call) -> Flow {
        if call.assignments.is_empty() {
            return self.named_in(state, cx, program, call);
        }
        let inside = !cx.external
            && (KEEPS_ASSIGNMENTS.contains(&program) || !cx.no_functions && self.functions.has(program));
        // Another shell that it starts knows only these of what it is given.
        let given = |name: &str| {
            matches!(name, "HOME" | "PWD" | "CDPATH")
                || self.settings.environment.iter().any(|(known, _)| known == name)
        };
        if !inside && !call.assignments.iter().any(|assignment| given(&assignment.name)) {
            return self.named_in(state, cx, program, call);
        }
        // Text that is read inside is read with these (`IFS=x eval '$c'`).
        if inside && (self.functions.has(program) || reads_text(&call.words)) {
            let followed = |name: &str| matches!(name, "HOME" | "PWD" | "OLDPWD" | "CDPATH");
            for assignment in &call.assignments {
                if variables::changes_meaning(&assignment.name) && !followed(&assignment.name) {
                    self.variable_later(&assignment.name, assignment.span);
                }
            }
        }
        let before = state.clone();
        let mut names = Vec::with_capacity(call.assignments.len());
        for assignment in &call.assignments {
            state.set(&assignment.name, assignment.value.clone(), false);
            names.push(assignment.name.clone());
        }
        let flow = self.named_in(state, cx, program, call);
        for name in names {
            if inside {
                state.join_variable(&name, &before);
            } else {
                state.restore(&name, &before);
            }
            self.line_ended_with(&name, &before);
        }
        flow
    }

    fn named_in(&mut self, state: &mut State, cx: &Context, program: &str, call: Call) -> Flow {
        let call = match self.function_call(state, cx, program, call) {
            Ok(flow) => return flow,
            // Not a function, or perhaps one that is not defined.
            Err(call) => call,
        };
        if !self.may_be_another(cx, program) {
            return self.program(state, cx, program, call);
        }
        // Then it has done what a function does, or nothing of what the builtin does.
        let otherwise = state.clone();
        let flow = self.program(state, cx, program, call);
        let failed = union(flow.failed.as_ref().unwrap_or(&state.directories), &otherwise.directories);
        if flow.ends {
            *state = otherwise;
            return Flow::default();
        }
        state.join(&otherwise);
        Flow { failed: Some(failed), ..Flow::default() }
    }

    /// Whether what has a builtin's name may be none: a function that is perhaps defined, or a program because
    /// the shell has no such builtin.
    fn may_be_another(&self, cx: &Context, program: &str) -> bool {
        !cx.external
            && (!cx.no_functions && self.functions.has(program)
                || self.shell != Shell::Bash && dialect::ONLY_BASH.contains(&program))
    }

    /// A builtin, a launcher or any other program.
    fn program(&mut self, state: &mut State, cx: &Context, program: &str, call: Call) -> Flow {
        let call = if cx.external {
            call
        } else {
            match self.builtin(state, cx, program, call) {
                Ok(flow) => return flow,
                Err(call) => call,
            }
        };
        match self.launch(state, cx, program, call) {
            Ok(flow) => flow,
            Err(call) => {
                let feed = self.feed_of(state, cx, &cx.feed, program, &call);
                self.emit(state, cx, call);
                Flow { feed, ..Flow::default() }
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

    fn variable_later(&mut self, name: &str, span: Span) {
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

/// `$x rm y`: words that may be nothing leave the command to those behind them.
fn behind_nothing(call: &Call) -> Option<Call> {
    let count = call.words.iter().take_while(|word| word.vanishes).count();
    let next = call.words.get(count).filter(|_| count > 0 && !call.followed)?;
    next.value.known()?;
    let words = call.words.get(count..).unwrap_or_default().to_vec();
    Some(Call { words, remainder: None, ..call.clone() })
}

/// `$x/rm y`: whatever the value is, `rm` is the program's name, unless the value has blanks.
fn remaining(call: &Call) -> Option<Call> {
    let mut words = call.words.clone();
    let program = words.first_mut()?;
    program.value = Value::Known(call.remainder.clone()?);
    program.splits = false;
    Some(Call { words, remainder: None, ..call.clone() })
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

/// Whether a builtin reads its words or a file as commands, `command` and `builtin` looked through.
fn reads_text(words: &[Argument]) -> bool {
    let through = |word: &&Argument| {
        word.value.known().is_some_and(|text| matches!(text, "builtin" | "command") || text.starts_with('-'))
    };
    words
        .iter()
        .find(|word| !through(word))
        .is_some_and(|word| word.value.known().is_none_or(|text| matches!(text, "." | "eval" | "source")))
}

/// `IFS= read`: the usual way to read whole lines.
fn read_with_ifs(name: &str, words: &[Argument]) -> bool {
    name == "IFS" && words.first().and_then(|word| word.value.known()) == Some("read")
}

//! Which command a simple command is, once its words are known: a function, a builtin, a launcher or any other program.

use super::{
    Call, Context, Flow, MAX_LAUNCHERS, Planner, State,
    state::{MAX_VALUES, union},
    variables,
};
use crate::{Argument, EffectKind, Shell, Value, dialect, name_set::NameSet};

/// Builtins that may change the variables in front of them, or leave them set (in POSIX mode all special builtins do).
static KEEPS_ASSIGNMENTS: NameSet = NameSet::new(&[
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
]);

impl Planner<'_> {
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
            && (KEEPS_ASSIGNMENTS.contains(program) || !cx.no_functions && self.functions.has(program));
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

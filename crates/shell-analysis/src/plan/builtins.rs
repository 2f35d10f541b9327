//! Builtins that change what later text means, or what the plan knows.

use super::{
    Call, Context, Feed, Flow, Planner, State,
    arithmetic::may_hide,
    conditional,
    inherited::asks_for_little,
    launch::shared,
    shells::{is_pipe, is_standard_input},
    words::is_name,
};
use crate::{
    Argument, Directories, EffectKind, Launcher, Shell, Text, Value, name_set::NameSet, programs, tree::Few,
};

/// Builtins after which nothing can be relied on.
static MEANING: NameSet = NameSet::new(&[
    "alias", "unalias", "shopt", "enable", "hash", "bind", "complete", "compopt", "fc", "history",
]);

impl Planner<'_> {
    /// Handles a builtin; gives the call back when it is none of these.
    pub(crate) fn builtin(
        &mut self,
        state: &mut State,
        cx: &Context,
        program: &str,
        call: Call,
    ) -> Result<Flow, Call> {
        let span = call.span;
        match program {
            "cd" | "pushd" | "popd" => return Ok(self.change_directory(state, cx, program, call)),
            "export" | "declare" | "typeset" | "local" | "readonly" => {
                return Ok(self.declare(state, cx, program, call));
            }
            "exit" | "return" | "break" | "continue" => {
                let ends = ends(&call)
                    && match program {
                        "exit" => true,
                        "return" => cx.reach.function,
                        _ => cx.breakable,
                    };
                if program == "return" && cx.reach.function {
                    self.returned_with(state);
                }
                if matches!(program, "break" | "continue") {
                    self.breaks_with(state);
                }
                self.emit_as(state, cx, call, programs::Known::Nothing);
                return Ok(Flow { ends, ..Flow::default() });
            }
            "read" => self.read(state, cx, call),
            "unset" => self.unset(state, cx, call),
            "set" => self.set_options(state, cx, call),
            "shift" => {
                forget_positional(state);
                self.emit_as(state, cx, call, programs::Known::Nothing);
            }
            "let" => self.evaluate_words(state, cx, call),
            "eval" => return Ok(self.eval(state, cx, call)),
            "source" | "." => return Ok(self.source(state, cx, call)),
            "trap" => self.trap(state, cx, call),
            "mapfile" | "readarray" | "getopts" | "wait" => {
                // A callback (`mapfile -tC f`), or a name that is evaluated.
                let callback = matches!(program, "mapfile" | "readarray");
                let evaluated = |word: &Argument| match word.value.known() {
                    Some(text) => {
                        callback && text.starts_with('-') && text.contains('C') || text.contains(['$', '`'])
                    }
                    None => true,
                };
                if call.words.iter().skip(1).any(evaluated) {
                    self.make_opaque(span, format!("`{program}` may evaluate a value that is not known"));
                }
                let set =
                    |word: &&Argument| word.value.known().is_some_and(super::variables::changes_meaning);
                if let Some(name) = call.words.iter().skip(1).find(set) {
                    let reason = format!("`{program}` may set what changes what follows");
                    self.change_meaning(name.span, reason);
                }
                if program == "wait" && call.words.len() == 1 {
                    self.emit_as(state, cx, call, programs::Known::Nothing);
                } else {
                    self.pend(EffectKind::Opaque(format!("`{program}` sets variables").into()), span);
                    self.emit(state, cx, call);
                    state.forget_all();
                }
            }
            "printf" => {
                self.printf(state, cx, &call);
                return Err(call);
            }
            "test" | "[" => {
                if let Some(named) = conditional::evaluated_by_test(&call.words, self.counted) {
                    if named.is_none_or(|word| may_hide(&word.value)) {
                        self.make_opaque(span, "`-v` may evaluate a value that is not known");
                    }
                    self.pend(EffectKind::Opaque("`-v` evaluates a subscript".into()), span);
                }
                if asks_for_little(&call.words) {
                    self.only_tested(0);
                }
                return Err(call);
            }
            "ulimit" if call.words.iter().skip(1).any(|word| limits(&word.value)) => {
                self.change_meaning(span, "`ulimit` may make what follows fail");
                return Err(call);
            }
            // Words, functions and commands for completion are expanded and run (bash manual 8.7).
            "compgen" | "complete" if call.words.iter().skip(1).any(|word| may_hide(&word.value)) => {
                self.make_opaque(span, format!("`{program}` may run a value that is not known"));
                return Err(call);
            }
            _ if MEANING.contains(program) => {
                self.pend(EffectKind::Opaque(format!("`{program}` changes what follows").into()), span);
                self.emit(state, cx, call);
                self.change_meaning(span, format!("`{program}` changes what follows"));
            }
            _ => return Err(call),
        }
        Ok(Flow::default())
    }

    fn unset(&mut self, state: &mut State, cx: &Context, call: Call) {
        let span = call.span;
        if call.words.iter().skip(1).any(|word| may_hide(&word.value)) {
            self.make_opaque(span, "`unset` evaluates a subscript that is not known");
        }
        let mut odd = false;
        for word in call.words.iter().skip(1) {
            match word.value.known() {
                Some("-v") => {}
                Some(name) if is_name(name) => {
                    // Without a variable of that name it is the function.
                    self.functions.unset(Some(name));
                    if super::variables::harmless_local(name, Some("")) {
                        self.unset_variable(state, name);
                    } else {
                        odd = true;
                    }
                }
                _ => odd = true,
            }
        }
        if odd {
            self.pend(EffectKind::Opaque("`unset` changes what follows".into()), span);
        }
        self.emit_as(state, cx, call, programs::Known::Nothing);
        if odd {
            self.functions.unset(None);
            state.forget_all();
            self.change_meaning(span, "`unset` changes what follows");
        }
    }

    /// Out of a function it is the variable of the function around that comes to light (bash manual 3.3).
    fn unset_variable(&self, state: &mut State, name: &str) {
        let inherited = |outside: &State| outside.get(name).is_none_or(|binding| binding.inherited);
        if self.locals.iter().flatten().any(|(own, outside)| own == name && inherited(outside)) {
            state.uncover(name);
        } else {
            state.set(name, Value::Unknown, false);
        }
    }

    fn set_options(&mut self, state: &mut State, cx: &Context, call: Call) {
        let span = call.span;
        let (mut odd, mut traces) = (false, false);
        let mut words = call.words.iter().skip(1);
        if call.words.len() == 1 {
            self.pend(EffectKind::Environment, span);
        }
        while let Some(word) = words.next() {
            match word.value.known() {
                Some("--") => {
                    forget_positional(state);
                    break;
                }
                Some(text) if text.starts_with(['-', '+']) && text.len() > 1 => {
                    let flags = text.get(1..).unwrap_or_default();
                    let (plain, takes) = match flags.strip_suffix('o') {
                        Some(rest) => (rest, true),
                        None => (flags, false),
                    };
                    traces |= plain.contains('x');
                    odd |= !plain.chars().all(|flag| matches!(flag, 'e' | 'u' | 'x'));
                    if takes {
                        let name = words.next().and_then(|word| word.value.known());
                        traces |= name == Some("xtrace");
                        odd |= !matches!(name, Some("pipefail" | "errexit" | "nounset" | "xtrace"));
                    }
                }
                Some(_) => forget_positional(state),
                None => odd = true,
            }
        }
        if traces {
            self.traces(cx.reach.looped || cx.reach.function, span);
        }
        if odd {
            self.pend(EffectKind::Opaque("`set` changes what follows".into()), span);
        }
        self.emit_as(state, cx, call, programs::Known::Nothing);
        if odd {
            self.change_meaning(span, "`set` changes what follows");
        }
    }

    fn evaluate_words(&mut self, state: &mut State, cx: &Context, call: Call) {
        for word in call.words.iter().skip(1) {
            match word.value.known() {
                Some(text) => {
                    let arithmetic = crate::tree::Arithmetic {
                        parts: Few::one(crate::tree::WordPart::Quoted(text.into())),
                        span: word.span,
                    };
                    self.arithmetic(state, cx, &arithmetic);
                }
                None => {
                    self.make_opaque(word.span, "`let` evaluates a value that is not known");
                    self.pend(EffectKind::Opaque("`let` evaluates a value".into()), word.span);
                }
            }
        }
        self.emit_as(state, cx, call, programs::Known::Nothing);
    }

    /// `printf -v NAME` sets a variable; the specification of `printf` makes it a blocker.
    fn printf(&mut self, state: &mut State, cx: &Context, call: &Call) {
        match call.words.get(1).map(|word| (word.value.known(), word.span)) {
            Some((Some(text), span)) if text.starts_with("-v") => {
                state.forget_all();
                let name = text.get(2..).filter(|name| !name.is_empty());
                let name = name.or_else(|| call.words.get(2).and_then(|word| word.value.known()));
                match name {
                    Some(name) if is_name(name) => self.variable_changed(cx, name, span),
                    name => {
                        if name.is_none_or(|name| name.contains(['$', '`'])) {
                            self.make_opaque(span, "`printf -v` evaluates a subscript that is not known");
                        }
                        self.change_meaning(span, "`printf -v` evaluates a subscript");
                    }
                }
            }
            Some((None, span)) => {
                state.forget_all();
                if call
                    .words
                    .get(2)
                    .and_then(|word| word.value.known())
                    .is_some_and(|text| text.starts_with("-v"))
                {
                    self.change_meaning(span, "`printf` may set a variable");
                }
            }
            _ => {}
        }
    }

    fn eval(&mut self, state: &mut State, cx: &Context, call: Call) -> Flow {
        let span = call.span;
        let mut text = String::new();
        let mut known = true;
        let dashes = call.words.get(1).is_some_and(|word| word.value.known() == Some("--"));
        if dashes && self.shell != Shell::Bash {
            self.make_opaque(span, "`--` is a program for `eval` in some shells");
        }
        for word in call.words.iter().skip(1 + usize::from(dashes)) {
            match word.value.known() {
                Some(piece) => {
                    if !text.is_empty() {
                        text.push(' ');
                    }
                    text.push_str(piece);
                }
                None => known = false,
            }
        }
        self.pend(
            EffectKind::Execute(if known { Value::Known(text.as_str().into()) } else { Value::Unknown }),
            span,
        );
        let conditional = !call.redirections.is_empty();
        let feed = shared(&call.redirections, cx.feed.clone());
        self.emit(state, cx, call);
        if !known {
            self.make_opaque(span, "`eval` of text that is not known");
            state.forget_all();
            state.directories = Directories::Unknown;
            return Flow::default();
        }
        let mut cx = cx.clone();
        // Where a redirection fails nothing of it runs.
        cx.reach.conditional |= conditional;
        cx.feed = feed;
        cx.launchers.push(Launcher { name: Text::from_static("eval"), transparent: false });
        self.inner_text(state, &cx, &text.into(), self.shell, span)
    }

    fn source(&mut self, state: &mut State, cx: &Context, call: Call) -> Flow {
        let span = call.span;
        let dashes = call.words.get(1).is_some_and(|word| word.value.known() == Some("--"));
        let mut words = call.words.iter().skip(1 + usize::from(dashes));
        let file = words.next();
        if file.is_some_and(|word| word.vanishes) && words.next().is_some() {
            self.make_opaque(span, "the file that is sourced is not known");
        }
        let file = file.map(|word| word.value.clone());
        self.pend(EffectKind::Execute(file.clone().unwrap_or(Value::Unknown)), span);
        if let Some(file) = &file {
            for path in programs::targets(file, &state.directories, &self.look) {
                self.pend(EffectKind::Read { path, recursive: false }, span);
            }
        }
        let text = match &file {
            Some(file) if is_standard_input(file) => {
                let (text, known) = self.standard_input(state, cx, &call.redirections);
                if text.is_none() && !known {
                    self.make_opaque(span, "the shell runs text that is not known");
                }
                text
            }
            Some(file) => {
                if is_pipe(file) {
                    self.make_opaque(span, "the shell runs what another command prints");
                }
                if file.known().is_none() {
                    self.make_opaque(span, "the file that is sourced is not known");
                }
                self.script_text(state, file)
            }
            None => None,
        };
        // What it has not read itself.
        let feed = match &file {
            Some(file) if is_standard_input(file) => Feed::Unknown,
            _ => shared(&call.redirections, cx.feed.clone()),
        };
        self.emit(state, cx, call);
        match text {
            Some(text) => {
                let mut cx = cx.clone();
                // A `return` ends it.
                cx.reach.conditional = true;
                cx.feed = feed;
                cx.launchers.push(Launcher { name: Text::from_static("source"), transparent: false });
                self.inner_text(state, &cx, &text, self.shell, span);
            }
            None => self.change_meaning(span, "a sourced file can change everything that follows"),
        }
        state.forget_all();
        state.directories = Directories::Unknown;
        Flow::default()
    }

    fn trap(&mut self, state: &mut State, cx: &Context, call: Call) {
        let span = call.span;
        // `trap [-lp] [--] [TEXT SIGNAL...]`; a signal alone has its own meaning again (bash manual 4.1).
        let dashes = call.words.get(1).is_some_and(|word| word.value.known() == Some("--"));
        let operands = call.words.get(1 + usize::from(dashes)..).unwrap_or_default();
        let text = operands.first().map(|word| match &word.value {
            Value::Known(text) => Some(text.clone()),
            _ => None,
        });
        let printing = match &text {
            None => true,
            Some(None) => false,
            Some(Some(text)) => *text == "-" || !dashes && text.starts_with('-') || operands.len() == 1,
        };
        self.pend(EffectKind::Opaque("`trap` runs its text later".into()), span);
        self.emit(state, cx, call);
        if printing {
            return;
        }
        match text.flatten() {
            Some(text) => {
                // It runs with what variables have then.
                let mut inner = state.clone();
                inner.forget_all();
                let mut cx = cx.clone();
                cx.feed = Feed::Unknown;
                // Or never.
                cx.reach.conditional = true;
                cx.launchers.push(Launcher { name: Text::from_static("trap"), transparent: false });
                self.inner_text(&mut inner, &cx, &text, self.shell, span);
                self.change_meaning(span, "`trap` changes what follows");
            }
            None => self.make_opaque(span, "`trap` of text that is not known"),
        }
    }
}

fn forget_positional(state: &mut State) {
    for name in ["1", "2", "3", "4", "5", "6", "7", "8", "9"] {
        if state.get(name).is_some() {
            state.forget(name);
        }
    }
}

/// A limit that ordinary redirections and commands may come upon.
fn limits(value: &Value) -> bool {
    match value.known() {
        // Glued to its option too: `-n3`.
        Some(text) => {
            let digits = text.trim_start_matches(|letter: char| !letter.is_ascii_digit());
            !digits.is_empty() && digits.parse::<u64>().is_ok_and(|limit| limit < 256)
        }
        None => true,
    }
}

/// `exit` and its kin leave only with one integer at most.
fn ends(call: &Call) -> bool {
    match call.words.as_slice() {
        [_] => true,
        [_, status] => status.value.known().is_some_and(super::state::is_integer),
        _ => false,
    }
}

//! Flattens a tree to invocations: control flow decides what variables and working
//! directories each one may see, launchers and functions are followed, and whatever cannot be followed
//! makes the text opaque.

mod arithmetic;
mod assigned;
mod braces;
mod builtins;
mod certain;
mod chain;
mod commands;
mod computed;
mod conditional;
mod counts;
mod declare;
mod defined;
mod directories;
mod dispatch;
mod env;
mod feeds;
mod fields;
mod find;
mod flow;
mod functions;
mod inherited;
mod launch;
mod lines;
mod listeners;
mod listings;
mod loops;
mod named;
mod overheard;
mod parallel;
mod read;
mod redirects;
mod scripts;
mod shells;
mod simple;
mod starts;
mod state;
mod variables;
mod words;
mod written;
mod xargs;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    num::NonZeroU32,
    ops::Range,
    sync::Arc,
};

use chain::Chain;
use defined::{Function, Functions};
use fields::Fragment;
pub(crate) use flow::{Feed, Flow, Names, Separator, Stored};
pub(crate) use inherited::tells_nothing;
pub(crate) use state::State;
pub(crate) use variables::harmless_exported;

use crate::{
    Argument, Assignment, Blocker, Directories, Effect, EffectKind, Invocation, Reach, Redirection, Settings,
    Shell, Span, Text, Value, look::Look, programs,
};

/// The most invocations of one text.
const MAX_INVOCATIONS: usize = 4096;
/// The most commands visited, functions and loops counted each time.
const MAX_STEPS: usize = 1 << 17;
/// The most words of all commands, those behind launchers counted again.
const MAX_WORDS: usize = 1 << 20;
/// The most commands of one text that are kept in a tree. Far more than can become invocations, except where
/// the same function is defined again and again.
pub(crate) const MAX_COMMANDS: usize = 4 * MAX_INVOCATIONS;
/// The most bytes of words and here-documents of all invocations together.
const MAX_BYTES: usize = 16 << 20;
/// Why a text beyond these bounds is opaque.
pub(crate) const TOO_MANY: &str = "more commands than are followed in one text";
/// How deep commands, launchers and texts inside texts may nest.
const MAX_DEPTH: usize = 150;
/// How many launchers may stand one behind another: each sees all the words behind it.
const MAX_LAUNCHERS: usize = 32;
/// The most bytes of text parsed inside texts.
const MAX_INNER_TEXT: usize = 2 << 20;

/// Walks trees and collects invocations.
pub(crate) struct Planner<'a> {
    settings: &'a Settings<'a>,
    pub(crate) look: Look<'a>,
    invocations: Vec<Invocation>,
    opaque: Option<Blocker>,
    /// The next invocation and all later ones may not mean what they seem to.
    meaning: Option<Blocker>,
    /// Effects of expansions, for the invocation whose words they are in.
    pending: Vec<Effect>,
    /// The shell whose text is walked.
    shell: Shell,
    /// The shell prints every command with its words (`set -x`).
    traced: bool,
    /// A variable of the environment was only tested.
    tested: bool,
    /// A part of a variable of the environment was expanded.
    parted: bool,
    /// What is walked is a function that nobody called.
    uncalled: bool,
    /// The first invocation in which the shell itself may run code that is hidden in a value.
    evaluating: Option<usize>,
    functions: Functions,
    /// Functions of inner shells that nobody called.
    strays: Vec<Function>,
    /// How many functions are being called.
    calls: usize,
    /// Variables that each of them declared as its own, with what they were before.
    locals: Vec<Vec<(String, State)>>,
    /// For each function that is walked, where its `return`s leave the shell.
    returns: Vec<Option<State>>,
    /// The states of the `break`s and `continue`s in each of the loops that are walked.
    breaks: Vec<Option<State>>,
    /// Words of the command that is walked which are numbers, see [`Self::counted`].
    counted: u64,
    /// Where errors may have ended the line that is walked.
    ended: Option<State>,
    /// Variables that the text makes arrays somewhere.
    arrays: BTreeSet<Text>,
    /// What the process substitution that was expanded last prints.
    piped: Feed,
    /// How many `case` commands and functions were met.
    patterns: usize,
    depth: usize,
    steps: usize,
    words: usize,
    inner_text: usize,
    /// Bytes of the words that invocations have been given.
    bytes: usize,
    /// Variables that the text gives to all that it starts later, and their values as far as they are known.
    given: BTreeSet<Text>,
    exported: String,
    /// Files that were written, by the last part of their names.
    written: BTreeMap<String, written::Written>,
    /// Files that were looked into, with where they run.
    looked_into: BTreeSet<String>,
    /// The bytes of all these.
    keys: usize,
    /// Files that are not there, or hold no text.
    no_text: BTreeSet<String>,
    /// Invocations that may run what any other one in the text prints, before them or behind.
    hearers: Vec<usize>,
    /// Memory of lists that were used before, for the next ones.
    spare_arguments: Vec<Argument>,
    spare_fragments: Vec<Fragment>,
}

/// How the commands being walked are reached.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    pub(crate) reach: Reach,
    pub(crate) launchers: Chain,
    /// Inside a text that is itself a word: everything is reported there.
    pub(crate) at: Option<Span>,
    /// What standard input holds.
    pub(crate) feed: Feed,
    /// Descriptors that redirections around it have opened, a bit for each of the first sixteen.
    pub(crate) descriptors: u16,
    /// In a loop that `break` leaves: none of a shell outside, or of a caller.
    pub(crate) breakable: bool,
    /// Behind a program that starts others: functions and builtins are out of reach.
    pub(crate) external: bool,
    /// Behind `command` or `builtin`: functions are out of reach.
    pub(crate) no_functions: bool,
    /// An option, a setting or a variable of another invocation names it.
    pub(crate) named: bool,
    /// Its standard input comes from what the text runs from this invocation on.
    pub(crate) hears: Option<usize>,
    /// Or from what it runs later (`>(...)`, `coproc`).
    pub(crate) hears_later: bool,
    /// The invocations in front of it in its pipeline.
    pub(crate) upstream: Range<usize>,
    /// The invocations inside substitutions of its words.
    pub(crate) substituted: Range<usize>,
}

impl Context {
    fn span(&self, span: Span) -> Span {
        self.at.unwrap_or(span)
    }
}

/// A simple command after expansion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Call {
    pub(crate) words: Vec<Argument>,
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) redirections: Vec<Redirection>,
    pub(crate) span: Span,
    /// Another reading of a call that is emitted already, with fewer words: only what it runs counts.
    pub(crate) reading: bool,
    /// What may be the command behind its first word is looked at elsewhere.
    pub(crate) followed: bool,
    /// The index of the word at which the command begins that its launcher follows.
    pub(crate) launches: Option<NonZeroU32>,
    /// The program when what is not known in its word is nothing (`$x/rm`).
    pub(crate) remainder: Option<Text>,
}

impl Call {
    /// `name`, which is the program's or the end of it, without memory of its own.
    fn named(&self, name: &str) -> Text {
        match self.words.first().map(|word| &word.value) {
            Some(Value::Known(text)) => text.part(name),
            _ => name.into(),
        }
    }
}

/// What planning yields.
pub(crate) struct Plan {
    pub(crate) invocations: Vec<Invocation>,
    pub(crate) opaque: Option<Blocker>,
    /// What would make text that followed mean something else.
    pub(crate) meaning: Option<Blocker>,
    pub(crate) evaluating: Option<usize>,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(settings: &'a Settings<'a>) -> Self {
        Self {
            settings,
            look: Look::new(settings),
            invocations: Vec::new(),
            opaque: None,
            meaning: None,
            pending: Vec::new(),
            shell: settings.shell,
            traced: false,
            tested: false,
            parted: false,
            uncalled: false,
            evaluating: None,
            functions: Functions::default(),
            strays: Vec::new(),
            calls: 0,
            locals: Vec::new(),
            returns: Vec::new(),
            breaks: Vec::new(),
            counted: 0,
            ended: None,
            arrays: BTreeSet::new(),
            piped: Feed::Unknown,
            patterns: 0,
            depth: 0,
            steps: 0,
            words: 0,
            inner_text: 0,
            bytes: 0,
            given: BTreeSet::new(),
            exported: String::new(),
            written: BTreeMap::new(),
            looked_into: BTreeSet::new(),
            keys: 0,
            no_text: BTreeSet::new(),
            hearers: Vec::new(),
            spare_arguments: Vec::new(),
            spare_fragments: Vec::new(),
        }
    }

    /// Functions that were never called are judged too: a deny rule may be about what is in them.
    pub(crate) fn finish(mut self) -> Plan {
        let strays = std::mem::take(&mut self.strays);
        strays.into_iter().for_each(|function| self.functions.push(function));
        self.uncalled = true;
        // Walking one may make an earlier one be left.
        while self.functions.any_left() {
            self.each_left();
        }
        self.follow_made();
        self.hear_all();
        Plan {
            invocations: self.invocations,
            opaque: self.opaque,
            meaning: self.meaning,
            evaluating: self.evaluating,
        }
    }

    fn each_left(&mut self) {
        let mut index = 0;
        while let Some(function) = self.functions.get_mut(index) {
            index += 1;
            if !function.is_left() {
                continue;
            }
            (function.called, function.finished) = (true, true);
            let body = Arc::clone(&function.body);
            let (name, at) = (function.name.clone(), function.at);
            let mut state = State::new(Directories::Unknown);
            state.forget_all();
            let mut cx = Context::default();
            cx.reach.function = true;
            cx.at = at;
            self.calls += 1;
            self.functions.runs(&name, &body, true);
            self.command(&mut state, &cx, &body);
            self.functions.runs(&name, &body, false);
            self.calls -= 1;
        }
    }

    /// The text means something else from here on.
    fn change_meaning(&mut self, span: Span, reason: impl Into<Cow<'static, str>>) {
        if self.meaning.is_none() && self.opaque.is_none() {
            self.meaning = Some(Blocker { span, reason: reason.into() });
        }
    }

    /// No allow rule covers this text, and every deny rule may match.
    pub(crate) fn make_opaque(&mut self, span: Span, reason: impl Into<Cow<'static, str>>) {
        if self.opaque.is_none() {
            self.opaque = Some(Blocker { span, reason: reason.into() });
        }
    }

    /// Counts work; false when the budget is spent.
    fn step(&mut self, span: Span) -> bool {
        self.steps += 1;
        if self.exhausted() {
            self.make_opaque(span, TOO_MANY);
            return false;
        }
        if self.depth > MAX_DEPTH {
            self.make_opaque(span, "commands nested deeper than is followed");
            return false;
        }
        true
    }

    /// The budget is spent and that is on record: whatever is still to come changes nothing.
    pub(crate) fn spent(&self) -> bool {
        self.opaque.is_some() && self.exhausted()
    }

    fn exhausted(&self) -> bool {
        self.steps > MAX_STEPS
            || self.words > MAX_WORDS
            || self.bytes > MAX_BYTES
            || self.invocations.len() >= MAX_INVOCATIONS
    }

    /// Counts the bytes of expanded words: a short text can make very long ones, by doubling a variable or repeating
    /// a long line in a loop.
    fn account(&mut self, value: &Value, span: Span) {
        self.bytes += match value {
            Value::Known(text) => text.len(),
            Value::OneOf(texts) => texts.iter().map(Text::len).sum(),
            _ => return,
        };
        if self.bytes > MAX_BYTES {
            self.make_opaque(span, "more text than is followed in one analysis");
        }
    }

    /// Adds an invocation, its effects looked up.
    fn emit(&mut self, state: &State, cx: &Context, call: Call) {
        self.emit_as(state, cx, call, programs::Known::Look);
    }

    fn emit_as(&mut self, state: &State, cx: &Context, call: Call, known: programs::Known) {
        if call.reading {
            self.pending.clear();
            return;
        }
        if let Some(blocker) = self.meaning.take() {
            self.opaque.get_or_insert(blocker);
        }
        if self.invocations.len() >= MAX_INVOCATIONS {
            self.make_opaque(call.span, TOO_MANY);
            return;
        }
        if self.pending.iter().any(|effect| matches!(effect.kind, EffectKind::Opaque(_))) {
            self.evaluating.get_or_insert(self.invocations.len());
        }
        let launches = call.launches.and_then(|at| usize::try_from(at.get()).ok());
        let mut invocation = Invocation {
            words: call.words,
            assignments: call.assignments,
            redirections: call.redirections,
            directories: state.directories.clone(),
            launchers: cx.launchers.to_vec(),
            reach: cx.reach,
            effects: std::mem::take(&mut self.pending),
            read_only: false,
            specified: false,
            code: Vec::new(),
            texts: Vec::new(),
            named: cx.named,
            span: call.span,
        };
        programs::fill(&mut invocation, self.settings, &self.look, known);
        self.remember_made(&mut invocation, cx);
        let mut named = named::named(&mut invocation, state, launches);
        named.append(&mut self.overhear(&mut invocation, cx, known));
        self.remember_written(&invocation, cx);
        if named.is_empty() {
            self.invocations.push(invocation);
            return;
        }
        let program = match invocation.words.first().map(|word| &word.value) {
            Some(Value::Known(text)) => text.part(invocation.base_name().unwrap_or_default()),
            _ => Text::default(),
        };
        self.invocations.push(invocation);
        self.follow_named(state, cx, program, named);
    }

    /// Effects of expansions that belong to no simple command.
    fn flush(&mut self, state: &State, cx: &Context, span: Span) {
        if !self.pending.is_empty() {
            self.emit(state, cx, Call { span, ..Call::default() });
        }
    }

    fn pend(&mut self, kind: EffectKind, span: Span) {
        self.pending.push(Effect { kind, redirection: false, span });
    }
}

//! Word expansion: tilde, parameters, substitutions, splitting, globs and quote removal, as far as the
//! text tells (bash manual 3.5).

mod parameters;

use std::borrow::Cow;

use super::{
    Context, Feed, Planner, State,
    braces::{self, Atom},
    fields::{Fragment, field_value, finish, spread},
    state::MAX_VALUES,
};
use crate::{
    Argument, EffectKind, Span, Text, Value,
    tree::{Word, WordPart},
};

/// Where a word stands, which decides what is expanded in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Everything.
    Argument,
    /// The right side of `a=`: no braces, splitting or globs.
    Assignment,
    /// `case` subjects, `[[ ]]`: one word.
    Single,
    /// Redirection targets: everything, but it has to come to one word (bash manual 3.6).
    Target,
}

impl Planner<'_> {
    /// Expands words to arguments, planning every substitution inside.
    pub(crate) fn arguments(&mut self, state: &mut State, cx: &Context, words: &[Word]) -> Vec<Argument> {
        let mut arguments = Vec::with_capacity(words.len());
        for word in words {
            if self.spent() {
                break;
            }
            if let Some(value) = simple_value(word, Place::Argument) {
                let splits = matches!(value, Value::Glob(_));
                let span = cx.span(word.span);
                self.account(&value, span);
                arguments.push(argument(value, splits, span));
                continue;
            }
            let before = arguments.len();
            self.word_into(state, cx, word, Place::Argument, &mut arguments);
            for argument in arguments.get(before..).unwrap_or_default() {
                self.account(&argument.value, argument.span);
            }
        }
        arguments
    }

    /// Expands a word that stays one word.
    pub(crate) fn single(&mut self, state: &mut State, cx: &Context, word: &Word, place: Place) -> Value {
        let mut value = simple_value(word, place);
        if value.is_none() {
            let mut arguments = std::mem::take(&mut self.spare_arguments);
            self.word_into(state, cx, word, place, &mut arguments);
            if arguments.len() > 1 {
                return Value::Unknown;
            }
            value = arguments.pop().map(|argument| argument.value);
            self.spare_arguments = arguments;
        }
        let value = value.unwrap_or_else(|| Value::Known(Text::default()));
        self.account(&value, cx.span(word.span));
        value
    }

    fn word_into(
        &mut self,
        state: &mut State,
        cx: &Context,
        word: &Word,
        place: Place,
        out: &mut Vec<Argument>,
    ) {
        let span = cx.span(word.span);
        // The common shapes, without fragments.
        if let Some(value) = simple_value(word, place) {
            let splits = matches!(value, Value::Glob(_));
            out.push(argument(value, splits, span));
            return;
        }
        if matches!(place, Place::Argument | Place::Target) && braces::has_braces(&word.parts) {
            if let Some((whole, before, inner, behind)) = braces::flat(&word.parts) {
                let mut fragments = std::mem::take(&mut self.spare_fragments);
                for choice in inner.split(',') {
                    let text = if before.is_empty() && behind.is_empty() {
                        whole.part(choice)
                    } else {
                        [before, choice, behind].concat().into()
                    };
                    if text.contains(['~', '*', '?', '[']) {
                        self.braced(state, &text, true, false, place, &mut fragments);
                        finish(&mut fragments, place, span, out);
                    } else if !text.is_empty() {
                        out.push(argument(Value::Known(text), false, span));
                    }
                }
                self.spare_fragments = fragments;
                return;
            }
            match braces::expand(&word.parts) {
                Some(words) if words.iter().any(|word| braces::makes_expansion(word)) => {
                    self.make_opaque(span, "a brace expansion that changes the name of a variable");
                    self.parts(state, cx, &word.parts, place, &mut Vec::new());
                    out.push(Argument { vanishes: true, ..argument(Value::Unknown, true, span) });
                }
                Some(words) => {
                    for atoms in words {
                        let mut fragments = self.atoms(state, cx, &atoms, place);
                        finish(&mut fragments, place, span, out);
                    }
                }
                None => {
                    // What is inside still runs.
                    self.parts(state, cx, &word.parts, place, &mut Vec::new());
                    out.push(Argument { vanishes: true, ..argument(Value::Unknown, true, span) });
                }
            }
            return;
        }
        let mut fragments = std::mem::take(&mut self.spare_fragments);
        self.parts(state, cx, &word.parts, place, &mut fragments);
        finish(&mut fragments, place, span, out);
        self.spare_fragments = fragments;
    }

    fn atoms(&mut self, state: &mut State, cx: &Context, atoms: &[Atom<'_>], place: Place) -> Vec<Fragment> {
        let mut fragments = Vec::new();
        let mut literal = String::new();
        let mut first = true;
        let mut index = 0;
        while let Some(atom) = atoms.get(index) {
            match atom {
                Atom::Char(char) => literal.push(*char),
                Atom::Part(part) => {
                    if !literal.is_empty() {
                        let text = std::mem::take(&mut literal).into();
                        self.braced(state, &text, first, true, place, &mut fragments);
                    }
                    first = false;
                    self.part(state, cx, part, false, &mut fragments);
                }
            }
            index += 1;
        }
        if !literal.is_empty() {
            self.braced(state, &literal.into(), first, false, place, &mut fragments);
        }
        fragments
    }

    fn parts(
        &mut self,
        state: &mut State,
        cx: &Context,
        parts: &[WordPart],
        place: Place,
        out: &mut Vec<Fragment>,
    ) {
        for (index, part) in parts.iter().enumerate() {
            if let WordPart::Literal(text) = part {
                self.literal(state, text, index == 0, index + 1 < parts.len(), place, out);
            } else {
                self.part(state, cx, part, false, out);
            }
        }
    }

    /// Live text: tildes at the start of a word and of assignment values.
    fn literal(
        &mut self,
        state: &State,
        text: &Text,
        first: bool,
        more: bool,
        place: Place,
        out: &mut Vec<Fragment>,
    ) {
        if !text.contains('~') {
            out.push(Fragment::Active(text.clone()));
            return;
        }
        if first && text.starts_with('~') {
            let (prefix, rest) = match text.find('/') {
                Some(slash) => text.split_at(slash),
                None if more => {
                    // `~"x"` is no tilde prefix, `~$x` neither; rare enough to be unknown.
                    out.push(Fragment::Unknown { splits: false });
                    return;
                }
                None => (text.as_str(), ""),
            };
            match self.tilde(state, prefix) {
                Some(home) => out.push(Fragment::Quoted(home.into())),
                None => out.push(Fragment::Unknown { splits: false }),
            }
            if !rest.is_empty() {
                out.push(Fragment::Active(text.part(rest)));
            }
            return;
        }
        // `name=~/x` as an argument and `a=x:~/y`: bash expands those too (manual 3.5.2), and so it does behind
        // `+=`.
        if first
            && place != Place::Single
            && let Some((name, rest)) = text.split_once("=~")
            && is_name(name.strip_suffix('+').unwrap_or(name))
        {
            out.push(Fragment::Quoted(format!("{name}=").into()));
            if rest.contains(":~") {
                out.push(Fragment::Unknown { splits: false });
            } else {
                self.literal(
                    state,
                    &text.part(text.get(text.len() - rest.len() - 1..).unwrap_or_default()),
                    true,
                    more,
                    place,
                    out,
                );
            }
            return;
        }
        // Behind a subscript too, whatever stands in the brackets.
        let subscript = text.contains("]=~") || text.contains("]+=~");
        if (subscript || text.contains(":~")) && place != Place::Single {
            out.push(Fragment::Unknown { splits: false });
            return;
        }
        out.push(Fragment::Active(text.clone()));
    }

    /// Live text of a word with braces. Bash 5.2 lets a tilde behind `=` stand there; rare enough to be unknown.
    fn braced(
        &mut self,
        state: &State,
        text: &Text,
        first: bool,
        more: bool,
        place: Place,
        out: &mut Vec<Fragment>,
    ) {
        if text.contains("=~") {
            out.push(Fragment::Unknown { splits: false });
        } else {
            self.literal(state, text, first, more, place, out);
        }
    }

    fn tilde(&self, state: &State, prefix: &str) -> Option<String> {
        match prefix {
            "~" => self.variable(state, "HOME").0.known().map(str::to_owned),
            "~+" => self.variable(state, "PWD").0.known().map(str::to_owned),
            _ => None,
        }
    }

    fn part(
        &mut self,
        state: &mut State,
        cx: &Context,
        part: &WordPart,
        quoted: bool,
        out: &mut Vec<Fragment>,
    ) {
        match part {
            WordPart::Literal(text) if !quoted => out.push(Fragment::Active(text.clone())),
            WordPart::Literal(text) | WordPart::Quoted(text) => out.push(Fragment::Quoted(text.clone())),
            WordPart::DoubleQuoted(parts) => {
                out.push(Fragment::Quoted(Text::default()));
                for part in parts {
                    self.part(state, cx, part, true, out);
                }
            }
            WordPart::Parameter(parameter) => {
                let fragment = self.parameter(state, cx, parameter, quoted);
                spread(fragment, quoted, out);
            }
            WordPart::Command(substitution) => {
                let value = self.substitution(state, cx, substitution);
                spread(from_value(value, !quoted), quoted, out);
            }
            WordPart::Arithmetic(arithmetic) => {
                self.arithmetic(state, cx, arithmetic);
                let value = constant(arithmetic).unwrap_or(Value::Unknown);
                out.push(from_value(value, false));
            }
            WordPart::Process { command, output } => {
                let mut inner = state.clone();
                let mut cx = cx.clone();
                cx.reach.substitution = true;
                cx.reach.subshell = true;
                cx.breakable = false;
                cx.hears_later |= *output;
                let flow = self.list(&mut inner, &cx, &command.list);
                self.refuse_broken(&cx, command);
                self.piped = if *output || command.broken { Feed::Unknown } else { flow.feed };
                // The shell names the pipe: no path that a rule could be about. An empty one is nothing.
                out.push(if command.list.items.is_empty() {
                    Fragment::Unknown { splits: true }
                } else {
                    Fragment::Quoted(Text::from_static("/dev/fd/63"))
                });
            }
            WordPart::Assignment(assign) => {
                self.assign_value(state, cx, assign);
                out.push(Fragment::Unknown { splits: false });
            }
            WordPart::ExtendedGlob(_) | WordPart::Locale(_) => out.push(Fragment::Unknown { splits: false }),
        }
    }

    /// `$x` and `${...}`.
    /// Something in a word makes the invocation that has it opaque.
    pub(crate) fn hazard(&mut self, reason: impl Into<Cow<'static, str>>, span: Span) {
        self.pending.push(crate::Effect {
            kind: EffectKind::Opaque(reason.into()),
            redirection: false,
            span,
        });
    }
}

pub(super) fn argument(value: Value, splits: bool, span: Span) -> Argument {
    Argument { value, splits, vanishes: false, hazard: false, span }
}

/// The value of a word in which nothing but a glob is expanded: the most common ones.
fn simple_value(word: &Word, place: Place) -> Option<Value> {
    match word.parts.as_slice() {
        [WordPart::Quoted(text)] => Some(Value::Known(text.clone())),
        [WordPart::Literal(text)] => {
            let special = |byte: &u8| matches!(byte, b'*' | b'?' | b'[' | b'{' | b'~');
            let first = text.as_bytes().iter().position(special);
            let Some(first) = first else { return Some(Value::Known(text.clone())) };
            let rest = text.as_bytes().get(first..).unwrap_or_default();
            if place != Place::Argument || rest.iter().any(|byte| matches!(byte, b'{' | b'~')) {
                return None;
            }
            Some(field_value(&[Fragment::Active(text.clone())], place, word.span).value)
        }
        _ => None,
    }
}

pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|char: char| char.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The text when only literal and quoted parts are in it.
pub(crate) fn literal_text(parts: &[WordPart]) -> Option<Cow<'_, str>> {
    if let [WordPart::Literal(text) | WordPart::Quoted(text)] = parts {
        return Some(Cow::Borrowed(text));
    }
    let mut text = String::new();
    for part in parts {
        match part {
            WordPart::Literal(piece) | WordPart::Quoted(piece) => text.push_str(piece),
            WordPart::DoubleQuoted(parts) => text.push_str(&literal_text(parts)?),
            _ => return None,
        }
    }
    Some(Cow::Owned(text))
}

pub(super) fn constant(arithmetic: &crate::tree::Arithmetic) -> Option<Value> {
    let number =
        |text: &str| super::state::is_integer(text) && !text.trim_start_matches('-').starts_with('0');
    if let [WordPart::Literal(text) | WordPart::Quoted(text)] = &*arithmetic.parts {
        let trimmed = text.trim();
        return number(trimmed).then(|| Value::Known(text.part(trimmed)));
    }
    let text = literal_text(&arithmetic.parts)?;
    let text = text.trim();
    number(text).then(|| Value::Known(text.into()))
}

fn from_value(value: Value, splits: bool) -> Fragment {
    match value {
        Value::Known(text) if splits => Fragment::Active(text),
        Value::Known(text) => Fragment::Quoted(text),
        Value::OneOf(texts) if splits && texts.iter().any(|text| !simple(text)) => {
            Fragment::Unknown { splits: true }
        }
        Value::OneOf(texts) => Fragment::OneOf(texts),
        // Unquoted, a blank or a glob character in the file name would be live.
        Value::Glob(_) | Value::PathBelow(_) if splits => Fragment::Unknown { splits: true },
        Value::Glob(pattern) => Fragment::Glob(pattern),
        Value::PathBelow(directory) => Fragment::Below(directory),
        Value::Unknown => Fragment::Unknown { splits },
    }
}

/// Neither split nor globbed when unquoted.
fn simple(text: &str) -> bool {
    !text.is_empty()
        && !text.bytes().any(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'*' | b'?' | b'[' | b'\\'))
}

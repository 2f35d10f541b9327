//! `env` and what it runs (env(1)).

use super::{
    Call, Context, Flow, Planner, State,
    starts::{Prefix, TOO_MANY_STARTS, starts},
    variables,
    words::argument,
};
use crate::{
    Argument, Directories, EffectKind, Launcher, Span, Text, Value,
    judge::inside_roots,
    programs::{self, flags},
};

impl Planner<'_> {
    pub(super) fn env(
        &mut self,
        state: &mut State,
        cx: &Context,
        name: &str,
        trusted: bool,
        call: Call,
    ) -> Flow {
        const FLAGS: &str = "i ignore-environment 0 null u= unset= C= chdir= S= split-string= v debug help version \
            block-signal? default-signal? ignore-signal? list-signal-handling";
        let span = call.span;
        let split = first_split(&call.words, FLAGS);
        let front = split.as_ref().map_or(call.words.len(), |split| split.end);
        let parsed = flags::leading(call.words.get(..front).unwrap_or_default(), FLAGS, name);
        let mut start = parsed.rest;
        let bare = call.words.get(start).and_then(|word| word.value.known()) == Some("-");
        start += usize::from(bare);
        let mut assignments = Vec::new();
        start += self.assignment_words(call.words.get(start..).unwrap_or_default(), &mut assignments);
        let words: Vec<Argument> = call.words.get(start..).unwrap_or_default().to_vec();
        let prefix = Prefix { name: "env", flags: FLAGS, operands: 0, assignments: true };
        let found = starts(&call.words, start, &prefix);
        if found.too_many {
            self.make_opaque(span, TOO_MANY_STARTS);
        }
        let mut others = Vec::new();
        // An option that is not known may take the word behind it.
        if !parsed.unknown.is_empty() && !found.commands.contains(&(start + 1)) && words.len() > 1 {
            others.push((words.get(1..).unwrap_or_default().to_vec(), Vec::new()));
        }
        for at in found.commands.iter().copied().filter(|at| *at != start) {
            let behind = call.words.get(at..).unwrap_or_default().to_vec();
            others.push((behind, self.assignments_before(&call.words, at, &prefix)));
        }
        let has = |flag: &[&str]| {
            parsed.values.iter().any(|(name, _, _)| flag.contains(name))
                || parsed.plain.iter().any(|name| flag.contains(name))
        };
        let mut transparent = trusted && parsed.unknown.is_empty();
        for (flag, value, _) in &parsed.values {
            if matches!(*flag, "u" | "unset") {
                transparent &= value.known().is_some_and(|name| variables::harmless_local(name, Some("")));
            }
        }
        transparent &= split.is_none();
        let mut inner_state = state.clone();
        if bare || has(&["i", "ignore-environment"]) || !parsed.unknown.is_empty() {
            inner_state.forget_all();
        }
        for (flag, value, _) in &parsed.values {
            if matches!(*flag, "u" | "unset") {
                match value.known() {
                    Some(name) => inner_state.forget(name),
                    None => inner_state.forget_all(),
                }
            }
            if matches!(*flag, "C" | "chdir") {
                inner_state.directories = match (value.known(), &state.directories) {
                    (Some(path), Directories::Known(all)) => {
                        let moved: Option<_> =
                            all.iter().map(|directory| self.look.place(directory, path)).collect();
                        moved.map_or(Directories::Unknown, Directories::Known)
                    }
                    _ => Directories::Unknown,
                };
            }
        }
        // As after a `cd` out of the project, what runs there is another project's.
        transparent &= !has(&["C", "chdir"]) || inside_roots(&inner_state.directories, self.settings);
        if words.is_empty() && split.is_none() {
            if !has(&["help", "version"]) {
                self.pend(EffectKind::Environment, span);
            }
            self.emit_as(
                state,
                cx,
                call,
                if transparent { programs::Known::Nothing } else { programs::Known::Launcher },
            );
            return Flow::default();
        }
        if words.first().is_some_and(|word| word.value.known().is_none()) {
            // An unknown word may be `PATH=...`.
            transparent = false;
        }
        let known = if transparent && !has(&["help", "version"]) {
            programs::Known::Nothing
        } else {
            programs::Known::Launcher
        };
        // The variables belong to what `env` runs, and to `env` itself for rules that look at it.
        let rest = if split.is_some() { call.words.clone() } else { Vec::new() };
        let feed = super::launch::fed(&call.redirections, cx.feed.clone());
        let mut own = call;
        own.assignments.extend(assignments.iter().cloned());
        let named = own.named(name);
        self.emit_as(state, cx, own, known);
        let mut inner = cx.clone();
        inner.launchers.push(Launcher { name: named, transparent });
        inner.external = true;
        inner.no_functions = true;
        inner.feed = feed;
        if let Some(Split { value, at, end }) = &split {
            match value.known().and_then(split_string) {
                Some(pieces) => {
                    let first = argument(Value::Known(Text::from_static("env")), false, *at);
                    let pieces = pieces.into_iter().map(|value| argument(value, false, *at));
                    let behind = rest.into_iter().skip(*end);
                    let all = std::iter::once(first).chain(pieces).chain(behind).collect();
                    self.launched(&inner_state, &inner, all, Vec::new(), *at);
                }
                None => self.launched_text(&inner_state, &inner, &Value::Unknown, *at),
            }
        }
        // Behind an option that is not known the string may be another one.
        if words.is_empty() || split.is_some() && parsed.unknown.is_empty() {
            return Flow::default();
        }
        let mut other_state = inner_state.clone();
        if found.has(&["C", "chdir"]) {
            other_state.directories = Directories::Unknown;
        }
        for (words, assignments) in others {
            self.launched(&other_state, &inner, words, assignments, span);
        }
        if found.has(&["S", "split-string"]) && split.is_none() {
            self.make_opaque(span, "`env` may run text");
        }
        self.launched(&inner_state, &inner, words, assignments, span)
    }
}

/// A string that `env` makes words of.
struct Split {
    value: Value,
    at: Span,
    /// The index of the first word behind it: all that stand there follow those of the string, and are read together
    /// with them from the start, options too (seen in coreutils 9.1: `env -S rm -S ' x'` runs `rm -S ' x'`).
    end: usize,
}

/// The first string among the options. What stands behind it is read again, and no further one is.
fn first_split(words: &[Argument], flags: &'static str) -> Option<Split> {
    let mut at = 1;
    loop {
        let here = words.get(at..)?;
        let text = here.first()?.value.known()?;
        if text == "--" || text == "-" || !text.starts_with('-') {
            return None;
        }
        let (width, _, found) = flags::one(here, flags);
        at += width;
        if let Some(slot) = found.iter().find(|flag| is_split(flag.name)).and_then(|flag| flag.value) {
            return Some(Split { value: slot.value(), at: slot.span(), end: at });
        }
    }
}

fn is_split(flag: &str) -> bool {
    matches!(flag, "S" | "split-string")
}

/// The words that `env -S` makes of a string (GNU coreutils manual, "-S/--split-string syntax"): a variable's value is
/// not known. None for what `env` refuses.
fn split_string(text: &str) -> Option<Vec<Value>> {
    let mut words = Vec::new();
    // The word that is read; the outer one is none between words, the inner one when something in it is not known.
    let mut word: Option<Option<String>> = None;
    let mut quote = None;
    let mut rest = text.chars();
    let add = |word: &mut Option<Option<String>>, char: char| {
        if let Some(text) = word.get_or_insert_with(|| Some(String::new())) {
            text.push(char);
        }
    };
    let mut end = |word: &mut Option<Option<String>>| {
        words.extend(word.take().map(|word| word.map_or(Value::Unknown, |word| Value::Known(word.into()))));
    };
    while let Some(char) = rest.next() {
        match (char, quote) {
            ('\'', Some('\'')) | ('"', Some('"')) => quote = None,
            ('\'' | '"', None) => {
                quote = Some(char);
                word.get_or_insert_with(|| Some(String::new()));
            }
            (' ' | '\t' | '\n' | '\x0b' | '\x0c' | '\r', None) => end(&mut word),
            ('#', None) if word.is_none() => break,
            ('\\', Some('\'')) if !rest.as_str().starts_with(['\\', '\'']) => add(&mut word, char),
            ('\\', _) => match rest.next()? {
                '_' if quote.is_none() => end(&mut word),
                '_' => add(&mut word, ' '),
                'c' if quote.is_none() => break,
                'f' => add(&mut word, '\x0c'),
                'n' => add(&mut word, '\n'),
                'r' => add(&mut word, '\r'),
                't' => add(&mut word, '\t'),
                'v' => add(&mut word, '\x0b'),
                char @ ('"' | '#' | '$' | '\'' | '\\') => add(&mut word, char),
                _ => return None,
            },
            ('$', None | Some('"')) => {
                let (_, behind) = rest.as_str().strip_prefix('{')?.split_once('}')?;
                rest = behind.chars();
                word = Some(None);
            }
            _ => add(&mut word, char),
        }
    }
    end(&mut word);
    quote.is_none().then_some(words)
}

//! `xargs` and what it runs with the words that it reads (xargs(1)).

use super::{
    Call, Context, Feed, Flow, Planner, Separator, State,
    feeds::Taken,
    starts::{Prefix, TOO_MANY_STARTS, starts},
    words::argument,
};
use crate::{
    Argument, EffectKind, Launcher, Value,
    programs::{self, flags},
};

impl Planner<'_> {
    pub(super) fn xargs(
        &mut self,
        state: &mut State,
        cx: &Context,
        name: &str,
        trusted: bool,
        call: Call,
    ) -> Flow {
        const FLAGS: &str = "0 null d= delimiter= a=r arg-file=r I= i? replace? L= l? max-lines? n= max-args= P= max-procs= s= \
            max-chars= t verbose r no-run-if-empty x exit E= e? eof? show-limits";
        let span = call.span;
        let parsed = flags::leading(&call.words, FLAGS, name);
        let own = call.words.get(parsed.rest..).unwrap_or_default();
        // With room for the name that comes behind them.
        let mut words = Vec::with_capacity(own.len() + 1);
        words.extend_from_slice(own);
        if words.is_empty() {
            words.push(argument(Value::Known("echo".into()), false, span));
        }
        let separator = separator(&parsed);
        let whole = separator.is_some();
        let file = parsed.values.iter().any(|(flag, _, _)| matches!(*flag, "a" | "arg-file"));
        let transparent = trusted && whole && !file && parsed.unknown.is_empty();
        let fed = match (&cx.feed, separator) {
            (Feed::Names(names), Some(separator)) if !file => {
                self.name_of(names, Taken { separator, trimmed: false })
            }
            _ => Value::Unknown,
        };
        let marker = parsed.values.iter().rev().find_map(|(flag, value, _)| match *flag {
            "I" => value.known().map(str::to_owned),
            "i" | "replace" => Some(value.known().filter(|text| !text.is_empty()).unwrap_or("{}").to_owned()),
            _ => None,
        });
        let marker = marker.or_else(|| {
            parsed.plain.iter().any(|flag| matches!(*flag, "i" | "replace")).then(|| "{}".to_owned())
        });
        // Of `-I` and these the last one counts (xargs(1)): then the names come behind the words after all.
        let counts = parsed
            .values
            .iter()
            .any(|(flag, _, _)| matches!(*flag, "n" | "max-args" | "L" | "l" | "max-lines"))
            || parsed.plain.iter().any(|flag| matches!(*flag, "l" | "max-lines"));
        let marker = marker.filter(|marker| !marker.is_empty());
        let prefix = Prefix { name: "xargs", flags: FLAGS, operands: 0, assignments: false };
        let found = starts(&call.words, parsed.rest, &prefix);
        if found.too_many {
            self.make_opaque(span, TOO_MANY_STARTS);
        }
        let mut commands: Vec<Vec<Argument>> = found
            .commands
            .into_iter()
            .filter(|at| *at != parsed.rest)
            .map(|at| call.words.get(at..).unwrap_or_default().to_vec())
            .collect();
        commands.push(words);
        let doubtful = commands.len() > 1;
        for words in &mut commands {
            if let Some(marker) = &marker {
                replace(words, marker, &fed);
            } else if doubtful {
                // The words that are not known may make this the marker.
                replace(words, "{}", &Value::Unknown);
            }
            if marker.is_none() || counts || doubtful {
                words.push(Argument { vanishes: true, ..argument(fed.clone(), true, span) });
            }
        }
        let known = if transparent { programs::Known::Nothing } else { programs::Known::Launcher };
        let input = file
            .then(|| parsed.values.iter().find(|(flag, _, _)| matches!(*flag, "a" | "arg-file")).cloned());
        if let Some(Some((_, value, at))) = input {
            for target in programs::targets(&value, &state.directories, &self.look) {
                self.pend(EffectKind::Read { path: target, recursive: false }, at);
            }
        }
        let named = call.named(name);
        self.emit_as(state, cx, call, known);
        let mut inner = cx.clone();
        inner.launchers.push(Launcher { name: named, transparent });
        inner.external = true;
        inner.no_functions = true;
        inner.feed = Feed::Unknown;
        for words in commands {
            self.launched(state, &inner, words, Vec::new(), span);
        }
        Flow::default()
    }
}

/// What ends a word, where that is not blanks: the last of these options counts, so that two different ones say nothing.
fn separator(parsed: &flags::Leading) -> Option<Separator> {
    let plain =
        parsed.plain.iter().filter(|flag| matches!(**flag, "0" | "null")).map(|_| Some(Separator::Nul));
    let given = parsed.values.iter().filter(|(flag, _, _)| matches!(*flag, "d" | "delimiter"));
    let given = given.map(|(_, value, _)| match value.known() {
        Some("\\n" | "\n") => Some(Separator::Line),
        Some("\\0") => Some(Separator::Nul),
        _ => None,
    });
    let mut all = plain.chain(given);
    let first = all.next()??;
    all.all(|other| other == Some(first)).then_some(first)
}

/// Puts `value` where `marker` stands.
pub(super) fn replace(words: &mut [Argument], marker: &str, value: &Value) {
    for word in words {
        let Some(text) = word.value.known() else { continue };
        if text == marker {
            word.value = value.clone();
        } else if text.contains(marker) {
            word.value = Value::Unknown;
        }
    }
}

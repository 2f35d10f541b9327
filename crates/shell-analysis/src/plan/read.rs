//! `read`: which variables it sets, and to what when names of files are on its input (bash manual 4.2).

use super::{
    Call, Context, Feed, Planner, Separator, State, arithmetic::may_hide, feeds::Taken, redirects,
    words::is_name,
};
use crate::{EffectKind, RedirectionTarget, Shell, Span, Value, programs};

/// The words of one `read`.
#[derive(Default)]
struct Reading {
    /// Backslashes stand for themselves.
    raw: bool,
    /// What ends a piece; nothing when a piece may be cut anywhere.
    cut: bool,
    separator: Option<Separator>,
    array: bool,
    /// Every shell has its options.
    posix: bool,
    /// It may fail before it sets anything.
    fails: bool,
    /// The descriptor that it reads, if it is told.
    descriptor: Option<String>,
    names: Vec<(String, Span)>,
    /// A word that may be a name that is evaluated.
    unknown: Option<Span>,
}

impl Planner<'_> {
    pub(super) fn read(&mut self, state: &mut State, cx: &Context, call: Call) {
        let reading = words_of(&call);
        let Reading { names, unknown, .. } = &reading;
        if let Some(at) = unknown {
            if call.words.iter().any(|word| may_hide(&word.value)) {
                self.make_opaque(*at, "`read` evaluates a name that is not known");
            }
            self.pend(EffectKind::Opaque("`read` evaluates a name that is not known".into()), *at);
        }
        let taken = taken(&reading, &call);
        let own = call.redirections.iter().rev().find(|redirection| redirection.fd == 0);
        let copied = own.and_then(|redirection| match &redirection.target {
            RedirectionTarget::Descriptor(text) => Some(text.strip_suffix('-').unwrap_or(text)),
            _ => None,
        });
        let closed = reading.descriptor.as_deref().or(copied).is_some_and(|fd| !is_open(cx, &call, fd));
        let kept = reading.fails
            || closed
            || self.shell != Shell::Bash && !reading.posix
            || names.iter().any(|(name, _)| state.is_frozen(name));
        let (single, unknown) = (names.len() == 1 && !reading.array, *unknown);
        self.emit_as(state, cx, call, programs::Known::Nothing);
        if let Some(at) = unknown {
            state.forget_all();
            self.change_meaning(at, "`read` may set any variable");
            return;
        }
        if names.is_empty() {
            state.forget("REPLY");
        }
        for (name, at) in reading.names {
            if reading.array {
                self.arrays.insert(name.as_str().into());
            }
            let value = match (&cx.feed, taken) {
                (Feed::Names(names), Some(taken)) if single => self.name_of(names, taken),
                _ => Value::Unknown,
            };
            if kept {
                state.forget(&name);
            } else {
                state.set(&name, value, false);
            }
            self.variable_changed(cx, &name, at);
        }
    }
}

fn words_of(call: &Call) -> Reading {
    let mut reading = Reading { separator: Some(Separator::Line), posix: true, ..Reading::default() };
    let mut words = call.words.iter().skip(1);
    let mut options = true;
    while let Some(word) = words.next() {
        let Some(text) = word.value.known() else {
            reading.unknown = Some(word.span);
            continue;
        };
        let cluster = text.strip_prefix('-').filter(|rest| options && !rest.is_empty());
        let Some(cluster) = cluster else {
            options = false;
            reading.names.push((text.to_owned(), word.span));
            continue;
        };
        if text == "--" {
            options = false;
            continue;
        }
        reading.posix &= cluster == "r" || cluster.starts_with('p') || cluster.starts_with("rp");
        for (at, letter) in cluster.char_indices() {
            match letter {
                'r' => reading.raw = true,
                's' | 'e' => {}
                'a' | 'd' | 'i' | 'n' | 'N' | 'p' | 't' | 'u' => {
                    let rest = cluster.get(at + 1..).filter(|rest| !rest.is_empty());
                    let value = match rest {
                        Some(rest) => Some((Some(rest), word.span)),
                        None => words.next().map(|word| (word.value.known(), word.span)),
                    };
                    reading.option(letter, value, word.span);
                    break;
                }
                _ => reading.unknown = Some(word.span),
            }
        }
    }
    if reading.names.iter().any(|(name, _)| !is_name(name)) {
        reading.unknown = reading.unknown.or(Some(call.span));
    }
    reading
}

impl Reading {
    fn option(&mut self, letter: char, value: Option<(Option<&str>, Span)>, span: Span) {
        let text = value.and_then(|(text, _)| text);
        // `read -t 0` only looks whether there is something (bash manual 4.2).
        self.fails |= match letter {
            'n' | 'N' => text.and_then(|text| text.parse::<u32>().ok()).is_none_or(|count| count == 0),
            't' => !text.and_then(|text| text.parse::<f32>().ok()).is_some_and(|time| time >= 0.001),
            'u' => text.is_none(),
            _ => false,
        };
        if letter == 'u' {
            self.descriptor = text.map(str::to_owned);
        }
        match (letter, value) {
            ('a', Some((Some(name), at))) => {
                self.array = true;
                self.names.push((name.to_owned(), at));
            }
            ('a', _) => self.unknown = Some(span),
            // The first character, or NUL when there is none.
            ('d', Some((Some(""), _))) => self.separator = Some(Separator::Nul),
            ('d', Some((Some(text), _))) if text.starts_with('\n') => self.separator = Some(Separator::Line),
            ('d', _) => self.separator = None,
            ('p', _) => {}
            // So many characters, what came in time, another descriptor, or with text in front.
            _ => self.cut = true,
        }
    }
}

/// Whether the descriptor is one that a redirection around the command, or of it, has opened.
fn is_open(cx: &Context, call: &Call, descriptor: &str) -> bool {
    let Ok(fd) = descriptor.parse::<u8>() else { return false };
    let open = cx.descriptors | redirects::opened(&call.redirections);
    fd == 0 || 1u16.checked_shl(fd.into()).is_some_and(|bit| open & bit != 0)
}

/// How whole names come to the variable, if they do.
fn taken(reading: &Reading, call: &Call) -> Option<Taken> {
    let own_input = call.redirections.iter().any(|redirection| redirection.fd == 0);
    if own_input || reading.cut || !reading.raw {
        return None;
    }
    let separator = reading.separator?;
    let trimmed = match call.assignments.iter().rev().find(|assignment| assignment.name == "IFS") {
        None => true,
        Some(assignment) => match assignment.value.known() {
            Some("") => false,
            // Of a line nothing is left to take off.
            Some("\n") => separator == Separator::Nul,
            _ => return None,
        },
    };
    Some(Taken { separator, trimmed })
}

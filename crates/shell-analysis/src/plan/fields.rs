//! Pieces of expanded words, and how they make up fields: splitting at blanks, globs, counted values (bash
//! manual 3.5.7, 3.5.8).

use std::sync::Arc;

use super::{
    state::MAX_VALUES,
    words::{Place, argument},
};
use crate::{Argument, Below, GlobPattern, MAX_LENGTH, Span, Text, Value};

/// A piece of a word after expansion.
pub(super) enum Fragment {
    /// Live for globs.
    Active(Text),
    Quoted(Text),
    OneOf(Vec<Text>),
    Below(Arc<Below>),
    Glob(Arc<GlobPattern>),
    /// `splits`: zero or more words.
    Unknown {
        splits: bool,
    },
    /// A blank in an unquoted value: here the word ends.
    Break(char),
}

/// An unquoted known value is split at blanks.
pub(super) fn spread(fragment: Fragment, quoted: bool, out: &mut Vec<Fragment>) {
    let Fragment::Active(text) = fragment else {
        out.push(fragment);
        return;
    };
    if quoted {
        out.push(Fragment::Quoted(text));
        return;
    }
    if text.contains('\\') && text.contains(['*', '?', '[']) {
        out.push(Fragment::Unknown { splits: true });
        return;
    }
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let end = rest.find([' ', '\t', '\n']).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if !piece.is_empty() {
            out.push(Fragment::Active(text.part(piece)));
        }
        let mut behind = behind.chars();
        out.extend(behind.next().map(Fragment::Break));
        rest = behind.as_str();
    }
}

/// Fragments to words.
pub(super) fn finish(fragments: &mut Vec<Fragment>, place: Place, span: Span, out: &mut Vec<Argument>) {
    if !fragments.iter().any(|fragment| matches!(fragment, Fragment::Break(_))) {
        if !fragments.is_empty() {
            out.push(field_value(fragments, place, span));
            fragments.clear();
        }
        return;
    }
    if matches!(place, Place::Single | Place::Target) {
        // Redirection targets are split and globbed too, but must come out as one word.
        out.push(argument(Value::Unknown, false, span));
        fragments.clear();
        return;
    }
    let mut field = Vec::new();
    for fragment in fragments.drain(..) {
        match fragment {
            Fragment::Break(_) if place == Place::Argument => {
                if !field.is_empty() {
                    out.push(field_value(&field, place, span));
                    field.clear();
                }
            }
            Fragment::Break(blank) => field.push(Fragment::Quoted(blank.to_string().into())),
            other => field.push(other),
        }
    }
    if !field.is_empty() {
        out.push(field_value(&field, place, span));
    }
}

pub(super) fn field_value(field: &[Fragment], place: Place, span: Span) -> Argument {
    let globs = place != Place::Assignment && globs(field);
    if field.iter().any(|fragment| matches!(fragment, Fragment::Unknown { .. })) {
        // `"$x"/*` is as many words as there are matches.
        let splits =
            globs || field.iter().any(|fragment| matches!(fragment, Fragment::Unknown { splits: true }));
        let splits = splits && place == Place::Argument;
        let vanishes = splits
            && field.iter().all(|part| match part {
                Fragment::Unknown { splits } => *splits,
                // The quotes of `"$@"`.
                Fragment::Quoted(text) => text.is_empty(),
                _ => false,
            });
        return Argument { vanishes, ..argument(Value::Unknown, splits, span) };
    }
    if field.iter().any(|fragment| matches!(fragment, Fragment::Glob(_) | Fragment::Below(_))) {
        let value = if globs { None } else { around(field) };
        return argument(value.unwrap_or(Value::Unknown), globs && place == Place::Argument, span);
    }
    let choices = field.iter().any(|fragment| matches!(fragment, Fragment::OneOf(_)));
    match (globs, choices) {
        (false, false) => argument(joined(field).map_or(Value::Unknown, Value::Known), false, span),
        (true, false) => argument(Value::Glob(glob(field).into()), true, span),
        (true, true) => argument(Value::Unknown, true, span),
        (false, true) => argument(product(field), false, span),
    }
}

/// Literal text around one file name that is a match or lies below a directory: `./$f`, `$f/Cargo.toml`.
fn around(field: &[Fragment]) -> Option<Value> {
    let mut before = String::new();
    let mut name = None;
    let mut behind = String::new();
    for fragment in field {
        match fragment {
            Fragment::Active(text) | Fragment::Quoted(text) if name.is_none() => before.push_str(text),
            Fragment::Active(text) | Fragment::Quoted(text) => behind.push_str(text),
            Fragment::Glob(_) | Fragment::Below(_) if name.is_none() => name = Some(fragment),
            _ => return None,
        }
    }
    match name? {
        Fragment::Glob(glob) => {
            let mut pattern = String::new();
            escape(&before, &mut pattern);
            pattern.push_str(&glob.pattern);
            escape(&behind, &mut pattern);
            Some(Value::Glob(
                GlobPattern { pattern: pattern.into(), prefix: (before + &glob.prefix).into() }.into(),
            ))
        }
        Fragment::Below(names) => {
            around_name(&before, names, &behind).map(|below| Value::PathBelow(below.into()))
        }
        _ => None,
    }
}

fn around_name(before: &str, names: &Below, behind: &str) -> Option<Below> {
    let mut below = names.clone();
    if behind.split('/').chain(before.split('/')).any(|part| part == "..") {
        return None;
    }
    if !behind.is_empty() {
        below.named = None;
        if !behind.starts_with('/') {
            // The directory itself may be the name, and then `$f-x` is beside it.
            below.directory.clone_from(names.from.as_ref()?);
            below.files = false;
        }
    }
    if before.is_empty() {
        return Some(below);
    }
    // Behind text a name may be absolute. A flag, a variable, a host or a list of names is no path any more.
    let from = below.from.take()?;
    if before.starts_with(['-', '+']) || before.contains(['=', ':', '@', ',']) {
        return None;
    }
    below.dashes = false;
    if before.split('/').any(|part| !matches!(part, "" | ".")) {
        let directory = before.rfind('/').and_then(|slash| before.get(..=slash));
        // What is before a `..` may be a link.
        let named = before.split('/').skip_while(|part| matches!(*part, "" | "." | ".."));
        if named.skip(1).any(|part| part == "..") {
            return None;
        }
        below.directory = portcullis_paths::join(&from, directory.unwrap_or_default());
        (below.files, below.named) = (false, None);
    } else if before.starts_with('/') {
        return Some(Below::new("/"));
    }
    Some(below)
}

/// Adds text that stands for itself in a pattern.
fn escape(text: &str, pattern: &mut String) {
    for char in text.chars() {
        if matches!(char, '*' | '?' | '[' | ']' | '\\') {
            pattern.push('\\');
        }
        pattern.push(char);
    }
}

/// One text of known pieces; a piece that stands alone is shared. Nothing grows beyond the longest text: a
/// variable that is doubled again and again is soon not known any more.
fn joined(field: &[Fragment]) -> Option<Text> {
    let mut pieces = field.iter().filter_map(|fragment| match fragment {
        Fragment::Active(piece) | Fragment::Quoted(piece) if !piece.is_empty() => Some(piece),
        _ => None,
    });
    match (pieces.next(), pieces.next()) {
        (None, _) => Some(Text::default()),
        (Some(only), None) => Some(only.clone()),
        (Some(first), Some(second)) => {
            let mut text = String::with_capacity(first.len() + second.len());
            text.push_str(first);
            text.push_str(second);
            for piece in pieces {
                text.push_str(piece);
                if text.len() > MAX_LENGTH {
                    return None;
                }
            }
            (text.len() <= MAX_LENGTH).then(|| text.into())
        }
    }
}

fn product(field: &[Fragment]) -> Value {
    let mut all = vec![String::new()];
    for fragment in field {
        if all.iter().map(String::len).sum::<usize>() > MAX_LENGTH {
            return Value::Unknown;
        }
        match fragment {
            Fragment::Active(piece) | Fragment::Quoted(piece) => {
                for text in &mut all {
                    text.push_str(piece);
                }
            }
            Fragment::OneOf(choices) => {
                if all.len().saturating_mul(choices.len()) > MAX_VALUES {
                    return Value::Unknown;
                }
                all = all
                    .iter()
                    .flat_map(|text| choices.iter().map(move |choice| format!("{text}{choice}")))
                    .collect();
            }
            _ => return Value::Unknown,
        }
    }
    Value::OneOf(all.into_iter().map(Text::from).collect())
}

/// Whether the live text makes a glob; brackets may have quoted text between them (`["ab"]`).
fn globs(field: &[Fragment]) -> bool {
    if let [Fragment::Active(text)] = field {
        return live_glob(text);
    }
    let mut opened = false;
    field.iter().any(|fragment| match fragment {
        Fragment::Active(text) => {
            let closes = opened && text.contains(']');
            opened |= text.contains('[');
            closes || live_glob(text)
        }
        _ => false,
    })
}

/// A `[` is a glob only with a `]` behind it.
fn live_glob(text: &str) -> bool {
    text.contains(['*', '?'])
        || text.find('[').is_some_and(|at| text.get(at..).is_some_and(|rest| rest.contains(']')))
}

fn glob(field: &[Fragment]) -> GlobPattern {
    if let [Fragment::Active(text)] = field {
        let end = text.find(['*', '?', '[']).unwrap_or(text.len());
        return GlobPattern { pattern: text.clone(), prefix: text.part(text.get(..end).unwrap_or_default()) };
    }
    let mut pattern = String::new();
    let mut prefix = String::new();
    let mut literal = true;
    for fragment in field {
        match fragment {
            Fragment::Active(text) => {
                for char in text.chars() {
                    if matches!(char, '*' | '?' | '[') {
                        literal = false;
                    }
                    if literal {
                        prefix.push(char);
                    }
                    pattern.push(char);
                }
            }
            Fragment::Quoted(text) => {
                for char in text.chars() {
                    if matches!(char, '*' | '?' | '[' | ']' | '\\') {
                        pattern.push('\\');
                    }
                    if literal {
                        prefix.push(char);
                    }
                    pattern.push(char);
                }
            }
            _ => {}
        }
    }
    GlobPattern { pattern: pattern.into(), prefix: prefix.into() }
}

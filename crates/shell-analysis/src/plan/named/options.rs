//! Programs in the values of options and settings: where the value is, and what of it is a command.

use portcullis_paths::{GitSetting, names_program};

use super::{Found, Named, may_be_option};
use crate::{
    Argument, Invocation, Value,
    plan::{State, words::argument},
    runners::{Entry, How, Prepared},
};

/// Reads the options of a row.
pub(super) fn options(invocation: &Invocation, row: &Prepared, state: &State, found: &mut Found) {
    let words = &invocation.words;
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let here = at;
        at += 1;
        let Some(text) = word.value.known() else {
            found.doubtful |= may_be_option(word) && row.how != How::Setting;
            continue;
        };
        if row.dashed && !text.starts_with('-') {
            continue;
        }
        for entry in &row.entries {
            let Some(value) = value_of(*entry, text, words.get(at)) else { continue };
            let (value, span, took) = match value {
                Taken::Glued(rest) => (Value::Known(rest.into()), word.span, false),
                Taken::Next => {
                    let Some(next) = words.get(at) else { continue };
                    (next.value.clone(), next.span, true)
                }
            };
            let named = match row.how {
                How::Anything => {
                    found.named.push(Named::Anything(span));
                    continue;
                }
                How::Words => {
                    let mut rest: Vec<Argument> = Vec::new();
                    if !took {
                        rest.push(argument(value, false, span));
                    }
                    let later = words.get(at..).unwrap_or_default().iter();
                    rest.extend(later.take_while(|word| word.value.known() != Some(";")).cloned());
                    found.hazards.extend([here, here + 1]);
                    at += rest.len().saturating_sub(usize::from(!took));
                    found.named.push(Named::Words(rest));
                    break;
                }
                How::Setting if value.known().is_none() => {
                    found.named.push(Named::Anything(span));
                    continue;
                }
                How::Setting | How::SettingFrom => {
                    let Some((key, text)) = value.known().and_then(|text| text.split_once('=')) else {
                        continue;
                    };
                    let own = if row.how == How::Setting {
                        Value::Known(text.into())
                    } else {
                        let set = invocation.assignments.iter().rev().find(|set| set.name == text);
                        let set = set.map(|set| &set.value);
                        let set = set.or_else(|| state.get(text).map(|binding| &binding.value));
                        set.cloned().unwrap_or(Value::Unknown)
                    };
                    setting(key, &own)
                }
                _ => Some(match value.known() {
                    Some(text) => Value::Known(command(text).into()),
                    None => value,
                }),
            };
            if let Some(value) = named {
                found.hazards.push(here);
                if took {
                    found.hazards.push(here + 1);
                }
                found.named.push(Named::Text(value, span));
            }
        }
    }
}

/// `git config KEY VALUE`.
pub(super) fn stored(words: &[Argument], start: usize, found: &mut Found) {
    let mut behind = words.iter().enumerate().skip(start);
    let key = behind
        .find(|(_, word)| word.value.known().is_none_or(|text| text.contains('.') && !text.starts_with('-')));
    let (Some((_, key)), Some((at, value))) = (key, behind.next()) else { return };
    let Some(key) = key.value.known() else { return };
    if let Some(text) = setting(key, &value.value) {
        found.hazards.push(at);
        found.named.push(Named::Text(text, value.span));
    }
}

/// Whether a setting makes commands of addresses, whatever its value is.
pub(super) fn rewrites_addresses(key: &str) -> bool {
    keyed(key, None).is_some_and(|setting| setting.section == "url" && names_program(&setting))
}

/// The setting of a key such as `url.BASE.insteadOf`.
fn keyed(key: &str, value: Option<String>) -> Option<GitSetting> {
    let (section, name) = (key.split('.').next()?, key.rsplit('.').next()?);
    let between = key.get(section.len() + 1..key.len().saturating_sub(name.len() + 1));
    Some(GitSetting {
        section: section.to_ascii_lowercase(),
        subsection: between.map(str::to_owned),
        name: name.to_ascii_lowercase(),
        value,
        line: 1,
    })
}

/// What git runs for a setting.
fn setting(key: &str, value: &Value) -> Option<Value> {
    let setting = keyed(key, Some(value.known().unwrap_or("!").to_owned()))?;
    if !names_program(&setting) {
        return None;
    }
    // The command, or the rest of one, stands in some address.
    let text = match value.known() {
        Some(text) if setting.section != "url" => text,
        _ => return Some(Value::Unknown),
    };
    let text = match setting.section.as_str() {
        _ if text.starts_with(['!', '/']) => text.trim_start_matches('!').to_owned(),
        "alias" => format!("git {text}"),
        "credential" => format!("git credential-{text}"),
        _ => text.trim_start_matches("ext::").to_owned(),
    };
    Some(Value::Known(text.into()))
}

/// The command in a value: without the marks by which programs know one, and with blanks for what stands for them
/// (`ext::sh -c rm% x`, `gcc -wrapper rm,x`).
fn command(text: &str) -> String {
    let text = text.trim_start_matches(['!', '|', '@', '-', '[', '"', '\'', '(', ' ', '=', ':']);
    let text = text.trim_end_matches([']', '"', '\'', ')']);
    if text.contains("% ") { text.replace("% ", " ") } else { text.to_owned() }
}

/// Where the value of an option is.
pub(super) enum Taken<'a> {
    Glued(&'a str),
    Next,
}

pub(super) fn value_of<'a>(entry: Entry, text: &'a str, next: Option<&Argument>) -> Option<Taken<'a>> {
    let following = |optional: bool| (!optional && next.is_some()).then_some(Taken::Next);
    match entry {
        Entry::Inside(needle) => inside(needle, text).map(Taken::Glued),
        Entry::Start(start) => {
            let rest = text.get(start.len()..)?;
            text.get(..start.len())?.eq_ignore_ascii_case(start).then_some(Taken::Glued(rest))
        }
        Entry::Name { name: meant, optional } => {
            let body = text.strip_prefix('-')?;
            let (name, double) = body.strip_prefix('-').map_or((body, false), |name| (name, true));
            // Before the name is looked for its end: most words have nothing of it.
            if name.as_bytes().first() != meant.as_bytes().first() {
                return None;
            }
            let (name, glued) =
                name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
            let cut = double && name.len() >= 3 && meant.starts_with(name);
            match glued {
                _ if name != meant && !cut => None,
                Some(value) => Some(Taken::Glued(value)),
                None => following(optional),
            }
        }
        Entry::Letter { letter, optional } => {
            let body = text.strip_prefix('-').filter(|body| !body.starts_with('-'))?;
            let at = body.char_indices().find(|(_, other)| *other == letter)?.0;
            match body.get(at + letter.len_utf8()..)? {
                "" => following(optional),
                rest => Some(Taken::Glued(rest.strip_prefix('=').unwrap_or(rest))),
            }
        }
    }
}

/// What stands behind `needle`, whatever its case, and what separates the two.
fn inside<'a>(needle: &str, text: &'a str) -> Option<&'a str> {
    if text.len() <= needle.len() {
        return None;
    }
    let at = text
        .as_bytes()
        .windows(needle.len())
        .position(|window| window.eq_ignore_ascii_case(needle.as_bytes()))?;
    let rest = text.get(at + needle.len()..)?;
    Some(rest.trim_start_matches(['=', ':', ' ', '\t', '"', '\''])).filter(|rest| !rest.is_empty())
}

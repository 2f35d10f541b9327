//! Brace expansion (bash manual 3.5.1): textual, before every other expansion.

use crate::{
    Text,
    tree::{ParameterOperator, Word, WordPart},
};

/// The most words one word may expand to.
const MAX_WORDS: usize = 256;

/// A piece of a word while braces are expanded.
#[derive(Clone, Debug)]
pub(crate) enum Atom<'t> {
    /// A live character.
    Char(char),
    /// Anything quoted or expanded later.
    Part(&'t WordPart),
}

/// Whether the word has a live brace at all.
pub(crate) fn has_braces(parts: &[WordPart]) -> bool {
    parts.iter().any(|part| matches!(part, WordPart::Literal(text) if text.contains('{')))
}

/// The one pair of braces of a word without quotes and expansions: the text, what stands before them, inside and
/// behind, when that is a list of words and nothing more. The usual shape, which needs no taking apart.
pub(crate) fn flat(parts: &[WordPart]) -> Option<(&Text, &str, &str, &str)> {
    let [WordPart::Literal(text)] = parts else { return None };
    let (before, rest) = text.split_once('{')?;
    let (inner, behind) = rest.split_once('}')?;
    let one =
        !(before.contains('}') || inner.contains('{') || behind.contains(['{', '}']) || text.contains('$'));
    let commas = inner.bytes().filter(|byte| *byte == b',').count();
    (one && commas > 0 && commas < MAX_WORDS).then_some((text, before, inner, behind))
}

/// Expands; `None` when it is not certain what bash would make of it (unbalanced braces beside commas,
/// too many words).
pub(crate) fn expand(parts: &[WordPart]) -> Option<Vec<Vec<Atom<'_>>>> {
    let mut atoms = Vec::new();
    for part in parts {
        match part {
            WordPart::Literal(text) => atoms.extend(text.chars().map(Atom::Char)),
            other => atoms.push(Atom::Part(other)),
        }
    }
    // Bash counts the braces inside `${...}` too when it looks for pairs: `{a,${x:-{}}` has none.
    let hides = |part: &&WordPart| matches!(part, WordPart::Parameter(parameter) if parameter.operator.as_ref().is_some_and(holds_braces));
    if parts.iter().any(|part| hides(&part)) {
        return None;
    }
    // Each brace looks for its partner: without a bound that is quadratic.
    if atoms.iter().filter(|atom| matches!(atom, Atom::Char('{'))).count() > MAX_WORDS {
        return None;
    }
    words(&atoms, 0)
}

/// Whether a brace stands in the word of an operator.
fn holds_braces(operator: &ParameterOperator) -> bool {
    let braces = |word: &Word| {
        word.parts.iter().any(|part| match part {
            WordPart::Literal(text) | WordPart::Quoted(text) => text.contains(['{', '}']),
            _ => true,
        })
    };
    match operator {
        ParameterOperator::Default(word)
        | ParameterOperator::Assign(word)
        | ParameterOperator::Error(word)
        | ParameterOperator::Alternate(word)
        | ParameterOperator::Remove(word)
        | ParameterOperator::Case(word)
        | ParameterOperator::Other(word)
        | ParameterOperator::Replace(word, None) => braces(word),
        ParameterOperator::Replace(word, Some(with)) => braces(word) || braces(with),
        ParameterOperator::Substring(..) => true,
        ParameterOperator::Transform(_) | ParameterOperator::Names => false,
    }
}

/// Whether pieces that were apart are another expansion together: braces are expanded as text, before variables
/// are looked for, so that `{a$,b}c` is `a$c bc`, and `$a{b,c}` is `$ab $ac` (bash manual 3.5.1).
pub(crate) fn makes_expansion(word: &[Atom<'_>]) -> bool {
    word.windows(2).any(|pair| {
        let [before, after] = pair else { return false };
        match (before, after) {
            (Atom::Char('$'), Atom::Part(_)) => true,
            (Atom::Char('$'), Atom::Char(char)) => {
                char.is_ascii_alphanumeric() || "_{[@*#?-$!".contains(*char)
            }
            (Atom::Part(WordPart::Parameter(parameter)), Atom::Char(char)) => {
                let bare = parameter.span.end.saturating_sub(parameter.span.start) as usize;
                bare <= parameter.name.len() + 1 && (char.is_ascii_alphanumeric() || *char == '_')
            }
            _ => false,
        }
    })
}

fn words<'t>(atoms: &[Atom<'t>], depth: usize) -> Option<Vec<Vec<Atom<'t>>>> {
    if depth > 16 {
        return None;
    }
    let mut results: Vec<Vec<Atom<'t>>> = vec![Vec::new()];
    let mut index = 0;
    while let Some(atom) = atoms.get(index) {
        if !matches!(atom, Atom::Char('{')) {
            push_all(&mut results, atom);
            index += 1;
            continue;
        }
        let Some(close) = matching(atoms, index) else {
            // An open brace that is never closed stays as it is, but one behind it may still expand: only
            // without any comma or range is that certain.
            let rest = atoms.get(index..).unwrap_or_default();
            if rest.iter().any(|atom| matches!(atom, Atom::Char(',' | '.'))) {
                return None;
            }
            push_all(&mut results, atom);
            index += 1;
            continue;
        };
        let inner = atoms.get(index + 1..close).unwrap_or_default();
        match alternatives(inner, depth)? {
            Some(choices) => {
                if results.len().saturating_mul(choices.len()) > MAX_WORDS {
                    return None;
                }
                let mut next = Vec::with_capacity(results.len() * choices.len());
                for result in &results {
                    for choice in &choices {
                        let mut word = result.clone();
                        word.extend(choice.iter().cloned());
                        next.push(word);
                    }
                }
                results = next;
            }
            None => {
                // `{x}` stays literal, but what is inside may expand; and `{x}y,z}` is one with the later brace, as
                // `a{},b}` is: only a word that begins with `{}` keeps it (`find -exec a {},b} ;`).
                let kept = inner.is_empty() && index == 0 && depth == 0;
                if !kept && closes_later(atoms.get(close + 1..).unwrap_or_default()) {
                    return None;
                }
                push_all(&mut results, &Atom::Char('{'));
                let inside = words(inner, depth + 1)?;
                if inside.len() != 1 {
                    return None;
                }
                for atom in inside.into_iter().flatten() {
                    push_all(&mut results, &atom);
                }
                push_all(&mut results, &Atom::Char('}'));
            }
        }
        index = close + 1;
    }
    Some(results)
}

fn push_all<'t>(words: &mut [Vec<Atom<'t>>], atom: &Atom<'t>) {
    for word in words {
        word.push(atom.clone());
    }
}

fn matching(atoms: &[Atom<'_>], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (index, atom) in atoms.iter().enumerate().skip(open) {
        match atom {
            Atom::Char('{') => depth += 1,
            Atom::Char('}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether there is a comma, or the dots of a range, and behind it a brace that closes one from before.
fn closes_later(atoms: &[Atom<'_>]) -> bool {
    let (mut level, mut commas) = (0usize, false);
    for atom in atoms {
        match atom {
            Atom::Char('{') => level += 1,
            Atom::Char('}') if level == 0 && commas => return true,
            Atom::Char('}') => level = level.saturating_sub(1),
            Atom::Char(',' | '.') if level == 0 => commas = true,
            _ => {}
        }
    }
    false
}

/// The alternatives inside one pair of braces; the inner `None` when the braces are literal.
#[allow(clippy::option_option, reason = "uncertain and literal are different answers")]
fn alternatives<'t>(inner: &[Atom<'t>], depth: usize) -> Option<Option<Vec<Vec<Atom<'t>>>>> {
    let mut level = 0usize;
    let mut pieces = Vec::new();
    let mut start = 0;
    for (index, atom) in inner.iter().enumerate() {
        match atom {
            Atom::Char('{') => level += 1,
            Atom::Char('}') => level = level.saturating_sub(1),
            Atom::Char(',') if level == 0 => {
                pieces.push(inner.get(start..index).unwrap_or_default());
                start = index + 1;
            }
            _ => {}
        }
    }
    if pieces.is_empty() {
        return range(inner);
    }
    pieces.push(inner.get(start..).unwrap_or_default());
    let mut all = Vec::new();
    for piece in pieces {
        all.extend(words(piece, depth + 1)?);
        if all.len() > MAX_WORDS {
            return None;
        }
    }
    Some(Some(all))
}

/// `x..y` and `x..y..step`.
#[allow(clippy::option_option, reason = "uncertain and literal are different answers")]
fn range<'t>(inner: &[Atom<'t>]) -> Option<Option<Vec<Vec<Atom<'t>>>>> {
    // Dots beside quotes: bash takes a quoted comma for one between words then, and the braces go.
    let dots = |pair: &[Atom<'_>]| matches!(pair, [Atom::Char('.'), Atom::Char('.')]);
    if !inner.windows(2).any(dots) {
        return Some(None);
    }
    let mut text = String::new();
    for atom in inner {
        let Atom::Char(char) = atom else { return None };
        text.push(*char);
    }
    let mut fields = text.split("..");
    let (Some(first), Some(last), None) = (fields.next(), fields.next(), fields.next()) else { return None };
    if let (Ok(first), Ok(last)) = (first.parse::<i64>(), last.parse::<i64>()) {
        // Leading zeros pad: not needed, so not certain.
        if text.split("..").any(|field| field.len() > 1 && field.starts_with('0')) {
            return None;
        }
        let count = first.abs_diff(last);
        if count >= MAX_WORDS as u64 {
            return None;
        }
        let step = if first <= last { 1 } else { -1 };
        let mut all = Vec::new();
        let mut value = first;
        for _ in 0..=count {
            all.push(value.to_string().chars().map(Atom::Char).collect());
            value += step;
        }
        return Some(Some(all));
    }
    let (mut first_chars, mut last_chars) = (first.chars(), last.chars());
    match (first_chars.next(), last_chars.next(), first_chars.next(), last_chars.next()) {
        (Some(first), Some(last), None, None)
            if (first.is_ascii_lowercase() && last.is_ascii_lowercase() && first <= last)
                || (first.is_ascii_uppercase() && last.is_ascii_uppercase() && first <= last) =>
        {
            Some(Some((first..=last).map(|char| vec![Atom::Char(char)]).collect()))
        }
        (Some(_), Some(_), None, None) => None,
        _ => Some(None),
    }
}

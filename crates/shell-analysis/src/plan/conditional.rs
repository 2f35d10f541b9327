//! `[[ ]]`: an expression, of which the shell evaluates more than it compares.

use super::{Context, Planner, State, arithmetic::may_hide, words::Place};
use crate::{
    Argument, Value,
    tree::{Arithmetic, Conditional, Word, WordPart},
};

/// Operators between two operands of `test` (bash manual 6.4).
const BETWEEN: &[&str] =
    &["=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];

impl Planner<'_> {
    pub(super) fn conditional(&mut self, state: &mut State, cx: &Context, conditional: &Conditional) {
        match conditional {
            Conditional::Unary(operator, word) => {
                let noted = self.pending.len();
                let value = self.single(state, cx, word, Place::Single);
                if matches!(operator.as_deref(), None | Some("-n" | "-z")) {
                    self.only_tested(noted);
                }
                let evaluated = matches!(operator.as_deref(), Some("-v" | "-R"));
                if evaluated && !value.known().is_some_and(super::words::is_name) {
                    if may_hide(&value) {
                        self.make_opaque(cx.span(word.span), "`-v` evaluates a value that is not known");
                    }
                    self.hazard("`-v` evaluates a subscript", cx.span(word.span));
                }
            }
            Conditional::Binary(left, operator, right) => {
                if matches!(operator.as_str(), "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge") {
                    for word in [left, right] {
                        self.evaluated_word(state, cx, word);
                    }
                } else {
                    let noted = self.pending.len();
                    self.single(state, cx, left, Place::Single);
                    let right = self.single(state, cx, right, Place::Single);
                    // A pattern on the right would tell more.
                    let exact = matches!(operator.as_str(), "=" | "==" | "!=");
                    if exact && right.known().is_some() {
                        self.only_tested(noted);
                    }
                }
            }
            Conditional::Not(inner) => self.conditional(state, cx, inner),
            Conditional::And(left, right) | Conditional::Or(left, right) => {
                self.conditional(state, cx, left);
                self.conditional(state, cx, right);
            }
        }
    }

    fn evaluated_word(&mut self, state: &mut State, cx: &Context, word: &Word) {
        let arithmetic = Arithmetic { parts: word.parts.clone(), span: word.span };
        self.arithmetic(state, cx, &arithmetic);
    }
}

/// Whether `test` may evaluate a name with a subscript, and the word that it is when that is certain. `-v` may come
/// from a value that is not known, where an operator can stand.
pub(super) fn evaluated_by_test(words: &[Argument], counted: u64) -> Option<Option<&Argument>> {
    let words = words.get(1..).unwrap_or_default();
    let words = match words.split_last() {
        Some((last, rest)) if last.value.known() == Some("]") => rest,
        _ => words,
    };
    let name = |word: &Argument| word.value.known().is_some_and(super::words::is_name);
    for pair in words.windows(2) {
        let [flag, word] = pair else { continue };
        if matches!(flag.value.known(), Some("-v" | "-R")) && !name(word) {
            return Some(Some(word));
        }
    }
    // Several words may come from one.
    let number = |at: usize| {
        u32::try_from(at + 1).ok().and_then(|at| counted.checked_shr(at)).is_some_and(|bits| bits & 1 == 1)
    };
    let several = |(at, word): (usize, &Argument)| word.splits && word.value == Value::Unknown && !number(at);
    if words.iter().enumerate().any(several) && words.len() > 1 {
        return Some(None);
    }
    let known = |at: usize| words.get(at).and_then(|word| word.value.known());
    let between = |at: usize| known(at).is_some_and(|text| BETWEEN.contains(&text));
    let unary = |at: usize| {
        known(at).is_some_and(|text| text.len() == 2 && text.starts_with('-') && !matches!(text, "-a" | "-o"))
    };
    for (at, word) in words.iter().enumerate() {
        let Some(next) = words.get(at + 1) else { break };
        if word.value != Value::Unknown || number(at) || name(next) || between(at + 1) {
            continue;
        }
        let operand = match at.checked_sub(1) {
            None => false,
            Some(before) => match before.checked_sub(1) {
                None => unary(before),
                Some(first) => between(before) && !unary(first) || unary(before) && !between(first),
            },
        };
        // `"$a" "$op" b` compares, unless the first word may be a `!`.
        let compares = words.len() == 3 && at == 1 && known(0).is_some_and(|text| text != "!");
        if !operand && !compares {
            return Some(Some(next));
        }
    }
    None
}

/// A pattern that is a text, or matches everything.
pub(super) fn is_exact(pattern: &Word) -> bool {
    match pattern.parts.as_slice() {
        [WordPart::Literal(text)] => &**text == "*" || !text.contains(['*', '?', '[']),
        [WordPart::Quoted(_)] | [] => true,
        [WordPart::DoubleQuoted(parts)] => {
            parts.iter().all(|part| matches!(part, WordPart::Literal(_) | WordPart::Quoted(_)))
        }
        _ => false,
    }
}

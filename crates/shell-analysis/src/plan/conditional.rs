//! `[[ ]]`: an expression, of which the shell evaluates more than it compares.

use super::{Context, Planner, State, words::Place};
use crate::tree::{Arithmetic, Conditional, Word};

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

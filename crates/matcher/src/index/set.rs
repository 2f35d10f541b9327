//! Rules that begin anywhere, found by one pass over a text for all of them together.

use regex::RegexSet;

use super::found::Found;

/// More expressions than this are compared one by one: what one automaton for all of them takes to build grows faster
/// than they do.
const MAX_TOGETHER: usize = 1_000;

/// Rules by a regular expression that whatever they match has to match.
#[derive(Clone, Debug, Default)]
pub(super) struct Expressions {
    /// Ascending; one for each expression.
    ids: Vec<u32>,
    expressions: Vec<String>,
    /// None before [`Expressions::build`], and where there are too many.
    together: Option<RegexSet>,
}

impl Expressions {
    pub(super) fn add(&mut self, id: u32, expression: String) {
        self.ids.push(id);
        self.expressions.push(expression);
    }

    /// To be called when all of them are there.
    pub(super) fn build(&mut self) {
        let expressions = std::mem::take(&mut self.expressions);
        if !expressions.is_empty() && expressions.len() <= MAX_TOGETHER {
            self.together = RegexSet::new(&expressions).ok();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The rules that can match this text.
    pub(super) fn text<'a>(&'a self, text: &str, found: &mut Found<'a>) {
        let Some(together) = &self.together else { return found.add(&self.ids) };
        for at in together.matches(text) {
            found.add(self.ids.get(at..=at).unwrap_or_default());
        }
    }

    /// Every rule.
    pub(super) fn all<'a>(&'a self, found: &mut Found<'a>) {
        found.add(&self.ids);
    }
}

//! Assignments (bash manual 3.4, 6.7).

use super::{
    arithmetic::Stop,
    cursor::{Parsed, Parser, is_break, is_name_byte, is_name_start},
    word::{Mode, Parts},
};
use crate::{
    Text,
    tree::{Arithmetic, Assign, AssignValue, Word},
};

impl Parser<'_> {
    /// The assignment that comes next in front of a program's name, if one does.
    pub(super) fn assignment(&mut self, after_redirect: bool) -> Parsed<Option<Assign>> {
        let Some((name_end, next)) = self.name_ahead() else { return Ok(None) };
        let start = self.pos;
        match self.raw(next) {
            Some(b'=') => {}
            Some(b'+') if self.raw(self.past_continuations(next + 1)) == Some(b'=') => {}
            Some(b'[') => {
                let odd = self.odd_subscript(next);
                if !odd && !self.assigns_behind_bracket(next) {
                    return Ok(None);
                }
                if odd && after_redirect {
                    return self.unsupported("a subscript behind a redirection", start);
                }
                self.pos = next + 1;
                let name = self.without_continuations(start, name_end);
                let subscript = self.nested(start, |parser| parser.arithmetic(Stop::Bracket, start))?;
                if !self.at_assignment_sign() {
                    // A word with blanks or operators in its brackets.
                    let length = self.pos - start;
                    self.pos = start;
                    self.spend(length, start)?;
                    return Ok(None);
                }
                return self.assigned(start, name, Some(subscript), after_redirect).map(Some);
            }
            _ => return Ok(None),
        }
        self.pos = next;
        let name = self.without_continuations(start, name_end);
        self.assigned(start, name, None, after_redirect).map(Some)
    }

    /// `name=(` as an argument of a declaration builtin.
    pub(super) fn array_argument(&mut self) -> Parsed<Option<Assign>> {
        let Some((name_end, next)) = self.name_ahead() else { return Ok(None) };
        let start = self.pos;
        let plus = self.raw(next) == Some(b'+');
        let sign = if plus { self.past_continuations(next + 1) } else { next };
        let behind = self.past_continuations(sign + 1);
        if self.raw(sign) != Some(b'=') || self.raw(behind) != Some(b'(') {
            return Ok(None);
        }
        self.pos = next;
        let name = self.without_continuations(start, name_end);
        self.assigned(start, name, None, false).map(Some)
    }

    /// Where the name that comes next ends, and the first byte behind it.
    fn name_ahead(&mut self) -> Option<(usize, usize)> {
        if !self.peek().is_some_and(is_name_start) {
            return None;
        }
        let mut end = self.pos + 1;
        loop {
            let rest = self.bytes.get(end..).unwrap_or_default();
            end += rest.iter().position(|byte| !is_name_byte(*byte)).unwrap_or(rest.len());
            let at = self.past_continuations(end);
            if at == end || !self.raw(at).is_some_and(is_name_byte) {
                return Some((end, at));
            }
            end = at;
        }
    }

    /// The bracket at `open` holds something that would end or quote a word elsewhere.
    fn odd_subscript(&self, open: usize) -> bool {
        let rest = self.bytes.get(open + 1..).unwrap_or_default();
        let first = rest.iter().find(|&&byte| {
            is_break(byte) || matches!(byte, b'\'' | b'"' | b'`' | b'$' | b'\\' | b'[' | b']')
        });
        first != Some(&b']')
    }

    /// `=` or `+=` follows the bracket at `open`, which is not odd.
    fn assigns_behind_bracket(&self, open: usize) -> bool {
        let rest = self.bytes.get(open + 1..).unwrap_or_default();
        let close = open + 1 + rest.iter().position(|&byte| byte == b']').unwrap_or(rest.len());
        let next = self.past_continuations(close + 1);
        match self.raw(next) {
            Some(b'=') => true,
            Some(b'+') => self.raw(self.past_continuations(next + 1)) == Some(b'='),
            _ => false,
        }
    }

    fn at_assignment_sign(&mut self) -> bool {
        match self.peek() {
            Some(b'=') => true,
            Some(b'+') => self.second().0 == Some(b'='),
            _ => false,
        }
    }

    /// The sign and the value.
    fn assigned(
        &mut self,
        start: usize,
        name: Text,
        subscript: Option<Arithmetic>,
        after_redirect: bool,
    ) -> Parsed<Assign> {
        let append = self.eat(b'+');
        self.eat(b'=');
        let value = if self.peek() == Some(b'(') {
            if after_redirect {
                return self.unsupported("an array assignment here", start);
            }
            let from = self.pos;
            let elements = self.nested(start, |parser| parser.array(start))?;
            let process = matches!(self.peek(), Some(b'<' | b'>')) && self.second().0 == Some(b'(');
            if self.at_break() && !process {
                AssignValue::Array(elements)
            } else {
                AssignValue::Scalar(self.glued(elements, from)?)
            }
        } else {
            AssignValue::Scalar(self.word_or_empty(Mode::Plain)?)
        };
        Ok(Assign { name, subscript: subscript.map(Box::new), append, value, span: self.since(start) })
    }

    /// An array with text glued to it is one value: its words as written, with single blanks.
    fn glued(&mut self, elements: Vec<(Option<Box<Arithmetic>>, Word)>, from: usize) -> Parsed<Word> {
        let mut parts = Parts::new(self.whole);
        parts.literal("(");
        for (index, (subscript, word)) in elements.into_iter().enumerate() {
            if index > 0 {
                parts.literal(" ");
            }
            if let Some(subscript) = subscript {
                parts.literal("[");
                parts.all(subscript.parts);
                parts.literal("]=");
            }
            parts.all(word.parts);
        }
        parts.literal(")");
        parts.all(self.word_in(Mode::Plain)?.parts);
        Ok(Word { parts: parts.finish(), span: self.since(from) })
    }

    /// `(a b [i]=c)`
    fn array(&mut self, start: usize) -> Parsed<Vec<(Option<Box<Arithmetic>>, Word)>> {
        let from = self.pos;
        let elements = self.elements(start)?;
        // Bash prints a substitution and reads it again, and loses backslashes on the way.
        let raw = self.text.get(from..self.pos).unwrap_or_default();
        if self.in_substitution && raw.contains('\\') {
            return self.unsupported("an array with escapes in a substitution", start);
        }
        Ok(elements)
    }

    fn elements(&mut self, start: usize) -> Parsed<Vec<(Option<Box<Arithmetic>>, Word)>> {
        self.pos += 1;
        let mut elements = Vec::new();
        loop {
            self.newlines()?;
            match self.peek() {
                None => return self.unterminated("the array", start),
                Some(b')') => {
                    self.pos += 1;
                    return Ok(elements);
                }
                Some(b'[') if self.odd_subscript(self.pos) || self.assigns_behind_bracket(self.pos) => {
                    self.pos += 1;
                    let subscript = self.arithmetic(Stop::Bracket, start)?;
                    if !self.eat(b'=') {
                        return self.unsupported("this element of an array", start);
                    }
                    elements.push((Some(Box::new(subscript)), self.word_or_empty(Mode::Plain)?));
                }
                Some(_) => {
                    if let Some((_, next)) = self.name_ahead()
                        && self.raw(next) == Some(b'[')
                        && self.odd_subscript(next)
                    {
                        return self.unsupported("this element of an array", start);
                    }
                    elements.push((None, self.word()?));
                }
            }
        }
    }
}

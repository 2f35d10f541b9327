//! `${...}` (bash manual 3.5.3).
//!
//! Bash finds the closing brace before it knows the operator. What it then makes of the inside is followed
//! for the forms of the manual; anything else is refused.

use super::{
    arithmetic::Stop,
    cursor::{Parsed, Parser, is_name_start},
    word::{Parts, Quoting},
};
use crate::tree::{Arithmetic, Parameter, ParameterOperator, Word, WordPart};

/// The letters of `${x@L}`.
const TRANSFORMATIONS: &[u8] = b"UuLQEPAKak";

impl Parser<'_> {
    /// What stands behind `${`, with its closing brace.
    pub(super) fn braced(&mut self, start: usize, quoting: Quoting) -> Parsed<Parameter> {
        let mut parameter = Parameter {
            name: String::new(),
            indirect: false,
            length: false,
            subscript: None,
            operator: None,
            span: self.since(start),
        };
        match (self.peek(), self.second().0) {
            (Some(b'!'), Some(next)) if is_name_start(next) || next.is_ascii_digit() => {
                self.pos += 1;
                parameter.indirect = true;
            }
            (Some(b'#'), Some(b'@' | b'*' | b'?' | b'$' | b'!')) => {
                self.pos += 1;
                parameter.length = true;
            }
            (Some(b'#'), Some(next)) if is_name_start(next) || next.is_ascii_digit() => {
                self.pos += 1;
                parameter.length = true;
            }
            // Whether `#` is the parameter or the operator needs more than a glance.
            (Some(b'#' | b'!'), next) if next != Some(b'}') => {
                return self.unsupported("this form of `${#...}` or `${!...}`", start);
            }
            _ => {}
        }
        self.peek();
        match self.peek() {
            Some(byte) if is_name_start(byte) => {
                parameter.name = self.name();
                if self.eat(b'[') {
                    parameter.subscript = Some(self.subscript(start)?);
                }
            }
            Some(byte) if byte.is_ascii_digit() => {
                let name = self.name();
                if !name.bytes().all(|byte| byte.is_ascii_digit()) {
                    return self.unsupported("a bad substitution", start);
                }
                parameter.name = name;
            }
            Some(byte @ (b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')) => {
                self.pos += 1;
                parameter.name = char::from(byte).to_string();
            }
            None => return self.unterminated("the parameter expansion", start),
            Some(_) => return self.unsupported("a bad substitution", start),
        }
        if self.peek() != Some(b'}') {
            if parameter.length {
                return self.unsupported("a bad substitution", start);
            }
            parameter.operator = Some(self.parameter_operator(parameter.indirect, start, quoting)?);
        }
        if !self.eat(b'}') {
            if self.peek().is_none() {
                return self.unterminated("the parameter expansion", start);
            }
            return self.unsupported("a bad substitution", start);
        }
        parameter.span = self.since(start);
        Ok(parameter)
    }

    /// Behind `name[`; takes the closing bracket.
    fn subscript(&mut self, start: usize) -> Parsed<Arithmetic> {
        if let (Some(byte @ (b'@' | b'*')), (Some(b']'), at)) = (self.peek(), self.second()) {
            let span = self.since(self.pos);
            self.pos = at + 1;
            return Ok(Arithmetic { parts: vec![WordPart::Quoted(char::from(byte).to_string())], span });
        }
        self.arithmetic(Stop::Bracket, start)
    }

    fn parameter_operator(
        &mut self,
        indirect: bool,
        start: usize,
        quoting: Quoting,
    ) -> Parsed<ParameterOperator> {
        let (byte, (next, behind)) = (self.peek(), self.second());
        if indirect && matches!(byte, Some(b'*' | b'@')) && next == Some(b'}') {
            self.pos += 1;
            return Ok(ParameterOperator::Names);
        }
        match byte {
            Some(b':') if matches!(next, Some(b'-' | b'=' | b'?' | b'+')) => {
                self.pos = behind + 1;
                self.value_operator(next, quoting, start)
            }
            Some(b'-' | b'=' | b'?' | b'+') => {
                self.pos += 1;
                self.value_operator(byte, quoting, start)
            }
            Some(b':') => {
                self.pos += 1;
                let offset = self.arithmetic(Stop::Substring, start)?;
                let length =
                    if self.eat(b':') { Some(self.arithmetic(Stop::Substring, start)?) } else { None };
                if length.is_none() && offset.parts.is_empty() {
                    return self.unsupported("a bad substitution", start);
                }
                Ok(ParameterOperator::Substring(offset, length))
            }
            Some(byte @ (b'#' | b'%')) => {
                self.pos += 1;
                self.eat(byte);
                Ok(ParameterOperator::Remove(self.brace_word(quoting, true, false, start)?))
            }
            Some(byte @ (b'^' | b',')) => {
                self.pos += 1;
                self.eat(byte);
                Ok(ParameterOperator::Case(self.brace_word(quoting, true, false, start)?))
            }
            Some(b'/') => {
                self.pos += 1;
                if matches!(self.peek(), Some(b'/' | b'#' | b'%')) {
                    self.pos += 1;
                }
                let pattern = self.brace_word(quoting, true, true, start)?;
                if pattern.parts.is_empty() {
                    return self.unsupported("an empty pattern to replace", start);
                }
                let replacement =
                    if self.eat(b'/') { Some(self.brace_word(quoting, true, false, start)?) } else { None };
                Ok(ParameterOperator::Replace(pattern, replacement))
            }
            Some(b'@') if next.is_some_and(|letter| TRANSFORMATIONS.contains(&letter)) => {
                self.pos = behind + 1;
                Ok(ParameterOperator::Transform(char::from(next.unwrap_or_default())))
            }
            None => self.unterminated("the parameter expansion", start),
            Some(_) => self.unsupported("a bad substitution", start),
        }
    }

    fn value_operator(
        &mut self,
        sign: Option<u8>,
        quoting: Quoting,
        start: usize,
    ) -> Parsed<ParameterOperator> {
        let word = self.brace_word(quoting, false, false, start)?;
        Ok(match sign {
            Some(b'-') => ParameterOperator::Default(word),
            Some(b'=') => ParameterOperator::Assign(word),
            Some(b'?') => ParameterOperator::Error(word),
            _ => ParameterOperator::Alternate(word),
        })
    }

    /// The word of an operator, up to `}` (or `/`). In double quotes, quotes in a `pattern` still quote.
    fn brace_word(&mut self, quoting: Quoting, pattern: bool, slash: bool, start: usize) -> Parsed<Word> {
        let bare = quoting == Quoting::Bare;
        let from = self.pos;
        let mut parts = Parts::default();
        loop {
            let Some(byte) = self.peek() else { return self.unterminated("the parameter expansion", start) };
            match byte {
                b'}' => break,
                b'/' if slash => break,
                b'\\' => {
                    let next = self.character(self.pos + 1);
                    if bare || pattern || matches!(next, "$" | "`" | "\"" | "\\" | "}") {
                        parts.quoted(next);
                    } else {
                        parts.quoted("\\");
                        parts.quoted(next);
                    }
                    self.pos += 1 + next.len();
                }
                b'\'' if bare || (pattern && quoting == Quoting::Double) => {
                    let text = self.single_quoted()?;
                    parts.quoted(text);
                }
                b'\'' => {
                    // Bash pairs these quotes to find the brace, and then expands between them.
                    let at = self.pos;
                    let text = self.single_quoted()?;
                    if quoting == Quoting::Strict || text.contains(['$', '`', '\\', '"', '{', '}']) {
                        return self.unsupported("a single quote inside `${...}` in double quotes", at);
                    }
                    parts.quoted(self.text.get(at..self.pos).unwrap_or_default());
                }
                b'"' if quoting != Quoting::Strict => {
                    let quoted = self.double_quoted()?;
                    parts.push(WordPart::DoubleQuoted(quoted));
                }
                b'"' => return self.unsupported("a double quote inside `${...}` here", self.pos),
                b'`' => {
                    let command = self.backticks(if bare { quoting } else { Quoting::Strict })?;
                    parts.push(WordPart::Command(command));
                }
                b'$' if bare => self.dollar_in_word(&mut parts)?,
                b'$' => {
                    if matches!(self.second().0, Some(b'\'' | b'"')) {
                        return self
                            .unsupported("`$` and a quote inside `${...}` in double quotes", self.pos);
                    }
                    match self.dollar(quoting)? {
                        Some(part) => parts.push(part),
                        None => parts.quoted("$"),
                    }
                }
                b'<' | b'>' if self.second().0 == Some(b'(') => {
                    if !bare {
                        return self.unsupported(
                            "a process substitution inside `${...}` in double quotes",
                            self.pos,
                        );
                    }
                    let command = self.process_substitution()?;
                    parts.push(WordPart::Process { output: byte == b'>', command });
                }
                _ => {
                    let run = self.run(|byte| {
                        matches!(byte, b'}' | b'\\' | b'\'' | b'"' | b'`' | b'$' | b'<' | b'>')
                            || (slash && byte == b'/')
                    });
                    if bare || pattern { parts.literal(run) } else { parts.quoted(run) }
                }
            }
        }
        Ok(Word { parts: parts.0, span: self.since(from) })
    }
}

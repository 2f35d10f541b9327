//! `${...}` (bash manual 3.5.3).
//!
//! Bash finds the closing brace before it knows the operator. What it then makes of the inside is followed
//! for the forms of the manual; of anything else, only the expansions inside and the end.

use super::{
    arithmetic::Stop,
    cursor::{Parsed, Parser, is_name_start},
    word::{Parts, Quoting},
};
use crate::{
    Text,
    tree::{Arithmetic, Few, Parameter, ParameterOperator, Word, WordPart},
};

/// The letters of `${x@L}`.
const TRANSFORMATIONS: &[u8] = b"UuLQEPAKak";

impl<'a> Parser<'a> {
    /// What stands behind `${`, with its closing brace.
    pub(super) fn braced(&mut self, start: usize, quoting: Quoting) -> Parsed<Parameter> {
        let mut parameter = Parameter {
            name: Text::default(),
            indirect: false,
            length: false,
            subscript: None,
            operator: None,
            span: self.since(start),
        };
        let known = self.parameter_name(&mut parameter, start)?;
        if self.peek() != Some(b'}') && known && !parameter.length {
            parameter.operator = self.parameter_operator(parameter.indirect, start, quoting)?;
        }
        if self.peek() != Some(b'}') || !known {
            parameter.operator =
                Some(ParameterOperator::Other(self.brace_word(quoting, false, false, start)?));
        }
        if !self.eat(b'}') {
            return self.unterminated("the parameter expansion", start);
        }
        parameter.span = self.since(start);
        Ok(parameter)
    }

    /// The name with what belongs to it; false where only the end of the whole can be told.
    fn parameter_name(&mut self, parameter: &mut Parameter, start: usize) -> Parsed<bool> {
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
            (Some(b'#' | b'!'), next) if next != Some(b'}') => return Ok(false),
            _ => {}
        }
        let (byte, next) = (self.peek(), self.second().0);
        match byte {
            Some(byte) if is_name_start(byte) => {
                parameter.name = self.name();
                if self.eat(b'[') {
                    parameter.subscript = Some(Box::new(self.subscript(start)?));
                    return Ok(self.eat(b']'));
                }
            }
            Some(byte) if byte.is_ascii_digit() => {
                parameter.name = self.name();
                return Ok(parameter.name.bytes().all(|byte| byte.is_ascii_digit()));
            }
            Some(b'$') if matches!(next, Some(b'(' | b'{' | b'[' | b'\'' | b'"')) => return Ok(false),
            Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => {
                self.pos += 1;
                parameter.name = self.text_of(self.pos - 1, self.pos);
            }
            // Later versions of bash run commands here.
            Some(b' ' | b'\t' | b'\n' | b'|' | b'(') => {
                return self.unsupported("a command inside `${ }`", start);
            }
            None => return self.unterminated("the parameter expansion", start),
            Some(_) => return Ok(false),
        }
        Ok(true)
    }

    /// Behind `name[`, up to the closing bracket or, where it is missing, brace.
    fn subscript(&mut self, start: usize) -> Parsed<Arithmetic> {
        if let (Some(byte @ (b'@' | b'*')), (Some(b']'), at)) = (self.peek(), self.second()) {
            let span = self.since(self.pos);
            let text = Text::from_static(if byte == b'@' { "@" } else { "*" });
            self.pos = at;
            return Ok(Arithmetic { parts: Few::one(WordPart::Quoted(text)), span });
        }
        self.arithmetic(Stop::ParameterBracket, start)
    }

    /// `None` where no operator of the manual comes next.
    fn parameter_operator(
        &mut self,
        indirect: bool,
        start: usize,
        quoting: Quoting,
    ) -> Parsed<Option<ParameterOperator>> {
        let (byte, (next, behind)) = (self.peek(), self.second());
        if indirect && matches!(byte, Some(b'*' | b'@')) && next == Some(b'}') {
            self.pos += 1;
            return Ok(Some(ParameterOperator::Names));
        }
        let operator = match byte {
            Some(b':') if matches!(next, Some(b'-' | b'=' | b'?' | b'+')) => {
                self.pos = behind + 1;
                self.value_operator(next, quoting, start)?
            }
            Some(b'-' | b'=' | b'?' | b'+') => {
                self.pos += 1;
                self.value_operator(byte, quoting, start)?
            }
            Some(b':') => {
                self.pos += 1;
                let offset = self.arithmetic(Stop::Substring, start)?;
                let length =
                    if self.eat(b':') { Some(Box::new(self.arithmetic(Stop::Brace, start)?)) } else { None };
                ParameterOperator::Substring(offset, length)
            }
            Some(byte @ (b'#' | b'%')) => {
                self.pos += 1;
                self.eat(byte);
                ParameterOperator::Remove(self.brace_word(quoting, true, false, start)?)
            }
            Some(byte @ (b'^' | b',')) => {
                self.pos += 1;
                self.eat(byte);
                ParameterOperator::Case(self.brace_word(quoting, true, false, start)?)
            }
            Some(b'/') => {
                self.pos += 1;
                if matches!(self.peek(), Some(b'/' | b'#' | b'%')) {
                    self.pos += 1;
                }
                let pattern = self.brace_word(quoting, true, true, start)?;
                let replacement = if self.eat(b'/') {
                    Some(Box::new(self.brace_word(quoting, true, false, start)?))
                } else {
                    None
                };
                ParameterOperator::Replace(pattern, replacement)
            }
            Some(b'@') if next.is_some_and(|letter| TRANSFORMATIONS.contains(&letter)) => {
                self.pos = behind + 1;
                ParameterOperator::Transform(char::from(next.unwrap_or_default()))
            }
            None | Some(_) => return Ok(None),
        };
        Ok(Some(operator))
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
        let mut parts = Parts::new(self.whole);
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
                    self.single_quoted()?;
                    self.requoted(at, &mut parts)?;
                }
                b'"' if quoting != Quoting::Strict => {
                    let quoted = self.double_quoted()?;
                    parts.double_quoted(quoted);
                }
                b'"' => {
                    // Here the quotes are text, between which bash expands.
                    let at = self.pos;
                    self.double_quoted()?;
                    self.requoted(at, &mut parts)?;
                }
                b'`' => {
                    let command = self.backticks(if bare { quoting } else { Quoting::Strict })?;
                    parts.push(WordPart::Command(Box::new(command)));
                }
                b'$' if bare => self.dollar_in_word(&mut parts)?,
                b'$' => match self.second().0 {
                    Some(b'\'') => self.inert_ansi(&mut parts)?,
                    Some(b'"') => {
                        return self
                            .unsupported("`$` and a quote inside `${...}` in double quotes", self.pos);
                    }
                    _ => match self.dollar(quoting)? {
                        Some(part) => parts.push(part),
                        None => parts.quoted("$"),
                    },
                },
                b'<' | b'>' if self.second().0 == Some(b'(') => {
                    if !bare {
                        return self.unsupported(
                            "a process substitution inside `${...}` in double quotes",
                            self.pos,
                        );
                    }
                    let command = Box::new(self.lazily(Self::process_substitution)?);
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
        Ok(Word { parts: parts.finish(), span: self.since(from) })
    }

    /// The text from `at` on, between two quotes that are no more than text: expanded as in double quotes.
    pub(super) fn requoted(&mut self, at: usize, parts: &mut Parts<'a>) -> Parsed<()> {
        let (from, to) = (at + 1, self.pos.saturating_sub(1));
        let quote = self.text.get(at..from).unwrap_or_default();
        let text = self.text.get(from..to).unwrap_or_default();
        if text.contains(['\\', '"']) {
            return self.unsupported("quotes and escapes in quotes inside an expansion", at);
        }
        parts.quoted(quote);
        if text.contains(['$', '`']) {
            let inner = self.lazily(|parser| {
                parser.nested(at, |parser| {
                    parser.within(text, (from, to), |inner: &mut Parser<'_>| inner.document_parts())
                })
            })?;
            parts.all(inner);
        } else {
            parts.quoted(text);
        }
        parts.quoted(quote);
        Ok(())
    }
}

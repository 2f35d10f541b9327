//! Whether an arithmetic expression surely evaluates. One that fails in an expansion ends the line that it stands in
//! (bash 5.2: `x=a; : $((1/0)); x=b` leaves `x` as it was), so that what stands behind it may not run.

/// Stands in an expression for some decimal number.
pub(super) const COUNT: char = '\u{1}';
/// Stands for some decimal number that may have a minus in front.
pub(super) const INTEGER: char = '\u{2}';

/// A token of an expression without code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    /// Whether it is something else than zero.
    Number(bool),
    Name(&'a str),
    /// It may have a minus in front.
    Integer,
    Operator(&'a str),
}

/// Deeper ones are not looked into.
const MAX_DEPTH: usize = 16;

/// Longest first.
const OPERATORS: [&str; 39] = [
    "<<=", ">>=", "**", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "<<", ">>", "<=", ">=",
    "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "<", ">", "=", "&", "|", "^", "?", ":", "(", ")", ",",
    "!", "~",
];

/// Whether bash evaluates `text` without an error, as far as can be seen. `nonzero`: whether a variable is known to
/// hold another number than zero.
pub(super) fn surely_evaluates(text: &str, nonzero: impl Fn(&str) -> bool) -> bool {
    let mut rest = Tokens { rest: text, failed: false };
    // For each open parenthesis how many `?` are without their `:`.
    let mut open = [0_u8; MAX_DEPTH];
    let mut depth = 0;
    let empty = rest.peek().is_none();
    let (mut wants, mut assignable, mut name) = (true, true, false);
    while let Some(token) = rest.next() {
        match (wants, token) {
            (true, Token::Number(_) | Token::Integer) => (wants, name) = (false, false),
            (true, Token::Name(_)) => (wants, name) = (false, true),
            (true, Token::Operator("+" | "-" | "!" | "~")) => assignable = false,
            (true, Token::Operator("++" | "--")) => {
                if !matches!(rest.peek(), Some(Token::Name(_))) {
                    return false;
                }
                assignable = false;
            }
            (true, Token::Operator("(")) => {
                depth += 1;
                let Some(questions) = open.get_mut(depth) else { return false };
                (*questions, assignable) = (0, true);
            }
            (false, Token::Operator(")")) => {
                if depth == 0 || open.get(depth) != Some(&0) {
                    return false;
                }
                depth -= 1;
                (assignable, name) = (false, false);
            }
            (false, Token::Operator("++" | "--")) if name => (name, assignable) = (false, false),
            (false, Token::Operator(",")) => (wants, assignable) = (true, true),
            (false, Token::Operator("?")) => {
                let Some(questions) = open.get_mut(depth).filter(|questions| **questions < u8::MAX) else {
                    return false;
                };
                *questions += 1;
                (wants, assignable) = (true, false);
            }
            (false, Token::Operator(":")) => {
                let Some(questions) = open.get_mut(depth).filter(|questions| **questions > 0) else {
                    return false;
                };
                *questions -= 1;
                (wants, assignable) = (true, false);
            }
            // With a negative number `x-$y` is `x--1`.
            (false, Token::Operator("-")) if name && rest.rest.starts_with(INTEGER) => return false,
            // `1++1` is two signs; what bash makes of others is not looked into.
            (false, Token::Operator("++" | "--")) => return false,
            (false, Token::Operator(operator)) if operator != "(" && operator != "!" && operator != "~" => {
                let assigns = operator.ends_with('=') && !matches!(operator, "==" | "!=" | "<=" | ">=");
                if assigns && !(name && assignable) {
                    return false;
                }
                let divides = matches!(operator, "/" | "%" | "/=" | "%=");
                let fits = match rest.peek() {
                    Some(Token::Number(other)) => other || !divides,
                    Some(Token::Name(name)) => !divides && operator != "**" || divides && nonzero(name),
                    _ => !divides && operator != "**",
                };
                if !fits {
                    return false;
                }
                (wants, assignable) = (true, assigns);
            }
            _ => return false,
        }
    }
    !rest.failed && (empty || !wants && depth == 0 && open.first() == Some(&0))
}

/// What is left of an expression, token by token; it ends early where there is none.
#[derive(Clone, Copy)]
struct Tokens<'a> {
    rest: &'a str,
    failed: bool,
}

impl<'a> Tokens<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        let mut copy = *self;
        copy.next()
    }

    fn read(&mut self, first: char) -> Option<Token<'a>> {
        let word =
            self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (token, length) = if first == COUNT {
            (Token::Number(false), 1)
        } else if first == INTEGER {
            (Token::Integer, 1)
        } else if first.is_ascii_digit() {
            (Token::Number(number(self.rest.get(..word)?)?), word)
        } else if word > 0 {
            (Token::Name(self.rest.get(..word)?), word)
        } else {
            let operator = OPERATORS.iter().find(|operator| self.rest.starts_with(**operator))?;
            (Token::Operator(operator), operator.len())
        };
        self.rest = self.rest.get(length..)?;
        Some(token)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next().filter(|_| !self.failed)?;
        let token = self.read(first);
        self.failed = token.is_none();
        token
    }
}

/// Whether a number is another than zero; none for one that bash may not read (`08`, `2#3`).
fn number(text: &str) -> Option<bool> {
    let digits = match text.strip_prefix('0') {
        None => text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text)?,
        Some("") => text,
        Some(hex) if hex.starts_with(['x', 'X']) => {
            let hex = hex.get(1..)?;
            (!hex.is_empty() && hex.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(hex)?
        }
        Some(octal) => octal.bytes().all(|byte| matches!(byte, b'0'..=b'7')).then_some(octal)?,
    };
    // Longer ones may come to zero when they overflow.
    Some(digits.len() < 16 && digits.bytes().any(|byte| byte != b'0'))
}

#[cfg(test)]
mod tests {
    use super::surely_evaluates;

    #[test]
    fn what_evaluates_is_told_from_what_may_fail() {
        for text in [
            "",
            " ",
            "1",
            "x+1",
            "x++ + --y",
            "i=0, j=1",
            "i<3",
            "(1+2)*3",
            "-1",
            "!x",
            "1 ? 2 : 3",
            "a=b=2",
            "x/2",
            "x%n",
            "a/=2",
            "0x1f",
            "017",
            "(a=1)+2",
            "1<<3",
            "x>=2&&y",
            "2**3",
            "n = (m ? 1 : 2)",
        ] {
            assert!(surely_evaluates(text, |name| name == "n"), "{text}");
        }
        for text in [
            "1/0",
            "x/y",
            "1%0",
            "1/(2)",
            "08",
            "2#3",
            "1+",
            "1 2",
            "(1",
            "1)",
            "1=2",
            "1+a=2",
            "1?2",
            "1:2",
            "x++1",
            "--1",
            "2**-1",
            "3--5",
            "a/=0",
            "1?(2:3)",
            "x=",
            "*2",
            "()",
            "1 ? a=2 : 3",
            "0x",
            "1.5",
            "a[1]",
            "x/00",
            "1/18446744073709551616",
        ] {
            assert!(!surely_evaluates(text, |name| name == "n"), "{text}");
        }
    }
}

//! Arithmetic evaluates names, and the values of those names again (bash manual 6.5): code hidden in a
//! value runs. Only names whose value is provably an integer are safe.

use super::{
    Context, Planner, State,
    certain::{COUNT, INTEGER, surely_evaluates},
    state::is_integer,
    words::is_name,
};
use crate::{
    Value,
    tree::{Arithmetic, Few, WordPart},
};

/// Why an expression is more than a calculation.
enum Trouble {
    /// It may be an error.
    Fails,
    /// It sets what it must not.
    Sets(String),
    /// A number is a part of a name.
    Glues,
    /// It may run code in a value.
    Hides(String),
}

impl Planner<'_> {
    /// Plans what runs inside, and reports what might.
    pub(crate) fn arithmetic(&mut self, state: &mut State, cx: &Context, arithmetic: &Arithmetic) {
        if is_number(&arithmetic.parts) {
            return;
        }
        let span = cx.span(arithmetic.span);
        let mut text = String::new();
        let before = self.patterns;
        let told = self.flatten(state, cx, &arithmetic.parts, &mut text);
        if self.patterns != before {
            // Bash counts parentheses to find the end, and takes `$((rm $(case x in a) b;; esac) ))` for `$( (rm ...) )`.
            self.make_opaque(span, "arithmetic with a `case` inside may be commands");
        }
        if let Some(name) = changed(&text) {
            self.change_meaning(span, format!("arithmetic may set `{name}`"));
        }
        if let Err(trouble) = self.evaluate(state, &text) {
            let reason = match trouble {
                Trouble::Fails => "arithmetic that may fail ends the line that it stands in".into(),
                Trouble::Sets(reason) => {
                    if !told || self.untold_in(state, &text) || glues(&text) {
                        self.make_opaque(span, reason.clone());
                    }
                    reason
                }
                Trouble::Glues => {
                    let reason = "arithmetic on a name that is not known";
                    self.make_opaque(span, reason);
                    reason.into()
                }
                Trouble::Hides(reason) => {
                    if !told || self.untold_in(state, &text) || glues(&text) {
                        self.make_opaque(span, reason.clone());
                    }
                    reason
                }
            };
            self.hazard(reason, span);
            // Whatever ran may have set anything.
            state.forget_all();
            self.line_may_end(state);
        }
    }

    /// The expression with the text of what is known, a stand-in for what is some integer, and NUL for everything
    /// else. Whether what that may be stands in the text, or comes from the environment.
    fn flatten(&mut self, state: &mut State, cx: &Context, parts: &[WordPart], out: &mut String) -> bool {
        let mut told = true;
        for part in parts {
            match part {
                WordPart::Literal(text) | WordPart::Quoted(text) => {
                    out.extend(
                        text.chars()
                            .map(|char| if char.is_control() && !char.is_whitespace() { '\0' } else { char }),
                    );
                }
                WordPart::DoubleQuoted(parts) => told &= self.flatten(state, cx, parts, out),
                WordPart::Parameter(parameter) => {
                    let plain =
                        parameter.operator.is_none() && !parameter.indirect && parameter.subscript.is_none();
                    let (value, integer) = self.variable(state, &parameter.name);
                    // Subscripts and operators are planned by the ordinary expansion.
                    let word = crate::tree::Word {
                        parts: Few::one(WordPart::Parameter(parameter.clone())),
                        span: parameter.span,
                    };
                    self.single(state, cx, &word, super::words::Place::Single);
                    match value {
                        _ if parameter.length => out.push(COUNT),
                        Value::Known(text) if plain && integer => out.push_str(&text),
                        _ if plain && matches!(parameter.name.as_str(), "#" | "?" | "$") => out.push(COUNT),
                        _ if plain && integer => {
                            if self.may_be_blank(state, &parameter.name) {
                                self.line_may_end(state);
                            }
                            out.push(INTEGER);
                        }
                        _ => {
                            told &= !self.untold(state, &parameter.name);
                            out.push('\0');
                        }
                    }
                }
                WordPart::Command(substitution) => match self.substitution(state, cx, substitution) {
                    Value::Known(text) if is_integer(&text) => out.push_str(&text),
                    _ if self.counts(substitution) => {
                        // Nothing at all if it fails.
                        self.line_may_end(state);
                        out.push(COUNT);
                    }
                    _ => {
                        told = false;
                        out.push('\0');
                    }
                },
                WordPart::Arithmetic(inner) => {
                    self.arithmetic(state, cx, inner);
                    match super::words::constant(inner) {
                        Some(Value::Known(text)) => out.push_str(&text),
                        _ => out.push(INTEGER),
                    }
                }
                WordPart::Process { .. }
                | WordPart::Assignment(_)
                | WordPart::Locale(_)
                | WordPart::ExtendedGlob(_) => {
                    out.push('\0');
                }
            }
        }
        told
    }

    /// Whether the text gives the variable a value in which code may be that does not stand there as such.
    pub(super) fn untold(&self, state: &State, name: &str) -> bool {
        match state.get(name) {
            Some(binding) if binding.integer => false,
            Some(binding) => binding
                .value
                .candidates()
                .is_none_or(|texts| !texts.iter().all(|text| text.is_empty() || is_integer(text))),
            None => state.forgotten() && !self.uncalled,
        }
    }

    fn untold_in(&self, state: &State, text: &str) -> bool {
        let names = text.split(|char: char| !(char.is_ascii_alphanumeric() || char == '_'));
        text.contains(['$', '`']) || names.filter(|name| is_name(name)).any(|name| self.untold(state, name))
    }

    fn evaluate(&self, state: &mut State, text: &str) -> Result<(), Trouble> {
        let bytes = text.as_bytes();
        let mut index = 0;
        // A value that is set is the old one until its expression is evaluated: `b=b` runs what is in `b`.
        let (mut set, mut depth) = (Vec::new(), 0_usize);
        while let Some(&byte) = bytes.get(index) {
            if byte.is_ascii_alphabetic() || byte == b'_' {
                let mut end = index;
                while bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
                    end += 1;
                }
                let name = text.get(index..end).unwrap_or_default();
                let rest = text.get(end..).unwrap_or_default();
                if !is_name(name) || rest.starts_with([COUNT, INTEGER]) {
                    return Err(Trouble::Glues);
                }
                let rest = rest.trim_start();
                let assigned = rest.starts_with('=') && !rest.starts_with("==");
                let counted = text.get(..index).unwrap_or_default().trim_end().ends_with(['+', '-']);
                if super::variables::changes_meaning(name) {
                    return Err(Trouble::Sets(format!("arithmetic sets or reads `{name}`")));
                }
                if !assigned && !self.variable(state, name).1 {
                    let reason = format!("arithmetic evaluates `{name}`, whose value may hold code");
                    return Err(Trouble::Hides(reason));
                }
                if assigned || counted || writes(rest) {
                    if state.is_frozen(name) {
                        let reason = format!("arithmetic sets `{name}`, which is read-only");
                        return Err(Trouble::Sets(reason));
                    }
                    set.push(name);
                }
                index = end;
                continue;
            }
            if byte.is_ascii_digit() || matches!(char::from(byte), COUNT | INTEGER) {
                // Numbers, also `0x1f` and `2#101`, and what is glued to one.
                while bytes.get(index).is_some_and(|byte| {
                    byte.is_ascii_alphanumeric()
                        || matches!(char::from(*byte), '#' | '@' | '_' | COUNT | INTEGER)
                }) {
                    index += 1;
                }
                continue;
            }
            let safe = matches!(
                byte,
                b' ' | b'\t'
                    | b'\n'
                    | b'+'
                    | b'-'
                    | b'*'
                    | b'/'
                    | b'%'
                    | b'<'
                    | b'>'
                    | b'='
                    | b'!'
                    | b'&'
                    | b'|'
                    | b'^'
                    | b'~'
                    | b'?'
                    | b':'
                    | b'('
                    | b')'
                    | b','
            );
            if !safe {
                return Err(Trouble::Hides("arithmetic on a value that may hold code".to_owned()));
            }
            match byte {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b',' if depth == 0 => bind(state, &mut set, text),
                _ => {}
            }
            index += 1;
        }
        bind(state, &mut set, text);
        let nonzero = |name: &str| self.variable(state, name).0.known().is_some_and(is_nonzero);
        if !surely_evaluates(text, nonzero) {
            return Err(Trouble::Fails);
        }
        Ok(())
    }
}

/// Whether an expression is nothing but a decimal number, as most are in long lists of them: it evaluates to itself.
fn is_number(parts: &[WordPart]) -> bool {
    match parts {
        [WordPart::Literal(text) | WordPart::Quoted(text)] => {
            !text.starts_with(['0', '-']) && is_integer(text)
        }
        _ => false,
    }
}

/// Whether a number is a part of some name in it (`x$#`).
fn glues(text: &str) -> bool {
    let part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | COUNT | INTEGER);
    let name = |token: &&str| token.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_');
    text.split(|char: char| !part(char)).filter(name).any(|token| token.contains([COUNT, INTEGER]))
}

/// What `text` assigns is an integer from here on.
fn bind(state: &mut State, set: &mut Vec<&str>, text: &str) {
    for name in set.drain(..) {
        // `a && (b = 1)` may come to nothing.
        if text.contains(['?', '&', '|']) {
            state.forget_value(name, true);
        } else {
            state.set(name, Value::Unknown, true);
        }
    }
}

/// Whether a value that the shell evaluates may run code that does not stand in the text as such.
pub(super) fn may_hide(value: &Value) -> bool {
    value.candidates().is_none_or(|texts| texts.iter().any(|text| text.contains(['$', '`'])))
}

/// A decimal number other than zero.
fn is_nonzero(text: &str) -> bool {
    text.len() < 16 && text.parse::<i64>().is_ok_and(|number| number != 0)
}

/// A name that the text may set, after which what follows means something else (`((IFS=1))`).
fn changed(text: &str) -> Option<&str> {
    if !text.contains('=') && !text.contains("++") && !text.contains("--") {
        return None;
    }
    let names = text.split(|char: char| !(char.is_ascii_alphanumeric() || char == '_'));
    names.into_iter().find(|name| super::variables::changes_meaning(name))
}

/// `++`, `--` and compound assignments behind a name.
fn writes(rest: &str) -> bool {
    ["++", "--", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="]
        .iter()
        .any(|operator| rest.starts_with(operator))
}

//! Arithmetic evaluates names, and the values of those names again (bash manual 6.5): code hidden in a
//! value runs. Only names whose value is provably an integer are safe.

use super::{Context, Planner, State, certain::surely_evaluates, words::is_name};
use crate::{
    Value,
    tree::{Arithmetic, Few, WordPart},
};

impl Planner<'_> {
    /// Plans what runs inside, and reports what might.
    pub(crate) fn arithmetic(&mut self, state: &mut State, cx: &Context, arithmetic: &Arithmetic) {
        let span = cx.span(arithmetic.span);
        let mut text = String::new();
        let before = self.patterns;
        self.flatten(state, cx, &arithmetic.parts, &mut text);
        if self.patterns != before {
            // Bash counts parentheses to find the end, and takes `$((rm $(case x in a) b;; esac) ))` for `$( (rm ...) )`.
            self.make_opaque(span, "arithmetic with a `case` inside may be commands");
        }
        if let Err(reason) = self.evaluate(state, &text) {
            self.hazard(reason, span);
            // Whatever ran may have set anything.
            state.forget_all();
            self.line_may_end(state);
        }
    }

    /// The expression with integers for what is known to be one, and `?` for everything else.
    fn flatten(&mut self, state: &mut State, cx: &Context, parts: &[WordPart], out: &mut String) {
        for part in parts {
            match part {
                WordPart::Literal(text) | WordPart::Quoted(text) => out.push_str(text),
                WordPart::DoubleQuoted(parts) => self.flatten(state, cx, parts, out),
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
                        Value::Known(text) if plain && integer && !parameter.length => out.push_str(&text),
                        _ if plain && (integer || parameter.length) => out.push('1'),
                        _ if parameter.length => out.push('1'),
                        _ => out.push('\u{0}'),
                    }
                }
                WordPart::Command(substitution) => {
                    let value = self.substitution(state, cx, substitution);
                    let integer =
                        value.known().is_some_and(super::state::is_integer) || counts_lines(substitution);
                    out.push(if integer { '1' } else { '\u{0}' });
                }
                WordPart::Arithmetic(inner) => {
                    self.arithmetic(state, cx, inner);
                    out.push('1');
                }
                WordPart::Process { .. }
                | WordPart::Assignment(_)
                | WordPart::Locale(_)
                | WordPart::ExtendedGlob(_) => {
                    out.push('\u{0}');
                }
            }
        }
    }

    fn evaluate(&self, state: &mut State, text: &str) -> Result<(), String> {
        let bytes = text.as_bytes();
        let mut index = 0;
        while let Some(&byte) = bytes.get(index) {
            if byte.is_ascii_alphabetic() || byte == b'_' {
                let mut end = index;
                while bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
                    end += 1;
                }
                let name = text.get(index..end).unwrap_or_default();
                let rest = text.get(end..).unwrap_or_default().trim_start();
                if !is_name(name) {
                    return Err("arithmetic on a name that is not known".to_owned());
                }
                if super::variables::changes_meaning(name) {
                    return Err(format!("arithmetic sets or reads `{name}`"));
                }
                let assigned = rest.starts_with('=') && !rest.starts_with("==");
                if !assigned && !self.variable(state, name).1 {
                    return Err(format!("arithmetic evaluates `{name}`, whose value may hold code"));
                }
                if assigned
                    || writes(rest)
                    || text.get(..index).unwrap_or_default().trim_end().ends_with(['+', '-'])
                {
                    if state.is_frozen(name) {
                        return Err(format!("arithmetic sets `{name}`, which is read-only"));
                    }
                    // `a && (b = 1)` may come to nothing.
                    if text.contains(['?', '&', '|']) {
                        state.forget_value(name, true);
                    } else {
                        state.set(name, Value::Unknown, true);
                    }
                }
                index = end;
                continue;
            }
            if byte.is_ascii_digit() {
                // Numbers, also `0x1f` and `2#101`.
                while bytes.get(index).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'#') {
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
                return Err("arithmetic on a value that may hold code".to_owned());
            }
            index += 1;
        }
        let nonzero = |name: &str| self.variable(state, name).0.known().is_some_and(is_nonzero);
        if !surely_evaluates(text, nonzero) {
            return Err("arithmetic that may fail ends the line that it stands in".to_owned());
        }
        Ok(())
    }
}

/// A decimal number other than zero.
fn is_nonzero(text: &str) -> bool {
    text.len() < 16 && text.parse::<i64>().is_ok_and(|number| number != 0)
}

/// `++`, `--` and compound assignments behind a name.
fn writes(rest: &str) -> bool {
    ["++", "--", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="]
        .iter()
        .any(|operator| rest.starts_with(operator))
}

/// `wc -l < file` and `grep -c`-like counts print one integer; only the first is certain of that.
fn counts_lines(substitution: &crate::tree::Substitution) -> bool {
    use crate::tree::{CommandKind, RedirectOp};
    let [item] = substitution.list.items.as_slice() else { return false };
    if substitution.broken {
        return false;
    }
    let [command] = item.first.commands.as_slice() else { return false };
    let CommandKind::Simple(simple) = &command.kind else { return false };
    item.rest.is_empty()
        && simple.assignments.is_empty()
        && simple.words.len() == 2
        && command.redirects.len() == 1
        && command.redirects.iter().all(|redirect| redirect.op == RedirectOp::Read)
        && simple
            .words
            .iter()
            .zip(["wc", "-l"])
            .all(|(word, text)| super::words::literal_text(&word.parts).as_deref() == Some(text))
}

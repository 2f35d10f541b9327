//! A tree as text, without spans and without what bash does not keep when it prints a command: how a thing
//! was quoted, `|&`, default descriptors, absent words of `for`.

use std::fmt::Write as _;

use portcullis_shell_analysis::tree::*;

/// The normal form of a script; equal for texts that mean the same to the parser of bash.
pub(crate) fn form(script: &Script) -> String {
    let mut out = String::new();
    list(&script.list, &mut out);
    out
}

fn list(list: &List, out: &mut String) {
    for item in &list.items {
        // A lone `! !` is printed as nothing.
        if item.first.commands.is_empty() && item.rest.is_empty() && !item.background {
            continue;
        }
        pipeline(&item.first, out);
        for (operator, next) in &item.rest {
            write!(out, "{operator:?} ").unwrap();
            pipeline(next, out);
        }
        out.push_str(if item.background { "& " } else { "; " });
    }
}

fn pipeline(pipeline: &Pipeline, out: &mut String) {
    write!(out, "{}{}", if pipeline.negated { "! " } else { "" }, if pipeline.timed { "time " } else { "" })
        .unwrap();
    for (index, next) in pipeline.commands.iter().enumerate() {
        if index > 0 {
            out.push_str("| ");
        }
        command(next, pipeline.pipes_stderr.get(index) == Some(&true), out);
    }
}

fn command(command: &Command, stderr: bool, out: &mut String) {
    kind(&command.kind, out);
    for redirect in &command.redirects {
        redirection(redirect, out);
    }
    if stderr {
        out.push_str("2 DupOutput L(1)  ");
    }
}

fn redirection(redirect: &Redirect, out: &mut String) {
    use RedirectOp::{DupInput, DupOutput, HereDoc, HereString, Read, ReadWrite, WriteBoth};
    let mut target = String::new();
    match &redirect.target {
        RedirectTarget::Word(text) => word(text, &mut target),
        RedirectTarget::HereDoc { body, quoted } => {
            write!(target, "{quoted} ").unwrap();
            word(body, &mut target);
        }
    }
    let input = matches!(redirect.op, Read | ReadWrite | DupInput | HereDoc | HereString);
    let op = match redirect.op {
        // Closing is the same in both directions.
        DupInput if target == "L(-) " => DupOutput,
        // `>&word` is `&>word`.
        DupOutput if redirect.fd == RedirectFd::Default && both(&redirect.target) => WriteBoth,
        op => op,
    };
    match &redirect.fd {
        RedirectFd::Variable(name) => write!(out, "{{{name}}} ").unwrap(),
        RedirectFd::Number(number) => write!(out, "{number} ").unwrap(),
        RedirectFd::Default if op == WriteBoth || op == RedirectOp::AppendBoth => {}
        RedirectFd::Default => {
            out.push_str(if input { "0 " } else { "1 " });
        }
    }
    write!(out, "{op:?} {target} ").unwrap();
}

/// Behind `>&`: neither a number nor `-`, nor something that may become one.
fn both(target: &RedirectTarget) -> bool {
    let RedirectTarget::Word(word) = target else { return false };
    !matches!(word.parts.as_slice(), [WordPart::Literal(text)]
        if **text == *"-" || text.bytes().all(|byte| byte.is_ascii_digit()))
}

fn kind(kind: &CommandKind, out: &mut String) {
    match kind {
        CommandKind::Simple(simple) => {
            for assignment in &simple.assignments {
                assign(assignment, out);
            }
            words(&simple.words, out);
        }
        CommandKind::Subshell(inner) => enclosed("(", inner, ")", out),
        CommandKind::Group(inner) => enclosed("{", inner, "}", out),
        CommandKind::If { branches, otherwise } => {
            // `elif` is printed as an `if` in `else`.
            for (condition, body) in branches {
                enclosed("if", condition, "", out);
                enclosed("then", body, "", out);
            }
            if let Some(body) = otherwise {
                if let [Item { first, rest, background: false }] = body.items.as_slice()
                    && rest.is_empty()
                    && let [Command { kind: inner @ CommandKind::If { .. }, redirects, .. }] =
                        first.commands.as_slice()
                    && redirects.is_empty()
                    && !first.negated
                    && !first.timed
                {
                    return self::kind(inner, out);
                }
                enclosed("else", body, "", out);
            }
        }
        CommandKind::Loop { until, condition, body } => {
            enclosed(if *until { "until" } else { "while" }, condition, "", out);
            enclosed("do", body, "done", out);
        }
        CommandKind::For { name, words: items, body, select } => {
            write!(out, "for {select} {name:?} ").unwrap();
            match items {
                Some(items) => words(items, out),
                None => out.push_str("P(@q) "),
            }
            enclosed("do", body, "done", out);
        }
        CommandKind::ArithmeticFor { parts, body } => {
            for part in parts.iter() {
                // An absent part is true.
                if part.parts.is_empty() { out.push_str("[Q(1)] ") } else { arithmetic(part, out) }
            }
            enclosed("do", body, "done", out);
        }
        CommandKind::Case { subject, clauses } => {
            out.push_str("case ");
            word(subject, out);
            for (patterns, body) in clauses {
                words(patterns, out);
                enclosed("in", body, ";;", out);
            }
        }
        CommandKind::Arithmetic(inner) => arithmetic(inner, out),
        CommandKind::Conditional(inner) => conditional(inner, out),
        CommandKind::Function { name, body } => {
            write!(out, "function {name:?} ").unwrap();
            // Bash prints every body as a group.
            let group = matches!(body.kind, CommandKind::Group(_));
            out.push_str(if group { "" } else { "{ " });
            self::kind(&body.kind, out);
            out.push_str(if group { "" } else { "; } " });
            body.redirects.iter().for_each(|redirect| redirection(redirect, out));
        }
        CommandKind::Coproc { name, body } => {
            write!(out, "coproc {:?} ", name.as_deref().unwrap_or("COPROC")).unwrap();
            command(body, false, out);
        }
        other => panic!("{other:?}"),
    }
}

fn enclosed(open: &str, inner: &List, close: &str, out: &mut String) {
    write!(out, "{open} ").unwrap();
    list(inner, out);
    write!(out, "{close} ").unwrap();
}

fn conditional(conditional_: &Conditional, out: &mut String) {
    match conditional_ {
        Conditional::Unary(operator, inner) => {
            write!(out, "{} ", operator.as_deref().unwrap_or("-n")).unwrap();
            word(inner, out);
        }
        Conditional::Binary(left, operator, right) => {
            word(left, out);
            write!(out, "{operator} ").unwrap();
            word(right, out);
        }
        Conditional::Not(inner) => {
            out.push_str("not( ");
            conditional(inner, out);
            out.push(')');
        }
        Conditional::And(left, right) | Conditional::Or(left, right) => {
            out.push_str(if matches!(conditional_, Conditional::And(..)) { "and( " } else { "or( " });
            conditional(left, out);
            conditional(right, out);
            out.push(')');
        }
        other => panic!("{other:?}"),
    }
}

fn assign(assign: &Assign, out: &mut String) {
    write!(out, "{}", assign.name).unwrap();
    if let Some(subscript) = &assign.subscript {
        arithmetic(subscript, out);
    }
    out.push_str(if assign.append { "+= " } else { "= " });
    match &assign.value {
        AssignValue::Scalar(value) => word(value, out),
        AssignValue::Array(elements) => {
            for (subscript, value) in elements {
                if let Some(subscript) = subscript {
                    arithmetic(subscript, out);
                }
                word(value, out);
            }
            out.push_str("end ");
        }
    }
}

fn words(words: &[Word], out: &mut String) {
    words.iter().for_each(|next| word(next, out));
}

fn word(word: &Word, out: &mut String) {
    let mut pieces = Vec::new();
    parts(&word.parts, false, &mut pieces);
    write!(out, "{} ", join(&pieces)).unwrap();
}

fn arithmetic(arithmetic: &Arithmetic, out: &mut String) {
    let mut pieces = Vec::new();
    parts(&arithmetic.parts, true, &mut pieces);
    let text = join(&pieces);
    write!(out, "[{}] ", text.replace([' ', '\t'], "")).unwrap();
}

/// A piece of a word: its kind and its text.
type Piece = (char, String);

fn join(pieces: &[Piece]) -> String {
    let mut joined: Vec<Piece> = Vec::new();
    for (kind, text) in pieces {
        match joined.last_mut() {
            Some((last, whole)) if last == kind && matches!(kind, 'L' | 'Q') => whole.push_str(text),
            _ => joined.push((*kind, text.clone())),
        }
    }
    // An empty quote makes a word of nothing, and nothing of a word.
    let several = joined.len() > 1;
    joined.retain(|(kind, text)| !(several && *kind == 'Q' && text.is_empty()));
    // Bash doubles its own escape character when it prints it.
    joined.iter().map(|(kind, text)| format!("{kind}({})", text.replace("\u{1}\u{1}", "\u{1}"))).collect()
}

fn parts(all: &[WordPart], quoted: bool, out: &mut Vec<Piece>) {
    let sign = if quoted { "q" } else { "" };
    for part in all {
        match part {
            WordPart::Literal(text) => out.push((if quoted { 'Q' } else { 'L' }, text.to_string())),
            WordPart::Quoted(text) | WordPart::Locale(text) => out.push(('Q', text.to_string())),
            WordPart::DoubleQuoted(inner) => {
                out.push(('Q', String::new()));
                parts(inner, true, out);
            }
            WordPart::Parameter(inner) => {
                let mut text = String::new();
                parameter(inner, &mut text);
                out.push(('P', text + sign));
            }
            WordPart::Command(inner) => out.push(('C', substitution(inner) + sign)),
            WordPart::Process { output, command } => {
                out.push((if *output { '>' } else { '<' }, substitution(command)));
            }
            WordPart::Arithmetic(inner) => {
                let mut text = String::new();
                arithmetic(inner, &mut text);
                out.push(('A', text));
            }
            WordPart::Assignment(inner) => {
                let mut text = String::new();
                assign(inner, &mut text);
                out.push(('=', text));
            }
            WordPart::ExtendedGlob(text) => out.push(('G', text.clone())),
            other => panic!("{other:?}"),
        }
    }
}

fn substitution(inner: &Substitution) -> String {
    let mut text = String::from(if inner.broken { "broken " } else { "" });
    list(&inner.list, &mut text);
    text
}

fn parameter(parameter: &Parameter, out: &mut String) {
    write!(
        out,
        "{}{}{}",
        if parameter.indirect { "!" } else { "" },
        if parameter.length { "#" } else { "" },
        parameter.name
    )
    .unwrap();
    if let Some(subscript) = &parameter.subscript {
        arithmetic(subscript, out);
    }
    let Some(operator) = &parameter.operator else { return };
    match operator {
        ParameterOperator::Default(value)
        | ParameterOperator::Assign(value)
        | ParameterOperator::Error(value)
        | ParameterOperator::Alternate(value)
        | ParameterOperator::Remove(value)
        | ParameterOperator::Case(value)
        | ParameterOperator::Other(value) => word(value, out),
        ParameterOperator::Replace(pattern, with) => {
            word(pattern, out);
            with.iter().for_each(|with| word(with, out));
        }
        ParameterOperator::Substring(offset, length) => {
            arithmetic(offset, out);
            length.iter().for_each(|length| arithmetic(length, out));
        }
        ParameterOperator::Transform(letter) => out.push(*letter),
        ParameterOperator::Names => out.push('*'),
        other => panic!("{other:?}"),
    }
}

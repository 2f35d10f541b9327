//! Walks a tree: every command in it, and what its words are.
#![allow(dead_code, reason = "each test file uses its part")]

use portcullis_shell_analysis::tree::*;

/// The program of every simple command: its text when that is plain, `?` when not, `-` without words.
pub(crate) fn programs(script: &Script) -> Vec<String> {
    let mut found = Vec::new();
    visit(&script.list, &mut |command| {
        if let CommandKind::Simple(simple) = &command.kind {
            found.push(match simple.words.first() {
                Some(word) => text(word).unwrap_or_else(|| "?".to_owned()),
                None => "-".to_owned(),
            });
        }
    });
    found
}

/// The words of a command that has only plain ones.
pub(crate) fn words(simple: &Simple) -> Vec<String> {
    simple.words.iter().map(|word| text(word).unwrap_or_else(|| "?".to_owned())).collect()
}

fn text(word: &Word) -> Option<String> {
    let mut text = String::new();
    for part in &word.parts {
        match part {
            WordPart::Literal(piece) | WordPart::Quoted(piece) => text.push_str(piece),
            WordPart::DoubleQuoted(parts) => {
                for part in parts {
                    let WordPart::Quoted(piece) = part else { return None };
                    text.push_str(piece);
                }
            }
            _ => return None,
        }
    }
    Some(text)
}

/// Calls `see` for every command at any depth.
pub(crate) fn visit(list: &List, see: &mut dyn FnMut(&Command)) {
    for item in &list.items {
        for pipeline in std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline)) {
            for command in &pipeline.commands {
                visit_command(command, see);
            }
        }
    }
}

fn visit_command(command: &Command, see: &mut dyn FnMut(&Command)) {
    see(command);
    match &command.kind {
        CommandKind::Simple(simple) => {
            simple.assignments.iter().for_each(|assign| visit_assign(assign, see));
            simple.words.iter().for_each(|word| visit_parts(&word.parts, see));
        }
        CommandKind::Subshell(list) | CommandKind::Group(list) => visit(list, see),
        CommandKind::If { branches, otherwise } => {
            for (condition, body) in branches {
                visit(condition, see);
                visit(body, see);
            }
            otherwise.iter().for_each(|list| visit(list, see));
        }
        CommandKind::Loop { condition, body, .. } => {
            visit(condition, see);
            visit(body, see);
        }
        CommandKind::For { words, body, .. } => {
            words.iter().flatten().for_each(|word| visit_parts(&word.parts, see));
            visit(body, see);
        }
        CommandKind::ArithmeticFor { parts, body } => {
            parts.iter().for_each(|part| visit_parts(&part.parts, see));
            visit(body, see);
        }
        CommandKind::Case { subject, clauses } => {
            visit_parts(&subject.parts, see);
            for (patterns, body) in clauses {
                patterns.iter().for_each(|word| visit_parts(&word.parts, see));
                visit(body, see);
            }
        }
        CommandKind::Arithmetic(arithmetic) => visit_parts(&arithmetic.parts, see),
        CommandKind::Conditional(conditional) => visit_conditional(conditional, see),
        CommandKind::Function { body, .. } | CommandKind::Coproc { body, .. } => visit_command(body, see),
        other => panic!("{other:?}"),
    }
    for redirect in &command.redirects {
        match &redirect.target {
            RedirectTarget::Word(word) | RedirectTarget::HereDoc { body: word, .. } => {
                visit_parts(&word.parts, see);
            }
        }
    }
}

fn visit_conditional(conditional: &Conditional, see: &mut dyn FnMut(&Command)) {
    match conditional {
        Conditional::Unary(_, word) => visit_parts(&word.parts, see),
        Conditional::Binary(left, _, right) => {
            visit_parts(&left.parts, see);
            visit_parts(&right.parts, see);
        }
        Conditional::Not(inner) => visit_conditional(inner, see),
        Conditional::And(left, right) | Conditional::Or(left, right) => {
            visit_conditional(left, see);
            visit_conditional(right, see);
        }
        other => panic!("{other:?}"),
    }
}

fn visit_assign(assign: &Assign, see: &mut dyn FnMut(&Command)) {
    assign.subscript.iter().for_each(|subscript| visit_parts(&subscript.parts, see));
    match &assign.value {
        AssignValue::Scalar(word) => visit_parts(&word.parts, see),
        AssignValue::Array(elements) => {
            for (subscript, word) in elements {
                subscript.iter().for_each(|subscript| visit_parts(&subscript.parts, see));
                visit_parts(&word.parts, see);
            }
        }
    }
}

fn visit_parts(parts: &[WordPart], see: &mut dyn FnMut(&Command)) {
    for part in parts {
        match part {
            WordPart::Literal(_) | WordPart::Quoted(_) | WordPart::Locale(_) | WordPart::ExtendedGlob(_) => {}
            WordPart::DoubleQuoted(parts) => visit_parts(parts, see),
            WordPart::Command(command) | WordPart::Process { command, .. } => visit(&command.list, see),
            WordPart::Arithmetic(arithmetic) => visit_parts(&arithmetic.parts, see),
            WordPart::Assignment(assign) => visit_assign(assign, see),
            WordPart::Parameter(parameter) => {
                parameter.subscript.iter().for_each(|subscript| visit_parts(&subscript.parts, see));
                match &parameter.operator {
                    Some(
                        ParameterOperator::Default(word)
                        | ParameterOperator::Assign(word)
                        | ParameterOperator::Error(word)
                        | ParameterOperator::Alternate(word)
                        | ParameterOperator::Remove(word)
                        | ParameterOperator::Case(word)
                        | ParameterOperator::Other(word),
                    ) => visit_parts(&word.parts, see),
                    Some(ParameterOperator::Replace(pattern, replacement)) => {
                        visit_parts(&pattern.parts, see);
                        replacement.iter().for_each(|word| visit_parts(&word.parts, see));
                    }
                    Some(ParameterOperator::Substring(offset, length)) => {
                        visit_parts(&offset.parts, see);
                        length.iter().for_each(|part| visit_parts(&part.parts, see));
                    }
                    _ => {}
                }
            }
            other => panic!("{other:?}"),
        }
    }
}

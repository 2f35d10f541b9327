//! Every node of a tree, with its span.

use portcullis_shell_analysis::{Span, tree::*};

/// What a walk comes by.
pub(super) enum Node<'t> {
    Span(Span),
    Command(&'t Command),
    /// Behind it, until the end of the walk below, stands a function's body.
    Function(&'t Command),
}

/// Calls `see` for every node, parents first. Bodies of functions are not entered: [`Node::Function`] hands them out.
pub(super) fn walk<'t>(list: &'t List, see: &mut dyn FnMut(Node<'t>)) {
    for item in &list.items {
        for pipeline in std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline)) {
            see(Node::Span(pipeline.span));
            pipeline.commands.iter().for_each(|command| walk_command(command, see));
        }
    }
}

pub(super) fn walk_command<'t>(command: &'t Command, see: &mut dyn FnMut(Node<'t>)) {
    see(Node::Span(command.span));
    see(Node::Command(command));
    match &command.kind {
        CommandKind::Simple(simple) => {
            simple.assignments.iter().for_each(|assign| walk_assign(assign, see));
            simple.words.iter().for_each(|word| walk_word(word, see));
        }
        CommandKind::Subshell(list) | CommandKind::Group(list) => walk(list, see),
        CommandKind::If { branches, otherwise } => {
            for (condition, body) in branches {
                walk(condition, see);
                walk(body, see);
            }
            otherwise.iter().for_each(|list| walk(list, see));
        }
        CommandKind::Loop { condition, body, .. } => {
            walk(condition, see);
            walk(body, see);
        }
        CommandKind::For { words, body, .. } => {
            words.iter().flatten().for_each(|word| walk_word(word, see));
            walk(body, see);
        }
        CommandKind::ArithmeticFor { parts, body } => {
            parts.iter().for_each(|part| walk_arithmetic(part, see));
            walk(body, see);
        }
        CommandKind::Case { subject, clauses } => {
            walk_word(subject, see);
            for (patterns, body) in clauses {
                patterns.iter().for_each(|word| walk_word(word, see));
                walk(body, see);
            }
        }
        CommandKind::Arithmetic(arithmetic) => walk_arithmetic(arithmetic, see),
        CommandKind::Conditional(conditional) => walk_conditional(conditional, see),
        CommandKind::Function { body, .. } => see(Node::Function(body)),
        CommandKind::Coproc { body, .. } => walk_command(body, see),
        other => panic!("{other:?}"),
    }
    for redirect in &command.redirects {
        see(Node::Span(redirect.span));
        match &redirect.target {
            RedirectTarget::Word(word) | RedirectTarget::HereDoc { body: word, .. } => walk_word(word, see),
        }
    }
}

fn walk_conditional<'t>(conditional: &'t Conditional, see: &mut dyn FnMut(Node<'t>)) {
    match conditional {
        Conditional::Unary(_, word) => walk_word(word, see),
        Conditional::Binary(left, _, right) => {
            walk_word(left, see);
            walk_word(right, see);
        }
        Conditional::Not(inner) => walk_conditional(inner, see),
        Conditional::And(left, right) | Conditional::Or(left, right) => {
            walk_conditional(left, see);
            walk_conditional(right, see);
        }
        other => panic!("{other:?}"),
    }
}

fn walk_assign<'t>(assign: &'t Assign, see: &mut dyn FnMut(Node<'t>)) {
    see(Node::Span(assign.span));
    assign.subscript.iter().for_each(|subscript| walk_arithmetic(subscript, see));
    match &assign.value {
        AssignValue::Scalar(word) => walk_word(word, see),
        AssignValue::Array(elements) => {
            for (subscript, word) in elements {
                subscript.iter().for_each(|subscript| walk_arithmetic(subscript, see));
                walk_word(word, see);
            }
        }
    }
}

fn walk_word<'t>(word: &'t Word, see: &mut dyn FnMut(Node<'t>)) {
    see(Node::Span(word.span));
    walk_parts(&word.parts, see);
}

fn walk_arithmetic<'t>(arithmetic: &'t Arithmetic, see: &mut dyn FnMut(Node<'t>)) {
    see(Node::Span(arithmetic.span));
    walk_parts(&arithmetic.parts, see);
}

fn walk_parts<'t>(parts: &'t [WordPart], see: &mut dyn FnMut(Node<'t>)) {
    for part in parts {
        match part {
            WordPart::Literal(_) | WordPart::Quoted(_) | WordPart::Locale(_) | WordPart::ExtendedGlob(_) => {}
            WordPart::DoubleQuoted(parts) => walk_parts(parts, see),
            WordPart::Command(command) | WordPart::Process { command, .. } => {
                see(Node::Span(command.span));
                walk(&command.list, see);
            }
            WordPart::Arithmetic(arithmetic) => walk_arithmetic(arithmetic, see),
            WordPart::Assignment(assign) => walk_assign(assign, see),
            WordPart::Parameter(parameter) => {
                see(Node::Span(parameter.span));
                parameter.subscript.iter().for_each(|subscript| walk_arithmetic(subscript, see));
                match &parameter.operator {
                    Some(
                        ParameterOperator::Default(word)
                        | ParameterOperator::Assign(word)
                        | ParameterOperator::Error(word)
                        | ParameterOperator::Alternate(word)
                        | ParameterOperator::Remove(word)
                        | ParameterOperator::Case(word)
                        | ParameterOperator::Other(word),
                    ) => walk_word(word, see),
                    Some(ParameterOperator::Replace(pattern, replacement)) => {
                        walk_word(pattern, see);
                        replacement.iter().for_each(|word| walk_word(word, see));
                    }
                    Some(ParameterOperator::Substring(offset, length)) => {
                        walk_arithmetic(offset, see);
                        length.iter().for_each(|length| walk_arithmetic(length, see));
                    }
                    _ => {}
                }
            }
            other => panic!("{other:?}"),
        }
    }
}

//! Puts the bodies of here-documents, which are read after their line, into the tree.

use std::sync::Arc;

use crate::tree::{
    Arithmetic, Assign, AssignValue, Command, CommandKind, Conditional, List, Parameter, ParameterOperator,
    Pipeline, Redirect, RedirectTarget, Word, WordPart,
};

/// Swaps every number that [`super::redirect`] left behind for its body.
pub(super) fn fill(list: &mut List, bodies: Vec<Word>) {
    if !bodies.is_empty() {
        Filler { bodies }.list(list);
    }
}

struct Filler {
    bodies: Vec<Word>,
}

impl Filler {
    fn list(&mut self, list: &mut List) {
        for item in &mut list.items {
            self.pipeline(&mut item.first);
            for (_, pipeline) in &mut item.rest {
                self.pipeline(pipeline);
            }
        }
    }

    fn pipeline(&mut self, pipeline: &mut Pipeline) {
        for command in &mut pipeline.commands {
            self.command(command);
        }
    }

    fn command(&mut self, command: &mut Command) {
        for redirect in &mut command.redirects {
            self.redirect(redirect);
        }
        match &mut command.kind {
            CommandKind::Simple(simple) => {
                for assignment in &mut simple.assignments {
                    self.assign(assignment);
                }
                self.words(&mut simple.words);
            }
            CommandKind::Subshell(list) | CommandKind::Group(list) => self.list(list),
            CommandKind::If { branches, otherwise } => {
                for (condition, body) in branches {
                    self.list(condition);
                    self.list(body);
                }
                if let Some(list) = otherwise {
                    self.list(list);
                }
            }
            CommandKind::Loop { condition, body, .. } => {
                self.list(condition);
                self.list(body);
            }
            CommandKind::For { words, body, .. } => {
                self.words(words.as_deref_mut().unwrap_or_default());
                self.list(body);
            }
            CommandKind::ArithmeticFor { parts, body } => {
                for part in parts.iter_mut() {
                    self.arithmetic(part);
                }
                self.list(body);
            }
            CommandKind::Case { subject, clauses } => {
                self.word(subject);
                for (patterns, body) in clauses {
                    self.words(patterns);
                    self.list(body);
                }
            }
            CommandKind::Arithmetic(arithmetic) => self.arithmetic(arithmetic),
            CommandKind::Conditional(conditional) => self.conditional(conditional),
            // Nobody else has it before the tree is handed out.
            CommandKind::Function { body, .. } => self.command(Arc::make_mut(body)),
            CommandKind::Coproc { body, .. } => self.command(body),
        }
    }

    fn redirect(&mut self, redirect: &mut Redirect) {
        match &mut redirect.target {
            RedirectTarget::Word(word) => self.word(word),
            RedirectTarget::HereDoc { body, .. } => {
                if let Some(text) = self.bodies.get_mut(body.span.start as usize) {
                    *body = std::mem::take(text);
                }
                self.word(body);
            }
        }
    }

    fn conditional(&mut self, conditional: &mut Conditional) {
        match conditional {
            Conditional::Unary(_, word) => self.word(word),
            Conditional::Binary(left, _, right) => {
                self.word(left);
                self.word(right);
            }
            Conditional::Not(inner) => self.conditional(inner),
            Conditional::And(left, right) | Conditional::Or(left, right) => {
                self.conditional(left);
                self.conditional(right);
            }
        }
    }

    fn assign(&mut self, assign: &mut Assign) {
        if let Some(subscript) = &mut assign.subscript {
            self.arithmetic(subscript);
        }
        match &mut assign.value {
            AssignValue::Scalar(word) => self.word(word),
            AssignValue::Array(elements) => {
                for (subscript, word) in elements {
                    if let Some(subscript) = subscript {
                        self.arithmetic(subscript);
                    }
                    self.word(word);
                }
            }
        }
    }

    fn words(&mut self, words: &mut [Word]) {
        for word in words {
            self.word(word);
        }
    }

    fn word(&mut self, word: &mut Word) {
        self.parts(&mut word.parts);
    }

    fn arithmetic(&mut self, arithmetic: &mut Arithmetic) {
        self.parts(&mut arithmetic.parts);
    }

    fn parts(&mut self, parts: &mut [WordPart]) {
        for part in parts {
            match part {
                WordPart::Literal(_)
                | WordPart::Quoted(_)
                | WordPart::Locale(_)
                | WordPart::ExtendedGlob(_) => {}
                WordPart::DoubleQuoted(parts) => self.parts(parts),
                WordPart::Parameter(parameter) => self.parameter(parameter),
                WordPart::Command(command) | WordPart::Process { command, .. } => {
                    self.list(&mut command.list);
                }
                WordPart::Arithmetic(arithmetic) => self.arithmetic(arithmetic),
                WordPart::Assignment(assign) => self.assign(assign),
            }
        }
    }

    fn parameter(&mut self, parameter: &mut Parameter) {
        if let Some(subscript) = &mut parameter.subscript {
            self.arithmetic(subscript);
        }
        match &mut parameter.operator {
            Some(
                ParameterOperator::Default(word)
                | ParameterOperator::Assign(word)
                | ParameterOperator::Error(word)
                | ParameterOperator::Alternate(word)
                | ParameterOperator::Remove(word)
                | ParameterOperator::Case(word)
                | ParameterOperator::Other(word),
            ) => self.word(word),
            Some(ParameterOperator::Replace(pattern, replacement)) => {
                self.word(pattern);
                if let Some(word) = replacement {
                    self.word(word);
                }
            }
            Some(ParameterOperator::Substring(offset, length)) => {
                self.arithmetic(offset);
                if let Some(length) = length {
                    self.arithmetic(length);
                }
            }
            Some(ParameterOperator::Transform(_) | ParameterOperator::Names) | None => {}
        }
    }
}

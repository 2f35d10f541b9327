//! What a loop's body may assign, found before the loop is walked: in its second round every such
//! variable has another value.

use std::{collections::BTreeSet, sync::Arc};

use super::words::literal_text;
use crate::{
    Text,
    tree::{
        Arithmetic, Assign, AssignValue, Command, CommandKind, Conditional, List, ParameterOperator,
        RedirectFd, RedirectTarget, Word, WordPart,
    },
};

/// Names assigned by a piece of the tree.
#[derive(Default)]
pub(crate) struct Assigned<'t> {
    pub(crate) names: Vec<Text>,
    /// Assigned integers only.
    pub(crate) integers: Vec<Text>,
    /// Made arrays.
    pub(crate) arrays: BTreeSet<Text>,
    /// Something that may assign anything.
    pub(crate) everything: bool,
    /// Changes the working directory.
    pub(crate) directories: bool,
    pub(crate) functions: Vec<(&'t Text, &'t Arc<Command>)>,
    /// Literal program words.
    pub(crate) programs: Vec<&'t str>,
}

impl<'t> Assigned<'t> {
    pub(crate) fn list(&mut self, list: &'t List) {
        for item in &list.items {
            for pipeline in std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline))
            {
                for command in &pipeline.commands {
                    self.command(command);
                }
            }
        }
    }

    fn command(&mut self, command: &'t Command) {
        for redirect in &command.redirects {
            if let RedirectFd::Variable(name) = &redirect.fd {
                self.names.push(name.clone());
            }
            match &redirect.target {
                RedirectTarget::Word(word) => self.word(word),
                RedirectTarget::HereDoc { body, .. } => self.word(body),
            }
        }
        match &command.kind {
            CommandKind::Simple(simple) => {
                for assign in &simple.assignments {
                    self.assign(assign);
                }
                for word in &simple.words {
                    self.word(word);
                }
                self.program(&simple.words);
            }
            // A subshell's variables stay in it, but seeing fewer loops than there are costs nothing.
            CommandKind::Subshell(list) => {
                let directories = self.directories;
                self.list(list);
                self.directories = directories;
            }
            CommandKind::Group(list) => self.list(list),
            CommandKind::If { branches, otherwise } => {
                for (condition, body) in branches {
                    self.list(condition);
                    self.list(body);
                }
                if let Some(otherwise) = otherwise {
                    self.list(otherwise);
                }
            }
            CommandKind::Loop { condition, body, .. } => {
                self.list(condition);
                self.list(body);
            }
            CommandKind::For { name, words, body, .. } => {
                self.names.push(name.clone());
                for word in words.iter().flatten() {
                    self.word(word);
                }
                self.list(body);
            }
            CommandKind::ArithmeticFor { parts, body } => {
                for part in parts.iter() {
                    self.arithmetic(part);
                }
                self.list(body);
            }
            CommandKind::Case { subject, clauses } => {
                self.word(subject);
                for (patterns, body) in clauses {
                    for pattern in patterns {
                        self.word(pattern);
                    }
                    self.list(body);
                }
            }
            CommandKind::Arithmetic(arithmetic) => self.arithmetic(arithmetic),
            CommandKind::Conditional(conditional) => self.conditional(conditional),
            CommandKind::Function { name, body } => {
                self.functions.push((name, body));
                self.command(body);
            }
            CommandKind::Coproc { name, body } => {
                let name = name.clone().unwrap_or_else(|| Text::from_static("COPROC"));
                self.names.push(format!("{name}_PID").into());
                self.names.push(name);
                self.command(body);
            }
        }
    }

    /// Builtins that assign, and whatever may be one.
    fn program(&mut self, words: &'t [Word]) {
        let Some(first) = words.first() else { return };
        let [WordPart::Literal(name)] = first.parts.as_slice() else {
            // A quoted or computed program word may be any builtin.
            self.everything = true;
            return;
        };
        self.programs.push(name);
        match &**name {
            "cd" | "pushd" | "popd" => {
                self.directories = true;
                self.names.push(Text::from_static("OLDPWD"));
            }
            "read" | "mapfile" | "readarray" | "getopts" | "unset" | "let" | "printf" | "declare"
            | "typeset" | "local" | "export" | "readonly" | "wait" => {
                if &**name == "printf"
                    && words.get(1).is_some_and(|word| {
                        literal_text(&word.parts).is_some_and(|text| !text.starts_with('-'))
                    })
                {
                    return;
                }
                let option = |word: &Word| {
                    literal_text(&word.parts)
                        .is_none_or(|text| text.starts_with('-') && text.contains(['a', 'A']))
                };
                let arrays = words.iter().skip(1).any(option) || matches!(&**name, "mapfile" | "readarray");
                self.names.extend(["REPLY", "MAPFILE", "OPTARG", "OPTIND"].map(Text::from_static));
                for word in words.iter().skip(1) {
                    match literal_prefix(word) {
                        Some(text) => {
                            if arrays {
                                self.arrays.insert(text.clone());
                            }
                            self.names.push(text);
                        }
                        None => self.everything = true,
                    }
                }
            }
            "eval" | "source" | "." | "command" | "builtin" | "trap" | "set" | "shift" => {
                self.everything = true;
            }
            _ => {}
        }
    }

    fn assign(&mut self, assign: &'t Assign) {
        if let Some(subscript) = &assign.subscript {
            self.arithmetic(subscript);
        }
        if assign.subscript.is_some() || matches!(assign.value, AssignValue::Array(_)) {
            self.arrays.insert(assign.name.clone());
        }
        let integer = match &assign.value {
            AssignValue::Scalar(word) => {
                self.word(word);
                matches!(word.parts.as_slice(), [WordPart::Arithmetic(_)])
                    || literal_text(&word.parts).is_some_and(|text| super::state::is_integer(&text))
            }
            AssignValue::Array(items) => {
                for (subscript, word) in items {
                    if let Some(subscript) = subscript {
                        self.arithmetic(subscript);
                    }
                    self.word(word);
                }
                false
            }
        };
        if integer && !assign.append && assign.subscript.is_none() {
            self.integers.push(assign.name.clone());
        } else {
            self.names.push(assign.name.clone());
        }
    }

    fn word(&mut self, word: &'t Word) {
        for part in &word.parts {
            self.part(part);
        }
    }

    fn part(&mut self, part: &'t WordPart) {
        match part {
            WordPart::DoubleQuoted(parts) => parts.iter().for_each(|part| self.part(part)),
            WordPart::Parameter(parameter) => match &parameter.operator {
                Some(ParameterOperator::Assign(word)) => {
                    self.names.push(parameter.name.clone());
                    self.word(word);
                }
                Some(
                    ParameterOperator::Default(word)
                    | ParameterOperator::Error(word)
                    | ParameterOperator::Alternate(word)
                    | ParameterOperator::Remove(word)
                    | ParameterOperator::Case(word)
                    | ParameterOperator::Other(word),
                ) => self.word(word),
                Some(ParameterOperator::Replace(pattern, with)) => {
                    self.word(pattern);
                    if let Some(with) = with {
                        self.word(with);
                    }
                }
                Some(ParameterOperator::Substring(offset, length)) => {
                    self.arithmetic(offset);
                    if let Some(length) = length {
                        self.arithmetic(length);
                    }
                }
                _ => {}
            },
            // Substitutions run in subshells: nothing they assign comes back.
            WordPart::Arithmetic(arithmetic) => self.arithmetic(arithmetic),
            WordPart::Assignment(assign) => self.assign(assign),
            WordPart::Literal(_)
            | WordPart::Quoted(_)
            | WordPart::Command(_)
            | WordPart::Process { .. }
            | WordPart::Locale(_)
            | WordPart::ExtendedGlob(_) => {}
        }
    }

    /// Every name in an expression counts as assigned an integer.
    pub(crate) fn arithmetic(&mut self, arithmetic: &'t Arithmetic) {
        for part in &arithmetic.parts {
            if let WordPart::Literal(text) | WordPart::Quoted(text) = part {
                let names = text.split(|char: char| !(char.is_ascii_alphanumeric() || char == '_'));
                self.integers
                    .extend(names.filter(|name| super::words::is_name(name)).map(|name| text.part(name)));
            } else {
                self.part(part);
            }
        }
    }

    fn conditional(&mut self, conditional: &'t Conditional) {
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
}

/// `name` of `name`, `name=$x`, `name[...`; `None` when the word does not begin with its name.
fn literal_prefix(word: &Word) -> Option<Text> {
    match word.parts.first() {
        Some(WordPart::Literal(text) | WordPart::Quoted(text)) => {
            let end = text.find(['=', '[', '+']);
            if end.is_none() && word.parts.len() > 1 {
                return None;
            }
            Some(text.part(text.get(..end.unwrap_or(text.len())).unwrap_or_default()))
        }
        Some(WordPart::Assignment(assign)) => Some(assign.name.clone()),
        _ => None,
    }
}

//! One command: which kind it is, and simple commands (bash manual 3.2.2).

use super::{
    cursor::{Parsed, Parser, is_break, push},
    reserved::{Reserved, is_reserved},
    word::Mode,
};
use crate::{
    Text,
    tree::{Command, CommandKind, Few, Redirect, Simple, Word, WordPart},
};

/// Builtins whose arguments may be array assignments (bash: `ASSIGNMENT_BUILTIN`).
const DECLARATIONS: &[&str] = &["declare", "export", "local", "readonly", "typeset"];

/// As many redirections as a command may have without being a text of very many commands.
const FEW_REDIRECTIONS: usize = 64;

/// As many words as most commands have.
const FEW_WORDS: usize = 8;

impl Parser<'_> {
    /// One command with its redirections.
    pub(super) fn command(&mut self) -> Parsed<Command> {
        self.blanks()?;
        self.peek();
        let start = self.pos;
        let reserved = self.reserved();
        self.time_is_word = false;
        if let Some((word, end)) = reserved {
            return self.reserved_command(word, start, end);
        }
        match self.peek() {
            Some(b'(') => {
                let kind = self.parenthesis(start)?;
                self.with_redirects(kind, start)
            }
            _ => self.simple_command(start),
        }
    }

    /// A compound command without its redirections, where nothing else may stand (a function's body).
    pub(super) fn compound_command(&mut self) -> Parsed<Option<Command>> {
        self.blanks()?;
        self.peek();
        let start = self.pos;
        let kind = match self.reserved() {
            Some((word, end)) => match self.compound(word, start, end)? {
                Some(kind) => kind,
                None => return Ok(None),
            },
            None if self.peek() == Some(b'(') => self.parenthesis(start)?,
            None => return Ok(None),
        };
        self.with_redirects(kind, start).map(Some)
    }

    fn reserved_command(&mut self, word: Reserved, start: usize, end: usize) -> Parsed<Command> {
        let kind = match word {
            Reserved::Function => {
                self.pos = end;
                self.function_keyword(start)?
            }
            Reserved::Coproc => {
                self.pos = end;
                self.coproc(start)?
            }
            word => match self.compound(word, start, end)? {
                Some(kind) => return self.with_redirects(kind, start),
                None => return self.unexpected(),
            },
        };
        Ok(Command { kind, redirects: Vec::new(), span: self.since(start) })
    }

    fn with_redirects(&mut self, kind: CommandKind, start: usize) -> Parsed<Command> {
        let mut command = Command { kind, redirects: Vec::new(), span: self.since(start) };
        loop {
            self.blanks()?;
            match self.redirect()? {
                Some(redirect) => {
                    self.keep_redirect(&mut command.redirects, redirect);
                    command.span = self.since(start);
                    self.reserved_ok = false;
                }
                None => return Ok(command),
            }
        }
    }

    /// Adds a redirection; those beyond [`FEW_REDIRECTIONS`] of one command need room as commands do.
    fn keep_redirect(&mut self, redirects: &mut Vec<Redirect>, redirect: Redirect) {
        let span = redirect.span;
        let reserved = redirects.len() < FEW_REDIRECTIONS || self.reserve();
        self.keep(reserved, redirects, redirect, span);
    }

    /// Assignments, words and redirections in any order; or `name ()`, a function.
    pub(super) fn simple_command(&mut self, start: usize) -> Parsed<Command> {
        self.simple_command_behind(start, None)
    }

    /// The same behind its first word, if that was read: in `coproc`, the word behind it is once more read
    /// like a program's name.
    pub(super) fn simple_command_behind(&mut self, start: usize, first: Option<Word>) -> Parsed<Command> {
        let mut simple = Simple::default();
        let mut redirects = Vec::new();
        let mut end = start;
        let mut second = first.is_some();
        if let Some(word) = first {
            end = self.pos;
            simple.words.push(word);
            self.reserved_ok = false;
        }
        // Whether `name=(...)` is an array here (bash: `PST_ASSIGNOK`, which an operator ends).
        let mut declares = false;
        // Behind `coproc` bash takes arrays among the words of any program.
        let mut evaluates = second;
        loop {
            self.blanks()?;
            if let Some(redirect) = self.redirect()? {
                self.keep_redirect(&mut redirects, redirect);
                declares = false;
                evaluates = false;
                end = self.pos;
                self.reserved_ok = false;
                continue;
            }
            match self.peek() {
                Some(b'(') if is_function_name(&simple) && redirects.is_empty() => {
                    let name = simple.words.pop().unwrap_or_default();
                    return self.function_parentheses(&name, start);
                }
                None | Some(b'\n' | b';' | b'&' | b'|' | b'(' | b')') => break,
                Some(_) => {}
            }
            if simple.words.is_empty() {
                if let Some(assignment) = self.assignment(!redirects.is_empty())? {
                    push(&mut simple.assignments, assignment);
                } else {
                    let from = self.pos;
                    let mode = if redirects.is_empty() { Mode::Program } else { Mode::Plain };
                    simple.words.push(self.word_in(mode)?);
                    let program = self.text.get(from..self.pos).unwrap_or_default();
                    let continues = program.as_bytes().contains(&b'\\') && program.contains("\\\n");
                    let continued = continues.then(|| program.replace("\\\n", ""));
                    let program = continued.as_deref().unwrap_or(program);
                    let declaration = DECLARATIONS.contains(&program);
                    declares = declaration && redirects.is_empty();
                    // Behind `>&-` bash takes arrays here, behind `>f` it does not.
                    evaluates = matches!(program, "alias" | "eval" | "let") || (declaration && !declares);
                }
            } else if declares && let Some(assign) = self.array_argument()? {
                let span = assign.span;
                simple.words.push(Word { parts: Few::one(WordPart::Assignment(Box::new(assign))), span });
            } else if evaluates && self.array_argument()?.is_some() {
                return self.unsupported("an array given to this builtin", start);
            } else {
                let mode = if second && redirects.is_empty() { Mode::Program } else { Mode::Plain };
                let word = self.word_in(mode)?;
                simple.words.push_with_room(word, FEW_WORDS);
                second = false;
            }
            end = self.pos;
            self.reserved_ok = false;
        }
        if simple.words.is_empty() && simple.assignments.is_empty() && redirects.is_empty() {
            return self.unexpected();
        }
        if self.in_substitution && reserved_when_printed(&simple, &redirects) {
            return self.unsupported("a redirection before a reserved word, in a substitution", start);
        }
        let span = self.span(start, end);
        Ok(Command { kind: CommandKind::Simple(simple), redirects, span })
    }

    /// The plain name that a word spells, where only plain names are followed.
    pub(super) fn plain_name(word: &Word) -> Option<&Text> {
        match word.parts.as_slice() {
            [WordPart::Literal(name)] => Some(name),
            _ => None,
        }
    }

    /// At the end of a word.
    pub(super) fn at_break(&mut self) -> bool {
        self.peek().is_none_or(is_break)
    }
}

/// Bash runs a substitution from the text that it prints of it, and prints redirections last: `>f ! rm y` becomes
/// `! rm y >f`, where `!` is no longer the name of a program.
fn reserved_when_printed(simple: &Simple, redirects: &[Redirect]) -> bool {
    let Some(first) = simple.words.first().filter(|_| simple.assignments.is_empty()) else { return false };
    redirects.iter().any(|redirect| redirect.span.start < first.span.start)
        && Parser::plain_name(first).is_some_and(|name| is_reserved(name))
}

/// `name` alone in front of `(`.
fn is_function_name(simple: &Simple) -> bool {
    simple.assignments.is_empty() && simple.words.len() == 1
}

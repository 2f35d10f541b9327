//! The syntax tree: what bash reads, before any expansion. Every node knows its bytes.

use std::sync::Arc;

pub use crate::few::Few;
use crate::{Span, Text};

/// A whole text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// Its lists' items, in order.
    pub list: List,
}

/// Commands separated by `;`, `&` or newlines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    /// In order.
    pub items: Vec<Item>,
}

/// One and-or list with what ends it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The first pipeline.
    pub first: Pipeline,
    /// The pipelines behind `&&` and `||`, left to right.
    pub rest: Vec<(AndOr, Pipeline)>,
    /// Ended by `&`: runs in the background, and its directory changes do not last.
    pub background: bool,
}

/// What joins two pipelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AndOr {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|` or `|&`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pipeline {
    /// An odd number of `!` in front.
    pub negated: bool,
    /// `time` in front (`time -p` too).
    pub timed: bool,
    /// At least one, except for a lone `!` or `time`.
    pub commands: Few<Command>,
    /// For each `|` between two commands, whether it was `|&`; one fewer than `commands`.
    pub pipes_stderr: Vec<bool>,
    /// From the first `!` or `time` to the last command.
    pub span: Span,
}

/// One command with its redirections (for a simple command: in any position).
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// What it is.
    pub kind: CommandKind,
    /// In order.
    pub redirects: Vec<Redirect>,
    /// All of it.
    pub span: Span,
}

/// The kinds of commands.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CommandKind {
    /// Assignments and words.
    Simple(Simple),
    /// `( list )`
    Subshell(List),
    /// `{ list; }`
    Group(List),
    /// `if list; then list; elif ...; else list; fi`
    If {
        /// Condition and body of `if` and of each `elif`.
        branches: Vec<(List, List)>,
        /// The body of `else`.
        otherwise: Option<List>,
    },
    /// `while` or `until`.
    Loop {
        /// `until`
        until: bool,
        /// The condition.
        condition: List,
        /// The body.
        body: List,
    },
    /// `for name [in words]; do list; done` and `select`.
    For {
        /// The variable, as written. Bash refuses what is no valid name when it runs the loop.
        name: Text,
        /// The words; `None` means the positional parameters.
        words: Option<Vec<Word>>,
        /// The body.
        body: List,
        /// `select` instead of `for`.
        select: bool,
    },
    /// `for ((init; test; step)); do list; done`
    ArithmeticFor {
        /// The three expressions; an absent one is empty.
        parts: Box<[Arithmetic; 3]>,
        /// The body.
        body: List,
    },
    /// `case word in pattern) list;; esac`
    Case {
        /// The word that is compared.
        subject: Word,
        /// Patterns and body of each clause.
        clauses: Vec<(Vec<Word>, List)>,
    },
    /// `(( expression ))`
    Arithmetic(Arithmetic),
    /// `[[ expression ]]`
    Conditional(Box<Conditional>),
    /// `name () body` and `function name body`; redirections on the body belong to each call.
    Function {
        /// Its name; empty when bash accepts the text and refuses to define it (quotes, dollars or
        /// expansions in the name).
        name: Text,
        /// A compound command; shared, since it may be called again and again.
        body: Arc<Command>,
    },
    /// `coproc [NAME] command`
    Coproc {
        /// `COPROC` when absent.
        name: Option<Text>,
        /// What runs beside the shell.
        body: Box<Command>,
    },
}

/// A simple command: `A=1 program words`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simple {
    /// In front of the program.
    pub assignments: Vec<Assign>,
    /// Program and arguments. Arguments of declaration builtins (`export A=(x)`) that are assignments
    /// stand here as [`WordPart::Assignment`] when they carry an array, else as plain words.
    pub words: Few<Word>,
}

/// `name=value`, `name+=value`, `name[i]=value`, `name=(...)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Assign {
    /// The variable.
    pub name: Text,
    /// The text between the brackets of `name[i]`: arithmetic, which can run code.
    pub subscript: Option<Box<Arithmetic>>,
    /// `+=`
    pub append: bool,
    /// What is assigned.
    pub value: AssignValue,
    /// All of it.
    pub span: Span,
}

/// The right side of an assignment.
#[derive(Clone, Debug, PartialEq)]
pub enum AssignValue {
    /// One word, perhaps empty.
    Scalar(Word),
    /// `(a b [i]=c)`
    Array(Vec<(Option<Box<Arithmetic>>, Word)>),
}

/// A word as written: its parts, before any expansion. Brace expansion, tilde and globs are not parts:
/// they are found in [`WordPart::Literal`] text, where quoting has been told apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Word {
    /// Never empty, except for the empty right side of `a=`.
    pub parts: Few<WordPart>,
    /// All of it.
    pub span: Span,
}

/// A piece of a word.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WordPart {
    /// Unquoted text: braces, tildes and glob characters in it are alive.
    Literal(Text),
    /// Quoted by backslash, `'..'` or `$'..'` (decoded), or plain text inside `".."`: nothing in it is alive.
    Quoted(Text),
    /// A character outside ASCII that `$'\u....'` names. In a UTF-8 locale it is this text, elsewhere others.
    Locale(Text),
    /// `".."` and `$".."` with an expansion inside: holds only `Quoted`, `Parameter`, `Command` and `Arithmetic`
    /// parts. Text alone is `Quoted`.
    DoubleQuoted(Vec<WordPart>),
    /// `$x`, `${...}`
    Parameter(Box<Parameter>),
    /// `$(...)` and backticks (their inner level unescaped).
    Command(Box<Substitution>),
    /// `$((...))` and `$[...]`
    Arithmetic(Box<Arithmetic>),
    /// `<(...)` (reads from the command) and `>(...)`.
    Process {
        /// `>(...)`
        output: bool,
        /// What runs.
        command: Box<Substitution>,
    },
    /// An array assignment as an argument of a declaration builtin.
    Assignment(Box<Assign>),
    /// `?(a|b)` and its kin; read only inside `[[ ]]`. Expansions and quotes inside are parts of their own
    /// between the pieces of the pattern.
    ExtendedGlob(String),
}

/// A command substitution's inside.
#[derive(Clone, Debug, PartialEq)]
pub struct Substitution {
    /// The commands.
    pub list: List,
    /// Bash reads the text only when it runs it (backticks, `$((a) | (b))`), and stumbles then: `list` is
    /// what it has run before that. Or it reads the list otherwise than it stands (a `;` behind a
    /// here-document is lost).
    pub broken: bool,
    /// All of it, with its delimiters. Spans inside backticks that hold escapes all equal this one.
    pub span: Span,
}

/// `$x` or `${...}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name: a variable, a number, or one of `@ * # ? - $ !`.
    pub name: Text,
    /// `${!name...}`
    pub indirect: bool,
    /// `${#name}`
    pub length: bool,
    /// The text in brackets; `@` and `*` included.
    pub subscript: Option<Box<Arithmetic>>,
    /// What follows the name in `${name...}`.
    pub operator: Option<ParameterOperator>,
    /// All of it.
    pub span: Span,
}

/// The operators of `${name OP ...}` (bash manual 3.5.3).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ParameterOperator {
    /// `:-` `-`: the default used when unset.
    Default(Word),
    /// `:=` `=`: assigns the default.
    Assign(Word),
    /// `:?` `?`: the message of the failure.
    Error(Word),
    /// `:+` `+`: used when set.
    Alternate(Word),
    /// `#` `##` `%` `%%`: a pattern removed.
    Remove(Word),
    /// `/` `//` `/#` `/%`: pattern and replacement.
    Replace(Word, Option<Box<Word>>),
    /// `:offset:length`, both arithmetic.
    Substring(Arithmetic, Option<Box<Arithmetic>>),
    /// `^` `^^` `,` `,,`
    Case(Word),
    /// `@Q @P ...`; `@P` expands the value as a prompt, which can run code.
    Transform(char),
    /// `${!prefix*}` and `${!prefix@}`
    Names,
    /// A form that the manual does not have, with the rest up to the brace. Bash finds its end, and calls it
    /// a bad substitution, or reads it in a way that is not followed, when it comes to expand it.
    Other(Word),
}

/// An arithmetic expression: its text parts with the expansions inside. Names in it are evaluated, and
/// their values are evaluated again (bash manual 6.5).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arithmetic {
    /// As in double quotes.
    pub parts: Few<WordPart>,
    /// All of it, without delimiters.
    pub span: Span,
}

/// What stands in `[[ ]]`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Conditional {
    /// A word alone, or `-op word`.
    Unary(Option<Text>, Word),
    /// `left op right`
    Binary(Word, Text, Word),
    /// `!`
    Not(Box<Conditional>),
    /// `&&`
    And(Box<Conditional>, Box<Conditional>),
    /// `||`
    Or(Box<Conditional>, Box<Conditional>),
}

/// One redirection.
#[derive(Clone, Debug, PartialEq)]
pub struct Redirect {
    /// The descriptor in front.
    pub fd: RedirectFd,
    /// Which one.
    pub op: RedirectOp,
    /// What follows; the text of a here-document.
    pub target: RedirectTarget,
    /// Operator and word (not the body of a here-document).
    pub span: Span,
}

/// The descriptor that a redirection is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectFd {
    /// The operator's own: 0 for input, 1 for output.
    Default,
    /// A number glued in front.
    Number(u32),
    /// `{name}` glued in front.
    Variable(Text),
}

/// The redirection operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RedirectOp {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>|`
    Clobber,
    /// `>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `<&`
    DupInput,
    /// `>&`
    DupOutput,
    /// `&>`
    WriteBoth,
    /// `&>>`
    AppendBoth,
    /// `<<` and `<<-`
    HereDoc,
    /// `<<<`
    HereString,
}

/// What a redirection leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum RedirectTarget {
    /// A file, a descriptor, or the text of a here-string.
    Word(Word),
    /// A here-document.
    HereDoc {
        /// The body; `Quoted` parts alone when the delimiter was quoted.
        body: Word,
        /// The delimiter was quoted: nothing in the body is expanded.
        quoted: bool,
    },
}

//! The plan: every simple command that a text can run, at any depth, through any launcher.

use std::sync::Arc;

use crate::{Effect, Span, Text, Value, tree::RedirectOp};

/// One program run.
#[derive(Clone, Debug, PartialEq)]
pub struct Invocation {
    /// Program (index 0) and arguments, after expansion. Empty for assignments or redirections alone.
    pub words: Vec<Argument>,
    /// `A=1` in front of the program, and what `env` sets.
    pub assignments: Vec<Assignment>,
    /// Its redirections, those of surrounding groups not included (they have an invocation of their own).
    pub redirections: Vec<Redirection>,
    /// Where it may start.
    pub directories: Directories,
    /// The programs that it is run through, outermost first.
    pub launchers: Vec<Launcher>,
    /// How it is reached.
    pub reach: Reach,
    /// What it can do, redirections included.
    pub effects: Vec<Effect>,
    /// Reads only, within the roots: judged by itself, its own redirections included.
    pub read_only: bool,
    /// Whether a command specification knew the program, its subcommand and every flag.
    pub specified: bool,
    /// Code for an interpreter in its words or here-document (`python -c`, `perl -e`, `awk`, `node -e`). The
    /// whole text where the shell itself may run what a value hides (`x='a[$(rm y)]'; ((x))`).
    pub code: Vec<String>,
    /// Texts that it may run although they stand elsewhere: its standard input, files that the same text wrote. Rules
    /// that restrict look for their words in them; to allow it they do not matter.
    pub texts: Vec<String>,
    /// An option, a setting or a variable of another invocation names it (`rsync -e ssh`, `GIT_EDITOR=vi`): rules
    /// that restrict look at it, and for allow it belongs to that one, in whose words or assignments it stands.
    pub named: bool,
    /// The bytes it comes from.
    pub span: Span,
}

impl Invocation {
    /// The program word when it is known.
    #[must_use]
    pub fn program(&self) -> Option<&str> {
        self.words.first().and_then(|word| word.value.known())
    }

    /// The part of the program behind its last slash.
    #[must_use]
    pub fn base_name(&self) -> Option<&str> {
        self.program().map(base_name)
    }

    /// Whether the word at `index` stands for what another program appends to what it names (`CC=cc make`).
    pub(crate) fn is_appended(&self, index: usize) -> bool {
        let last = |word: &Argument| word.vanishes && word.value == Value::Unknown;
        self.named && index + 1 == self.words.len() && self.words.get(index).is_some_and(last)
    }
}

/// The part of a path behind its last slash. Names of programs are so short that a plain loop finds it fastest.
pub(crate) fn base_name(path: &str) -> &str {
    match path.bytes().rposition(|byte| byte == b'/') {
        Some(slash) => path.get(slash + 1..).unwrap_or_default(),
        None => path,
    }
}

/// One word of an invocation.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// What it is.
    pub value: Value,
    /// It may be zero or several words (an unquoted `$x`, `"$@"`, a glob).
    pub splits: bool,
    /// It may be no word at all, so that the ones behind it move up (an unquoted `$x`, but not `$x/y`).
    pub vanishes: bool,
    /// The specification marks this word as one that executes, writes elsewhere or carries code (`find
    /// -delete`, `sort -o`, `git -c`): an allow rule covers it only if it stands literally in the rule.
    pub hazard: bool,
    /// The bytes it comes from.
    pub span: Span,
}

/// A variable that is set for an invocation.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The variable.
    pub name: Text,
    /// Its value; `Unknown` for arrays and subscripts.
    pub value: Value,
    /// On the list of assignments that change no meaning.
    pub harmless: bool,
    /// The bytes it comes from.
    pub span: Span,
}

/// A redirection after expansion.
#[derive(Clone, Debug, PartialEq)]
pub struct Redirection {
    /// The descriptor: a number, or -1 for `{name}>`.
    pub fd: i32,
    /// Which one.
    pub op: RedirectOp,
    /// Where to.
    pub target: RedirectionTarget,
    /// The bytes it comes from.
    pub span: Span,
}

/// Where a redirection leads.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RedirectionTarget {
    /// A file.
    File(Value),
    /// Another descriptor, or `-`.
    Descriptor(Text),
    /// Text on standard input.
    Text(HereText),
}

/// The text of a here-document or here-string.
#[derive(Clone, Debug, PartialEq)]
pub struct HereText(pub Option<Text>);

/// The working directories in which an invocation may start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Directories {
    /// One of these absolute paths (a `cd` may fail).
    Known(Arc<[String]>),
    /// Anywhere.
    Unknown,
}

impl Directories {
    /// The longest path that the kernel takes, in bytes (limits.h(0p), `PATH_MAX`). Nobody works deeper, and a path that
    /// grows with every `cd` would be copied again and again.
    const MAX_LENGTH: usize = 4096;

    /// Itself, unless a path in it is too long to say anything about.
    pub(crate) fn bounded(self) -> Self {
        match &self {
            Self::Known(all) if all.iter().any(|directory| directory.len() > Self::MAX_LENGTH) => {
                Self::Unknown
            }
            _ => self,
        }
    }
}

/// A program that runs another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Launcher {
    /// Its base name (`bash`, `timeout`, `find`).
    pub name: Text,
    /// An allow rule or the read-only judgement may look through it.
    pub transparent: bool,
}

/// How an invocation is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// In a pipeline of two or more.
    pub pipeline: bool,
    /// Before a `&`.
    pub background: bool,
    /// Behind `&&`, `||`, or in a branch.
    pub conditional: bool,
    /// In a loop.
    pub looped: bool,
    /// In a function's body.
    pub function: bool,
    /// In a subshell.
    pub subshell: bool,
    /// In a command or process substitution.
    pub substitution: bool,
}

//! The whole way: parse, plan, look up, judge.

use portcullis_paths::Resolver;

use crate::{Invocation, ParseError, Span};

/// The shell that will read the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shell {
    /// GNU bash 5.
    Bash,
    /// A POSIX shell (`sh`, `dash`).
    Sh,
    /// zsh.
    Zsh,
    /// Not known which.
    Unknown,
}

/// What an analysis may know about the surroundings. Nothing is read from the process.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// Who reads the text.
    pub shell: Shell,
    /// The absolute working directory.
    pub cwd: &'a str,
    /// The home directory, for `~` and `$HOME`.
    pub home: Option<&'a str>,
    /// Absolute directories whose files may be read automatically.
    pub roots: &'a [String],
    /// Lifts `roots` (specification 4.6).
    pub allow_external_paths: bool,
    /// The project's own configuration (git's included) may name programs.
    pub trusted: bool,
    /// The file system, if decisions may look at it.
    pub resolver: Option<&'a dyn Resolver>,
}

/// What a text can do.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Every program it can run; on a parse error those of the complete commands before the error.
    pub invocations: Vec<Invocation>,
    /// The text was refused here.
    pub error: Option<ParseError>,
    /// Why this is not read-only within the roots; empty means read-only.
    pub blockers: Vec<Blocker>,
    /// Something makes the meaning of the text unknowable (an `alias`, the work budget, a dialect): no
    /// allow rule covers it, and every deny rule may match.
    pub opaque: Option<Blocker>,
    /// Globs to hide from its recursive content reads (specification 3.1); filled by the caller.
    pub exclude: Vec<String>,
}

impl Analysis {
    /// Reads only, within the roots, and all of it understood.
    #[must_use]
    pub fn read_only(&self) -> bool {
        self.error.is_none() && self.opaque.is_none() && self.blockers.is_empty()
    }
}

/// One reason against automatic approval.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Blocker {
    /// The bytes it is about.
    pub span: Span,
    /// One clause, lower case, without a full stop.
    pub reason: String,
}

/// Analyses shell text.
#[must_use]
pub fn analyze(text: &str, settings: &Settings<'_>) -> Analysis {
    let _ = (text, settings.shell);
    let reason = Blocker { span: Span::default(), reason: "not analysed".to_owned() };
    Analysis {
        invocations: Vec::new(),
        error: None,
        blockers: vec![reason.clone()],
        opaque: Some(reason),
        exclude: Vec::new(),
    }
}

/// Analyses an argv that is run without a shell; spans count bytes in the words joined by one blank.
#[must_use]
pub fn analyze_argv(argv: &[String], settings: &Settings<'_>) -> Analysis {
    let _ = argv;
    analyze("", settings)
}

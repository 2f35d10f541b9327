//! The whole way: parse, plan, look up, judge.

use std::borrow::Cow;

use portcullis_paths::Resolver;

use crate::{
    Argument, Directories, ErrorKind, Invocation, ParseError, Span, Value, dialect, judge,
    parse::each_unit,
    plan::{Call, Context, MAX_COMMANDS, Planner, State, TOO_MANY},
    text::quoted,
};

/// The most errors behind which a text is read on.
const MAX_ERRORS: usize = 8;

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
    /// Lifts `roots`: reads anywhere may be automatic.
    pub allow_external_paths: bool,
    /// The project's own configuration (git's included) may name programs.
    pub trusted: bool,
    /// The runner passes no secrets in the environment, so that printing it, or a variable of it, gives none away.
    pub scrubbed: bool,
    /// Variables that the shell starts with for certain; `HOME` and `PWD` are above. Their values are no secrets: a text
    /// may print them.
    pub environment: &'a [(String, String)],
    /// The file system, if decisions may look at it: where links lead, those among the matches of globs and the names
    /// that one program prints for another included, and whether such a name has a line feed in it. What it cannot tell
    /// is not read-only. Without one, paths and patterns are judged as they are written, as if there were neither.
    pub resolver: Option<&'a dyn Resolver>,
}

impl<'a> Settings<'a> {
    /// What is least known and most confined: bash in `cwd`, reads within `roots` only, no home directory, an
    /// untrusted project, an environment with secrets, no file system to look at.
    ///
    /// ```
    /// use portcullis_shell_analysis::{Settings, analyze};
    ///
    /// let roots = ["/repo".to_owned()];
    /// let settings = Settings { home: Some("/home/u"), ..Settings::new("/repo", &roots) };
    /// assert!(analyze("cat src/lib.rs", &settings).read_only());
    /// assert!(!analyze("cat ~/notes", &settings).read_only());
    /// ```
    #[must_use]
    pub const fn new(cwd: &'a str, roots: &'a [String]) -> Self {
        Self {
            shell: Shell::Bash,
            cwd,
            home: None,
            roots,
            allow_external_paths: false,
            trusted: false,
            scrubbed: false,
            environment: &[],
            resolver: None,
        }
    }
}

/// What a text can do.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Every program it can run; on a parse error those of the complete commands before the error, and what stands
    /// in the lines behind it.
    pub invocations: Vec<Invocation>,
    /// The text was refused here.
    pub error: Option<ParseError>,
    /// Why this is not read-only within the roots; empty means read-only.
    pub blockers: Vec<Blocker>,
    /// Something makes the meaning of the text unknowable (an `alias`, the work budget, a dialect): no
    /// allow rule covers it, and every deny rule may match.
    pub opaque: Option<Blocker>,
    /// Globs to hide from its recursive content reads; filled by the caller.
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
    pub reason: Cow<'static, str>,
}

/// Analyses shell text.
///
/// ```
/// use portcullis_shell_analysis::{Settings, analyze};
///
/// let roots = ["/repo".to_owned()];
/// let settings = Settings { home: Some("/home/u"), ..Settings::new("/repo", &roots) };
/// assert!(analyze("ls -la src | head -3", &settings).read_only());
/// assert!(!analyze("ls & rm -rf build", &settings).read_only());
/// ```
#[must_use]
pub fn analyze(text: &str, settings: &Settings<'_>) -> Analysis {
    analyze_from(text, settings, here(settings))
}

fn here(settings: &Settings<'_>) -> Directories {
    Directories::Known([settings.cwd.to_owned()].into())
}

/// [`analyze`], started in one of `directories`.
pub(crate) fn analyze_from(text: &str, settings: &Settings<'_>, directories: Directories) -> Analysis {
    let mut planner = Planner::new(settings);
    let mut state = State::new(directories);
    let whole = Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX));
    if let Some(reason) = dialect::difference(text, settings.shell) {
        planner.make_opaque(whole, reason);
    }
    let cx = Context::default();
    let (dropped, error) = each_unit(text, MAX_COMMANDS, |list| {
        planner.line(&mut state, &cx, list);
        !planner.spent()
    });
    if let Some(span) = dropped {
        planner.make_opaque(span, TOO_MANY);
    }
    if let Some(error) = &error {
        behind_error(&mut planner, &mut state, text, error);
    }
    conclude(planner, text, error, settings)
}

/// Where bash stumbles in an array it drops that line and goes on (seen in bash 5.2), as it does with every line that
/// it reads from a terminal or a pipe: rules that restrict look at the lines behind an error as well.
fn behind_error(planner: &mut Planner<'_>, state: &mut State, text: &str, error: &ParseError) {
    if !matches!(error.kind, ErrorKind::Syntax | ErrorKind::Unsupported) {
        return;
    }
    let offset = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
    let mut at = offset(error.span.start);
    for _ in 0..MAX_ERRORS {
        let Some((line, rest)) = text.get(at..).and_then(|behind| behind.split_once('\n')) else { return };
        at += line.len() + 1;
        state.forget_all();
        state.directories = Directories::Unknown;
        let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let mut cx = Context { at: Some(Span::new(error.span.start, end)), ..Context::default() };
        cx.reach.conditional = true;
        let (_, next) = each_unit(rest, MAX_COMMANDS, |list| {
            // Where the error is another one to bash, its lines begin elsewhere, and none of these may run.
            let before = state.clone();
            planner.line(state, &cx, list);
            state.join(&before);
            !planner.spent()
        });
        let Some(next) = next else { return };
        at += offset(next.span.start);
    }
}

/// Analyses an argv that is run without a shell; spans count bytes in what [`join_words`](crate::join_words) makes of it.
#[must_use]
pub fn analyze_argv(argv: &[String], settings: &Settings<'_>) -> Analysis {
    analyze_argv_from(argv, settings, here(settings))
}

/// [`analyze_argv`], started in one of `directories`.
pub(crate) fn analyze_argv_from(
    argv: &[String],
    settings: &Settings<'_>,
    directories: Directories,
) -> Analysis {
    let mut planner = Planner::new(settings);
    let mut state = State::new(directories);
    let mut at = 0usize;
    let mut words = Vec::with_capacity(argv.len());
    for (text, quoted) in argv.iter().zip(quoted(argv)) {
        let end = at + quoted.len();
        let span = Span::new(u32::try_from(at).unwrap_or(u32::MAX), u32::try_from(end).unwrap_or(u32::MAX));
        words.push(Argument {
            value: Value::Known(text.as_str().into()),
            splits: false,
            vanishes: false,
            hazard: false,
            span,
        });
        at = end + 1;
    }
    let span = Span::new(0, u32::try_from(at.saturating_sub(1)).unwrap_or(u32::MAX));
    // No shell: builtins and functions do not exist, but `cd` and its kin do no harm as programs either.
    let cx = Context { external: true, no_functions: true, ..Context::default() };
    planner.run(&mut state, &cx, Call { words, span, ..Call::default() });
    conclude(planner, &argv.join(" "), None, settings)
}

fn conclude(
    planner: Planner<'_>,
    text: &str,
    error: Option<ParseError>,
    settings: &Settings<'_>,
) -> Analysis {
    let plan = planner.finish();
    let mut invocations = plan.invocations;
    // Code that hides in a value (`x='a[$(rm y)]'; ((x))`) stands somewhere in the text: deny rules look
    // for their words there, as they do in the code of interpreters.
    if let Some(invocation) = plan.evaluating.and_then(|index| invocations.get_mut(index)) {
        invocation.code.push(text.to_owned());
    }
    let mut blockers = judge::judge(&mut invocations, settings);
    // Nothing follows in this text, but the shell may go on (`read PATH`).
    blockers.extend(plan.meaning);
    Analysis { invocations, error, blockers, opaque: plan.opaque, exclude: Vec::new() }
}

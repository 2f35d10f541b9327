//! Texts inside texts: `bash -c`, scripts, here-documents into a shell.

use super::{Call, Context, Feed, Flow, MAX_INNER_TEXT, Planner, State, launch::shared};
use crate::{
    Argument, Directories, EffectKind, HereText, Launcher, Redirection, RedirectionTarget, Shell, Span, Text,
    Value, dialect, parse::parse_shared, programs,
};

/// The most bytes of a script file that are read.
pub(super) const MAX_SCRIPT: usize = 256 << 10;

/// Programs that may read a few lines and leave the rest.
const TAKERS: &[&str] = &[
    "bash",
    "dash",
    "dd",
    "grep",
    "head",
    "ksh",
    "mapfile",
    "node",
    "perl",
    "python",
    "python3",
    "read",
    "readarray",
    "ruby",
    "sed",
    "sh",
    "su",
    "zsh",
];

/// What a shell's own words say.
struct Invoked<'c> {
    command: bool,
    stdin: bool,
    interactive: bool,
    transparent: bool,
    /// It prints what it runs.
    traced: bool,
    operands: &'c [Argument],
    /// The file behind `--rcfile`.
    start: Option<&'c Argument>,
    /// A word that may be anything stands before the operands.
    unknown: bool,
    /// An option makes text mean something else than it seems to.
    changes: bool,
}

/// Variables of which a shell takes options when it starts (bash manual 5.2, 6.11).
const STARTING: &[&str] =
    &["BASHOPTS", "BASH_COMPAT", "EXECIGNORE", "GLOBIGNORE", "POSIXLY_CORRECT", "SHELLOPTS"];

impl Planner<'_> {
    /// A shell as a program, with the file that it starts with when it is interactive (bash manual 6.2).
    pub(crate) fn shell(&mut self, state: &State, cx: &Context, name: &str, call: Call) -> Flow {
        let start = options(&call.words).start.map(|word| (word.value.clone(), word.span));
        let Some((file, at)) = start else { return self.shell_itself(state, cx, name, call) };
        let mut inner = cx.clone();
        inner.launchers.push(Launcher { name: call.named(name), transparent: false });
        inner.feed = Feed::Unknown;
        self.pend(EffectKind::Execute(file.clone()), at);
        let flow = self.shell_itself(state, cx, name, call);
        match self.script_text(state, &file) {
            Some(text) => {
                self.inner_shell(state, &inner, &text, Shell::Bash, at);
            }
            None if is_pipe(&file) || is_standard_input(&file) || file.known().is_none() => {
                self.make_opaque(at, "a shell starts with a text that is not known");
            }
            None => {}
        }
        flow
    }

    fn shell_itself(&mut self, state: &State, cx: &Context, name: &str, call: Call) -> Flow {
        let shell = match name {
            "bash" | "rbash" => Shell::Bash,
            "sh" | "dash" | "ash" => Shell::Sh,
            "zsh" => Shell::Zsh,
            _ => Shell::Unknown,
        };
        let span = call.span;
        let invoked = options(&call.words);
        self.traced |= invoked.traced;
        if invoked.changes || call.assignments.iter().any(|one| STARTING.contains(&&*one.name)) {
            self.make_opaque(span, "options of a shell change what its text means");
        }
        let transparent = invoked.transparent && invoked.command && matches!(shell, Shell::Bash | Shell::Sh);
        let mut inner = cx.clone();
        inner.launchers.push(Launcher { name: call.named(name), transparent });
        inner.feed = shared(&call.redirections, inner.feed);
        let interactive = invoked.interactive;
        let operand = invoked.operands.first().map(|word| (word.value.clone(), word.span));
        if invoked.unknown {
            self.pend(EffectKind::Opaque(format!("what `{name}` runs is not known").into()), span);
            self.emit(state, cx, call);
            self.make_opaque(span, "a shell runs text that is not known");
            return Flow::default();
        }
        if invoked.command {
            match operand {
                Some((Value::Known(text), at)) => {
                    let known =
                        if transparent { programs::Known::Nothing } else { programs::Known::Launcher };
                    self.emit_as(state, cx, call, known);
                    return self.inner_shell(state, &inner, &text, shell, at);
                }
                Some(_) => {
                    self.pend(EffectKind::Opaque("the text a shell runs is not known".into()), span);
                    self.emit(state, cx, call);
                    self.make_opaque(span, "a shell runs text that is not known");
                }
                None => {
                    self.pend(EffectKind::Opaque(format!("`{name} -c` without a text").into()), span);
                    self.emit(state, cx, call);
                }
            }
            return Flow::default();
        }
        let source = operand.filter(|(file, _)| !(invoked.stdin || is_standard_input(file)));
        if let Some((file, at)) = source {
            self.pend(EffectKind::Execute(file.clone()), at);
            self.emit(state, cx, call);
            if is_pipe(&file) {
                self.make_opaque(at, "a shell runs what another command prints");
            } else if file.known().is_none() {
                self.make_opaque(at, "the file that a shell runs is not known");
            }
            if let Some(text) = self.script_text(state, &file) {
                self.inner_shell(state, &inner, &text, shell, at);
            }
            return Flow::default();
        }
        let (text, known) = self.standard_input(state, cx, &call.redirections);
        self.pend(EffectKind::Opaque(format!("`{name}` runs what it reads").into()), span);
        self.emit(state, cx, call);
        inner.feed = Feed::Unknown;
        match text {
            Some(text) => {
                if interactive && repeats_history(&text) {
                    self.make_opaque(span, "an interactive shell reads parts of earlier lines anew");
                }
                let first = self.invocations.len();
                self.inner_shell(state, &inner, &text, shell, span);
                if text.trim_end().contains('\n') && self.takes_input(first, &text) {
                    self.make_opaque(span, "a command in the text that a shell reads may take lines of it");
                }
            }
            None if known => {}
            None => self.make_opaque(span, "a shell runs text that is not known"),
        }
        Flow::default()
    }

    /// Whether an invocation from `first` on may take a part of what is on standard input: what is left of a text that
    /// a shell has there means something else (`read` before a here-document, or before an assignment).
    fn takes_input(&self, first: usize, text: &str) -> bool {
        let planned = self.invocations.get(first..).unwrap_or_default();
        text.contains("select")
            || planned.iter().any(|invocation| {
                let name = invocation.base_name();
                !invocation.words.is_empty() && name.is_none_or(|name| TAKERS.contains(&name))
            })
    }

    /// `at`, `batch` and `crontab -` run later what they read now (at(1), crontab(1)).
    pub(crate) fn scheduled(
        &mut self,
        state: &State,
        cx: &Context,
        name: &str,
        call: Call,
    ) -> Result<Flow, Call> {
        let span = call.span;
        let mut words = call.words.iter().skip(1).filter_map(|word| word.value.known());
        let table = name == "crontab";
        let reads = if table {
            call.words.len() == 1 || words.any(|word| word == "-")
        } else {
            !words.any(|word| matches!(word, "-l" | "-c" | "-r" | "-d" | "-V"))
        };
        if !reads {
            return Err(call);
        }
        let (text, known) = self.standard_input(state, cx, &call.redirections);
        if text.is_none() && !known {
            self.make_opaque(span, format!("`{name}` runs text that is not known"));
        }
        if table {
            // Its lines have a time in front: rules look at their words.
            return Err(call);
        }
        let mut inner = cx.clone();
        inner.launchers.push(Launcher { name: call.named(name), transparent: false });
        inner.feed = Feed::Unknown;
        self.pend(EffectKind::Opaque(format!("`{name}` runs what it reads").into()), span);
        self.emit_as(state, cx, call, programs::Known::Launcher);
        if let Some(text) = text {
            self.inner_shell(state, &inner, &text, Shell::Sh, span);
        }
        Ok(Flow::default())
    }

    /// What standard input holds; the second: it cannot hold a text of ours.
    pub(crate) fn standard_input(
        &self,
        state: &State,
        cx: &Context,
        redirections: &[Redirection],
    ) -> (Option<Text>, bool) {
        match redirections
            .iter()
            .rev()
            .find(|redirection| redirection.fd == 0)
            .map(|redirection| &redirection.target)
        {
            Some(RedirectionTarget::Text(HereText(text))) => (text.clone(), false),
            // A name of a descriptor: a process substitution has one, and so has what is read without a redirection.
            Some(RedirectionTarget::File(file)) if is_pipe(file) || is_standard_input(file) => (None, false),
            Some(RedirectionTarget::File(file)) => (self.script_text(state, file), file.known().is_some()),
            Some(_) => (None, false),
            None => match &cx.feed {
                Feed::Text(text) => (Some(text.clone()), false),
                _ => (None, false),
            },
        }
    }

    pub(crate) fn script_text(&self, state: &State, file: &Value) -> Option<Text> {
        let resolver = self.settings.resolver?;
        let Directories::Known(directories) = &state.directories else { return None };
        let [directory] = &**directories else { return None };
        let path = self.look.place(directory, file.known()?)?;
        String::from_utf8(resolver.read(&path, MAX_SCRIPT).ok()?).ok().map(Text::from)
    }

    /// A new shell: no functions or variables of the outer one.
    pub(super) fn inner_shell(
        &mut self,
        state: &State,
        cx: &Context,
        text: &Text,
        shell: Shell,
        span: Span,
    ) -> Flow {
        let mut inner = state.of_inner_shell();
        let functions = std::mem::take(&mut self.functions);
        let mut cx = cx.clone();
        cx.reach.function = false;
        let flow = self.inner_text(&mut inner, &cx, text, shell, span);
        let own = std::mem::replace(&mut self.functions, functions);
        // What is left of them may call any of the others.
        if own.any_left() {
            self.strays.extend(own.into_iter());
        }
        // Its `exit` and its directories are its own.
        Flow { feed: flow.feed, ..Flow::default() }
    }

    /// Parses and plans `text`; everything in it is reported at `span`.
    pub(crate) fn inner_text(
        &mut self,
        state: &mut State,
        cx: &Context,
        text: &Text,
        shell: Shell,
        span: Span,
    ) -> Flow {
        self.inner_text += text.len();
        if self.inner_text > MAX_INNER_TEXT || !self.step(span) {
            self.make_opaque(span, "more text inside text than is followed");
            return Flow::default();
        }
        if let Some(reason) = dialect::difference(text, shell) {
            self.make_opaque(span, reason);
        }
        let mut cx = cx.clone();
        cx.at = Some(span);
        cx.external = false;
        cx.no_functions = false;
        cx.breakable = false;
        self.depth += 1;
        let outer = self.ended.take();
        let shell = std::mem::replace(&mut self.shell, shell);
        let flow = match parse_shared(text) {
            Ok(script) => self.lines(state, &cx, &script.list),
            Err(error) => {
                self.lines(state, &cx, &error.complete.list);
                self.make_opaque(span, ["a text that runs cannot be read: ", &error.message].concat());
                Flow::default()
            }
        };
        self.ended = outer;
        self.shell = shell;
        self.depth -= 1;
        flow
    }
}

/// A name of standard input (proc(5): `/proc/self/fd`).
pub(crate) fn is_standard_input(file: &Value) -> bool {
    matches!(file.known(), Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0"))
}

/// Another descriptor by its name, such as `<(...)` is one.
pub(crate) fn is_pipe(file: &Value) -> bool {
    file.known().is_some_and(|path| path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/"))
}

/// Whether an interactive shell may find history expansions in what it reads: `!` anywhere, `^` at the start of a line, or
/// other characters for the two (bash manual 9.3).
fn repeats_history(text: &str) -> bool {
    text.contains('!') || text.lines().any(|line| line.starts_with('^')) || text.contains("histchars")
}

/// A shell's options end at the first operand (bash manual 6.1).
fn options(words: &[Argument]) -> Invoked<'_> {
    let mut invoked = Invoked {
        command: false,
        stdin: false,
        interactive: false,
        traced: false,
        transparent: true,
        operands: &[],
        start: None,
        unknown: false,
        changes: false,
    };
    let mut index = 1;
    while let Some(word) = words.get(index) {
        let Some(text) = word.value.known() else {
            // Before an operand it may be an option; after `-c` it is the text.
            invoked.unknown |= !invoked.command || word.splits;
            break;
        };
        if text == "--" || text == "-" {
            index += 1;
            break;
        }
        if let Some(long) = text.strip_prefix("--") {
            let takes = matches!(long, "rcfile" | "init-file");
            invoked.unknown |= takes && words.get(index + 1).is_some_and(|word| word.splits);
            match long {
                "norc" | "noprofile" | "login" | "posix" | "verbose" => {}
                "rcfile" | "init-file" => {
                    invoked.transparent = false;
                    index += 1;
                    invoked.start = words.get(index);
                }
                _ => invoked.transparent = false,
            }
            index += 1;
            continue;
        }
        if !(text.starts_with('-') || text.starts_with('+')) || text.len() < 2 {
            break;
        }
        let mut takes = 0;
        for flag in text.chars().skip(1) {
            match flag {
                'c' => invoked.command |= text.starts_with('-'),
                's' => invoked.stdin = true,
                'o' | 'O' => {
                    takes += 1;
                    invoked.changes |= flag == 'O';
                }
                'x' => invoked.traced = true,
                'e' | 'u' | 'l' => {}
                _ => {
                    invoked.interactive |= flag == 'i';
                    invoked.transparent = false;
                    invoked.changes |= !"bDhimnv".contains(flag);
                }
            }
        }
        for _ in 0..takes {
            index += 1;
            let name = words.get(index);
            invoked.unknown |= name.is_some_and(|word| word.splits);
            let name = name.and_then(|word| word.value.known());
            invoked.traced |= name == Some("xtrace");
            let plain = matches!(name, Some("pipefail" | "errexit" | "nounset" | "xtrace"));
            invoked.transparent &= plain;
            invoked.changes |= !plain;
        }
        index += 1;
    }
    invoked.operands = words.get(index..).unwrap_or_default();
    invoked
}

//! Lists, pipelines and compound commands.

use super::{
    Call, Context, Feed, Flow, Planner, State,
    conditional::is_exact,
    launch::shared,
    redirects,
    state::union,
    words::{Place, literal_text},
};
use crate::{
    Directories, Shell, Span, Value,
    tree::{
        AndOr, Command, CommandKind, Item, List, Pipeline, Redirect, RedirectOp, RedirectTarget,
        Substitution, Word, WordPart,
    },
};

impl Planner<'_> {
    pub(crate) fn list(&mut self, state: &mut State, cx: &Context, list: &List) -> Flow {
        self.items(state, cx, list, false)
    }

    /// All lines of a text: an error in one may leave out what is behind it in that.
    pub(crate) fn lines(&mut self, state: &mut State, cx: &Context, list: &List) -> Flow {
        self.items(state, cx, list, true)
    }

    fn items(&mut self, state: &mut State, cx: &Context, list: &List, lines: bool) -> Flow {
        let mut last = Flow::default();
        let mut ends = false;
        for item in &list.items {
            if self.spent() {
                break;
            }
            last = self.item(state, cx, item);
            ends |= last.ends;
            if let Some(ended) = self.ended.as_ref().filter(|_| lines) {
                state.join(ended);
                ends = false;
                last = Flow { feed: std::mem::take(&mut last.feed), ..Flow::default() };
            }
        }
        if list.items.len() == 1 { last } else { Flow { ends, ..Flow::default() } }
    }

    fn item(&mut self, state: &mut State, cx: &Context, item: &Item) -> Flow {
        // A coprocess sets its variable all the same.
        let coprocess =
            matches!(item.first.commands.as_slice(), [Command { kind: CommandKind::Coproc { .. }, .. }])
                && item.rest.is_empty();
        if item.background && !coprocess {
            let mut inner = state.clone();
            let mut cx = cx.clone();
            cx.reach.background = true;
            cx.breakable = false;
            self.and_or(&mut inner, &cx, item);
            return Flow::default();
        }
        self.and_or(state, cx, item)
    }

    fn and_or(&mut self, state: &mut State, cx: &Context, item: &Item) -> Flow {
        let flow = self.pipeline(state, cx, &item.first);
        if item.rest.is_empty() {
            if flow.ends {
                return Flow { ends: true, ..Flow::default() };
            }
            if let Some(failed) = &flow.failed {
                state.directories = union(&state.directories, failed);
            }
            return Flow { feed: flow.feed, ..Flow::default() };
        }
        let mut cx = cx.clone();
        cx.reach.conditional = true;
        let mut seen = state.clone();
        // Where the shell may be after a success and after a failure; nowhere when it has ended.
        let (mut success, mut failure) = ends_in(state, flow);
        let mut skips = false;
        for (operator, pipeline) in &item.rest {
            match operator {
                AndOr::And => {
                    // `a || b && c`: without `b` as well.
                    if skips {
                        state.join_variables(&seen);
                    }
                    state.directories = somewhere(&success);
                }
                AndOr::Or => {
                    skips = true;
                    state.join_variables(&seen);
                    state.directories = somewhere(&failure);
                }
            }
            let flow = self.pipeline(state, &cx, pipeline);
            let (then, otherwise) = ends_in(state, flow);
            match operator {
                AndOr::And => {
                    success = then;
                    failure = either_of(failure, otherwise);
                }
                AndOr::Or => {
                    success = either_of(success, then);
                    failure = otherwise;
                }
            }
            seen.join_variables(state);
        }
        state.join_variables(&seen);
        state.directories = somewhere(&either_of(success, failure));
        Flow::default()
    }

    fn pipeline(&mut self, state: &mut State, cx: &Context, pipeline: &Pipeline) -> Flow {
        if pipeline.timed && self.shell != Shell::Bash {
            self.make_opaque(cx.span(pipeline.span), "`time` is a program in some shells");
        }
        if let [command] = pipeline.commands.as_slice() {
            let mut flow = self.command(state, cx, command);
            if pipeline.negated
                && !flow.ends
                && let Some(failed) = flow.failed.take()
            {
                flow.failed = Some(std::mem::replace(&mut state.directories, failed));
            }
            return flow;
        }
        let mut cx = cx.clone();
        cx.reach.pipeline = true;
        cx.breakable = false;
        let first = self.invocations.len();
        for command in &pipeline.commands {
            let mut inner = state.clone();
            cx.upstream = first..self.invocations.len();
            if !cx.upstream.is_empty() {
                cx.hears = cx.hears.or(Some(first));
            }
            if !matches!(command.kind, CommandKind::Simple(_)) {
                cx.feed = shared(&[], cx.feed);
            }
            let flow = self.command(&mut inner, &cx, command);
            cx.feed = flow.feed;
        }
        Flow { feed: cx.feed, ..Flow::default() }
    }

    pub(crate) fn command(&mut self, state: &mut State, cx: &Context, command: &Command) -> Flow {
        let span = cx.span(command.span);
        if !self.step(span) {
            return Flow::default();
        }
        self.depth += 1;
        let flow = match &command.kind {
            CommandKind::Simple(simple) => {
                // Bash assigns all the same; other shells do not (dash(1)).
                let stops = !simple.words.is_empty() || self.shell != Shell::Bash;
                let may_fail = stops && redirects::may_fail(&command.redirects);
                let before = may_fail.then(|| state.clone());
                let mut flow = self.simple(state, cx, simple, &command.redirects, span);
                if let Some(before) = before {
                    state.join(&before);
                    flow.ends = false;
                }
                flow
            }
            kind => {
                let mut inner;
                let mut cx = cx;
                let mut group = None;
                let mut before = None;
                if !command.redirects.is_empty() && !matches!(kind, CommandKind::Function { .. }) {
                    let first = self.invocations.len();
                    let redirections = self.redirections(state, cx, &command.redirects);
                    inner = cx.clone();
                    inner.hears = redirects::heard(&redirections, first).or(inner.hears);
                    // Where a redirection fails nothing of it runs.
                    if redirects::may_fail(&command.redirects) {
                        inner.reach.conditional = true;
                        before = Some(state.clone());
                    }
                    inner.descriptors |= redirects::opened(&redirections);
                    if redirections.iter().any(|redirection| redirection.fd == 0) {
                        inner.feed = self.redirected_feed(&command.redirects);
                    }
                    cx = &inner;
                    group = Some(self.invocations.len());
                    self.emit(state, cx, Call { redirections, span, ..Call::default() });
                }
                let mut flow = self.compound(state, cx, kind, command, span);
                if let Some(before) = before {
                    state.join(&before);
                    flow.ends = false;
                }
                if let Some(group) = group {
                    self.remember_group(group);
                }
                self.flush(state, cx, span);
                flow
            }
        };
        self.depth -= 1;
        flow
    }

    /// What the loop reads in `done < <(find src)`.
    fn redirected_feed(&mut self, redirects: &[Redirect]) -> Feed {
        let piped = std::mem::take(&mut self.piped);
        match redirects {
            [Redirect { op: RedirectOp::Read, target: RedirectTarget::Word(word), .. }]
                if matches!(word.parts.as_slice(), [WordPart::Process { output: false, .. }]) =>
            {
                piped
            }
            _ => Feed::Unknown,
        }
    }

    fn compound(
        &mut self,
        state: &mut State,
        cx: &Context,
        kind: &CommandKind,
        command: &Command,
        span: Span,
    ) -> Flow {
        match kind {
            CommandKind::Simple(_) => Flow::default(),
            CommandKind::Subshell(list) => {
                let mut inner = state.clone();
                let mut cx = cx.clone();
                cx.reach.subshell = true;
                cx.breakable = false;
                let flow = self.list(&mut inner, &cx, list);
                Flow { feed: flow.feed, ..Flow::default() }
            }
            CommandKind::Group(list) => self.list(state, cx, list),
            CommandKind::If { branches, otherwise } => {
                let mut inner = cx.clone();
                let mut result: Option<State> = None;
                for (condition, body) in branches {
                    self.list(state, &inner, condition);
                    inner.reach.conditional = true;
                    let mut branch = state.clone();
                    self.list(&mut branch, &inner, body);
                    match &mut result {
                        Some(result) => result.join(&branch),
                        None => result = Some(branch),
                    }
                }
                if let Some(otherwise) = otherwise {
                    self.list(state, &inner, otherwise);
                }
                if let Some(result) = result {
                    state.join(&result);
                }
                Flow::default()
            }
            CommandKind::Loop { condition, body, .. } => {
                self.rounds(span, |planner| {
                    planner.widen(state, cx, &[condition, body], &[]);
                    let changes = planner.functions.changes();
                    let mut cx = cx.in_loop();
                    // Behind a `break` it does not run.
                    cx.reach.conditional |= condition.items.len() > 1;
                    planner.breaks.push(None);
                    planner.list(state, &cx, condition);
                    cx.reach.conditional = true;
                    let mut inner = state.clone();
                    planner.list(&mut inner, &cx, body);
                    state.join(&inner);
                    planner.broken_off(state);
                    changes
                });
                Flow::default()
            }
            CommandKind::For { name, words, body, select } => {
                let items = words.as_ref().map(|words| self.arguments(state, cx, words));
                self.flush(state, cx, span);
                let numbers = words.as_ref().is_some_and(|words| self.are_numbers(words));
                self.for_each(state, cx, name, items, numbers, body, *select, span)
            }
            CommandKind::ArithmeticFor { parts, body } => {
                let [init, test, step] = &**parts;
                self.arithmetic(state, cx, init);
                self.rounds(span, |planner| {
                    planner.widen(state, cx, &[body], &[test, step]);
                    let changes = planner.functions.changes();
                    planner.arithmetic(state, cx, test);
                    planner.flush(state, cx, span);
                    let mut cx = cx.in_loop();
                    cx.reach.conditional = true;
                    let mut inner = state.clone();
                    planner.breaks.push(None);
                    planner.list(&mut inner, &cx, body);
                    planner.arithmetic(&mut inner, &cx, step);
                    planner.flush(state, &cx, span);
                    state.join(&inner);
                    planner.broken_off(state);
                    changes
                });
                Flow::default()
            }
            CommandKind::Case { subject, clauses } => {
                self.patterns += 1;
                let noted = self.pending.len();
                self.single(state, cx, subject, Place::Single);
                if clauses.iter().flat_map(|(patterns, _)| patterns).all(is_exact) {
                    self.only_tested(noted);
                }
                self.flush(state, cx, span);
                let mut inner = cx.clone();
                inner.reach.conditional = true;
                // `;&` runs on into the next body: each may start where an earlier one ended.
                let mut any = state.clone();
                for (patterns, body) in clauses {
                    for pattern in patterns {
                        self.single(&mut any, cx, pattern, Place::Single);
                    }
                    let mut branch = any.clone();
                    self.list(&mut branch, &inner, body);
                    any.join(&branch);
                }
                *state = any;
                Flow::default()
            }
            CommandKind::Arithmetic(arithmetic) => {
                self.arithmetic(state, cx, arithmetic);
                Flow::default()
            }
            CommandKind::Conditional(conditional) => {
                self.conditional(state, cx, conditional);
                Flow::default()
            }
            CommandKind::Function { name, body } => {
                self.patterns += 1;
                self.define(cx, name, body, &command.redirects);
                Flow::default()
            }
            CommandKind::Coproc { name, body } => {
                let mut inner = state.clone();
                let mut cx = cx.clone();
                cx.reach.background = true;
                cx.reach.subshell = true;
                cx.breakable = false;
                cx.hears_later = true;
                self.command(&mut inner, &cx, body);
                let name = name.as_deref().unwrap_or("COPROC");
                // Both go when it ends, whatever they are set to by then.
                for name in [name, &format!("{name}_PID")] {
                    state.set(name, Value::Unknown, false);
                    state.freeze(name);
                    self.variable_changed(&cx, name, span);
                }
                Flow::default()
            }
        }
    }

    /// `$(...)`: what runs, and what it prints when that is certain.
    pub(crate) fn substitution(&mut self, state: &State, cx: &Context, inner: &Substitution) -> Value {
        // Without commands nothing is known of it either: `$()`, or there was no room for them.
        if self.spent() || (inner.list.items.is_empty() && !inner.broken) {
            return Value::Unknown;
        }
        let mut copy = state.clone();
        let mut deeper = cx.clone();
        deeper.reach.substitution = true;
        deeper.reach.subshell = true;
        deeper.breakable = false;
        self.list(&mut copy, &deeper, &inner.list);
        self.refuse_broken(&deeper, inner);
        if inner.broken { Value::Unknown } else { self.printed(state, &inner.list) }
    }

    /// What bash stumbles over is never allowed.
    pub(crate) fn refuse_broken(&mut self, cx: &Context, inner: &Substitution) {
        if inner.broken {
            self.make_opaque(cx.span(inner.span), "a substitution that bash does not read as it stands");
        }
    }

    /// `$(cat <<'EOF' ...)`, `$(pwd)` and `$(echo words)`.
    fn printed(&self, state: &State, list: &List) -> Value {
        let [item] = list.items.as_slice() else { return Value::Unknown };
        let [command] = item.first.commands.as_slice() else { return Value::Unknown };
        let CommandKind::Simple(simple) = &command.kind else { return Value::Unknown };
        let Some((word, rest)) = simple.words.split_first() else { return Value::Unknown };
        if !item.rest.is_empty()
            || item.background
            || !simple.assignments.is_empty()
            || !self.functions.is_empty()
        {
            return Value::Unknown;
        }
        match (literal_text(&word.parts).as_deref(), rest, command.redirects.as_slice()) {
            (Some("pwd"), [], []) => self.variable(state, "PWD").0,
            (Some("echo"), rest, []) => echoed(rest).map_or(Value::Unknown, |text| Value::Known(text.into())),
            (Some("cat"), [], [redirect]) => match &redirect.target {
                crate::tree::RedirectTarget::HereDoc { body, quoted: true } => literal_text(&body.parts)
                    .map_or(Value::Unknown, |text| Value::Known(text.trim_end_matches('\n').into())),
                _ => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }
}

/// What `echo` prints, its last line feeds taken off as a substitution does: words that nothing expands, without
/// options, and without a backslash, which some `echo` read (bash manual 4.2, `xpg_echo`).
fn echoed(words: &[Word]) -> Option<String> {
    let mut line = String::new();
    for (index, word) in words.iter().enumerate() {
        let plain = |part: &WordPart| match part {
            WordPart::Literal(text) => !text.contains(['*', '?', '[', '{', '~', '\\']),
            WordPart::Quoted(text) => !text.contains('\\'),
            _ => false,
        };
        if !word.parts.iter().all(plain) {
            return None;
        }
        if index > 0 {
            line.push(' ');
        }
        line.push_str(&literal_text(&word.parts)?);
    }
    (!line.starts_with('-')).then(|| line.trim_end_matches('\n').to_owned())
}

/// Where the shell is after a command's success and after its failure; nowhere when the command ends it.
fn ends_in(state: &State, flow: Flow) -> (Option<Directories>, Option<Directories>) {
    if flow.ends {
        return (None, None);
    }
    let success = state.directories.clone();
    let failure = flow.failed.unwrap_or_else(|| success.clone());
    (Some(success), Some(failure))
}

fn either_of(left: Option<Directories>, right: Option<Directories>) -> Option<Directories> {
    match (left, right) {
        (Some(left), Some(right)) => Some(union(&left, &right)),
        (left, right) => left.or(right),
    }
}

/// A command that seems out of reach is judged as if it ran anywhere.
fn somewhere(directories: &Option<Directories>) -> Directories {
    directories.clone().unwrap_or(Directories::Unknown)
}

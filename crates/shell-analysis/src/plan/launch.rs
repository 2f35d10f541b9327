//! Follows launchers to what they run.

use super::{Call, Context, Feed, Flow, Planner, State, variables};
use crate::{
    Argument, Assignment, Directories, EffectKind, GlobPattern, Launcher, PathTarget, Value,
    launchers::{self, Inner},
    programs::{self, flags},
    tree::RedirectOp,
};

impl Planner<'_> {
    /// Handles a launcher; gives the call back when the program is none.
    pub(crate) fn launch(
        &mut self,
        state: &mut State,
        cx: &Context,
        program: &str,
        call: Call,
    ) -> Result<Flow, Call> {
        let name = program.rsplit('/').next().unwrap_or(program);
        let trusted = programs::standard_location(program);
        match name {
            "bash" | "rbash" | "sh" | "dash" | "ash" | "zsh" | "ksh" | "mksh" | "fish" | "tcsh" | "csh" => {
                Ok(self.shell(state, cx, name, call))
            }
            "at" | "batch" | "crontab" => self.scheduled(state, cx, name, call),
            "env" => Ok(self.env(state, cx, name, trusted, call)),
            "xargs" => Ok(self.xargs(state, cx, name, trusted, call)),
            "find" | "gfind" => Ok(self.find(state, cx, name, trusted, call)),
            _ => match launchers::find(name, call.words.get(1..).unwrap_or_default()) {
                Some(launcher) => self.table(state, cx, launcher, name, trusted, call),
                None => Err(call),
            },
        }
    }

    fn table(
        &mut self,
        state: &mut State,
        cx: &Context,
        launcher: &launchers::Launcher,
        name: &str,
        trusted: bool,
        call: Call,
    ) -> Result<Flow, Call> {
        let span = call.span;
        if name == "command" && prints(&call.words) {
            return Err(call);
        }
        if name == "exec" && call.words.len() == 1 {
            self.emit_as(state, cx, call, programs::Known::Nothing);
            self.change_meaning(span, "`exec` moves descriptors of what follows");
            return Ok(Flow::default());
        }
        let own = call.words.get(launcher.subcommand.len()..).unwrap_or_default();
        let mut parsed = flags::leading(own, launcher.flags, name);
        let mut assignments = Vec::new();
        let mut start = parsed.rest;
        if launcher.inner == Inner::Dashes {
            if let Some(at) = own.iter().position(|word| word.value.known() == Some("--")) {
                start = at + 1;
            } else {
                start = start.saturating_add(launcher.operands);
            }
        } else {
            start = start.saturating_add(launcher.operands);
        }
        // A launcher that takes only text has no end of operands.
        start = start.min(own.len());
        if launcher.assignments {
            start += self.assignment_words(own.get(start..).unwrap_or_default(), &mut assignments);
        }
        let texts: Vec<(Value, crate::Span)> = parsed
            .values
            .iter()
            .filter(|(flag, _, _)| launcher.text_flags.contains(flag))
            .map(|(_, value, span)| (value.clone(), *span))
            .collect();
        let texts = later_texts(own.get(parsed.rest..).unwrap_or_default(), launcher.text_flags, texts);
        if launcher.inner == Inner::Text && own.get(start).and_then(|word| word.value.known()) == Some("--") {
            start += 1;
        }
        let inner_words: Vec<Argument> = own.get(start..).unwrap_or_default().to_vec();
        let other = (!parsed.unknown.is_empty()).then(|| own.get(start + 1..).unwrap_or_default().to_vec());
        let transparent = launcher.transparent
            && trusted
            && parsed.unknown.is_empty()
            && own.get(..start).unwrap_or_default().iter().all(|word| word.value.known().is_some());
        if name == "nohup" {
            let redirected = call.redirections.iter().any(|redirection| {
                redirection.fd == 1
                    || matches!(redirection.op, RedirectOp::WriteBoth | RedirectOp::AppendBoth)
            });
            if !redirected {
                let target = match &state.directories {
                    Directories::Known(all) => all.first().map(|directory| format!("{directory}/nohup.out")),
                    Directories::Unknown => None,
                };
                let target = target.map_or(PathTarget::Unknown, PathTarget::Path);
                self.pend(EffectKind::Write(target), span);
            }
        }
        let redirections = call.redirections.clone();
        let nothing = inner_words.is_empty() && texts.is_empty();
        let passes = name == "command" || name == "builtin";
        if nothing && !parsed.unknown.is_empty() {
            parsed.unknown.clear();
        }
        let known = if transparent { programs::Known::Nothing } else { programs::Known::Launcher };
        self.emit_as(state, cx, call, known);
        let mut inner = cx.clone();
        inner.launchers.push(Launcher { name: name.to_owned(), transparent });
        inner.external = cx.external || !(passes || name == "time");
        inner.no_functions = true;
        if redirections.iter().any(|redirection| redirection.fd == 0) {
            inner.feed = Feed::Unknown;
        }
        for (text, at) in texts {
            self.launched_text(state, &inner, &text, at);
        }
        if inner_words.is_empty() {
            return Ok(Flow::default());
        }
        if launcher.inner == Inner::Text {
            let joined: Option<Vec<&str>> = inner_words.iter().map(|word| word.value.known()).collect();
            let text = joined.map_or(Value::Unknown, |words| Value::Known(words.join(" ").into()));
            self.launched_text(state, &inner, &text, span);
            return Ok(Flow::default());
        }
        if launcher.assignments
            && let Some((rest, more)) = self.behind_unknown(&inner_words)
        {
            self.launched(state, &inner, rest, more, span, false);
        }
        let flow = self.launched(state, &inner, inner_words, assignments, span, passes);
        if let Some(words) = other.filter(|words| !words.is_empty()) {
            self.launched(state, &inner, words, Vec::new(), span, false);
        }
        Ok(flow)
    }

    /// Runs an inner argv; only `command` and `builtin` let it change this shell.
    fn launched(
        &mut self,
        state: &mut State,
        cx: &Context,
        words: Vec<Argument>,
        assignments: Vec<Assignment>,
        span: crate::Span,
        same_shell: bool,
    ) -> Flow {
        let call = Call { words, assignments, redirections: Vec::new(), span };
        if same_shell {
            self.run(state, cx, call)
        } else {
            let mut inner = state.clone();
            let flow = self.run(&mut inner, cx, call);
            Flow { feed: flow.feed, ..Flow::default() }
        }
    }

    fn launched_text(&mut self, state: &State, cx: &Context, text: &Value, span: crate::Span) {
        let mut inner = State::new(state.directories.clone());
        match text.known() {
            Some(text) => {
                self.inner_text(&mut inner, cx, text, crate::Shell::Sh, span);
            }
            None => self.make_opaque(span, "a program runs text that is not known"),
        }
    }

    /// `NAME=value` words of `env` and `sudo`; how many there are.
    fn assignment_words(&mut self, words: &[Argument], out: &mut Vec<Assignment>) -> usize {
        let mut count = 0;
        for word in words {
            let Some(text) = word.value.known() else { break };
            let Some((name, value)) = text.split_once('=') else { break };
            out.push(Assignment {
                name: name.to_owned(),
                value: Value::Known(value.into()),
                harmless: variables::harmless_exported(name, Some(value)),
                span: word.span,
            });
            count += 1;
        }
        count
    }

    /// `env A=$x B=1 rm y`: a word that is not known may be an assignment, and the command begins behind it.
    fn behind_unknown(&mut self, words: &[Argument]) -> Option<(Vec<Argument>, Vec<Assignment>)> {
        let mut assignments = Vec::new();
        let mut start = 0;
        while words.get(start).is_some_and(|word| word.value.known().is_none()) {
            start += 1;
            start += self.assignment_words(words.get(start..).unwrap_or_default(), &mut assignments);
        }
        let rest = words.get(start..).unwrap_or_default();
        (start > 0 && !rest.is_empty()).then(|| (rest.to_vec(), assignments))
    }

    fn env(&mut self, state: &mut State, cx: &Context, name: &str, trusted: bool, call: Call) -> Flow {
        const FLAGS: &str = "i ignore-environment 0 null u= unset= C= chdir= S= split-string= v debug help version \
            block-signal? default-signal? ignore-signal? list-signal-handling";
        let span = call.span;
        let parsed = flags::leading(&call.words, FLAGS, name);
        let mut start = parsed.rest;
        if call.words.get(start).and_then(|word| word.value.known()) == Some("-") {
            start += 1;
        }
        let mut assignments = Vec::new();
        start += self.assignment_words(call.words.get(start..).unwrap_or_default(), &mut assignments);
        let words: Vec<Argument> = call.words.get(start..).unwrap_or_default().to_vec();
        let has = |flag: &[&str]| {
            parsed.values.iter().any(|(name, _, _)| flag.contains(name))
                || parsed.plain.iter().any(|name| flag.contains(name))
        };
        let mut transparent = trusted && parsed.unknown.is_empty();
        for (flag, value, _) in &parsed.values {
            if matches!(*flag, "u" | "unset") {
                transparent &= value.known().is_some_and(|name| variables::harmless_local(name, None));
            }
        }
        let split: Vec<_> = parsed
            .values
            .iter()
            .filter(|(flag, _, _)| matches!(*flag, "S" | "split-string"))
            .cloned()
            .collect();
        transparent &= split.is_empty();
        let mut inner_state = state.clone();
        for (flag, value, _) in &parsed.values {
            if matches!(*flag, "C" | "chdir") {
                inner_state.directories = match (value.known(), &state.directories) {
                    (Some(path), Directories::Known(all)) => Directories::Known(
                        all.iter().map(|directory| portcullis_paths::join(directory, path)).collect(),
                    ),
                    _ => Directories::Unknown,
                };
            }
        }
        if words.is_empty() && split.is_empty() {
            if !has(&["help", "version"]) {
                self.pend(EffectKind::Environment, span);
            }
            self.emit_as(
                state,
                cx,
                call,
                if transparent { programs::Known::Nothing } else { programs::Known::Launcher },
            );
            return Flow::default();
        }
        if words.first().is_some_and(|word| word.value.known().is_none()) {
            // An unknown word may be `PATH=...`.
            transparent = false;
        }
        let known = if transparent && !has(&["help", "version"]) {
            programs::Known::Nothing
        } else {
            programs::Known::Launcher
        };
        // The variables belong to what `env` runs, and to `env` itself for rules that look at it.
        let mut own = call;
        own.assignments.extend(assignments.iter().cloned());
        self.emit_as(state, cx, own, known);
        let mut inner = cx.clone();
        inner.launchers.push(Launcher { name: name.to_owned(), transparent });
        inner.external = true;
        inner.no_functions = true;
        for (_, value, at) in split {
            let text = match (
                value.known(),
                words.iter().map(|word| word.value.known()).collect::<Option<Vec<_>>>(),
            ) {
                (Some(text), Some(words)) => Value::Known(format!("{text} {}", words.join(" ")).into()),
                _ => Value::Unknown,
            };
            self.launched_text(&inner_state, &inner, &text, at);
        }
        if words.is_empty() {
            return Flow::default();
        }
        if let Some((rest, more)) = self.behind_unknown(&words) {
            self.launched(&mut inner_state, &inner, rest, more, span, false);
        }
        self.launched(&mut inner_state, &inner, words, assignments, span, false)
    }

    fn xargs(&mut self, state: &mut State, cx: &Context, name: &str, trusted: bool, call: Call) -> Flow {
        const FLAGS: &str = "0 null d= delimiter= a=r arg-file=r I= i? replace? L= l? max-lines? n= max-args= P= max-procs= s= \
            max-chars= t verbose r no-run-if-empty x exit E= e? eof? show-limits";
        let span = call.span;
        let parsed = flags::leading(&call.words, FLAGS, name);
        let mut words: Vec<Argument> = call.words.get(parsed.rest..).unwrap_or_default().to_vec();
        if words.is_empty() {
            words.push(Argument { value: Value::Known("echo".into()), splits: false, hazard: false, span });
        }
        let whole = parsed.plain.iter().any(|flag| matches!(*flag, "0" | "null"))
            || parsed.values.iter().any(|(flag, value, _)| {
                matches!(*flag, "d" | "delimiter") && matches!(value.known(), Some("\\n" | "\n"))
            });
        let file = parsed.values.iter().any(|(flag, _, _)| matches!(*flag, "a" | "arg-file"));
        let transparent = trusted && whole && !file && parsed.unknown.is_empty();
        let fed = match &cx.feed {
            Feed::Below(directory) if whole && !file => Value::PathBelow(directory.clone()),
            Feed::Relative if whole && !file => {
                Value::Glob(GlobPattern { pattern: "**".to_owned(), prefix: String::new() })
            }
            _ => Value::Unknown,
        };
        let marker = parsed.values.iter().rev().find_map(|(flag, value, _)| match *flag {
            "I" => value.known().map(str::to_owned),
            "i" | "replace" => Some(value.known().filter(|text| !text.is_empty()).unwrap_or("{}").to_owned()),
            _ => None,
        });
        let marker = marker.or_else(|| {
            parsed.plain.iter().any(|flag| matches!(*flag, "i" | "replace")).then(|| "{}".to_owned())
        });
        // Of `-I` and these the last one counts (xargs(1)): then the names come behind the words after all.
        let counts = parsed
            .values
            .iter()
            .any(|(flag, _, _)| matches!(*flag, "n" | "max-args" | "L" | "l" | "max-lines"))
            || parsed.plain.iter().any(|flag| matches!(*flag, "l" | "max-lines"));
        let marker = marker.filter(|marker| !marker.is_empty());
        if let Some(marker) = &marker {
            replace(&mut words, marker, &fed);
        }
        if marker.is_none() || counts {
            words.push(Argument { value: fed, splits: true, hazard: false, span });
        }
        let known = if transparent { programs::Known::Nothing } else { programs::Known::Launcher };
        let input = file
            .then(|| parsed.values.iter().find(|(flag, _, _)| matches!(*flag, "a" | "arg-file")).cloned());
        if let Some(Some((_, value, at))) = input {
            for target in programs::targets(&value, &state.directories) {
                self.pend(EffectKind::Read { path: target, recursive: false }, at);
            }
        }
        self.emit_as(state, cx, call, known);
        let mut inner = cx.clone();
        inner.launchers.push(Launcher { name: name.to_owned(), transparent });
        inner.external = true;
        inner.no_functions = true;
        inner.feed = Feed::Unknown;
        self.launched(state, &inner, words, Vec::new(), span, false);
        Flow::default()
    }

    fn find(&mut self, state: &mut State, cx: &Context, name: &str, trusted: bool, call: Call) -> Flow {
        let span = call.span;
        let mut starts = Vec::new();
        let mut commands: Vec<FindAction> = Vec::new();
        let mut index = 1;
        while let Some(word) = call.words.get(index) {
            match word.value.known() {
                Some(text) if starts.is_empty() && super::directories::leads_find(text) => {}
                Some(text) if text.starts_with(['-', '(', ')', '!', ',']) => break,
                _ => starts.push(word.value.clone()),
            }
            index += 1;
        }
        while let Some(word) = call.words.get(index) {
            index += 1;
            let Some(action @ ("-exec" | "-execdir" | "-ok" | "-okdir")) = word.value.known() else {
                continue;
            };
            let mut inner: Vec<Argument> = Vec::new();
            while let Some(word) = call.words.get(index) {
                index += 1;
                let last = inner.last_mut().filter(|word| word.value.known() == Some("{}"));
                match (word.value.known(), last) {
                    (Some(";"), _) => break,
                    // As many paths as fit (find(1)).
                    (Some("+"), Some(last)) => {
                        last.splits = true;
                        break;
                    }
                    _ => inner.push(word.clone()),
                }
            }
            commands.push(FindAction {
                in_directory: action.ends_with("dir"),
                asks: action.starts_with("-ok"),
                words: inner,
            });
        }
        if starts.is_empty() {
            starts.push(Value::Known(".".into()));
        }
        if starts.len() > MAX_STARTS {
            starts = vec![Value::Unknown];
        }
        // A followed link leads out of the start points.
        let follows = call.words.iter().any(|word| matches!(word.value.known(), Some("-L" | "-follow")));
        let feed = if follows { Feed::Unknown } else { self.feed_of(state, &Feed::Unknown, "find", &call) };
        self.emit(state, cx, call);
        for FindAction { in_directory, asks, words } in commands {
            for start in &starts {
                let below = match (start.known(), &state.directories) {
                    (Some(path), Directories::Known(all)) if all.len() == 1 && !in_directory && !follows => {
                        all.first().map_or(Value::Unknown, |directory| {
                            Value::PathBelow(portcullis_paths::join(directory, path))
                        })
                    }
                    _ => Value::Unknown,
                };
                let mut words = words.clone();
                replace(&mut words, "{}", &below);
                let mut inner_state = state.clone();
                if in_directory {
                    inner_state.directories = Directories::Unknown;
                }
                let mut inner = cx.clone();
                inner.launchers.push(Launcher { name: name.to_owned(), transparent: trusted && !asks });
                inner.external = true;
                inner.no_functions = true;
                inner.feed = Feed::Unknown;
                self.launched(&mut inner_state, &inner, words, Vec::new(), span, false);
            }
        }
        Flow { feed, ..Flow::default() }
    }
}

/// More start points than this are not followed one by one.
const MAX_STARTS: usize = 8;

/// One `-exec` of `find`.
struct FindAction {
    /// `-execdir` and `-okdir` start in the directory of the file.
    in_directory: bool,
    /// `-ok` and `-okdir` ask first.
    asks: bool,
    words: Vec<Argument>,
}

/// Text flags behind operands (`su root -c TEXT`).
fn later_texts(
    words: &[Argument],
    flags: &[&str],
    mut texts: Vec<(Value, crate::Span)>,
) -> Vec<(Value, crate::Span)> {
    for (index, word) in words.iter().enumerate() {
        let Some(text) = word.value.known() else { continue };
        let Some(name) = text.strip_prefix("--").or_else(|| text.strip_prefix('-')) else { continue };
        if flags.contains(&name) {
            if let Some(value) = words.get(index + 1) {
                texts.push((value.value.clone(), value.span));
            }
        } else if let Some((name, value)) = name.split_once('=')
            && flags.contains(&name)
        {
            texts.push((Value::Known(value.into()), word.span));
        }
    }
    texts
}

/// Puts `value` where `marker` stands.
fn replace(words: &mut [Argument], marker: &str, value: &Value) {
    for word in words {
        let Some(text) = word.value.known() else { continue };
        if text == marker {
            word.value = value.clone();
        } else if text.contains(marker) {
            word.value = Value::Unknown;
        }
    }
}

/// `command -v` and `-V` only print.
fn prints(words: &[Argument]) -> bool {
    words
        .iter()
        .skip(1)
        .take_while(|word| word.value.known().is_some_and(|text| text.starts_with('-')))
        .any(|word| word.value.known().is_some_and(|text| text.contains(['v', 'V'])))
}

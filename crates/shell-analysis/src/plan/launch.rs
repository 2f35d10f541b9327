//! Follows launchers to what they run.

use std::num::NonZeroU32;

use super::{
    Call, Context, Feed, Flow, Planner, State, parallel,
    starts::{Prefix, TOO_MANY_STARTS, starts},
    state::union,
    variables,
};
use crate::{
    Argument, Assignment, Directories, EffectKind, HereText, Launcher, PathTarget, Redirection,
    RedirectionTarget, Value,
    launchers::{self, Inner},
    name_set::NameSet,
    programs::{self, flags},
    tree::RedirectOp,
};

/// What they run has the environment of another user or machine, another home directory at least.
static ELSEWHERE: NameSet = NameSet::new(&[
    "chroot",
    "crictl",
    "distrobox",
    "doas",
    "docker",
    "docker-compose",
    "flatpak-spawn",
    "kubectl",
    "lxc",
    "machinectl",
    "mosh",
    "nerdctl",
    "nsenter",
    "oc",
    "pkexec",
    "podman",
    "runuser",
    "ssh",
    "su",
    "sudo",
    "systemd-run",
    "toolbox",
    "vagrant",
]);

impl Planner<'_> {
    /// Handles a launcher; gives the call back when the program is none.
    pub(crate) fn launch(
        &mut self,
        state: &mut State,
        cx: &Context,
        program: &str,
        call: Call,
    ) -> Result<Flow, Call> {
        let name = crate::invocation::base_name(program);
        let trusted = programs::standard_location(program);
        match name {
            "bash" | "sh" | "dash" if trusted && programs::only_checks(&call.words) => Err(call),
            "bash" | "rbash" | "sh" | "dash" | "ash" | "zsh" | "ksh" | "mksh" | "fish" | "tcsh" | "csh" => {
                Ok(self.shell(state, cx, name, call))
            }
            "at" | "batch" | "crontab" => self.scheduled(state, cx, name, call),
            "env" => Ok(self.env(state, cx, name, trusted, call)),
            "xargs" => Ok(self.xargs(state, cx, name, trusted, call)),
            "find" | "gfind" => Ok(self.find(state, cx, name, trusted, call)),
            _ => match launchers::find(name, &call.words) {
                Some(launcher) => self.table(state, cx, launcher, name, trusted, call),
                None => Err(call),
            },
        }
    }

    fn table(
        &mut self,
        state: &mut State,
        cx: &Context,
        (launcher, place): (&launchers::Launcher, usize),
        name: &str,
        trusted: bool,
        mut call: Call,
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
        let own = call.words.get(place..).unwrap_or_default();
        let mut parsed = flags::leading(own, launcher.flags, name);
        let mut assignments = Vec::new();
        let mut start = parsed.rest;
        let dashes = (launcher.inner == Inner::Dashes)
            .then(|| own.iter().position(|word| word.value.known() == Some("--")))
            .flatten();
        start = dashes.map_or(start.saturating_add(launcher.operands), |at| at + 1);
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
        let prefix = Prefix {
            name,
            flags: launcher.flags,
            operands: launcher.operands,
            assignments: launcher.assignments,
        };
        let mut others = Vec::new();
        let mut moves = launcher.moves.is_some_and(|flags| {
            flags.is_empty()
                || parsed.values.iter().any(|(flag, ..)| flags.contains(flag))
                || parsed.plain.iter().any(|flag| flags.contains(flag))
        });
        if dashes.is_none() {
            let found = starts(own, start, &prefix);
            if found.too_many {
                self.make_opaque(span, TOO_MANY_STARTS);
            }
            moves |= launcher.moves.is_some_and(|flags| found.has(flags));
            let unlisted =
                parsed.unknown.iter().any(|at| own.get(*at).is_some_and(|word| word.value.known().is_some()));
            let behind = (unlisted && found.commands.is_empty()).then(|| start.saturating_add(1));
            for at in found.commands.into_iter().chain(behind).filter(|at| *at != start && *at < own.len()) {
                let words = own.get(at..).unwrap_or_default().to_vec();
                others.push((words, self.assignments_before(own, at, &prefix)));
            }
        }
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
        let unlisted = !parsed.unknown.is_empty();
        let nothing = inner_words.is_empty() && texts.is_empty();
        let passes = name == "command" || name == "builtin";
        // With an option that it does not have, and with `--help`, it runs nothing.
        let fails = passes && !(parsed.unknown.is_empty() && parsed.plain.iter().all(|flag| *flag == "p"));
        if nothing && !parsed.unknown.is_empty() {
            parsed.unknown.clear();
        }
        let known = if transparent { programs::Known::Nothing } else { programs::Known::Launcher };
        let named = call.named(name);
        let follows = launcher.inner != Inner::Text && !inner_words.is_empty();
        call.launches = u32::try_from(place + start).ok().filter(|_| follows).and_then(NonZeroU32::new);
        self.emit_as(state, cx, call, known);
        let mut inner = cx.clone();
        inner.launchers.push(Launcher { name: named, transparent });
        inner.external = cx.external || !(passes || name == "time");
        inner.no_functions = true;
        inner.feed = fed(&redirections, inner.feed);
        let text = (launcher.inner == Inner::Text && !inner_words.is_empty()).then(|| {
            let joined: Option<Vec<&str>> = inner_words.iter().map(|word| word.value.known()).collect();
            match joined {
                Some(words) if matches!(name, "parallel" | "sem") => parallel::command(&words, &parsed),
                Some(words) => Value::Known(words.join(" ").into()),
                None => Value::Unknown,
            }
        });
        // Flags that are not known may make any mark in the command stand for something else.
        let marks = matches!(name, "parallel" | "sem") && unlisted && text.is_some();
        let other = marks.then_some(Value::Unknown);
        let texts: Vec<_> =
            texts.into_iter().chain(text.into_iter().chain(other).map(|text| (text, span))).collect();
        if passes && !inner_words.is_empty() {
            for (words, assignments) in others {
                self.launched(state, &inner, words, assignments, span);
            }
            let call = Call { words: inner_words, assignments, span, followed: true, ..Call::default() };
            let before = fails.then(|| state.clone());
            let mut flow = self.run(state, &inner, call);
            if let Some(before) = before {
                let failed = flow.failed.as_ref().unwrap_or(&state.directories);
                flow.failed = Some(union(failed, &before.directories));
                flow.ends = false;
                state.join(&before);
            }
            return Ok(flow);
        }
        let mut place = state.clone();
        if ELSEWHERE.contains(name) {
            place.forget_all();
        }
        let mut elsewhere = None;
        if moves {
            match (&state.directories, launcher.moves) {
                // A root of its own, or the service manager's: rules see what lies here and what lies there.
                (Directories::Known(all), Some([])) => {
                    place.directories =
                        Directories::Known(all.iter().cloned().chain(["/".to_owned()]).collect());
                }
                // Of a place that is not known a rule about paths can only match perhaps: this one counts too.
                _ => {
                    let mut other = place.clone();
                    other.directories = Directories::Unknown;
                    elsewhere = Some(other);
                }
            }
        }
        let mut flow = Flow::default();
        let nowhere = inner_words.is_empty();
        let mut words = Some((inner_words, assignments));
        let count = 1 + usize::from(elsewhere.is_some());
        for (number, started) in std::iter::once(place).chain(elsewhere).enumerate() {
            let started = &started;
            for (text, at) in &texts {
                self.launched_text(started, &inner, text, *at);
            }
            if launcher.inner == Inner::Text || nowhere {
                continue;
            }
            for (words, assignments) in &others {
                self.launched(started, &inner, words.clone(), assignments.clone(), span);
            }
            // The last one is given the words themselves.
            let last = number + 1 == count;
            let Some((words, assignments)) = (if last { words.take() } else { words.clone() }) else { break };
            let call = Call { words, assignments, span, followed: dashes.is_none(), ..Call::default() };
            flow = self.aside(started, &inner, call);
        }
        Ok(flow)
    }

    /// Runs an inner argv that changes nothing of this shell.
    pub(super) fn launched(
        &mut self,
        state: &State,
        cx: &Context,
        words: Vec<Argument>,
        assignments: Vec<Assignment>,
        span: crate::Span,
    ) -> Flow {
        self.aside(state, cx, Call { words, assignments, span, followed: true, ..Call::default() })
    }

    /// Runs a call that leaves this shell as it is.
    pub(super) fn aside(&mut self, state: &State, cx: &Context, call: Call) -> Flow {
        let flow = self.run(&mut state.clone(), cx, call);
        Flow { feed: flow.feed, ..Flow::default() }
    }

    pub(super) fn launched_text(&mut self, state: &State, cx: &Context, text: &Value, span: crate::Span) {
        match text {
            Value::Known(text) => {
                self.inner_shell(state, cx, text, crate::Shell::Sh, span);
            }
            _ => self.make_opaque(span, "a program runs text that is not known"),
        }
    }

    /// `NAME=value` words of `env` and `sudo`; how many there are.
    pub(super) fn assignment_words(&mut self, words: &[Argument], out: &mut Vec<Assignment>) -> usize {
        let mut count = 0;
        for word in words {
            let Value::Known(text) = &word.value else { break };
            let Some((name, value)) = text.split_once('=') else { break };
            out.push(Assignment {
                name: text.part(name),
                value: Value::Known(text.part(value)),
                harmless: variables::harmless_exported(name, Some(value)),
                span: word.span,
            });
            count += 1;
        }
        count
    }

    /// Those that stand right before the command at `at`.
    pub(super) fn assignments_before(
        &mut self,
        words: &[Argument],
        at: usize,
        prefix: &Prefix<'_>,
    ) -> Vec<Assignment> {
        let before = words.get(1..at).unwrap_or_default();
        let set = |word: &&Argument| word.value.known().is_some_and(|text| text.contains('='));
        let count = before.iter().rev().take_while(set).count();
        let mut assignments = Vec::new();
        if prefix.assignments {
            self.assignment_words(before.get(before.len() - count..).unwrap_or_default(), &mut assignments);
        }
        assignments
    }
}

/// What several commands read in turn: of a text that they are given the first may leave the others a part.
pub(super) fn shared(redirections: &[Redirection], outer: Feed) -> Feed {
    match outer {
        _ if redirections.iter().any(|redirection| redirection.fd == 0) => Feed::Unknown,
        Feed::Text(_) => Feed::Unknown,
        outer => outer,
    }
}

/// What a launcher hands on as standard input.
pub(super) fn fed(redirections: &[Redirection], outer: Feed) -> Feed {
    match redirections
        .iter()
        .rev()
        .find(|redirection| redirection.fd == 0)
        .map(|redirection| &redirection.target)
    {
        None => outer,
        Some(RedirectionTarget::Text(HereText(Some(text)))) => Feed::Text(text.clone()),
        Some(_) => Feed::Unknown,
    }
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

/// `command -v` and `-V` only print.
fn prints(words: &[Argument]) -> bool {
    words
        .iter()
        .skip(1)
        .take_while(|word| word.value.known().is_some_and(|text| text.starts_with('-') && text != "--"))
        .any(|word| word.value.known().is_some_and(|text| text.contains(['v', 'V'])))
}

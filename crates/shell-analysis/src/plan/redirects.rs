//! Redirections after expansion.

use super::{Context, Planner, State, shells::is_pipe, words::Place};
use crate::{
    HereText, Redirection, RedirectionTarget, Text, Value,
    tree::{Redirect, RedirectFd, RedirectOp, RedirectTarget, Word, WordPart},
};

impl Planner<'_> {
    pub(crate) fn redirections(
        &mut self,
        state: &mut State,
        cx: &Context,
        redirects: &[Redirect],
    ) -> Vec<Redirection> {
        redirects.iter().map(|redirect| self.redirection(state, cx, redirect)).collect()
    }

    fn redirection(&mut self, state: &mut State, cx: &Context, redirect: &Redirect) -> Redirection {
        let span = cx.span(redirect.span);
        let fd = match &redirect.fd {
            RedirectFd::Default => match redirect.op {
                RedirectOp::Read
                | RedirectOp::ReadWrite
                | RedirectOp::DupInput
                | RedirectOp::HereDoc
                | RedirectOp::HereString => 0,
                _ => 1,
            },
            RedirectFd::Number(number) => i32::try_from(*number).unwrap_or(i32::MAX),
            RedirectFd::Variable(name) => {
                // What is closed is the descriptor that it names.
                if matches!(redirect.op, RedirectOp::DupInput | RedirectOp::DupOutput) {
                    state.forget(name);
                } else {
                    state.set(name, Value::Unknown, false);
                }
                self.variable_changed(cx, name, span);
                -1
            }
        };
        let target = match &redirect.target {
            RedirectTarget::HereDoc { body, .. } => {
                RedirectionTarget::Text(HereText(self.here_text(state, cx, body)))
            }
            RedirectTarget::Word(word) if redirect.op == RedirectOp::HereString => {
                let value = self.single(state, cx, word, Place::Assignment);
                RedirectionTarget::Text(HereText(value.known().map(|text| format!("{text}\n").into())))
            }
            RedirectTarget::Word(word) => {
                let value = self.single(state, cx, word, Place::Target);
                if redirect.op == RedirectOp::DupOutput && !value.known().is_some_and(expands_to_itself) {
                    self.make_opaque(span, "bash expands the name behind `>&` a second time");
                }
                match (redirect.op, value) {
                    (RedirectOp::DupInput | RedirectOp::DupOutput, Value::Known(text))
                        if descriptor(&text) =>
                    {
                        RedirectionTarget::Descriptor(text)
                    }
                    // What is open there is opened once more, whatever it was opened for (proc(5)).
                    (op, Value::Known(text)) if reopens(op, &text, word) => {
                        RedirectionTarget::File(Value::Unknown)
                    }
                    (_, value) => RedirectionTarget::File(value),
                }
            }
        };
        Redirection { fd, op: redirect.op, target, span }
    }

    /// A here-document's body: expanded as in double quotes, so nothing splits.
    fn here_text(&mut self, state: &mut State, cx: &Context, body: &Word) -> Option<Text> {
        match self.single(state, cx, body, Place::Assignment) {
            Value::Known(text) => Some(text),
            _ => None,
        }
    }
}

/// Behind `>&`, what is no descriptor is the name of a file as behind `&>`, and is expanded like that once more:
/// `>& '$(date)'` runs `date` (seen in bash 5.2; the manual does not say so).
fn expands_to_itself(text: &str) -> bool {
    !text.contains(['$', '`', '\\', '\'', '"', '~', '*', '?', '[', '<', '>', '('])
}

/// Whether a redirection writes to another descriptor than the two that are there for that, by a name that stands in the
/// text: those of process substitutions are the shell's own.
fn reopens(op: RedirectOp, text: &str, word: &Word) -> bool {
    let reads = matches!(op, RedirectOp::Read | RedirectOp::DupInput);
    let named = text.strip_prefix("/dev/fd/").or_else(|| {
        let (process, descriptor) = text.strip_prefix("/proc/")?.split_once("/fd/")?;
        (!process.contains('/') || process.contains("task")).then_some(descriptor)
    });
    let descriptor = if text == "/dev/stdin" { Some("0") } else { named };
    let process = || word.parts.iter().any(|part| matches!(part, WordPart::Process { .. }));
    !reads && descriptor.is_some_and(|descriptor| !matches!(descriptor, "1" | "2")) && !process()
}

/// `1`, `-`, `1-`.
fn descriptor(text: &str) -> bool {
    let digits = text.strip_suffix('-').unwrap_or(text);
    !text.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// From which invocation on the text gives it its standard input, when it does; the redirections were expanded when there
/// were `first`. A descriptor may have been opened anywhere before.
pub(crate) fn heard(redirections: &[Redirection], first: usize) -> Option<usize> {
    let own = redirections.iter().rev().find(|redirection| redirection.fd == 0)?;
    match &own.target {
        RedirectionTarget::Descriptor(text) => (&**text != "-").then_some(0),
        RedirectionTarget::File(_) if own.op == RedirectOp::DupInput => Some(0),
        RedirectionTarget::File(file) => (file.known().is_none() || is_pipe(file)).then_some(first),
        RedirectionTarget::Text(_) => Some(first),
    }
}

/// The descriptors above the usual three that they open, a bit for each.
pub(crate) fn opened(redirections: &[Redirection]) -> u16 {
    let opens = |redirection: &&Redirection| !matches!(&redirection.target, RedirectionTarget::Descriptor(text) if text.ends_with('-'));
    redirections
        .iter()
        .filter(opens)
        .filter_map(|redirection| u32::try_from(redirection.fd).ok().filter(|fd| *fd > 2))
        .filter_map(|fd| 1u16.checked_shl(fd))
        .fold(0, |all, bit| all | bit)
}

/// Whether one of them may fail, so that its command does not run: all but here-documents, here-strings and what
/// only copies or closes the usual descriptors (bash manual 3.6).
pub(crate) fn may_fail(redirects: &[Redirect]) -> bool {
    // A variable may be read-only.
    let named = |redirect: &Redirect| matches!(redirect.fd, RedirectFd::Variable(_));
    redirects.iter().any(|redirect| match &redirect.target {
        _ if named(redirect) => true,
        RedirectTarget::HereDoc { .. } => false,
        RedirectTarget::Word(word) => {
            let usual = |text: &str| matches!(text, "/dev/null" | "0" | "1" | "2" | "-");
            !matches!(redirect.op, RedirectOp::HereString)
                && !super::words::literal_text(&word.parts).is_some_and(|text| usual(&text))
        }
    })
}

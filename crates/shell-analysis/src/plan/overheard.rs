//! Texts that a program may run although they are none of its words (possible matches of a rule): its
//! standard input, what process substitutions print, and values of variables. Files that the same text wrote:
//! [`super::written`].

use std::ops::Range;

use super::{
    Context, Feed, Planner,
    computed::computes,
    listeners::{DATA, SHELLS_OF, reads_commands},
    named::Named,
    variables::harmless_local,
};
use crate::{Argument, EffectKind, HereText, Invocation, RedirectionTarget, Span, Value, programs::Known};

/// The most invocations whose words are given to one that may run them.
const MAX_HEARD: usize = 256;

impl Planner<'_> {
    /// Adds the texts that `invocation` may run; what it runs for certain is given back.
    pub(super) fn overhear(&mut self, invocation: &mut Invocation, cx: &Context, known: Known) -> Vec<Named> {
        let mut named = Vec::new();
        let accounted = accounted(invocation);
        let set = invocation.assignments.iter().any(|assignment| !assignment.harmless);
        if accounted && !set && self.written.is_empty() {
            return named;
        }
        let mut texts = std::mem::take(&mut invocation.texts);
        for assignment in invocation.assignments.iter().filter(|assignment| !assignment.harmless) {
            // A program of which everything is known obeys no other variables.
            let foreign = accounted && harmless_local(&assignment.name, Some(""));
            let values = assignment.value.candidates().unwrap_or_default().iter();
            for value in values.filter(|value| !foreign || looks_like_code(value)) {
                let mut text = format!("{value} ");
                clusters(value, &mut text);
                texts.push(text);
            }
        }
        if !accounted && !self.exported.is_empty() {
            let mut text = self.exported.clone();
            clusters(&self.exported, &mut text);
            texts.push(text);
        }
        let base = invocation.base_name().unwrap_or_default();
        let piped = |value: &Value| value.known().is_some_and(|text| text.contains("/dev/fd/"));
        let opens =
            invocation.assignments.iter().any(|assignment| !assignment.harmless && piped(&assignment.value));
        let hidden = |word: &Argument| word.value.known().is_none() || piped(&word.value);
        if opens || !accounted && !DATA.contains(base) && invocation.words.iter().any(hidden) {
            texts.extend(self.words_of(&cx.substituted));
        }
        if !accounted && (known == Known::Look || matches!(base, "gdb" | "lldb")) {
            own_words(invocation, &mut texts);
        }
        let shell = |word: &Argument| matches!(word.value.known(), Some("-s" | "-i" | "--shell" | "--login"));
        let listens = !accounted
            && match base {
                "sudo" | "doas" => invocation.words.iter().any(shell),
                _ if known == Known::Look => !DATA.contains(base),
                _ => SHELLS_OF.contains(base),
            };
        if listens {
            let unknown = !invocation.specified && known == Known::Look;
            let takes = unknown || SHELLS_OF.contains(base) || matches!(base, "sudo" | "doas");
            if let Some(text) = here_text(invocation, cx) {
                texts.push(text);
            } else if takes || reads_commands(invocation) {
                texts.extend(self.heard(cx, invocation.span));
                if cx.hears_later {
                    self.hearers.push(self.invocations.len());
                }
            }
        }
        if !accounted && computes(invocation) {
            named.push(Named::Anything(invocation.span));
        }
        self.runs_files(invocation, cx, accounted, &mut texts, &mut named);
        if !self.written.is_empty() {
            self.reads_written(invocation, accounted, &mut texts, &mut named);
        }
        texts.retain(|text| !text.trim().is_empty());
        for text in texts.iter_mut().filter(|text| text.contains('\\')) {
            let decoded = unescaped(text);
            text.push(' ');
            text.push_str(&decoded);
        }
        self.bytes += texts.iter().map(String::len).sum::<usize>();
        if self.exhausted() {
            self.make_opaque(invocation.span, super::TOO_MANY);
            texts.clear();
        }
        invocation.texts = texts;
        named
    }

    /// What the text prints for its standard input, as far as that was met.
    fn heard(&mut self, cx: &Context, span: Span) -> Option<String> {
        let all = cx.hears?..self.invocations.len();
        // Each would be given the words of all the others.
        if all.len() > MAX_HEARD {
            self.make_opaque(span, super::TOO_MANY);
        }
        // Then rules that restrict may match anyway.
        if self.opaque.is_some() { None } else { self.words_of(&all) }
    }

    /// The same for those that hear what comes later, or may.
    pub(super) fn hear_all(&mut self) {
        let hearers = std::mem::take(&mut self.hearers);
        let Some(first) = hearers.first().and_then(|at| self.invocations.get(*at)) else { return };
        if hearers.len() > MAX_HEARD {
            self.make_opaque(first.span, super::TOO_MANY);
        }
        if self.opaque.is_some() {
            return;
        }
        let Some(text) = self.words_of(&(0..self.invocations.len())) else { return };
        for at in hearers {
            self.bytes += text.len();
            if self.exhausted() {
                self.make_opaque(Span::default(), super::TOO_MANY);
                return;
            }
            if let Some(invocation) = self.invocations.get_mut(at) {
                invocation.texts.push(text.clone());
            }
        }
    }

    /// The known words of invocations, and what they read.
    pub(super) fn words_of(&self, range: &Range<usize>) -> Option<String> {
        let invocations = self.invocations.get(range.clone()).filter(|all| !all.is_empty())?;
        let mut text = String::new();
        for invocation in invocations {
            for part in texts_in(invocation) {
                text.push_str(part);
                text.push(' ');
            }
        }
        Some(text)
    }
}

/// Everything that it does is known.
pub(super) fn accounted(invocation: &Invocation) -> bool {
    (invocation.specified || invocation.words.is_empty())
        && !invocation
            .effects
            .iter()
            .any(|effect| matches!(effect.kind, EffectKind::Execute(_) | EffectKind::Opaque(_)))
}

/// Words behind its subcommand, where it runs something, words that are marked, and words that look like code: with
/// what is glued to letters.
fn own_words(invocation: &Invocation, texts: &mut Vec<String>) {
    let runs = invocation.effects.iter().any(|effect| matches!(effect.kind, EffectKind::Execute(_)));
    let base = invocation.base_name().unwrap_or_default();
    let adds = |word: &Argument| word.value.known().is_some_and(|verb| ADDING.contains(&verb));
    let all = runs && invocation.specified && base != "git" && !invocation.words.get(1).is_some_and(adds)
        || base.ends_with("awk")
        || matches!(base, "gdb" | "lldb");
    let mut text = String::new();
    let mut marked = false;
    for (index, word) in invocation.words.iter().enumerate().skip(1) {
        let plain = |text: &str| !text.contains('=') && !looks_like_code(text);
        let first = index == 1 && word.value.known().is_some_and(plain);
        let own = all && !first || word.hazard || marked;
        marked = word.hazard;
        for value in word.value.candidates().unwrap_or_default() {
            if own || !invocation.specified && looks_like_code(value) {
                text.reserve(value.len() + 64);
                text.push_str(value);
                text.push(' ');
            }
            if own || !invocation.specified {
                clusters(value, &mut text);
            }
        }
    }
    if !text.is_empty() {
        texts.push(text);
    }
}

/// Characters of code that stand in few other words, as a table of all bytes.
#[allow(clippy::indexing_slicing, reason = "worked out and checked by the compiler")]
static CODE: [bool; 256] = {
    let characters = b"(`\"'{<|!;";
    let mut table = [false; 256];
    let mut at = 0;
    while at < characters.len() {
        table[characters[at] as usize] = true;
        at += 1;
    }
    table
};

/// Subcommands whose operands are names of packages.
const ADDING: &[&str] = &[
    "add",
    "install",
    "i",
    "in",
    "remove",
    "uninstall",
    "update",
    "upgrade",
    "search",
    "info",
    "view",
    "show",
    "download",
];

fn looks_like_code(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().any(|byte| CODE.get(usize::from(*byte)) == Some(&true))
        || bytes.contains(&b':') && bytes.contains(&b' ')
}

/// What is glued to the letters of short options (`-nzrm`).
fn clusters(text: &str, out: &mut String) {
    if !text.as_bytes().contains(&b'-') {
        return;
    }
    for word in text.split_ascii_whitespace() {
        let cluster = word.strip_prefix('-').filter(|rest| !rest.starts_with('-') && rest.len() <= 24);
        let Some(cluster) = cluster.filter(|cluster| cluster.len() > 1) else { continue };
        out.reserve(cluster.len() * (cluster.len() + 1) / 2);
        for (at, _) in cluster.char_indices().skip(1) {
            out.push_str(cluster.get(at..).unwrap_or_default());
            out.push(' ');
        }
    }
}

/// The text without the escapes of `printf` and of string literals.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        let digits = |rest: &str, radix: u32, most: usize| {
            rest.chars().take(most).take_while(|digit| digit.is_digit(radix)).collect::<String>()
        };
        let tail = rest.as_str();
        let (code, radix) = match tail.strip_prefix('x') {
            Some(tail) => (digits(tail, 16, 2), 16),
            None => (digits(tail, 8, 4), 8),
        };
        let skip = code.len() + usize::from(radix == 16);
        match u32::from_str_radix(&code, radix).ok().and_then(char::from_u32) {
            Some(decoded) => {
                out.push(decoded);
                rest.by_ref().take(skip).for_each(drop);
            }
            None => out.push(match rest.next() {
                Some('n' | 't' | 'r' | 'v' | 'f' | 'a' | 'b' | 'e') | None => ' ',
                Some(other) => other,
            }),
        }
    }
    out
}

/// The text that it reads, when it is in the command.
pub(super) fn here_text(invocation: &Invocation, cx: &Context) -> Option<String> {
    let own = invocation.redirections.iter().rev().find(|redirection| redirection.fd == 0);
    match own.map(|redirection| &redirection.target) {
        Some(RedirectionTarget::Text(HereText(text))) => text.as_deref().map(str::to_owned),
        Some(_) => None,
        None => match &cx.feed {
            Feed::Text(text) => Some(text.to_string()),
            _ => None,
        },
    }
}

/// The texts that stand in an invocation.
pub(super) fn texts_in(invocation: &Invocation) -> impl Iterator<Item = &str> {
    let words = invocation.words.iter().flat_map(|word| word.value.candidates().unwrap_or_default());
    let read = invocation.redirections.iter().filter_map(|redirection| match &redirection.target {
        RedirectionTarget::Text(HereText(text)) => text.as_deref(),
        _ => None,
    });
    words.map(|text| &**text).chain(read)
}

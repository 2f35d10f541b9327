//! Files that a text writes and then runs, or has read by what runs: what is in them is as clear as the text.

use std::collections::BTreeSet;

use portcullis_paths::Resolver;

use super::{
    Context, Planner,
    feeds::printed,
    named::Named,
    overheard::{here_text, texts_in},
    scripts::{HOOKS, files_in},
    shells::MAX_SCRIPT,
};
use crate::{
    Argument, Effect, EffectKind, Invocation, PathTarget, RedirectionTarget, Text, Value, name_set::NameSet,
    read_unasked::read_unasked, tree::RedirectOp,
};

/// Programs that run the shell commands in a file.
pub(super) static SHELLS: NameSet =
    NameSet::new(&["bash", "rbash", "sh", "dash", "ash", "zsh", "ksh", "mksh", "source", "."]);

/// Programs whose output file is made of other files or of text, and not compiled.
static COPIERS: NameSet = NameSet::new(&[
    "cp", "gcp", "mv", "ln", "install", "rsync", "dd", "tee", "cat", "curl", "wget", "scp", "sftp", "base64",
    "xxd", "openssl", "gunzip", "sed", "perl", "truncate", "aria2c",
]);

/// Programs that make directories and empty files.
static EMPTY: NameSet = NameSet::new(&["mkdir", "touch", "mkfifo", "truncate"]);

/// A file that the text wrote, by the last part of its name.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// Each of its contents that is known exactly; no two are the same, here and in the other lists.
    exact: Vec<Text>,
    /// Every word that may be in it, as texts of invocations: in a chain of copies there are very many.
    words: BTreeSet<Text>,
    /// What it is a copy of, or a link to.
    copied: Vec<Value>,
    /// It may hold something else too, which can be run.
    unknown: bool,
    /// It lies where programs are looked up.
    on_path: bool,
}

impl Written {
    /// The most contents that are put together; beyond it any may be there.
    const MAX_JOINED: usize = 16;
    /// The most contents that are kept.
    const MOST: usize = 64;

    /// What is there already comes before `text`.
    fn append(&mut self, text: &str, resolver: Option<&dyn Resolver>, path: &str) {
        if self.exact.is_empty() {
            let there = resolver.and_then(|resolver| resolver.read(path, MAX_SCRIPT).ok());
            self.exact.extend(there.and_then(|there| String::from_utf8(there).ok()).map(Text::from));
        }
        if self.exact.len() > Self::MAX_JOINED {
            self.unknown = true;
            return;
        }
        let joined: Vec<Text> = self.exact.iter().map(|before| format!("{before}{text}").into()).collect();
        add(&mut self.exact, &joined);
        self.words.extend(joined);
    }

    /// It may hold what `source` holds.
    fn copy(&mut self, source: &Copied) {
        self.unknown |= source.unknown;
        add(&mut self.exact, &source.exact);
        self.words.extend(source.words.iter().cloned());
        add(&mut self.copied, &source.copied);
        // Copied to and fro and added to, there is no end of them.
        if self.exact.len() > Self::MOST {
            self.exact.clear();
            self.unknown = true;
        }
    }

    /// All its words as one text.
    fn text(&self) -> String {
        self.words.iter().map(Text::as_str).collect::<Vec<_>>().join(" ")
    }
}

/// What a file held when it was copied.
struct Copied {
    exact: Vec<Text>,
    words: BTreeSet<Text>,
    copied: Vec<Value>,
    unknown: bool,
}

impl Copied {
    fn of(written: &Written) -> Self {
        let Written { exact, words, copied, unknown, .. } = written;
        Self { exact: exact.clone(), words: words.clone(), copied: copied.clone(), unknown: *unknown }
    }

    /// How many bytes it brings, so that there is a bound: short texts are work too.
    fn len(&self) -> usize {
        const EACH: usize = 64;
        self.exact.iter().chain(&self.words).map(|text| text.len() + EACH).sum::<usize>()
            + self.copied.len() * EACH
    }
}

/// Adds what is not there.
fn add<T: Clone + PartialEq>(all: &mut Vec<T>, more: &[T]) {
    for one in more {
        if !all.contains(one) {
            all.push(one.clone());
        }
    }
}

impl Planner<'_> {
    /// Remembers the links, copies and moves of an invocation. What a link leads to has another name from then on.
    pub(super) fn remember_made(&mut self, invocation: &mut Invocation, cx: &Context) {
        let by = self.invocations.len();
        let upstream = self.invocations.get(cx.upstream.clone()).unwrap_or_default();
        let led = self.look.made.get_mut().remember(invocation, by, upstream, self.settings.resolver);
        let span = invocation.span;
        let read =
            |path| Effect { kind: EffectKind::Read { path, recursive: true }, redirection: false, span };
        invocation.effects.extend(led.into_iter().map(read));
    }

    /// Adds what every effect means behind the names that the text makes. The order does not matter: of what runs
    /// in a loop or in the background, one may come before the other or after it.
    pub(super) fn follow_made(&mut self) {
        let made = self.look.made.get_mut();
        if made.is_empty() {
            return;
        }
        for (at, invocation) in self.invocations.iter_mut().enumerate() {
            made.follow(invocation, at, self.settings.resolver);
        }
    }

    /// What it does with files that were written before it.
    pub(super) fn reads_written(
        &self,
        invocation: &Invocation,
        accounted: bool,
        texts: &mut Vec<String>,
        named: &mut Vec<Named>,
    ) {
        let base = invocation.base_name().unwrap_or_default();
        let span = invocation.span;
        let mut run = |written: &Written| {
            named.extend(written.exact.iter().map(|text| Named::Lines(text.to_string(), span)));
            for source in &written.copied {
                // A copy of a copy was looked up when it was made.
                if source.known().is_some_and(|source| last(source) == base) {
                    continue;
                }
                let mut words: Vec<Argument> = invocation.words.clone();
                if let Some(first) = words.first_mut() {
                    // A hook runs by its path.
                    first.value = match source.known().filter(|path| base == "git" && !path.contains('/')) {
                        Some(path) => Value::Known(format!("./{path}").into()),
                        None => source.clone(),
                    };
                }
                named.push(Named::Words(words));
            }
            if written.unknown {
                named.push(Named::Anything(span));
            }
        };
        if let Some(written) = self.written.get(base) {
            let slash = invocation.program().is_some_and(|program| program.contains('/'));
            if slash || written.on_path {
                run(written);
                texts.push(written.text());
            }
        }
        if matches!(base, "git" | "gh" | "hub") {
            for written in HOOKS.iter().filter_map(|hook| self.written.get(*hook)) {
                run(written);
                texts.push(written.text());
            }
        }
        let shell = SHELLS.contains(base);
        if !accounted {
            let words = invocation.words.iter().skip(1).map(|word| &word.value);
            let read = invocation.redirections.iter().filter_map(|redirection| match &redirection.target {
                RedirectionTarget::File(file) if redirection.fd == 0 => Some(file),
                _ => None,
            });
            for value in words.chain(read) {
                let said = value.candidates().unwrap_or_default().iter();
                for name in said.flat_map(|text| names_in(text).chain(files_in(base, text).map(last))) {
                    let Some(written) = self.written.get(name) else { continue };
                    texts.push(written.text());
                    if shell {
                        run(written);
                    }
                }
            }
        }
        for assignment in invocation.assignments.iter().filter(|assignment| !assignment.harmless) {
            let values = assignment.value.candidates().unwrap_or_default().iter();
            let names = values.flat_map(|value| names_in(value));
            texts.extend(names.filter_map(|name| self.written.get(name)).map(Written::text));
        }
        for end in read_unasked(base) {
            let read = self.written.iter().filter(|(name, _)| name.ends_with(end));
            texts.extend(read.map(|(_, written)| written.text()));
        }
    }

    /// Remembers the files that the invocation writes.
    pub(super) fn remember_written(&mut self, invocation: &Invocation, cx: &Context) {
        if !invocation.effects.iter().any(|effect| matches!(effect.kind, EffectKind::Write(_))) {
            return;
        }
        let base = invocation.base_name().unwrap_or_default();
        // What git keeps for itself holds no commands; what is redirected to the same place may.
        let own = |path: &str| base == "git" && path.ends_with("/.git/index");
        let writes = |effect: &Effect| matches!(&effect.kind, EffectKind::Write(PathTarget::Path(path)) if effect.redirection || !own(path));
        if !invocation.effects.iter().any(writes) {
            return;
        }
        if EMPTY.contains(base) {
            return;
        }
        let known: Option<Vec<&str>> =
            invocation.words.iter().skip(1).map(|word| word.value.known()).collect();
        let here = here_text(invocation, cx);
        let exact = match base {
            "echo" | "printf" => known.as_deref().and_then(|words| {
                let ends = matches!((base, words), ("echo", ["-n", ..]) | ("printf", [_] | ["%s", _]));
                printed(base, words).map(|text| if ends { text } else { text + "\n" })
            }),
            "cat" if invocation.words.len() == 1 => here.clone(),
            "tee" => here.clone(),
            _ => None,
        };
        let mut words = texts_in(invocation).collect::<Vec<_>>().join(" ");
        for more in here.into_iter().chain(self.words_of(&cx.upstream)).chain(self.words_of(&cx.substituted))
        {
            words.push(' ');
            words.push_str(&more);
        }
        let appends = base == "tee"
            || invocation
                .redirections
                .iter()
                .any(|redirection| matches!(redirection.op, RedirectOp::Append | RedirectOp::AppendBoth));
        let copies = matches!(base, "cp" | "gcp" | "mv" | "ln" | "install" | "rsync" | "link");
        let operands = invocation.words.iter().skip(1);
        let source = operands
            .filter(|_| copies)
            .find(|word| word.value.known().is_none_or(|text| !text.starts_with('-')))
            .map(|word| word.value.clone());
        let moved = source.as_ref().and_then(Value::known).and_then(|path| self.written.get(last(path)));
        let moved = moved.map(Copied::of);
        let exact = exact.map(Text::from);
        let (words, brought) = (Text::from(words), moved.as_ref().map_or(0, Copied::len));
        for effect in &invocation.effects {
            let EffectKind::Write(PathTarget::Path(path)) = &effect.kind else { continue };
            if path.starts_with("/dev/") {
                continue;
            }
            // Every file is given all the words.
            if self.exhausted() {
                break;
            }
            self.bytes += words.len() + brought;
            let written = self.written.entry(last(path).to_owned()).or_default();
            let told = exact.is_some() || source.is_some();
            written.unknown |= !told && (effect.redirection || COPIERS.contains(base));
            written.on_path |= path.rsplit('/').nth(1).is_some_and(|folder| folder.ends_with("bin"));
            if let Some(text) = exact.as_ref().filter(|_| appends) {
                written.append(text, self.settings.resolver, path);
            }
            add(&mut written.exact, exact.as_slice());
            written.words.insert(words.clone());
            match &moved {
                Some(source) => written.copy(source),
                None => add(&mut written.copied, source.as_slice()),
            }
        }
        if self.exhausted() {
            self.make_opaque(invocation.span, super::TOO_MANY);
        }
    }

    /// What the commands of a group print is in the files that the group writes.
    pub(super) fn remember_group(&mut self, group: usize) {
        let range = group + 1..self.invocations.len();
        let (Some(invocation), Some(words)) = (self.invocations.get(group), self.words_of(&range)) else {
            return;
        };
        let paths: Vec<String> = invocation
            .effects
            .iter()
            .filter_map(|effect| match &effect.kind {
                EffectKind::Write(PathTarget::Path(path)) => Some(last(path).to_owned()),
                _ => None,
            })
            .collect();
        let words = Text::from(words);
        for name in paths {
            self.bytes += words.len();
            let written = self.written.entry(name).or_default();
            written.words.insert(words.clone());
            written.unknown = true;
        }
    }
}

/// The last part of a path.
fn last(path: &str) -> &str {
    crate::invocation::base_name(path.trim_end_matches('/'))
}

/// The names of files that a word may hold: itself, or what is glued to an option.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let behind = text.split_once('=').map(|(_, value)| value);
    let glued = text.strip_prefix('-').and_then(|rest| rest.get(1..));
    let at = text.strip_prefix(['@', '+']);
    std::iter::once(text).chain(behind).chain(glued).chain(at).map(last).filter(|name| !name.is_empty())
}

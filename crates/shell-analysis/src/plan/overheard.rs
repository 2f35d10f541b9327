//! Texts that a program may run although they are none of its words (specification 3.1, possible matches): its
//! standard input, what process substitutions print, values of variables, and files that the same text wrote.

use std::ops::Range;

use super::{Context, Feed, Planner, feeds::printed, named::Named, variables::harmless_local};
use crate::{
    Argument, EffectKind, HereText, Invocation, PathTarget, RedirectionTarget, Value, programs::Known,
    runners::READ_UNASKED,
};

/// Programs without a full account for which standard input is data.
const DATA: &[&str] = &[
    "gh",
    "git",
    "glab",
    "curl",
    "wget",
    "jq",
    "yq",
    "kubectl",
    "oc",
    "helm",
    "aws",
    "gcloud",
    "az",
    "openssl",
    "gpg",
    "base64",
    "tar",
    "docker",
    "podman",
    "terraform",
    "pbcopy",
    "xclip",
    "xsel",
    "wl-copy",
    "tee",
    "cat",
    "patch",
    "pandoc",
    "ssh-add",
    "sudo",
    "doas",
    "xargs",
    "kustomize",
    "prettier",
    "black",
    "rustfmt",
    "gofmt",
];

/// Programs that read commands from standard input, whatever their words are.
const COMMANDS: &[&str] = &[
    "ed",
    "red",
    "ex",
    "vim",
    "vi",
    "nvim",
    "view",
    "nvi",
    "sqlite3",
    "duckdb",
    "psql",
    "mysql",
    "mariadb",
    "mongo",
    "mongosh",
    "redis-cli",
    "gdb",
    "lldb",
    "m4",
    "dc",
    "ftp",
    "sftp",
    "lftp",
    "telnet",
    "tclsh",
    "wish",
    "expect",
    "gnuplot",
    "less",
    "more",
    "crontab",
    "at",
    "batch",
    "parallel",
    "sem",
    "tmux",
    "screen",
    "octave",
    "make",
    "gmake",
    "just",
    "task",
    "tcc",
    "groff",
    "troff",
    "smbclient",
    "guestfish",
    "ansible-console",
    "newgrp",
    "su",
    "runuser",
    "script",
    "irb",
    "ghci",
    "jshell",
    "iex",
    "erl",
    "mail",
    "mailx",
    "awk",
    "gawk",
    "mawk",
    "sed",
    "cling",
    "nbdkit",
    "ip",
    "brew",
    "bundle",
    "flask",
    "jupyter",
    "ipython",
    "ssh",
    "nc",
    "ncat",
    "socat",
];

/// Interpreters that read code from standard input when no word of theirs is code or a file.
const INTERPRETERS: &[&str] = &[
    "python",
    "python2",
    "python3",
    "pypy",
    "pypy3",
    "perl",
    "ruby",
    "node",
    "nodejs",
    "php",
    "lua",
    "luajit",
    "R",
    "Rscript",
    "guile",
    "ocaml",
    "julia",
    "deno",
    "bun",
    "pwsh",
    "osascript",
    "racket",
    "sbcl",
    "clojure",
    "go",
];

/// Launchers that run a shell, which reads commands, when they are given no other program.
const SHELLS_OF: &[&str] = &[
    "su", "runuser", "script", "parallel", "sem", "newgrp", "sg", "chroot", "unshare", "nsenter", "gdb",
    "lldb",
];

/// Programs that run the shell commands in a file.
const SHELLS: &[&str] = &["bash", "rbash", "sh", "dash", "ash", "zsh", "ksh", "mksh", "source", "."];

/// Programs whose output file is made of other files or of text, and not compiled.
const COPIERS: &[&str] = &[
    "cp", "gcp", "mv", "ln", "install", "rsync", "dd", "tee", "cat", "curl", "wget", "scp", "sftp", "base64",
    "xxd", "openssl", "gunzip", "sed", "perl", "truncate", "aria2c",
];

/// Programs that make directories and empty files.
const EMPTY: &[&str] = &["mkdir", "touch", "mkfifo", "truncate"];

/// A file that the text wrote, by the last part of its name.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// Each of its contents that is known exactly.
    exact: Vec<String>,
    /// Every word that may be in it.
    words: String,
    /// What it is a copy of, or a link to.
    copied: Vec<Value>,
    /// It may hold something else too, which can be run.
    unknown: bool,
    /// It lies where programs are looked up.
    on_path: bool,
}

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
            if accounted && harmless_local(&assignment.name, None) {
                continue;
            }
            for value in assignment.value.candidates().unwrap_or_default() {
                let mut text = format!("{value} ");
                clusters(value, &mut text);
                texts.push(text);
            }
        }
        let base = invocation.base_name().unwrap_or_default();
        let piped = |value: &Value| value.known().is_some_and(|text| text.contains("/dev/fd/"));
        let opens =
            invocation.assignments.iter().any(|assignment| !assignment.harmless && piped(&assignment.value));
        let hidden = |word: &Argument| word.value.known().is_none() || piped(&word.value);
        if opens || !accounted && !DATA.contains(&base) && invocation.words.iter().any(hidden) {
            texts.extend(self.words_of(&cx.substituted));
        }
        if !accounted && (known == Known::Look || matches!(base, "gdb" | "lldb")) {
            own_words(invocation, &mut texts);
        }
        let shell = |word: &Argument| matches!(word.value.known(), Some("-s" | "-i" | "--shell" | "--login"));
        let listens = match base {
            "sudo" | "doas" => invocation.words.iter().any(shell),
            _ if known == Known::Look => !DATA.contains(&base),
            _ => SHELLS_OF.contains(&base),
        };
        if listens && !accounted {
            match here_text(invocation, cx) {
                Some(text) => texts.push(text),
                None if reads_commands(invocation) => texts.extend(self.words_of(&cx.upstream)),
                None => {}
            }
        }
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

    /// The known words of invocations, and what they read.
    fn words_of(&self, range: &Range<usize>) -> Option<String> {
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

    /// What it does with files that were written before it.
    fn reads_written(
        &self,
        invocation: &Invocation,
        accounted: bool,
        texts: &mut Vec<String>,
        named: &mut Vec<Named>,
    ) {
        let base = invocation.base_name().unwrap_or_default();
        let span = invocation.span;
        let mut run = |written: &Written| {
            named.extend(written.exact.iter().map(|text| Named::Lines(text.clone(), span)));
            for source in &written.copied {
                // A copy of a copy was looked up when it was made.
                if source.known().is_some_and(|source| last(source) == base) {
                    continue;
                }
                let mut words: Vec<Argument> = invocation.words.clone();
                if let Some(first) = words.first_mut() {
                    first.value = source.clone();
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
                texts.push(written.words.clone());
            }
        }
        let shell = SHELLS.contains(&base);
        if !accounted {
            let words = invocation.words.iter().skip(1).map(|word| &word.value);
            let read = invocation.redirections.iter().filter_map(|redirection| match &redirection.target {
                RedirectionTarget::File(file) if redirection.fd == 0 => Some(file),
                _ => None,
            });
            for value in words.chain(read) {
                for name in value.candidates().unwrap_or_default().iter().flat_map(|text| names_in(text)) {
                    let Some(written) = self.written.get(name) else { continue };
                    texts.push(written.words.clone());
                    if shell {
                        run(written);
                    }
                }
            }
        }
        for assignment in invocation.assignments.iter().filter(|assignment| !assignment.harmless) {
            let values = assignment.value.candidates().unwrap_or_default().iter();
            let names = values.flat_map(|value| names_in(value));
            texts
                .extend(names.filter_map(|name| self.written.get(name)).map(|written| written.words.clone()));
        }
        for (_, ends) in READ_UNASKED.iter().filter(|(names, _)| names.split(' ').any(|name| name == base)) {
            for (name, written) in &self.written {
                if ends.split(' ').any(|end| name.ends_with(end.rsplit('/').next().unwrap_or(end))) {
                    texts.push(written.words.clone());
                }
            }
        }
    }

    /// Remembers the files that the invocation writes.
    pub(super) fn remember_written(&mut self, invocation: &Invocation, cx: &Context) {
        let writes = |kind: &EffectKind| matches!(kind, EffectKind::Write(PathTarget::Path(_)));
        if !invocation.effects.iter().any(|effect| writes(&effect.kind)) {
            return;
        }
        let base = invocation.base_name().unwrap_or_default();
        if EMPTY.contains(&base) {
            return;
        }
        let known: Option<Vec<&str>> =
            invocation.words.iter().skip(1).map(|word| word.value.known()).collect();
        let here = here_text(invocation, cx);
        let exact = match base {
            "echo" | "printf" => known.as_deref().and_then(|words| printed(base, words)),
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
        let copies = matches!(base, "cp" | "gcp" | "mv" | "ln" | "install" | "rsync" | "link");
        let operands = invocation.words.iter().skip(1);
        let source = operands
            .filter(|_| copies)
            .find(|word| word.value.known().is_none_or(|text| !text.starts_with('-')))
            .map(|word| word.value.clone());
        let moved = source.as_ref().and_then(Value::known).and_then(|path| self.written.get(last(path)));
        let moved =
            moved.map(|written| (written.exact.clone(), written.words.clone(), written.copied.clone()));
        for effect in &invocation.effects {
            let EffectKind::Write(PathTarget::Path(path)) = &effect.kind else { continue };
            if path.starts_with("/dev/") {
                continue;
            }
            self.bytes += words.len();
            let written = self.written.entry(last(path).to_owned()).or_default();
            let told = exact.is_some() || source.is_some();
            written.unknown |= !told && (effect.redirection || COPIERS.contains(&base));
            written.on_path |= path.rsplit('/').nth(1).is_some_and(|folder| folder.ends_with("bin"));
            written.exact.extend(exact.clone());
            written.words.push_str(&words);
            written.words.push(' ');
            match &moved {
                Some((exact, words, copied)) => {
                    written.exact.extend(exact.iter().cloned());
                    written.words.push_str(words);
                    written.copied.extend(copied.iter().cloned());
                }
                None => written.copied.extend(source.clone()),
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
        for name in paths {
            self.bytes += words.len();
            let written = self.written.entry(name).or_default();
            written.words.push_str(&words);
            written.words.push(' ');
            written.unknown = true;
        }
    }
}

/// Everything that it does is known.
fn accounted(invocation: &Invocation) -> bool {
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
        let own = all && index > 1 || word.hazard || marked;
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

/// Characters of code that stand in few other words.
const CODE: [char; 9] = ['(', '`', '"', '\'', '{', '<', '|', '!', ';'];

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
    text.contains(CODE) || text.contains(':') && text.contains(' ')
}

/// What is glued to the letters of short options (`-nzrm`).
fn clusters(text: &str, out: &mut String) {
    for word in text.split_ascii_whitespace() {
        let cluster = word.strip_prefix('-').filter(|rest| !rest.starts_with('-') && rest.len() <= 24);
        for (at, _) in cluster.unwrap_or_default().char_indices().skip(1) {
            out.push_str(cluster.and_then(|cluster| cluster.get(at..)).unwrap_or_default());
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
fn here_text(invocation: &Invocation, cx: &Context) -> Option<String> {
    let own = invocation.redirections.iter().rev().find(|redirection| redirection.fd == 0);
    match own.map(|redirection| &redirection.target) {
        Some(RedirectionTarget::Text(HereText(text))) => text.clone(),
        Some(_) => None,
        None => match &cx.feed {
            Feed::Text(text) => Some(text.clone()),
            _ => None,
        },
    }
}

/// Whether its standard input is commands.
fn reads_commands(invocation: &Invocation) -> bool {
    let base = invocation.base_name().unwrap_or_default();
    let bare = || {
        invocation.words.iter().skip(1).all(|word| {
            matches!(word.value.known(), Some("-" | "-u" | "-s" | "-i" | "-q" | "/dev/stdin" | "run"))
        })
    };
    COMMANDS.contains(&base)
        || INTERPRETERS.contains(&base) && bare()
        || invocation.words.iter().any(|word| matches!(word.value.known(), Some("/dev/stdin")))
}

/// The texts that stand in an invocation.
fn texts_in(invocation: &Invocation) -> impl Iterator<Item = &str> {
    let words = invocation.words.iter().flat_map(|word| word.value.candidates().unwrap_or_default());
    let read = invocation.redirections.iter().filter_map(|redirection| match &redirection.target {
        RedirectionTarget::Text(HereText(text)) => text.as_deref(),
        _ => None,
    });
    words.map(|text| &**text).chain(read)
}

/// The last part of a path.
fn last(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// The names of files that a word may hold: itself, or what is glued to an option.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let behind = text.split_once('=').map(|(_, value)| value);
    let glued = text.strip_prefix('-').and_then(|rest| rest.get(1..));
    let at = text.strip_prefix(['@', '+']);
    std::iter::once(text).chain(behind).chain(glued).chain(at).map(last).filter(|name| !name.is_empty())
}

//! Texts that a program may run although they are none of its words (possible matches of a rule): its
//! standard input, what process substitutions print, and values of variables. Files that the same text wrote:
//! [`super::written`].

use std::ops::Range;

use super::{Context, Feed, Planner, named::Named, variables::harmless_local};
use crate::{Argument, EffectKind, HereText, Invocation, RedirectionTarget, Value, programs::Known};

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
        if opens || !accounted && !DATA.contains(&base) && invocation.words.iter().any(hidden) {
            texts.extend(self.words_of(&cx.substituted));
        }
        if !accounted && (known == Known::Look || matches!(base, "gdb" | "lldb")) {
            own_words(invocation, &mut texts);
        }
        let shell = |word: &Argument| matches!(word.value.known(), Some("-s" | "-i" | "--shell" | "--login"));
        let listens = !accounted
            && match base {
                "sudo" | "doas" => invocation.words.iter().any(shell),
                _ if known == Known::Look => !DATA.contains(&base),
                _ => SHELLS_OF.contains(&base),
            };
        if listens {
            match here_text(invocation, cx) {
                Some(text) => texts.push(text),
                None if reads_commands(invocation) => texts.extend(self.words_of(&cx.upstream)),
                None => {}
            }
        }
        if !accounted && computes(invocation) {
            named.push(Named::Anything(invocation.span));
        }
        self.runs_files(invocation, accounted, &mut texts, &mut named);
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

/// Whether its code is not known, or runs what is put together while it runs, as far as that can be seen.
fn computes(invocation: &Invocation) -> bool {
    let base = invocation.base_name().unwrap_or_default();
    let words = invocation.words.get(1..).unwrap_or_default();
    let unknown = |word: &Argument| word.value.candidates().is_none();
    if base.ends_with("awk") {
        let texts = words.iter().flat_map(|word| word.value.candidates().unwrap_or_default());
        let mut runs = texts.filter(|text| awk_runs(text)).peekable();
        return runs.peek().is_some()
            && (words.iter().any(unknown) || runs.any(|text| !runs_texts_alone(text)))
            || words
                .iter()
                .find(|word| word.value.known().is_none_or(|text| !text.starts_with('-')))
                .is_some_and(unknown);
    }
    if matches!(base, "sed" | "gsed") {
        return !accounted(invocation)
            && words
                .iter()
                .flat_map(|word| word.value.candidates().unwrap_or_default())
                .any(|text| sed_runs(text));
    }
    let code = |flag: &Argument| {
        flag.value.known().is_some_and(|text| {
            matches!(text, "--eval" | "--print" | "-Command")
                || text.starts_with('-')
                    && !text.starts_with("--")
                    && text.ends_with(['c', 'e', 'E', 'r', 'p'])
        })
    };
    INTERPRETERS.contains(&base)
        && words.windows(2).any(|pair| matches!(pair, [flag, text] if code(flag) && unknown(text)))
}

/// Whether a sed script may run what it has put together: an `e` that can be a flag of `s` or a command of its own
/// (GNU sed manual 3.3 and 3.8).
fn sed_runs(text: &str) -> bool {
    text.match_indices('e').any(|(at, _)| {
        let flag = |char: char| char.is_ascii_digit() || "gpiImMw".contains(char);
        let before = text.get(..at).unwrap_or_default().trim_end_matches(flag);
        let behind = text.get(at + 1..).unwrap_or_default().trim_start_matches(flag);
        !before.ends_with(|char: char| char.is_alphanumeric() || char == '_')
            && (behind.is_empty() || behind.starts_with([';', '}', '\n', ' ', '\t', '#']))
    })
}

/// Whether an awk program runs commands.
fn awk_runs(text: &str) -> bool {
    text.contains("system") || text.contains("getline") || text.replace("||", "").contains('|')
}

/// Whether every command that an awk program runs is one string without escapes.
fn runs_texts_alone(text: &str) -> bool {
    let string = |text: &str| {
        let (inside, behind) = text.trim_start().strip_prefix('"')?.split_once('"')?;
        (!inside.contains('\\')).then(|| behind.trim_start().to_owned())
    };
    let calls = text.match_indices("system").all(|(at, name)| {
        let behind = text.get(at + name.len()..).unwrap_or_default().trim_start();
        behind.strip_prefix('(').and_then(string).is_some_and(|rest| rest.starts_with(')'))
    });
    let pipes = text.replace("||", "  ");
    let pipes = pipes.match_indices('|').all(|(at, _)| {
        let behind = pipes.get(at + 1..).unwrap_or_default();
        let before = pipes.get(..at).unwrap_or_default().trim_end();
        if behind.trim_start_matches('&').trim_start().starts_with("getline") {
            let inside = before.strip_suffix('"').and_then(|before| before.rsplit_once('"'));
            return inside.is_some_and(|(start, text)| {
                let start = start.trim_end();
                !text.contains('\\') && (start.is_empty() || start.ends_with(['(', '{', ';', '!']))
            });
        }
        string(behind).is_some_and(|rest| rest.is_empty() || rest.starts_with([';', '}', ')']))
    });
    calls && pipes
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
pub(super) fn texts_in(invocation: &Invocation) -> impl Iterator<Item = &str> {
    let words = invocation.words.iter().flat_map(|word| word.value.candidates().unwrap_or_default());
    let read = invocation.redirections.iter().filter_map(|redirection| match &redirection.target {
        RedirectionTarget::Text(HereText(text)) => text.as_deref(),
        _ => None,
    });
    words.map(|text| &**text).chain(read)
}

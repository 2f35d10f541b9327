//! Files that run although their commands do not stand in the text: scripts that are started by their path, what
//! shells are given beyond the one file that is certain, and files of commands for other programs. They are read
//! through the resolver, behind every name that the text makes.

use portcullis_paths::join;

use super::{Context, Planner, named::Named, shells::MAX_SCRIPT, written::SHELLS};
use crate::{
    Argument, Directories, EffectKind, GlobPattern, Invocation, PathTarget, RedirectionTarget, Value,
    invocation::base_name, name_set::NameSet, pattern, programs::standard_location,
};

/// Programs that may run what stands in a file that they are given.
static READERS: NameSet = NameSet::new(&[
    "awk", "gawk", "mawk", "nawk", "sed", "gsed", "parallel", "sem", "make", "gmake", "just", "task", "vim",
    "vi", "nvim", "ex", "view", "emacs", "ed", "red", "gdb", "lldb", "crontab", "at", "batch", "ssh",
    "xargs", "sqlite3", "psql", "mysql", "tmux", "screen", "expect", "tclsh", "m4", "ninja", "entr",
]);

/// What git runs by itself, of the names that hooks have (githooks(5)).
pub(super) const HOOKS: &[&str] = &[
    "applypatch-msg",
    "pre-applypatch",
    "post-applypatch",
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "pre-rebase",
    "post-checkout",
    "post-merge",
    "pre-push",
    "pre-receive",
    "update",
    "proc-receive",
    "post-receive",
    "post-update",
    "reference-transaction",
    "push-to-checkout",
    "pre-auto-gc",
    "post-rewrite",
    "sendemail-validate",
    "fsmonitor-watchman",
    "post-index-change",
];

/// Programs with commands of their own that read files, in one word (`sqlite3 db '.read FILE'`, `gdb -ex 'source FILE'`).
static SOURCING: NameSet = NameSet::new(&[
    "sqlite3", "duckdb", "psql", "mysql", "mariadb", "gdb", "lldb", "vim", "vi", "nvim", "ex", "view",
    "tmux", "screen", "emacs", "ed", "red", "sftp", "lftp", "m4", "tclsh", "gnuplot",
]);

/// The names of files that may stand in commands of a program's own language.
pub(super) fn files_in<'t>(base: &str, text: &'t str) -> impl Iterator<Item = &'t str> {
    let sources = SOURCING.contains(base);
    let name = |char: char| char.is_alphanumeric() || "._-/+~@%:".contains(char);
    text.split(move |char| !name(char)).filter(move |part| sources && !part.is_empty() && *part != text)
}

/// The most bytes of keys of files that were looked into.
const MAX_KEYS: usize = 1 << 20;

impl Planner<'_> {
    /// Adds what files hold that the invocation runs: commands to `named`, text that may be some to `texts`.
    pub(super) fn runs_files(
        &mut self,
        invocation: &Invocation,
        cx: &Context,
        accounted: bool,
        texts: &mut Vec<String>,
        named: &mut Vec<Named>,
    ) {
        let Some(program) = invocation.program() else { return };
        let base = base_name(program);
        if program.contains('/') && !standard_location(program) {
            self.runs_directly(invocation, program, texts, named);
        }
        if matches!(base, "git" | "gh" | "hub") {
            self.runs_hooks(invocation, texts, named);
        }
        if accounted {
            return;
        }
        if matches!(base, "run-parts") {
            named.extend(run_parts(invocation));
        }
        let shell = SHELLS.contains(base);
        if !shell && !READERS.contains(base) {
            return;
        }
        let operands = invocation.words.iter().skip(1).filter_map(|word| word.value.known());
        let operands = operands.filter(|text| !text.starts_with('-') || text.contains('='));
        let fed: Vec<&Value> = invocation
            .redirections
            .iter()
            .filter(|redirection| redirection.fd == 0)
            .filter_map(|redirection| match &redirection.target {
                RedirectionTarget::File(file) => Some(file),
                _ => None,
            })
            .collect();
        // A name that is not known may be that of any file.
        let glob = |word: &Argument| matches!(word.value, Value::Glob(_));
        if fed.iter().any(|value| value.known().is_none())
            || base != "xargs" && invocation.words.iter().skip(1).any(glob)
        {
            named.push(Named::Anything(invocation.span));
        }
        let fed = fed.iter().filter_map(|value| value.known());
        if shell {
            let certain = matches!(&invocation.directories, Directories::Known(all) if all.len() == 1);
            let files: Vec<(usize, &str)> = operands.enumerate().chain(fed.map(|file| (0, file))).collect();
            for (index, file) in files {
                for path in absolute(file, &invocation.directories) {
                    let (others, unknown) = self.contents(&path);
                    if unknown {
                        named.push(Named::Anything(invocation.span));
                    }
                    let own = (index == 0 && !certain).then_some(path);
                    for path in others.into_iter().chain(own) {
                        if let Some(text) = self.newly_read(&path, invocation) {
                            named.push(Named::Lines(text, invocation.span));
                        }
                    }
                }
            }
        } else if self.settings.resolver.is_some() {
            let words: Vec<&str> =
                invocation.words.iter().skip(1).filter_map(|word| word.value.known()).collect();
            let inner = words.iter().flat_map(|text| files_in(base, text));
            let files: Vec<&str> = operands.flat_map(parts).chain(fed).chain(inner).collect();
            let files = files.into_iter().flat_map(|file| absolute(file, &invocation.directories));
            for path in files.chain(self.read_upstream(cx)).collect::<Vec<_>>() {
                let (others, _) = self.contents(&path);
                for path in others.into_iter().chain([path]) {
                    texts.extend(self.newly_read(&path, invocation));
                }
            }
        }
    }

    /// Hooks that lie elsewhere because this text says so, and those that have another name because of it.
    fn runs_hooks(&mut self, invocation: &Invocation, texts: &mut Vec<String>, named: &mut Vec<Named>) {
        let mut places: Vec<String> = Vec::new();
        for earlier in self.invocations.iter().filter(|other| other.base_name() == Some("git")) {
            places.extend(hooks_path(earlier));
        }
        places.extend(hooks_path(invocation));
        // Also as seen from where `-C` leads.
        let pairs = invocation.words.windows(2).filter_map(|pair| match pair {
            [flag, value] if flag.value.known() == Some("-C") => value.value.known(),
            _ => None,
        });
        let moved = pairs.flat_map(|from| places.iter().map(move |place| format!("{from}/{place}")));
        let moved: Vec<String> = moved.collect();
        places.extend(moved);
        let made = !self.look.made.borrow().wrote_nothing();
        if made {
            places.push(".git/hooks".to_owned());
        }
        for place in places {
            for hook in HOOKS {
                for path in absolute(&format!("{place}/{hook}"), &invocation.directories) {
                    let (others, unknown) = self.contents(&path);
                    // What lies where hooks always lie is the repository's.
                    let elsewhere = place != ".git/hooks";
                    if unknown && elsewhere {
                        named.push(Named::Anything(invocation.span));
                    }
                    let own = elsewhere.then_some(path);
                    for path in others.into_iter().chain(own) {
                        match self.newly_read(&path, invocation) {
                            Some(text) if runs_in_a_shell(&text) => {
                                named.push(Named::Lines(text, invocation.span));
                            }
                            text => texts.extend(text),
                        }
                    }
                }
            }
        }
    }

    fn runs_directly(
        &mut self,
        invocation: &Invocation,
        program: &str,
        texts: &mut Vec<String>,
        named: &mut Vec<Named>,
    ) {
        for path in absolute(program, &invocation.directories) {
            let (others, unknown) = self.contents(&path);
            if unknown {
                named.push(Named::Anything(invocation.span));
            }
            for other in others {
                let arguments = invocation.words.iter().skip(1).map(|word| &word.value);
                let key = format!("{other} {:?} {:?}", arguments.collect::<Vec<_>>(), invocation.directories);
                if self.is_new(key) {
                    let mut words = invocation.words.clone();
                    if let Some(first) = words.first_mut() {
                        first.value = Value::Known(other.into());
                    }
                    named.push(Named::Words(words));
                }
            }
            match self.newly_read(&path, invocation) {
                Some(text) if runs_in_a_shell(&text) => named.push(Named::Lines(text, invocation.span)),
                text => texts.extend(text),
            }
        }
    }

    /// The files that the commands in front of a pipe read: it may be given what is in them.
    fn read_upstream(&self, cx: &Context) -> Vec<String> {
        let upstream = self.invocations.get(cx.upstream.clone()).unwrap_or_default();
        let read = upstream.iter().flat_map(|invocation| &invocation.effects);
        read.filter_map(|effect| match &effect.kind {
            EffectKind::Read { path: PathTarget::Path(path), .. } => Some(path.clone()),
            _ => None,
        })
        .collect()
    }

    fn contents(&self, path: &str) -> (Vec<String>, bool) {
        self.look.made.borrow().contents(path, self.settings.resolver)
    }

    /// The text of a file that was not read before for an invocation in the same place.
    fn newly_read(&mut self, path: &str, invocation: &Invocation) -> Option<String> {
        let resolver = self.settings.resolver?;
        // In a chain of launchers each word is asked for behind every one of them.
        if self.no_text.contains(path) {
            return None;
        }
        let bytes = resolver.read(path, MAX_SCRIPT).ok();
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok()).filter(|text| !text.contains('\0'));
        let Some(text) = text else {
            self.no_text.insert(path.to_owned());
            return None;
        };
        self.is_new(format!("{path} {:?}", invocation.directories)).then_some(text)
    }

    fn is_new(&mut self, key: String) -> bool {
        if self.keys > MAX_KEYS {
            self.bytes = super::MAX_BYTES + 1;
            return false;
        }
        let bytes = key.len();
        let new = self.looked_into.insert(key);
        self.keys += if new { bytes } else { 0 };
        new
    }
}

/// Where an invocation of git says that hooks lie: `-c core.hooksPath=DIR`, `git config core.hooksPath DIR`, the same by
/// the environment (git-config(1), `GIT_CONFIG_COUNT`), a template (git-init(1)).
fn hooks_path(invocation: &Invocation) -> Vec<String> {
    const KEY: &str = "core.hookspath";
    let mut found = Vec::new();
    let mut words = invocation.words.iter().skip(1).filter_map(|word| word.value.known()).peekable();
    while let Some(word) = words.next() {
        let next = words.peek().copied();
        match word {
            "--template" => found.extend(next.map(|place| format!("{place}/hooks"))),
            _ if word.eq_ignore_ascii_case(KEY) => found.extend(next.map(str::to_owned)),
            _ => {
                if word.len() > KEY.len() {
                    let value = |at: usize| word.get(at + KEY.len()..)?.strip_prefix('=');
                    found.extend(word.to_ascii_lowercase().find(KEY).and_then(value).map(str::to_owned));
                }
                found.extend(word.strip_prefix("--template=").map(|place| format!("{place}/hooks")));
            }
        }
    }
    let values = invocation.assignments.iter().filter(|set| set.name.starts_with("GIT_CONFIG_VALUE_"));
    found.extend(values.filter_map(|set| set.value.known()).map(str::to_owned));
    found
}

/// Every program in a directory (run-parts(8)).
fn run_parts(invocation: &Invocation) -> Vec<Named> {
    let plain = |word: &&Argument| word.value.known().is_none_or(|text| !text.starts_with('-'));
    let program = |word: &Argument| {
        let value = match word.value.known() {
            Some(directory) => {
                let directory = directory.trim_end_matches('/');
                let (prefix, pattern) =
                    (format!("{directory}/"), format!("{}/*", pattern::escaped(directory)));
                Value::Glob(GlobPattern { pattern: pattern.into(), prefix: prefix.into() }.into())
            }
            None => Value::Unknown,
        };
        Named::Words(vec![Argument { value, ..word.clone() }])
    };
    invocation.words.iter().skip(1).filter(plain).map(program).collect()
}

/// The paths that a word may be.
fn absolute(text: &str, directories: &Directories) -> Vec<String> {
    match directories {
        _ if text.is_empty() => Vec::new(),
        _ if text.starts_with('/') => vec![text.to_owned()],
        Directories::Known(all) => all.iter().map(|directory| raw(directory, text)).collect(),
        Directories::Unknown => Vec::new(),
    }
}

/// Not normalised: a link may be in front of a `..`.
fn raw(directory: &str, text: &str) -> String {
    if text.contains("..") {
        format!("{}/{text}", directory.trim_end_matches('/'))
    } else {
        join(directory, text)
    }
}

/// A word, and what stands in it behind what programs put before names of files.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let behind = text.split_once('=').map(|(_, value)| value);
    std::iter::once(text).chain(behind).chain(text.strip_prefix(['@', '+']))
}

/// Whether the kernel, or the shell that starts it, gives the file to a shell (execve(2), Interpreter scripts).
fn runs_in_a_shell(text: &str) -> bool {
    let Some(first) = text.strip_prefix("#!") else { return true };
    let line = first.lines().next().unwrap_or_default();
    line.split([' ', '\t']).any(|word| SHELLS.contains(base_name(word)) && !word.starts_with('.'))
}

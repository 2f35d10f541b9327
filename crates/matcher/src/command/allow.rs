//! Whether an allow rule covers an invocation: only what its words let a person see.

use portcullis_paths::{Resolver, is_within};
use portcullis_shell_analysis::{Argument, Assignment, Directories, Value};

use super::git::HARMLESS;
use super::pattern::{BORDER, CommandPattern, Form};
use super::view::{CommandView, joined, pieces};

/// Directories in which a bare program name is looked up; `/usr/bin/git` is `git`.
const STANDARD: [&str; 7] = [
    "/bin/",
    "/usr/bin/",
    "/usr/local/bin/",
    "/sbin/",
    "/usr/sbin/",
    "/usr/local/sbin/",
    "/opt/homebrew/bin/",
];

/// Flags that run what follows them, in so many programs that they count for those without a
/// specification too (go(1) -exec and -toolexec, find(1), tar(1), rsync(1), fd(1), git(1)).
const RUNNING_FLAGS: [&str; 14] = [
    "-exec",
    "--exec",
    "-execdir",
    "-ok",
    "-okdir",
    "-toolexec",
    "--exec-batch",
    "--to-command",
    "--checkpoint-action",
    "--use-compress-program",
    "--compress-program",
    "--rsh",
    "--upload-pack",
    "--receive-pack",
];

/// Whether the word is a flag that runs something, alone or with its value behind `=`.
fn runs(word: &str) -> bool {
    word.starts_with('-') && RUNNING_FLAGS.contains(&word.split_once('=').map_or(word, |(flag, _)| flag))
}

/// The name by which an allow rule knows a program: bare for those in standard directories.
pub(crate) fn identity(program: &str) -> &str {
    let bare = STANDARD.iter().find_map(|directory| program.strip_prefix(directory));
    bare.filter(|name| !name.contains('/')).unwrap_or(program)
}

/// What is known about the place of a call.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) project_root: &'a str,
    pub(crate) resolver: Option<&'a dyn Resolver>,
}

impl CommandPattern {
    /// Whether this rule covers the words of the invocation. Assignments and redirections are judged by
    /// the caller.
    pub(crate) fn covers(&self, view: &CommandView<'_>, place: Place<'_>) -> bool {
        let all = &view.invocation.words;
        // As written first: a rule may name git's global options itself.
        (self.covers_words(&self.words, all) && self.shows_code(view))
            || (!view.skipped.is_empty()
                && self.words == self.bare_words
                && same_repository(view, place)
                && self.covers_words(&self.words, view.words())
                && self.shows_code(view))
    }

    /// Whether this is an exact rule for the invocation, which lifts possible matches.
    pub(crate) fn lifts(&self, view: &CommandView<'_>) -> bool {
        self.form == Form::Exact
            && self.covers_words(&self.words, &view.invocation.words)
            && self.covers_assignments(view)
    }

    /// Whether every assignment that is not harmless stands in the rule.
    pub(crate) fn covers_assignments(&self, view: &CommandView<'_>) -> bool {
        view.invocation.assignments.iter().all(|given| self.covers_assignment(given))
    }

    pub(crate) fn covers_assignment(&self, given: &Assignment) -> bool {
        given.harmless
            || self
                .assignments
                .iter()
                .any(|(name, value)| *name == given.name && given.value.known() == Some(value.as_str()))
    }

    /// What keeps a rule that is about an invocation from covering its words, if they do.
    pub(crate) fn shortfall<'v>(
        &self,
        view: &'v CommandView<'_>,
        place: Place<'_>,
    ) -> Option<WordShortfall<'v>> {
        if self.covers(view, place) {
            return None;
        }
        let all = &view.invocation.words;
        let words = if begins(&self.words, all) {
            all.as_slice()
        } else if view.skipped.is_empty() || !begins(&self.words, view.words()) {
            return Some(WordShortfall::Spelling);
        } else if same_repository(view, place) {
            view.words()
        } else {
            return Some(WordShortfall::Repository);
        };
        let mut dashes = false;
        for (at, word) in words.iter().enumerate() {
            if at >= self.words.len() && !visible(&word.value, dashes) {
                return Some(WordShortfall::Unknown(word));
            }
            dashes |= word.value.known() == Some("--");
            let own = match &self.form {
                Form::Wild { literals, .. } => literals,
                _ => &self.words,
            };
            if !literally(word, own) {
                return Some(WordShortfall::Hazard(word));
            }
        }
        Some(if self.shows_code(view) { WordShortfall::Spelling } else { WordShortfall::Code })
    }

    fn covers_words(&self, tokens: &[String], words: &[Argument]) -> bool {
        match &self.form {
            Form::Text { .. } => false,
            Form::Exact => words.len() == tokens.len() && begins(tokens, words),
            Form::Prefix => {
                let mut dashes = false;
                begins(tokens, words)
                    && words.iter().enumerate().all(|(at, word)| {
                        let fits = at < tokens.len() || visible(&word.value, dashes);
                        dashes |= word.value.known() == Some("--");
                        fits && literally(word, tokens)
                    })
            }
            Form::Wild { globs, literals, .. } => {
                let known = words.iter().all(|word| {
                    word.value.known().is_some_and(|text| !text.contains(BORDER)) && literally(word, literals)
                });
                known
                    && joined(&pieces(words, identity))
                        .is_some_and(|text| globs.iter().any(|glob| glob.matches(&text)))
            }
        }
    }

    /// Code that an interpreter runs must be visible: in the words, behind a flag that stands in the rule.
    fn shows_code(&self, view: &CommandView<'_>) -> bool {
        let words = &view.invocation.words;
        view.invocation.code.iter().all(|code| {
            words.iter().any(|word| word.value.known().is_some_and(|text| text.contains(code.as_str())))
        }) && (view.invocation.code.is_empty()
            || self.form == Form::Exact
            || words.iter().any(|word| word.hazard))
    }
}

/// Why an allow rule does not cover the words of an invocation that it is about.
#[derive(Clone, Copy)]
pub(crate) enum WordShortfall<'v> {
    /// A person could not foresee this word.
    Unknown(&'v Argument),
    /// This one runs, writes or carries more than the rule shows.
    Hazard(&'v Argument),
    Code,
    Repository,
    Spelling,
}

/// Whether a word runs, writes or carries nothing by itself, or stands in the rule.
fn literally(word: &Argument, own: &[String]) -> bool {
    let candidates = word.value.candidates().unwrap_or_default();
    !(word.hazard || candidates.iter().any(|text| runs(text)))
        || word.value.known().is_some_and(|text| own.iter().any(|token| token == text))
}

/// Whether the words begin with the tokens, every one of them certain.
fn begins(tokens: &[String], words: &[Argument]) -> bool {
    words.len() >= tokens.len()
        && tokens.iter().zip(words).enumerate().all(|(at, (token, word))| {
            let same = |text: &str| if at == 0 { identity(text) == identity(token) } else { text == token };
            let one_word = !word.splits || word.value.known().is_some();
            one_word
                && word
                    .value
                    .candidates()
                    .is_some_and(|texts| !texts.is_empty() && texts.iter().all(|text| same(text)))
        })
}

/// Whether a person who wrote a prefix could foresee such a word: never one that is unknown, nor a glob
/// whose matches may be flags.
fn visible(value: &Value, behind_dashes: bool) -> bool {
    match value {
        Value::Known(_) | Value::OneOf(_) => true,
        Value::PathBelow(names) => behind_dashes || !names.dashes,
        Value::Glob(glob) => behind_dashes || !(glob.prefix.is_empty() || glob.prefix.starts_with('-')),
        _ => false,
    }
}

/// Whether git's global options leave the command in the repository of the call.
fn same_repository(view: &CommandView<'_>, place: Place<'_>) -> bool {
    let Directories::Known(directories) = &view.invocation.directories else { return false };
    let mut words = view.skipped.iter();
    let mut places: Vec<String> = directories.to_vec();
    while let Some(word) = words.next() {
        let Some(text) = word.value.known() else { return false };
        if HARMLESS.contains(&text) {
            continue;
        }
        if text != "-C" {
            return false;
        }
        let Some(directory) = words.next().and_then(|word| word.value.known()) else { return false };
        for place in &mut places {
            *place = portcullis_paths::join(place, directory);
        }
    }
    places.iter().all(|directory| inside(directory, place))
}

/// Whether a directory lies in the project, with no other repository between it and the project root.
fn inside(directory: &str, place: Place<'_>) -> bool {
    let paths = portcullis_paths::three_paths(directory, "/", place.resolver);
    let root = place.project_root;
    paths.iter().all(|path| {
        let mut path = path;
        while path.len() > root.len() {
            let nested =
                |name: &str| place.resolver.is_some_and(|r| r.kind(&format!("{path}/{name}")).is_some());
            if nested(".git") || (nested("HEAD") && nested("objects")) {
                return false;
            }
            let Some((parent, _)) = path.rsplit_once('/') else { return false };
            path = parent;
        }
        is_within(path, root) && is_within(root, path)
    })
}

//! The payload of a shell rule, read once.

use portcullis_shell_analysis as shell;

use super::git::without_global_options;
use crate::glob::TextGlob;
use crate::normal::is_plain;

/// Stands between words in the texts that wildcards are matched against, so that a blank inside a word
/// is never taken for a border between words.
pub(crate) const BORDER: &str = "\u{1f}";

/// Stands for `*` while a wildcard payload is taken apart into words.
const STAR: char = '\u{e000}';

/// What a shell rule says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommandPattern {
    /// The shape.
    pub(crate) form: Form,
    /// Program and arguments; of a wildcard only those before the first star.
    pub(crate) words: Vec<String>,
    /// The words without git's global options.
    pub(crate) bare_words: Vec<String>,
    /// Assignments in front of the program.
    pub(crate) assignments: Vec<(String, String)>,
    /// The payload as written, and without the shells around it.
    pub(super) texts: [String; 2],
}

/// The shapes of a payload.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// Exactly these words.
    Exact,
    /// These words and any behind them.
    Prefix,
    /// Texts of words that match one of these; the words that stand in the rule without a star.
    Wild {
        /// For allow, over words joined by a border character; the program as the rule knows it.
        globs: Vec<TextGlob>,
        /// For the lists that restrict; the program by its base name.
        wide: Vec<TextGlob>,
        /// Every word of the pattern that holds no star.
        literals: Vec<String>,
    },
    /// Not one simple command: compared with whole texts.
    Text {
        /// `*` spans anything.
        glob: Option<TextGlob>,
        /// `:*` at the end.
        prefix: bool,
    },
}

/// A payload, or everything.
pub(crate) enum Payload {
    /// `*`, `:*`: every command.
    Everything,
    /// A pattern.
    Pattern(CommandPattern),
}

impl CommandPattern {
    /// Reads a payload that is not empty, with a note when its meaning differs from its letter.
    pub(crate) fn parse(payload: &str, home: Option<&str>) -> (Payload, Option<String>) {
        let payload = payload.trim();
        let (text, colon) = match payload.strip_suffix(":*") {
            Some(text) => (text.trim_end(), true),
            None => (payload, false),
        };
        if text.chars().all(|c| c == '*') {
            let note = (payload.len() > 2 || payload == "**").then(|| format!("`{payload}` is read as `:*`"));
            return (Payload::Everything, note);
        }
        let inner = if is_plain(text) { text.to_owned() } else { shell::unwrap_pattern(text) };
        let (pattern, note) = Self::read(&inner, colon, home);
        (Payload::Pattern(Self { texts: [text.to_owned(), inner], ..pattern }), note)
    }

    fn read(text: &str, colon: bool, home: Option<&str>) -> (Self, Option<String>) {
        let (assignments, rest) = leading_assignments(text);
        let words = if is_plain(rest) {
            Some(rest.split(' ').map(str::to_owned).collect())
        } else {
            shell::split_words(&rest.replace('*', STAR.encode_utf8(&mut [0; 4])))
        };
        let Some(mut words) = words.filter(|words: &Vec<String>| !words.is_empty()) else {
            let glob = text.contains('*').then(|| TextGlob::new(text));
            let note = colon.then(|| {
                "what stands before `:*` is not one simple command: in allow the rule covers nothing, write \
                 one rule for each command"
                    .to_owned()
            });
            return (Self::of(Form::Text { glob, prefix: colon }, Vec::new(), Vec::new()), note);
        };
        // The shell hands `~/x` to the program expanded.
        if let Some(home) = home {
            for word in &mut words {
                if word == "~" || word.starts_with("~/") {
                    word.replace_range(..1, home);
                }
            }
        }
        let starred = |word: &String| word.contains(STAR);
        if !words.iter().any(starred) {
            let form = if colon { Form::Prefix } else { Form::Exact };
            return (Self::of(form, words, assignments), None);
        }
        let ends = words.last().is_some_and(|word| word.chars().all(|c| c == STAR));
        if ends && !colon && words.iter().filter(|word| starred(word)).count() == 1 && words.len() > 1 {
            words.pop();
            return (Self::of(Form::Prefix, words, assignments), None);
        }
        let literals = words.iter().filter(|word| !starred(word)).cloned().collect();
        let mut full = vec![words.join(BORDER)];
        if colon {
            full.push(format!("{}{BORDER}{STAR}", words.join(BORDER)));
        } else if ends && words.len() > 1 {
            // `x *` is `x`, or `x` and anything behind it.
            full.push(words.get(..words.len() - 1).unwrap_or_default().join(BORDER));
        }
        let read = |name: fn(&str) -> &str| {
            let glob = |text: &String| {
                let (program, rest) =
                    text.split_once(BORDER).map_or((text.as_str(), None), |(p, r)| (p, Some(r)));
                let program = if program.contains(STAR) { program } else { name(program) };
                let text = rest.map_or(program.to_owned(), |rest| format!("{program}{BORDER}{rest}"));
                TextGlob::new(&text.replace(STAR, "*"))
            };
            full.iter().map(glob).collect::<Vec<_>>()
        };
        let (globs, wide) = (read(super::identity), read(base_name));
        let lead = words.iter().take_while(|word| !starred(word)).cloned().collect();
        (Self::of(Form::Wild { globs, wide, literals }, lead, assignments), None)
    }

    fn of(form: Form, words: Vec<String>, assignments: Vec<(String, String)>) -> Self {
        let git = words.first().is_some_and(|word| base_name(word) == "git");
        let bare_words = if git && !matches!(form, Form::Wild { .. }) {
            without_global_options(&words).into_iter().map(str::to_owned).collect()
        } else {
            words.clone()
        };
        Self { form, words, bare_words, assignments, texts: [String::new(), String::new()] }
    }

    /// The texts of the payload: as written, and without the shells around it.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }

    /// Whether this word stands in the rule.
    pub(crate) fn spells(&self, word: &str) -> bool {
        let literals = match &self.form {
            Form::Wild { literals, .. } => literals,
            _ => &self.words,
        };
        literals.iter().any(|own| own == word)
    }

    /// Whether the rule is exactly this whole text.
    pub(crate) fn is_exactly(&self, text: &str) -> bool {
        let text = text.trim();
        !matches!(self.form, Form::Prefix | Form::Text { prefix: true, .. })
            && self.texts.iter().any(|own| own == text)
    }

    /// The base name of the program, when the rule names one.
    pub(crate) fn program(&self) -> Option<&str> {
        self.bare_words.first().map(|word| base_name(word))
    }
}

/// The part behind the last slash.
pub(crate) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Plain assignments in front of a command, and the rest of the text.
fn leading_assignments(text: &str) -> (Vec<(String, String)>, &str) {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some((word, behind)) = rest.split_once([' ', '\t']) {
        let Some((name, value)) = word.split_once('=') else { break };
        let plain =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | ':' | ',' | '-' | '+' | '@');
        let names = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty()
            || name.starts_with(|c: char| c.is_ascii_digit())
            || !name.chars().all(names)
            || !value.chars().all(plain)
        {
            break;
        }
        found.push((name.to_owned(), value.to_owned()));
        rest = behind.trim_start();
    }
    (found, rest)
}

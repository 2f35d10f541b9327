//! Whether a rule of a restricting list (deny, alwaysAsk, ask, restrict) matches an invocation.

use portcullis_shell_analysis::{Argument, Value};

use super::pattern::{CommandPattern, Form, base_name};
use super::view::{CommandView, joined, pieces};
use super::{code, flags};
use crate::Match;

impl CommandPattern {
    /// Compares with one invocation.
    pub(crate) fn restricts(&self, view: &CommandView<'_>) -> Match {
        let mut own = self.compare(view.words());
        if matches!(self.form, Form::Wild { .. }) && view.words().len() < view.invocation.words.len() {
            // A wildcard may stand for git's global options.
            own = own.max(self.compare(&view.invocation.words));
        }
        let own = own.min(self.compare_assignments(view));
        if own == Match::Yes || self.is_launcher_of(view) {
            return Match::Yes;
        }
        own.max(self.hidden_in(view))
    }

    /// Compares with a whole text that is not one simple command, or holds several.
    pub(crate) fn restricts_text(&self, text: &str) -> Match {
        let Form::Text { glob, prefix } = &self.form else { return Match::No };
        let text = text.trim();
        let matches = match glob {
            Some(glob) => glob.matches(text),
            None => self.texts.iter().any(|own| {
                text.strip_prefix(own.as_str()).is_some_and(|rest| {
                    rest.is_empty() || (*prefix && rest.starts_with([' ', '\t', '\n', ';', '&', '|']))
                })
            }),
        };
        if matches { Match::Yes } else { Match::No }
    }

    fn compare(&self, words: &[Argument]) -> Match {
        match &self.form {
            Form::Text { .. } => Match::No,
            // The words before the first star have to fit by themselves.
            Form::Wild { .. } if words_match(&self.words, words, false) == Match::No => Match::No,
            Form::Wild { wide, .. } => {
                let pieces = pieces(words, base_name);
                match joined(&pieces) {
                    Some(text) if wide.iter().any(|glob| glob.matches(&text)) => Match::Yes,
                    None if wide.iter().any(|glob| glob.can_match(&pieces)) => Match::Possible,
                    _ => Match::No,
                }
            }
            Form::Exact | Form::Prefix => {
                let exact = self.form == Form::Exact;
                let own = words_match(&self.bare_words, words, exact);
                let own = own.max(flags::behind_options(&self.bare_words, words, exact));
                let has_flags = self.bare_words.iter().skip(1).any(|word| word.starts_with('-'));
                if own < Match::Yes && has_flags {
                    let program = words.first().map_or(Match::No, |word| self.program_is(&word.value));
                    return own.max(program.min(flags::compare(&self.bare_words, words, exact)));
                }
                own
            }
        }
    }

    fn program_is(&self, value: &Value) -> Match {
        let Some(own) = self.program() else { return Match::No };
        program_is(value, own)
    }

    /// A rule with assignments is about commands that have them.
    fn compare_assignments(&self, view: &CommandView<'_>) -> Match {
        let mut result = Match::Yes;
        for (name, value) in &self.assignments {
            let found = view.invocation.assignments.iter().rfind(|given| given.name == *name);
            result = result.min(found.map_or(Match::No, |given| word_is(&given.value, value)));
        }
        result
    }

    /// A rule that names a program alone matches what runs through that program.
    fn is_launcher_of(&self, view: &CommandView<'_>) -> bool {
        self.form == Form::Prefix
            && self.assignments.is_empty()
            && self.bare_words.len() == 1
            && view.invocation.launchers.iter().any(|launcher| Some(launcher.name.as_str()) == self.program())
    }

    /// Possible matches inside an invocation that matches nothing by itself: the rule's
    /// words behind a program that nobody specified, in inline code, or behind an alias of git.
    fn hidden_in(&self, view: &CommandView<'_>) -> Match {
        let words = self.words();
        let git = self.program() == Some("git");
        let possible = (git && view.is_git_alias())
            || (view.has_code() && code::holds_all(view.code(), &words))
            || (!view.invocation.specified && self.behind(view));
        if possible { Match::Possible } else { Match::No }
    }

    /// Whether the rule's words stand consecutively behind the program, or inside one word.
    fn behind(&self, view: &CommandView<'_>) -> bool {
        if view.too_long() {
            return true;
        }
        if let Form::Text { .. } = self.form {
            return self.inside_a_word(view);
        }
        let mut found = false;
        view.tails(|words| {
            found = found
                || match self.form {
                    Form::Wild { .. } => {
                        let first = words.first().map_or(Match::No, |word| self.program_is(&word.value));
                        first > Match::No && self.compare(words) > Match::No
                    }
                    _ => words_match(&self.bare_words, words, false) > Match::No,
                };
        });
        found
    }

    /// Whether a word may hold the text of a rule that is no simple command.
    fn inside_a_word(&self, view: &CommandView<'_>) -> bool {
        let Form::Text { glob, .. } = &self.form else { return false };
        view.words().iter().skip(1).any(|word| match word.value.candidates() {
            Some(texts) => texts.iter().any(|text| match glob {
                Some(glob) => glob.matches(text.trim()),
                None => self.texts.iter().any(|own| text.contains(own.as_str())),
            }),
            None => true,
        })
    }

    /// The literal words of the rule; the program by its base name.
    pub(crate) fn words(&self) -> Vec<&str> {
        match &self.form {
            Form::Wild { wide, .. } => {
                wide.first().map_or(Vec::new(), |glob| glob.pieces().iter().map(String::as_str).collect())
            }
            Form::Text { .. } => self.texts.iter().take(1).map(String::as_str).collect(),
            _ => {
                let program = self.program().into_iter();
                program.chain(self.bare_words.iter().skip(1).map(String::as_str)).collect()
            }
        }
    }
}

/// Whether the words begin with the tokens; `exact`: and end there.
fn words_match(tokens: &[String], words: &[Argument], exact: bool) -> Match {
    let mut result = Match::Yes;
    let mut rest = words.iter();
    for (at, token) in tokens.iter().enumerate() {
        let Some(word) = rest.next() else { return Match::No };
        if word.splits && word.value.known().is_none() {
            // It may be several words, so that nothing behind it has a place.
            return Match::Possible;
        }
        result = result.min(if at == 0 {
            program_is(&word.value, base_name(token))
        } else {
            word_is(&word.value, token)
        });
        if result == Match::No {
            return Match::No;
        }
    }
    if exact {
        for word in rest {
            if !(word.splits && word.value.known().is_none()) {
                return Match::No;
            }
            result = Match::Possible;
        }
    }
    result
}

/// Whether a program word is, or may be, a program with this base name.
pub(super) fn program_is(value: &Value, name: &str) -> Match {
    match value {
        Value::Glob(glob) if !glob.prefix.contains('/') && !name.starts_with(glob.prefix.as_str()) => {
            Match::No
        }
        other => match other.candidates() {
            Some(texts) if texts.iter().any(|text| base_name(text) == name) => Match::Yes,
            Some(_) => Match::No,
            None => Match::Possible,
        },
    }
}

/// Whether a word is, or may be, this token.
pub(super) fn word_is(value: &Value, token: &str) -> Match {
    match value {
        Value::Glob(glob) if !token.starts_with(glob.prefix.as_str()) => Match::No,
        Value::PathBelow(names) if !names.dashes && token.starts_with('-') => Match::No,
        other => match other.candidates() {
            Some(texts) if texts.iter().any(|text| **text == *token) => Match::Yes,
            Some(_) => Match::No,
            None => Match::Possible,
        },
    }
}

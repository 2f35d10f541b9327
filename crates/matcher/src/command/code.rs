//! Inline code for interpreters, looked at word by word.

use std::collections::HashSet;

use portcullis_shell_analysis as shell;

/// The words of code: letters, digits, `_`, `-` and `.`, in lower case, also without dots and dashes
/// around them.
pub(crate) fn words_of(code: &str) -> impl Iterator<Item = String> + '_ {
    code.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))
        .filter(|word| !word.is_empty())
        .flat_map(|word| {
            let bare = word.trim_matches(['.', '-']);
            let bare =
                (bare.len() < word.len() && !bare.is_empty() && !word.starts_with('.')).then_some(bare);
            std::iter::once(word).chain(bare)
        })
        .map(str::to_lowercase)
}

/// The words of some pieces of code, for several questions.
#[derive(Debug, Default)]
pub(crate) struct CodeWords(HashSet<String>);

impl CodeWords {
    pub(crate) fn new<'c>(code: impl Iterator<Item = &'c String>) -> Self {
        Self(code.flat_map(|code| words_of(code)).collect())
    }

    /// Whether every word of every text occurs.
    pub(crate) fn hold_all<S: AsRef<str>>(&self, texts: &[S]) -> bool {
        texts.iter().all(|text| words_of(text.as_ref()).all(|word| self.0.contains(&word)))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// Whether every literal word of a rule occurs in the code.
pub(super) fn holds_all<'c>(code: impl Iterator<Item = &'c String>, texts: &[&str]) -> bool {
    CodeWords::new(code).hold_all(texts)
}

/// The simple commands of a word that reads as one or several: split at what separates commands, quotes
/// removed where each part allows it.
pub(super) fn commands(text: &str) -> Vec<Vec<String>> {
    let whole = shell::split_words(text).into_iter();
    let parts = text.split([';', '&', '|', '\n', '(', ')', '`', '{', '}', '!', '=']).filter_map(|part| {
        let part = part.trim();
        shell::split_words(part).or_else(|| Some(part.split_whitespace().map(str::to_owned).collect()))
    });
    whole.chain(parts).filter(|words| !words.is_empty()).collect()
}

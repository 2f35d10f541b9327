//! Words and texts go into one another and come back.

use portcullis_shell_analysis::{join_words, normalize, primary, split_words, unwrap, unwrap_pattern};

use super::LONGEST;

pub(crate) fn check(text: &str) {
    if text.len() > LONGEST {
        return;
    }
    // Any words at all: those that the lines of the text are.
    let words: Vec<&str> = text.split('\n').collect();
    if !text.contains('\0') {
        let joined = join_words(&words);
        assert_eq!(split_words(&joined).as_deref(), Some(&owned(&words)[..]), "{joined:?}");
    }
    if let Some(words) = split_words(text) {
        assert_eq!(split_words(&join_words(&words)), Some(words), "{text:?}");
    }
    let normal = normalize(text);
    assert_eq!(normalize(&normal), normal, "{text:?}");
    let inner = unwrap(text);
    assert!(inner.len() <= text.len(), "{text:?} became {inner:?}");
    assert!(unwrap_pattern(text).len() <= text.len());
    assert!(primary(text).len() <= text.len());
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

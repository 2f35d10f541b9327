//! Other spellings of one name: Unicode normal form and case. For comparisons in deny and ask, and for
//! the tables of sensitive paths; an allow compares bytes.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// The Unicode normal form C, which deny rules compare as well; borrowed when `path` is in it already.
///
/// ```
/// assert_eq!(portcullis_paths::nfc("caf\u{65}\u{301}"), "caf\u{e9}");
/// ```
#[must_use]
pub fn nfc(path: &str) -> Cow<'_, str> {
    if path.is_ascii() || is_nfc(path) { Cow::Borrowed(path) } else { Cow::Owned(path.nfc().collect()) }
}

/// One spelling for all that a case-insensitive file system takes for the same: normal form C, lower case,
/// without the characters that HFS+ ignores in names.
///
/// ```
/// assert_eq!(portcullis_paths::fold_case("/W/.G\u{200c}IT/Config"), "/w/.git/config");
/// ```
#[must_use]
pub fn fold_case(path: &str) -> Cow<'_, str> {
    if path.is_ascii() {
        if path.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Cow::Owned(path.to_ascii_lowercase());
        }
        return Cow::Borrowed(path);
    }
    Cow::Owned(path.chars().filter(|c| !is_ignored(*c)).flat_map(char::to_lowercase).nfc().collect())
}

/// Whether two paths are one on a case-insensitive file system.
#[must_use]
pub fn same_ignoring_case(left: &str, right: &str) -> bool {
    left == right || fold_case(left) == fold_case(right)
}

/// [`crate::is_within`] on a case-insensitive file system.
#[must_use]
pub fn is_within_ignoring_case(path: &str, root: &str) -> bool {
    crate::is_within(path, root) || crate::is_within(&fold_case(path), &fold_case(root))
}

/// Code points that HFS+ leaves out of comparisons (Apple Technical Note TN1150, "HFS+ Unicode
/// subtleties"): joiners, direction marks and the byte order mark.
fn is_ignored(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

//! Shapes of Windows paths, recognised as text on every platform.

use crate::lexical::push_components;

const SEPARATORS: [char; 2] = ['/', '\\'];

/// What an absolute Windows path starts with, and the rest behind it.
enum Prefix<'a> {
    /// `C:\`
    Drive(char, &'a str),
    /// `\\server\share`
    Share(&'a str),
}

/// Whether a path is absolute in a Windows shape: `C:\`, `C:/`, `\\server\share`, `\\?\`, or the normal
/// forms of those.
///
/// ```
/// use portcullis_paths::is_windows;
///
/// assert!(is_windows(r"C:\x") && is_windows(r"\\server\share") && is_windows("C:/x"));
/// assert!(!is_windows("/c/x") && !is_windows("C:x"));
/// ```
#[must_use]
pub fn is_windows(path: &str) -> bool {
    path.starts_with(r"\\") || drive(path).is_some()
}

/// `C:\rest` as `('C', rest)`.
fn drive(path: &str) -> Option<(char, &str)> {
    let mut characters = path.chars();
    let letter = characters.next().filter(char::is_ascii_alphabetic)?;
    if characters.next() != Some(':') {
        return None;
    }
    let rest = characters.as_str();
    rest.starts_with(SEPARATORS).then_some((letter.to_ascii_uppercase(), rest))
}

/// Splits off the prefix; `\\?\` and `\\.\` in front of a drive or `UNC\` change nothing.
fn split(path: &str) -> Option<Prefix<'_>> {
    if let Some((letter, rest)) = drive(path) {
        return Some(Prefix::Drive(letter, rest));
    }
    let rest = path.strip_prefix(r"\\")?;
    for device in [r"?\", "?/", r".\", "./"] {
        let Some(inner) = rest.strip_prefix(device) else { continue };
        if let Some((letter, rest)) = drive(inner) {
            return Some(Prefix::Drive(letter, rest));
        }
        if let Some(bare) = inner.strip_suffix(':')
            && let (Some(letter), true) = (bare.chars().next(), bare.len() == 1)
            && letter.is_ascii_alphabetic()
        {
            return Some(Prefix::Drive(letter.to_ascii_uppercase(), ""));
        }
        if let Some(share) = inner.get(..4).filter(|start| start.to_ascii_uppercase().starts_with("UNC"))
            && share.ends_with(SEPARATORS)
        {
            return Some(Prefix::Share(inner.get(4..).unwrap_or_default()));
        }
    }
    Some(Prefix::Share(rest))
}

/// The normal form of an absolute Windows path; `None` for any other path.
pub(crate) fn normalize(path: &str) -> Option<String> {
    Some(match split(path)? {
        Prefix::Drive(letter, rest) => {
            let mut result = format!("{letter}:/");
            push_components(&mut result, 3, rest.split(SEPARATORS).map(plain), false);
            result
        }
        Prefix::Share(rest) => {
            let mut parts = rest.split(SEPARATORS).filter(|part| !part.is_empty());
            // No server or share is called `..`, and none can be climbed out of.
            let mut result = format!(r"\\{}", parts.by_ref().find(|part| *part != "..").unwrap_or_default());
            if let Some(share) = parts.by_ref().find(|part| *part != "..") {
                result.push('/');
                result.push_str(share);
            }
            let floor = result.len();
            push_components(&mut result, floor, parts.map(plain), false);
            result
        }
    })
}

/// A component as Windows opens it: without the name of an alternate stream (`.env::$DATA` is `.env`),
/// and without trailing dots and blanks.
fn plain(part: &str) -> &str {
    if matches!(part, "." | "..") {
        return part;
    }
    let name = part.split(':').next().unwrap_or_default();
    name.trim_end_matches(['.', ' '])
}

/// The length of a normal form's root, `C:/` or `\\server/share`.
pub(crate) fn root_length(path: &str) -> Option<usize> {
    if drive(path).is_some() {
        return Some(3);
    }
    let rest = path.strip_prefix(r"\\")?;
    let mut slashes = rest.match_indices('/').map(|(at, _)| at);
    let _server = slashes.next();
    Some(slashes.next().map_or(path.len(), |at| at + 2))
}

/// `path` against an absolute Windows `base`.
pub(crate) fn join(base: &str, path: &str) -> String {
    let base = normalize(base).unwrap_or_default();
    if let Some(path) = normalize(path) {
        return path;
    }
    // `/C:/x`, as in URLs and in ported shells: no name can hold the colon.
    let bare = path.trim_start_matches(SEPARATORS);
    if bare.as_bytes().get(1) == Some(&b':')
        && let Some(path) = normalize(bare)
    {
        return path;
    }
    let root = base.get(..root_length(&base).unwrap_or(0)).unwrap_or_default();
    let mut characters = path.chars();
    let (first, second) = (characters.next(), characters.next());
    // `//server/share`: with a Windows directory both separators mean the same.
    if first.is_some_and(|c| SEPARATORS.contains(&c)) && second.is_some_and(|c| SEPARATORS.contains(&c)) {
        return normalize(&format!(r"\\{}", path.trim_start_matches(SEPARATORS))).unwrap_or_default();
    }
    // `\x` is below the base's root; `D:x` is below the current directory of that drive, which is known
    // for the base's own drive only: for others its root stands for it.
    let (start, rest) = match (first, second) {
        (Some('/' | '\\'), _) => (root.to_owned(), path),
        (Some(letter), Some(':')) if letter.is_ascii_alphabetic() => {
            let own = root.chars().next().is_some_and(|c| c.eq_ignore_ascii_case(&letter));
            let drive = if own { base.clone() } else { format!("{}:/", letter.to_ascii_uppercase()) };
            (drive, characters.as_str())
        }
        _ => (base.clone(), path),
    };
    normalize(&format!("{start}/{rest}")).unwrap_or_default()
}

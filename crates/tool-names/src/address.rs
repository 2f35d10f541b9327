//! Addresses of local files in a call's arguments.

use std::borrow::Cow;

/// The paths that a text may lead to as a `file:` address; none for any other text. Clients differ in what they take for
/// the host and the end of the path, so each reading is one.
pub(crate) fn file_paths(text: &str) -> Vec<String> {
    // As the URL standard has it: blanks around, tabs and line ends do not count, and `\` is `/`.
    let text = text.trim_matches(|c: char| c <= ' ');
    let is_address = text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"))
        || text.contains(['\t', '\n', '\r']) && text.starts_with(['f', 'F']);
    if !is_address {
        return Vec::new();
    }
    let plain: String = text
        .chars()
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
        .map(|c| if c == '\\' { '/' } else { c })
        .collect();
    let (Some(scheme), Some(rest)) = (plain.get(..5), plain.get(5..)) else { return Vec::new() };
    if !scheme.eq_ignore_ascii_case("file:") {
        return Vec::new();
    }
    let mut readings: Vec<&str> = Vec::new();
    match rest.strip_prefix("//") {
        Some(behind) => {
            let at = behind.find('/').unwrap_or(behind.len());
            let (host, path) = behind.split_at_checked(at).unwrap_or((behind, ""));
            readings.push(path);
            if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
                readings.push(behind);
            }
        }
        None => readings.push(rest),
    }
    let mut found = Vec::new();
    for reading in readings {
        let cut = reading.split(['?', '#']).next().unwrap_or_default();
        for path in [decoded(cut), Cow::Borrowed(cut), decoded(reading)] {
            if !path.is_empty() && !found.iter().any(|known| known == &*path) {
                found.push(path.into_owned());
            }
        }
    }
    found
}

/// `%41` is `A`; what is no escape stays.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let escape = (first == b'%').then(|| behind.split_at_checked(2)).flatten();
        let byte = escape.and_then(|(digits, after)| {
            let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?;
            Some((u8::from_str_radix(digits, 16).ok()?, after))
        });
        let (byte, after) = byte.unwrap_or((first, behind));
        bytes.push(byte);
        rest = after;
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::file_paths;

    #[test]
    fn every_reading_of_an_address_is_a_path() {
        for (text, paths) in [
            ("file:///r/a", &["/r/a"][..]),
            (" FILE://localhost/r/a", &["/r/a"]),
            ("file:/r/a", &["/r/a"]),
            ("file:a/b", &["a/b"]),
            ("fi\nle:///r/a", &["/r/a"]),
            ("file:\\\\\\r\\a", &["/r/a"]),
            ("file://secrets/key", &["/key", "secrets/key"]),
            ("file:///r/%61%2", &["/r/a%2", "/r/%61%2"]),
            ("file:///r/a?b#c", &["/r/a", "/r/a?b#c"]),
            ("https://x/file:///r/a", &[]),
            ("file: see below", &[" see below"]),
            ("files:///a", &[]),
            ("fil\u{e9}", &[]),
        ] {
            assert_eq!(file_paths(text), paths, "{text:?}");
        }
    }
}

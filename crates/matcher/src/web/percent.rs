//! Percent-encoding (RFC 3986 2.1) in one normal form.

/// Every escape decoded, as hosts are read; bytes that are no UTF-8 become U+FFFD.
pub(super) fn decode(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        match escape(rest) {
            Some(byte) => {
                out.push(byte);
                rest = rest.get(3..).unwrap_or_default();
            }
            None => {
                out.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Escapes of unreserved characters decoded (RFC 3986 6.2.2.2), others in upper case, and escapes for what stands in no
/// URL as it is (WHATWG URL 1.3). `*` stays, so that a pattern can be read the same way.
pub(super) fn normalize(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_graphic() && !b"%\"<>`{}|^\\".contains(&byte);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let (byte, escaped, behind) = match escape(rest) {
            Some(byte) => (byte, true, rest.get(3..).unwrap_or_default()),
            None => (*first, false, behind),
        };
        let unreserved = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if unreserved || (!escaped && (plain(byte) || byte == b'%')) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
        rest = behind;
    }
    out
}

/// The byte that `%XX` at the beginning stands for.
fn escape(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = text else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_form_for_every_spelling() {
        for (text, normal) in [
            ("/a%62c/%7Euser", "/abc/~user"),
            ("/%2f%2F", "/%2F%2F"),
            ("/a b/ü", "/a%20b/%C3%BC"),
            ("/a%20b/%c3%bc", "/a%20b/%C3%BC"),
            ("/x*?y=%41&z=%26", "/x*?y=A&z=%26"),
            ("/100%", "/100%"),
            ("/%zz", "/%zz"),
        ] {
            assert_eq!(normalize(text), normal, "{text}");
            assert_eq!(normalize(normal), normal);
        }
        assert_eq!(decode("ev%69l%2eexample%"), "evil.example%");
    }
}

//! Texts in a call's arguments that may be hosts, where nothing says that they are addresses: `"target": "a.example"`.

use serde_json::Value;

use super::{Readings, Side, WebPattern, host::Host, is_address, url::split_port};

/// Values are looked at so deep; what is deeper the search for addresses tells.
const DEPTH: usize = 16;

/// The texts in the arguments of a call that are hosts, with a port or a path or without, and nothing else.
pub(crate) fn bare(arguments: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    search(arguments, DEPTH, &mut found);
    found
}

fn search<'a>(value: &'a Value, depth: usize, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => {
            let text = text.trim();
            if !is_address(text) && is_host(text) && !found.contains(&text) {
                found.push(text);
            }
        }
        Value::Array(values) if depth > 0 => values.iter().for_each(|value| search(value, depth - 1, found)),
        Value::Object(fields) if depth > 0 => {
            fields.values().for_each(|value| search(value, depth - 1, found));
        }
        _ => {}
    }
}

/// A name with a dot and a last part of letters, an IP address, or `localhost`.
fn is_host(text: &str) -> bool {
    let authority = text.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = split_port(authority);
    let letter = |letter: char| letter.is_alphanumeric() || "-_.:[]".contains(letter);
    if !host.chars().all(letter) || port.is_some_and(|port| !port.bytes().all(|byte| byte.is_ascii_digit())) {
        return false;
    }
    if host.eq_ignore_ascii_case("localhost") {
        return true;
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    let last = name.rsplit('.').next().unwrap_or_default();
    let named = name.contains('.')
        && !name.split('.').any(str::is_empty)
        && (last.starts_with("xn--") || (last.chars().count() > 1 && last.chars().all(char::is_alphabetic)));
    named || (host.contains(['.', '[']) && Host::read(host).address)
}

impl WebPattern {
    /// Whether it is about what such a text is, if that is an address.
    pub(crate) fn is_about(&self, bare: &str) -> bool {
        Readings::of(bare).urls.iter().any(|url| self.matches(url, Side::Restrict))
    }

    /// Whether it allows what such a text is, if that is an address.
    pub(crate) fn allows_bare(&self, bare: &str) -> bool {
        self.allows(Some(&format!("https://{bare}")))
    }
}

/// The hosts that such a text can mean; none where clients may take it for another one.
pub(crate) fn hosts_of_bare(bare: &str) -> Option<Vec<String>> {
    super::hosts(&format!("https://{bare}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::bare;

    #[test]
    fn what_may_be_a_host_is_found() {
        for (arguments, right) in [
            (json!({ "url": "https://a.example/", "target": "b.example" }), vec!["b.example"]),
            (json!({ "x": { "y": ["b.example:8080/z"] } }), vec!["b.example:8080/z"]),
            (json!({ "x": "127.0.0.1" }), vec!["127.0.0.1"]),
            (json!({ "x": "[::1]:80" }), vec!["[::1]:80"]),
            (json!({ "x": "localhost" }), vec!["localhost"]),
            (json!({ "x": "bücher.example" }), vec!["bücher.example"]),
            (
                json!({ "x": "see b.example", "n": 7, "m": "7", "v": "gpt-4.1", "w": "a..b", "p": "/a.b" }),
                vec![],
            ),
            (
                json!({ "prompt": "What does it say?", "format": "markdown", "time": "12:30", "z": "a:b.c" }),
                vec![],
            ),
        ] {
            assert_eq!(bare(&arguments), right, "{arguments}");
        }
    }
}

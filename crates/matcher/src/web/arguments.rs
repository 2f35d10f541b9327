//! The addresses in a call's arguments.

use std::borrow::Cow;

use serde_json::Value;

use super::is_address;

/// Arguments that hold an address, or a list of them, whatever they look like. Behind another word (`image_url`,
/// `proxyUrl`) they do as well.
const KEYS: [&str; 17] = [
    "url", "urls", "uri", "uris", "href", "link", "links", "endpoint", "proxy", "proxies", "host",
    "hostname", "domain", "origin", "address", "server", "website",
];

/// Values are looked at so deep; what is deeper is not known.
const DEPTH: usize = 16;

/// Every address in the arguments of a call; `None` for one that is no text, or that nobody looks for.
pub(crate) fn addresses(arguments: &Value) -> Vec<Option<Cow<'_, str>>> {
    let mut found = Vec::new();
    search(arguments, false, DEPTH, &mut found);
    found
}

fn search<'a>(value: &'a Value, named: bool, depth: usize, found: &mut Vec<Option<Cow<'a, str>>>) {
    match value {
        Value::String(text) => {
            if named || is_address(text) {
                found.push(Some(Cow::Borrowed(text)));
            }
            // Arguments that are handed on as a text: whoever takes them reads what stands in it.
            if let Some(inner) = json_in(text) {
                if depth == 0 {
                    found.push(None);
                    return;
                }
                let mut below = Vec::new();
                search(&inner, named, depth - 1, &mut below);
                found.extend(below.into_iter().map(|address| Some(Cow::Owned(address?.into_owned()))));
            }
        }
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) => {
            // A switch (`"proxy": false`) is no address; a number may be one (`"host": 2130706433`).
            if named && value.is_number() {
                found.push(None);
            }
        }
        Value::Array(_) | Value::Object(_) if depth == 0 => found.push(None),
        Value::Array(values) => values.iter().for_each(|value| search(value, named, depth - 1, found)),
        Value::Object(fields) => {
            for (key, value) in fields {
                // What an object under such a name holds is one, as `{"href": ...}` or as it stands there.
                search(value, named || is_key(key), depth - 1, found);
            }
        }
    }
}

/// The object, list or text that a text is in JSON.
fn json_in(text: &str) -> Option<Value> {
    let text = text.trim();
    let may_be = text.starts_with(['{', '[', '"']);
    may_be.then(|| serde_json::from_str(text).ok()).flatten()
}

/// Whatever the case and the marks between its words, and with a number or a list behind it (`proxyHost`, `url_list`, `url2`).
fn is_key(key: &str) -> bool {
    let plain: String =
        key.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase();
    let plain = plain.strip_suffix("list").unwrap_or(&plain);
    let single = plain.strip_suffix('s').unwrap_or(plain);
    KEYS.contains(&plain)
        || KEYS.contains(&single)
        || ["url", "uri", "proxy", "host", "hostname", "domain", "server", "endpoint"]
            .iter()
            .any(|end| single.ends_with(end))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::addresses;

    #[test]
    fn every_address_is_found() {
        for (arguments, right) in [
            (json!({ "url": "https://a.example", "prompt": "what is it" }), vec![Some("https://a.example")]),
            (json!({ "url": "a.example", "prompt": "see https://b.example" }), vec![Some("a.example")]),
            (json!({ "uri": "a.example" }), vec![Some("a.example")]),
            (json!({ "urls": ["a.example", 7] }), vec![Some("a.example"), None]),
            (json!({ "base_url": "a.example" }), vec![Some("a.example")]),
            (json!({ "imageUrl": "a.example" }), vec![Some("a.example")]),
            (json!({ "proxy": "b.example:8080" }), vec![Some("b.example:8080")]),
            (json!({ "proxy": { "server": "b.example" } }), vec![Some("b.example")]),
            (json!({ "x": [{ "y": "http://b.example" }] }), vec![Some("http://b.example")]),
            (
                json!({ "urlList": "a", "url_list": "b", "url2": "c", "proxyHost": "d" }),
                vec![Some("a"), Some("b"), Some("c"), Some("d")],
            ),
            (json!({ "hosts": "a", "proxy-server": "b", "max_hostile": "no" }), vec![Some("a"), Some("b")]),
            (json!({ "x": "//b.example" }), vec![Some("//b.example")]),
            (json!({ "x": "https:b.example" }), vec![Some("https:b.example")]),
            (json!({ "host": 2_130_706_433 }), vec![None]),
            (json!({ "url": null, "proxy": false }), vec![]),
            (json!({ "prompt": "note: x", "time": "12:30" }), vec![]),
            (json!("https://a.example"), vec![Some("https://a.example")]),
            (json!({}), vec![]),
        ] {
            let found = addresses(&arguments);
            let found: Vec<Option<&str>> = found.iter().map(Option::as_deref).collect();
            assert_eq!(found, right, "{arguments}");
        }
    }

    #[test]
    fn a_text_that_is_json_is_looked_into() {
        let nested =
            |text: &str, times: usize| (0..times).fold(text.to_owned(), |text, _| json!(text).to_string());
        for (arguments, right) in [
            (
                json!({ "body": r#"{"url":"a.example","x":["https://b.example"]}"# }),
                vec!["a.example", "https://b.example"],
            ),
            (json!({ "body": r#" ["https://b.example", 7] "# }), vec!["https://b.example"]),
            (json!({ "body": r#"{"args":"{\"proxy\":\"c.example\"}"}"# }), vec!["c.example"]),
            (json!({ "body": r#""https://b.example""# }), vec!["https://b.example"]),
            (json!({ "body": nested("https://b.example", 3) }), vec!["https://b.example"]),
            (json!({ "body": r#"{"text":"see https://b.example"}"# }), vec![]),
            (json!({ "body": "{not json" }), vec![]),
        ] {
            let found = addresses(&arguments);
            let found: Vec<&str> = found.iter().map(|address| address.as_deref().unwrap()).collect();
            assert_eq!(found, right, "{arguments}");
        }
        let named = json!({ "url": r#"{"href":"a.example"}"# });
        assert!(addresses(&named).contains(&Some("a.example".into())));
        // What is deeper than anybody looks is not known.
        let deep = (0..20).fold(json!("https://b.example"), |value, _| json!({ "x": value.to_string() }));
        assert_eq!(addresses(&deep), [None]);
    }
}

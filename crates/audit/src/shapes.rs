//! What secrets look like: a table. Group 1 of each expression is what must not be written.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

/// Names under which secrets are kept.
macro_rules! names {
    () => {
        r"(?:password|passwd|passphrase|secret|token|credentials?|api[_-]?key|access[_-]?key|private[_-]?key|_key)[0-9]*"
    };
}

/// A value behind `=` or a flag. One that starts with `$` is the name of a secret, not the secret.
macro_rules! value {
    () => {
        r#"("[^"\n]+"|'[^'\n]+'|[^\s"'$&;|<>()][^\s"'&;|<>()]*)"#
    };
}

/// Documented prefixes of the services' own tokens, then places where a secret stands.
pub(crate) const SHAPES: &[(&str, &str)] = &[
    ("private key block", r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----(.*?)(?:-----END|\z)"),
    ("GitHub token", r"\bgh[opusr]_([A-Za-z0-9]{20,})"),
    ("GitHub fine-grained token", r"\bgithub_pat_([A-Za-z0-9_]{20,})"),
    ("GitLab token", r"\bgl(?:pat|oas|dt|rt|cbt|ptt|ft|soat)-([A-Za-z0-9_-]{16,})"),
    ("model provider key", r"\bsk-([A-Za-z0-9_-]{20,})"),
    ("Stripe key", r"\b[srw]h?k?(?:ec)?_(?:live|test)_([A-Za-z0-9]{10,})"),
    ("AWS key id", r"\b(?:AKIA|ASIA)([A-Z0-9]{16})\b"),
    ("Slack token", r"\bx(?:ox[a-z]|app)-([A-Za-z0-9-]{10,})"),
    ("Slack webhook", r"hooks\.slack\.com/services/([A-Za-z0-9/]+)"),
    ("Google key", r"\bAIza([A-Za-z0-9_-]{30,})"),
    ("Google access token", r"\bya29\.([A-Za-z0-9_-]{20,})"),
    ("npm token", r"\bnpm_([A-Za-z0-9]{30,})"),
    ("PyPI token", r"\bpypi-([A-Za-z0-9_-]{40,})"),
    ("Hugging Face token", r"\bhf_([A-Za-z0-9]{30,})"),
    ("SendGrid key", r"\bSG\.([A-Za-z0-9_.-]{20,})"),
    ("DigitalOcean token", r"\bdo[opr]_v1_([a-f0-9]{32,})"),
    ("JSON web token", r"\beyJ([A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?)"),
    (
        "authorization header",
        r#"(?i)\bauthorization["']?\s*[:=]\s*["']?((?:(?:bearer|basic|token|digest)\s+)?[^\s"']+)"#,
    ),
    ("bearer token", r"(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{16,})"),
    ("assignment", concat!(r#"(?i)\b[a-z0-9_.-]*"#, names!(), r#"["']?\s*=\s*"#, value!())),
    (
        "field",
        concat!(
            r#"(?i)\b[a-z0-9_.-]*"#,
            names!(),
            r#"\\?["']?\s*:\s*(\\?"[^"\n]+"|'[^'\n]+'|[^\s"'{\[,$]{6,})"#
        ),
    ),
    ("flag", concat!(r#"(?i)(?:^|\s)--[a-z0-9_-]*"#, names!(), r"\s+", value!())),
    ("user in a URL", r"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/@:]*:([^\s/@]+)@"),
    ("user flag", r#"(?:^|\s)(?:-u|--user)[\s=]+["']?[^\s"':]+:([^\s"']+)"#),
];

/// A pattern that does not compile would hide nothing; a test holds that there is none.
static COMPILED: LazyLock<Vec<Regex>> =
    LazyLock::new(|| SHAPES.iter().filter_map(|(_, pattern)| Regex::new(pattern).ok()).collect());

/// What stands in a secret's stead.
pub(crate) const REDACTED: &str = "[redacted]";

/// The text without what looks like a secret; none when nothing does.
pub(crate) fn mask(text: &str) -> Option<String> {
    let mut secrets: Vec<Range<usize>> = COMPILED
        .iter()
        .flat_map(|shape| shape.captures_iter(text))
        .filter_map(|found| found.get(1).map(|secret| secret.range()))
        .filter(|range| !range.is_empty())
        .collect();
    if secrets.is_empty() {
        return None;
    }
    secrets.sort_by_key(|range| (range.start, range.end));
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    for secret in secrets {
        if secret.end <= at {
            continue;
        }
        if secret.start >= at {
            masked.push_str(text.get(at..secret.start).unwrap_or_default());
            masked.push_str(REDACTED);
        }
        at = secret.end;
    }
    masked.push_str(text.get(at..).unwrap_or_default());
    Some(masked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_compiles_and_has_a_group() {
        assert_eq!(COMPILED.len(), SHAPES.len());
        for (shape, (name, _)) in COMPILED.iter().zip(SHAPES) {
            assert_eq!(shape.captures_len(), 2, "{name}");
        }
    }
}

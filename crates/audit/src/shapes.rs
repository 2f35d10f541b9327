//! What secrets look like: a table. Group 1 of each expression is what must not be written.

use std::{ops::Range, sync::OnceLock};

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

/// One of these stands in every name that `names!` matches.
const NAMED: &[&str] = &["passw", "passphrase", "secret", "token", "credential", "key"];

/// Documented prefixes of the services' own tokens, then places where a secret stands. The second column is
/// what every match has one of, in lower case: an expression is compiled when the first text has it.
const SHAPES: &[(&str, &[&str], &str)] = &[
    ("private key block", &["private key"], r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----(.*?)(?:-----END|\z)"),
    ("GitHub token", &["gho_", "ghp_", "ghu_", "ghs_", "ghr_"], r"\bgh[opusr]_([A-Za-z0-9]{20,})"),
    ("GitHub fine-grained token", &["github_pat_"], r"\bgithub_pat_([A-Za-z0-9_]{20,})"),
    (
        "GitLab token",
        &["glpat-", "gloas-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-"],
        r"\bgl(?:pat|oas|dt|rt|cbt|ptt|ft|soat)-([A-Za-z0-9_-]{16,})",
    ),
    ("model provider key", &["sk-"], r"\bsk-([A-Za-z0-9_-]{20,})"),
    ("Stripe key", &["_live_", "_test_"], r"\b[srw]h?k?(?:ec)?_(?:live|test)_([A-Za-z0-9]{10,})"),
    ("AWS key id", &["akia", "asia"], r"\b(?:AKIA|ASIA)([A-Z0-9]{16})\b"),
    ("Slack token", &["xox", "xapp-"], r"\bx(?:ox[a-z]|app)-([A-Za-z0-9-]{10,})"),
    ("Slack webhook", &["hooks.slack.com"], r"hooks\.slack\.com/services/([A-Za-z0-9/]+)"),
    ("Google key", &["aiza"], r"\bAIza([A-Za-z0-9_-]{30,})"),
    ("Google access token", &["ya29."], r"\bya29\.([A-Za-z0-9_-]{20,})"),
    ("npm token", &["npm_"], r"\bnpm_([A-Za-z0-9]{30,})"),
    ("PyPI token", &["pypi-"], r"\bpypi-([A-Za-z0-9_-]{40,})"),
    ("Hugging Face token", &["hf_"], r"\bhf_([A-Za-z0-9]{30,})"),
    ("SendGrid key", &["sg."], r"\bSG\.([A-Za-z0-9_.-]{20,})"),
    ("DigitalOcean token", &["_v1_"], r"\bdo[opr]_v1_([a-f0-9]{32,})"),
    ("JSON web token", &["eyj"], r"\beyJ([A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?)"),
    (
        "authorization header",
        &["authorization"],
        r#"(?i)\bauthorization["']?\s*[:=]\s*["']?((?:(?:bearer|basic|token|digest)\s+)?[^\s"']+)"#,
    ),
    ("bearer token", &["bearer"], r"(?i)\bbearer\s+([A-Za-z0-9._~+/=-]{16,})"),
    ("assignment", NAMED, concat!(r#"(?i)\b[a-z0-9_.-]*"#, names!(), r#"["']?\s*=\s*"#, value!())),
    (
        "field",
        NAMED,
        concat!(
            r#"(?i)\b[a-z0-9_.-]*"#,
            names!(),
            r#"\\?["']?\s*:\s*(\\?"[^"\n]+"|'[^'\n]+'|[^\s"'{\[,$]{6,})"#
        ),
    ),
    ("flag", NAMED, concat!(r#"(?i)(?:^|\s)--[a-z0-9_-]*"#, names!(), r"\s+", value!())),
    ("user in a URL", &["://"], r"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/@:]*:([^\s/@]+)@"),
    ("user flag", &["-u"], r#"(?:^|\s)(?:-u|--user)[\s=]+["']?[^\s"':]+:([^\s"']+)"#),
];

/// A pattern that does not compile would hide nothing; a test holds that there is none.
static COMPILED: [OnceLock<Option<Regex>>; SHAPES.len()] = [const { OnceLock::new() }; SHAPES.len()];

/// The expressions that can match somewhere in `text`.
fn candidates(text: &str) -> impl Iterator<Item = &'static Regex> {
    let lower = text.to_ascii_lowercase();
    // The two characters beyond ASCII that `(?i)` takes for letters of ASCII.
    let folds = text.contains(['\u{17f}', '\u{212a}']);
    SHAPES
        .iter()
        .zip(&COMPILED)
        .filter(move |((_, needles, _), _)| folds || needles.iter().any(|needle| lower.contains(needle)))
        .filter_map(|((_, _, pattern), compiled)| compiled.get_or_init(|| Regex::new(pattern).ok()).as_ref())
}

/// What stands in a secret's stead.
pub(crate) const REDACTED: &str = "[redacted]";

/// The text without what looks like a secret; none when nothing does.
pub(crate) fn mask(text: &str) -> Option<String> {
    let mut secrets: Vec<Range<usize>> = candidates(text)
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
        for (name, needles, pattern) in SHAPES {
            assert_eq!(Regex::new(pattern).unwrap().captures_len(), 2, "{name}");
            assert!(!needles.is_empty(), "{name}");
            assert!(needles.iter().all(|needle| *needle == needle.to_ascii_lowercase()), "{name}");
        }
    }

    /// One text for each branch of each shape: what the second column leaves out would be missed.
    #[test]
    fn nothing_that_matches_lacks_what_the_table_says_it_has() {
        let long = "Ab1".repeat(16);
        let mut texts: Vec<String> = [
            "gho_",
            "ghp_",
            "ghu_",
            "ghs_",
            "ghr_",
            "github_pat_",
            "glpat-",
            "gloas-",
            "gldt-",
            "glrt-",
            "glcbt-",
            "glptt-",
            "glft-",
            "glsoat-",
            "sk-",
            "sk_live_",
            "rk_test_",
            "xoxb-",
            "xapp-",
            "hooks.slack.com/services/",
            "AIza",
            "ya29.",
            "npm_",
            "pypi-",
            "hf_",
            "SG.",
            "Authorization: ",
            "BEARER ",
            "curl -u me:",
            "curl --user=me:",
        ]
        .iter()
        .map(|start| format!("{start}{long}"))
        .collect();
        for name in [
            "PASSWORD",
            "passwd",
            "Passphrase",
            "client_secret",
            "TOKEN2",
            "credential",
            "credentials",
            "apikey",
            "API_KEY",
            "api-key",
            "accesskey",
            "access_key",
            "private-key",
            "signing_key",
        ] {
            texts.extend([format!("{name}={long}"), format!("{name}: {long}"), format!("x --{name} {long}")]);
        }
        let hex = "0a".repeat(20);
        texts.extend(["doo", "dop", "dor"].map(|start| format!("{start}_v1_{hex}")));
        texts.extend(["AKIA", "ASIA"].map(|start| format!("{start}{}", "A1".repeat(8))));
        texts.push(format!("eyJ{long}.{long}"));
        texts.push("https://me:word@example.org/".to_owned());
        texts.push(["-----BEGIN PRIVATE", " KEY-----abc"].concat());
        texts.push(format!("to\u{212a}en={long}"));
        texts.push(format!("\u{17f}ecret={long}"));
        let mut met = vec![false; SHAPES.len()];
        for text in &texts {
            let matching: Vec<usize> = (0..SHAPES.len())
                .filter(|index| Regex::new(SHAPES[*index].2).unwrap().is_match(text))
                .collect();
            assert!(!matching.is_empty(), "{text}");
            let found: Vec<&str> =
                candidates(text).filter(|regex| regex.is_match(text)).map(Regex::as_str).collect();
            let expected: Vec<&str> = matching.iter().map(|index| SHAPES[*index].2).collect();
            assert_eq!(found, expected, "{text}");
            for index in matching {
                met[index] = true;
            }
        }
        for (met, (name, _, _)) in met.iter().zip(SHAPES) {
            assert!(met, "no text for {name}");
        }
    }
}

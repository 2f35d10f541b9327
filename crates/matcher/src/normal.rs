//! Normal forms and equivalence of rules, and lists of rules in flags.

use portcullis_shell_analysis as shell;
use portcullis_tool_names::{Aliases, Family, Tool};

use crate::ListKind;
use crate::command::{base_name, without_global_options};
use crate::rule_text::{self, Halves, RuleListError, halves};

/// The normal form of a rule text: the tool's canonical name, a command unwrapped and quoted minimally, a
/// path with `/` as its separator. A text that is no rule comes back trimmed.
///
/// ```
/// use portcullis_matcher::normalize_rule;
/// assert_eq!(normalize_rule(" read_file(src\\a\\**) "), "Read(src/a/**)");
/// assert_eq!(normalize_rule("shell( git status )"), "Bash(git status)");
/// ```
#[must_use]
pub fn normalize_rule(rule: &str) -> String {
    let (name, payload) = match halves(rule) {
        Halves::Name(name) => (name, None),
        Halves::Both(name, payload) => (name, Some(payload)),
        Halves::Broken => return rule.trim().to_owned(),
    };
    let tool = Aliases::standard().canonical(name);
    let name = tool.map_or(name, |tool| tool.as_str());
    let Some(payload) = payload else { return name.to_owned() };
    match tool.map(Tool::family) {
        Some(Family::Shell) if is_plain(payload) => format!("{name}({payload})"),
        Some(Family::Shell) => format!("{name}({})", shell::normalize(payload)),
        Some(Family::File) => format!("{name}({})", canonical_path_like(payload)),
        _ => format!("{name}({})", payload.trim()),
    }
}

/// Whether two rules of one list mean the same. In the lists that restrict, `git -C /x status` and `git
/// status` are one rule; in allow they are not, so that no stored rule is wider than the approved call.
///
/// ```
/// use portcullis_matcher::{ListKind, equivalent};
/// assert!(equivalent("shell(ls)", "Bash( ls )", ListKind::Allow));
/// assert!(!equivalent("Bash(git -C /x status)", "Bash(git status)", ListKind::Allow));
/// ```
#[must_use]
pub fn equivalent(left: &str, right: &str, list: ListKind) -> bool {
    equivalence_key(left, list) == equivalence_key(right, list)
}

/// A text that is the same for [`equivalent`] rules and for no others: for finding them among many.
#[must_use]
pub fn equivalence_key(rule: &str, list: ListKind) -> String {
    let normal = normalize_rule(rule);
    if list == ListKind::Allow { normal } else { skip_git_options(&normal) }
}

/// First words behind which a command stands, or that are no program: all that a shell unwraps or reads by itself.
const SPECIAL: [&str; 23] = [
    "bash", "sh", "dash", "zsh", "ksh", "env", "case", "coproc", "do", "done", "elif", "else", "esac", "fi",
    "for", "function", "if", "in", "select", "then", "time", "until", "while",
];

/// Whether a payload is its own normal form, seen without parsing it: most are words that need no quotes, and there may
/// be very many.
pub(crate) fn is_plain(payload: &str) -> bool {
    let text = payload.strip_suffix(":*").unwrap_or(payload);
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_./:@+-".contains(byte);
    let Some(program) = text.split(' ').next() else { return false };
    text.split(' ').all(|word| !word.is_empty() && word.as_bytes().iter().all(plain))
        && !SPECIAL.contains(&base_name(program))
}

/// A normal form without git's global options.
fn skip_git_options(rule: &str) -> String {
    let Halves::Both("Bash", payload) = halves(rule) else { return rule.to_owned() };
    let (text, suffix) = payload.strip_suffix(":*").map_or((payload, ""), |text| (text, ":*"));
    // In a normal form the name stands as it is.
    if !text.starts_with("git") {
        return rule.to_owned();
    }
    let Some(words) =
        shell::split_words(text).filter(|words| words.first().is_some_and(|word| word == "git"))
    else {
        return rule.to_owned();
    };
    format!("Bash({}{suffix})", shell::join_words(&without_global_options(&words)))
}

/// `\` to `/`, trimmed, drive letter upper-cased, slashes before a drive letter removed.
#[must_use]
pub fn canonical_path_like(path: &str) -> String {
    let path = path.trim().replace('\\', "/");
    let bare = path.trim_start_matches('/');
    let mut chars = bare.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some(drive), Some(':'), None | Some('/')) if drive.is_ascii_alphabetic() => {
            let mut out = String::from(drive.to_ascii_uppercase());
            out.extend(bare.chars().skip(1));
            out
        }
        _ => path,
    }
}

/// Splits the value of `--allowed-tools` where rules end: outside parentheses, at commas or blanks; bare shell tools
/// become `Bash(:*)`, bare file tools `NAME(**)`.
///
/// ```
/// use portcullis_matcher::parse_tool_list;
/// assert_eq!(parse_tool_list("shell, Read(a,b) Task").unwrap(), ["Bash(:*)", "Read(a,b)", "Task"]);
/// assert!(parse_tool_list("Read(a,Bash(git push:*)").is_err());
/// ```
///
/// # Errors
/// A part that is no rule, such as one whose parentheses do not fit.
pub fn parse_tool_list(value: &str) -> Result<Vec<String>, RuleListError> {
    let rules = rule_text::split(value)?.into_iter();
    let normal = rules.map(|rule| normalize_rule(&rule)).map(|rule| {
        match Aliases::standard().canonical(&rule).map(Tool::family) {
            Some(Family::Shell) => format!("{rule}(:*)"),
            Some(Family::File) => format!("{rule}(**)"),
            _ => rule,
        }
    });
    Ok(normal.collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_plain_is_its_own_normal_form(
            words in prop::collection::vec(
                prop_oneof![
                    prop::sample::select(SPECIAL.to_vec()).prop_map(str::to_owned),
                    prop::sample::select(vec!["git", "-C", "x", "/bin/bash", "-c", "env", "ls", "2", ".", "-", ":", "cd"])
                        .prop_map(str::to_owned),
                    "[a-z0-9_./:@+-]{0,4}",
                    "[ -~]{0,3}",
                ],
                0..4,
            ),
            suffix in prop::sample::select(vec!["", ":*"]),
        ) {
            let payload = words.join(" ") + suffix;
            if is_plain(&payload) {
                prop_assert_eq!(shell::normalize(&payload), payload.clone());
                let text = payload.strip_suffix(":*").unwrap_or(&payload);
                prop_assert_eq!(shell::unwrap_pattern(text), text);
                let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
                prop_assert_eq!(shell::split_words(text), Some(words));
            }
        }

        #[test]
        fn a_normal_form_begins_with_git_as_it_is(quotes in "['\"\\\\]{0,2}", rest in "[ -~]{0,6}") {
            let normal = shell::normalize(&format!("g{quotes}it{quotes} {rest}"));
            let text = normal.strip_suffix(":*").unwrap_or(&normal);
            let is_git = shell::split_words(text).is_some_and(|words| words.first().is_some_and(|word| word == "git"));
            prop_assert!(!is_git || text.starts_with("git"), "{normal}");
        }
    }
}

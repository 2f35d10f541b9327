//! Payloads that do not say what their author seems to mean: of another rule language, several patterns in one, or
//! with a mark of another kind of rule.

use portcullis_tool_names::Family;

use crate::{RuleObject, lookalike};

/// What is wrong, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// No call is ever like this: a rule that restricts would stop nothing.
    Nothing(String),
    /// A call may be like this, but hardly one that was meant.
    Hardly(String),
}

/// Names of fields that stand in front of a payload elsewhere.
const FIELDS: [&str; 12] = [
    "command",
    "cmd",
    "program",
    "prefix",
    "path",
    "file",
    "file_path",
    "dir",
    "glob",
    "pattern",
    "regex",
    "subagent_type",
];

/// What is wrong with a payload of a tool of this family; `None` for one that is as payloads are.
pub(crate) fn of(family: Family, payload: &str) -> Option<Doubt> {
    let doubt = match family {
        Family::Shell => command(payload),
        Family::File => path(payload),
        _ => name(payload),
    };
    doubt.or_else(|| lookalike::of(payload, family == Family::File).map(Doubt::Hardly))
}

/// What is wrong with a rule object: a regular expression where a pattern is meant, or one as JavaScript writes them.
/// `shell`: it is about commands alone.
pub(crate) fn of_object(object: &RuleObject, shell: bool) -> Option<String> {
    if let Some(pattern) = &object.pattern {
        // `rm a.*` is a pattern, `rm.*` hardly.
        let program = pattern.split_whitespace().next().unwrap_or_default();
        let dots = program
            .split_once(".*")
            .is_some_and(|(before, _)| !before.ends_with(|c: char| c.is_ascii_digit() || c == '*'));
        if pattern.starts_with('^') || pattern.starts_with(".*") || shell && dots {
            return Some(format!("`{pattern}` is a regular expression: write `regex` for `pattern`"));
        }
    }
    let regex = object.regex.as_deref()?;
    let inner = slashed(regex)?;
    Some(format!(
        "the slashes are a part of it, and what stands behind them: write `{inner}`, with `(?i)` in front for any case"
    ))
}

/// What stands between the slashes of `/.../i`; nothing for what may be a piece of a path.
fn slashed(regex: &str) -> Option<&str> {
    let (inner, flags) = regex.strip_prefix('/')?.rsplit_once('/')?;
    let known = flags.chars().all(|flag| "dgimsuvy".contains(flag));
    let anchored = inner.starts_with('^') || inner.ends_with('$');
    let told = anchored || !inner.contains('/') && flags.len() < 3 && flags.contains(['i', 'g']);
    (known && told && !inner.is_empty()).then_some(inner)
}

fn command(payload: &str) -> Option<Doubt> {
    let text = payload.strip_suffix(":*").unwrap_or(payload);
    if let Some(once) = text.strip_suffix(":*") {
        return nothing(format!("`:*` stands there twice: write `Bash({once}:*)`"));
    }
    if text.contains(['\'', '"', '`']) {
        return None;
    }
    let program = text.split_whitespace().next()?;
    if let Some(rest) = field(program) {
        return nothing(format!("no program is called `{program}`: write `Bash({rest}:*)`"));
    }
    if let Some(rest) = program.strip_prefix('^') {
        return nothing(format!(
            "no program is called `{program}`: write `Bash({rest}:*)`, or an object with `regex`"
        ));
    }
    if program.starts_with('{') && program.contains(',') && program.ends_with('}') {
        return nothing(format!(
            "`{program}` is no program, nothing is expanded in rules: write one for each"
        ));
    }
    if program.contains(',') && !program.contains(['{', '=', '/', '(']) && !text.contains(":*,") {
        return hardly(format!("the comma is a part of the program `{program}`: write one rule for each"));
    }
    let regex = ["\\b", "\\s", "\\w", "\\d", "\\S"].into_iter().find(|mark| text.contains(mark));
    // `python3.*` is every one of them.
    let dots =
        program.split_once(".*").is_some_and(|(before, _)| !before.ends_with(|c: char| c.is_ascii_digit()));
    let regex = regex.or_else(|| dots.then_some(".*"));
    if let Some(mark) = regex {
        return hardly(format!("`{mark}` is of a regular expression: write an object with `regex`"));
    }
    if joined(text) {
        return hardly("`|` makes it one pipeline, not several commands: write one rule for each".to_owned());
    }
    if braces(text) {
        return hardly("nothing in braces is expanded in rules: write one rule for each".to_owned());
    }
    if let Some(words) = payload.strip_suffix(": *").filter(|words| !words.is_empty()) {
        return hardly(format!("the blank parts `:` from `*`: write `Bash({words}:*)`"));
    }
    let (before, behind) = program.split_once(':')?;
    let place = before.is_empty() || before.contains(['/', '=', '$', '*']) || behind.starts_with(['/', '\\']);
    if place {
        return None;
    }
    hardly(format!("the colon is a part of the program `{program}`: write `Bash({before} {behind})`"))
}

fn path(payload: &str) -> Option<Doubt> {
    if let Some((_, below)) = payload.split_once("://") {
        let below = below.trim_start_matches('/');
        return nothing(format!("an address is no path: write `//{below}` for a file from the root"));
    }
    if payload.starts_with("file:/") {
        return nothing("an address is no path: write `//` and the absolute path".to_owned());
    }
    if let Some(words) = payload.strip_suffix(":*") {
        return hardly(format!("`:*` is of rules for commands: write `{words}`, or `{words}/**`"));
    }
    if let Some(rest) = field(payload) {
        return hardly(format!("it is about a file whose name begins so: write `{rest}`"));
    }
    if ["@(", "!(", "+(", "?(", "*("].into_iter().any(|mark| payload.contains(mark)) && payload.contains('|')
        || payload.contains("@(")
    {
        return hardly("parentheses stand for themselves: write `{a,b}` for one of several".to_owned());
    }
    if payload.contains('|') {
        return hardly("`|` is a part of the name: write one rule for each, or `{a,b}`".to_owned());
    }
    if payload.starts_with('^') {
        return hardly("`^` is a part of the name: write the glob alone".to_owned());
    }
    outside_braces(payload, ',').then(|| {
        Doubt::Hardly("the comma is a part of the name: write one rule for each, or `{a,b}`".to_owned())
    })
}

fn name(payload: &str) -> Option<Doubt> {
    if let Some(rest) = field(payload).or_else(|| payload.strip_prefix("name:")) {
        return hardly(format!("it is about a name that begins so: write `{rest}`"));
    }
    payload
        .contains([',', '|'])
        .then(|| Doubt::Hardly("a rule holds one name: write one rule for each".to_owned()))
}

#[allow(clippy::unnecessary_wraps, reason = "as the functions around it")]
const fn nothing(said: String) -> Option<Doubt> {
    Some(Doubt::Nothing(said))
}

#[allow(clippy::unnecessary_wraps, reason = "as the functions around it")]
const fn hardly(said: String) -> Option<Doubt> {
    Some(Doubt::Hardly(said))
}

/// What stands behind the name of a field.
fn field(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once(':')?;
    (FIELDS.contains(&name) && !rest.is_empty() && !rest.starts_with('*')).then_some(rest)
}

/// Whether a bar stands between two words without a blank, as between names.
fn joined(text: &str) -> bool {
    let mut parts = text.split('|').peekable();
    let mut before: Option<char> = None;
    while let Some(part) = parts.next() {
        let first = part.chars().next();
        if before.is_some_and(char::is_alphanumeric) && first.is_some_and(char::is_alphanumeric) {
            return true;
        }
        before = part.chars().last();
        if parts.peek().is_none() {
            break;
        }
    }
    false
}

/// Whether a word holds `{a,b}`.
fn braces(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        word.split('{').skip(1).any(|rest| rest.split_once('}').is_some_and(|(inner, _)| inner.contains(',')))
    })
}

fn outside_braces(text: &str, mark: char) -> bool {
    let mut depth = 0_usize;
    text.chars().any(|char| {
        match char {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        char == mark && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_that_cannot_be_meant_are_told() {
        let (shell, file, agent) = (Family::Shell, Family::File, Family::Agent);
        for (family, payload) in [
            (shell, "rm:*:*"),
            (shell, "command:rm"),
            (shell, "^rm"),
            (shell, "{rm,mv}:*"),
            (file, "file:///x"),
            (file, "file:/x"),
            (file, "https://x/y"),
        ] {
            assert!(matches!(of(family, payload), Some(Doubt::Nothing(_))), "{payload}");
        }
        for (family, payload) in [
            (shell, "rm|mv"),
            (shell, "rm,mv"),
            (shell, "rm, mv:*"),
            (shell, "rm\u{a0}*"),
            (file, "“secrets/k”"),
            (agent, "re\u{200b}view"),
            (shell, "git (push|pull).*|x"),
            (shell, "git push: *"),
            (shell, "git:push"),
            (shell, r"git\s+push"),
            (shell, "git.*"),
            (shell, "git {push,pull}:*"),
            (file, "path:x"),
            (file, "secret/k:*"),
            (file, "a,b"),
            (file, "a/@(k)"),
            (file, "a/!(k|l)"),
            (file, "a|b"),
            (agent, "a,b"),
            (agent, "subagent_type:a"),
        ] {
            assert!(matches!(of(family, payload), Some(Doubt::Hardly(_))), "{payload}");
        }
    }

    #[test]
    fn objects_in_another_language_are_told() {
        let object = |pattern: Option<&str>, regex: Option<&str>| RuleObject {
            pattern: pattern.map(str::to_owned),
            regex: regex.map(str::to_owned),
            tools: vec!["Bash".to_owned()],
        };
        for (text, shell, told) in [
            ("^rm.*", true, true),
            ("rm.*", true, true),
            (".*/k", false, true),
            ("rm a.*", true, false),
            ("python3.*", true, false),
            ("*.*", true, false),
            ("*/k.*", false, false),
        ] {
            assert_eq!(of_object(&object(Some(text), None), shell).is_some(), told, "{text}");
        }
        for (text, told) in [
            ("/^rm/", true),
            ("/^rm/i", true),
            ("/rm -rf$/", true),
            ("/push/gi", true),
            ("^rm", false),
            ("/etc/", false),
            ("/etc/passwd", false),
            ("/srv/a/i", false),
            ("//", false),
            ("/", false),
        ] {
            assert_eq!(of_object(&object(None, Some(text)), true).is_some(), told, "{text}");
        }
    }

    #[test]
    fn payloads_that_are_meant_are_left_alone() {
        let (shell, file, agent) = (Family::Shell, Family::File, Family::Agent);
        for (family, payload) in [
            (shell, "git push:*"),
            (shell, "git push *"),
            (shell, "*"),
            (shell, ":*"),
            (shell, "cat x | grep y"),
            (shell, "npm run test:unit"),
            (shell, "npm run test:unit:*"),
            (shell, "A=b:c make"),
            (shell, "curl https://a.example/x"),
            (shell, "awk '{print $1,$2}' x"),
            (shell, "{ ls; }"),
            (shell, "rm *.o"),
            (shell, "python3.*"),
            (shell, "/opt/x:y/bin/z"),
            (file, "src/**"),
            (file, "{a,b}/**"),
            (file, "//srv/x"),
            (file, "~/x"),
            (file, r"C:\x\**"),
            (file, "a (1).txt"),
            (file, "app/(group)/**"),
            (file, "[a,b]"),
            (agent, "review"),
            (agent, "rev*"),
            (agent, "plugin:deploy"),
            (agent, "run *"),
        ] {
            assert_eq!(of(family, payload), None, "{payload}");
        }
    }
}

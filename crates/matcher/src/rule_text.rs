//! Where a rule begins and ends: a text taken apart into tool and payload, several rules in one text, quotes around a
//! payload.

use portcullis_shell_analysis as shell;
use portcullis_tool_names::{Aliases, Family, Tool};

/// A rule text taken apart.
pub(crate) enum Halves<'a> {
    /// A tool alone.
    Name(&'a str),
    /// Tool and payload.
    Both(&'a str, &'a str),
    /// Parentheses that do not fit, or no tool.
    Broken,
}

/// Takes a rule text apart at its first `(` and its final `)`.
pub(crate) fn halves(rule: &str) -> Halves<'_> {
    let rule = rule.trim();
    match rule.split_once('(') {
        None if rule.is_empty() || rule.contains(')') => Halves::Broken,
        None => Halves::Name(rule),
        Some((name, rest)) => match rest.strip_suffix(')') {
            Some(payload) if !name.trim().is_empty() => Halves::Both(name.trim(), payload),
            _ => Halves::Broken,
        },
    }
}

/// What is wrong with a text that [`halves`] calls broken.
pub(crate) fn broken(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        "the rule is empty: write `Tool` or `Tool(payload)`".to_owned()
    } else if text.starts_with('(') {
        "the tool name is missing: write `Tool(payload)`".to_owned()
    } else if let Some(wrong) = quoted(text) {
        wrong
    } else {
        several(text)
            .unwrap_or_else(|| "the parentheses do not fit: write `Tool` or `Tool(payload)`".to_owned())
    }
}

/// What is wrong with a rule in quotes.
fn quoted(text: &str) -> Option<String> {
    unquoted(text).map(|inner| format!("quotes stand around the rule: write `{inner}`"))
}

/// What is wrong with a name that holds what no tool's name does, because it is no name.
pub(crate) fn no_name(name: &str) -> Option<String> {
    let wrong = strange(name)?;
    Some(several(name).unwrap_or(wrong))
}

fn strange(name: &str) -> Option<String> {
    if name.contains(char::is_whitespace) {
        return Some(format!("`{name}` is no tool name: write the payload in parentheses"));
    }
    if let Some(strange) = name.chars().find(|char| ",;\"'`)".contains(*char)) {
        return Some(format!(
            "`{name}` is no tool name: remove `{strange}`, or write one text for each rule"
        ));
    }
    if let Some(strange) = name.chars().find(|char| ":[]{}<>|&=\\?!^$#%+".contains(*char)) {
        return Some(format!(
            "`{name}` is no tool name, `{strange}` stands in none: write `Tool` or `Tool(payload)`"
        ));
    }
    if !name.chars().all(|char| char.is_ascii_graphic() || char.is_alphanumeric()) {
        return Some(format!(
            "`{}` is no tool name: it holds letters that cannot be seen",
            name.escape_debug()
        ));
    }
    no_server(name)
}

/// What is wrong with the name of a tool of a server that is not written as such.
fn no_server(name: &str) -> Option<String> {
    let (start, rest) = name.split_at_checked("mcp__".len())?;
    if !start.eq_ignore_ascii_case("mcp__") {
        return None;
    }
    let (server, tool) = rest.split_once("__").map_or((rest, None), |(server, tool)| (server, Some(tool)));
    if server.is_empty() {
        return Some(format!("`{name}` names no server: write `mcp__SERVER`, or `mcp__*` for all of them"));
    }
    if tool == Some("") {
        return Some(format!(
            "`{name}` names no tool: write `mcp__{server}` or `mcp__{server}__*` for all of the server's"
        ));
    }
    (start != "mcp__").then(|| format!("no tool is called `{name}`: write `mcp__{rest}`"))
}

/// What is wrong with a payload that ends before its text does: its parentheses do not fit, and it is no command that
/// the shell would read so all the same (`case x in a) b;; esac`).
pub(crate) fn ends_early(text: &str, tool: Option<Tool>, payload: &str) -> Option<String> {
    if is_balanced(payload) || (is_shell(tool) && is_command(payload)) {
        return None;
    }
    Some(several(text).unwrap_or_else(|| {
        let alone = match tool.map(Tool::family) {
            Some(Family::Shell) => "quote one that stands alone, as the shell wants it",
            Some(Family::File) => "write one that stands alone as `[(]` or `[)]`",
            _ => "remove the one too many",
        };
        format!("the parentheses in the payload do not fit: {alone}")
    }))
}

/// What is wrong with a text that is several rules.
fn several(text: &str) -> Option<String> {
    let rules = split(text).ok().filter(|rules| rules.len() > 1)?;
    let rules: Vec<String> = rules.iter().map(|rule| format!("`{rule}`")).collect();
    Some(format!("{} rules stand in one text: write one for each: {}", rules.len(), rules.join(", ")))
}

fn is_shell(tool: Option<Tool>) -> bool {
    tool.is_some_and(|tool| tool.family() == Family::Shell)
}

/// Whether the shell reads a payload without its `:*` as a whole text.
fn is_command(payload: &str) -> bool {
    shell::parse(payload.strip_suffix(":*").unwrap_or(payload)).is_ok()
}

/// Whether every parenthesis has its other one. `[(]` in a glob stands for itself.
fn is_balanced(payload: &str) -> bool {
    let mut depth = 0_usize;
    let mut before = None;
    let mut rest = payload.chars().peekable();
    while let Some(char) = rest.next() {
        let alone = before == Some('[') && rest.peek() == Some(&']');
        match char {
            '(' if !alone => depth += 1,
            ')' if !alone => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return false,
            },
            _ => {}
        }
        before = Some(char);
    }
    depth == 0
}

/// What stands in quotes that are around the whole of a text, and nowhere in it.
pub(crate) fn unquoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|char| matches!(char, '"' | '\'' | '`'))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?.trim();
    (!inner.is_empty() && !inner.contains(quote)).then_some(inner)
}

/// A list of rules that cannot be taken apart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{part}` is no rule: {message}")]
pub struct RuleListError {
    /// What of the list is wrong.
    pub part: String,
    /// Why, and what to write instead.
    pub message: String,
}

/// How many places are tried as the end of one rule of a list.
const MAX_ENDS: usize = 256;

/// Takes a list of rules apart where rules end: outside parentheses, at commas or blanks.
///
/// # Errors
/// A part that is no rule: parentheses that do not fit, quotes, or a word between blanks that is no tool known (in
/// `Bash git push` a payload lost its parentheses, and the first word would be every command).
pub(crate) fn split(list: &str) -> Result<Vec<String>, RuleListError> {
    match parts(list) {
        Ok(rules) => Ok(rules),
        // One rule whose payload looks like several.
        Err(error) => match halves(list) {
            Halves::Both(name, payload)
                if strange(name).is_none() && is_shell(canonical(name)) && is_command(payload) =>
            {
                Ok(vec![list.trim().to_owned()])
            }
            _ => Err(error),
        },
    }
}

fn parts(list: &str) -> Result<Vec<String>, RuleListError> {
    let mut rules: Vec<String> = Vec::new();
    let mut blanks_alone = false;
    let mut rest = list.trim_start_matches(is_border);
    while !rest.is_empty() {
        let (rule, behind) = first(rest)?;
        let next = behind.trim_start_matches(is_border);
        let border = behind.get(..behind.len() - next.len()).unwrap_or_default();
        blanks_alone |= !next.is_empty() && !border.contains(',');
        rules.push(rule.to_owned());
        rest = next;
    }
    let unknown = rules.iter().find(|rule| !rule.contains('(') && !is_known(rule));
    match unknown.filter(|_| blanks_alone) {
        Some(rule) => Err(RuleListError {
            part: rule.clone(),
            message:
                "no tool with this name is known: write a payload in parentheses, and a comma between rules"
                    .to_owned(),
        }),
        None => Ok(rules),
    }
}

/// The first rule of a list, and what stands behind it.
fn first(list: &str) -> Result<(&str, &str), RuleListError> {
    let wrong = |part: &str, message: String| RuleListError { part: part.trim().to_owned(), message };
    let end = list.find(|char| is_border(char) || char == '(').unwrap_or(list.len());
    let (name, behind) = list.split_at_checked(end).unwrap_or((list, ""));
    if let Some(message) = strange(name) {
        return Err(wrong(list, quoted(list.trim()).unwrap_or(message)));
    }
    if !behind.trim_start().starts_with('(') {
        return Ok((name, behind));
    }
    if name.is_empty() {
        return Err(wrong(list, "the tool name is missing: write `Tool(payload)`".to_owned()));
    }
    let tool = canonical(name);
    let ends = list.match_indices(')').filter_map(|(at, _)| list.split_at_checked(at + 1));
    let ends = ends.filter(|(_, behind)| behind.chars().next().is_none_or(is_border)).take(MAX_ENDS);
    for (rule, behind) in ends {
        let Halves::Both(_, payload) = halves(rule) else { continue };
        // A border in quotes is none.
        let whole = if is_shell(tool) && payload.contains(['"', '\'']) {
            is_command(payload)
        } else {
            is_balanced(payload)
        };
        if whole || (is_shell(tool) && is_command(payload)) {
            return Ok((rule, behind));
        }
    }
    // Quotes that do not fit, where the parentheses do.
    let balanced = match halves(list) {
        Halves::Both(_, payload) => is_balanced(payload),
        _ => false,
    };
    if balanced {
        return Ok((list.trim_end(), ""));
    }
    Err(wrong(
        list,
        "the parentheses do not fit: write `Tool` or `Tool(payload)`, with commas between rules".to_owned(),
    ))
}

fn canonical(name: &str) -> Option<Tool> {
    Aliases::standard().canonical(name)
}

fn is_border(char: char) -> bool {
    char == ',' || char.is_whitespace()
}

/// A tool that agents have: one with a canonical name, one of an MCP server, or a name as agents write them.
fn is_known(name: &str) -> bool {
    name == "*"
        || canonical(name).is_some()
        || name.starts_with("mcp__")
        || (name.starts_with(|char: char| char.is_ascii_uppercase())
            && name.chars().all(|char| char.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_split_where_rules_end() {
        for (list, rules) in [
            ("", &[] as &[&str]),
            (" , ", &[]),
            ("Bash(git push:*) Read(x)", &["Bash(git push:*)", "Read(x)"]),
            ("Bash(git push:*), Read(x)", &["Bash(git push:*)", "Read(x)"]),
            ("Bash(git push:*),Read(x),", &["Bash(git push:*)", "Read(x)"]),
            ("Bash(rm:*)\nEdit Write", &["Bash(rm:*)", "Edit", "Write"]),
            ("Bash (git push:*) Read", &["Bash (git push:*)", "Read"]),
            ("TodoWrite mcp__x__y *", &["TodoWrite", "mcp__x__y", "*"]),
            ("my_tool,Read(a,b)", &["my_tool", "Read(a,b)"]),
            ("Read(a (1).txt) Read(b)", &["Read(a (1).txt)", "Read(b)"]),
            ("Read(a[(]b),Read(c)", &["Read(a[(]b)", "Read(c)"]),
            (r#"Bash(echo ")"),Read(x)"#, &[r#"Bash(echo ")")"#, "Read(x)"]),
            (r#"Bash(echo "a) , Read(x)")"#, &[r#"Bash(echo "a) , Read(x)")"#]),
            ("Bash(case x in a) b;; esac)", &["Bash(case x in a) b;; esac)"]),
            (r#"Bash(echo "*)"#, &[r#"Bash(echo "*)"#]),
        ] {
            assert_eq!(split(list).unwrap(), rules, "{list}");
        }
    }

    #[test]
    fn a_list_that_does_not_fit_is_refused() {
        for list in [
            "Read(a,Bash(git push:*)",
            "Bash(rm:*",
            "Bash(rm:*))",
            "Bash(git push:*)) ",
            "Bash),Read",
            "\"Bash(rm:*)\"",
            "'Bash(rm:*)' 'Read(x)'",
            "Bash(rm:*);Bash(git push:*)",
            "Bash git push",
            "git Bash(push)",
            "(x)",
            "Bash(rm:*)x",
            "Bash:ls",
            "Bash[ls],Read",
            "Bash|Read",
            "mcp__",
            "mcp__github__",
            "mcp____get",
            "MCP__github",
            "B\u{200b}ash",
        ] {
            let error = split(list).unwrap_err();
            assert!(!error.message.is_empty() && !error.part.is_empty(), "{list}: {error}");
        }
    }
}

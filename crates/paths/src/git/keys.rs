//! The settings that make git run a program, as data (git-config(1)).

use super::GitSetting;

/// When a setting of the table names a program.
#[derive(Clone, Copy)]
enum When {
    /// Whatever its value.
    Always,
    /// Unless it is a boolean: then git's own part is meant.
    NotBoolean,
    /// Unless it is a boolean, empty or `cat`.
    NotPlainPager,
}

/// Section, variable and condition; with or without a subsection. `*` stands for every variable.
const KEYS: &[(&str, &str, When)] = &[
    ("core", "fsmonitor", When::NotBoolean),
    ("core", "hookspath", When::Always),
    ("core", "sshcommand", When::Always),
    ("core", "gitproxy", When::Always),
    ("core", "askpass", When::Always),
    ("core", "editor", When::Always),
    ("core", "pager", When::NotPlainPager),
    ("core", "alternaterefscommand", When::Always),
    ("core", "worktree", When::Always),
    ("pager", "*", When::NotPlainPager),
    ("alias", "*", When::Always),
    ("include", "path", When::Always),
    ("includeif", "path", When::Always),
    ("diff", "external", When::Always),
    ("diff", "command", When::Always),
    ("diff", "textconv", When::Always),
    ("difftool", "cmd", When::Always),
    ("difftool", "path", When::Always),
    ("merge", "driver", When::Always),
    ("mergetool", "cmd", When::Always),
    ("mergetool", "path", When::Always),
    ("filter", "*", When::NotBoolean),
    ("gpg", "*", When::Always),
    ("credential", "helper", When::Always),
    ("interactive", "difffilter", When::Always),
    ("sequence", "editor", When::Always),
    ("browser", "*", When::Always),
    ("web", "browser", When::Always),
    ("help", "browser", When::Always),
    ("man", "*", When::Always),
    ("remote", "uploadpack", When::Always),
    ("remote", "receivepack", When::Always),
    ("remote", "vcs", When::Always),
    // Missing objects are fetched at any read: the remote's transport runs.
    ("remote", "promisor", When::Always),
    ("extensions", "partialclone", When::Always),
    ("protocol", "*", When::Always),
    ("uploadpack", "packobjectshook", When::Always),
    ("init", "templatedir", When::Always),
    ("trailer", "command", When::Always),
    ("trailer", "cmd", When::Always),
    ("tar", "command", When::Always),
    ("sendemail", "*", When::NotBoolean),
    ("imap", "tunnel", When::Always),
    ("instaweb", "*", When::Always),
    ("guitool", "cmd", When::Always),
    ("hook", "*", When::Always),
    ("lfs", "path", When::Always),
    ("lfs", "clean", When::Always),
    ("lfs", "smudge", When::Always),
];

/// Parts of variable names that speak of programs, for settings that the table does not have.
const TELLING: &[&str] = &["command", "cmd", "program", "helper", "hook", "exec", "editor", "askpass"];

/// Whether a setting makes some git command run a program, or read more settings.
///
/// ```
/// use portcullis_paths::{names_program, read_git_config};
///
/// let settings = read_git_config(b"[core]\nfsmonitor = ./watch\nbare = false\n")?;
/// assert!(names_program(&settings[0]) && !names_program(&settings[1]));
/// # Ok::<(), portcullis_paths::GitConfigError>(())
/// ```
#[must_use]
pub fn names_program(setting: &GitSetting) -> bool {
    let value = setting.value.as_deref();
    // `!command` (aliases, submodule.*.update) and `ext::command` (URLs, also as url.*.insteadOf).
    let runs = |text: &str| text.starts_with('!') || text.starts_with("ext::");
    if value.is_some_and(runs) || setting.subsection.as_deref().is_some_and(runs) {
        return true;
    }
    if setting.section == "url" && setting.subsection.as_deref().is_some_and(|base| HELPER.starts_with(base))
    {
        return true;
    }
    let row = KEYS
        .iter()
        .find(|(section, name, _)| *section == setting.section && (*name == "*" || *name == setting.name));
    match row {
        Some((_, _, When::Always)) => true,
        Some((_, _, When::NotBoolean)) => !is_boolean(value),
        Some((_, _, When::NotPlainPager)) => !is_boolean(value) && value != Some("cat"),
        None => TELLING.iter().any(|part| setting.name.contains(part)),
    }
}

/// What an address begins with whose rest is a command (git-remote-ext(1)). Where `url.BASE.insteadOf` puts a piece of it in
/// front of an address, the rest may stand in that.
const HELPER: &str = "ext::";

/// What git reads as true or false: no value at all, words and numbers.
fn is_boolean(value: Option<&str>) -> bool {
    let Some(value) = value else { return true };
    let words = ["", "true", "yes", "on", "false", "no", "off"];
    words.iter().any(|word| value.eq_ignore_ascii_case(word))
        || !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit())
}

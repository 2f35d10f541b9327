//! Which variables change the meaning of what runs later.

use crate::name_set::{NameSet, letters};

/// Variables that may be set for a program without changing what it does.
static HARMLESS: NameSet = NameSet::new(&[
    "LANG",
    "LANGUAGE",
    "TZ",
    "TERM",
    "COLUMNS",
    "LINES",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "CI",
    "DEBUG",
    "RUST_LOG",
    "RUST_BACKTRACE",
    "NODE_ENV",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHASHSEED",
    "GOOS",
    "GOARCH",
    "CGO_ENABLED",
    "CARGO_TERM_COLOR",
]);

/// Those whose value is the name of a file, or becomes a part of one (`LANGUAGE=../x` has messages read from there).
static IN_PATHS: NameSet = NameSet::new(&["LANG", "LANGUAGE", "TZ", "TERM", "NODE_ENV", "GOOS", "GOARCH"]);

/// Pairs that are harmless with this value only.
const HARMLESS_PAIRS: &[(&str, &str)] =
    &[("GIT_PAGER", "cat"), ("PAGER", "cat"), ("GIT_TERMINAL_PROMPT", "0"), ("GIT_OPTIONAL_LOCKS", "0")];

/// Shell variables after which the text itself means something else.
static MEANING: NameSet = NameSet::new(&[
    "PATH",
    "IFS",
    "CDPATH",
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "PROMPT_COMMAND",
    "PS4",
    "GLOBIGNORE",
    "EXECIGNORE",
    "POSIXLY_CORRECT",
    "HOME",
    "PWD",
    "OLDPWD",
    "BASH_ALIASES",
    "BASH_CMDS",
    "FUNCNEST",
    "BASH_COMPAT",
    "OPTIND",
    "TIMEFORMAT",
    "TMPDIR",
    // Translations of `$"..."` are expanded (bash manual 3.1.2.5).
    "TEXTDOMAIN",
    "TEXTDOMAINDIR",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "LD_AUDIT",
]);

/// Names that programs obey when they are in the environment, by their parts.
const OBEYED: &[&str] = &[
    "PATH", "LD_", "DYLD_", "BASH", "PROMPT", "SHELL", "EDITOR", "VISUAL", "PAGER", "GIT_", "OPTIONS",
    "OPTS", "OPT", "PYTHON", "PERL", "RUBY", "NODE_", "LESS", "RIPGREP", "GREP", "TAR_", "XDG_", "TMP",
    "PROXY", "proxy", "HIST", "CONFIG", "config", "_HOME", "COMMAND", "GH_", "GITHUB", "MAIL", "INPUTRC",
    "SSH", "FORMAT", "ZDOTDIR", "BROWSER", "MAN", "JAVA", "CARGO", "RUST", "NPM", "npm_", "DOCKER", "KUBE",
    "AWS", "GOFLAGS", "GOPROXY", "MAKE", "CC", "CXX", "LESSOPEN", "COMP_", "LC_", "LOCALE", "NLS",
    "TERMINFO", "TZDIR", "MALLOC", "GLIBC", "GCONV", "SSL", "TOKEN", "KEY", "PASS", "SECRET", "JQ", "LETTA",
    "ACK", "BAT", "EXA", "EZA", "FD_", "FZF", "GREP",
];

/// The letters of each of them, since most names have not all of any.
#[allow(clippy::indexing_slicing, reason = "worked out and checked by the compiler")]
static OBEYED_LETTERS: [u64; OBEYED.len()] = {
    let mut all = [0; OBEYED.len()];
    let mut at = 0;
    while at < OBEYED.len() {
        all[at] = letters(OBEYED[at]);
        at += 1;
    }
    all
};

/// Whether setting `name` for a program is on the list of harmless assignments; without a value it is any value.
pub(crate) fn harmless_exported(name: &str, value: Option<&str>) -> bool {
    let listed = HARMLESS.contains(name) || (name.starts_with("LC_") && name.len() > 3);
    listed && (!in_paths(name) || value.is_some_and(|value| !leads_elsewhere(name, value)))
        || HARMLESS_PAIRS.iter().any(|(known, text)| *known == name && value == Some(text))
}

fn in_paths(name: &str) -> bool {
    IN_PATHS.contains(name) || name.starts_with("LC_")
}

/// Whether the value names a file outside of the directory that the variable is about. Time zones are files in
/// directories (`TZ=Europe/Rome`), or with a colon in front any file (tzset(3)).
fn leads_elsewhere(name: &str, value: &str) -> bool {
    if name != "TZ" {
        return value.contains('/');
    }
    value.trim_start_matches(':').starts_with('/') || value.split(['/', ':']).any(|part| part == "..")
}

/// Whether `name=value` as a command of its own changes nothing but a shell variable: programs see it only
/// when it was in the environment before, so names that programs obey are excluded.
pub(crate) fn harmless_local(name: &str, value: Option<&str>) -> bool {
    harmless_exported(name, value) || !(in_paths(name) || changes_meaning(name) || is_obeyed(name))
}

/// Whether programs may obey a variable of this name.
fn is_obeyed(name: &str) -> bool {
    let own = letters(name);
    OBEYED.iter().zip(&OBEYED_LETTERS).any(|(part, letters)| letters & !own == 0 && name.contains(part))
}

/// Whether the shell evaluates what the variable is set to as arithmetic, which runs the code in it:
/// `RANDOM='a[$(b)]'` runs `b` (seen in bash 5.2).
pub(crate) fn evaluates(name: &str) -> bool {
    matches!(
        name,
        "RANDOM"
            | "SRANDOM"
            | "HISTCMD"
            | "OPTIND"
            | "SECONDS"
            | "LINENO"
            | "EPOCHSECONDS"
            | "BASHPID"
            | "BASH_SUBSHELL"
    )
}

/// Whether the rest of the text may mean something else once `name` is set.
pub(crate) fn changes_meaning(name: &str) -> bool {
    MEANING.contains(name)
        || name.starts_with("BASH_")
        || name.starts_with("LD_")
        || name.starts_with("DYLD_")
}

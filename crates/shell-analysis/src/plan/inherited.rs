//! Variables that the text has from the environment: to print one is to print a piece of the environment, which may
//! hold secrets. Which of them are known to hold none is decided by their names.

use super::{Planner, State, words::is_name};
use crate::{Argument, EffectKind, Span};

/// Variables that say where and who, how things look, and what shells and tools of every day set (bash manual 5,
/// environ(7), locale(7)).
const PLAIN: &[&str] = &[
    "_",
    "APP_ENV",
    "ARCH",
    "AWS_DEFAULT_REGION",
    "AWS_PROFILE",
    "AWS_REGION",
    "BASH",
    "BASHPID",
    "BROWSER",
    "CC",
    "CFLAGS",
    "CGO_ENABLED",
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "COLUMNS",
    "CONDA_DEFAULT_ENV",
    "CONDA_PREFIX",
    "COPROC",
    "CXX",
    "CXXFLAGS",
    "DEBUG",
    "DESKTOP_SESSION",
    "DIRSTACK",
    "DISPLAY",
    "EDITOR",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "FORCE_COLOR",
    "FUNCNAME",
    "GITHUB_ACTIONS",
    "GITHUB_ACTOR",
    "GITHUB_EVENT_NAME",
    "GITHUB_REF",
    "GITHUB_REF_NAME",
    "GITHUB_REPOSITORY",
    "GITHUB_RUN_ID",
    "GITHUB_SHA",
    "GITHUB_WORKSPACE",
    "GIT_CONFIG_GLOBAL",
    "GOARCH",
    "GOBIN",
    "GOOS",
    "GOPATH",
    "GROUPS",
    "HOME",
    "HOSTNAME",
    "HOSTTYPE",
    "IFS",
    "KUBECONFIG",
    "LANG",
    "LANGUAGE",
    "LDFLAGS",
    "LINENO",
    "LINES",
    "LOGNAME",
    "MACHTYPE",
    "MAIL",
    "MAKEFLAGS",
    "MANPATH",
    "MAPFILE",
    "NODE_ENV",
    "NO_COLOR",
    "NVM_BIN",
    "OLDPWD",
    "OPTARG",
    "OPTERR",
    "OPTIND",
    "OSTYPE",
    "PAGER",
    "PATH",
    "PIPESTATUS",
    "PPID",
    "PWD",
    "PYTHONHOME",
    "PYTHONPATH",
    "RACK_ENV",
    "RAILS_ENV",
    "RANDOM",
    "REPLY",
    "RUSTFLAGS",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "SECONDS",
    "SHELL",
    "SHELLOPTS",
    "BASHOPTS",
    "SHLVL",
    "SRANDOM",
    "SSH_AUTH_SOCK",
    "SSH_TTY",
    "SUDO_USER",
    "TEMP",
    "TERM",
    "TERM_PROGRAM",
    "TMP",
    "TMPDIR",
    "TZ",
    "UID",
    "USER",
    "USERNAME",
    "VERBOSE",
    "VIRTUAL_ENV",
    "VISUAL",
    "WAYLAND_DISPLAY",
];

/// How the names of locales, of the places of XDG and of bash's own variables begin.
const PREFIXES: &[&str] = &["LC_", "XDG_", "BASH_"];

/// How names of places and versions end.
const SUFFIXES: &[&str] = &["_DIR", "_HOME", "_PATH", "_ROOT", "_VERSION"];

/// Whether the name tells that there is no secret in it. Parameters that are no names (`$1`, `$?`) come from the text,
/// and so do names of one letter.
pub(crate) fn tells_nothing(name: &str) -> bool {
    !is_name(name)
        || name.len() == 1
        || PLAIN.contains(&name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
}

impl Planner<'_> {
    /// An expansion whose value goes wherever the word goes, or a part of it.
    pub(super) fn shows_variable(&mut self, state: &State, name: &str, whole: bool, span: Span) {
        let given = || self.settings.environment.iter().any(|(known, _)| known == name);
        if !tells_nothing(name) && state.get(name).is_none_or(|binding| binding.inherited) && !given() {
            self.pend(EffectKind::Environment, span);
            self.parted |= !whole;
        }
        if name == "_" {
            // The last word of the command before (bash manual 5.2), which may be a test.
            self.parted = true;
            if self.tested {
                self.pend(EffectKind::Environment, span);
            }
        }
    }

    /// What was noted from `start` on is printed, or kept in a variable, wherever the word stands (`${v:?text}`,
    /// `${v:=text}`).
    pub(super) fn goes_elsewhere(&mut self, start: usize) {
        self.parted |= self.pending.iter().skip(start).any(|effect| effect.kind == EffectKind::Environment);
    }

    /// Takes back what was noted from `start` on: only whether a value is empty, or this one, comes out. A shell that
    /// traces prints the words all the same, and tests of parts tell the whole, letter by letter.
    pub(super) fn only_tested(&mut self, start: usize) {
        let noted = self.pending.iter().skip(start).any(|effect| effect.kind == EffectKind::Environment);
        if !noted || self.traced || self.parted {
            return;
        }
        self.tested = true;
        let mut index = 0;
        self.pending.retain(|effect| {
            index += 1;
            index <= start || effect.kind != EffectKind::Environment
        });
    }

    /// `set -x`: what is walked from here on, and in a loop or function what was before, is printed.
    pub(super) fn traces(&mut self, again: bool, span: Span) {
        self.traced = true;
        if again && self.tested {
            self.pend(EffectKind::Environment, span);
        }
    }
}

/// Whether `test` tells no more of these words than whether one is empty, or exactly a text that is known.
pub(super) fn asks_for_little(words: &[Argument]) -> bool {
    let words = words.get(1..).unwrap_or_default();
    let words = match words.split_last() {
        Some((last, rest)) if last.value.known() == Some("]") => rest,
        _ => words,
    };
    let words = match words.split_first() {
        Some((first, rest)) if first.value.known() == Some("!") => rest,
        _ => words,
    };
    // Several words make an error, which names them.
    fn known(word: &Argument) -> Option<&str> {
        word.value.known()
    }
    !words.iter().any(|word| word.splits)
        && match words {
            [_] => true,
            [operator, _] => matches!(known(operator), Some("-n" | "-z")),
            [left, operator, right] => {
                matches!(known(operator), Some("=" | "==" | "!="))
                    && (known(left).is_some() || known(right).is_some())
            }
            _ => false,
        }
}

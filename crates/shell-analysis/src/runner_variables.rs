//! Variables whose value is run, as data. Which programs obey one is left open: many do, and others start those.

/// What the value of a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    /// A program with words of its own, as [`crate::runners::How::Text`].
    Text,
    /// A file of shell commands.
    Script,
    /// A key of git's configuration, whose value another variable has.
    Key,
    /// What the names of programs mean, or what is loaded into every one.
    Everything,
}

/// `*` stands for anything; the first row that fits counts.
const VARIABLES: &[(&str, Variable)] = &[
    ("EDITOR", Variable::Text),
    ("VISUAL", Variable::Text),
    ("*_EDITOR", Variable::Text),
    ("*EDITOR", Variable::Text),
    ("FCEDIT", Variable::Text),
    ("PAGER", Variable::Text),
    ("*PAGER", Variable::Text),
    ("BROWSER", Variable::Text),
    ("*_BROWSER", Variable::Text),
    ("*BROWSER", Variable::Text),
    ("LESSOPEN", Variable::Text),
    ("LESSCLOSE", Variable::Text),
    ("LESSEDIT", Variable::Text),
    ("GIT_EXTERNAL_DIFF", Variable::Text),
    ("GIT_SSH", Variable::Text),
    ("GIT_SSH_COMMAND", Variable::Text),
    ("GIT_PROXY_COMMAND", Variable::Text),
    ("GIT_CONFIG_VALUE_*", Variable::Text),
    ("GIT_CONFIG_KEY_*", Variable::Key),
    ("GIT_DIFFTOOL_EXTCMD", Variable::Text),
    ("GIT_DIFF_TOOL", Variable::Text),
    ("GIT_MERGE_TOOL", Variable::Text),
    ("GIT_MAN_VIEWER", Variable::Text),
    ("*ASKPASS", Variable::Text),
    ("SSH_SK_HELPER", Variable::Text),
    ("SSH_PKCS11_HELPER", Variable::Text),
    ("*_RSH", Variable::Text),
    ("RSH", Variable::Text),
    ("RSYNC_CONNECT_PROG", Variable::Text),
    ("*_SSH", Variable::Text),
    ("*_PASSCOMMAND", Variable::Text),
    ("*_PASSWORD_COMMAND", Variable::Text),
    ("HGMERGE", Variable::Text),
    ("SVN_MERGE", Variable::Text),
    ("*DIFF", Variable::Text),
    ("CVS_SERVER", Variable::Text),
    ("SPELL", Variable::Text),
    ("SHELL", Variable::Text),
    ("CONFIG_SHELL", Variable::Text),
    ("*script_shell", Variable::Text),
    ("*SCRIPT_SHELL", Variable::Text),
    ("npm_config_shell", Variable::Text),
    ("npm_config_editor", Variable::Text),
    ("npm_config_viewer", Variable::Text),
    ("npm_config_browser", Variable::Text),
    ("npm_config_git", Variable::Text),
    ("npm_config_python", Variable::Text),
    ("npm_config_node_gyp", Variable::Text),
    ("PROMPT_COMMAND", Variable::Text),
    ("FZF_*_COMMAND", Variable::Text),
    ("DEBUGGER", Variable::Text),
    ("TERMINAL", Variable::Text),
    ("TERMCMD", Variable::Text),
    ("CHROME_PATH", Variable::Text),
    ("CHROME_BIN", Variable::Text),
    ("RUSTC", Variable::Text),
    ("RUSTDOC", Variable::Text),
    ("RUSTC_*WRAPPER", Variable::Text),
    ("CARGO", Variable::Text),
    ("CARGO_BUILD_RUSTC*", Variable::Text),
    ("CARGO_BUILD_RUSTDOC", Variable::Text),
    ("CARGO_ALIAS_*", Variable::Text),
    ("CARGO_*_RUNNER", Variable::Text),
    ("CARGO_*_LINKER", Variable::Text),
    ("CCACHE_PREFIX", Variable::Text),
    ("CCACHE_COMPILER", Variable::Text),
    ("*CC", Variable::Text),
    ("*CXX", Variable::Text),
    ("CC_*", Variable::Text),
    ("CXX_*", Variable::Text),
    ("AR_*", Variable::Text),
    ("CMAKE_*_COMPILER*", Variable::Text),
    ("CMAKE_*_LAUNCHER", Variable::Text),
    ("CMAKE_MAKE_PROGRAM", Variable::Text),
    ("JAVACMD", Variable::Text),
    ("CLOUDSDK_PYTHON", Variable::Text),
    ("*_PYTHON", Variable::Text),
    ("UV_PYTHON", Variable::Text),
    ("TEXEDIT", Variable::Text),
    ("TERRAGRUNT_TFPATH", Variable::Text),
    ("PARALLEL_SSH", Variable::Text),
    ("ANSIBLE_SSH_EXECUTABLE", Variable::Text),
    ("PINENTRY_PROGRAM", Variable::Text),
    ("PUPPETEER_EXECUTABLE_PATH", Variable::Text),
    // Tools of a build: make(1) and configure scripts take every one of them from the environment or its own default.
    ("LD", Variable::Text),
    ("AR", Variable::Text),
    ("AS", Variable::Text),
    ("NM", Variable::Text),
    ("CPP", Variable::Text),
    ("FC", Variable::Text),
    ("F77", Variable::Text),
    ("LEX", Variable::Text),
    ("YACC", Variable::Text),
    ("M4", Variable::Text),
    ("MAKE", Variable::Text),
    ("CMAKE", Variable::Text),
    ("NINJA", Variable::Text),
    ("STRIP", Variable::Text),
    ("RANLIB", Variable::Text),
    ("OBJCOPY", Variable::Text),
    ("INSTALL", Variable::Text),
    ("LIBTOOL", Variable::Text),
    ("SED", Variable::Text),
    ("AWK", Variable::Text),
    ("GREP", Variable::Text),
    ("PYTHON", Variable::Text),
    ("PERL", Variable::Text),
    ("PROTOC", Variable::Text),
    ("PKG_CONFIG", Variable::Text),
    ("CLANG_PATH", Variable::Text),
    ("LLVM_CONFIG_PATH", Variable::Text),
    ("AUTOM4TE", Variable::Text),
    ("AUTOCONF", Variable::Text),
    ("ACLOCAL", Variable::Text),
    // Files that a shell reads before its commands (bash manual 6.2).
    ("BASH_ENV", Variable::Script),
    ("ENV", Variable::Script),
    // A function that an inner bash takes from its environment (bash manual 3.3): anything may be behind a name.
    ("BASH_FUNC_*", Variable::Everything),
    // ld.so(8), dyld(1), git(1).
    ("LD_PRELOAD", Variable::Everything),
    ("LD_AUDIT", Variable::Everything),
    ("LD_LIBRARY_PATH", Variable::Everything),
    ("DYLD_*", Variable::Everything),
    ("GCONV_PATH", Variable::Everything),
    ("ZDOTDIR", Variable::Everything),
    ("GIT_EXEC_PATH", Variable::Everything),
    // How git hands settings to what it starts: any, quoted.
    ("GIT_CONFIG_PARAMETERS", Variable::Everything),
    ("PATH", Variable::Everything),
];

/// What the value of a variable is, if it is run.
pub(crate) fn variable(name: &str) -> Option<Variable> {
    let fits = |pattern: &str| match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| match rest.split_once('*') {
            None => name.ends_with(rest),
            Some((middle, end)) => name.split_once(middle).is_some_and(|(_, name)| name.ends_with(end)),
        }),
    };
    VARIABLES.iter().find(|(pattern, _)| fits(pattern)).map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_variables() {
        assert_eq!(variable("GIT_EDITOR"), Some(Variable::Text));
        assert_eq!(variable("CARGO_TARGET_X_RUNNER"), Some(Variable::Text));
        assert_eq!(variable("RUSTC_WORKSPACE_WRAPPER"), Some(Variable::Text));
        assert_eq!(variable("RUSTC_WRAPPER"), Some(Variable::Text));
        assert_eq!(variable("GIT_CONFIG_VALUE_0"), Some(Variable::Text));
        assert_eq!(variable("LD_PRELOAD"), Some(Variable::Everything));
        assert_eq!(variable("NODE_ENV"), None);
        assert_eq!(variable("CARGO_TARGET_DIR"), None);
    }
}

//! Files that programs read without being told to, as data: what is in them may run (`make` reads `Makefile`).

use std::{collections::HashMap, sync::LazyLock};

use crate::name_hash::Names;

/// The ends of the names of files that a program, by its base name, reads without being told to.
pub(crate) fn read_unasked(name: &str) -> &'static [&'static str] {
    static BY_NAME: LazyLock<HashMap<&'static str, Vec<&'static str>, Names>> = LazyLock::new(|| {
        let mut ends: HashMap<_, Vec<_>, Names> = HashMap::default();
        for (programs, names) in READ_UNASKED {
            for program in programs.split(' ') {
                ends.entry(program).or_default().extend(names.split(' ').map(file_name));
            }
        }
        ends
    });
    BY_NAME.get(name).map_or(&[], Vec::as_slice)
}

fn file_name(path: &'static str) -> &'static str {
    crate::invocation::base_name(path)
}

/// Programs, and the ends of such names.
const READ_UNASKED: &[(&str, &str)] = &[
    ("make gmake", "akefile .mk"),
    ("npm npx yarn pnpm bun node corepack", "package.json .npmrc .yarnrc.yml .pnpmfile.cjs"),
    ("just", "justfile Justfile .justfile"),
    ("task", "Taskfile.yml Taskfile.yaml"),
    ("cargo cross rustc", "build.rs config.toml Cargo.toml"),
    ("git gh jj", ".git/config .gitconfig .gitmodules .gitattributes git/config"),
    ("direnv", ".envrc"),
    ("ssh scp sftp rsync git mosh sshfs", ".ssh/config .ssh/rc"),
    ("bash sh zsh ksh", "rc profile .bash_login .zshenv .inputrc"),
    ("gdb lldb", ".gdbinit .lldbinit"),
    ("vim vi nvim view ex gvim vimdiff", "vimrc .exrc init.vim init.lua"),
    ("emacs", ".emacs init.el"),
    ("tmux", ".tmux.conf"),
    ("screen", ".screenrc"),
    ("psql", ".psqlrc"),
    ("sqlite3", ".sqliterc"),
    (
        "python python3 pytest pip pip3 tox nox uv poetry hatch pdm",
        ".py pyproject.toml setup.cfg tox.ini pytest.ini",
    ),
    ("docker podman docker-compose", "ockerfile compose.yml compose.yaml"),
    ("rake bundle rails", "akefile Gemfile"),
    ("mvn gradle", "pom.xml .gradle .gradle.kts"),
    ("cmake ctest", "CMakeLists.txt .cmake"),
    ("bazel", "BUILD WORKSPACE .bazelrc BUILD.bazel"),
    ("go", ".go"),
];

//! Which files choose the program of which tool.

use super::readers::{autopep8_setting, npm_setting, pinned_manager, ruff_setting, toolchain_line};
use crate::programs::cargo_config;

/// A tool whose program a project's own files may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    /// cargo, rustc and what rustup stands in for.
    Cargo,
    /// go and what runs it.
    Go,
    /// gofmt, which looks at no module.
    Gofmt,
    /// node itself.
    Node,
    /// npm, npx.
    Npm,
    /// yarn, of any generation.
    Yarn,
    /// pnpm.
    Pnpm,
    /// bun.
    Bun,
    /// deno.
    Deno,
    /// python, pip and programs that pip installs.
    Python,
    /// ruby and gem.
    Ruby,
    /// bundle: the Gemfile is code.
    Bundler,
    /// java, javac.
    Java,
    /// mvn.
    Maven,
    /// gradle.
    Gradle,
    /// terraform, tofu.
    Terraform,
    /// dotnet.
    Dotnet,
    /// php, composer.
    Php,
    /// ack, whose options a project may give.
    Ack,
    /// ruff, which a project may tell to change what it looks at.
    Ruff,
    /// autopep8, in the same way.
    Autopep8,
    /// bandit, which a project may give a file to write.
    Bandit,
    /// Miller, whose options a project may give.
    Miller,
    /// Any other program that a version manager may stand in for.
    Other,
}

impl Tool {
    /// The tool that a program's base name stands for.
    pub(crate) fn of(base: &str) -> Self {
        match base {
            "cargo" | "rustc" | "rustup" | "rustfmt" | "rustdoc" | "clippy-driver" => Self::Cargo,
            "go" | "goimports" | "gofumpt" => Self::Go,
            "gofmt" => Self::Gofmt,
            "node" | "nodejs" | "tsc" | "eslint" | "prettier" => Self::Node,
            "npm" | "npx" => Self::Npm,
            "yarn" | "yarnpkg" | "corepack" => Self::Yarn,
            "pnpm" | "pnpx" => Self::Pnpm,
            "bun" | "bunx" => Self::Bun,
            "deno" => Self::Deno,
            "python" | "python3" | "pip" | "pip3" | "uv" | "poetry" | "pipenv" | "pytest" | "ruff"
            | "mypy" => Self::Python,
            "ruby" | "gem" => Self::Ruby,
            "bundle" | "bundler" => Self::Bundler,
            "java" | "javac" | "kotlinc" => Self::Java,
            "mvn" => Self::Maven,
            "gradle" => Self::Gradle,
            "terraform" | "tofu" => Self::Terraform,
            "dotnet" => Self::Dotnet,
            "php" | "composer" => Self::Php,
            "ack" => Self::Ack,
            "mlr" => Self::Miller,
            _ => Self::Other,
        }
    }
}

/// When a file chooses a program.
#[derive(Clone, Copy)]
pub(super) enum When {
    /// As soon as it is there.
    Exists,
    /// When this finds something in it; the answer names it.
    Says(fn(&str) -> Option<String>),
}

/// A path below a directory, and when it matters.
pub(super) type File = (&'static str, When);

/// Version managers that stand in for any program by shims: asdf, mise, proto, aqua (their manuals, the names
/// of configuration files).
const MANAGERS: &[File] = &[
    (".tool-versions", When::Exists),
    ("mise.toml", When::Exists),
    (".mise.toml", When::Exists),
    ("mise.local.toml", When::Exists),
    (".mise.local.toml", When::Exists),
    ("mise/config.toml", When::Exists),
    (".mise/config.toml", When::Exists),
    (".config/mise.toml", When::Exists),
    (".config/mise/config.toml", When::Exists),
    (".rtx.toml", When::Exists),
    (".prototools", When::Exists),
    ("aqua.yaml", When::Exists),
    (".aqua.yaml", When::Exists),
    ("aqua/aqua.yaml", When::Exists),
];

/// rustup's pins, and cargo's own configuration (The Cargo Book, 3.4).
const CARGO: &[File] = &[
    ("rust-toolchain", When::Exists),
    ("rust-toolchain.toml", When::Exists),
    (".cargo/config", When::Says(cargo_config::names_program)),
    (".cargo/config.toml", When::Says(cargo_config::names_program)),
];
/// A toolchain line, or a newer language, fetches and runs that toolchain (go.dev/doc/toolchain).
const GO: &[File] = &[
    ("go.mod", When::Says(toolchain_line)),
    ("go.work", When::Says(toolchain_line)),
    (".go-version", When::Exists),
];
const GOFMT: &[File] = &[(".go-version", When::Exists)];
const NODE: &[File] = &[
    (".nvmrc", When::Exists),
    (".node-version", When::Exists),
    ("package.json", When::Says(pinned_manager)),
];
const NPM: &[File] = &[(".npmrc", When::Says(npm_setting))];
const YARN: &[File] = &[
    (".yarnrc.yml", When::Exists),
    (".yarnrc", When::Exists),
    (".pnp.cjs", When::Exists),
    (".pnp.js", When::Exists),
];
const PNPM: &[File] = &[
    (".pnpmfile.cjs", When::Exists),
    (".pnpmfile.mjs", When::Exists),
    ("pnpmfile.js", When::Exists),
    ("pnpm-workspace.yaml", When::Exists),
];
const BUN: &[File] = &[("bunfig.toml", When::Exists), (".bun-version", When::Exists)];
const DENO: &[File] = &[("deno.json", When::Exists), ("deno.jsonc", When::Exists), (".dvmrc", When::Exists)];
const PYTHON: &[File] = &[(".python-version", When::Exists)];
const RUBY: &[File] =
    &[(".ruby-version", When::Exists), (".rvmrc", When::Exists), (".ruby-gemset", When::Exists)];
const BUNDLER: &[File] = &[
    ("Gemfile", When::Exists),
    ("gems.rb", When::Exists),
    (".bundle/config", When::Exists),
    (".bundle/plugin/index", When::Exists),
];
const JAVA: &[File] = &[(".java-version", When::Exists), (".sdkmanrc", When::Exists)];
const MAVEN: &[File] = &[
    (".mvn/jvm.config", When::Exists),
    (".mvn/maven.config", When::Exists),
    (".mvn/extensions.xml", When::Exists),
    (".mvn/settings.xml", When::Exists),
];
const GRADLE: &[File] =
    &[("gradle.properties", When::Exists), ("gradle/gradle-daemon-jvm.properties", When::Exists)];
const TERRAFORM: &[File] = &[
    (".terraform-version", When::Exists),
    (".opentofu-version", When::Exists),
    (".tfswitchrc", When::Exists),
    (".tfswitch.toml", When::Exists),
    (".terraform/plugin_path", When::Exists),
];
const DOTNET: &[File] = &[("global.json", When::Exists), (".config/dotnet-tools.json", When::Exists)];
const PHP: &[File] = &[(".php-version", When::Exists), (".phpenv-version", When::Exists)];

/// Options of the project, which name further files and follow links (ack manual, `ACKRC`).
const ACK: &[File] = &[(".ackrc", When::Exists), ("_ackrc", When::Exists)];

/// Ruff's documentation, "Settings"; `extend` names another file.
const RUFF: &[File] = &[
    ("pyproject.toml", When::Says(ruff_setting)),
    ("ruff.toml", When::Says(ruff_setting)),
    (".ruff.toml", When::Says(ruff_setting)),
];
const AUTOPEP8: &[File] = &[
    ("pyproject.toml", When::Says(autopep8_setting)),
    ("setup.cfg", When::Says(autopep8_setting)),
    ("tox.ini", When::Says(autopep8_setting)),
    (".pep8", When::Says(autopep8_setting)),
    (".flake8", When::Says(autopep8_setting)),
];
const BANDIT: &[File] = &[(".bandit", When::Exists)];
/// Any flag of the command line, `load` among them, whose code runs in every program (Miller manual, "Customization").
const MILLER: &[File] = &[(".mlrc", When::Exists)];

pub(super) fn files(tool: Tool) -> [&'static [File]; 3] {
    const NONE: &[File] = &[];
    match tool {
        Tool::Cargo => [MANAGERS, CARGO, NONE],
        Tool::Go => [MANAGERS, GO, NONE],
        Tool::Gofmt => [MANAGERS, GOFMT, NONE],
        Tool::Node => [MANAGERS, NODE, NONE],
        Tool::Npm => [MANAGERS, NODE, NPM],
        Tool::Yarn => [MANAGERS, NODE, YARN],
        Tool::Pnpm => [MANAGERS, NODE, PNPM],
        Tool::Bun => [MANAGERS, NODE, BUN],
        Tool::Deno => [MANAGERS, NODE, DENO],
        Tool::Python => [MANAGERS, PYTHON, NONE],
        Tool::Ruby => [MANAGERS, RUBY, NONE],
        Tool::Bundler => [MANAGERS, RUBY, BUNDLER],
        Tool::Java => [MANAGERS, JAVA, NONE],
        Tool::Maven => [MANAGERS, JAVA, MAVEN],
        Tool::Gradle => [MANAGERS, JAVA, GRADLE],
        Tool::Terraform => [MANAGERS, TERRAFORM, NONE],
        Tool::Dotnet => [MANAGERS, DOTNET, NONE],
        Tool::Php => [MANAGERS, PHP, NONE],
        Tool::Ack => [MANAGERS, ACK, NONE],
        Tool::Ruff => [MANAGERS, PYTHON, RUFF],
        Tool::Autopep8 => [MANAGERS, PYTHON, AUTOPEP8],
        Tool::Bandit => [MANAGERS, PYTHON, BANDIT],
        Tool::Miller => [MANAGERS, MILLER, NONE],
        Tool::Other => [MANAGERS, NONE, NONE],
    }
}

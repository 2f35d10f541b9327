//! What a file says, as far as it names programs.

/// The first language version whose go command fetches and runs a newer toolchain (go.dev/doc/toolchain).
const SWITCHING: (u32, u32) = (1, 21);

/// `toolchain NAME`, in go.mod and go.work (Go Modules Reference, "toolchain directive"), and a `go VERSION` that may be
/// newer than the go command which is there: that fetches and runs it. A command older than 1.21 never does.
pub(super) fn toolchain_line(text: &str) -> Option<String> {
    text.lines()
        .map(str::trim)
        .find(|line| line.starts_with("toolchain") || asks_for_newer(line))
        .map(|line| line.chars().take(60).collect())
}

fn asks_for_newer(line: &str) -> bool {
    let Some(version) = line.strip_prefix("go").filter(|rest| rest.starts_with([' ', '\t'])) else {
        return false;
    };
    let mut numbers = version.split("//").next().unwrap_or_default().trim().split('.');
    let mut number = || numbers.next().map(|text| text.parse::<u32>().ok());
    match (number(), number(), number(), number()) {
        // `1.21` and `1.21.0`: every go command that switches at all is that new.
        (Some(Some(major)), Some(Some(minor)), None | Some(Some(0)), None) => (major, minor) > SWITCHING,
        (Some(Some(major)), Some(Some(minor)), Some(Some(_)), None) => (major, minor) >= SWITCHING,
        // What is not understood may be newer.
        _ => true,
    }
}

/// A key with which ruff changes files although it was only asked to look, or that names more configuration.
pub(super) fn ruff_setting(text: &str) -> Option<String> {
    let key = |line: &str| {
        let keys =
            line.split(['.', '{', ',', '[', ']', ' ', '\t', '"', '\'']).filter(|part| !part.is_empty());
        let mut before = None;
        for part in keys {
            // The name stands right in front of its `=`.
            let (name, equals) = part.split_once('=').map_or((part, false), |(name, _)| (name, true));
            let name = if name.is_empty() { before.unwrap_or_default() } else { name };
            if equals && matches!(name, "fix" | "fix-only" | "extend") {
                return true;
            }
            before = Some(name);
        }
        // An escaped letter could spell any of them.
        line.contains("\\u") || line.contains("\\U") || line.contains("\\x")
    };
    text.lines().find(|line| key(line)).map(|line| line.trim().chars().take(60).collect())
}

/// A key with which autopep8 changes files although it was only asked to print.
pub(super) fn autopep8_setting(text: &str) -> Option<String> {
    ["in_place", "in-place", "\\u", "\\U", "\\x"]
        .into_iter()
        .find(|name| text.contains(name))
        .map(str::to_owned)
}

/// `packageManager` and `devEngines` name what corepack fetches and runs, also by URL; `volta` pins node.
pub(super) fn pinned_manager(text: &str) -> Option<String> {
    // An escaped letter could spell any of them.
    ["packageManager", "devEngines", "volta", "\\u"]
        .into_iter()
        .find(|name| text.contains(name))
        .map(str::to_owned)
}

/// Keys of `.npmrc` that name no program and no other configuration (npm's manual, "config"); a key of a
/// registry (`//host/:_authToken`, `@scope:registry`) is harmless too.
const NPM_HARMLESS: &[&str] = &[
    "registry",
    "always-auth",
    "audit",
    "audit-level",
    "engine-strict",
    "fetch-retries",
    "fetch-timeout",
    "force",
    "fund",
    "ignore-scripts",
    "install-links",
    "legacy-peer-deps",
    "lockfile-version",
    "loglevel",
    "maxsockets",
    "offline",
    "omit",
    "optional",
    "package-lock",
    "prefer-dedupe",
    "prefer-offline",
    "production",
    "progress",
    "save",
    "save-exact",
    "save-prefix",
    "strict-peer-deps",
    "strict-ssl",
    "tag-version-prefix",
    "update-notifier",
    "auto-install-peers",
    "hoist",
    "node-linker",
    "public-hoist-pattern[]",
    "shamefully-hoist",
    "strict-peer-dependencies",
    "link-workspace-packages",
];

pub(super) fn npm_setting(text: &str) -> Option<String> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with(['#', ';']))
        .map(|line| line.split_once('=').map_or(line, |(key, _)| key.trim()))
        .find(|key| {
            !(NPM_HARMLESS.contains(key)
                || key.starts_with("//")
                || key.starts_with('@') && key.ends_with(":registry"))
        })
        .map(|key| key.chars().take(60).collect())
}

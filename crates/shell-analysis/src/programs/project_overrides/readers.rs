//! What a file says, as far as it names programs.

/// `toolchain NAME`, in go.mod and go.work (Go Modules Reference, "toolchain directive").
pub(super) fn toolchain_line(text: &str) -> Option<String> {
    text.lines()
        .find(|line| line.trim_start().starts_with("toolchain"))
        .map(|line| line.trim().chars().take(60).collect())
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

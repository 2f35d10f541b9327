//! The user's and the system's git configuration. It is trusted, as everything else that only the user can change;
//! what it takes from a repository is not: files included from there, and programs and hooks that lie there
//! (git-config(1), "FILES" and "INCLUDES").

use portcullis_paths::{
    GitRepository, GitSetting, Resolver, expand_home, is_within, join, names_program, parent, read_git_config,
};

use crate::Settings;

/// The largest configuration that is read, in bytes.
const MAX_CONFIG: usize = 1 << 20;

/// How many files may include each other; git's own limit is 10.
const MAX_INCLUDES: usize = 10;

/// The hook that commands which only read run, when they refresh the index (githooks(5)).
const READING_HOOK: &str = "post-index-change";

/// Whether the configuration outside `repository` runs what lies in it or in the roots.
pub(super) fn leads_inside(
    settings: &Settings<'_>,
    resolver: &dyn Resolver,
    repository: &GitRepository,
) -> Result<(), String> {
    let look = Look { settings, resolver, repository };
    files(settings).iter().try_for_each(|file| look.file(file, 0))
}

/// The files that git reads, as far as the environment is known.
fn files(settings: &Settings<'_>) -> Vec<String> {
    let variable = |name: &str| {
        settings.environment.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    };
    let mut files = vec!["/etc/gitconfig".to_owned()];
    if let Some(file) = variable("GIT_CONFIG_GLOBAL") {
        files.push(file.to_owned());
    } else if let Some(home) = settings.home {
        let folder = variable("XDG_CONFIG_HOME").map_or_else(|| join(home, ".config"), str::to_owned);
        files.push(join(&folder, "git/config"));
        files.push(join(home, ".gitconfig"));
    }
    files
}

struct Look<'a> {
    settings: &'a Settings<'a>,
    resolver: &'a dyn Resolver,
    repository: &'a GitRepository,
}

impl Look<'_> {
    fn file(&self, file: &str, depth: usize) -> Result<(), String> {
        if self.resolver.kind(file).is_none() {
            return Ok(());
        }
        let text = self.resolver.read(file, MAX_CONFIG).map_err(|_| format!("`{file}` cannot be read"))?;
        let all = read_git_config(&text)
            .map_err(|error| format!("`{file}`, line {}, is not understood", error.line))?;
        let foreign = self.inside(file);
        for setting in all.iter().filter(|setting| names_program(setting) && setting.section != "alias") {
            if foreign {
                return Err(format!("`{file}` sets `{}`, which can run programs", setting.key()));
            }
            self.setting(file, setting, depth)?;
        }
        Ok(())
    }

    /// A setting of the user's that names a program or a file.
    fn setting(&self, file: &str, setting: &GitSetting, depth: usize) -> Result<(), String> {
        let value = setting.value.as_deref().unwrap_or_default();
        let own = || format!("`{file}` sets `{}` to something in the project", setting.key());
        match (setting.section.as_str(), setting.name.as_str()) {
            ("include" | "includeif", "path") => {
                if depth >= MAX_INCLUDES {
                    return Err(format!("`{file}` includes more files than are followed"));
                }
                let path = expand_home(value, self.settings.home);
                self.file(&join(parent(file).unwrap_or("/"), &path), depth + 1)
            }
            ("core", "hookspath") => {
                // Relative to where hooks run: the top of the working tree.
                let folder = join(&self.repository.root, &expand_home(value, self.settings.home));
                let hook = join(&folder, READING_HOOK);
                if self.inside(&folder) && self.resolver.kind(&hook).is_some() { Err(own()) } else { Ok(()) }
            }
            _ => {
                let words = value.trim_start_matches('!').split_ascii_whitespace();
                let here = words.filter(|word| word.contains('/') && !word.contains("://")).any(|word| {
                    let path = expand_home(word.trim_matches(['"', '\'']), self.settings.home);
                    self.inside(&join(&self.repository.root, &path))
                });
                if here { Err(own()) } else { Ok(()) }
            }
        }
    }

    /// In the repository or in a root, by its name or in reality.
    fn inside(&self, path: &str) -> bool {
        let within = |path: &str| {
            is_within(path, &self.repository.root)
                || self.settings.roots.iter().any(|root| is_within(path, root))
        };
        within(path) || self.resolver.realpath(path).map_or(true, |real| within(&real))
    }
}

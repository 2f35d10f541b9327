//! Whether a repository's own configuration can make git run programs (specification 4.6).

use portcullis_paths::{Resolver, is_within, parent};

use crate::{Directories, Settings};

/// The most bytes of a configuration file that are read.
const MAX_CONFIG: usize = 64 << 10;

/// Sections whose every key can run a program, or lead to a file that does.
const SECTIONS: &[&str] = &[
    "alias",
    "include",
    "includeif",
    "filter",
    "gpg",
    "pager",
    "difftool",
    "mergetool",
    "credential",
    "browser",
    "man",
    "guitool",
    "hook",
];

/// Keys of other sections that name programs or files.
const KEYS: &[&str] = &[
    "fsmonitor",
    "sshcommand",
    "hookspath",
    "editor",
    "pager",
    "askpass",
    "gitproxy",
    "attributesfile",
    "worktree",
    "alternaterefscommand",
    "external",
    "textconv",
    "command",
    "driver",
    "program",
    "uploadpack",
    "receivepack",
    "proxycommand",
    "helper",
    "cmd",
    "path",
    "excludesfile",
    "packobjectshook",
    "partialclonefilter",
    "promisor",
    "vcs",
    "signingkey",
];

/// Nothing in the repositories that git would use from these directories names a program.
pub(super) fn harmless(settings: &Settings<'_>, directories: &Directories) -> Result<(), String> {
    let Directories::Known(directories) = directories else {
        return Err("git runs in a repository that is not known".to_owned());
    };
    // Trust is in the project, not in what else is on the disk.
    let trusted =
        |directory: &str| settings.trusted && settings.roots.iter().any(|root| is_within(directory, root));
    for directory in directories.iter().filter(|directory| !trusted(directory)) {
        match settings.resolver {
            Some(resolver) => looked_at(settings, resolver, directory)?,
            None if own(settings, directory) => {}
            None => return Err("git runs in another repository".to_owned()),
        }
    }
    Ok(())
}

/// The call's own repository, as far as the text tells.
fn own(settings: &Settings<'_>, directory: &str) -> bool {
    is_within(directory, settings.cwd)
        || settings
            .roots
            .first()
            .is_some_and(|root| is_within(directory, root) && is_within(settings.cwd, root))
}

fn looked_at(settings: &Settings<'_>, resolver: &dyn Resolver, directory: &str) -> Result<(), String> {
    let real = resolver.realpath(directory).map_err(|_| "git's directory cannot be resolved".to_owned())?;
    // What git shows is content: from outside the roots it is asked for, as every other read.
    let inside = |path: &str| settings.roots.iter().any(|root| is_within(path, root));
    if !(settings.allow_external_paths || inside(&real) || inside(directory)) {
        return Err("git runs in another repository".to_owned());
    }
    let mut at = real.as_str();
    loop {
        let dot_git = attach(at, ".git");
        match resolver.kind(&dot_git) {
            Some(portcullis_paths::FileKind::Directory) => return configuration(resolver, &dot_git),
            Some(_) => return linked(resolver, at, &dot_git),
            None => {}
        }
        // A directory made of HEAD, objects and refs is a bare repository, with a configuration of its own.
        if resolver.kind(&attach(at, "HEAD")).is_some()
            && resolver.kind(&attach(at, "objects")).is_some()
            && resolver.kind(&attach(at, "refs")).is_some()
        {
            return Err("git would use a bare repository here".to_owned());
        }
        match parent(at) {
            Some(above) if above != at => at = above,
            // No repository: git stops with an error.
            _ => return Ok(()),
        }
    }
}

/// `.git` is a file: a linked working tree or a submodule.
fn linked(resolver: &dyn Resolver, directory: &str, file: &str) -> Result<(), String> {
    let text = resolver.read(file, 4096).map_err(|_| "`.git` cannot be read".to_owned())?;
    let text = String::from_utf8(text).map_err(|_| "`.git` cannot be read".to_owned())?;
    let target = text.trim().strip_prefix("gitdir:").map(str::trim).ok_or("`.git` is not understood")?;
    let own = portcullis_paths::join(directory, target);
    let common = match resolver.read(&attach(&own, "commondir"), 4096) {
        Ok(text) => {
            let text = String::from_utf8(text).map_err(|_| "`commondir` cannot be read".to_owned())?;
            portcullis_paths::join(&own, text.trim())
        }
        Err(_) => own,
    };
    configuration(resolver, &common)
}

fn configuration(resolver: &dyn Resolver, git: &str) -> Result<(), String> {
    for name in ["config", "config.worktree"] {
        let path = attach(git, name);
        if resolver.kind(&path).is_none() {
            continue;
        }
        let text = resolver.read(&path, MAX_CONFIG).map_err(|_| format!("`{path}` cannot be read"))?;
        let text = String::from_utf8(text).map_err(|_| format!("`{path}` cannot be read"))?;
        if let Some(key) = executing(&text) {
            return Err(format!("`{path}` sets `{key}`, which can run programs"));
        }
    }
    Ok(())
}

/// The first key that can run a program. Read line by line; whatever is not plainly a harmless line counts.
fn executing(text: &str) -> Option<String> {
    let mut section = String::new();
    let mut continued = false;
    for line in text.lines() {
        let line = line.trim();
        if continued {
            continued = line.ends_with('\\');
            continue;
        }
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let mut rest = line;
        if let Some(inner) = line.strip_prefix('[') {
            let Some((name, behind)) = inner.split_once(']') else { return Some(line.to_owned()) };
            section = name.split([' ', '.', '"', '\t']).next().unwrap_or_default().to_ascii_lowercase();
            rest = behind.trim();
            if SECTIONS.contains(&section.as_str()) {
                return Some(section);
            }
            if rest.is_empty() {
                continue;
            }
        }
        continued = rest.ends_with('\\');
        let key = rest.split(['=', ' ', '\t']).next().unwrap_or_default().to_ascii_lowercase();
        if KEYS.contains(&key.as_str()) && !(section == "submodule" && key == "path") {
            return Some(format!("{section}.{key}"));
        }
        if section == "submodule" && key == "update" && rest.contains('!') {
            return Some(format!("{section}.{key}"));
        }
        if section == "remote" && key == "url" && rest.contains("ext::") {
            return Some(format!("{section}.{key}"));
        }
    }
    None
}

fn attach(directory: &str, name: &str) -> String {
    format!("{}/{name}", directory.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::executing;

    #[test]
    fn finds_what_runs_programs() {
        let plain = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote \"origin\"]\n\turl = git@x:y.git\n[branch \"main\"]\n\tremote = origin\n";
        assert_eq!(executing(plain), None);
        for text in [
            "[core]\nfsmonitor = ./x\n",
            "[CORE] fsMonitor=./x",
            "[alias]\nst = !x",
            "[diff \"a\"]\ntextconv = x",
            "[include]\npath = x",
            "[filter \"x\"]\nsmudge = y",
            "[core]\n\tsshCommand=x",
            "[diff]\nexternal=x",
            "[core\n",
        ] {
            assert!(executing(text).is_some(), "{text}");
        }
    }
}

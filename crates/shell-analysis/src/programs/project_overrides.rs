//! Files of a project that choose which program a tool really runs: version managers,
//! wrappers, toolchain pins. `cargo metadata`, `go list`, `yarn --version` and the like read only where the
//! resolver shows that there is no such file, or the project is trusted.

mod readers;
mod table;

use std::borrow::Cow;

use portcullis_paths::{FileKind, Resolver, is_within, join, normalize, parent};

pub(crate) use table::Tool;
use table::{When, files};

use super::{Build, git_repository};
use crate::{Directories, EffectKind, Settings, look::Look};

/// The most bytes of a file that are read; a larger one counts as choosing a program.
const MAX_FILE: usize = 256 << 10;

/// Makes the invocation opaque where the project may choose what `tool` runs.
pub(crate) fn project_code(build: &mut Build<'_>, tool: Tool) {
    if let Err(reason) = project_overrides(build.settings, build.look, build.directories(), tool) {
        build.effect(EffectKind::Opaque(reason));
    }
}

/// Whether a project's own files leave it open which program `tool` runs in any of `directories`.
///
/// Every directory is looked at from itself up to the root of the file system, by its own path and by its real
/// one. What lies in the home directory itself is the user's own and trusted like the rest of the user's
/// configuration, unless the home directory is part of the project.
///
/// # Errors
/// One clause that says which file chooses, or why nobody could look. It is a reason for `Opaque`.
pub(crate) fn project_overrides(
    settings: &Settings<'_>,
    look: &Look<'_>,
    directories: &Directories,
    tool: Tool,
) -> Result<(), Cow<'static, str>> {
    let Directories::Known(directories) = directories else {
        return Err("the project may choose the program, and the directory is not known".into());
    };
    for directory in directories.iter() {
        let Some(resolver) = settings.resolver else {
            // Nobody can look above the roots either; trust in the project is the answer then.
            if trusts(settings, directory) {
                replaced(look, &normalize(directory), tool)?;
                continue;
            }
            return Err("the project may choose the program, and nobody looked".into());
        };
        let written = normalize(directory);
        let real = resolver
            .realpath(directory)
            .map_err(|_| Cow::from("the working directory cannot be resolved"))?;
        look_upwards(settings, look, resolver, &real, tool)?;
        if real != written {
            look_upwards(settings, look, resolver, &written, tool)?;
        }
    }
    Ok(())
}

fn trusts(settings: &Settings<'_>, directory: &str) -> bool {
    settings.trusted && settings.roots.iter().any(|root| is_within(directory, root))
}

/// The user's own configuration: the home directory, where it is no part of the project.
fn own(settings: &Settings<'_>, directory: &str) -> bool {
    settings.home.is_some_and(|home| {
        normalize(home) == directory && !settings.roots.iter().any(|root| is_within(home, root))
    })
}

fn look_upwards(
    settings: &Settings<'_>,
    look: &Look<'_>,
    resolver: &dyn Resolver,
    from: &str,
    tool: Tool,
) -> Result<(), Cow<'static, str>> {
    let nested = if settings.trusted { git_repository::nested(settings, from) } else { None };
    let own_repository = |directory: &str| nested.as_ref().is_none_or(|top| !is_within(directory, top));
    let mut at = Some(from);
    while let Some(directory) = at {
        if trusts(settings, directory) && own_repository(directory) {
            replaced_in(look, directory, tool)?;
        } else if !own(settings, directory) {
            for (name, when) in files(tool).into_iter().flatten() {
                let path = join(directory, name);
                if look.made.borrow().may_have_written(&path) {
                    return Err(writes(&path));
                }
                chooses(resolver, &path, *when)?;
            }
        }
        at = parent(directory).filter(|above| *above != directory);
    }
    Ok(())
}

/// What the text itself puts there is no part of what is trusted.
fn replaced(look: &Look<'_>, from: &str, tool: Tool) -> Result<(), Cow<'static, str>> {
    let mut at = Some(from);
    while let Some(directory) = at {
        replaced_in(look, directory, tool)?;
        at = parent(directory).filter(|above| *above != directory);
    }
    Ok(())
}

fn replaced_in(look: &Look<'_>, directory: &str, tool: Tool) -> Result<(), Cow<'static, str>> {
    let made = look.made.borrow();
    if made.wrote_nothing() {
        return Ok(());
    }
    let mut paths = files(tool).into_iter().flatten().map(|(name, _)| join(directory, name));
    match paths.find(|path| made.replaces(path)) {
        Some(path) => Err(writes(&path)),
        None => Ok(()),
    }
}

fn writes(path: &str) -> Cow<'static, str> {
    format!("the command itself may write `{path}`, which decides what runs").into()
}

fn chooses(resolver: &dyn Resolver, path: &str, when: When) -> Result<(), Cow<'static, str>> {
    match resolver.kind(path) {
        None | Some(FileKind::Directory) => return Ok(()),
        Some(_) => {}
    }
    let When::Says(find) = when else { return Err(format!("`{path}` chooses the program that runs").into()) };
    let text = resolver.read(path, MAX_FILE).ok().and_then(|text| String::from_utf8(text).ok());
    let Some(text) = text else {
        return Err(format!("`{path}` may choose the program and cannot be read").into());
    };
    match find(&text) {
        Some(setting) => Err(format!("`{path}` has `{setting}`, which decides what runs").into()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files by path; every directory above one exists.
    struct Disk(&'static [(&'static str, &'static str)]);

    impl Resolver for Disk {
        fn realpath(&self, path: &str) -> std::io::Result<String> {
            Ok(normalize(path).replace("/link", "/repo"))
        }

        fn kind(&self, path: &str) -> Option<FileKind> {
            if self.0.iter().any(|(file, _)| *file == path) {
                return Some(FileKind::File);
            }
            let inside = format!("{path}/");
            self.0.iter().any(|(file, _)| file.starts_with(&inside)).then_some(FileKind::Directory)
        }

        fn read(&self, path: &str, _limit: usize) -> std::io::Result<Vec<u8>> {
            let found = self.0.iter().find(|(file, _)| *file == path);
            found
                .map(|(_, text)| text.as_bytes().to_vec())
                .ok_or_else(|| std::io::Error::other("nothing there"))
        }
    }

    fn chosen(disk: &Disk, cwd: &str, trusted: bool, tool: Tool) -> bool {
        let roots = ["/home/u/repo".to_owned(), "/home/u/link".to_owned()];
        let resolver: &dyn Resolver = disk;
        let settings = Settings {
            home: Some("/home/u"),
            trusted,
            resolver: Some(resolver),
            ..Settings::new(cwd, &roots)
        };
        project_overrides(
            &settings,
            &Look::new(&settings),
            &Directories::Known([cwd.to_owned()].into()),
            tool,
        )
        .is_err()
    }

    #[test]
    fn files_choose_the_tools_that_read_them() {
        for (file, text, tool) in [
            ("/home/u/repo/rust-toolchain.toml", "", Tool::Cargo),
            ("/home/u/repo/.cargo/config.toml", "[build]\nrustc-wrapper='x'", Tool::Cargo),
            ("/home/u/repo/.cargo/config", "[alias]\nlist='x'", Tool::Cargo),
            ("/home/u/repo/go.mod", "module x\ntoolchain go1.99", Tool::Go),
            ("/home/u/repo/go.mod", "module x\ngo 1.99.0", Tool::Go),
            ("/home/u/repo/go.mod", "module x\ngo 1.22", Tool::Go),
            ("/home/u/repo/go.mod", "module x\ngo 1.21.1 // x", Tool::Go),
            ("/home/u/repo/go.mod", "module x\ngo 1.99rc1", Tool::Go),
            ("/home/u/repo/go.mod", "module x\ngo\t2.0\r\n", Tool::Go),
            ("/home/u/repo/go.work", "go 1.99\nuse .", Tool::Go),
            ("/home/u/repo/package.json", "{\"packageManager\":\"yarn@https://h/x\"}", Tool::Yarn),
            ("/home/u/repo/package.json", "{\"packag\\u0065Manager\":1}", Tool::Pnpm),
            ("/home/u/repo/.npmrc", "script-shell=./x", Tool::Npm),
            ("/home/u/repo/.yarnrc.yml", "", Tool::Yarn),
            ("/home/u/repo/.ackrc", "--follow", Tool::Ack),
            ("/home/u/repo/.mlrc", "load x.mlr", Tool::Miller),
            ("/home/u/repo/.bandit", "", Tool::Bandit),
            ("/home/u/repo/ruff.toml", "fix-only = true", Tool::Ruff),
            ("/home/u/repo/.ruff.toml", "extend='../x.toml'", Tool::Ruff),
            ("/home/u/repo/pyproject.toml", "[tool.ruff]\n fix=true", Tool::Ruff),
            ("/home/u/repo/pyproject.toml", "tool.ruff.fix = true", Tool::Ruff),
            ("/home/u/repo/pyproject.toml", "[tool]\nruff = {\"fix\"  = true}", Tool::Ruff),
            ("/home/u/repo/pyproject.toml", "[tool.ruff]\n\"f\\u0069x\" = true", Tool::Ruff),
            ("/home/u/repo/pyproject.toml", "[tool.autopep8]\nin_place = true", Tool::Autopep8),
            ("/home/u/repo/setup.cfg", "[pycodestyle]\nin-place = 1", Tool::Autopep8),
            ("/home/u/repo/.nvmrc", "", Tool::Node),
            ("/home/u/repo/.mvn/jvm.config", "", Tool::Maven),
            ("/home/u/repo/.terraform-version", "", Tool::Terraform),
            ("/home/u/repo/.tool-versions", "", Tool::Other),
            ("/home/u/repo/.config/mise/config.toml", "", Tool::Go),
            ("/tmp/mise.toml", "", Tool::Other),
        ] {
            let files: &'static [_] = vec![(file, text)].leak();
            let disk = Disk(files);
            let directory = if file.starts_with("/tmp") { "/tmp/below" } else { "/home/u/repo/a/b" };
            assert!(chosen(&disk, directory, false, tool), "{file}");
            assert_eq!(
                chosen(&disk, directory, true, tool),
                file.starts_with("/tmp"),
                "{file} in a trusted project"
            );
            assert!(!chosen(&disk, "/srv", false, tool), "{file} lies elsewhere");
        }
    }

    #[test]
    fn plain_projects_choose_nothing() {
        let disk = Disk(&[
            ("/home/u/repo/.cargo/config.toml", "[build]\njobs = 2"),
            (
                "/home/u/repo/go.mod",
                "module x\n\ngo 1.21\n\ngodebug default=go1.21\nrequire (\n\tgolang.org/x/text v0.3.0\n)\n",
            ),
            ("/home/u/repo/package.json", "{\"name\":\"x\"}"),
            (
                "/home/u/repo/pyproject.toml",
                "[tool.ruff.lint]\nfixable = ['ALL']\nextend-select = ['I']\nselect=['E']",
            ),
            (
                "/home/u/repo/.npmrc",
                "# ours\nregistry = https://registry.example\n@a:registry=https://b\n//b/:_authToken=${T}",
            ),
        ]);
        for tool in [
            Tool::Cargo,
            Tool::Go,
            Tool::Npm,
            Tool::Node,
            Tool::Other,
            Tool::Python,
            Tool::Gofmt,
            Tool::Ruff,
            Tool::Autopep8,
            Tool::Bandit,
            Tool::Miller,
        ] {
            assert!(!chosen(&disk, "/home/u/repo/src", false, tool), "{tool:?}");
        }
        assert!(
            chosen(&Disk(&[("/home/u/repo/.nvmrc", "")]), "/home/u/link/a", false, Tool::Node),
            "the real path counts"
        );
    }

    #[test]
    fn gofmt_runs_no_other_toolchain() {
        let disk = Disk(&[("/home/u/repo/go.mod", "module x\ngo 1.99\ntoolchain go1.99.1")]);
        assert!(!chosen(&disk, "/home/u/repo", false, Tool::Gofmt));
        assert!(chosen(&Disk(&[("/home/u/repo/.go-version", "")]), "/home/u/repo", false, Tool::Gofmt));
    }

    #[test]
    fn the_home_directory_is_the_users_own() {
        let disk =
            Disk(&[("/home/u/.tool-versions", ""), ("/home/u/.cargo/config.toml", "[alias]\nb = 'build'")]);
        assert!(!chosen(&disk, "/home/u/repo", false, Tool::Cargo));
        let roots = ["/home/u".to_owned()];
        let settings = Settings {
            home: Some("/home/u"),
            resolver: Some(&disk),
            ..Settings::new("/home/u/repo", &roots)
        };
        let directories = Directories::Known(["/home/u/repo".to_owned()].into());
        assert!(
            project_overrides(&settings, &Look::new(&settings), &directories, Tool::Cargo).is_err(),
            "a home that is the project"
        );
    }

    #[test]
    fn without_a_look_only_trust_counts() {
        let roots = ["/repo".to_owned()];
        let at = |path: &str| Directories::Known([path.to_owned()].into());
        let settings = Settings::new("/repo", &roots);
        assert!(project_overrides(&settings, &Look::new(&settings), &at("/repo"), Tool::Cargo).is_err());
        let settings = Settings { trusted: true, ..settings };
        assert!(project_overrides(&settings, &Look::new(&settings), &at("/repo/a"), Tool::Cargo).is_ok());
        assert!(project_overrides(&settings, &Look::new(&settings), &at("/elsewhere"), Tool::Cargo).is_err());
        assert!(
            project_overrides(&settings, &Look::new(&settings), &Directories::Unknown, Tool::Cargo).is_err()
        );
    }
}

//! The repository that git would use in a directory, and what it makes git run.

use std::ops::ControlFlow;

use super::{
    GitSetting,
    index::{self, embedded},
    names_program, read_git_config,
};
use crate::{FileKind, Resolver, join, parent};

/// The largest configuration that is read, in bytes.
const MAX_CONFIG: usize = 1 << 20;

/// How many submodules are looked at; more count as naming a program.
const MAX_SUBMODULES: usize = 256;

/// A repository on disk. All paths are absolute and normalised.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GitRepository {
    /// The directory that holds `.git`; that of a bare repository itself.
    pub root: String,
    /// `.git`, or where a `.git` file points.
    pub git_dir: String,
    /// What linked worktrees share: `git_dir`, or where its `commondir` points.
    pub common_dir: String,
    /// Found as a directory of HEAD, objects and refs, not by `.git`.
    pub bare: bool,
}

/// A reason why git may run a program there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedProgram {
    /// The file that says so.
    pub file: String,
    /// The line in it, from 1; 0 when it is about the whole file.
    pub line: usize,
    /// The setting, as `section.subsection.name`; empty when the file cannot be read or is itself run.
    pub key: String,
    /// What it is set to; none for a setting without `=`, and where there is no key.
    pub value: Option<String>,
}

impl NamedProgram {
    /// A whole file that is run, or that may name anything.
    fn whole(file: &str, line: usize) -> Self {
        Self { file: file.to_owned(), line, key: String::new(), value: None }
    }
}

/// Is shown one reason after the other, and says whether to go on.
type Visit<'v> = &'v mut dyn FnMut(NamedProgram) -> ControlFlow<()>;

/// The repository that git would find from `directory` upwards, as git does: `.git` first, then whether
/// the directory itself is a bare repository. `None` when there is none.
///
/// Names in the environment (`GIT_DIR`) are the caller's business.
#[must_use]
pub fn find_repository(resolver: &dyn Resolver, directory: &str) -> Option<GitRepository> {
    let mut at = Some(directory);
    while let Some(root) = at {
        let dot_git = join(root, ".git");
        let found = match resolver.kind(&dot_git) {
            Some(FileKind::Directory) => Some((dot_git, false)),
            Some(_) => Some((pointed(resolver, &dot_git, root).unwrap_or(dot_git), false)),
            None => is_bare(resolver, root).then(|| (root.to_owned(), true)),
        };
        if let Some((git_dir, bare)) = found {
            let common = resolver.read(&join(&git_dir, "commondir"), 4096).ok();
            let common_dir = common
                .and_then(|text| String::from_utf8(text).ok())
                .map_or_else(|| git_dir.clone(), |text| join(&git_dir, text.trim_end()));
            return Some(GitRepository { root: root.to_owned(), git_dir, common_dir, bare });
        }
        at = parent(root);
    }
    None
}

/// Where a `.git` file (`gitdir: PATH`) points.
fn pointed(resolver: &dyn Resolver, file: &str, root: &str) -> Option<String> {
    let text = String::from_utf8(resolver.read(file, 4096).ok()?).ok()?;
    Some(join(root, text.strip_prefix("gitdir:")?.trim()))
}

fn is_bare(resolver: &dyn Resolver, directory: &str) -> bool {
    let there = |name| resolver.kind(&join(directory, name)).is_some();
    // git asks only whether they may be entered or run, and with a `commondir` it looks for them there.
    there("HEAD") && (there("commondir") || there("objects") && there("refs"))
}

impl GitRepository {
    /// The first reason why a git command that only reads could run a program here: a setting of the
    /// repository or of its submodules, a configuration that cannot be read, or the hook that a refreshed
    /// index runs. The user's and the system's own configuration are not looked at.
    ///
    /// ```
    /// use portcullis_paths::{OsResolver, find_repository};
    ///
    /// if let Some(repository) = find_repository(&OsResolver, "/srv/project") {
    ///     match repository.named_program(&OsResolver) {
    ///         None => println!("git reads only"),
    ///         Some(named) => println!("{}:{}: {}", named.file, named.line, named.key),
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn named_program(&self, resolver: &dyn Resolver) -> Option<NamedProgram> {
        let mut first = None;
        let _ = self.named_below(resolver, &mut 0, &mut |named| {
            first = Some(named);
            ControlFlow::Break(())
        });
        first
    }

    /// All reasons, in the order in which the files are looked at: those of the repository, then those of its
    /// submodules. See [`GitRepository::named_program`].
    #[must_use]
    pub fn named_programs(&self, resolver: &dyn Resolver) -> Vec<NamedProgram> {
        let mut all = Vec::new();
        let _ = self.named_below(resolver, &mut 0, &mut |named| {
            all.push(named);
            ControlFlow::Continue(())
        });
        all
    }

    /// Shows every name that the index lists to `visit`, from the top of the working tree and with slashes, and
    /// returns what `visit` made of `T::default()`. An index that does not exist lists nothing; `None` when it cannot
    /// be read, is not understood, is split over several files or is larger than 64 MiB.
    ///
    /// ```
    /// use portcullis_paths::{OsResolver, find_repository};
    ///
    /// if let Some(repository) = find_repository(&OsResolver, "/srv/project") {
    ///     let count = repository.tracked(&OsResolver, |count: &mut usize, _name| *count += 1);
    ///     println!("{count:?} files");
    /// }
    /// ```
    #[must_use]
    pub fn tracked<T: Default>(&self, resolver: &dyn Resolver, visit: impl Fn(&mut T, &[u8])) -> Option<T> {
        index::names(resolver, &join(&self.git_dir, "index"), visit)
    }

    /// `seen`: submodules so far, at every depth.
    fn named_below(&self, resolver: &dyn Resolver, seen: &mut usize, visit: Visit<'_>) -> ControlFlow<()> {
        self.named_in(resolver, visit)?;
        self.named_in_submodules(resolver, seen, visit)
    }

    /// `git status` and `git diff` run git in every submodule, under its own configuration: in those that
    /// `.gitmodules` names, and in every repository that the index lists.
    fn named_in_submodules(
        &self,
        resolver: &dyn Resolver,
        seen: &mut usize,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        if self.bare {
            return ControlFlow::Continue(());
        }
        let index = join(&self.git_dir, "index");
        let embedded = embedded(resolver, &self.root, &index);
        if embedded.is_none() {
            visit(NamedProgram::whole(&index, 0))?;
        }
        let mut roots: Vec<(String, usize)> =
            embedded.unwrap_or_default().into_iter().map(|root| (root, 0)).collect();
        let file = join(&self.root, ".gitmodules");
        if resolver.kind(&file).is_some() {
            let settings = match resolver.read(&file, MAX_CONFIG).map(|text| read_git_config(&text)) {
                Ok(Ok(settings)) => settings,
                Ok(Err(error)) => {
                    visit(NamedProgram::whole(&file, error.line))?;
                    Vec::new()
                }
                Err(_) => {
                    visit(NamedProgram::whole(&file, 0))?;
                    Vec::new()
                }
            };
            let paths = settings
                .iter()
                .filter(|setting| setting.section == "submodule" && setting.name == "path")
                .map(|setting| {
                    (join(&self.root, setting.value.as_deref().unwrap_or_default()), setting.line)
                });
            for (root, line) in paths {
                if roots.iter().all(|(known, _)| *known != root) {
                    roots.push((root, line));
                }
            }
        }
        for (root, line) in roots {
            *seen += 1;
            if *seen > MAX_SUBMODULES {
                return visit(NamedProgram::whole(if line == 0 { &index } else { &file }, line));
            }
            // Where a checked-out submodule's repository is, its own `.git` says.
            let dot_git = join(&root, ".git");
            match resolver.kind(&dot_git) {
                None => continue,
                Some(FileKind::Directory) => {}
                Some(_) if pointed(resolver, &dot_git, &root).is_none() => {
                    visit(NamedProgram::whole(&dot_git, 0))?;
                    continue;
                }
                Some(_) => {}
            }
            let inner = find_repository(resolver, &root).filter(|inner| inner.root != self.root);
            if let Some(inner) = inner {
                inner.named_below(resolver, seen, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// What this repository's own files name.
    fn named_in(&self, resolver: &dyn Resolver, visit: Visit<'_>) -> ControlFlow<()> {
        for file in [join(&self.common_dir, "config"), join(&self.git_dir, "config.worktree")] {
            if resolver.kind(&file).is_none() {
                continue;
            }
            let Ok(text) = resolver.read(&file, MAX_CONFIG) else {
                visit(NamedProgram::whole(&file, 0))?;
                continue;
            };
            match read_git_config(&text) {
                Ok(settings) => {
                    let named = |setting: &GitSetting| {
                        names_program(setting) && !self.is_own_place(resolver, setting)
                    };
                    for setting in settings.into_iter().filter(named) {
                        let (line, key) = (setting.line, setting.key());
                        visit(NamedProgram { file: file.clone(), line, key, value: setting.value })?;
                    }
                }
                Err(error) => visit(NamedProgram::whole(&file, error.line))?,
            }
        }
        let hook = join(&self.common_dir, "hooks/post-index-change");
        if resolver.kind(&hook).is_none() {
            return ControlFlow::Continue(());
        }
        visit(NamedProgram::whole(&hook, 0))
    }

    /// git says in the configuration of a submodule where its working tree is (gitsubmodules(7)): where the repository
    /// was found from there, that names nothing new. Relative values start at the repository's directory
    /// (git-config(1)).
    fn is_own_place(&self, resolver: &dyn Resolver, setting: &GitSetting) -> bool {
        let Some(place) = setting.value.as_deref().filter(|_| setting.key() == "core.worktree") else {
            return false;
        };
        let own = resolver.realpath(&self.git_dir).and_then(|own| resolver.realpath(&join(&own, place)));
        !self.bare && matches!((own, resolver.realpath(&self.root)), (Ok(own), Ok(root)) if own == root)
    }
}

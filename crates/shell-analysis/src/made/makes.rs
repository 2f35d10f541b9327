//! What an invocation makes: the names that it gives to what was there, and what it writes.

use portcullis_paths::{FileKind, Resolver, is_within, join, normalize, parent};

use super::{How, Made, Name, Wrote, paths::spelled};
use crate::{EffectKind, Invocation, PathTarget, Value, name_set::NameSet};

/// Programs whose output is a copy of what they read.
static COPIERS: NameSet = NameSet::new(&["cp", "gcp", "install", "ginstall", "rsync", "scp", "git", "ditto"]);

/// Programs that put trees into archives, or take them out of one.
static ARCHIVERS: NameSet =
    NameSet::new(&["tar", "gtar", "bsdtar", "cpio", "pax", "zip", "unzip", "7z", "7za", "7zz"]);

/// Programs that put something into a file that does not stand in the text.
static BRINGERS: NameSet = NameSet::new(&[
    "git", "gh", "tar", "gtar", "bsdtar", "unzip", "cpio", "pax", "7z", "7za", "7zz", "unrar", "unar",
    "split", "csplit", "awk", "gawk", "mawk", "patch", "ed", "uudecode", "gunzip", "gzip", "xz", "unxz",
    "zstd", "unzstd", "bunzip2", "bzip2", "lz4", "brotli", "base32", "base64", "xxd", "openssl", "gpg",
    "curl", "wget", "aria2c", "scp", "sftp", "rsync", "hg", "svn",
]);

/// Programs that keep the files of a project for it: what they write there is what they are for.
static KEEPERS: NameSet = NameSet::new(&[
    "git",
    "go",
    "npm",
    "pnpm",
    "yarn",
    "yarnpkg",
    "bun",
    "deno",
    "corepack",
    "cargo",
    "rustup",
    "pip",
    "pip3",
    "uv",
    "poetry",
    "pipenv",
    "pdm",
    "hatch",
    "bundle",
    "bundler",
    "mvn",
    "gradle",
    "dotnet",
    "composer",
    "terraform",
    "tofu",
    "rustfmt",
    "gofmt",
]);

/// Programs that make directories and empty files.
static EMPTY: NameSet = NameSet::new(&["mkdir", "touch", "mkfifo"]);

/// What is known of an invocation that writes.
struct Maker<'a> {
    invocation: &'a Invocation,
    base: &'a str,
    how: Option<How>,
    /// What it reads, and whether everything below it.
    reads: Vec<(&'a PathTarget, bool)>,
    archives: bool,
    /// It makes symbolic links.
    symbolic: bool,
    resolver: Option<&'a dyn Resolver>,
}

impl Made {
    /// Remembers what an invocation makes; gives back where its links lead when that is not where the words say.
    pub(crate) fn remember(
        &mut self,
        invocation: &Invocation,
        by: usize,
        upstream: &[Invocation],
        resolver: Option<&dyn Resolver>,
    ) -> Vec<PathTarget> {
        if writes(invocation).next().is_none() {
            return Vec::new();
        }
        let maker = Maker::new(invocation, upstream, resolver);
        let backups =
            maker.how.is_some_and(|how| how != How::Copy || matches!(maker.base, "cp" | "gcp" | "install"))
                && backs_up(invocation);
        let mut led = Vec::new();
        for (target, redirection) in writes(invocation) {
            let (path, below) = match target {
                PathTarget::Path(path) => (path, false),
                PathTarget::Below(path) | PathTarget::Glob(_, path) => (path, true),
                PathTarget::Unknown => {
                    self.anywhere = true;
                    continue;
                }
            };
            // What git keeps for itself it writes as it should.
            let own = maker.base == "git" && !redirection && path.contains("/.git/");
            if own || path.starts_with("/dev/") {
                continue;
            }
            let how = maker.how.filter(|_| maker.archives || !redirection);
            if how.is_some() && !below && maker.lands_inside(path) {
                continue;
            }
            for path in spelled(path, resolver).into_iter().flatten() {
                let Some(how) = how else {
                    self.put(maker.wrote(path, below, redirection));
                    continue;
                };
                self.put(maker.wrote(path.clone(), below, redirection));
                if backups {
                    self.back_up(path.clone(), by);
                }
                for source in maker.sources(how) {
                    self.name(Name { path: path.clone(), longer: false, below, how, source, by });
                }
                for source in maker.said(&path, below) {
                    led.push(source.clone());
                    self.name(Name { path: path.clone(), longer: false, below, how, source, by });
                }
            }
        }
        led.retain(|target| match target {
            PathTarget::Path(path) => {
                let path = normalize(path);
                !maker.reads_path(&path) && !self.names.iter().any(|name| name.path == path)
            }
            _ => true,
        });
        led.dedup();
        led
    }

    /// What was at `path` has a longer name then.
    fn back_up(&mut self, path: String, by: usize) {
        self.put(Wrote {
            path: path.clone(),
            longer: true,
            tree: true,
            brought: false,
            git: None,
            kept: false,
            empty: false,
            came: true,
        });
        let source = PathTarget::Path(path.clone());
        self.name(Name { path, longer: true, below: false, how: How::Move, source, by });
    }
}

impl<'a> Maker<'a> {
    fn new(
        invocation: &'a Invocation,
        upstream: &'a [Invocation],
        resolver: Option<&'a dyn Resolver>,
    ) -> Self {
        let base = invocation.base_name().unwrap_or_default();
        let how = how(invocation, base);
        let archives = ARCHIVERS.contains(base);
        // An archive may come through a pipe.
        let upstream = upstream.iter().filter(|_| archives);
        let reads = upstream
            .chain([invocation])
            .flat_map(|invocation| &invocation.effects)
            .filter(|effect| how.is_some() && (archives || !effect.redirection))
            .filter_map(|effect| match &effect.kind {
                // What git has in its objects is read under the name of the directory too.
                EffectKind::Read { path: PathTarget::Below(_), .. } if base == "git" => None,
                EffectKind::Read { path, recursive } => Some((path, *recursive)),
                _ => None,
            })
            .collect();
        let symbolic = matches!(base, "ln" | "gln") && flagged(invocation, &['s'], &["symbolic"]);
        Self { invocation, base, how, reads, archives, symbolic, resolver }
    }

    /// Whether the file at a normalised path is read.
    fn reads_path(&self, path: &str) -> bool {
        self.reads.iter().any(|(read, _)| matches!(read, PathTarget::Path(read) if normalize(read) == path))
    }

    fn wrote(&self, path: String, below: bool, redirection: bool) -> Wrote {
        let trees = self.how.is_some() && (self.archives || !redirection);
        let git = (self.base == "git" && !redirection).then(|| match &self.invocation.directories {
            crate::Directories::Known(all) => all.to_vec(),
            crate::Directories::Unknown => Vec::new(),
        });
        Wrote {
            path,
            longer: false,
            tree: below || trees && self.reads.iter().any(|(_, recursive)| *recursive),
            brought: BRINGERS.contains(self.base) && !redirection,
            git,
            kept: KEEPERS.contains(self.base) && !redirection,
            empty: EMPTY.contains(self.base) && !redirection,
            came: trees,
        }
    }

    /// What lands in a directory that is there has a name of its own.
    fn lands_inside(&self, path: &str) -> bool {
        directory(self.invocation, path, self.resolver) && {
            let path = normalize(path);
            writes(self.invocation).any(|(other, _)| match other {
                PathTarget::Path(other) => {
                    let other = normalize(other);
                    other != path && is_within(&other, &path)
                }
                PathTarget::Below(other) | PathTarget::Glob(_, other) => is_within(&normalize(other), &path),
                PathTarget::Unknown => false,
            })
        }
    }

    /// What the names that it makes may stand for.
    fn sources(&self, how: How) -> impl Iterator<Item = PathTarget> {
        self.reads.iter().filter_map(move |(source, _)| match source {
            PathTarget::Path(source) => Some(PathTarget::Path(source.clone())),
            PathTarget::Below(source) | PathTarget::Glob(_, source) => {
                Some(PathTarget::Below(source.clone()))
            }
            PathTarget::Unknown => (how == How::Link).then_some(PathTarget::Unknown),
        })
    }

    /// What a symbolic link at `path` says: it is said from where it lies (symlink(7)).
    fn said(&self, path: &str, below: bool) -> Vec<PathTarget> {
        let Some(from) = (if below { Some(path) } else { parent(path) }).filter(|_| self.symbolic) else {
            return Vec::new();
        };
        let words = self.invocation.words.iter().skip(1).filter_map(|word| word.value.known());
        words
            .filter(|text| !text.starts_with(['-', '/']) && !text.is_empty() && self.is_source(text))
            .map(|text| join(from, text))
            .filter(|source| source != path && !is_within(source, path))
            .map(PathTarget::Path)
            .collect()
    }

    /// Whether a word is one of the files that are read.
    fn is_source(&self, text: &str) -> bool {
        let crate::Directories::Known(directories) = &self.invocation.directories else { return false };
        directories.iter().map(|directory| join(directory, text)).any(|word| self.reads_path(&word))
    }
}

/// What it writes, and whether by redirection.
fn writes(invocation: &Invocation) -> impl Iterator<Item = (&PathTarget, bool)> {
    invocation.effects.iter().filter_map(|effect| match &effect.kind {
        EffectKind::Write(path) => Some((path, effect.redirection)),
        _ => None,
    })
}

/// How the files that an invocation writes come from those that it reads.
fn how(invocation: &Invocation, base: &str) -> Option<How> {
    match base {
        "ln" | "gln" | "link" => Some(How::Link),
        "mv" | "gmv" | "rename" => Some(How::Move),
        "cp" | "gcp" if flagged(invocation, &['s', 'l'], &["link", "symbolic-link"]) => Some(How::Link),
        "git" if invocation.words.iter().any(|word| word.value.known() == Some("mv")) => Some(How::Move),
        base if COPIERS.contains(base) || ARCHIVERS.contains(base) => Some(How::Copy),
        _ => None,
    }
}

/// Whether a word may be one of these options.
fn flagged(invocation: &Invocation, letters: &[char], long: &[&str]) -> bool {
    invocation.words.iter().skip(1).any(|word| {
        may_be(&word.value, |text| match text.strip_prefix("--") {
            Some(name) => name.len() > 1 && long.iter().any(|long| long.starts_with(name)),
            None => text.strip_prefix('-').is_some_and(|cluster| cluster.contains(letters)),
        })
    })
}

/// Whether a word may be an option that `is` knows.
fn may_be(value: &Value, is: impl Fn(&str) -> bool) -> bool {
    match value {
        Value::Unknown => true,
        value => value.candidates().unwrap_or_default().iter().any(|text| is(text)),
    }
}

/// Whether `path` is a directory into which things are put, and not replaced by a link.
fn directory(invocation: &Invocation, path: &str, resolver: Option<&dyn Resolver>) -> bool {
    let replaces =
        invocation.words.iter().skip(1).filter_map(|word| word.value.known()).any(|text| {
            match text.strip_prefix("--") {
                Some(name) => name.starts_with("no-"),
                None => text.strip_prefix('-').is_some_and(|cluster| cluster.contains(['n', 'T'])),
            }
        });
    !replaces
        && (path.ends_with(['/', '.'])
            || resolver.is_some_and(|resolver| resolver.kind(path) == Some(FileKind::Directory)))
}

/// Whether an invocation may keep what it replaces under a longer name (coreutils manual 2.2, Backup options).
pub(crate) fn backs_up(invocation: &Invocation) -> bool {
    let asks = |text: &str| match text.strip_prefix("--") {
        Some(name) => ["backup", "suffix"].iter().any(|long| {
            let name = name.split('=').next().unwrap_or(name);
            !name.is_empty() && long.starts_with(name)
        }),
        None => text.strip_prefix('-').is_some_and(|cluster| cluster.contains(['b', 'S'])),
    };
    invocation.words.iter().skip(1).any(|word| may_be(&word.value, asks))
}

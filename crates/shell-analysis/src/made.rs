//! Names that a text makes by linking, moving or copying, and what it writes anywhere: later words that lead
//! through such a name mean other places too than the file system shows now.

use std::{cell::Cell, collections::BTreeSet};

use portcullis_paths::{FileKind, Resolver, is_within, join, normalize, parent};

use crate::{Effect, EffectKind, Invocation, PathTarget, Value, pattern};

/// The most other places that one path may mean; beyond it any.
const MAX_PLACES: usize = 32;
/// The most names that are kept; beyond it every path may be one of them.
const MAX_NAMES: usize = 512;

/// The most paths that are resolved to compare them with names; beyond it any path may be one of them.
const MAX_RESOLVED: usize = 1 << 13;

/// Programs whose output is a copy of what they read.
const COPIERS: &[&str] = &["cp", "gcp", "install", "ginstall", "rsync", "scp", "git", "ditto"];

/// Programs that put trees into archives, or take them out of one.
const ARCHIVERS: &[&str] = &["tar", "gtar", "bsdtar", "cpio", "pax", "zip", "unzip", "7z", "7za", "7zz"];

/// Programs that put something into a file that does not stand in the text.
const BRINGERS: &[&str] = &[
    "git", "gh", "tar", "gtar", "bsdtar", "unzip", "cpio", "pax", "7z", "7za", "7zz", "unrar", "unar",
    "split", "csplit", "awk", "gawk", "mawk", "patch", "ed", "uudecode", "gunzip", "gzip", "xz", "unxz",
    "zstd", "unzstd", "bunzip2", "bzip2", "lz4", "brotli", "base32", "base64", "xxd", "openssl", "gpg",
    "curl", "wget", "aria2c", "scp", "sftp", "rsync", "hg", "svn",
];

/// What makes a directory a repository of git's, or leads it to one (gitrepository-layout(5)).
const REPOSITORY: &[&str] = &[".git", "HEAD", "objects", "refs", "commondir", "gitdir"];

/// How a name came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// It is the same file.
    Link,
    /// It is what was there, links in it included.
    Move,
    /// It has the same content.
    Copy,
}

/// One name.
#[derive(Debug)]
struct Name {
    path: String,
    /// Everything that begins with it, such as the names of backups.
    longer: bool,
    /// Everything below it.
    below: bool,
    how: How,
    source: PathTarget,
    /// The invocation that makes it, by its place in the plan.
    by: usize,
}

/// One place that was written.
#[derive(Debug)]
struct Wrote {
    path: String,
    longer: bool,
    /// A whole tree may have come there.
    tree: bool,
    /// What came there does not stand in the text.
    brought: bool,
    /// Where git ran that wrote it.
    git: Option<Vec<String>>,
}

/// What one text makes.
#[derive(Debug, Default)]
pub(crate) struct Made {
    names: Vec<Name>,
    wrote: Vec<Wrote>,
    /// Something was written nobody knows where.
    anywhere: bool,
    /// How many paths were resolved to compare them with names.
    resolved: Cell<usize>,
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
        let writes = invocation.effects.iter().filter_map(written);
        if writes.clone().next().is_none() {
            return Vec::new();
        }
        let base = invocation.base_name().unwrap_or_default();
        let how = how(invocation, base);
        let backups = how.is_some_and(|how| how != How::Copy || matches!(base, "cp" | "gcp" | "install"))
            && invocation.words.iter().skip(1).any(|word| may_be(&word.value, backs_up));
        let archives = ARCHIVERS.contains(&base);
        // An archive may come through a pipe.
        let upstream = upstream.iter().filter(|_| archives);
        let reads: Vec<(&PathTarget, bool)> = upstream
            .chain([invocation])
            .flat_map(|invocation| &invocation.effects)
            .filter(|effect| how.is_some() && (archives || !effect.redirection))
            .filter_map(|effect| match &effect.kind {
                EffectKind::Read { path, recursive } => Some((path, *recursive)),
                _ => None,
            })
            .collect();
        let tree = how.is_some() && reads.iter().any(|(_, recursive)| *recursive);
        let git = (base == "git").then(|| match &invocation.directories {
            crate::Directories::Known(all) => all.to_vec(),
            crate::Directories::Unknown => Vec::new(),
        });
        let symbolic = matches!(base, "ln" | "gln") && flagged(invocation, &['s'], &["symbolic"]);
        let is_source = |text: &str| {
            let crate::Directories::Known(directories) = &invocation.directories else { return false };
            directories.iter().map(|directory| join(directory, text)).any(|word| {
                reads
                    .iter()
                    .any(|(read, _)| matches!(read, PathTarget::Path(read) if normalize(read) == word))
            })
        };
        let mut led = Vec::new();
        for (target, redirection) in writes.clone() {
            let (path, below) = match target {
                PathTarget::Path(path) => (path, false),
                PathTarget::Below(path) | PathTarget::Glob(_, path) => (path, true),
                PathTarget::Unknown => {
                    self.anywhere = true;
                    continue;
                }
            };
            // What git keeps for itself it writes as it should.
            let own = base == "git" && !redirection && path.contains("/.git/");
            if own || path.starts_with("/dev/") {
                continue;
            }
            let how = how.filter(|_| archives || !redirection);
            // What lands in a directory that is there has a name of its own.
            let into = how.is_some() && !below && directory(invocation, path, resolver) && {
                let path = normalize(path);
                writes.clone().any(|(other, _)| match other {
                    PathTarget::Path(other) => {
                        let other = normalize(other);
                        other != path && is_within(&other, &path)
                    }
                    PathTarget::Below(other) | PathTarget::Glob(_, other) => {
                        is_within(&normalize(other), &path)
                    }
                    PathTarget::Unknown => false,
                })
            };
            if into {
                continue;
            }
            let brought = BRINGERS.contains(&base) && !redirection;
            for path in spelled(path, resolver).into_iter().flatten() {
                let tree = below || tree && how.is_some();
                let git = git.clone().filter(|_| !redirection);
                let Some(how) = how else {
                    self.put(Wrote { path, longer: false, tree, brought, git });
                    continue;
                };
                self.put(Wrote { path: path.clone(), longer: false, tree, brought, git });
                if backups {
                    self.put(Wrote {
                        path: path.clone(),
                        longer: true,
                        tree: true,
                        brought: false,
                        git: None,
                    });
                    self.name(Name {
                        path: path.clone(),
                        longer: true,
                        below: false,
                        how: How::Move,
                        source: PathTarget::Path(path.clone()),
                        by,
                    });
                }
                for (source, _) in &reads {
                    let source = match source {
                        PathTarget::Path(source) => PathTarget::Path(source.clone()),
                        PathTarget::Below(source) | PathTarget::Glob(_, source) => {
                            PathTarget::Below(source.clone())
                        }
                        PathTarget::Unknown if how == How::Link => PathTarget::Unknown,
                        PathTarget::Unknown => continue,
                    };
                    self.name(Name { path: path.clone(), longer: false, below, how, source, by });
                }
                if symbolic {
                    // What a symbolic link says is said from where it lies (symlink(7)).
                    let Some(from) = (if below { Some(path.as_str()) } else { parent(&path) }) else {
                        continue;
                    };
                    for word in invocation.words.iter().skip(1) {
                        let Some(text) = word.value.known() else { continue };
                        if text.starts_with(['-', '/']) || text.is_empty() || !is_source(text) {
                            continue;
                        }
                        let source = join(from, text);
                        if source != path && !is_within(&source, &path) {
                            let source = PathTarget::Path(source);
                            led.push(source.clone());
                            self.name(Name { path: path.clone(), longer: false, below, how, source, by });
                        }
                    }
                }
            }
        }
        let known = |target: &PathTarget| match target {
            PathTarget::Path(path) => {
                let path = normalize(path);
                reads
                    .iter()
                    .any(|(read, _)| matches!(read, PathTarget::Path(read) if normalize(read) == path))
                    || self.names.iter().any(|name| name.path == path)
            }
            _ => false,
        };
        led.retain(|target| !known(target));
        led.dedup();
        led
    }

    fn put(&mut self, wrote: Wrote) {
        if self.wrote.len() >= MAX_NAMES {
            self.anywhere = true;
            return;
        }
        self.wrote.push(wrote);
    }

    fn name(&mut self, name: Name) {
        // A link into itself leads nowhere, and nothing can be moved into itself.
        if matches!(&name.source, PathTarget::Path(source) if !name.longer && is_within(&normalize(source), &name.path))
        {
            return;
        }
        match self.names.len() {
            MAX_NAMES => self.names.push(Name {
                path: "/".to_owned(),
                longer: false,
                below: true,
                how: How::Link,
                source: PathTarget::Unknown,
                by: usize::MAX,
            }),
            count if count < MAX_NAMES => self.names.push(name),
            _ => {}
        }
    }

    /// Whether nothing was written.
    pub(crate) fn wrote_nothing(&self) -> bool {
        self.wrote.is_empty() && !self.anywhere
    }

    /// Whether no name was made.
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Adds what the effects of an invocation mean behind the names that were made.
    pub(crate) fn follow(&self, invocation: &mut Invocation, at: usize, resolver: Option<&dyn Resolver>) {
        if self.names.is_empty() {
            return;
        }
        let mut more = Vec::new();
        for effect in &invocation.effects {
            let alters = !matches!(effect.kind, EffectKind::Read { .. } | EffectKind::Metadata(_));
            let deletes = matches!(effect.kind, EffectKind::Delete { .. });
            let Some(target) = target(&effect.kind) else { continue };
            for place in self.places(target, alters, deletes, at, resolver) {
                more.push(Effect {
                    kind: with(&effect.kind, place),
                    redirection: effect.redirection,
                    span: effect.span,
                });
            }
        }
        invocation.effects.append(&mut more);
    }

    /// Every other place whose content may be at `path`; the second: some other content may be there.
    pub(crate) fn contents(&self, path: &str, resolver: Option<&dyn Resolver>) -> (Vec<String>, bool) {
        if self.wrote.is_empty() {
            return (Vec::new(), self.anywhere);
        }
        let mut unknown = self.brings(path, resolver);
        let mut paths = Vec::new();
        for place in self.places(&PathTarget::Path(path.to_owned()), false, false, usize::MAX, resolver) {
            match place {
                PathTarget::Path(path) => {
                    unknown |= self.brings(&path, resolver);
                    paths.push(path);
                }
                _ => unknown = true,
            }
        }
        (paths, unknown)
    }

    fn brings(&self, path: &str, resolver: Option<&dyn Resolver>) -> bool {
        let paths = spellings(path, resolver);
        paths.iter().any(|path| {
            self.wrote
                .iter()
                .filter(|wrote| wrote.brought)
                .any(|wrote| wrote.path == *path || wrote.tree && is_within(path, &wrote.path))
        })
    }

    /// The other places that a path may mean.
    fn places(
        &self,
        target: &PathTarget,
        alters: bool,
        deletes: bool,
        at: usize,
        resolver: Option<&dyn Resolver>,
    ) -> Vec<PathTarget> {
        let mut found = Vec::new();
        let (start, globs) = match target {
            PathTarget::Path(path) => (path, false),
            PathTarget::Glob(pattern, _) => (pattern, true),
            PathTarget::Below(directory) => {
                if alters && !deletes {
                    // A link below it may be what is written through.
                    let inside = |name: &&Name| {
                        name.by != at && name.how == How::Link && is_within(&name.path, directory)
                    };
                    found.extend(self.names.iter().filter(inside).map(|name| name.source.clone()));
                }
                (directory, false)
            }
            PathTarget::Unknown => return found,
        };
        let mut seen = BTreeSet::from([start.clone()]);
        let mut ahead = vec![start.clone()];
        while let Some(path) = ahead.pop() {
            for end in ends(&path) {
                let (Some(prefix), Some(rest)) = (path.get(..end), path.get(end..)) else { continue };
                let rest = rest.trim_matches('/');
                let last = prefix.rsplit('/').next().unwrap_or_default();
                if !globs && !self.names.iter().any(|name| name.may_end(last)) {
                    continue;
                }
                self.resolved.set(self.resolved.get() + 1);
                if self.resolved.get() > MAX_RESOLVED {
                    found.push(PathTarget::Unknown);
                    return found;
                }
                let spelled = if globs { vec![prefix.to_owned()] } else { spellings(prefix, resolver) };
                for name in self.names.iter().filter(|name| name.by != at) {
                    if deletes
                        && rest.is_empty()
                        && name.how != How::Copy
                        && matches!(target, PathTarget::Path(_))
                    {
                        continue;
                    }
                    if !spelled.iter().any(|spelled| name.is(spelled, globs)) {
                        continue;
                    }
                    let place = name.behind(rest);
                    let PathTarget::Path(place) = place else {
                        if name.how == How::Link || !alters {
                            found.push(place);
                        }
                        continue;
                    };
                    if !seen.insert(place.clone()) {
                        continue;
                    }
                    if name.how == How::Copy && alters {
                        // Writing to a copy is writing to it alone, unless a link was copied.
                        if let Some(leaves) = leaves(name, rest, resolver) {
                            found.push(leaves);
                            found.push(PathTarget::Unknown);
                        }
                        continue;
                    }
                    found.push(match target {
                        PathTarget::Below(_) => PathTarget::Below(place.clone()),
                        PathTarget::Glob(..) if place.split('/').any(pattern::is_pattern) => {
                            let fixed = fixed(&place);
                            PathTarget::Glob(place.clone(), fixed)
                        }
                        _ => PathTarget::Path(place.clone()),
                    });
                    ahead.push(place);
                }
                if seen.len() > MAX_PLACES {
                    found.push(PathTarget::Unknown);
                    return found;
                }
            }
        }
        found.dedup();
        found
    }

    /// Whether the text may have written the file at `path`.
    pub(crate) fn may_have_written(&self, path: &str) -> bool {
        self.anywhere
            || self.wrote.iter().any(|wrote| {
                wrote.path == path
                    || wrote.tree && is_within(path, &wrote.path)
                    || wrote.longer && longer(path, &wrote.path)
            })
    }

    /// Whether git in `directory` may come upon a repository that the text made or changed.
    pub(crate) fn may_make_repository(&self, directory: &str) -> bool {
        self.anywhere || self.wrote.iter().any(|wrote| wrote.makes_repository(directory))
    }
}

impl Wrote {
    fn makes_repository(&self, directory: &str) -> bool {
        // What git keeps for itself it writes as it should; what it checks out is where it ran.
        if let Some(from) = &self.git {
            return self.tree
                && is_within(directory, &self.path)
                && !from.iter().any(|from| normalize(from) == directory);
        }
        if self.tree && !self.longer && is_within(directory, &self.path) {
            return true;
        }
        let named = |name: &str, above: &str| {
            REPOSITORY.iter().any(|known| if self.longer { known.starts_with(name) } else { *known == name })
                && is_within(directory, above)
                && !is_within(directory, &join(above, name))
        };
        ends(&self.path).any(|end| {
            let prefix = self.path.get(..end).unwrap_or_default();
            let (above, name) = prefix.rsplit_once('/').unwrap_or(("", prefix));
            let last = end == self.path.len();
            let above = if above.is_empty() { "/" } else { above };
            (last || !self.longer) && !name.is_empty() && named(name, above)
        })
    }
}

impl Name {
    fn is(&self, path: &str, globs: bool) -> bool {
        if globs {
            let count = path.split('/').count();
            return count == self.path.split('/').count()
                && path.split('/').zip(self.path.split('/')).all(|(component, name)| {
                    if pattern::is_pattern(component) {
                        pattern::may_match_dots(component, name)
                    } else {
                        pattern::literal(component) == name
                    }
                });
        }
        match (self.longer, self.below) {
            (true, _) => longer(path, &self.path),
            (false, true) => is_within(path, &self.path),
            (false, false) => path == self.path,
        }
    }

    /// Whether a path with this last component may be it, in any spelling.
    fn may_end(&self, last: &str) -> bool {
        let own = self.path.rsplit('/').next().unwrap_or_default();
        self.below || own == last || self.longer && last.starts_with(own) || matches!(last, "" | "." | "..")
    }

    fn behind(&self, rest: &str) -> PathTarget {
        match &self.source {
            PathTarget::Path(source) if rest.is_empty() => PathTarget::Path(source.clone()),
            PathTarget::Path(source) => PathTarget::Path(format!("{}/{rest}", source.trim_end_matches('/'))),
            source => source.clone(),
        }
    }
}

/// `path` is `name` with more letters at the end of it.
fn longer(path: &str, name: &str) -> bool {
    path.strip_prefix(name).is_some_and(|more| !more.is_empty() && !more.contains('/'))
}

/// Where a component of `path` ends.
fn ends(path: &str) -> impl Iterator<Item = usize> {
    let inner = path.bytes().enumerate().skip(1).filter(|(_, byte)| *byte == b'/').map(|(at, _)| at);
    let trailing = path.ends_with('/');
    inner.chain((!trailing).then_some(path.len()))
}

/// A path as it is written, and as it is reached through links that are there.
pub(crate) fn spellings(path: &str, resolver: Option<&dyn Resolver>) -> Vec<String> {
    spelled(path, resolver).into_iter().flatten().collect()
}

fn spelled(path: &str, resolver: Option<&dyn Resolver>) -> [Option<String>; 2] {
    let lexical = normalize(path);
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let above = path.trim_end_matches('/').strip_suffix(last).unwrap_or_default();
    let real = match last {
        "" | "." | ".." => resolver.and_then(|resolver| resolver.realpath(path).ok()),
        last => resolver.and_then(|resolver| resolver.realpath(above).ok()).map(|above| join(&above, last)),
    };
    let real = real.filter(|real| *real != lexical);
    [Some(lexical), real]
}

/// Where a copied link leads, when one is on the way to `rest`.
fn leaves(name: &Name, rest: &str, resolver: Option<&dyn Resolver>) -> Option<PathTarget> {
    let PathTarget::Path(source) = &name.source else { return None };
    let resolver = resolver?;
    let spelled = spellings(source, Some(resolver));
    let plain = join(spelled.last()?, rest);
    let real = resolver.realpath(&plain).ok();
    (real.as_deref() != Some(&plain)).then(|| real.map_or(PathTarget::Unknown, PathTarget::Path))
}

fn written(effect: &Effect) -> Option<(&PathTarget, bool)> {
    match &effect.kind {
        EffectKind::Write(path) => Some((path, effect.redirection)),
        _ => None,
    }
}

fn target(kind: &EffectKind) -> Option<&PathTarget> {
    match kind {
        EffectKind::Read { path, .. } | EffectKind::Delete { path, .. } => Some(path),
        EffectKind::Metadata(path) | EffectKind::ChangeMetadata(path) | EffectKind::Write(path) => Some(path),
        _ => None,
    }
}

fn with(kind: &EffectKind, place: PathTarget) -> EffectKind {
    match kind {
        EffectKind::Read { recursive, .. } => EffectKind::Read { path: place, recursive: *recursive },
        EffectKind::Delete { recursive, .. } => EffectKind::Delete { path: place, recursive: *recursive },
        EffectKind::Metadata(_) => EffectKind::Metadata(place),
        EffectKind::ChangeMetadata(_) => EffectKind::ChangeMetadata(place),
        _ => EffectKind::Write(place),
    }
}

/// The directory before the first component that has a wildcard.
fn fixed(pattern: &str) -> String {
    let plain: Vec<&str> = pattern.split('/').take_while(|part| !pattern::is_pattern(part)).collect();
    let directory = pattern::literal(&plain.join("/"));
    if directory.is_empty() { "/".to_owned() } else { directory }
}

/// How the files that an invocation writes come from those that it reads.
fn how(invocation: &Invocation, base: &str) -> Option<How> {
    match base {
        "ln" | "gln" | "link" => Some(How::Link),
        "mv" | "gmv" | "rename" => Some(How::Move),
        "cp" | "gcp" if flagged(invocation, &['s', 'l'], &["link", "symbolic-link"]) => Some(How::Link),
        "git" if invocation.words.iter().any(|word| word.value.known() == Some("mv")) => Some(How::Move),
        base if COPIERS.contains(&base) || ARCHIVERS.contains(&base) => Some(How::Copy),
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

/// A flag that keeps what was there under a longer name (coreutils manual 2.2, Backup options).
fn backs_up(text: &str) -> bool {
    match text.strip_prefix("--") {
        Some(name) => ["backup", "suffix"].iter().any(|long| {
            let name = name.split('=').next().unwrap_or(name);
            !name.is_empty() && long.starts_with(name)
        }),
        None => text.strip_prefix('-').is_some_and(|cluster| cluster.contains(['b', 'S'])),
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

//! Effects of the paths that words name.

use super::{
    super::flags::{self, Slot},
    super::targets::each_target,
    Build,
};
use crate::{
    Below, Effect, EffectKind, GlobPattern, PathTarget, Span, Text, Value, lies_inside, name_set::NameSet,
    pattern,
};

impl<'a> Build<'a> {
    pub(crate) fn read(&mut self, value: &Value, recursive: bool, span: Span) {
        if value.known() == Some("-") {
            return;
        }
        if let Some(text) = value.known().filter(|text| is_address(text) && !PATHS_ONLY.contains(self.base()))
        {
            self.push(EffectKind::Opaque(format!("`{text}` may be an address and not a path").into()), span);
        }
        self.each_path(value, span, |path| EffectKind::Read { path, recursive });
    }

    /// A word that the program itself takes for a pattern, where the shell left it one.
    pub(crate) fn read_matching(&mut self, value: &Value, recursive: bool, span: Span) {
        self.read(value, recursive, span);
        for text in value.candidates().unwrap_or_default() {
            let Some(wild) = text.find(['*', '?', '[']) else { continue };
            let prefix = text.get(..wild).unwrap_or_default().into();
            let pattern = GlobPattern { pattern: text.clone(), prefix };
            self.read(&Value::Glob(pattern.into()), recursive, span);
        }
    }

    /// What gzip and the programs around it read: where there is no such file, one with an ending of theirs (gzip(1)).
    pub(crate) fn read_gzipped(&mut self, value: &Value, recursive: bool, span: Span) {
        const ENDINGS: [&str; 6] = [".gz", ".z", ".Z", "-gz", "-z", "_z"];
        self.read(value, recursive, span);
        for text in value.candidates().unwrap_or_default() {
            let complete = ENDINGS.iter().any(|ending| text.ends_with(ending)) || text.ends_with(".tgz");
            if complete || self.is_there(&Value::Known(text.clone())) {
                continue;
            }
            for ending in ENDINGS {
                self.read(&Value::Known(format!("{text}{ending}").into()), recursive, span);
            }
        }
    }

    /// Whether the resolver finds something at every place that `value` may mean.
    pub(crate) fn is_there(&self, value: &Value) -> bool {
        let Some(resolver) = self.settings.resolver else { return false };
        let there =
            |target: &PathTarget| matches!(target, PathTarget::Path(path) if resolver.kind(path).is_some());
        self.targets(value).iter().all(there)
    }

    /// Whether the resolver finds nothing at any of them.
    pub(crate) fn is_absent(&self, value: &Value) -> bool {
        let Some(resolver) = self.settings.resolver else { return false };
        let absent =
            |target: &PathTarget| matches!(target, PathTarget::Path(path) if resolver.kind(path).is_none());
        self.targets(value).iter().all(absent)
    }

    /// An effect of each path that `value` may name.
    fn each_path(&mut self, value: &Value, span: Span, effect: impl Fn(PathTarget) -> EffectKind) {
        let Self { effects, moved, directories, look, .. } = self;
        each_target(value, moved.as_ref().unwrap_or(directories), look, |path| {
            effects.push(Effect { kind: effect(path), redirection: false, span });
        });
    }

    /// It follows links that it comes to in the directories that it reads.
    pub(crate) fn follows(&mut self) {
        self.following = true;
        if self.settings.resolver.is_none() && !self.settings.allow_external_paths {
            self.effect(EffectKind::Opaque("it follows links to wherever they lead".into()));
        }
    }

    /// The same, of a program that mostly reads single files: without a resolver it comes to none.
    pub(crate) fn follows_in_directories(&mut self) {
        self.following = true;
    }

    /// Reads what those links lead to as well.
    pub(crate) fn read_behind_links(&mut self) {
        if !self.following {
            return;
        }
        let mut found = Vec::new();
        for effect in self.effects.get(self.start..).unwrap_or_default() {
            let EffectKind::Read { path, recursive: true } = &effect.kind else { continue };
            let (PathTarget::Path(path) | PathTarget::Below(path) | PathTarget::Glob(_, path)) = path else {
                continue;
            };
            match self.look.leading_out(&Below::new(path.as_str())) {
                Some(links) => {
                    found.extend(links.into_iter().map(|link| (PathTarget::Path(link), effect.span)));
                }
                // Wherever they lead, it may be read.
                None if self.settings.allow_external_paths => {}
                None => found.push((PathTarget::Unknown, effect.span)),
            }
        }
        for (path, span) in found {
            self.push(EffectKind::Read { path, recursive: true }, span);
        }
    }

    /// Writes a backup, the name with `suffix`, of each file that is written from an effect on.
    pub(crate) fn write_backups(&mut self, from: usize, suffix: &str) {
        let written = self.effects_from(from).iter();
        let kept: Vec<(PathTarget, Span)> = written
            .filter_map(|effect| match &effect.kind {
                EffectKind::Write(PathTarget::Path(path)) => {
                    Some((PathTarget::Path(format!("{path}{suffix}")), effect.span))
                }
                EffectKind::Write(PathTarget::Glob(pattern, directory)) => {
                    let suffix = pattern::escaped(suffix);
                    Some((PathTarget::Glob(format!("{pattern}{suffix}"), directory.clone()), effect.span))
                }
                EffectKind::Write(_) => Some((PathTarget::Unknown, effect.span)),
                _ => None,
            })
            .collect();
        for (path, span) in kept {
            self.push(EffectKind::Write(path), span);
        }
    }

    /// Writes what the links in the tree at `path` lead to.
    pub(crate) fn write_behind_links(&mut self, path: &str, span: Span) {
        match self.look.leading_out(&Below::new(path)) {
            Some(links) => {
                for link in links {
                    self.push(EffectKind::Write(PathTarget::Path(link)), span);
                }
            }
            None => self.push(EffectKind::Write(PathTarget::Unknown), span),
        }
    }

    /// Everything below the working directory.
    pub(crate) fn read_here(&mut self) {
        let span = self.span;
        self.read(&Value::Known(Text::from_static(".")), true, span);
    }

    pub(crate) fn metadata(&mut self, value: &Value, span: Span) {
        self.each_path(value, span, EffectKind::Metadata);
    }

    pub(crate) fn change_metadata(&mut self, value: &Value, span: Span) {
        self.each_path(value, span, EffectKind::ChangeMetadata);
    }

    pub(crate) fn write(&mut self, value: &Value, span: Span) {
        if value.known() == Some("") {
            // No file has this name, but `objcopy ''` makes one beside it for a while.
            self.push(EffectKind::Write(PathTarget::Unknown), span);
            return;
        }
        let Self { effects, moved, directories, look, .. } = self;
        each_target(value, moved.as_ref().unwrap_or(directories), look, |path| {
            if !matches!(&path, PathTarget::Path(path) if path == "/dev/null") {
                effects.push(Effect { kind: EffectKind::Write(path), redirection: false, span });
            }
        });
    }

    /// A file, or everything below a directory: which of them is seen by the name or the resolver.
    pub(crate) fn write_below(&mut self, value: &Value, span: Span) {
        for path in self.targets(value) {
            let below = match &path {
                PathTarget::Path(path) if !self.is_file(path) => Some(PathTarget::Below(path.clone())),
                _ => None,
            };
            if !matches!(&path, PathTarget::Path(path) if path == "/dev/null") {
                self.push(EffectKind::Write(path), span);
                below.into_iter().for_each(|below| self.push(EffectKind::Write(below), span));
            }
        }
    }

    /// Nothing is below it: it is there and no directory, or has the name of a source file.
    pub(in crate::programs) fn is_file(&self, path: &str) -> bool {
        match self.settings.resolver.and_then(|resolver| resolver.kind(path)) {
            Some(kind) => kind != portcullis_paths::FileKind::Directory,
            None => {
                path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).is_some_and(|(stem, end)| {
                    !stem.is_empty()
                        && !end.is_empty()
                        && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
                })
            }
        }
    }

    /// Whether what `value` names lies in the roots, wherever a link leads.
    pub(in crate::programs) fn stays(&self, value: &Value) -> bool {
        self.targets(value)
            .iter()
            .all(|target| matches!(target, PathTarget::Path(path) if lies_inside(path, self.settings)))
    }

    /// `-C DIR`, `--manifest-path FILE`: another project than that of the working directory.
    pub(super) fn works_in(&mut self, flag: &flags::Flag<'a>, slot: Slot<'a>) {
        const DIRECTORIES: &[&str] =
            &["C", "chdir", "cwd", "cd", "prefix", "dir", "directory", "project-dir", "root"];
        let outside = |path: &str| path.starts_with(['/', '~']) || path.split('/').any(|part| part == "..");
        let (value, span) = (slot.value(), slot.span());
        let inside = self.stays(&value);
        // A link leads elsewhere as such a path does.
        if slot.known().is_none_or(outside) || !inside {
            self.hazard(flag.word);
            if let Slot::Word(_) = slot {
                self.hazard(flag.word + 1);
            }
        }
        self.read(&value, true, span);
        // What a directory's project chooses is looked up there; a file names a project of its own.
        let directory = DIRECTORIES.contains(&flag.name);
        if directory {
            self.change_directory(&value);
        }
        if !inside || !(directory || self.settings.trusted) || slot.known().is_some_and(super::remote) {
            self.push(EffectKind::Opaque("it works in another project".into()), span);
        }
    }

    /// A result that a flag sends out of the roots stands in a rule, or is asked for.
    pub(super) fn leads_out(&mut self, flag: &flags::Flag<'a>, slot: Slot<'a>, place: &Value) {
        let device = |path: &str| path.starts_with("/dev/");
        let inside = self.targets(place).iter().all(|target| {
            matches!(target, PathTarget::Path(path) if {
                let three = portcullis_paths::three_paths(path, self.settings.cwd, self.settings.resolver);
                device(&three.lexical)
                    || self.settings.roots.iter().any(|root| {
                        let real = self.settings.resolver.and_then(|resolver| resolver.realpath(root).ok());
                        let real = real.as_deref().unwrap_or(root);
                        portcullis_paths::is_within(&three.lexical, root)
                            && (portcullis_paths::is_within(&three.physical, real)
                                || portcullis_paths::is_within(&three.physical, root))
                    })
            })
        });
        if !inside {
            self.hazard(flag.word);
            if let Slot::Word(_) = slot {
                self.hazard(flag.word + 1);
            }
        }
    }

    pub(crate) fn delete(&mut self, value: &Value, recursive: bool, span: Span) {
        self.each_path(value, span, |path| EffectKind::Delete { path, recursive });
    }
}

/// Programs that take every word for a path (their manual pages).
static PATHS_ONLY: NameSet = NameSet::new(&[
    "cat",
    "tac",
    "head",
    "tail",
    "nl",
    "wc",
    "od",
    "xxd",
    "hexdump",
    "strings",
    "sort",
    "uniq",
    "cut",
    "paste",
    "comm",
    "join",
    "cmp",
    "diff",
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "sed",
    "ls",
    "stat",
    "file",
    "base64",
    "md5sum",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "b2sum",
    "cksum",
]);

/// Whether a program that knows addresses would take this for one (RFC 3986, 3.1): programs are many that open them
/// where their manual speaks of files, and few files are called so.
fn is_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let letters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-');
    let plain = scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(letters);
    plain
        && (rest.starts_with("//")
            || ["file", "pkcs11", "data", "http", "https", "ftp"]
                .iter()
                .any(|name| scheme.eq_ignore_ascii_case(name)))
}

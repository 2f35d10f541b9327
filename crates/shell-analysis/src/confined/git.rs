//! git inside a directory: where it starts, the subcommand and its flags by the table, operands inside.

use portcullis_paths::{find_repository, join};

use super::{
    Judge, PathTarget,
    git_tables::{GLOBAL, KEYS, Operands, READERS, SETTABLE, Subcommand, VALUES, WRITERS},
    makes_repository,
};
use crate::{
    Argument, Directories, EffectKind, Invocation, Value,
    programs::{flags, targets},
};

impl Judge<'_> {
    pub(super) fn git(&mut self, invocation: &Invocation) {
        let before = self.reasons.len();
        let redirections = invocation.effects.iter().filter(|effect| effect.redirection);
        for effect in redirections {
            if let Some(reason) = self.leaves(&effect.kind) {
                self.refuse(effect.span, reason);
            }
        }
        let words = invocation.words.as_slice();
        let leading = flags::leading(words, GLOBAL, "git");
        let Some(directories) = self.global(invocation, leading.rest) else { return };
        self.starts_inside(&directories, invocation.span);
        self.repository(&directories, invocation);
        let Some(word) = words.get(leading.rest) else {
            return self.refuse(invocation.span, "there is no subcommand");
        };
        let Some(name) = word.value.known() else {
            return self.refuse(word.span, "the subcommand is not known");
        };
        if self.reasons.len() > before || READERS.contains(&name) && self.only_looks(invocation) {
            return;
        }
        let Some(subcommand) = WRITERS.iter().find(|known| known.name == name) else {
            let reason = if READERS.contains(&name) { "in this form" } else { "here" };
            return self.refuse(word.span, format!("`git {name}` is not for use {reason}"));
        };
        if !invocation.specified {
            return self.refuse(invocation.span, "it is not known in full");
        }
        self.subcommand(subcommand, words, leading.rest + 1, &directories);
    }

    /// Options before the subcommand; the directories that git then works in.
    fn global(&mut self, invocation: &Invocation, end: usize) -> Option<Directories> {
        let before = self.reasons.len();
        let words = invocation.words.get(..end).unwrap_or_default();
        let parsed = flags::parse(words, 1, GLOBAL, false, true);
        let mut directories = invocation.directories.clone();
        for (index, reason) in &parsed.unknown {
            let span = words.get(*index).map_or(invocation.span, |word| word.span);
            self.refuse(span, format!("a global option of git {reason}"));
        }
        for flag in parsed.flags.iter().filter(|flag| matches!(flag.name, "C" | "c")) {
            let value = flag.value.and_then(flags::Slot::known);
            let span = flag.value.map_or(invocation.span, flags::Slot::span);
            match (flag.name, value) {
                ("C", Some(path)) => directories = moved(&directories, path),
                // Section and name are the same in any case (git-config(1)).
                ("c", Some(setting)) if setting.to_ascii_lowercase().starts_with(SETTABLE) => {}
                ("c", _) => self.refuse(span, "configuration that may name programs"),
                _ => self.refuse(span, "the directory is not known"),
            }
        }
        (self.reasons.len() == before).then_some(directories)
    }

    /// The repository that git would find lies inside, and is no directory that only looks like one.
    fn repository(&mut self, directories: &Directories, invocation: &Invocation) {
        let (Some(resolver), Directories::Known(all)) = (self.settings.resolver, directories) else { return };
        for directory in all.iter() {
            let real = resolver.realpath(directory).unwrap_or_else(|_| directory.clone());
            let Some(repository) = find_repository(resolver, &real) else { continue };
            let places = [&repository.root, &repository.git_dir, &repository.common_dir];
            if let Some(outside) = places.into_iter().find(|place| !self.inside(place)) {
                self.refuse(invocation.span, format!("git would use the repository `{outside}`"));
            } else if repository.bare {
                self.refuse(invocation.span, format!("`{}` is a bare repository", repository.root));
            }
        }
    }

    /// The analysis knows all of it and finds only reads inside.
    fn only_looks(&self, invocation: &Invocation) -> bool {
        let looks = |kind: &EffectKind| {
            matches!(kind, EffectKind::Read { .. } | EffectKind::Metadata(_)) && self.leaves(kind).is_none()
        };
        invocation.specified
            && !invocation.words.iter().any(|word| word.hazard && word.value.known() != Some("-c"))
            && invocation
                .effects
                .iter()
                .filter(|effect| !effect.redirection)
                .all(|effect| looks(&effect.kind))
    }

    fn subcommand(
        &mut self,
        subcommand: &Subcommand,
        words: &[Argument],
        start: usize,
        directories: &Directories,
    ) {
        let name = subcommand.name;
        let parsed = flags::parse(words, start, subcommand.flags, false, false);
        for (index, reason) in &parsed.unknown {
            let Some(word) = words.get(*index) else { continue };
            let text = word.value.known();
            let text = text.map_or_else(|| "a word that is not known".to_owned(), |text| format!("`{text}`"));
            self.refuse(word.span, format!("{text} {reason} for `git {name}` here"));
        }
        if !subcommand.needs.is_empty() && !parsed.has(subcommand.needs) {
            let span = words.first().map_or(crate::Span::new(0, 0), |word| word.span);
            self.refuse(
                span,
                format!("`git {name}` without `--{}` changes files", subcommand.needs.join("`, `-")),
            );
        }
        for flag in &parsed.flags {
            let Some(slot) = flag.value else { continue };
            let allowed =
                VALUES.iter().find(|(known, flags, _)| *known == name && flags.contains(&flag.name));
            if let Some((_, _, values)) = allowed
                && slot.known().is_none_or(|value| !values.contains(&value))
            {
                self.refuse(slot.span(), format!("that value of `{}` is not for use here", flag.name));
            }
            if flag.role == b'r' {
                self.path(&slot.value(), directories, slot.span());
            }
        }
        let mut operands =
            parsed.operands.iter().filter_map(|index| words.get(*index).map(|word| (*index, word)));
        match subcommand.operands {
            Operands::Paths => self.paths(operands, parsed.dashes, directories),
            Operands::Remote => self.remote(operands.map(|(_, word)| word)),
            Operands::Action(actions) => match operands.next() {
                Some((_, word)) if word.value.known().is_some_and(|text| actions.contains(&text)) => {
                    self.paths(operands, parsed.dashes, directories);
                }
                other => self.action(name, other.map(|(_, word)| word), words),
            },
            Operands::RemoteAction(actions) => match operands.next() {
                None => {}
                Some((_, word)) if word.value.known().is_some_and(|text| actions.contains(&text)) => {
                    self.remote(operands.map(|(_, word)| word));
                }
                other => self.action(name, other.map(|(_, word)| word), words),
            },
            Operands::Setting => self.setting(operands.map(|(_, word)| word)),
        }
    }

    fn action(&mut self, name: &str, word: Option<&Argument>, words: &[Argument]) {
        let span = word.or(words.first()).map_or(crate::Span::new(0, 0), |word| word.span);
        let text = word.and_then(|word| word.value.known()).unwrap_or_default();
        self.refuse(span, format!("`git {name} {text}` is not for use here"));
    }

    fn paths<'w>(
        &mut self,
        operands: impl Iterator<Item = (usize, &'w Argument)>,
        dashes: Option<usize>,
        directories: &Directories,
    ) {
        for (index, word) in operands {
            let behind = dashes.is_some_and(|dashes| index > dashes);
            match &word.value {
                // A file could have an option's name.
                Value::Glob(glob) if glob.prefix.is_empty() && !behind => {
                    self.refuse(word.span, "a match may be an option; put `--` or `./` before it");
                }
                value => self.path(value, directories, word.span),
            }
        }
    }

    fn path(&mut self, value: &Value, directories: &Directories, span: crate::Span) {
        for target in targets(value, directories, &self.look) {
            if let Some(reason) = self.outside(&target).or_else(|| repository_file(&target)) {
                self.refuse(span, reason);
            }
        }
    }

    fn remote<'w>(&mut self, mut operands: impl Iterator<Item = &'w Argument>) {
        if let Some(remote) = operands.next() {
            match remote.value.known() {
                Some(text) if is_name(text) => {}
                Some(text) => self.refuse(remote.span, format!("`{text}` is no remote's name")),
                None => self.refuse(remote.span, "the remote is not known"),
            }
        }
        for word in operands {
            match word.value.known() {
                Some(text) if is_reference(text) => {}
                Some(text) => self.refuse(word.span, format!("`{text}` forces, deletes or is no plain ref")),
                None => self.refuse(word.span, "the ref is not known"),
            }
        }
    }

    fn setting<'w>(&mut self, mut operands: impl Iterator<Item = &'w Argument>) {
        let Some(mut key) = operands.next() else { return };
        if matches!(key.value.known(), Some("get" | "set" | "unset" | "list")) {
            // The newer spelling: `git config set KEY VALUE`.
            match operands.next() {
                Some(word) => key = word,
                None => return,
            }
        }
        if key.value.known().is_none_or(|text| !KEYS.contains(&text.to_ascii_lowercase().as_str())) {
            self.refuse(key.span, "a setting that may name a program or a place");
        }
    }
}

/// `.git` may be removed, but nothing goes there.
fn repository_file(target: &PathTarget) -> Option<String> {
    match target {
        // `HEAD` is a revision here far more often than a path.
        PathTarget::Path(path) if path.ends_with("/HEAD") => None,
        target => makes_repository(target),
    }
}

fn moved(directories: &Directories, path: &str) -> Directories {
    match directories {
        _ if path.starts_with('/') => Directories::Known([portcullis_paths::normalize(path)].into()),
        Directories::Known(all) => {
            Directories::Known(all.iter().map(|directory| join(directory, path)).collect())
        }
        Directories::Unknown => Directories::Unknown,
    }
}

/// A remote's name has no slash and no colon, so that it is neither a URL nor a path elsewhere.
fn is_name(remote: &str) -> bool {
    !remote.is_empty()
        && !remote.starts_with(['.', '-'])
        && remote.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// A ref or `from:to`, which neither forces (`+`) nor deletes (an empty source).
fn is_reference(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with(['+', '-', '/', '.', '~', ':'])
        && !word.contains("..")
        && !word.contains("//")
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/' | b':'))
}

//! git inside a directory: where it starts, the subcommand and its flags by the table, operands inside.

use portcullis_paths::{find_repository, join};

use super::{
    Judge, PathTarget,
    changes::Touch,
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
        if let (true, Directories::Known(all)) = (directories != invocation.directories, &directories) {
            for directory in all.iter() {
                let target = PathTarget::Path(directory.clone());
                if let Some(reason) = self.disturbed(&target, Touch::Followed) {
                    self.refuse(invocation.span, reason);
                }
            }
            // It goes there from where it is, and that may have been moved.
            if let Directories::Known(from) = &invocation.directories {
                for directory in from.iter() {
                    if let Some(reason) = self.other_repository(directory, &[]) {
                        self.refuse(invocation.span, reason);
                    }
                }
            }
        }
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

    /// The repository that git would find lies inside, and is no directory that only looks like one; and it is the
    /// same when the text gets there.
    fn repository(&mut self, directories: &Directories, invocation: &Invocation) {
        let Directories::Known(all) = directories else { return };
        for directory in all.iter() {
            let repository = self.settings.resolver.and_then(|resolver| {
                let real = resolver.realpath(directory).unwrap_or_else(|_| directory.clone());
                find_repository(resolver, &real)
            });
            let mut known = Vec::new();
            if let Some(repository) = &repository {
                // `.git` may be a link.
                for place in [&repository.git_dir, &repository.common_dir] {
                    let real = self.settings.resolver.and_then(|resolver| resolver.realpath(place).ok());
                    known.extend(real.into_iter().chain([place.clone()]));
                }
                let places = [&repository.root, &repository.git_dir, &repository.common_dir];
                if let Some(outside) = places.into_iter().find(|place| !self.inside(place)) {
                    self.refuse(invocation.span, format!("git would use the repository `{outside}`"));
                } else if repository.bare {
                    self.refuse(invocation.span, format!("`{}` is a bare repository", repository.root));
                }
            }
            if let Some(reason) =
                self.other_repository(directory, &known.iter().map(String::as_str).collect::<Vec<_>>())
            {
                self.refuse(invocation.span, reason);
            }
        }
    }

    /// The analysis knows all of it and finds only reads inside.
    fn only_looks(&self, invocation: &Invocation) -> bool {
        // git looks at the links in its tree and not through them; `diff` may compare other files too.
        let compares = invocation.words.iter().any(|word| word.value.known() == Some("diff"));
        let looks = |kind: &EffectKind| {
            matches!(kind, EffectKind::Read { path, .. } | EffectKind::Metadata(path) if self.outside(path).is_none()
                && !(compares && matches!(path, PathTarget::Path(_)) && self.disturbed(path, Touch::Followed).is_some()))
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
                self.path(&slot.value(), directories, slot.span(), true);
            }
        }
        if let Some(reason) = starts_editor(name, &parsed) {
            let span = words.get(start.saturating_sub(1)).map_or(crate::Span::new(0, 0), |word| word.span);
            self.refuse(span, reason);
        }
        // Beside these, git takes a path for one in its tree, and follows no link.
        let follows = matches!(name, "mv" | "worktree");
        let mut operands =
            parsed.operands.iter().filter_map(|index| words.get(*index).map(|word| (*index, word)));
        match subcommand.operands {
            Operands::Paths => self.paths(operands, parsed.dashes, directories, follows),
            Operands::Remote => self.remote(operands.map(|(_, word)| word), directories),
            Operands::Action(actions) => match operands.next() {
                Some((_, word)) if word.value.known().is_some_and(|text| actions.contains(&text)) => {
                    let mut operands = operands;
                    if word.value.known() == Some("remove") {
                        let operands: Vec<_> = operands.collect();
                        for (_, word) in &operands {
                            self.worktree(word, directories);
                        }
                        return self.paths(operands.into_iter(), parsed.dashes, directories, follows);
                    }
                    self.paths(&mut operands, parsed.dashes, directories, follows);
                }
                other => self.action(name, other.map(|(_, word)| word), words),
            },
            Operands::RemoteAction(actions) => match operands.next() {
                None => {}
                Some((_, word)) if word.value.known().is_some_and(|text| actions.contains(&text)) => {
                    self.remote(operands.map(|(_, word)| word), directories);
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
        follows: bool,
    ) {
        for (index, word) in operands {
            let behind = dashes.is_some_and(|dashes| index > dashes);
            match &word.value {
                // A file could have an option's name.
                Value::Glob(glob) if glob.prefix.is_empty() && !behind => {
                    self.refuse(word.span, "a match may be an option; put `--` or `./` before it");
                }
                value => self.path(value, directories, word.span, follows),
            }
        }
    }

    /// `follows`: it is a path for certain, and a link on the way is followed.
    fn path(&mut self, value: &Value, directories: &Directories, span: crate::Span, follows: bool) {
        for target in targets(value, directories, &self.look) {
            let reason = self
                .outside(&target)
                // `HEAD` is a revision far more often than a path.
                .or_else(|| match &target {
                    PathTarget::Path(path) if path.ends_with("/HEAD") && !follows => None,
                    target => makes_repository(target),
                })
                .or_else(|| self.disturbed(&target, Touch::Whole).filter(|_| follows));
            if let Some(reason) = reason {
                self.refuse(span, reason);
            }
        }
    }

    /// `git worktree remove` takes the end of a path for a name, before it takes it for a path (git-worktree(1)).
    fn worktree(&mut self, word: &Argument, directories: &Directories) {
        let Some(text) = word.value.known() else { return };
        let exact = text.starts_with('/') || text.split('/').any(|part| matches!(part, "." | ".."));
        if !exact && !self.own_worktree(text, directories) {
            let reason = format!("`{text}` may be the end of another worktree's path; write `./{text}`");
            self.refuse(word.span, reason);
        }
    }

    /// Every worktree whose path ends like this lies inside.
    fn own_worktree(&self, end: &str, directories: &Directories) -> bool {
        let (Some(resolver), Directories::Known(all)) = (self.settings.resolver, directories) else {
            return false;
        };
        let end = end.trim_end_matches('/').to_lowercase();
        all.iter().all(|directory| {
            let Ok(real) = resolver.realpath(directory) else { return false };
            let Some(repository) = find_repository(resolver, &real) else { return true };
            let list = join(&repository.common_dir, "worktrees");
            let names = match resolver.entries(&list, MAX_WORKTREES) {
                Ok(names) => names,
                Err(error) => return error.kind() == std::io::ErrorKind::NotFound,
            };
            let main =
                repository.common_dir.strip_suffix("/.git").unwrap_or(&repository.common_dir).to_owned();
            let paths = names.iter().map(|entry| {
                let text = resolver.read(&format!("{list}/{}/gitdir", entry.name), 4096).ok()?;
                let text = String::from_utf8(text).ok()?;
                // Relative ones start from the file (git-worktree(1), `--relative-paths`).
                let path = join(&format!("{list}/{}", entry.name), text.trim_end());
                Some(path.strip_suffix("/.git").map_or_else(|| path.clone(), str::to_owned))
            });
            paths.chain([Some(main)]).all(|path| {
                path.is_some_and(|path| {
                    let ends = path.to_lowercase().strip_suffix(&end).is_some_and(|rest| rest.ends_with('/'));
                    !ends || self.inside(&path)
                })
            })
        })
    }

    fn remote<'w>(&mut self, mut operands: impl Iterator<Item = &'w Argument>, directories: &Directories) {
        if let Some(remote) = operands.next() {
            match remote.value.known() {
                Some(text) if is_name(text) => {
                    if self.is_path(text, directories) {
                        self.refuse(
                            remote.span,
                            format!("`{text}` is a path here, and git may take it for one"),
                        );
                    }
                }
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

    /// Whether a remote's name is a path too: what is no configured remote is a repository or a bundle there, and
    /// `.git` may be left out (git-fetch(1), "GIT URLS").
    fn is_path(&self, name: &str, directories: &Directories) -> bool {
        let Directories::Known(all) = directories else { return true };
        all.iter().any(|directory| {
            let resolver = self.settings.resolver;
            // git goes to the top of the working tree first.
            let top = resolver.and_then(|resolver| {
                let real = resolver.realpath(directory).ok()?;
                Some(find_repository(resolver, &real)?.root)
            });
            std::iter::once(directory.clone()).chain(top).any(|directory| {
                ["", ".git"].into_iter().any(|end| {
                    let path = join(&directory, &format!("{name}{end}"));
                    let there = resolver.is_some_and(|resolver| {
                        resolver.kind(&path).is_some()
                            || self.look.holds(&PathTarget::Path(path.clone())).is_none_or(|held| held.links)
                    });
                    let target = PathTarget::Path(path.clone());
                    there || self.made_by_text(&path) || self.disturbed(&target, Touch::Followed).is_some()
                })
            })
        })
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

/// More worktrees than this are not looked at.
const MAX_WORKTREES: usize = 1024;

/// Why the subcommand would start an editor, which may be any program (git-var(1), `GIT_EDITOR`). A merge that needs
/// no hands asks for one at a terminal only.
fn starts_editor(name: &str, parsed: &flags::Parsed<'_>) -> Option<String> {
    let message = ["m", "message", "F", "file"];
    let starts = match name {
        "commit" => {
            let only_shows = ["dry-run", "short", "porcelain", "long"];
            let told = ["C", "reuse-message", "no-edit", "fixup"];
            let amends = parsed.value(&["fixup"]).is_some_and(|slot| {
                slot.known().is_none_or(|value| value.starts_with("amend:") || value.starts_with("reword:"))
            });
            amends || !parsed.has(&message) && !parsed.has(&told) && !parsed.has(&only_shows)
        }
        "tag" => {
            parsed.has(&["a", "annotate"])
                && !parsed.has(&message)
                && !parsed.has(&["d", "delete", "l", "list"])
        }
        "merge" | "rebase" => parsed.has(&["continue"]),
        _ => false,
    };
    starts.then(|| format!("`git {name}` starts an editor without a message in its words"))
}

/// Where git works, and its subcommand.
pub(super) fn starts_in(invocation: &Invocation) -> Option<(Directories, &str)> {
    let words = invocation.words.as_slice();
    let end = flags::leading(words, GLOBAL, "git").rest;
    let parsed = flags::parse(words.get(..end).unwrap_or_default(), 1, GLOBAL, false, true);
    let mut directories = invocation.directories.clone();
    for flag in parsed.flags.iter().filter(|flag| flag.name == "C") {
        directories = match flag.value.and_then(flags::Slot::known) {
            Some(path) => moved(&directories, path),
            None => Directories::Unknown,
        };
    }
    Some((directories, words.get(end)?.value.known()?))
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

//! What the file system says about names that the text only describes: the links among the
//! matches of a glob and below a directory. Bounded for a whole text; beyond the bound nothing is known.

mod held;

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    io::ErrorKind,
    rc::Rc,
};

use portcullis_paths::{Entry, EntryKind, FileKind, Resolver, find_repository, is_within};

use crate::{Below, Settings, made::Made, pattern};

/// The most names that are looked at for one text. A path that is resolved counts as [`RESOLVING`] of them.
const MAX_NAMES: usize = 1 << 16;
/// The most links that one word may stand for.
const MAX_LINKS: usize = 256;
/// What following one path costs, in names.
const RESOLVING: usize = 16;

/// The resolver of one analysis, and what it has said so far.
pub(crate) struct Look<'a> {
    settings: &'a Settings<'a>,
    memory: RefCell<Memory>,
    /// What the text makes itself.
    pub(crate) made: RefCell<Made>,
}

#[derive(Default)]
struct Memory {
    /// Names looked at.
    spent: usize,
    listings: HashMap<String, Option<Rc<[Entry]>>>,
    matches: HashMap<(String, String), Option<Rc<[String]>>>,
    walks: HashMap<String, Option<Rc<Walk>>>,
    indexes: HashMap<String, Option<Spelled>>,
}

/// Everything below a directory, links not followed.
#[derive(Debug, Default)]
struct Walk {
    links: Vec<Link>,
    spelled: Spelled,
}

/// How names are spelled.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spelled {
    /// One has a line feed in it, so that lines are not names.
    pub(crate) line_feed: bool,
    /// One begins or ends with a blank, which `read` takes off.
    pub(crate) edged: bool,
    /// One begins with a dash.
    pub(crate) dashed: bool,
    /// One is `.git` or `HEAD`, so that a repository may be among them.
    pub(crate) repository: bool,
}

impl Spelled {
    fn add(&mut self, name: &str) {
        self.line_feed |= name.contains('\n');
        self.edged |= edged(name);
        self.dashed |= name.starts_with('-');
        self.repository |= held::of_repository(name);
    }
}

#[derive(Debug)]
struct Link {
    path: String,
    /// Where it leads; nothing when that cannot be known.
    real: Option<String>,
    directory: bool,
}

impl<'a> Look<'a> {
    pub(crate) fn new(settings: &'a Settings<'a>) -> Self {
        Self { settings, memory: RefCell::default(), made: RefCell::default() }
    }

    /// The paths that match `live`, a pattern in bash's language, from `directory` on, as far as a link is in them;
    /// `None` when that is not known. Without a resolver there are none: paths are then judged as they are written.
    pub(crate) fn matching(&self, directory: &str, live: &str) -> Option<Rc<[String]>> {
        let Some(resolver) = self.settings.resolver else { return Some([].into()) };
        let key = (directory.to_owned(), live.to_owned());
        if let Some(known) = self.memory.borrow().matches.get(&key) {
            return known.clone();
        }
        let found = self.expand(resolver, directory, live).map(Rc::from);
        self.memory.borrow_mut().matches.insert(key, found.clone());
        found
    }

    fn expand(&self, resolver: &dyn Resolver, directory: &str, live: &str) -> Option<Vec<String>> {
        let base = directory.trim_end_matches('/');
        // Paths below the base, and whether a link may be in them.
        let mut paths = vec![(String::new(), false)];
        let mut components = live.split('/').filter(|component| !component.is_empty()).peekable();
        while let Some(component) = components.next() {
            let last = components.peek().is_none();
            let mut next = Vec::new();
            for (path, linked) in paths {
                if !pattern::is_pattern(component) {
                    let name = pattern::literal(component);
                    if self.is_there(resolver, &format!("{base}{path}"), &name)? {
                        next.push((format!("{path}/{name}"), true));
                    }
                    continue;
                }
                for entry in &*self.entries(resolver, &format!("{base}{path}"))? {
                    if !pattern::may_match(component, &entry.name) {
                        continue;
                    }
                    let linked = linked || entry.kind == EntryKind::Link;
                    if if last { linked } else { entry.kind != EntryKind::Other } {
                        next.push((format!("{path}/{}", entry.name), linked));
                    }
                }
            }
            paths = next;
        }
        let real = resolver.realpath(if base.is_empty() { "/" } else { base }).ok()?;
        let mut links = Vec::new();
        for (path, linked) in paths {
            if !linked {
                continue;
            }
            self.spend(RESOLVING)?;
            let whole = format!("{base}{path}");
            let plain = match resolver.realpath(&whole) {
                Ok(found) => found.strip_prefix(real.trim_end_matches('/')) == Some(&path),
                Err(error) => error.kind() == ErrorKind::NotADirectory,
            };
            if !plain {
                links.push(whole);
            }
            if links.len() > MAX_LINKS {
                return None;
            }
        }
        Some(links)
    }

    /// Whether `directory` has this name; a link that leads nowhere is there too.
    fn is_there(&self, resolver: &dyn Resolver, directory: &str, name: &str) -> Option<bool> {
        self.spend(1)?;
        if matches!(name, "." | "..") || resolver.kind(&format!("{directory}/{name}")).is_some() {
            return Some(true);
        }
        Some(self.entries(resolver, directory)?.iter().any(|entry| entry.name == name))
    }

    /// The paths among the names of `below` that lead out of its directory through links; `None` when that is not
    /// known. As [`Look::matching`] there are none without a resolver.
    pub(crate) fn leading_out(&self, below: &Below) -> Option<Vec<String>> {
        let Some(resolver) = self.settings.resolver.filter(|_| !below.files) else { return Some(Vec::new()) };
        let top = resolver.realpath(&below.directory).ok()?;
        let mut named = below.named.as_deref();
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut ahead = vec![below.directory.clone()];
        while let Some(directory) = ahead.pop() {
            if !seen.insert(directory.clone()) {
                continue;
            }
            let walk = self.walk(&directory)?;
            // A name may be followed by more of a path: what a link to a directory holds counts too.
            let chosen = |link: &&Link, named: Option<&str>| {
                let rest = portcullis_paths::below(&link.path, &directory).unwrap_or(&link.path);
                named.is_none_or(|named| rest.split('/').any(|part| pattern::may_match_dots(named, part)))
            };
            if walk.links.iter().filter(|link| chosen(link, named)).any(|link| link.directory) {
                named = None;
            }
            for link in walk.links.iter().filter(|link| chosen(link, named)) {
                match &link.real {
                    Some(real) if is_within(real, &top) => {}
                    Some(real) => {
                        found.push(link.path.clone());
                        if link.directory && self.within_roots(resolver, real) {
                            ahead.push(real.clone());
                        }
                    }
                    None => found.push(link.path.clone()),
                }
                if found.len() > MAX_LINKS {
                    return None;
                }
            }
        }
        Some(found)
    }

    /// Outside of them a path is judged by itself already.
    fn within_roots(&self, resolver: &dyn Resolver, real: &str) -> bool {
        self.settings.roots.iter().any(|root| {
            is_within(real, root) || resolver.realpath(root).is_ok_and(|root| is_within(real, &root))
        })
    }

    /// Everything below `directory`: `None` when that is not known.
    fn walk(&self, directory: &str) -> Option<Rc<Walk>> {
        if let Some(known) = self.memory.borrow().walks.get(directory) {
            return known.clone();
        }
        let walk = self.settings.resolver.and_then(|resolver| self.walk_anew(resolver, directory));
        let walk = walk.map(Rc::new);
        self.memory.borrow_mut().walks.insert(directory.to_owned(), walk.clone());
        walk
    }

    fn walk_anew(&self, resolver: &dyn Resolver, directory: &str) -> Option<Walk> {
        let mut walk = Walk::default();
        let mut ahead = vec![directory.trim_end_matches('/').to_owned()];
        while let Some(directory) = ahead.pop() {
            for entry in &*self.entries(resolver, &directory)? {
                walk.spelled.add(&entry.name);
                if entry.kind == EntryKind::Other {
                    continue;
                }
                let path = format!("{directory}/{}", entry.name);
                if entry.kind == EntryKind::Directory {
                    ahead.push(path);
                    continue;
                }
                self.spend(RESOLVING)?;
                let real = resolver.realpath(&path).ok();
                let directory = resolver.kind(&path) == Some(FileKind::Directory);
                walk.links.push(Link { path, real, directory });
            }
        }
        Some(walk)
    }

    /// Where the kernel finds `path` from `directory`: behind a link `..` is above what that leads to. As it is written
    /// where no link is in between, and without a resolver; `None` when that is not known.
    pub(crate) fn place(&self, directory: &str, path: &str) -> Option<String> {
        let written = portcullis_paths::join(directory, path);
        let climbs = path.split('/').chain(directory.split('/')).any(|part| part == "..");
        let Some(resolver) = self.settings.resolver.filter(|_| climbs) else { return Some(written) };
        self.spend(2 * RESOLVING)?;
        let raw = if path.starts_with('/') { path.to_owned() } else { format!("{directory}/{path}") };
        let real = resolver.realpath(&raw).ok()?;
        Some(if resolver.realpath(&written).is_ok_and(|other| other == real) { written } else { real })
    }

    /// The names in `directory` that match `component` and begin with a dash, those that the text makes included; `None`
    /// when that is not known, and without a resolver.
    pub(crate) fn dashed(&self, directory: &str, component: &str) -> Option<Vec<String>> {
        let entries = self.entries(self.settings.resolver?, directory)?;
        let there = entries.iter().map(|entry| entry.name.as_str());
        let made = self.made.borrow();
        Some(
            there
                .chain(made.names_in(directory))
                .filter(|name| name.starts_with('-') && pattern::may_match(component, name))
                .map(str::to_owned)
                .collect(),
        )
    }

    /// How the names directly in `directory` are spelled; `None` when that is not known.
    pub(crate) fn spelled_in(&self, directory: &str) -> Option<Spelled> {
        let mut spelled = Spelled::default();
        for entry in &*self.entries(self.settings.resolver?, directory)? {
            spelled.add(&entry.name);
        }
        Some(spelled)
    }

    /// The names directly in `directory`; `None` when they are not known. Without a resolver there are none.
    pub(crate) fn names_in(&self, directory: &str) -> Option<Vec<String>> {
        let Some(resolver) = self.settings.resolver else { return Some(Vec::new()) };
        Some(self.entries(resolver, directory)?.iter().map(|entry| entry.name.clone()).collect())
    }

    /// How the names at any depth below `directory` are spelled; `None` when that is not known.
    pub(crate) fn spelled_below(&self, directory: &str) -> Option<Spelled> {
        self.walk(directory).map(|walk| walk.spelled)
    }

    /// How git spells what its index lists, where it runs in `directory`; `None` when that is not known. There names
    /// may begin within the path from the top.
    pub(crate) fn spelled_in_index(&self, directory: &str) -> Option<Spelled> {
        if let Some(known) = self.memory.borrow().indexes.get(directory) {
            return *known;
        }
        let found = self.settings.resolver.and_then(|resolver| spelled_in_index(resolver, directory));
        self.memory.borrow_mut().indexes.insert(directory.to_owned(), found);
        found
    }

    fn entries(&self, resolver: &dyn Resolver, directory: &str) -> Option<Rc<[Entry]>> {
        let directory = if directory.is_empty() { "/" } else { directory };
        if let Some(known) = self.memory.borrow().listings.get(directory) {
            return known.clone();
        }
        let left = MAX_NAMES.saturating_sub(self.memory.borrow().spent);
        let listed = match resolver.entries(directory, left) {
            Ok(entries) => Some(entries),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                Some(Vec::new())
            }
            Err(_) => None,
        };
        let listed = listed.and_then(|entries| self.spend(entries.len() + 1).map(|()| entries.into()));
        self.memory.borrow_mut().listings.insert(directory.to_owned(), listed.clone());
        listed
    }

    /// Nothing when there is no more to spend.
    fn spend(&self, names: usize) -> Option<()> {
        let mut memory = self.memory.borrow_mut();
        memory.spent = memory.spent.saturating_add(names);
        (memory.spent <= MAX_NAMES).then_some(())
    }
}

fn spelled_in_index(resolver: &dyn Resolver, directory: &str) -> Option<Spelled> {
    let real = resolver.realpath(directory).ok()?;
    // Without a repository git lists nothing.
    let Some(repository) = find_repository(resolver, &real) else { return Some(Spelled::default()) };
    let top = repository.root == real;
    repository.tracked(resolver, |spelled: &mut Spelled, name| {
        let blank = |byte: Option<&u8>| byte.is_some_and(|byte| b" \t\n".contains(byte));
        let mut starts = name.split(|byte| *byte == b'/').take(if top { 1 } else { usize::MAX });
        spelled.line_feed |= name.contains(&b'\n');
        spelled.edged |= blank(name.last());
        for part in &mut starts {
            spelled.dashed |= part.first() == Some(&b'-');
            spelled.edged |= blank(part.first());
        }
    })
}

/// Begins or ends with what separates words.
pub(crate) fn edged(name: &str) -> bool {
    let blank = |char: char| matches!(char, ' ' | '\t' | '\n');
    name.starts_with(blank) || name.ends_with(blank)
}

//! Path rules by the literal components in front of their first wildcard, by a name at any depth, and by
//! the ending of names at any depth. Keys are folded in case, which only finds more.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::OnceLock;

use portcullis_paths::fold_case;

use super::found::{Found, push};
use super::set::Expressions;
use crate::glob::{Component, Symbol};

/// Path rules by their literal parts.
#[derive(Clone, Debug, Default)]
pub(super) struct PathIndex {
    root: Node,
    names: HashMap<Box<str>, Vec<u32>>,
    /// The keys of `names`, for globs that begin with one.
    sorted: BTreeSet<Box<str>>,
    /// The rules in `names` by the ending of the name.
    endings: HashMap<Box<str>, Vec<u32>>,
    /// The rules in `names` whose name is not ASCII.
    foreign: Vec<u32>,
    extensions: HashMap<Box<str>, Vec<u32>>,
    /// The rules in `extensions`.
    extended: Vec<u32>,
    /// The rules in `names` and `extensions`.
    floating: Vec<u32>,
    /// Rules about a name at any depth that begins and ends with a wildcard.
    wild: Expressions,
    /// Rules without any literal part.
    loose: Vec<u32>,
    /// Every rule.
    all: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    children: HashMap<Box<str>, Node>,
    /// The children otherwise, made when a glob first asks: most calls have none.
    otherwise: OnceLock<Names>,
    /// Rules whose literal components end here, but for those in `extensions`.
    rules: Vec<u32>,
    /// Rules that go on with a name of this ending: `src/*.rs`.
    extensions: HashMap<Box<str>, Vec<u32>>,
    /// The rules in `extensions`.
    extended: Vec<u32>,
    /// Every rule that stands here or below.
    below: Vec<u32>,
}

/// The names of a node's children.
#[derive(Clone, Debug, Default)]
struct Names {
    /// For globs that begin with one.
    sorted: BTreeSet<Box<str>>,
    /// By their ending.
    endings: HashMap<Box<str>, Vec<Box<str>>>,
    /// Those that are not ASCII.
    foreign: Vec<Box<str>>,
}

impl PathIndex {
    pub(super) fn add(&mut self, id: u32, parts: &[Component]) {
        push(&mut self.all, id);
        let floating = match parts {
            [Component::Deep, rest @ ..] => Some(rest),
            [Component::Literal(root), Component::Deep, rest @ ..] if root == "/" => Some(rest),
            [] => Some(parts),
            _ => None,
        };
        if let Some(rest) = floating {
            match rest.first().and_then(Floating::of) {
                Some(key) => self.float(id, key),
                None => match rest.first().and_then(expression) {
                    Some(expression) => self.wild.add(id, expression),
                    None => push(&mut self.loose, id),
                },
            }
            return;
        }
        // `src/**/mod.rs`: by what stands before the stars or behind them, whichever fewer others have.
        let fixed = parts.iter().map_while(Component::literal);
        if let Some([Component::Deep, next, ..]) = parts.get(fixed.clone().count()..)
            && let Some(key) = Floating::of(next)
            && self.floating_with(&key) < self.root.at(fixed).map_or(0, |node| node.rules.len())
        {
            self.float(id, key);
            return;
        }
        let mut node = &mut self.root;
        let mut rest = parts;
        push(&mut node.below, id);
        while let [first, behind @ ..] = rest
            && let Some(name) = first.literal()
        {
            node = node.child(key(name));
            push(&mut node.below, id);
            rest = behind;
        }
        match rest.first().and_then(Component::extension) {
            Some(ending) => {
                push(node.extensions.entry(key(&ending)).or_default(), id);
                push(&mut node.extended, id);
            }
            None => push(&mut node.rules, id),
        }
    }

    /// To be called when every rule is there.
    pub(super) fn build(&mut self) {
        self.wild.build();
    }

    fn float(&mut self, id: u32, key: Floating) {
        push(&mut self.floating, id);
        match key {
            Floating::Name(name) => {
                if let Some(ending) = ending(&name) {
                    push(self.endings.entry(ending.into()).or_default(), id);
                }
                if !name.is_ascii() {
                    push(&mut self.foreign, id);
                }
                self.sorted.insert(name.clone());
                push(self.names.entry(name).or_default(), id);
            }
            Floating::Ending(ending) => {
                push(self.extensions.entry(ending).or_default(), id);
                push(&mut self.extended, id);
            }
        }
    }

    /// How many rules have this key.
    fn floating_with(&self, key: &Floating) -> usize {
        let rules = match key {
            Floating::Name(name) => self.names.get(name),
            Floating::Ending(ending) => self.extensions.get(ending),
        };
        rules.map_or(0, Vec::len)
    }

    /// The rules that can match this path or a directory above it.
    pub(super) fn path<'a>(&'a self, names: &[&str], found: &mut Found<'a>) {
        found.add(&self.loose);
        self.wild_in(names, found);
        let mut node = Some(&self.root);
        if let Some(root) = node {
            found.add(&root.rules);
        }
        for name in names {
            let folded = fold_case(name);
            let ending = ending(&folded);
            if let Some((node, ending)) = node.zip(ending) {
                found.add_some(node.extensions.get(ending));
            }
            node = node.and_then(|node| node.children.get(&*folded));
            if let Some(node) = node {
                found.add(&node.rules);
            }
            if !self.floating.is_empty() {
                self.named(&folded, found);
            } else if node.is_none() {
                return;
            }
        }
    }

    /// The rules in `wild` that can match one of these names.
    fn wild_in<'a>(&'a self, names: &[&str], found: &mut Found<'a>) {
        if self.wild.is_empty() {
            return;
        }
        let mut text = String::with_capacity(names.iter().map(|name| name.len() + 1).sum::<usize>() + 1);
        for name in names {
            text.push('/');
            text.push_str(name);
        }
        text.push('/');
        // Letters beyond ASCII may be others in the composed form.
        if text.is_ascii() {
            text.make_ascii_lowercase();
            self.wild.text(&text, found);
        } else {
            self.wild.all(found);
        }
    }

    /// The rules about a name at any depth.
    fn named<'a>(&'a self, folded: &str, found: &mut Found<'a>) {
        found.add_some(self.names.get(folded));
        if let Some(ending) = ending(folded) {
            found.add_some(self.extensions.get(ending));
        }
    }

    /// The rules that can match something that this glob matches.
    pub(super) fn below<'a>(&'a self, glob: &[Component], found: &mut Found<'a>) {
        found.add(&self.loose);
        self.wild.all(found);
        if !self.floating.is_empty() && !self.floating_in(glob, found) {
            found.add(&self.floating);
        }
        self.root.overlapping(glob, found);
    }

    /// The rules that can match everything that this glob matches: what they spell out, it spells out too.
    pub(super) fn above<'a>(&'a self, glob: &[Component], found: &mut Found<'a>) {
        self.loose(found);
        let mut node = Some(&self.root);
        found.add(&self.root.rules);
        for part in glob {
            let last = node;
            node = None;
            match reach(part) {
                Reach::Name(name) => {
                    self.named(&name, found);
                    if let (Some(last), Some(ending)) = (last, ending(&name)) {
                        found.add_some(last.extensions.get(ending));
                    }
                    node = last.and_then(|last| last.children.get(&*name));
                    if let Some(node) = node {
                        found.add(&node.rules);
                    }
                }
                Reach::Ends(ending) => {
                    found.add_some(self.extensions.get(&*ending));
                    if let Some(last) = last {
                        found.add_some(last.extensions.get(&*ending));
                    }
                }
                Reach::Begins(_) | Reach::Any => {}
            }
        }
    }

    /// The rules about a name at any depth that some component of the glob can have; false when that may be any.
    fn floating_in<'a>(&'a self, glob: &[Component], found: &mut Found<'a>) -> bool {
        let mut narrow = Found::default();
        for part in glob {
            match reach(part) {
                Reach::Name(name) => self.named(&name, &mut narrow),
                Reach::Begins(start) => {
                    for name in beginning(&self.sorted, &start) {
                        narrow.add_some(self.names.get(name));
                    }
                    narrow.add(&self.foreign);
                    narrow.add(&self.extended);
                }
                Reach::Ends(ending) => {
                    narrow.add_some(self.endings.get(&*ending));
                    narrow.add_some(self.extensions.get(&*ending));
                }
                Reach::Any => return false,
            }
        }
        found.append(narrow);
        true
    }

    /// Rules without any literal part.
    pub(super) fn loose<'a>(&'a self, found: &mut Found<'a>) {
        found.add(&self.loose);
        self.wild.all(found);
    }

    /// Every path rule.
    pub(super) fn everything<'a>(&'a self, found: &mut Found<'a>) {
        found.add(&self.all);
    }
}

/// What a rule says about a name at any depth.
enum Floating {
    /// It is this one.
    Name(Box<str>),
    /// It ends so.
    Ending(Box<str>),
}

impl Floating {
    fn of(part: &Component) -> Option<Self> {
        let name = part.literal().map(|name| Self::Name(key(name)));
        name.or_else(|| Some(Self::Ending(key(&part.extension()?))))
    }
}

impl Node {
    /// The node behind these names.
    fn at<'n>(&self, mut names: impl Iterator<Item = &'n str>) -> Option<&Self> {
        names.try_fold(self, |node, name| node.children.get(&key(name)))
    }

    fn child(&mut self, name: Box<str>) -> &mut Self {
        self.children.entry(name).or_default()
    }

    fn names(&self) -> &Names {
        self.otherwise.get_or_init(|| {
            let mut names = Names::default();
            for name in self.children.keys() {
                if let Some(ending) = ending(name) {
                    names.endings.entry(ending.into()).or_default().push(name.clone());
                }
                if !name.is_ascii() {
                    names.foreign.push(name.clone());
                }
                names.sorted.insert(name.clone());
            }
            names
        })
    }

    /// The rules from here on that can match something that the rest of a glob matches.
    fn overlapping<'a>(&'a self, glob: &[Component], found: &mut Found<'a>) {
        found.add(&self.rules);
        let Some((first, rest)) = glob.split_first() else { return };
        let mut child = |name: &str| {
            if let Some(node) = self.children.get(name) {
                node.overlapping(rest, found);
            }
        };
        match reach(first) {
            Reach::Name(name) => {
                child(&name);
                if let Some(ending) = ending(&name) {
                    found.add_some(self.extensions.get(ending));
                }
            }
            Reach::Begins(start) => {
                beginning(&self.names().sorted, &start).for_each(|name| child(name));
                self.names().foreign.iter().for_each(|name| child(name));
                found.add(&self.extended);
            }
            Reach::Ends(ending) => {
                self.names().endings.get(&*ending).into_iter().flatten().for_each(|name| child(name));
                found.add_some(self.extensions.get(&*ending));
            }
            Reach::Any => found.add(&self.below),
        }
    }
}

/// The names that begin so.
fn beginning<'n>(names: &'n BTreeSet<Box<str>>, start: &str) -> impl Iterator<Item = &'n Box<str>> {
    let names = names.range::<str, _>((Bound::Included(start), Bound::Unbounded));
    names.take_while(move |name| name.starts_with(start))
}

/// Which keys a component of a glob reaches.
enum Reach<'a> {
    /// This one.
    Name(Cow<'a, str>),
    /// Those that begin so, and those that are not ASCII: a mark behind the last letter would make it another
    /// one in the composed form, which keys have.
    Begins(String),
    /// Those with this ending.
    Ends(Box<str>),
    /// All of them.
    Any,
}

fn reach(part: &Component) -> Reach<'_> {
    if let Some(name) = part.literal() {
        return Reach::Name(fold_case(name));
    }
    if let Some(ending) = part.extension() {
        return Reach::Ends(key(&ending));
    }
    let start = part.prefix();
    if start.is_empty() || !start.is_ascii() { Reach::Any } else { Reach::Begins(start.to_ascii_lowercase()) }
}

/// What a path with slashes around its names matches where one of them can be this; none for what any can be.
fn expression(part: &Component) -> Option<String> {
    let Component::Wild(symbols) = part else { return None };
    let mut expression = "/".to_owned();
    for symbol in symbols {
        match symbol {
            Symbol::Char(c) if c.is_ascii() => {
                expression.push_str(&regex::escape(c.to_ascii_lowercase().encode_utf8(&mut [0; 4])));
            }
            // Found among paths of ASCII alone.
            _ => expression.push_str("[^/]*"),
        }
    }
    expression.push('/');
    Some(expression)
}

fn ending(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(_, ending)| ending)
}

fn key(name: &str) -> Box<str> {
    fold_case(name).into()
}

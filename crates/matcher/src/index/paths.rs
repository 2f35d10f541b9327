//! Path rules by the literal components in front of their first wildcard, by a name at any depth, and by
//! the ending of names at any depth. Keys are folded in case, which only finds more.

use std::collections::HashMap;

use portcullis_paths::fold_case;

use crate::glob::Component;

/// Path rules by their literal parts.
#[derive(Clone, Debug, Default)]
pub(super) struct PathIndex {
    root: Node,
    names: HashMap<Box<str>, Vec<u32>>,
    extensions: HashMap<Box<str>, Vec<u32>>,
    /// Rules without any literal part.
    pub(super) loose: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    children: HashMap<Box<str>, Node>,
    rules: Vec<u32>,
    /// Rules that go on with a name of this ending: `src/*.rs`.
    extensions: HashMap<Box<str>, Vec<u32>>,
}

impl PathIndex {
    pub(super) fn add(&mut self, id: u32, parts: &[Component]) {
        let floating = match parts {
            [Component::Deep, rest @ ..] => Some(rest),
            [Component::Literal(root), Component::Deep, rest @ ..] if root == "/" => Some(rest),
            [] => Some(parts),
            _ => None,
        };
        if let Some(rest) = floating {
            let extension = rest.first().and_then(Component::extension);
            match (rest.first().and_then(Component::literal), extension) {
                (Some(name), _) => self.names.entry(key(name)).or_default().push(id),
                (None, Some(ending)) => self.extensions.entry(key(&ending)).or_default().push(id),
                (None, None) => self.loose.push(id),
            }
            return;
        }
        let mut node = &mut self.root;
        let mut rest = parts;
        while let [first, behind @ ..] = rest
            && let Some(name) = first.literal()
        {
            node = node.children.entry(key(name)).or_default();
            rest = behind;
        }
        match rest.first().and_then(Component::extension) {
            Some(ending) => node.extensions.entry(key(&ending)).or_default().push(id),
            None => node.rules.push(id),
        }
    }

    /// The rules that can match this path or a directory above it.
    pub(super) fn path(&self, names: &[&str], found: &mut Vec<u32>) {
        found.extend(&self.loose);
        let mut node = Some(&self.root);
        if let Some(root) = node {
            found.extend(&root.rules);
        }
        let floating = !(self.names.is_empty() && self.extensions.is_empty());
        for name in names {
            let folded = fold_case(name);
            let ending = folded.rsplit_once('.').map(|(_, ending)| ending);
            if let Some(rules) = node.zip(ending).and_then(|(node, ending)| node.extensions.get(ending)) {
                found.extend(rules);
            }
            node = node.and_then(|node| node.children.get(&*folded));
            if let Some(node) = node {
                found.extend(&node.rules);
            }
            if floating {
                found.extend(self.names.get(&*folded).into_iter().flatten());
                if let Some(ending) = ending {
                    found.extend(self.extensions.get(ending).into_iter().flatten());
                }
            } else if node.is_none() {
                return;
            }
        }
    }

    /// The rules that can match something that this glob matches.
    pub(super) fn below(&self, glob: &[Component], found: &mut Vec<u32>) {
        found.extend(&self.loose);
        found.extend(self.names.values().flatten());
        found.extend(self.extensions.values().flatten());
        let mut node = &self.root;
        for name in glob.iter().map_while(Component::literal) {
            node.own(found);
            let Some(next) = node.children.get(&*fold_case(name)) else { return };
            node = next;
        }
        node.subtree(found);
    }

    /// Every path rule.
    pub(super) fn everything(&self, found: &mut Vec<u32>) {
        found.extend(&self.loose);
        found.extend(self.names.values().flatten());
        found.extend(self.extensions.values().flatten());
        self.root.subtree(found);
    }
}

impl Node {
    /// The rules that stand here, without those below.
    fn own(&self, found: &mut Vec<u32>) {
        found.extend(&self.rules);
        found.extend(self.extensions.values().flatten());
    }

    fn subtree(&self, found: &mut Vec<u32>) {
        self.own(found);
        for child in self.children.values() {
            child.subtree(found);
        }
    }
}

fn key(name: &str) -> Box<str> {
    fold_case(name).into()
}

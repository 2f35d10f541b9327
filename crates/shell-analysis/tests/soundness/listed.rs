//! The tree of the sandbox as the analysis may look at it.

use std::{collections::BTreeMap, io};

use portcullis_paths::{EntryKind, FileKind, Resolver};

use super::sandbox::{Mode, Sandbox};

#[derive(Clone, Debug)]
enum Entry {
    Directory,
    Link(String),
    File(Vec<u8>),
}

/// Every path of the sandbox's own file systems.
#[derive(Clone, Debug)]
pub(crate) struct Listed(BTreeMap<String, Entry>);

impl Listed {
    pub(crate) fn of(sandbox: &mut Sandbox) -> Self {
        let outcome = sandbox.run(Mode::Dump, "").expect("the tree is laid out");
        let mut entries = BTreeMap::from([("/".to_owned(), Entry::Directory)]);
        for line in outcome.output.lines() {
            let mut fields = line.split('\t');
            let mut bytes = || -> Vec<u8> {
                let hex = fields.next().unwrap();
                (0..hex.len() / 2)
                    .map(|at| u8::from_str_radix(&hex[at * 2..at * 2 + 2], 16).unwrap())
                    .collect()
            };
            let (path, bytes) = (String::from_utf8(bytes()).unwrap(), bytes());
            let kind = fields.next().unwrap();
            let entry = match kind {
                "d" => Entry::Directory,
                "l" => Entry::Link(String::from_utf8(bytes).unwrap()),
                _ => Entry::File(bytes),
            };
            entries.insert(path, entry);
        }
        assert!(entries.contains_key("/repo/notes.txt"), "the tree is laid out");
        Self(entries)
    }

    fn resolve(&self, path: &str, links: &mut usize) -> io::Result<String> {
        let mut at = "/".to_owned();
        let components: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        for (index, component) in components.iter().enumerate() {
            if *component == ".." {
                at.truncate(at.rfind('/').unwrap_or(0).max(1));
                continue;
            }
            let next = format!("{}/{component}", at.trim_end_matches('/'));
            match self.0.get(&next) {
                Some(Entry::Link(target)) => {
                    *links += 1;
                    if *links > 40 {
                        return Err(io::Error::other("links form a loop"));
                    }
                    let rest = components[index + 1..].join("/");
                    let whole = if target.starts_with('/') {
                        format!("{target}/{rest}")
                    } else {
                        format!("{at}/{target}/{rest}")
                    };
                    return self.resolve(&whole, links);
                }
                Some(Entry::File(_)) if index + 1 < components.len() => {
                    return Err(io::Error::from(io::ErrorKind::NotADirectory));
                }
                // What is not there keeps its name.
                _ => at = next,
            }
        }
        Ok(at)
    }
}

impl Resolver for Listed {
    fn realpath(&self, path: &str) -> io::Result<String> {
        self.resolve(path, &mut 0)
    }

    fn kind(&self, path: &str) -> Option<FileKind> {
        match self.0.get(&self.realpath(path).ok()?)? {
            Entry::Directory => Some(FileKind::Directory),
            Entry::File(_) => Some(FileKind::File),
            Entry::Link(_) => None,
        }
    }

    fn read(&self, path: &str, limit: usize) -> io::Result<Vec<u8>> {
        match self.0.get(&self.realpath(path)?) {
            Some(Entry::File(bytes)) if bytes.len() <= limit => Ok(bytes.clone()),
            _ => Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    }

    fn entries(&self, directory: &str, limit: usize) -> io::Result<Vec<portcullis_paths::Entry>> {
        let directory = self.realpath(directory)?;
        match self.0.get(&directory) {
            Some(Entry::Directory) => {}
            Some(_) => return Err(io::Error::from(io::ErrorKind::NotADirectory)),
            None => return Err(io::Error::from(io::ErrorKind::NotFound)),
        }
        let within = format!("{}/", directory.trim_end_matches('/'));
        let below = self.0.range(within.clone()..).take_while(|(path, _)| path.starts_with(&within));
        let entries = below.filter_map(|(path, entry)| {
            let name = path[within.len()..].to_owned();
            let kind = match entry {
                Entry::Directory => EntryKind::Directory,
                Entry::Link(_) => EntryKind::Link,
                Entry::File(_) => EntryKind::Other,
            };
            (!name.is_empty() && !name.contains('/')).then_some(portcullis_paths::Entry { name, kind })
        });
        let entries: Vec<_> = entries.take(limit + 1).collect();
        if entries.len() > limit { Err(io::Error::from(io::ErrorKind::FileTooLarge)) } else { Ok(entries) }
    }
}

//! All rules of a set, ordered so that those which may cover a given one are found without comparing each: by what
//! everything that a rule matches has in common. Only what is found so is compared (`subsume.rs`).

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::command::{CommandPattern, Form};
use crate::glob::{Component, Symbol, TextGlob};
use crate::object_test::TextTest;
use crate::parsed::{Body, Parsed, Target};
use crate::subsume::words_seen;
use crate::{ListKind, RuleId, RuleSet};

/// All rules of a set, ordered so that those which may cover a given one are found without comparing each.
#[derive(Debug)]
pub struct Overview<'a> {
    rules: &'a RuleSet,
    /// By the hash of what the calls of a rule have in common.
    found: HashMap<u64, Vec<RuleId>>,
    /// By the hash of the directories that the paths of a rule lie below, which more is known about.
    deeper: HashMap<u64, Deeper>,
    /// Those that rules are found by.
    grams: HashSet<Gram>,
}

/// What is known of paths beside the directory that they lie below.
#[derive(Clone, Copy, Debug, Default)]
struct Deeper {
    names: bool,
    grams: bool,
}

/// Three bytes that stand in a text.
type Gram = [u8; 3];

/// What has to be common to a rule and one that covers it; what is hashed begins with the kind.
#[derive(Clone, Copy, Hash)]
enum Kind {
    Anything,
    Tool,
    Name,
    Words,
    Shape,
    Text,
    Gram,
    Web,
    Regex,
    Below,
}

impl<'a> Overview<'a> {
    /// Orders the rules of all lists.
    #[must_use]
    pub fn new(rules: &'a RuleSet) -> Self {
        let mut entries = Vec::new();
        for list in [ListKind::Deny, ListKind::AlwaysAsk, ListKind::Ask, ListKind::Allow, ListKind::Restrict]
        {
            for id in rules.ids(list) {
                if let Some(rule) = rules.parsed(id) {
                    entries.extend(begins(rule, list).into_iter().map(|begin| (id, begin)));
                }
            }
        }
        let counted = Counted::of(entries.iter().filter_map(|(_, begin)| begin.holds.as_deref()));
        let mut found: HashMap<u64, Vec<RuleId>> = HashMap::new();
        let mut deeper: HashMap<u64, Deeper> = HashMap::new();
        let mut grams = HashSet::new();
        for (id, Begin { mut key, name, holds }) in entries {
            let gram = holds.as_deref().and_then(|text| counted.rarest(text));
            if let Some(name) = name {
                deeper.entry(key.finish()).or_default().names = true;
                (Kind::Name, name).hash(&mut key);
            } else if let Some(gram) = gram {
                deeper.entry(key.finish()).or_default().grams = true;
                grams.insert(gram);
                (Kind::Gram, gram).hash(&mut key);
            }
            found.entry(key.finish()).or_default().push(id);
        }
        Self { rules, found, deeper, grams }
    }

    /// The other rules, of any list, that [`RuleSet::subsumes`] finds to match whatever this one matches.
    pub fn wider(&self, narrow: RuleId) -> impl Iterator<Item = RuleId> + '_ {
        let mut keys = vec![keyed(Kind::Anything)];
        if let Some(rule) = self.rules.parsed(narrow) {
            self.of_targets(rule, &mut keys);
            self.of_body(rule, &mut keys);
        }
        let mut ids: Vec<RuleId> = keys
            .iter()
            .filter_map(|key| self.found.get(&key.finish()))
            .flatten()
            .copied()
            .filter(|wide| *wide != narrow)
            .collect();
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter().filter(move |wide| self.rules.subsumes(*wide, narrow))
    }

    /// What a rule for whole tools has in common with one that is about one of them.
    fn of_targets(&self, rule: &Parsed, keys: &mut Vec<DefaultHasher>) {
        match rule.targets.first() {
            Some(Target::Name(name)) => {
                keys.push(of((Kind::Tool, name)));
                self.with_grams(&keyed(Kind::Tool), std::iter::once(name.clone()), keys);
            }
            Some(Target::Names(glob)) => self.with_grams(&keyed(Kind::Tool), texts(glob), keys),
            // They cover one another, and there are few.
            Some(Target::Tool(_) | Target::Raw(..)) => keys.push(keyed(Kind::Tool)),
            Some(Target::All) | None => {}
        }
    }

    fn of_body(&self, rule: &Parsed, keys: &mut Vec<DefaultHasher>) {
        match &rule.body {
            Body::Command(pattern) => of_command(pattern, keys),
            Body::Path(pattern) => {
                let ways = [pattern.anchored.alternatives.first(), pattern.wide.alternatives.first()];
                ways.into_iter().flatten().for_each(|parts| self.of_path(parts, keys));
            }
            Body::Web(pattern) => keys.push(of((Kind::Web, pattern))),
            Body::Named(globs) => globs.iter().take(1).for_each(|glob| self.of_text(glob, keys)),
            Body::Argument { glob, .. } => self.of_text(glob, keys),
            Body::Text(test) => match &test.test {
                TextTest::Pattern(glob) => self.of_text(glob, keys),
                TextTest::Regex(regex) => keys.push(of((Kind::Regex, regex.as_str()))),
            },
            Body::Whole | Body::Unread => {}
        }
    }

    fn of_path(&self, parts: &[Component], keys: &mut Vec<DefaultHasher>) {
        let mut key = keyed(Kind::Below);
        let mut rest = parts.iter();
        loop {
            keys.push(key.clone());
            let deeper = self.deeper.get(&key.finish()).copied().unwrap_or_default();
            if deeper.names {
                let names = parts.iter().filter_map(Component::literal);
                keys.extend(names.map(|name| with(&key, (Kind::Name, name))));
            }
            if deeper.grams {
                self.with_grams(&key, parts.iter().flat_map(runs), keys);
            }
            let Some(name) = rest.next().and_then(Component::literal) else { return };
            name.hash(&mut key);
        }
    }

    fn of_text(&self, glob: &TextGlob, keys: &mut Vec<DefaultHasher>) {
        keys.push(of((Kind::Text, glob.pieces().join("*"))));
        self.with_grams(&keyed(Kind::Text), texts(glob), keys);
    }

    /// A key, and that key with each three bytes of texts that rules are found by.
    fn with_grams(
        &self,
        key: &DefaultHasher,
        texts: impl Iterator<Item = String>,
        keys: &mut Vec<DefaultHasher>,
    ) {
        keys.push(key.clone());
        for text in texts {
            let known = grams(&text).filter(|gram| self.grams.contains(gram));
            keys.extend(known.map(|gram| with(key, (Kind::Gram, gram))));
        }
    }
}

fn of_command(pattern: &CommandPattern, keys: &mut Vec<DefaultHasher>) {
    for restricts in [false, true] {
        let mut key = of((Kind::Words, restricts));
        for word in words_seen(pattern, restricts) {
            word.hash(&mut key);
            keys.push(key.clone());
        }
    }
    keys.extend(own_shape(pattern));
}

/// For what covers nothing but its own kind.
fn own_shape(pattern: &CommandPattern) -> Option<DefaultHasher> {
    match &pattern.form {
        Form::Exact | Form::Prefix => None,
        Form::Wild { .. } => Some(of((Kind::Shape, &pattern.form, &pattern.words))),
        Form::Text { .. } => Some(of((Kind::Shape, pattern.texts().collect::<Vec<_>>()))),
    }
}

/// What everything that a rule matches has in common.
struct Begin<'a> {
    key: DefaultHasher,
    /// A name that stands in every path, behind the directories of the key.
    name: Option<&'a str>,
    /// A text that stands in every text, or path behind those directories.
    holds: Option<String>,
}

impl Begin<'_> {
    fn new(key: DefaultHasher) -> Self {
        Self { key, name: None, holds: None }
    }

    fn holding(kind: Kind, glob: &TextGlob) -> Self {
        if let [only] = glob.pieces() {
            return Self::new(of((kind, only)));
        }
        let holds = glob.pieces().iter().max_by_key(|piece| piece.len()).cloned();
        Self { key: keyed(kind), name: None, holds }
    }
}

fn begins(rule: &Parsed, list: ListKind) -> Vec<Begin<'_>> {
    let text = |glob: &TextGlob| Begin::holding(Kind::Text, glob);
    match &rule.body {
        Body::Command(pattern) => {
            let restricts = list != ListKind::Allow;
            vec![Begin::new(own_shape(pattern).unwrap_or_else(|| {
                let mut key = of((Kind::Words, restricts));
                words_seen(pattern, restricts).for_each(|word| word.hash(&mut key));
                key
            }))]
        }
        Body::Path(pattern) => {
            let glob = if list == ListKind::Allow { &pattern.anchored } else { &pattern.wide };
            glob.alternatives.iter().map(|parts| below(parts)).collect()
        }
        Body::Web(pattern) => vec![Begin::new(of((Kind::Web, pattern)))],
        Body::Named(globs) => globs.iter().map(text).collect(),
        Body::Argument { glob, .. } => vec![text(glob)],
        Body::Text(test) => vec![match &test.test {
            TextTest::Pattern(glob) => text(glob),
            TextTest::Regex(regex) => Begin::new(of((Kind::Regex, regex.as_str()))),
        }],
        Body::Whole | Body::Unread => rule
            .targets
            .iter()
            .map(|target| match target {
                Target::All => Begin::new(keyed(Kind::Anything)),
                Target::Name(name) => Begin::new(of((Kind::Tool, name))),
                Target::Names(glob) => Begin::holding(Kind::Tool, glob),
                Target::Tool(_) | Target::Raw(..) => Begin::new(keyed(Kind::Tool)),
            })
            .collect(),
    }
}

/// The directories before the first wildcard, and of what stands behind it the last name, or the longest text that is
/// in a name.
fn below(parts: &[Component]) -> Begin<'_> {
    let mut key = keyed(Kind::Below);
    let leading = parts.iter().map_while(Component::literal).inspect(|name| name.hash(&mut key)).count();
    let rest = parts.get(leading..).unwrap_or_default();
    let name = rest.iter().rev().find_map(Component::literal);
    let holds = rest.iter().flat_map(runs).max_by_key(String::len);
    Begin { key, name, holds: holds.filter(|_| name.is_none()) }
}

/// The texts without wildcard in a component.
fn runs(part: &Component) -> Vec<String> {
    match part {
        Component::Deep => Vec::new(),
        Component::Literal(name) => vec![name.clone()],
        Component::Wild(symbols) => {
            let mut runs = vec![String::new()];
            for symbol in symbols {
                match (symbol, runs.last_mut()) {
                    (Symbol::Char(char), Some(run)) => run.push(*char),
                    _ => runs.push(String::new()),
                }
            }
            runs
        }
    }
}

/// What a pattern holds literally; another one covers it only where its own pieces stand in these.
fn texts(glob: &TextGlob) -> impl Iterator<Item = String> + '_ {
    glob.pieces().iter().cloned()
}

fn keyed(kind: Kind) -> DefaultHasher {
    of(kind)
}

fn of(value: impl Hash) -> DefaultHasher {
    with(&DefaultHasher::new(), value)
}

fn with(key: &DefaultHasher, value: impl Hash) -> DefaultHasher {
    let mut key = key.clone();
    value.hash(&mut key);
    key
}

fn grams(text: &str) -> impl Iterator<Item = Gram> + '_ {
    text.as_bytes().windows(3).filter_map(|bytes| bytes.try_into().ok())
}

/// How many texts hold each three bytes.
struct Counted(HashMap<Gram, u32>);

impl Counted {
    fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut counts: HashMap<Gram, u32> = HashMap::new();
        for text in texts {
            for gram in grams(text) {
                let count = counts.entry(gram).or_default();
                *count = count.saturating_add(1);
            }
        }
        Self(counts)
    }

    /// Those of a text that the fewest texts hold; none in a text that is shorter.
    fn rarest(&self, text: &str) -> Option<Gram> {
        grams(text).min_by_key(|gram| self.0.get(gram).copied().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests;

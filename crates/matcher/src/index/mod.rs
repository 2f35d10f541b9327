//! Finds the few rules of a list that can match a call. What it yields is a superset
//! in list order; each rule is then compared by itself, so that the index never decides anything.

mod commands;
mod found;
mod objects;
mod paths;
mod set;
mod texts;

use std::collections::HashMap;

use portcullis_shell_analysis::Argument;
use portcullis_tool_names::Tool;

use self::commands::CommandIndex;
pub(crate) use self::found::Found;
use self::found::push;
use self::objects::Objects;
use self::paths::PathIndex;
use self::texts::TextIndex;
use crate::ListKind;
use crate::command::{Form, words_of};
use crate::facts::{Access, EffectFacts, Facts, InvocationFacts, PartFacts, Place};
use crate::glob::{Component, TextGlob};
use crate::parsed::{Body, Parsed, Target};
use crate::paths::PathParts;

/// The rules to compare.
#[derive(Clone, Debug)]
pub(crate) enum Scan<'a> {
    /// Every one.
    All,
    /// These, in list order, each once.
    Some(Found<'a>),
}

/// How much has to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Rules that certainly match.
    Certain,
    /// Those whose match cannot be ruled out too.
    Possible,
}

/// Rules by a text.
type Keys = HashMap<Box<str>, Vec<u32>>;

/// The index of one list.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    /// Rules that no key finds: `*`, globs over names.
    always: Vec<u32>,
    /// Rule objects.
    objects: Objects,
    /// Rules that cover every call of a canonical tool.
    tools: HashMap<Tool, Vec<u32>>,
    /// Rules by the name of a tool, or of an MCP server.
    names: Keys,
    /// Rules about URLs by the host that they name.
    hosts: Keys,
    /// Rules about URLs of any host.
    urls: Vec<u32>,
    /// All rules about URLs.
    web: Vec<u32>,
    /// Rules by the first word of the type of subagent or of the name of a skill.
    agents: Keys,
    /// The rules in `agents`.
    named: Vec<u32>,
    commands: CommandIndex,
    /// Rules that are compared with whole texts.
    texts: TextIndex,
    /// Exact rules by their text.
    exact: Keys,
    /// Path rules about reading, about changing, and about searching alone.
    paths: [PathIndex; 3],
    /// Rules by one word that inline code has to hold.
    code: Keys,
    /// Rules that any inline code may touch.
    wordless: Vec<u32>,
    /// The list's rules are about what is among the files that are read too.
    asks: bool,
}

impl Index {
    pub(crate) fn new<'a>(kind: ListKind, rules: impl Iterator<Item = (u32, &'a Parsed)>) -> Self {
        let mut index = Self {
            always: Vec::new(),
            objects: Objects::default(),
            tools: HashMap::new(),
            names: Keys::new(),
            hosts: Keys::new(),
            urls: Vec::new(),
            web: Vec::new(),
            agents: Keys::new(),
            named: Vec::new(),
            commands: CommandIndex::new(kind == ListKind::Allow),
            texts: TextIndex::default(),
            exact: Keys::new(),
            paths: Default::default(),
            code: Keys::new(),
            wordless: Vec::new(),
            asks: !matches!(kind, ListKind::Deny | ListKind::Allow),
        };
        for (id, rule) in rules {
            index.add(kind, id, rule);
        }
        index.objects.build();
        index.paths.iter_mut().for_each(PathIndex::build);
        index
    }

    fn add(&mut self, kind: ListKind, id: u32, rule: &Parsed) {
        if let Body::Text(test) = &rule.body {
            self.objects.add(id, rule, test);
            return;
        }
        let [target] = rule.targets.as_slice() else {
            self.always.push(id);
            return;
        };
        match (&rule.body, target) {
            (_, Target::All) => self.always.push(id),
            (Body::Command(pattern), _) => {
                for text in pattern.texts() {
                    file(&mut self.exact, text, id);
                }
                if matches!(pattern.form, Form::Text { .. }) {
                    self.texts.add(id, pattern);
                } else {
                    self.commands.add(id, pattern);
                }
                self.add_code(id, pattern.words().iter().flat_map(|word| words_of(word)));
            }
            (Body::Path(pattern), _) => {
                let [reading, changing, searching] = &mut self.paths;
                let paths = match target {
                    Target::Tool(Tool::Read) => reading,
                    Target::Tool(Tool::Write | Tool::Edit) => changing,
                    _ => searching,
                };
                let glob = if kind == ListKind::Allow { &pattern.anchored } else { &pattern.wide };
                for alternative in &glob.alternatives {
                    // `/repo/*.pem` says nothing that `**/*.pem` does not say.
                    let wider = |other: &Vec<Component>| {
                        other != alternative
                            && matches!(other.split_first(), Some((Component::Deep, rest)) if alternative.ends_with(rest))
                    };
                    if kind == ListKind::Allow || !glob.alternatives.iter().any(wider) {
                        paths.add(id, alternative);
                    }
                }
                if pattern.everything {
                    paths.add(id, &[]);
                }
                for words in &pattern.words {
                    self.add_code(id, words.iter().flat_map(|word| words_of(word)));
                }
            }
            (Body::Web(pattern), _) => {
                push(&mut self.web, id);
                match pattern.hosts() {
                    Some(hosts) => hosts.iter().for_each(|host| file(&mut self.hosts, host, id)),
                    None => self.urls.push(id),
                }
            }
            (Body::Named(globs), _) => {
                let words: Option<Vec<&str>> = globs.iter().map(first_word).collect();
                match words {
                    Some(words) => {
                        words.into_iter().for_each(|word| file(&mut self.agents, word, id));
                        self.named.push(id);
                    }
                    None => self.always.push(id),
                }
            }
            (_, Target::Tool(tool)) => self.tools.entry(*tool).or_default().push(id),
            (_, Target::Name(name) | Target::Raw(name, _)) => file(&mut self.names, name, id),
            (_, Target::Names(glob)) => match glob.pieces().first().and_then(|start| server_of(start)) {
                Some(server) => file(&mut self.names, server, id),
                None => self.always.push(id),
            },
        }
    }

    /// Files a rule by the one of these words that the fewest others have.
    fn add_code(&mut self, id: u32, words: impl Iterator<Item = String>) {
        match words.min_by_key(|word| self.code.get(word.as_str()).map_or(0, Vec::len)) {
            Some(word) => file(&mut self.code, &word, id),
            None => push(&mut self.wordless, id),
        }
    }

    /// The rules that can match a whole call.
    pub(crate) fn call(&self, facts: &Facts<'_>, depth: Depth) -> Scan<'_> {
        let mut found = self.name(facts);
        let objects = !facts.reached.is_empty() && !self.objects.is_empty();
        if depth == Depth::Possible && (facts.obscure() || facts.subject.unknown_target || objects) {
            return Scan::All;
        }
        for alternative in facts.reached.iter().flat_map(|glob| &glob.alternatives) {
            for paths in &self.paths {
                if self.asks {
                    paths.below(alternative, &mut found);
                } else {
                    paths.above(alternative, &mut found);
                }
            }
        }
        if facts.subject.unknown_target {
            self.paths.iter().for_each(|paths| paths.loose(&mut found));
        }
        for readings in &facts.targets {
            read(&self.paths, readings, &mut found);
            self.objects.paths(readings, &mut found);
        }
        if !self.objects.is_empty() && facts.has_other_arguments() {
            for text in crate::object_test::texts_in(facts.subject.arguments) {
                self.objects.text(&text, &mut found);
            }
        }
        for part in &facts.parts {
            self.texts.text(part.part.text, &mut found);
            self.objects.text(part.part.text.trim(), &mut found);
            for invocation in &part.invocations {
                if !self.invocation_into(invocation, depth, &mut found) {
                    return Scan::All;
                }
            }
        }
        Scan::Some(found)
    }

    /// The rules that can match one invocation.
    pub(crate) fn invocation(
        &self,
        facts: &Facts<'_>,
        invocation: &InvocationFacts<'_>,
        depth: Depth,
    ) -> Scan<'_> {
        let mut found = self.name(facts);
        if self.invocation_into(invocation, depth, &mut found) { Scan::Some(found) } else { Scan::All }
    }

    /// The rules that can match one target of a file tool.
    pub(crate) fn target(&self, facts: &Facts<'_>, readings: &[PathParts<'_>]) -> Scan<'_> {
        let mut found = self.name(facts);
        read(&self.paths, readings, &mut found);
        self.objects.paths(readings, &mut found);
        Scan::Some(found)
    }

    /// As [`Index::target`], with the rules that cover every call of `others`.
    pub(crate) fn target_of(
        &self,
        facts: &Facts<'_>,
        readings: &[PathParts<'_>],
        others: &[Tool],
    ) -> Scan<'_> {
        let mut found = self.name_of(facts, others);
        read(&self.paths, readings, &mut found);
        Scan::Some(found)
    }

    /// The rules that cover every call of this tool, or of `others`.
    pub(crate) fn whole(&self, facts: &Facts<'_>, others: &[Tool]) -> Scan<'_> {
        Scan::Some(self.name_of(facts, others))
    }

    /// The rules that cover every call, and those that name this program alone.
    pub(crate) fn launcher(&self, facts: &Facts<'_>, program: &str) -> Scan<'_> {
        let mut found = self.name(facts);
        self.commands.program(program, false, &mut found);
        Scan::Some(found)
    }

    /// The path rules that can allow what an effect does.
    pub(crate) fn effect(&self, readings: &[PathParts<'_>]) -> Scan<'_> {
        let mut found = Found::default();
        found.add(&self.always);
        read(&self.paths, readings, &mut found);
        Scan::Some(found)
    }

    /// The exact rules for the text of a command.
    pub(crate) fn text(&self, facts: &Facts<'_>, part: &PartFacts<'_>) -> Scan<'_> {
        let mut found = self.name(facts);
        found.add_some(self.exact.get(part.part.text.trim()));
        Scan::Some(found)
    }

    fn name_of(&self, facts: &Facts<'_>, others: &[Tool]) -> Found<'_> {
        let mut found = self.name(facts);
        for tool in others {
            found.add_some(self.tools.get(tool));
        }
        found
    }

    /// Rules found by the name of the tool and by arguments that are no paths and no commands.
    fn name(&self, facts: &Facts<'_>) -> Found<'_> {
        let mut found = Found::default();
        found.add(&self.always);
        let subject = facts.subject;
        found.add_some(subject.tool.and_then(|tool| self.tools.get(&tool)));
        found.add_some(self.names.get(subject.name));
        if let Some(server) = server_of(subject.name) {
            found.add_some(self.names.get(server));
        }
        if subject.tool == Some(Tool::Task) || subject.name == "Skill" {
            let given = facts.given_names();
            if given.names.is_empty() || given.unknown {
                found.add(&self.named);
            }
            for name in given.names.iter().chain(&given.perhaps) {
                found.add_some(self.agents.get(word_before_blank(name)));
            }
        }
        if subject.name == "WebFetch" && !self.web.is_empty() {
            self.url_hosts(facts, &mut found);
        }
        found
    }

    fn url_hosts<'a>(&'a self, facts: &Facts<'_>, found: &mut Found<'a>) {
        let addresses = crate::web::addresses(facts.subject.arguments);
        let bare = crate::web::bare(facts.subject.arguments);
        if addresses.is_empty() {
            found.add(&self.web);
            return;
        }
        let named = addresses.into_iter().map(|address| crate::web::hosts(&address?));
        let hosts: Option<Vec<Vec<String>>> =
            named.chain(bare.into_iter().map(crate::web::hosts_of_bare)).collect();
        // Without an address every rule may match.
        let Some(hosts) = hosts.filter(|hosts| !hosts.is_empty()) else {
            found.add(&self.web);
            return;
        };
        found.add(&self.urls);
        for host in hosts.iter().flatten() {
            // The host itself, and each domain that it lies below.
            let mut rest = Some(host.as_str());
            while let Some(name) = rest {
                found.add_some(self.hosts.get(name));
                rest = name.split_once('.').map(|(_, above)| above);
            }
        }
    }

    /// Gathers the rules for an invocation; false when every rule may match.
    fn invocation_into<'a>(
        &'a self,
        invocation: &InvocationFacts<'_>,
        depth: Depth,
        found: &mut Found<'a>,
    ) -> bool {
        let possible = depth == Depth::Possible;
        let view = &invocation.view;
        if possible && (view.unknown_program() || (!view.invocation.specified && view.too_long())) {
            return false;
        }
        self.commands.words(view.words(), possible, found);
        if view.words().len() < view.invocation.words.len() {
            // A wildcard may stand for git's global options.
            self.commands.words(&view.invocation.words, possible, found);
        }
        for launcher in &view.invocation.launchers {
            self.commands.program(&launcher.name, false, found);
        }
        for effect in &invocation.effects {
            self.effect_into(effect, possible, found);
        }
        self.objects.invocation(invocation, possible, found);
        if !possible {
            return true;
        }
        if view.is_git_alias() {
            self.commands.program("git", true, found);
        }
        if !view.invocation.specified {
            view.tails(|words| self.commands.words(words, true, found));
            if view.words().iter().skip(1).any(may_hold_text) {
                self.texts.all(found);
            }
        }
        let [reading_and_changing @ .., _] = &self.paths;
        read(reading_and_changing, &invocation.words, found);
        if invocation.lost_words {
            reading_and_changing.iter().for_each(|paths| paths.everything(found));
        }
        for alternative in invocation.patterns.iter().flat_map(|word| &word.glob.alternatives) {
            reading_and_changing.iter().for_each(|paths| paths.below(alternative, found));
        }
        if let Some(code) = &invocation.code {
            found.add(&self.wordless);
            for word in code.iter() {
                found.add_some(self.code.get(word));
            }
        }
        true
    }

    fn effect_into<'a>(&'a self, effect: &EffectFacts<'_>, possible: bool, found: &mut Found<'a>) {
        let [reading, changing, _] = &self.paths;
        let paths = match effect.access {
            Access::Read => reading,
            Access::Change => changing,
            Access::Look | Access::Other => return,
        };
        let (readings, glob) = match &effect.place {
            Place::Path { lost: true, .. } | Place::Many { lost: true, .. } | Place::Unknown if possible => {
                return paths.everything(found);
            }
            Place::Path { readings, below, .. } => (readings, *below),
            Place::Many { directory, glob, .. } => (directory, Some(*glob)),
            Place::Unknown | Place::None => return,
        };
        read(std::slice::from_ref(paths), readings, found);
        // Lists that ask count what is only among the files that are read as well.
        let certain = self.asks && effect.access == Access::Read;
        let globs = glob.into_iter().chain(effect.within).filter(|_| possible || certain);
        for alternative in globs.flat_map(|glob| &glob.alternatives) {
            paths.below(alternative, found);
        }
    }
}

/// Gathers the rules for every reading of a path.
fn read<'a>(paths: &'a [PathIndex], readings: &[PathParts<'_>], found: &mut Found<'a>) {
    for path in readings {
        paths.iter().for_each(|paths| paths.path(&path.names, found));
        if !path.text.is_ascii() {
            let composed = portcullis_paths::nfc(path.text);
            let composed = PathParts::new(&composed);
            paths.iter().for_each(|paths| paths.path(&composed.names, found));
        }
    }
}

/// Whether a word may hold a text that is no simple command: those have blanks, operators or expansions.
fn may_hold_text(word: &Argument) -> bool {
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | ',' | '@' | '%' | '+');
    word.value.candidates().is_none_or(|texts| texts.iter().any(|text| !text.chars().all(plain)))
}

fn file(keys: &mut Keys, key: &str, id: u32) {
    match keys.get_mut(key) {
        Some(list) => push(list, id),
        None => {
            keys.insert(key.into(), vec![id]);
        }
    }
}

/// The server's part of an MCP tool's name: `mcp__github` of `mcp__github__get_issue`.
fn server_of(name: &str) -> Option<&str> {
    let rest = name.strip_prefix("mcp__")?;
    let (server, _) = rest.split_once("__")?;
    name.get(.."mcp__".len() + server.len())
}

/// The first word of every text that a glob matches, where it spells that out.
fn first_word(glob: &TextGlob) -> Option<&str> {
    let (start, rest) = glob.pieces().split_first()?;
    (rest.is_empty() || start.contains(' ')).then(|| word_before_blank(start))
}

fn word_before_blank(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

//! Finds the few rules of a list that can match a call. What it yields is a superset
//! in list order; each rule is then compared by itself, so that the index never decides anything.

mod commands;
mod paths;

use std::collections::HashMap;

use portcullis_tool_names::Tool;

use self::commands::CommandIndex;
use self::paths::PathIndex;
use crate::ListKind;
use crate::command::{Form, words_of};
use crate::facts::{EffectFacts, Facts, InvocationFacts, PartFacts, Place};
use crate::parsed::{Body, Parsed, Target};
use crate::paths::PathParts;
use crate::web::WebPattern;

/// The rules to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scan {
    /// Every one.
    All,
    /// These, in list order, each once.
    Some(Vec<u32>),
}

/// How much has to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Rules that certainly match.
    Certain,
    /// Those whose match cannot be ruled out too.
    Possible,
}

/// The index of one list.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    /// Rules that no key finds: `*`, rule objects, globs over names.
    always: Vec<u32>,
    /// Rules that cover every call of a canonical tool.
    tools: HashMap<Tool, Vec<u32>>,
    /// Rules by the name of a tool, or of an MCP server.
    names: HashMap<String, Vec<u32>>,
    /// `domain:` rules by host.
    hosts: HashMap<String, Vec<u32>>,
    /// Rules about URLs whose host is not literal.
    urls: Vec<u32>,
    /// Rules by the type of subagent or the name of a skill.
    agents: HashMap<String, Vec<u32>>,
    commands: CommandIndex,
    /// Rules that are compared with whole texts.
    texts: Vec<u32>,
    /// Exact rules by their text.
    exact: HashMap<String, Vec<u32>>,
    paths: PathIndex,
    /// Rules by one word that inline code has to hold.
    code: HashMap<String, Vec<u32>>,
    /// Rules that any inline code may touch.
    wordless: Vec<u32>,
}

impl Index {
    pub(crate) fn new<'a>(kind: ListKind, rules: impl Iterator<Item = (u32, &'a Parsed)>) -> Self {
        let mut index = Self {
            always: Vec::new(),
            tools: HashMap::new(),
            names: HashMap::new(),
            hosts: HashMap::new(),
            urls: Vec::new(),
            agents: HashMap::new(),
            commands: CommandIndex::new(kind == ListKind::Allow),
            texts: Vec::new(),
            exact: HashMap::new(),
            paths: PathIndex::default(),
            code: HashMap::new(),
            wordless: Vec::new(),
        };
        for (id, rule) in rules {
            index.add(kind, id, rule);
        }
        index
    }

    fn add(&mut self, kind: ListKind, id: u32, rule: &Parsed) {
        let [target] = rule.targets.as_slice() else {
            self.always.push(id);
            return;
        };
        match (&rule.body, target) {
            (_, Target::All | Target::Raw(..)) | (Body::Text(_), _) => self.always.push(id),
            (Body::Command(pattern), _) => {
                for text in pattern.texts() {
                    self.exact.entry(text.to_owned()).or_default().push(id);
                }
                if matches!(pattern.form, Form::Text { .. }) {
                    self.texts.push(id);
                }
                self.commands.add(id, pattern);
                self.add_code(id, pattern.words().iter().flat_map(|word| words_of(word)).next());
            }
            (Body::Path(pattern), _) => {
                let glob = if kind == ListKind::Allow { &pattern.anchored } else { &pattern.wide };
                for alternative in &glob.alternatives {
                    self.paths.add(id, alternative);
                }
                if pattern.everything {
                    self.paths.add(id, &[]);
                }
                for words in &pattern.words {
                    self.add_code(id, words.iter().flat_map(|word| words_of(word)).next());
                }
            }
            (Body::Web(WebPattern::Domain(host)), _) => {
                self.hosts.entry(host.name().to_owned()).or_default().push(id);
            }
            (Body::Web(_), _) => self.urls.push(id),
            (Body::Named(globs), _) => match globs.as_slice() {
                [glob] if glob.pieces().len() == 1 => {
                    let name = glob.pieces().first().cloned().unwrap_or_default();
                    self.agents.entry(name).or_default().push(id);
                }
                _ => self.always.push(id),
            },
            (_, Target::Tool(tool)) => self.tools.entry(*tool).or_default().push(id),
            (_, Target::Name(name)) => self.names.entry(name.clone()).or_default().push(id),
            (_, Target::Names(glob)) => match glob.pieces() {
                [server, rest]
                    if rest.is_empty() && server_of(server) == Some(server.trim_end_matches("__")) =>
                {
                    self.names.entry(server.trim_end_matches("__").to_owned()).or_default().push(id);
                }
                _ => self.always.push(id),
            },
        }
    }

    fn add_code(&mut self, id: u32, word: Option<String>) {
        match word {
            Some(word) => self.code.entry(word).or_default().push(id),
            None => self.wordless.push(id),
        }
    }

    /// The rules that can match a whole call.
    pub(crate) fn call(&self, facts: &Facts<'_>, depth: Depth) -> Scan {
        let mut found = Vec::new();
        self.name(facts, &mut found);
        if depth == Depth::Possible && (facts.obscure() || facts.subject.unknown_target) {
            return Scan::All;
        }
        if facts.subject.unknown_target {
            found.extend(&self.paths.loose);
        }
        for readings in &facts.targets {
            self.readings(readings, &mut found);
        }
        for invocation in facts.parts.iter().flat_map(|part| &part.invocations) {
            if !self.invocation_into(invocation, depth, &mut found) {
                return Scan::All;
            }
        }
        sorted(found)
    }

    /// The rules that can match one invocation.
    pub(crate) fn invocation(
        &self,
        facts: &Facts<'_>,
        invocation: &InvocationFacts<'_>,
        depth: Depth,
    ) -> Scan {
        let mut found = Vec::new();
        self.name(facts, &mut found);
        if self.invocation_into(invocation, depth, &mut found) { sorted(found) } else { Scan::All }
    }

    /// The rules that can match one target of a file tool, or the call without one.
    pub(crate) fn target(&self, facts: &Facts<'_>, readings: &[PathParts<'_>]) -> Scan {
        let mut found = Vec::new();
        self.name(facts, &mut found);
        self.readings(readings, &mut found);
        sorted(found)
    }

    /// As [`Index::target`], with the rules that cover every call of `others`.
    pub(crate) fn target_of(&self, facts: &Facts<'_>, readings: &[PathParts<'_>], others: &[Tool]) -> Scan {
        let Scan::Some(mut found) = self.target(facts, readings) else { return Scan::All };
        found.extend(others.iter().filter_map(|tool| self.tools.get(tool)).flatten());
        sorted(found)
    }

    /// The path rules that can allow what an effect does.
    pub(crate) fn effect(&self, readings: &[PathParts<'_>]) -> Scan {
        let mut found = self.always.clone();
        self.readings(readings, &mut found);
        sorted(found)
    }

    /// The exact rules for the text of a command.
    pub(crate) fn text(&self, facts: &Facts<'_>, part: &PartFacts<'_>) -> Scan {
        let mut found = Vec::new();
        self.name(facts, &mut found);
        found.extend(self.exact.get(part.part.text.trim()).into_iter().flatten());
        sorted(found)
    }

    /// Rules found by the name of the tool and by arguments that are no paths and no commands.
    fn name(&self, facts: &Facts<'_>, found: &mut Vec<u32>) {
        found.extend(&self.always);
        let subject = facts.subject;
        found.extend(subject.tool.and_then(|tool| self.tools.get(&tool)).into_iter().flatten());
        found.extend(self.names.get(subject.name).into_iter().flatten());
        if let Some(server) = server_of(subject.name) {
            found.extend(self.names.get(server).into_iter().flatten());
        }
        if facts.is_shell() {
            found.extend(&self.texts);
            return;
        }
        if subject.tool.is_some_and(|tool| tool != Tool::Task) {
            return;
        }
        match crate::restrict::agent_name(facts) {
            Some(name) => found.extend(self.agents.get(name).into_iter().flatten()),
            None => found.extend(self.agents.values().flatten()),
        }
        if subject.tool.is_none() && !(self.hosts.is_empty() && self.urls.is_empty()) {
            found.extend(&self.urls);
            self.url_hosts(facts, found);
        }
    }

    fn url_hosts(&self, facts: &Facts<'_>, found: &mut Vec<u32>) {
        let urls = crate::parsed::urls(facts.subject.arguments);
        let hosts: Option<Vec<String>> = urls.into_iter().map(|url| url.and_then(crate::web::host)).collect();
        let Some(hosts) = hosts.filter(|hosts| !hosts.is_empty()) else {
            found.extend(self.hosts.values().flatten());
            return;
        };
        for host in &hosts {
            // The host itself, and each domain that it lies below.
            let mut rest = Some(host.as_str());
            while let Some(name) = rest {
                found.extend(self.hosts.get(name).into_iter().flatten());
                rest = name.split_once('.').map(|(_, above)| above);
            }
        }
    }

    fn readings(&self, readings: &[PathParts<'_>], found: &mut Vec<u32>) {
        for path in readings {
            self.paths.path(&path.names, found);
            if !path.text.is_ascii() {
                let composed = portcullis_paths::nfc(path.text);
                self.paths.path(&PathParts::new(&composed).names, found);
            }
        }
    }

    /// Gathers the rules for an invocation; false when every rule may match.
    fn invocation_into(&self, invocation: &InvocationFacts<'_>, depth: Depth, found: &mut Vec<u32>) -> bool {
        let possible = depth == Depth::Possible;
        let view = &invocation.view;
        if possible && (view.unknown_program() || (!view.invocation.specified && view.too_long())) {
            return false;
        }
        self.commands.words(view.words(), possible, found);
        for launcher in &view.invocation.launchers {
            self.commands.program(&launcher.name, false, found);
        }
        for effect in &invocation.effects {
            self.effect_into(effect, possible, found);
        }
        if !possible {
            return true;
        }
        if view.is_git_alias() {
            self.commands.program("git", true, found);
        }
        if !view.invocation.specified {
            view.tails(|words| self.commands.words(words, true, found));
        }
        self.readings(&invocation.words, found);
        if let Some(code) = &invocation.code {
            found.extend(&self.wordless);
            found.extend(code.iter().filter_map(|word| self.code.get(word)).flatten());
        }
        true
    }

    fn effect_into(&self, effect: &EffectFacts<'_>, possible: bool, found: &mut Vec<u32>) {
        let (readings, glob) = match &effect.place {
            Place::Path { readings, below } => (readings, *below),
            Place::Many { directory, glob, .. } => (directory, Some(*glob)),
            Place::Unknown if possible => return self.paths.everything(found),
            Place::Unknown | Place::None => return,
        };
        self.readings(readings, found);
        if let Some(glob) = glob.filter(|_| possible) {
            for alternative in &glob.alternatives {
                self.paths.below(alternative, found);
            }
        }
    }
}

/// The server's part of an MCP tool's name: `mcp__github` of `mcp__github__get_issue`.
fn server_of(name: &str) -> Option<&str> {
    let rest = name.strip_prefix("mcp__")?;
    let (server, _) = rest.split_once("__")?;
    name.get(.."mcp__".len() + server.len())
}

fn sorted(mut found: Vec<u32>) -> Scan {
    found.sort_unstable();
    found.dedup();
    Scan::Some(found)
}

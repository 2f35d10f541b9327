//! What others are told of a rule set as a whole: which paths a sandbox hides or a search leaves out, and which ones
//! allow rules spell out. Made when somebody asks: most calls need none of it.

use std::collections::HashSet;
use std::sync::OnceLock;

use portcullis_tool_names::Tool;

use crate::compiled::List;
use crate::facts::Access;
use crate::parsed::{Body, Parsed, Target};
use crate::{ListKind, RuleId, RuleSet};

/// See the functions of [`RuleSet`] below.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// For reading, and for writing.
    literals: OnceLock<[HashSet<String>; 2]>,
    denied: OnceLock<Vec<(String, bool)>>,
    unlisted: OnceLock<Vec<(RuleId, bool)>>,
    narrow: OnceLock<Vec<(RuleId, Tool)>>,
    /// For Read, Grep, Glob and ListDir.
    searched: [OnceLock<Vec<String>>; 4],
}

impl RuleSet {
    /// Whether an allow rule names this absolute path literally, without a glob.
    /// `write`: Edit or Write rules, else Read rules.
    #[must_use]
    pub fn names_literally(&self, path: &str, write: bool) -> bool {
        let [read, written] = self.told.literals.get_or_init(|| literals(self.list(ListKind::Allow)));
        let named = if write { written } else { read };
        if crate::paths::folds_everywhere(&self.anchors) {
            named.contains(&*portcullis_paths::fold_case(path))
        } else {
            named.contains(path)
        }
    }

    /// Absolute globs of deny rules with path payloads: `(glob, also reading)`; for the sandbox and for
    /// `exclude`.
    #[must_use]
    pub fn denied_paths(&self) -> &[(String, bool)] {
        self.told.denied.get_or_init(|| denied(self.list(ListKind::Deny)))
    }

    /// Deny rules for files that no glob says (`pattern` and `regex` of rule objects), each with whether it forbids
    /// reading too: what they forbid can be neither hidden nor left out of a search.
    #[must_use]
    pub fn unlisted_denials(&self) -> &[(RuleId, bool)] {
        self.told.unlisted.get_or_init(|| unlisted(self.list(ListKind::Deny)))
    }

    /// Absolute globs of the deny rules that govern calls of this tool, where it searches or reads in bulk: what has to
    /// be left out of what it finds.
    #[must_use]
    pub fn denied_to(&self, tool: Tool) -> &[String] {
        let [read, grep, glob, list] = &self.told.searched;
        let found = match tool {
            Tool::Read => read,
            Tool::Grep => grep,
            Tool::Glob => glob,
            Tool::ListDir => list,
            _ => return &[],
        };
        found.get_or_init(|| denied_to(self.list(ListKind::Deny), tool))
    }

    /// Rules of deny, ask and alwaysAsk that name Read, Edit or Write without a path, and so are about calls of this one
    /// tool, while other tools and commands do the same to the same files; not where the list has `(**)` as well.
    #[must_use]
    pub fn narrow(&self) -> &[(RuleId, Tool)] {
        let lists = [ListKind::Deny, ListKind::AlwaysAsk, ListKind::Ask];
        self.told.narrow.get_or_init(|| lists.into_iter().flat_map(|kind| narrow(self.list(kind))).collect())
    }

    /// [`RuleSet::denied_paths`] of one deny rule.
    #[must_use]
    pub fn denied_by(&self, id: RuleId) -> Vec<(String, bool)> {
        self.parsed(id).map(globs_of).unwrap_or_default()
    }
}

fn narrow(list: &List) -> Vec<(RuleId, Tool)> {
    let tool_of = |rule: &Parsed| match rule.targets.as_slice() {
        [Target::Tool(tool) | Target::Raw(_, tool)] if *tool == Tool::Read || tool.is_writing() => {
            Some(*tool)
        }
        _ => None,
    };
    let wide: Vec<Tool> = list
        .iter()
        .filter(|(_, rule)| matches!(&rule.body, Body::Path(pattern) if pattern.everything))
        .filter_map(|(_, rule)| tool_of(rule))
        .collect();
    let whole = list.iter().filter(|(_, rule)| matches!(rule.body, Body::Whole));
    whole
        .filter_map(|(index, rule)| {
            let tool = tool_of(rule)?;
            let covered = wide.iter().any(|wide| *wide == tool || wide.is_writing() && tool.is_writing());
            (!covered).then(|| (RuleId::new(list.kind, index), tool))
        })
        .collect()
}

/// Absolute globs of what one deny rule forbids, each with whether it forbids reading too.
fn globs_of(rule: &Parsed) -> Vec<(String, bool)> {
    let Body::Path(pattern) = &rule.body else { return Vec::new() };
    let reading = rule.targets.contains(&Target::Tool(Tool::Read));
    if !reading && !rule.targets.iter().any(is_writing) {
        return Vec::new();
    }
    pattern.globs().into_iter().map(|glob| (glob, reading)).collect()
}

fn is_writing(target: &Target) -> bool {
    matches!(target, Target::Tool(tool) | Target::Raw(_, tool) if tool.is_writing())
}

fn unlisted(deny: &List) -> Vec<(RuleId, bool)> {
    let files = deny.iter().filter(|(_, rule)| matches!(rule.body, Body::Text(_)));
    files
        .filter_map(|(index, rule)| {
            let reading = rule.speaks_of(Access::Read);
            let id = RuleId::new(ListKind::Deny, index);
            (reading || rule.speaks_of(Access::Change)).then_some((id, reading))
        })
        .collect()
}

fn denied_to(deny: &List, tool: Tool) -> Vec<String> {
    let mut seen = HashSet::new();
    let governs = |target: &Target| match target {
        Target::All => true,
        Target::Tool(own) | Target::Raw(_, own) => *own == tool || (*own, tool) == (Tool::Read, Tool::Grep),
        _ => false,
    };
    let mut globs = Vec::new();
    for (_, rule) in deny.iter().filter(|(_, rule)| rule.targets.iter().any(governs)) {
        let Body::Path(pattern) = &rule.body else { continue };
        globs.extend(pattern.globs().into_iter().filter(|glob| seen.insert(glob.clone())));
    }
    globs
}

/// The globs of deny rules, each once for reading and once for writing alone.
fn denied(deny: &List) -> Vec<(String, bool)> {
    let mut seen = HashSet::new();
    let mut globs = Vec::new();
    for (_, rule) in deny.iter() {
        globs.extend(globs_of(rule).into_iter().filter(|glob| seen.insert(glob.clone())));
    }
    globs
}

/// The paths that allow rules spell out: for reading, and for writing.
fn literals(allow: &List) -> [HashSet<String>; 2] {
    let mut found = [HashSet::new(), HashSet::new()];
    for (_, rule) in allow.iter() {
        let Body::Path(pattern) = &rule.body else { continue };
        let [read, written] = &mut found;
        if rule.targets.iter().any(is_writing) {
            written.extend(pattern.literals());
        } else if rule.targets.contains(&Target::Tool(Tool::Read)) {
            read.extend(pattern.literals());
        }
    }
    found
}

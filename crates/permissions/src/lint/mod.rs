//! What is wrong with rules, or weaker than it looks: rules that do nothing, rules that say more than a person
//! meant, and how many ways lead around a deny rule.

mod beats;
mod doubtful;
mod evasion;
mod names;
mod spellings;
mod substitutes;
mod ways;
mod wide;

use std::{collections::HashMap, sync::Arc};

use portcullis_matcher::{
    ListKind, RuleError, RuleId, RuleNote, RuleSet, RuleSource, RuleSubject, Rules, SourcedRule,
};

use portcullis_tool_names::Aliases;

use crate::Context;
use beats::Allows;
pub use beats::{Beaten, Standing, standing};
pub use doubtful::narrow;
use evasion::Judges;
pub use evasion::{Evasion, Needs, evasion};

/// One thing that a person should know about a rule.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Finding {
    /// What kind of thing.
    pub kind: FindingKind,
    /// The list that the rule stands in.
    pub list: ListKind,
    /// The rule as written.
    pub rule: String,
    /// Where it stands.
    #[serde(flatten)]
    pub at: RuleSource,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
    /// The rule that makes this one void, and where it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<By>,
    /// What gets past a deny rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evasion: Option<Evasion>,
}

/// A rule that another one is void for.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct By {
    /// Its list.
    pub list: ListKind,
    /// The rule as written.
    pub rule: String,
    /// Where it stands.
    #[serde(flatten)]
    pub at: RuleSource,
}

/// The kinds of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FindingKind {
    /// The rule cannot be read.
    Unreadable,
    /// It is read otherwise than it is written, or does nothing.
    Meaning,
    /// No tool has this name, but one has a similar one.
    UnknownTool,
    /// Another rule of its list matches all that it matches.
    Shadowed,
    /// A rule of a list that goes before matches all that it matches.
    Beaten,
    /// It allows whatever an interpreter, a shell or a launcher is told to run, or everything.
    Wholesale,
    /// It allows nothing: `:*` behind a launcher does not stand for what that runs.
    NeverAllows,
    /// It allows changes far outside the project.
    LeavesProject,
    /// `/x` is relative here, where `//x` was surely meant.
    Anchor,
    /// Other spellings or programs do what this deny rule forbids.
    Evaded,
}

impl FindingKind {
    /// The name in output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::Meaning => "meaning",
            Self::UnknownTool => "unknown-tool",
            Self::Shadowed => "shadowed",
            Self::Beaten => "beaten",
            Self::Wholesale => "wholesale",
            Self::NeverAllows => "never-allows",
            Self::LeavesProject => "leaves-project",
            Self::Anchor => "anchor",
            Self::Evaded => "evaded",
        }
    }
}

/// The lists that hold rules, in the order in which gates ask them.
const LISTS: [ListKind; 5] =
    [ListKind::Deny, ListKind::AlwaysAsk, ListKind::Allow, ListKind::Ask, ListKind::Restrict];

/// Everything that is to be said about the rules of `rules`, list by list, in list order. Nothing is asked but
/// the values given: the same rules have the same findings on every machine.
///
/// ```
/// use std::sync::Arc;
/// use portcullis_matcher::{Anchors, Conventions, RuleSet, RuleSource, Rules, Scope, SourcedRule};
/// use portcullis_permissions::{Context, FindingKind, GateConventions, Mode, lint};
///
/// let allow = vec![SourcedRule::text("Bash(python3:*)", RuleSource::of(Scope::User))];
/// let anchors = Anchors {
///     project_root: "/p".to_owned(),
///     start_directory: "/p".to_owned(),
///     home: None,
///     user_settings: None,
/// };
/// let rules = Arc::new(Rules { allow, ..Rules::default() });
/// let rules = RuleSet::compile(rules, &anchors, &Conventions::portcullis());
/// let context = Context::bare("/p", Mode::Standard, GateConventions::portcullis());
/// let found = lint(&context, &rules);
/// assert_eq!(found[0].kind, FindingKind::Wholesale);
/// ```
#[must_use]
pub fn lint(context: &Context, rules: &RuleSet) -> Vec<Finding> {
    let standing = standing(context, rules);
    let judges = Judges::new(context, rules);
    let mut allows = Allows::new(context, rules);
    let said = said(rules);
    let mut found = Vec::new();
    for list in LISTS {
        for id in rules.ids(list) {
            if let Some(rule) = rules.rule(id) {
                let subject = Subject { id, list, rule, rules, context, judges: &judges };
                let key = (list, rule.label());
                let own = said.get(&key).map(Vec::as_slice).unwrap_or_default();
                subject.findings(own, standing.beaten(id), &mut allows, &mut found);
            }
        }
    }
    found
}

/// The rules in deny, alwaysAsk and ask that hardly stop what they were written for: with a name that no tool has, or
/// a payload that no call is like. A small part of [`lint`], for every time that rules are read.
#[must_use]
pub fn misses(rules: &RuleSet, aliases: &Aliases) -> Vec<Finding> {
    let said = said(rules);
    let mut found = Vec::new();
    for list in [ListKind::Deny, ListKind::AlwaysAsk, ListKind::Ask] {
        for rule in rules.listed(list) {
            let own = said.get(&(list, rule.label())).map(Vec::as_slice).unwrap_or_default();
            if own.iter().any(|said| matches!(said, Said::Error(_))) {
                continue;
            }
            let told = own.iter().filter_map(|said| match said {
                Said::Note(note) if note.doubtful && note.at == rule.source => {
                    let (what, remedy) = halves(note);
                    Some((FindingKind::Meaning, what.to_owned(), remedy.to_owned()))
                }
                _ => None,
            });
            let misread =
                doubtful::misread(rule, aliases).map(|(what, remedy)| (FindingKind::Meaning, what, remedy));
            let unknown = names::meant(rule, aliases).map(|(name, meant)| {
                let what = format!("no tool is called `{name}`");
                (FindingKind::UnknownTool, what, format!("write `{meant}`, if that is meant"))
            });
            found.extend(told.chain(misread).chain(unknown).map(|(kind, message, remedy)| Finding {
                kind,
                list,
                rule: rule.label(),
                at: rule.source.clone(),
                message,
                remedy,
                by: None,
                evasion: None,
            }));
        }
    }
    found
}

const AS_MEANT: &str = "write the rule as it is meant";

/// What is said of a rule, and what to do about it.
fn halves(note: &RuleNote) -> (&str, &str) {
    let parted = note.message.rsplit_once(": ").filter(|_| note.doubtful);
    parted.unwrap_or((&note.message, AS_MEANT))
}

/// What was said where the rules were read.
#[derive(Clone, Copy)]
enum Said<'a> {
    /// It cannot be read.
    Error(&'a RuleError),
    Note(&'a RuleNote),
}

/// What was said of each rule, by its list and text.
fn said(rules: &RuleSet) -> HashMap<(ListKind, String), Vec<Said<'_>>> {
    let mut said: HashMap<_, Vec<Said<'_>>> = HashMap::new();
    for error in rules.errors() {
        said.entry((error.list, error.rule.clone())).or_default().push(Said::Error(error));
    }
    for note in rules.notes() {
        said.entry((note.list, note.rule.clone())).or_default().push(Said::Note(note));
    }
    said
}

/// Some rules, compiled as those of a set.
fn compiled(rules: &RuleSet, own: Rules) -> RuleSet {
    #[cfg(test)]
    work::count(&own);
    rules.with_rules(Arc::new(own))
}

/// One rule, looked at.
struct Subject<'a> {
    id: RuleId,
    list: ListKind,
    rule: &'a SourcedRule,
    rules: &'a RuleSet,
    context: &'a Context,
    judges: &'a Judges<'a>,
}

impl Subject<'_> {
    /// `said`: of rules of this list with this text.
    fn findings(
        &self,
        said: &[Said<'_>],
        beaten: Option<Beaten>,
        allows: &mut Allows<'_>,
        found: &mut Vec<Finding>,
    ) {
        let own = |at: &RuleSource| *at == self.rule.source;
        let error = said.iter().find_map(|said| match said {
            Said::Error(error) if own(&error.at) => Some(error),
            _ => None,
        });
        if let Some(error) = error {
            let remedy = if matches!(self.list, ListKind::Deny | ListKind::AlwaysAsk) {
                "mend or remove the rule; until then nothing that it might cover is allowed automatically"
            } else {
                "mend or remove the rule; until then it does nothing"
            };
            found.push(self.finding(FindingKind::Unreadable, error.message.clone(), remedy));
            return;
        }
        for said in said {
            if let Said::Note(note) = said
                && own(&note.at)
            {
                let (what, remedy) = halves(note);
                found.push(self.finding(FindingKind::Meaning, what, remedy));
            }
        }
        found.extend(
            doubtful::misread(self.rule, &self.context.aliases)
                .map(|(said, remedy)| self.finding(FindingKind::Meaning, said, remedy)),
        );
        let own = self.rules.narrow().iter().find(|(id, _)| *id == self.id);
        found.extend(own.map(|(_, tool)| {
            let (said, remedy) = doubtful::narrow(*tool);
            self.finding(FindingKind::Meaning, said, remedy)
        }));
        found.extend(self.unknown_tool());
        found.extend(self.void(beaten));
        let wide = self.too_wide();
        if wide.is_empty() {
            found.extend(self.idle(allows));
        }
        found.extend(wide);
        if beaten.is_none() {
            found.extend(self.evaded());
        }
    }

    fn finding(&self, kind: FindingKind, message: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding {
            kind,
            list: self.list,
            rule: self.rule.label(),
            at: self.rule.source.clone(),
            message: message.into(),
            remedy: remedy.into(),
            by: None,
            evasion: None,
        }
    }

    /// A deny rule for a text that is not one simple command.
    fn is_a_text(&self) -> bool {
        self.list == ListKind::Deny
            && matches!(self.rules.subject_of(self.id), Some(RuleSubject::Command { .. }))
            && self.rules.sample(self.id).is_none()
    }

    fn unknown_tool(&self) -> Option<Finding> {
        let (name, meant) = names::meant(self.rule, &self.context.aliases)?;
        Some(self.finding(
            FindingKind::UnknownTool,
            format!("no tool is called `{name}`: did you mean `{meant}`?"),
            format!("write `{meant}`, if that is meant"),
        ))
    }

    /// The rule can never decide anything.
    fn void(&self, beaten: Option<Beaten>) -> Option<Finding> {
        let beaten = beaten?;
        let by = self.rules.rule(beaten.by)?;
        let list = self.rules.kind(beaten.by)?;
        let (kind, how) = if list == self.list {
            (FindingKind::Shadowed, "matches all of it")
        } else {
            (FindingKind::Beaten, "goes before it and matches all of it")
        };
        let message = format!("`{}` in {} {how}", by.label(), list.as_str());
        let remedy = if (list, self.list) == (ListKind::Allow, ListKind::Ask) {
            "narrow the allow rule, or move this one to alwaysAsk, which goes before allow"
        } else {
            "remove one of the two"
        };
        let finding = self.finding(kind, message, remedy);
        Some(Finding { by: Some(By { list, rule: by.label(), at: by.source.clone() }), ..finding })
    }

    fn idle(&self, allows: &mut Allows<'_>) -> Option<Finding> {
        let doubtful::Idle { command, inner } = self.never_allows(allows)?;
        let remedy = match inner {
            Some(rule) => format!("add `{rule}` beside it: what is run needs a rule of its own"),
            None => "write the whole command without `:*`, or remove it; `portcullis explain` says why it is asked"
                .to_owned(),
        };
        Some(self.finding(
            FindingKind::NeverAllows,
            format!("`:*` does not stand for what `{command}` runs, so that it allows nothing"),
            remedy,
        ))
    }

    fn too_wide(&self) -> Vec<Finding> {
        let wholesale = wide::wholesale(self.rules, self.id, self.list).map(|said| {
            self.finding(FindingKind::Wholesale, said, "name what it may run, such as `Bash(npm run test:*)`")
        });
        let leaving = wide::leaves_project(self.rule, self.list).map(|glob| {
            self.finding(
                FindingKind::LeavesProject,
                format!("`{glob}` allows changes far outside the project"),
                "name the directory that is meant",
            )
        });
        let anchored = wide::misplaced_slash(self.rule, self.rules.conventions()).map(|path| {
            self.finding(
                FindingKind::Anchor,
                format!("`{path}` is relative to where the rule stands, not to the root of the file system"),
                format!("write `/{path}` for the absolute path"),
            )
        });
        wholesale.into_iter().chain(leaving).chain(anchored).collect()
    }

    fn evaded(&self) -> Option<Finding> {
        if self.is_a_text() {
            return Some(self.finding(
                FindingKind::Evaded,
                "it is compared with the whole text, so that every other way to write the same gets past it",
                "write one rule for each of its commands",
            ));
        }
        let evasion = self.judges.evasion(self.id)?;
        if evasion.past.is_empty() {
            return None;
        }
        let message =
            format!("{} of {} other ways to do the same get past it", evasion.past.len(), evasion.of);
        let finding = self.finding(FindingKind::Evaded, message, evasion.remedy());
        Some(Finding { evasion: Some(evasion), ..finding })
    }
}

/// How many rules were compiled, for a test of how that grows.
#[cfg(test)]
mod work {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        static COMPILED: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn count(rules: &Rules) {
        let lists = [&rules.deny, &rules.always_ask, &rules.ask, &rules.allow, &rules.restrict];
        let all: usize = lists.iter().map(|list| list.len()).sum();
        COMPILED.set(COMPILED.get() + all);
    }

    /// Rules of every kind that lint compiles others for.
    fn compiled_for(count: usize) -> usize {
        use portcullis_matcher::{Anchors, Conventions, Mode, Scope};

        let list = |shapes: &[&str]| -> Vec<SourcedRule> {
            let text = |at: usize| shapes[at % shapes.len()].replace("{}", &at.to_string());
            (0..count).map(|at| SourcedRule::text(text(at), RuleSource::of(Scope::User))).collect()
        };
        let mut allow = list(&["Bash(sudo tool{}:*)", "Bash(make x{}:*)", "Bash(npx)", "Bash(git sub{}:*)"]);
        allow.push(SourcedRule::text("Bash(git:*)", RuleSource::of(Scope::User)));
        let rules = Rules {
            deny: list(&["Bash(tool{}:*)", "Read(dir{}/**)"]),
            ask: list(&["Bash(git sub{}:*)", "Bash(make x{} y)"]),
            allow,
            ..Rules::default()
        };
        let anchors = Anchors {
            project_root: "/repo".to_owned(),
            start_directory: "/repo".to_owned(),
            home: None,
            user_settings: None,
        };
        let rules = RuleSet::compile(Arc::new(rules), &anchors, &Conventions::letta());
        let context = Context::bare("/repo", Mode::Standard, crate::GateConventions::letta());
        COMPILED.set(0);
        assert!(!lint(&context, &rules).is_empty());
        COMPILED.get()
    }

    #[test]
    fn twice_the_rules_are_twice_the_work() {
        let (few, many) = (compiled_for(8), compiled_for(16));
        assert!(many <= 2 * few, "{few} rules are compiled for 8, {many} for 16");
    }
}

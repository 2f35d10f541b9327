//! Whether allow rules cover a call: every target, and every invocation with its assignments and
//! redirections, each not overruled by a narrower scope.

mod effects;
mod near;

use portcullis_shell_analysis::{Invocation, Value};
use portcullis_tool_names::{Family, Tool};

use crate::command::{CommandPattern, Form, Place as CallPlace, identity};
use crate::compiled::List;
use crate::facts::{Access, EffectFacts, Facts, InvocationFacts, PartFacts};
use crate::index::{Depth, Index, Scan};
use crate::parsed::{Body, Parsed, Target};
use crate::paths::PathParts;
use crate::word_paths::{is_open, paths_of_text};
use crate::{Anchors, Conventions, Guarded, ListKind, Match, NamedPlace, Scope};

pub(crate) use near::Reason;
pub use near::Shortfall;

/// What the judgement of one call looks at beside its facts.
pub(crate) struct Judge<'a> {
    pub(crate) allow: &'a List,
    /// The lists whose rules can overrule an allow rule.
    pub(crate) restraining: [&'a List; 3],
    pub(crate) anchors: &'a Anchors,
    pub(crate) conventions: &'a Conventions,
    /// Directories whose files may be read, beside the project root.
    pub(crate) directories: &'a [String],
    /// Places that a command's words may name only where the rule does.
    pub(crate) guarded: &'a Guarded<'a>,
}

/// What narrower rules say about one part of a call.
#[derive(Clone, Copy)]
struct Restraint {
    /// The narrowest scope that restrains; allow rules of broader scopes do not count.
    scope: Option<Scope>,
    /// A rule asks for it: being read-only is not enough.
    asked: bool,
}

/// How an invocation is covered.
enum Cover {
    /// By this rule.
    Rule(u32),
    /// It needs none.
    Free,
}

impl Judge<'_> {
    /// The rule that covers the first part that needed one.
    pub(crate) fn covers(&self, facts: &Facts<'_>) -> Option<u32> {
        match facts.subject.tool.map(Tool::family) {
            Some(Family::Shell) => self.shell(facts),
            Some(Family::File) => self.file(facts),
            _ => self.other(facts),
        }
    }

    /// Allow rules that are not overruled.
    fn usable(
        &self,
        restraint: Restraint,
        find: impl FnOnce(&Index) -> Scan<'_>,
    ) -> impl Iterator<Item = (u32, &Parsed)> {
        self.allow.scan(find).filter(move |(_, rule)| {
            rule.scope == Scope::Managed || restraint.scope.is_none_or(|scope| scope <= rule.scope)
        })
    }

    fn restraint(
        &self,
        find: impl Fn(&Index) -> Scan<'_>,
        test: impl Fn(&Parsed, ListKind) -> Match,
    ) -> Restraint {
        let mut found = Restraint { scope: None, asked: false };
        for list in self.restraining.into_iter().filter(|list| !list.is_empty()) {
            for (_, rule) in list.scan(&find) {
                // Nothing narrower comes.
                if found.scope >= list.narrowest() && (found.asked || list.kind == ListKind::Restrict) {
                    break;
                }
                let new = found.scope.is_none_or(|scope| scope < rule.scope)
                    || (!found.asked && list.kind != ListKind::Restrict);
                if new && test(rule, list.kind) > Match::No {
                    found.scope = found.scope.max(Some(rule.scope));
                    found.asked |= list.kind != ListKind::Restrict;
                }
            }
        }
        found
    }

    /// What narrower rules say about a whole call.
    fn restraint_on_call(&self, facts: &Facts<'_>) -> Restraint {
        self.restraint(
            |index| index.call(facts, Depth::Possible),
            |rule, list| rule.restricts(list, facts, &[]),
        )
    }

    /// What narrower rules say about one invocation.
    fn restraint_on(&self, facts: &Facts<'_>, invocation: &InvocationFacts<'_>) -> Restraint {
        self.restraint(
            |index| index.invocation(facts, invocation, Depth::Possible),
            |rule, list| rule.restricts_invocation(list, facts, invocation),
        )
    }

    fn other(&self, facts: &Facts<'_>) -> Option<u32> {
        let restraint = self.restraint_on_call(facts);
        self.usable(restraint, |index| index.call(facts, Depth::Certain))
            .find(|(_, rule)| self.covers_other(rule, facts))
            .map(|(id, _)| id)
    }

    fn covers_other(&self, rule: &Parsed, facts: &Facts<'_>) -> bool {
        rule.allows_name(facts)
            && match &rule.body {
                Body::Whole => true,
                Body::Web(pattern) => {
                    let addresses = crate::web::addresses(facts.subject.arguments);
                    !addresses.is_empty()
                        && addresses.iter().all(|address| pattern.allows(address.as_deref()))
                        && crate::web::bare(facts.subject.arguments).into_iter().all(|text| {
                            addresses.iter().any(|address| address.as_deref() == Some(text))
                                || pattern.allows_bare(text)
                        })
                }
                Body::Argument { key, glob } => {
                    let texts = crate::parsed::texts_of(facts.subject.arguments.get(key));
                    texts.is_some_and(|texts| texts.iter().all(|text| glob.matches(text)))
                }
                Body::Named(names) => {
                    let given = facts.given_names();
                    let mut all = given.names.iter().chain(&given.perhaps);
                    !given.names.is_empty()
                        && !given.unknown
                        && all.all(|name| names.iter().any(|own| own.matches(name)))
                }
                _ => false,
            }
    }

    fn file(&self, facts: &Facts<'_>) -> Option<u32> {
        let tool = facts.subject.tool?;
        if facts.subject.unknown_target || facts.targets.is_empty() {
            let restraint = self.restraint_on_call(facts);
            let whole =
                |rule: &Parsed| matches!(rule.body, Body::Whole) && self.speaks_for(rule, tool, facts);
            let mut rules = self.usable(restraint, |index| index.whole(facts, self.others(tool)));
            return rules.find(|(_, rule)| whole(rule)).map(|(id, _)| id);
        }
        let mut first = None;
        for readings in &facts.targets {
            let id = self.file_rule(tool, readings, facts)?;
            first = first.or(Some(id));
        }
        first
    }

    /// Tools whose rules may speak for calls of this one: `Edit` as a whole for Write.
    fn others(&self, tool: Tool) -> &'static [Tool] {
        if self.conventions.edit_covers_write && tool == Tool::Write { &[Tool::Edit] } else { &[] }
    }

    fn restraint_on_target(&self, readings: &[PathParts<'_>], facts: &Facts<'_>) -> Restraint {
        self.restraint(
            |index| index.target(facts, readings),
            |rule, list| rule.restricts_target(list, facts, readings),
        )
    }

    /// The first usable rule that covers one target.
    fn file_rule(&self, tool: Tool, readings: &[PathParts<'_>], facts: &Facts<'_>) -> Option<u32> {
        let restraint = self.restraint_on_target(readings, facts);
        let mut rules = self.usable(restraint, |index| index.target_of(facts, readings, self.others(tool)));
        let found = rules.find(|(_, rule)| {
            self.speaks_for(rule, tool, facts)
                && match &rule.body {
                    Body::Whole => true,
                    Body::Path(pattern) => readings.iter().all(|path| pattern.allows(path)),
                    _ => false,
                }
        });
        found.map(|(id, _)| id)
    }

    /// Whether an allow rule is about calls of this file tool.
    fn speaks_for(&self, rule: &Parsed, tool: Tool, facts: &Facts<'_>) -> bool {
        rule.allows_name(facts)
            || (self.conventions.edit_covers_write
                && tool == Tool::Write
                && rule.targets.contains(&Target::Tool(Tool::Edit)))
    }

    fn shell(&self, facts: &Facts<'_>) -> Option<u32> {
        if facts.obscure() {
            return None;
        }
        // An empty text or a comment runs nothing: a rule for every command is one for this too.
        if facts.parts.iter().all(|part| part.invocations.is_empty()) {
            return self.whole_tool(facts);
        }
        let mut first = None;
        let mut spare = None;
        for part in &facts.parts {
            if let Some(id) = self.whole_text(part, facts) {
                first = first.or(Some(id));
                continue;
            }
            for invocation in &part.invocations {
                match self.invocation(invocation, part, facts)? {
                    Cover::Rule(id) => first = first.or(Some(id)),
                    Cover::Free => {
                        spare = spare.or_else(|| self.spare_rule(invocation, facts));
                    }
                }
            }
        }
        first.or(spare)
    }

    /// A rule for every command there is.
    fn whole_tool(&self, facts: &Facts<'_>) -> Option<u32> {
        let whole = |rule: &Parsed| matches!(rule.body, Body::Whole) && rule.allows_name(facts);
        let restraint = self.restraint_on_call(facts);
        self.usable(restraint, |index| index.call(facts, Depth::Certain))
            .find(|(_, rule)| whole(rule))
            .map(|(id, _)| id)
    }

    /// A rule for an invocation that needs none: what allows a call that only reads, where reading alone
    /// does not.
    fn spare_rule(&self, invocation: &InvocationFacts<'_>, facts: &Facts<'_>) -> Option<u32> {
        if matches!(invocation.view.invocation.base_name(), None | Some("cd")) {
            return None;
        }
        self.covering_rule(self.restraint_on(facts, invocation), invocation, facts)
    }

    /// An exact rule for the text of a command.
    fn whole_text(&self, part: &PartFacts<'_>, facts: &Facts<'_>) -> Option<u32> {
        let exact = |rule: &Parsed| {
            rule.allows_name(facts)
                && matches!(&rule.body, Body::Command(pattern) if pattern.is_exactly(part.part.text))
        };
        let first = |scope: Option<Scope>| {
            let restraint = Restraint { scope, asked: false };
            let mut rules = self.usable(restraint, |index| index.text(facts, part));
            rules.find(|(_, rule)| exact(rule)).map(|(id, _)| id)
        };
        first(None)?;
        let scopes = part.invocations.iter().map(|invocation| self.restraint_on(facts, invocation).scope);
        first(scopes.max().flatten())
    }

    fn invocation(
        &self,
        invocation: &InvocationFacts<'_>,
        part: &PartFacts<'_>,
        facts: &Facts<'_>,
    ) -> Option<Cover> {
        let plain = invocation.view.invocation;
        let restraint = self.restraint_on(facts, invocation);
        if !restraint.asked && plain.read_only {
            return Some(Cover::Free);
        }
        // Whoever allows the words that name it allows it, unless a rule is about it.
        if plain.named && restraint.scope.is_none() && !restraint.asked {
            return Some(Cover::Free);
        }
        if plain.words.is_empty() {
            let fine = plain.assignments.iter().all(|assignment| assignment.harmless)
                && self.effects_allowed(invocation, restraint, true).is_some();
            return fine.then_some(Cover::Free);
        }
        if let Some(id) = self.covering_rule(restraint, invocation, facts) {
            return self.launchers_covered(invocation, part, restraint, facts).then_some(Cover::Rule(id));
        }
        if plain.assignments.iter().any(|assignment| !assignment.harmless)
            || !self.launchers_covered(invocation, part, restraint, facts)
        {
            return None;
        }
        // The program's known effects are all allowed by file rules.
        if plain.specified
            && plain.code.is_empty()
            && let Some(Some(id)) = self.effects_allowed(invocation, restraint, false)
        {
            return Some(Cover::Rule(id));
        }
        // A transparent launcher costs nothing beside what it runs, which stands in the plan by itself.
        let launches = part.invocations.iter().any(|inner| is_inside(plain, inner.view.invocation));
        let free = |effect: &EffectFacts<'_>| {
            effect.access == Access::Other || self.effect_rule(effect, restraint).is_some()
        };
        (launches && plain.code.is_empty() && invocation.effects.iter().all(free)).then_some(Cover::Free)
    }

    /// The first usable rule that covers an invocation.
    fn covering_rule(
        &self,
        restraint: Restraint,
        invocation: &InvocationFacts<'_>,
        facts: &Facts<'_>,
    ) -> Option<u32> {
        self.usable(restraint, |index| index.invocation(facts, invocation, Depth::Certain))
            .find(|(_, rule)| self.rule_covers(rule, invocation, restraint, facts))
            .map(|(id, _)| id)
    }

    /// Whether one allow rule covers an invocation, its assignments and redirections.
    fn rule_covers(
        &self,
        rule: &Parsed,
        invocation: &InvocationFacts<'_>,
        restraint: Restraint,
        facts: &Facts<'_>,
    ) -> bool {
        if !rule.allows_name(facts) {
            return false;
        }
        let place = CallPlace { project_root: &self.anchors.project_root, resolver: facts.subject.resolver };
        match &rule.body {
            Body::Whole => true,
            Body::Command(pattern) => {
                pattern.covers(&invocation.view, place)
                    && pattern.covers_assignments(&invocation.view)
                    && self.redirections_allowed(invocation, facts.subject.shell, restraint)
                    && self.guarded_word(pattern, invocation).is_none()
            }
            _ => false,
        }
    }

    /// A word that names a guarded place and does not stand in the rule, where what the program does with its words is
    /// not known. Known effects have gates of their own.
    pub(crate) fn guarded_word(
        &self,
        pattern: &CommandPattern,
        invocation: &InvocationFacts<'_>,
    ) -> Option<String> {
        let plain = invocation.view.invocation;
        if !is_open(plain) || pattern.form == Form::Exact {
            return None;
        }
        let words = plain.words.iter().skip(1);
        let hidden = words.filter(|word| !word.value.known().is_some_and(|text| pattern.spells(text)));
        hidden
            .flat_map(|word| {
                let texts = word.value.candidates().unwrap_or_default().iter().map(|text| (&**text, false));
                let glob = match &word.value {
                    Value::Glob(glob) => Some((&*glob.pattern, true)),
                    _ => None,
                };
                texts.chain(glob)
            })
            .find(|(text, is_glob)| {
                paths_of_text(plain, text).any(|path| {
                    (self.guarded)(if *is_glob { NamedPlace::Glob(&path) } else { NamedPlace::Path(&path) })
                })
            })
            .map(|(text, _)| text.to_owned())
    }

    /// Launchers that hide what they do need a rule of their own beside the one for what they run.
    /// Those that stand in the plan as invocations are judged there.
    fn launchers_covered(
        &self,
        invocation: &InvocationFacts<'_>,
        part: &PartFacts<'_>,
        restraint: Restraint,
        facts: &Facts<'_>,
    ) -> bool {
        let plain = invocation.view.invocation;
        plain.launchers.iter().enumerate().all(|(depth, launcher)| {
            launcher.transparent
                || part.invocations.iter().any(|outer| {
                    let outer = outer.view.invocation;
                    outer.launchers.len() == depth
                        && outer.base_name() == Some(launcher.name.as_str())
                        && plain.launchers.starts_with(&outer.launchers)
                })
                || self.usable(restraint, |index| index.launcher(facts, &launcher.name)).any(|(_, rule)| {
                    rule.allows_name(facts)
                        && match &rule.body {
                            Body::Whole => true,
                            Body::Command(pattern) => {
                                pattern.form == Form::Prefix
                                    && matches!(pattern.words.as_slice(), [program] if launcher.name == identity(program))
                            }
                            _ => false,
                        }
                })
        })
    }
}

impl Parsed {
    /// Whether an allow rule names the tool of the call; the original name of a call that is judged as
    /// another tool does not count.
    fn allows_name(&self, facts: &Facts<'_>) -> bool {
        self.targets.iter().any(|target| match target {
            Target::All => true,
            Target::Tool(tool) => facts.subject.tool == Some(*tool),
            Target::Raw(name, _) => name == facts.subject.name,
            Target::Name(name) => facts.subject.tool.is_none() && name == facts.subject.name,
            Target::Names(names) => facts.subject.tool.is_none() && names.matches(facts.subject.name),
        })
    }
}

/// Whether `inner` is run through the transparent launcher `outer`.
fn is_inside(outer: &Invocation, inner: &Invocation) -> bool {
    inner.launchers.starts_with(&outer.launchers)
        && inner
            .launchers
            .get(outer.launchers.len())
            .is_some_and(|launcher| launcher.transparent && Some(launcher.name.as_str()) == outer.base_name())
        && outer.span.start <= inner.span.start
        && inner.span.end <= outer.span.end
}

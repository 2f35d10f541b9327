//! How far one rule of a restricting list matches a call.

use portcullis_shell_analysis::join_words;
use portcullis_tool_names::{Family, GivenNames, Tool};

use crate::command::base_name;
use crate::facts::{Access, EffectFacts, Facts, InvocationFacts, Place};
use crate::glob::{PathGlob, TextGlob};
use crate::object_test::{ObjectTest, TextTest};
use crate::parsed::{Body, Parsed, Target};
use crate::paths::{PathParts, PathPattern};
use crate::{ListKind, Match};

impl Parsed {
    /// Compares with a whole call. `lifted`: invocations whose possible matches an exact allow rule lifts.
    pub(crate) fn restricts(&self, list: ListKind, facts: &Facts<'_>, lifted: &[bool]) -> Match {
        let mut result = self.restricts_call(list, facts);
        if result < Match::Possible && facts.obscure() && self.is_about_shell() {
            result = Match::Possible;
        }
        let mut lifted = lifted.iter();
        for part in &facts.parts {
            result = result.max(self.restricts_text(part.part.text, facts));
            for invocation in &part.invocations {
                let lifted = lifted.next().copied().unwrap_or(false);
                if result == Match::Yes {
                    return result;
                }
                let own = self.restricts_invocation(list, facts, invocation);
                if own == Match::Yes || !lifted {
                    result = result.max(own);
                }
            }
        }
        result
    }

    /// Compares with what is not a command: the tool, its paths, its arguments.
    fn restricts_call(&self, list: ListKind, facts: &Facts<'_>) -> Match {
        let mut result = Match::No;
        for paths in &facts.targets {
            result = result.max(self.restricts_target(list, facts, paths));
        }
        for glob in &facts.reached {
            result = result.max(self.restricts_reached(list, facts, glob));
        }
        if self.named(facts) {
            let own = match &self.body {
                Body::Whole
                    if self
                        .targets
                        .iter()
                        .any(|t| matches!(t, Target::Raw(_, tool) if *tool != Tool::Task)) =>
                {
                    Match::No
                }
                Body::Whole | Body::Unread => Match::Yes,
                Body::Web(pattern) => restricts_urls(pattern, facts.subject.arguments),
                Body::Named(names) => restricts_names(names, facts.given_names()),
                Body::Argument { key, glob } => {
                    let texts = crate::parsed::texts_of(facts.subject.arguments.get(key));
                    texts.map_or(Match::Possible, |texts| {
                        Match::from(texts.iter().any(|text| glob.matches(text)))
                    })
                }
                Body::Text(test) if facts.has_other_arguments() => {
                    Match::from(test.matches_arguments(facts.subject.arguments))
                }
                _ => Match::No,
            };
            result = result.max(own);
        }
        if facts.subject.unknown_target
            && let Some(tool) = facts.subject.tool
            && self.governs(tool, list, facts)
        {
            let own = match &self.body {
                Body::Path(pattern) if pattern.everything => Match::Yes,
                Body::Path(_) | Body::Text(_) => Match::Possible,
                _ => Match::No,
            };
            result = result.max(own);
        }
        result
    }

    /// Compares with one target of a file tool, in all its readings.
    pub(crate) fn restricts_target(
        &self,
        list: ListKind,
        facts: &Facts<'_>,
        readings: &[PathParts<'_>],
    ) -> Match {
        let Some(tool) = facts.subject.tool else { return Match::No };
        match &self.body {
            Body::Path(pattern) if self.governs(tool, list, facts) => {
                Match::from(readings.iter().any(|path| pattern.restricts(path)))
            }
            Body::Text(test) if self.governs(tool, list, facts) => {
                Match::from(readings.iter().any(|path| test.matches_path(path.text)))
            }
            Body::Whole if self.named(facts) => Match::Yes,
            _ => Match::No,
        }
    }

    /// Compares with what a search or a reading in bulk reaches. A deny rule for some of it takes that out, see
    /// [`crate::RuleSet::denied_to`].
    fn restricts_reached(&self, list: ListKind, facts: &Facts<'_>, glob: &PathGlob) -> Match {
        if !facts.subject.tool.is_some_and(|tool| self.governs(tool, list, facts)) {
            return Match::No;
        }
        match &self.body {
            Body::Path(pattern) => Match::from(
                pattern.restricts_all(glob)
                    || list != ListKind::Deny && pattern.may_restrict_in_any_case(glob),
            ),
            // Whether a text is in some of the names cannot be said.
            Body::Text(_) => Match::Possible,
            _ => Match::No,
        }
    }

    /// Compares with a command's whole text.
    fn restricts_text(&self, text: &str, facts: &Facts<'_>) -> Match {
        if !self.names(Tool::Bash, facts) {
            return Match::No;
        }
        match &self.body {
            Body::Command(pattern) => pattern.restricts_text(text),
            Body::Text(test) => Match::from(test.test.matches(text.trim())),
            _ => Match::No,
        }
    }

    /// Compares with one invocation: its words, and what it touches.
    pub(crate) fn restricts_invocation(
        &self,
        list: ListKind,
        facts: &Facts<'_>,
        invocation: &InvocationFacts<'_>,
    ) -> Match {
        if !facts.is_shell() {
            return Match::No;
        }
        match &self.body {
            Body::Whole => Match::from(self.named(facts)),
            Body::Command(pattern) if self.names(Tool::Bash, facts) => pattern.restricts(&invocation.view),
            Body::Path(pattern) => self.restricts_effects(list, invocation, pattern),
            Body::Text(test) => {
                let words = if self.names(Tool::Bash, facts) {
                    restricts_words(&test.test, invocation)
                } else {
                    Match::No
                };
                words.max(self.test_effects(list, test, invocation))
            }
            _ => Match::No,
        }
    }

    fn restricts_effects(
        &self,
        list: ListKind,
        invocation: &InvocationFacts<'_>,
        pattern: &PathPattern,
    ) -> Match {
        let mut result = Match::No;
        for effect in invocation.effects.iter().filter(|effect| self.speaks_of(effect.access)) {
            result = result.max(restricts_effect(list, effect, pattern));
        }
        if result == Match::No && (self.speaks_of(Access::Read) || self.speaks_of(Access::Change)) {
            let hidden = invocation.view.unknown_program()
                || (self.speaks_of(Access::Read) || invocation.may_change_words())
                    && (invocation.lost_words
                        || invocation.words.iter().any(|path| pattern.restricts(path))
                        || invocation.patterns.iter().any(|word| word.may_be_restricted(pattern)))
                || invocation.code.as_ref().is_some_and(|code| {
                    let told = |words: &&Vec<String>| list != ListKind::Deny || !words.is_empty();
                    pattern.words.iter().filter(told).any(|words| code.hold_all(words))
                });
            if hidden {
                return Match::Possible;
            }
        }
        result
    }

    /// Whether this rule over paths spells nothing out that code could be searched for, and the invocation runs code.
    pub(crate) fn is_unseen_by(&self, invocation: &InvocationFacts<'_>) -> bool {
        let Body::Path(pattern) = &self.body else { return false };
        invocation.code.is_some()
            && pattern.words.iter().any(Vec::is_empty)
            && (self.speaks_of(Access::Read) || self.speaks_of(Access::Change))
    }

    fn test_effects(&self, list: ListKind, test: &ObjectTest, invocation: &InvocationFacts<'_>) -> Match {
        let mut result = Match::No;
        for effect in invocation.effects.iter().filter(|effect| self.speaks_of(effect.access)) {
            result = result.max(match &effect.place {
                Place::Path { readings, below, lost, .. } => {
                    let own = Match::from(readings.iter().any(|path| test.matches_path(path.text)));
                    let inside = below.is_some() || list != ListKind::Deny && effect.within.is_some();
                    if own == Match::No && (*lost || inside) { Match::Possible } else { own }
                }
                Place::Many { .. } | Place::Unknown => Match::Possible,
                Place::None => Match::No,
            });
        }
        result
    }

    /// Whether a file rule speaks of shell effects of this kind.
    pub(crate) fn speaks_of(&self, access: Access) -> bool {
        self.targets.iter().any(|target| {
            matches!(
                (target, access),
                (Target::Tool(Tool::Read) | Target::All, Access::Read)
                    | (Target::Tool(Tool::Write | Tool::Edit) | Target::All, Access::Change)
            )
        })
    }

    /// Whether a rule of these tools with a path governs calls of `tool`.
    pub(crate) fn governs(&self, tool: Tool, list: ListKind, facts: &Facts<'_>) -> bool {
        tool.family() == Family::File
            && self.targets.iter().any(|target| match target {
                Target::All => true,
                Target::Raw(name, _) => name == facts.subject.name,
                Target::Tool(own) if *own == tool => true,
                Target::Tool(Tool::Write | Tool::Edit) => tool.is_writing(),
                Target::Tool(Tool::Read) => {
                    tool == Tool::Grep || (list == ListKind::Deny && tool.is_writing())
                }
                _ => false,
            })
    }

    /// Whether the rule names the tool of the call, in any spelling, or the call's own name.
    fn named(&self, facts: &Facts<'_>) -> bool {
        self.targets.iter().any(|target| match target {
            Target::All => true,
            Target::Tool(tool) => facts.subject.tool == Some(*tool),
            Target::Raw(name, _) | Target::Name(name) => name == facts.subject.name,
            Target::Names(names) => names.matches(facts.subject.name),
        })
    }

    /// Whether the rule is about this tool.
    fn names(&self, tool: Tool, facts: &Facts<'_>) -> bool {
        facts.subject.tool == Some(tool)
            && self.targets.iter().any(|target| match target {
                Target::All => true,
                Target::Tool(own) => *own == tool,
                Target::Raw(name, own) => *own == tool && name == facts.subject.name,
                _ => false,
            })
    }

    /// Whether what a command does can concern the rule at all.
    fn is_about_shell(&self) -> bool {
        matches!(self.body, Body::Command(_) | Body::Path(_) | Body::Text(_))
            && self.targets.iter().any(|target| match target {
                Target::All => true,
                Target::Tool(tool) | Target::Raw(_, tool) => {
                    matches!(tool, Tool::Bash | Tool::Read | Tool::Write | Tool::Edit)
                }
                _ => false,
            })
    }
}

impl From<bool> for Match {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

fn restricts_effect(list: ListKind, effect: &EffectFacts<'_>, pattern: &PathPattern) -> Match {
    // What may be among the files that are read is asked about as if it were named; a deny rule takes its own out of
    // what is read, or is asked about where nobody can.
    let among = |glob: &PathGlob, dots| list != ListKind::Deny && pattern.may_restrict(glob, dots);
    if effect.within.is_some_and(|within| among(within, true)) {
        return Match::Yes;
    }
    match &effect.place {
        Place::Path { readings, below, lost, .. } => {
            if readings.iter().any(|path| pattern.restricts(path)) {
                return Match::Yes;
            }
            let inside = *lost || below.is_some_and(|below| pattern.may_restrict(below, true));
            if inside { Match::Possible } else { Match::No }
        }
        Place::Many { directory, glob, dots, lost } => {
            if directory.iter().any(|path| pattern.restricts(path)) {
                return Match::Yes;
            }
            if effect.access == Access::Read && among(glob, *dots) {
                return Match::Yes;
            }
            if *lost || pattern.may_restrict(glob, *dots) { Match::Possible } else { Match::No }
        }
        Place::Unknown => Match::Possible,
        Place::None => Match::No,
    }
}

/// The texts that a rule object is compared with for an invocation: its words with and without their quotes, and by the
/// program's path as well as by its name, because `./git` is `git` wherever rules restrict.
pub(crate) fn texts_of_words(mut words: Vec<&str>) -> Vec<String> {
    let mut texts = vec![words.join(" "), join_words(&words)];
    if let Some(program) = words.first_mut()
        && base_name(program) != *program
    {
        *program = base_name(program);
        texts.extend([words.join(" "), join_words(&words)]);
    }
    texts
}

/// A rule object's test on the words of an invocation.
fn restricts_words(test: &TextTest, invocation: &InvocationFacts<'_>) -> Match {
    let words = invocation.view.words();
    if words.is_empty() {
        return Match::No;
    }
    let known: Option<Vec<&str>> = words.iter().map(|word| word.value.known()).collect();
    if let Some(known) = known {
        return Match::from(texts_of_words(known).iter().any(|text| test.matches(text)));
    }
    let possible = match test {
        TextTest::Pattern(glob) => {
            let mut pieces = Vec::with_capacity(words.len() * 2);
            for (at, word) in words.iter().enumerate() {
                if at > 0 {
                    pieces.push(Some(" "));
                }
                pieces.push(word.value.known());
            }
            glob.can_match(&pieces) || {
                let base = pieces.first().copied().flatten().map(base_name);
                let other = base.is_some() && pieces.first().copied().flatten() != base;
                if let Some(program) = pieces.first_mut().filter(|_| other) {
                    *program = base;
                }
                other && glob.can_match(&pieces)
            }
        }
        TextTest::Regex(_) => invocation.view.unknown_program() || !invocation.view.invocation.read_only,
    };
    if possible { Match::Possible } else { Match::No }
}

/// The URLs of a call; one that is missing may be any.
fn restricts_urls(pattern: &crate::web::WebPattern, arguments: &serde_json::Value) -> Match {
    let addresses = crate::web::addresses(arguments);
    addresses
        .into_iter()
        .map(|address| pattern.restricts(address.as_deref()))
        .max()
        .unwrap_or(Match::Possible)
        .max(if crate::web::bare(arguments).into_iter().any(|text| pattern.is_about(text)) {
            Match::Possible
        } else {
            Match::No
        })
}

/// One that is started as a command (`/deploy prod`) is also meant by its first word.
fn restricts_names(names: &[TextGlob], given: &GivenNames) -> Match {
    let own = |name: &String| {
        let first = name.split(' ').next().unwrap_or_default();
        names.iter().any(|own| own.matches(name) || own.matches(first))
    };
    if given.names.iter().any(own) {
        return Match::Yes;
    }
    let possible = given.names.is_empty() || given.unknown || given.perhaps.iter().any(own);
    if possible { Match::Possible } else { Match::No }
}

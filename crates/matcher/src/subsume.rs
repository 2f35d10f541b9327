//! How rules stand to each other: which ones match everything that another one matches, and what a rule is
//! about in plain terms. For whoever explains or checks rules; no decision depends on it.

use std::borrow::Cow;

use portcullis_tool_names::Tool;

use crate::command::{CommandPattern, Form, base_name};
use crate::glob::{Component, TextGlob, contains};
use crate::object_test::TextTest;
use crate::parsed::{Body, Parsed, Target};
use crate::paths::PathPattern;
use crate::{ListKind, RuleId, RuleSet};

/// What a rule is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleSubject<'a> {
    /// Every call of the tools that it names; `shell`: shell commands are among them.
    Tools {
        /// Shell commands are among them.
        shell: bool,
    },
    /// Commands that begin with, or are, these words.
    Command {
        /// Program and arguments; of a wildcard those before its first star. Empty for a text that is not
        /// one simple command.
        words: &'a [String],
        /// More words may follow.
        open: bool,
    },
    /// Paths, and whether reading, changing, or both of them.
    Paths {
        /// Reading them.
        reading: bool,
        /// Writing, editing or deleting them.
        writing: bool,
    },
    /// URLs, agents, texts of rule objects.
    Other,
}

impl RuleSet {
    /// The rules of a list, in its order. Rules that could not be read are among them.
    pub fn ids(&self, list: ListKind) -> impl Iterator<Item = RuleId> + use<> {
        let length = u32::try_from(self.listed(list).len()).unwrap_or(u32::MAX);
        (0..length).map(move |index| RuleId::new(list, index))
    }

    /// What a rule is about; none for an id that is not of this set and for a rule that could not be read.
    #[must_use]
    pub fn subject_of(&self, id: RuleId) -> Option<RuleSubject<'_>> {
        let rule = self.parsed(id)?;
        let about = |tools: &[Tool]| {
            rule.targets.iter().any(|target| match target {
                Target::All => true,
                Target::Tool(own) | Target::Raw(_, own) => tools.contains(own),
                _ => false,
            })
        };
        Some(match &rule.body {
            Body::Whole => RuleSubject::Tools { shell: about(&[Tool::Bash]) },
            Body::Command(pattern) => {
                RuleSubject::Command { words: &pattern.words, open: !matches!(pattern.form, Form::Exact) }
            }
            Body::Path(_) => RuleSubject::Paths {
                reading: about(&[Tool::Read, Tool::Grep, Tool::Glob, Tool::ListDir]),
                writing: about(&[Tool::Write, Tool::Edit]),
            },
            _ => RuleSubject::Other,
        })
    }

    /// Whether the rule `wide`, by what it says, matches every call that `narrow` matches: the same tools, and
    /// all of their calls that `narrow` names. Scopes are not compared, nor what an allow rule covers only
    /// where its own words spell it out. May be false although it is so, never the reverse.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use portcullis_matcher::{
    ///     Anchors, Conventions, ListKind, RuleId, RuleSet, RuleSource, Rules, Scope, SourcedRule,
    /// };
    ///
    /// let rule = |text: &str| SourcedRule::text(text, RuleSource::of(Scope::User));
    /// let deny = vec![rule("Bash(git:*)")];
    /// let allow = vec![rule("Bash(git push:*)"), rule("Bash(gitk:*)")];
    /// let anchors = Anchors {
    ///     project_root: "/p".to_owned(),
    ///     start_directory: "/p".to_owned(),
    ///     home: None,
    ///     user_settings: None,
    /// };
    /// let rules = Arc::new(Rules { deny, allow, ..Rules::default() });
    /// let rules = RuleSet::compile(rules, &anchors, &Conventions::letta());
    /// let git = RuleId::new(ListKind::Deny, 0);
    /// assert!(rules.subsumes(git, RuleId::new(ListKind::Allow, 0)));
    /// assert!(!rules.subsumes(git, RuleId::new(ListKind::Allow, 1)));
    /// ```
    #[must_use]
    pub fn subsumes(&self, wide: RuleId, narrow: RuleId) -> bool {
        #[cfg(test)]
        crate::compiled::work::count();
        let (Some(own), Some(other)) = (self.parsed(wide), self.parsed(narrow)) else { return false };
        let restricts = self.kind(wide) != Some(ListKind::Allow);
        let restricted = self.kind(narrow) != Some(ListKind::Allow);
        if !restricts && restricted {
            return false;
        }
        Comparison { restricts, restricted }.rules(own, other)
    }
}

/// Which kinds of lists the two rules stand in.
#[derive(Clone, Copy)]
struct Comparison {
    /// The wider rule restricts.
    restricts: bool,
    /// The narrower rule restricts.
    restricted: bool,
}

impl Comparison {
    fn rules(self, own: &Parsed, other: &Parsed) -> bool {
        if !other.targets.iter().all(|one| own.targets.iter().any(|wide| self.target(wide, one))) {
            return false;
        }
        match (&own.body, &other.body) {
            (Body::Whole, Body::Unread) => self.restricts,
            (Body::Whole, _) => true,
            (Body::Unread, Body::Unread) => self.restricts,
            (Body::Command(own), Body::Command(other)) => self.commands(own, other),
            (Body::Path(own), Body::Path(other)) => self.paths(own, other),
            (Body::Web(own), Body::Web(other)) => own == other,
            (Body::Named(own), Body::Named(other)) => {
                other.iter().all(|other| own.iter().any(|own| texts(own, other)))
            }
            (Body::Argument { key: own_key, glob: own }, Body::Argument { key, glob: other }) => {
                own_key == key && texts(own, other)
            }
            (Body::Text(own), Body::Text(other)) => match (&own.test, &other.test) {
                (TextTest::Pattern(own), TextTest::Pattern(other)) => texts(own, other),
                (TextTest::Regex(own), TextTest::Regex(other)) => own.as_str() == other.as_str(),
                _ => false,
            },
            _ => false,
        }
    }

    fn target(self, own: &Target, other: &Target) -> bool {
        match (own, other) {
            (Target::All, _) => true,
            (Target::Tool(own), Target::Tool(other) | Target::Raw(_, other)) => {
                own == other
                    || self.restricts
                        && (own.is_writing() && other.is_writing()
                            || (*own, *other) == (Tool::Read, Tool::Grep))
            }
            (Target::Names(own), Target::Name(other)) => own.matches(other),
            (Target::Names(own), Target::Names(other)) => texts(own, other),
            (own, other) => own == other,
        }
    }

    fn commands(self, own: &CommandPattern, other: &CommandPattern) -> bool {
        if own.assignments.iter().any(|set| !other.assignments.contains(set)) {
            return false;
        }
        if !self.restricts && own.assignments.len() != other.assignments.len() {
            return false;
        }
        let same_shape = own.form == other.form && own.words == other.words;
        match (&own.form, &other.form) {
            (Form::Text { .. }, Form::Text { .. }) => same_shape && own.texts().eq(other.texts()),
            (Form::Text { .. }, _) | (_, Form::Text { .. }) => false,
            (Form::Wild { .. }, _) => same_shape,
            (Form::Exact, Form::Exact) => self.words(own) == self.words(other),
            (Form::Exact, _) => false,
            (Form::Prefix, _) => {
                let (own, other) = (self.words(own), self.words(other));
                !own.is_empty() && other.starts_with(&own)
            }
        }
    }

    /// The words as this comparison sees them.
    fn words(self, pattern: &CommandPattern) -> Vec<&str> {
        words_seen(pattern, self.restricts).collect()
    }

    fn paths(self, own: &PathPattern, other: &PathPattern) -> bool {
        if !self.restricts {
            return !own.covers_nothing()
                && !other.covers_nothing()
                && all(&other.anchored.alternatives, &own.anchored.alternatives, own.wildcards_match_dots());
        }
        if own.everything {
            return true;
        }
        let wide = below(&own.wide.alternatives);
        if self.restricted {
            !other.everything && all(&below(&other.wide.alternatives), &wide, true)
        } else {
            !other.covers_nothing() && all(&other.anchored.alternatives, &wide, true)
        }
    }
}

/// The words of a pattern as a rule that restricts, or one that allows, sees them.
pub(crate) fn words_seen(pattern: &CommandPattern, restricts: bool) -> impl Iterator<Item = &str> {
    let (first, words) = if restricts {
        (pattern.program(), pattern.bare_words.get(1..))
    } else {
        (None, Some(pattern.words.as_slice()))
    };
    first.into_iter().chain(words.unwrap_or_default().iter().map(String::as_str))
}

/// Each alternative with everything below it.
fn below(alternatives: &[Vec<Component>]) -> Vec<Vec<Component>> {
    let deeper = |parts: &Vec<Component>| {
        let more = parts.last() != Some(&Component::Deep);
        more.then(|| parts.iter().cloned().chain([Component::Deep]).collect())
    };
    alternatives.iter().flat_map(|parts| [Some(parts.clone()), deeper(parts)]).flatten().collect()
}

fn all(narrow: &[Vec<Component>], wide: &[Vec<Component>], dots: bool) -> bool {
    narrow.iter().all(|narrow| wide.iter().any(|wide| contains(wide, narrow, dots)))
}

/// A star of the narrower pattern can only be met by a star of the wider one, so its text tells.
fn texts(own: &TextGlob, other: &TextGlob) -> bool {
    own.matches(&other.pieces().join("*"))
}

impl RuleSubject<'_> {
    /// The base name of the program, for a command.
    #[must_use]
    pub fn program(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Command { words, .. } => words.first().map(|word| Cow::Borrowed(base_name(word))),
            _ => None,
        }
    }
}

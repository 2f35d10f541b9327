//! Just enough about globs to say which directory holds everything they match.

/// Characters that make a path a glob.
const GLOB_CHARACTERS: [char; 4] = ['*', '?', '[', '{'];

/// Whether `text` has a glob character.
pub(crate) fn is_glob(text: &str) -> bool {
    text.contains(GLOB_CHARACTERS)
}

/// Whether a pattern may match outside the directory that it is joined to.
pub(crate) fn leaves_base(pattern: &str) -> bool {
    is_absolute(pattern) || pattern.contains("..") || alternative_is_absolute(pattern)
}

/// Whether a pattern means the same from every directory.
pub(crate) fn is_absolute(pattern: &str) -> bool {
    pattern.starts_with(['/', '~', '\\']) || pattern.get(1..2) == Some(":")
}

/// The longest literal directory in front of a pattern's first glob character, and the pattern below it;
/// `None` when what follows may lead out of that directory again.
pub(crate) fn base_of(pattern: &str) -> Option<(&str, &str)> {
    let glob_at = pattern.find(GLOB_CHARACTERS).unwrap_or(pattern.len());
    let literal = pattern.get(..glob_at)?;
    let cut = literal.rfind('/').map_or(0, |slash| slash + 1);
    let (base, rest) = (pattern.get(..cut)?, pattern.get(cut..)?);
    if is_glob(rest) && (rest.split('/').any(may_climb) || alternative_is_absolute(rest)) {
        return None;
    }
    // A literal last component stays with the directory unless it is the pattern itself.
    if !is_glob(rest) {
        return Some((pattern, ""));
    }
    Some(match base {
        "" => (".", rest),
        base => match base.trim_end_matches('/') {
            "" => ("/", rest),
            base => (base, rest),
        },
    })
}

/// Whether a component is `..` or, with alternatives, could be.
fn may_climb(component: &str) -> bool {
    component == ".." || component.contains("..") && component.contains(['{', '}', ',', '['])
}

/// Whether a brace group has an alternative that is absolute or a home directory.
fn alternative_is_absolute(pattern: &str) -> bool {
    pattern.contains('{') && ["{/", ",/", "{~", ",~", "{\\", ",\\"].iter().any(|text| pattern.contains(text))
}

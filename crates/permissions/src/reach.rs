//! Whether two globs can mean the same path. Errs on the side of yes: what a character class or an
//! extended pattern matches is not worked out.

use portcullis_paths::normalize;

/// Expands `{a,b}` alternatives, nested ones included; at most 256 of them, beyond which what
/// stands behind the first brace can be anything.
pub(crate) fn expand_braces(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(next) = open.pop() {
        if done.len() + open.len() > 256 {
            return vec![braces_to_stars(pattern)];
        }
        match first_group(&next) {
            Some((before, choices, after)) => {
                open.extend(choices.iter().map(|choice| format!("{before}{choice}{after}")));
            }
            None => done.push(next),
        }
    }
    done
}

/// The first `{...,...}` of a pattern: what stands before it, its choices, and what follows.
fn first_group(pattern: &str) -> Option<(&str, Vec<&str>, &str)> {
    let mut from = 0;
    while let Some(offset) = pattern.get(from..)?.find('{') {
        let start = from + offset;
        let body = pattern.get(start + 1..)?;
        let (mut depth, mut last, mut choices) = (0_usize, 0_usize, Vec::new());
        for (at, character) in body.char_indices() {
            match character {
                '{' => depth += 1,
                ',' if depth == 0 => {
                    choices.push(body.get(last..at)?);
                    last = at + 1;
                }
                '}' if depth == 0 => {
                    if choices.is_empty() {
                        break;
                    }
                    choices.push(body.get(last..at)?);
                    return Some((pattern.get(..start)?, choices, body.get(at + 1..)?));
                }
                '}' => depth -= 1,
                _ => {}
            }
        }
        from = start + 1;
    }
    None
}

/// Everything from the first brace on can be anything, at any depth.
fn braces_to_stars(pattern: &str) -> String {
    let before = pattern.split_once('{').map_or(pattern, |(before, _)| before);
    format!("{before}*/**")
}

/// Whether a part of a path holds glob characters.
pub(crate) fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', '{', '('])
}

/// The directory before the first component with a glob character.
pub(crate) fn literal_directory(pattern: &str) -> String {
    let mut kept = Vec::new();
    for component in pattern.split('/') {
        if is_glob(component) {
            break;
        }
        kept.push(component);
    }
    let joined = kept.join("/");
    if joined.is_empty() { "/".to_owned() } else { normalize(&joined) }
}

/// How an absolute pattern lies to a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// No path that matches is the tree, below it, or above it.
    Outside,
    /// A match can be a directory that holds the tree.
    Above,
    /// A match can be the tree itself, or an unnamed child of it.
    Tree,
    /// Every match in the tree is at or below this child of it.
    Child(String),
}

/// How the absolute, brace-free glob `pattern` lies to `tree`, an absolute normalised path.
pub(crate) fn meet_tree(pattern: &str, tree: &str) -> Meeting {
    let mut components = pattern.split('/').filter(|component| !component.is_empty() && *component != ".");
    for wanted in tree.split('/').filter(|component| !component.is_empty()) {
        match components.next() {
            None => return Meeting::Above,
            // What `**` or `..` behind a wildcard leads to is anything below here.
            Some("**" | "..") => return Meeting::Tree,
            Some(component) if component_may_be(component, wanted) => {}
            Some(_) => return Meeting::Outside,
        }
    }
    match components.next() {
        Some(child) if !is_glob(child) && !components.any(|rest| rest == "..") => {
            Meeting::Child(child.to_owned())
        }
        _ => Meeting::Tree,
    }
}

/// Whether a glob of the shell, or of a program that names its own output, can match this path. Their wildcards match no
/// leading dot; what reaches any depth is a program's own search, which may.
pub(crate) fn shell_may_meet(pattern: &str, path: &str) -> bool {
    let parts = |text: &'_ str| text.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let (left, right): (Vec<String>, Vec<String>) = (parts(pattern), parts(path));
    let hidden = |part: &String, name: &String| part.starts_with(['*', '?', '[']) && name.starts_with('.');
    let misses = !pattern.contains("**") && left.iter().zip(&right).any(|(part, name)| hidden(part, name));
    !misses && may_meet(pattern, path)
}

/// Whether a component of a pattern can match `name`.
pub(crate) fn component_may_be(pattern: &str, name: &str) -> bool {
    if !is_glob(pattern) && !pattern.contains('\\') {
        return pattern == name;
    }
    may_meet_component(pattern, name)
}

/// Whether some path can match both absolute globs.
pub(crate) fn may_meet(left: &str, right: &str) -> bool {
    let left: Vec<&str> = left.split('/').filter(|part| !part.is_empty()).collect();
    let right: Vec<&str> = right.split('/').filter(|part| !part.is_empty()).collect();
    meet_from(&left, &right, 0)
}

fn meet_from(left: &[&str], right: &[&str], depth: usize) -> bool {
    if depth > 64 {
        return true;
    }
    match (left.split_first(), right.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), other) => {
            meet_from(rest, right, depth + 1)
                || other.is_some_and(|(_, others)| meet_from(left, others, depth + 1))
        }
        (other, Some((&"**", rest))) => {
            meet_from(left, rest, depth + 1)
                || other.is_some_and(|(_, lefts)| meet_from(lefts, right, depth + 1))
        }
        (Some((first, lefts)), Some((second, rights))) => {
            may_meet_component(first, second) && meet_from(lefts, rights, depth + 1)
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Whether some name can match both component patterns.
pub(crate) fn may_meet_component(left: &str, right: &str) -> bool {
    match (units(left), units(right)) {
        (Some(left), Some(right)) => units_meet(&left, &right),
        // Too long or too strange to work out.
        _ => true,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Literal(char),
    Any,
    Run,
}

fn units(component: &str) -> Option<Vec<Unit>> {
    if component.len() > 256 || component.contains(['(', '{']) {
        return None;
    }
    let mut units = Vec::new();
    let mut characters = component.chars();
    while let Some(character) = characters.next() {
        match character {
            '*' => units.push(Unit::Run),
            '?' => units.push(Unit::Any),
            '\\' => units.push(Unit::Literal(characters.next()?)),
            '[' => {
                let rest = characters.as_str();
                // The first `]` behind the opening one, or behind its negation, is a member.
                let body = rest.trim_start_matches(['!', '^']);
                let skipped = rest.len() - body.len();
                let end = body.char_indices().skip(1).find(|(_, character)| *character == ']');
                let class = body.get(..end.map_or(body.len(), |(at, _)| at)).unwrap_or_default();
                // A class inside (`[[=a=]]`) or a quoted bracket: whatever stands up to the last one that could close.
                if class.contains('\\') || ["[:", "[=", "[."].iter().any(|open| class.contains(open)) {
                    let end = rest.rfind(']').map_or(rest.len(), |at| at + 1);
                    characters = rest.get(end..)?.chars();
                    units.push(Unit::Run);
                    continue;
                }
                let Some((end, _)) = end else {
                    units.push(Unit::Literal('['));
                    continue;
                };
                characters = rest.get(skipped + end + 1..)?.chars();
                units.push(Unit::Any);
            }
            _ => units.push(Unit::Literal(character)),
        }
    }
    Some(units)
}

/// Non-emptiness of the intersection, by the table of suffix pairs.
fn units_meet(left: &[Unit], right: &[Unit]) -> bool {
    let mut later = vec![false; right.len() + 1];
    for row in (0..=left.len()).rev() {
        let mut current = vec![false; right.len() + 1];
        for column in (0..=right.len()).rev() {
            let below = later.get(column).copied().unwrap_or_default();
            let beside = current.get(column + 1).copied().unwrap_or_default();
            let diagonal = later.get(column + 1).copied().unwrap_or_default();
            let meets = match (left.get(row), right.get(column)) {
                (None, None) => true,
                (Some(Unit::Run), None) => below,
                (None, Some(Unit::Run)) => beside,
                (Some(_), None) | (None, Some(_)) => false,
                (Some(Unit::Run), _) | (_, Some(Unit::Run)) => below || beside || diagonal,
                (Some(Unit::Any), _) | (_, Some(Unit::Any)) => diagonal,
                (Some(Unit::Literal(one)), Some(Unit::Literal(other))) => one == other && diagonal,
            };
            if let Some(cell) = current.get_mut(column) {
                *cell = meets;
            }
        }
        later = current;
    }
    later.first().copied().unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_multiply() {
        let mut all = expand_braces("/a/{b,c{d,e}}/f");
        all.sort();
        assert_eq!(all, ["/a/b/f", "/a/cd/f", "/a/ce/f"]);
        assert_eq!(expand_braces("/a/{b}"), ["/a/{b}"]);
    }

    #[test]
    fn too_many_braces_become_stars() {
        let pattern = "{a,b}".repeat(12);
        assert_eq!(expand_braces(&pattern).len(), 1);
        assert!(may_meet(&expand_braces(&pattern)[0], "abababababab"));
    }

    #[test]
    fn trees() {
        let tree = "/h/.l/agents";
        assert_eq!(meet_tree("/h/.l/agents/a2/x", tree), Meeting::Child("a2".into()));
        assert_eq!(meet_tree("/h/.l/agents/*", tree), Meeting::Tree);
        assert_eq!(meet_tree("/h/.?/agen[st]s/a2", tree), Meeting::Child("a2".into()));
        assert_eq!(meet_tree("/h/**/x", tree), Meeting::Tree);
        assert_eq!(meet_tree("/h", tree), Meeting::Above);
        assert_eq!(meet_tree("/repo/**", tree), Meeting::Outside);
        assert_eq!(meet_tree("/h/.l/agents/a1/../a2", tree), Meeting::Tree);
    }

    #[test]
    fn intersections() {
        assert!(may_meet("/r/**", "/r/a/.env"));
        assert!(may_meet("/r/*.p?m", "/**/*.pem"));
        assert!(!may_meet("/r/*.txt", "/**/*.pem"));
        assert!(may_meet_component("a*c", "*bc"));
        assert!(!may_meet_component("a*", "b*"));
        assert!(may_meet_component("[]a]x", "?x"));
    }
}

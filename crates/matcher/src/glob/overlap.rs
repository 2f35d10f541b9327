//! Whether two path globs can stand for one and the same path.

use super::Component;
use super::component::Symbol;

/// Whether some path matches both lists. `dots`: wildcards of `right` match a leading dot (a shell's
/// do not); those of `left` always do. Where two classes meet and one is negated, the answer errs towards yes.
pub(crate) fn overlap(left: &[Component], right: &[Component], dots: bool) -> bool {
    let many = |component: &Component| *component == Component::Deep;
    meet(left, right, many, |one, other| names_overlap(one, other, dots))
}

/// Whether one row of elements fits both lists, in which `many` stand for any number of them.
fn meet<T>(left: &[T], right: &[T], many: impl Fn(&T) -> bool, fit: impl Fn(&T, &T) -> bool) -> bool {
    // `row[j]`: whether `left[i..]` and `right[j..]` meet, from the end backwards.
    let mut below: Vec<bool> = Vec::new();
    for i in (0..=left.len()).rev() {
        let mut row = vec![false; right.len() + 1];
        for j in (0..=right.len()).rev() {
            let at = |cells: &[bool], j: usize| cells.get(j).copied().unwrap_or(false);
            let next = match (left.get(i), right.get(j)) {
                (None, None) => true,
                (Some(one), _) if many(one) => at(&below, j) || at(&row, j + 1),
                (_, Some(other)) if many(other) => at(&row, j + 1) || at(&below, j),
                (Some(one), Some(other)) => fit(one, other) && at(&below, j + 1),
                _ => false,
            };
            if let Some(cell) = row.get_mut(j) {
                *cell = next;
            }
        }
        below = row;
    }
    below.first().copied().unwrap_or(false)
}

fn names_overlap(left: &Component, right: &Component, dots: bool) -> bool {
    match (left.literal(), right.literal()) {
        (Some(one), _) => right.matches(one, dots),
        (None, Some(other)) => left.matches(other, true),
        (None, None) => match (left, right) {
            (Component::Wild(left), Component::Wild(right)) => wilds_overlap(left, right, dots),
            _ => true,
        },
    }
}

/// Whether some name matches both.
fn wilds_overlap(left: &[Symbol], right: &[Symbol], dots: bool) -> bool {
    let hidden = |symbols: &[Symbol]| matches!(symbols.first(), Some(Symbol::Char('.')));
    if !dots && hidden(left) && !hidden(right) {
        return false;
    }
    meet(left, right, |symbol| *symbol == Symbol::Run, symbols_overlap)
}

fn symbols_overlap(left: &Symbol, right: &Symbol) -> bool {
    match (left, right) {
        (Symbol::Char(c), other) | (other, Symbol::Char(c)) => other.accepts(*c),
        (Symbol::Class { negated: false, ranges: one }, Symbol::Class { negated: false, ranges: other }) => {
            one.iter().any(|(low, high)| other.iter().any(|(from, to)| low <= to && from <= high))
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(left: &str, right: &str, dots: bool) -> bool {
        let read = |text: &str| -> Vec<Component> {
            text.split('/').map(|part| Component::parse(part, false).unwrap()).collect()
        };
        overlap(&read(left), &read(right), dots)
    }

    #[test]
    fn finds_common_paths() {
        assert!(both("a/**", "a/b/*", true));
        assert!(both("**/.env", "a/.e*", false));
        assert!(!both("**/.env", "a/*", false));
        assert!(both("**/.env", "a/**", true));
        assert!(!both("secrets/**", "src/*", true));
        assert!(both("*.pem", "k*", true));
        assert!(!both("a*", "b*", true));
    }

    #[test]
    fn wildcards_are_compared_to_their_ends() {
        for (left, right) in [
            ("*.rs", "a*"),
            ("*.rs", "*s"),
            ("a*b", "*ab"),
            ("[a-c]x", "[c-e]?"),
            ("[!a]", "[b]"),
            ("*.tar.gz", "*.gz"),
            ("?*", "*"),
            (".*", ".e?v"),
        ] {
            assert!(both(left, right, false), "{left} {right}");
            assert!(both(right, left, true), "{right} {left}");
        }
        for (left, right) in [
            ("*.pem", "*.rs"),
            ("*.rs", "a*.md"),
            ("[ab]x", "[cd]x"),
            ("?", "??"),
            ("id_*", "*.pub[0-9]x"),
            ("a*b", "a?"),
        ] {
            let expected = left == "id_*" || left == "a*b";
            assert_eq!(both(left, right, true), expected, "{left} {right}");
            assert_eq!(both(right, left, true), expected, "{right} {left}");
        }
        // A shell's wildcards leave hidden names out.
        assert!(!both(".e*", "*", false));
        assert!(both(".e*", "*", true));
    }

    proptest::proptest! {
        /// A name that both match is a common one.
        #[test]
        fn a_common_name_is_found(
            left in "(a|b|\\*|\\?|\\[ab\\]|\\[!a\\]|\\.){1,5}",
            right in "(a|b|\\*|\\?|\\[ab\\]|\\[!a\\]|\\.){1,5}",
            name in "[ab.]{1,5}",
            dots: bool,
        ) {
            let read = |text: &str| Component::parse(text, false).unwrap();
            if left != "**" && right != "**" && read(&left).matches(&name, true) && read(&right).matches(&name, dots) {
                proptest::prop_assert!(both(&left, &right, dots));
            }
        }
    }
}

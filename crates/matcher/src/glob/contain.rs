//! Whether every path that one pattern matches is matched by another.

use super::Component;
use super::component::Symbol;

/// Whether `wide` matches every path that `narrow` matches. `dots`: wildcards of `wide` match a leading
/// dot; without it those of `narrow` are taken not to either. May be false although it is so (`[ab]` is
/// not taken apart), never the reverse.
pub(crate) fn contains(wide: &[Component], narrow: &[Component], dots: bool) -> bool {
    // `row[j]`: whether `wide[i..]` contains `narrow[j..]`, from the end backwards.
    let mut below = vec![false; narrow.len() + 1];
    if let Some(end) = below.last_mut() {
        *end = true;
    }
    for (i, own) in wide.iter().enumerate().rev() {
        let mut row = vec![false; narrow.len() + 1];
        for j in (0..=narrow.len()).rev() {
            let at = |cells: &[bool], j: usize| cells.get(j).copied().unwrap_or(false);
            let next = match (own, narrow.get(j)) {
                (Component::Deep, None) => at(&below, j),
                (Component::Deep, Some(other)) => at(&below, j) || (reaches(other, dots) && at(&row, j + 1)),
                (_, None | Some(Component::Deep)) => false,
                (own, Some(other)) => holds(own, other, dots) && at(&below, j + 1),
            };
            if let Some(cell) = row.get_mut(j) {
                *cell = next;
            }
        }
        // `a/**` is what lies in `a`, and only at the root the directory itself.
        if i > 1
            && i + 1 == wide.len()
            && *own == Component::Deep
            && let Some(cell) = row.last_mut()
        {
            *cell = false;
        }
        below = row;
    }
    below.first().copied().unwrap_or(false)
}

/// Whether `**` or `*` reaches every name of this component.
fn reaches(other: &Component, dots: bool) -> bool {
    dots || match other {
        Component::Deep => true,
        Component::Literal(name) => !name.starts_with('.'),
        Component::Wild(symbols) => !matches!(symbols.first(), Some(Symbol::Char('.'))),
    }
}

fn holds(own: &Component, other: &Component, dots: bool) -> bool {
    match (own, other) {
        (Component::Wild(symbols), other) if matches!(symbols.as_slice(), [Symbol::Run]) => {
            reaches(other, dots)
        }
        (own, Component::Literal(name)) => own.matches(name, dots),
        (own, other) => own == other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::PathGlob;
    use super::contains;

    fn holds(wide: &str, narrow: &str, dots: bool) -> bool {
        let read = |text: &str| PathGlob::parse("/", text, false).unwrap().alternatives;
        let (wide, narrow) = (read(wide), read(narrow));
        narrow.iter().all(|narrow| wide.iter().any(|wide| contains(wide, narrow, dots)))
    }

    #[test]
    fn wider_patterns_contain_narrower_ones() {
        for (wide, narrow) in [
            ("a", "a"),
            ("a/**", "a/b"),
            ("a/**", "a/**/b"),
            ("**/b", "a/**/b"),
            ("**/*.pem", "keys/*.pem"),
            ("**", "*/x"),
            ("a/*", "a/*.rs"),
            ("a/*.rs", "a/main.rs"),
            ("a/?", "a/b"),
            ("{a,b}/**", "b/c"),
            ("a/**/x/**", "a/b/x/y/x"),
        ] {
            assert!(holds(wide, narrow, true), "{wide} contains {narrow}");
        }
    }

    #[test]
    fn nothing_else_is_contained() {
        for (wide, narrow) in [
            ("a", "a/**"),
            ("a/**", "a"),
            ("**/*/**", "*"),
            ("a/*", "a/**"),
            ("a/*", "a"),
            ("a/*/c", "a/**/c"),
            ("a/*.rs", "a/*"),
            ("a/*.rs", "a/b/c.rs"),
            ("**/b", "a/b/**"),
            ("a", "{a,b}"),
        ] {
            assert!(!holds(wide, narrow, true), "{wide} does not contain {narrow}");
        }
    }

    #[test]
    fn without_dots_hidden_names_are_not_reached() {
        assert!(!holds("a/**", "a/.env", false));
        assert!(!holds("a/*", "a/.*", false));
        assert!(holds("a/**", "a/*", false));
        assert!(holds("a/.env", "a/.env", false));
    }

    #[test]
    fn many_wildcards_cost_little() {
        let wide = "**/a/".repeat(200);
        let narrow = "a/".repeat(2000);
        assert!(!holds(&format!("{wide}b"), &narrow, true));
    }

    proptest::proptest! {
        /// What a narrower pattern matches, the wider one matches too.
        #[test]
        fn containment_holds_for_paths(
            wide in "(a|b|\\*|\\*\\*|a\\*|\\.a)(/(a|b|\\*|\\*\\*|a\\*|\\.a)){0,3}",
            narrow in "(a|b|\\*|\\*\\*|a\\*|\\.a)(/(a|b|\\*|\\*\\*|a\\*|\\.a)){0,3}",
            path in "(a|b|ab|\\.a)(/(a|b|ab|\\.a)){0,4}",
            dots: bool,
        ) {
            let read = |text: &str| PathGlob::parse("/", text, false).unwrap();
            let names: Vec<&str> = std::iter::once("/").chain(path.split('/')).collect();
            if holds(&wide, &narrow, dots) && read(&narrow).matches(&names, dots) {
                proptest::prop_assert!(read(&wide).matches(&names, dots));
            }
        }
    }
}

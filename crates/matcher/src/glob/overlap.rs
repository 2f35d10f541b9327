//! Whether two path globs can stand for one and the same path.

use super::Component;

/// Whether some path matches both lists. `dots`: wildcards of `right` match a leading dot (a shell's
/// do not); those of `left` always do. Two wildcards are compared by their literal beginnings only: the
/// answer errs towards yes.
pub(crate) fn overlap(left: &[Component], right: &[Component], dots: bool) -> bool {
    // `row[j]`: whether `left[i..]` and `right[j..]` overlap, from the end backwards.
    let mut below: Vec<bool> = Vec::new();
    for i in (0..=left.len()).rev() {
        let mut row = vec![false; right.len() + 1];
        for j in (0..=right.len()).rev() {
            let at = |cells: &[bool], j: usize| cells.get(j).copied().unwrap_or(false);
            let next = match (left.get(i), right.get(j)) {
                (None, None) => true,
                (Some(Component::Deep), _) => at(&below, j) || at(&row, j + 1),
                (_, Some(Component::Deep)) => at(&row, j + 1) || at(&below, j),
                (Some(one), Some(other)) => names_overlap(one, other, dots) && at(&below, j + 1),
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
        (None, None) => {
            let (one, other) = (left.prefix(), right.prefix());
            one.starts_with(&other) || other.starts_with(&one)
        }
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
}

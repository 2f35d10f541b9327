//! Lists of names that every command is compared with. Most names are in none of them, and one look at the few that
//! could be the same tells.

/// Some names; used as a set.
pub(crate) struct NameSet {
    names: &'static [&'static str],
    /// For each [`place`] the names that have it lie between these two.
    ranges: [(u16, u16); PLACES],
}

const PLACES: usize = 256;

impl NameSet {
    #[allow(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        reason = "worked out and checked by the compiler"
    )]
    pub(crate) const fn new(names: &'static [&'static str]) -> Self {
        assert!(names.len() < u16::MAX as usize);
        let mut ranges = [(0, 0); PLACES];
        let mut at = 0;
        while at < names.len() {
            let place = place(names[at].as_bytes());
            if ranges[place].1 == 0 {
                ranges[place].0 = at as u16;
            }
            ranges[place].1 = at as u16 + 1;
            at += 1;
        }
        Self { names, ranges }
    }

    /// Whether `name` is one of them.
    pub(crate) fn contains(&self, name: &str) -> bool {
        let Some(&(start, end)) = self.ranges.get(place(name.as_bytes())) else { return false };
        end != 0
            && self.names.get(usize::from(start)..usize::from(end)).is_some_and(|names| names.contains(&name))
    }
}

/// A number for a name, of its length and its first and last bytes.
const fn place(name: &[u8]) -> usize {
    match name {
        [] => 0,
        [only] => *only as usize,
        [first, .., last] => (*first as usize * 7 + *last as usize * 29 + name.len() * 3) % PLACES,
    }
}

/// A bit for each byte of `text`. Where one text has a bit that another has not, it does not stand in it.
pub(crate) const fn letters(text: &str) -> u64 {
    let mut rest = text.as_bytes();
    let mut letters = 0;
    while let [first, behind @ ..] = rest {
        letters |= 1 << (*first % 64);
        rest = behind;
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_its_names_and_nothing_else() {
        static SET: NameSet = NameSet::new(&["git", "gh", ".", "x", "ä", "", "gat", "git-x"]);
        for name in SET.names {
            assert!(SET.contains(name), "{name}");
        }
        for name in ["gt", "gitt", "Git", "y", "got", "ö", "g", "git-y"] {
            assert!(!SET.contains(name), "{name}");
        }
        assert!(!NameSet::new(&[]).contains(""));
    }

    #[test]
    fn what_stands_in_a_text_has_no_bits_of_its_own() {
        assert_eq!(letters("RUST") & !letters("MY_RUST_FLAGS"), 0);
        assert_ne!(letters("PATH") & !letters("PASS"), 0);
        assert_eq!(letters(""), 0);
    }
}

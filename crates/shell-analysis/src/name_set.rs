//! Lists of names that every command is compared with. Most names are in none of them, which one look at the marks
//! tells.

/// Some names; used as a set.
pub(crate) struct NameSet {
    names: &'static [&'static str],
    /// The bits that [`mark`] gives the names.
    marks: [u64; WORDS],
}

const WORDS: usize = 4;

impl NameSet {
    #[allow(clippy::indexing_slicing, reason = "worked out and checked by the compiler")]
    pub(crate) const fn new(names: &'static [&'static str]) -> Self {
        let mut marks = [0; WORDS];
        let mut at = 0;
        while at < names.len() {
            let (word, bit) = mark(names[at].as_bytes());
            marks[word] |= bit;
            at += 1;
        }
        Self { names, marks }
    }

    /// Whether `name` is one of them.
    pub(crate) fn contains(&self, name: &str) -> bool {
        let (word, bit) = mark(name.as_bytes());
        self.marks.get(word).is_some_and(|marks| marks & bit != 0) && self.names.contains(&name)
    }
}

/// One bit for a name, of its length and its first and last bytes.
const fn mark(name: &[u8]) -> (usize, u64) {
    let hash = match name {
        [] => 0,
        [only] => *only as usize,
        [first, .., last] => *first as usize * 7 + *last as usize * 29 + name.len() * 3,
    };
    (hash / 64 % WORDS, 1 << (hash % 64))
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
        static SET: NameSet = NameSet::new(&["git", "gh", ".", "x", "ä", ""]);
        for name in SET.names {
            assert!(SET.contains(name), "{name}");
        }
        for name in ["gt", "gitt", "Git", "y", "gat", "ö"] {
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

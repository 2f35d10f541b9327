//! A specification's flag string, taken apart once and sorted, so that a flag costs a search and not a
//! reading of the whole string.

use super::by_address::ByAddress;

/// One entry of a flag string.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    /// What a value is. `=`: what is glued to the letter, or the next word; `?`: glued only; `:`: the next word only, as
    /// some programs read it that have a parser of their own (digits may be glued where the role is `d`); `#`: the
    /// digits glued to it, and more letters may follow. None: a blank, or `!` for a flag that does harm.
    pub(crate) kind: u8,
    /// `t` text, `d` a number, `c` a file of settings or a setting, `r` read, `R` read below, `m` looked at, `w` written, `p` and `P` produced, `x` run, `g` a
    /// project of its own, `n` an endpoint, `o` opaque.
    pub(crate) role: u8,
}

impl Entry {
    pub(super) fn new(text: &'static str) -> Self {
        match text.find(['=', '?', '!', ':', '#']) {
            Some(at) if at > 0 => Self {
                name: text.get(..at).unwrap_or_default(),
                kind: text.as_bytes().get(at).copied().unwrap_or(b' '),
                role: text.as_bytes().get(at + 1).copied().unwrap_or(b't'),
            },
            _ => Self { name: text, kind: b' ', role: b't' },
        }
    }

    /// Whether an abbreviation of it is taken for it.
    fn harms(&self) -> bool {
        self.kind == b'!' || matches!(self.role, b'w' | b'x' | b'o' | b'i' | b'g' | b'n')
    }
}

/// How a long name relates to the table.
pub(super) enum Long {
    Exact(Entry),
    /// The beginning of a harmful flag's name.
    Harmful(Entry),
    /// The beginning of harmless names only: what follows is read as getopt would, but it is not listed.
    Cut(Entry),
    Unknown,
}

/// The entries of one flag string.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// By name; the first of those with the same name is the one that counts.
    sorted: Vec<Entry>,
    /// Where the names of one ASCII character stand in it, by that character; most flags are one.
    letters: Vec<Option<u16>>,
    /// The harmful ones with long names, in the order of the string.
    harmful: Vec<Entry>,
    /// Some flag does harm by itself or by its value.
    pub(super) does_harm: bool,
    /// The value of some flag is a file that is read.
    pub(super) reads: bool,
    /// `-NUMBER` is a flag.
    pub(super) takes_numbers: bool,
}

impl Table {
    fn new(flags: &'static str) -> Self {
        let mut sorted: Vec<Entry> = flags.split_ascii_whitespace().map(Entry::new).collect();
        let harmful = sorted.iter().filter(|entry| entry.harms() && entry.name.len() > 1).copied().collect();
        let does_harm = sorted.iter().any(|entry| {
            entry.kind == b'!'
                || matches!(entry.role, b'w' | b'x' | b'o' | b'i' | b'g' | b'n' | b'p' | b'P' | b'k')
        });
        let reads = sorted.iter().any(|entry| matches!(entry.role, b'r' | b'R' | b'c'));
        sorted.sort_by_key(|entry| entry.name);
        sorted.dedup_by_key(|entry| entry.name);
        let takes_numbers = sorted.iter().any(|entry| entry.name == "#");
        let mut letters = vec![None; 128];
        for (at, entry) in sorted.iter().enumerate() {
            if let [letter] = entry.name.as_bytes()
                && let Some(place) = letters.get_mut(usize::from(*letter))
            {
                *place = u16::try_from(at).ok();
            }
        }
        Self { sorted, letters, harmful, does_harm, reads, takes_numbers }
    }

    fn exact(&self, name: &str) -> Option<Entry> {
        let at = self.sorted.binary_search_by(|entry| entry.name.cmp(name)).ok()?;
        self.sorted.get(at).copied()
    }

    pub(super) fn short(&self, flag: char) -> Option<Entry> {
        match self.letters.get(flag as usize) {
            Some(at) => at.and_then(|at| self.sorted.get(usize::from(at))).copied(),
            None => self.exact(flag.encode_utf8(&mut [0; 4])),
        }
    }

    /// `letters`: a name may be one letter.
    pub(super) fn long(&self, name: &str, letters: bool) -> Long {
        if name.is_empty() || name == "#" {
            return Long::Unknown;
        }
        // `--u` is no `-u`, but may be the beginning of `--unset`.
        let cut_to_a_letter = name.len() < 2 && !letters;
        if let Some(entry) = self.exact(name).filter(|_| !cut_to_a_letter) {
            return Long::Exact(entry);
        }
        let begun = self.harmful.iter().rev().find(|entry| entry.name.starts_with(name));
        if let Some(entry) = begun {
            return Long::Harmful(*entry);
        }
        let first = self.sorted.partition_point(|entry| entry.name < name);
        let longer = self.sorted.get(first..).unwrap_or_default().iter();
        match longer
            .take_while(|entry| entry.name.starts_with(name))
            .find(|entry| entry.name.len() > name.len())
        {
            Some(entry) => Long::Cut(*entry),
            None => Long::Unknown,
        }
    }
}

/// More than there are flag strings in the specifications; a test counts.
const SLOTS: usize = 1 << 13;

/// The tables that were needed so far.
static TABLES: ByAddress<Table, SLOTS> = ByAddress::new();

/// No flags: what is given out when there is no room left, so that every option is an unknown one.
static NONE: Table = Table {
    sorted: Vec::new(),
    letters: Vec::new(),
    harmful: Vec::new(),
    does_harm: true,
    reads: true,
    takes_numbers: false,
};

/// The table of a flag string.
pub(super) fn of(flags: &'static str) -> &'static Table {
    TABLES.get(flags.as_ptr() as usize, flags.len(), || Table::new(flags)).unwrap_or(&NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_two_entries_counts_and_harmful_names_may_be_cut() {
        let table = of("output=w ok output n n=r output-dir!w #");
        let entry = table.short('n').unwrap();
        assert_eq!((entry.kind, entry.role), (b' ', b't'));
        assert!(matches!(table.long("output", false), Long::Exact(Entry { kind: b'=', role: b'w', .. })));
        assert!(matches!(table.long("out", false), Long::Harmful(Entry { name: "output-dir", .. })));
        assert!(matches!(table.long("o", false), Long::Harmful(Entry { name: "output-dir", .. })));
        assert!(matches!(table.long("n", false), Long::Unknown));
        assert!(matches!(of("u= unset= x").long("u", false), Long::Cut(Entry { name: "unset", .. })));
        assert!(matches!(table.long("okay", false), Long::Unknown));
        assert!(matches!(
            of("target-directory=t text").long("targ", false),
            Long::Cut(Entry { kind: b'=', .. })
        ));
        assert!(table.does_harm && table.takes_numbers);
        assert!(table.short('é').is_none());
    }

    #[test]
    fn a_string_has_one_table_and_there_is_room() {
        const ONE: &str = "a b= c?";
        assert!(std::ptr::eq(of(ONE), of(ONE)));
        assert!(of("").short('a').is_none());
        // Every specification and launcher twice over: constants may have several addresses.
        assert!(super::super::tables::flag_strings() * 2 < SLOTS);
    }
}

//! Other programs that do what a deny rule forbids, by purpose. They are texts to be judged; nothing runs them.

mod table;

use table::GROUPS;

/// What a program is used for, and so what stops its substitutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Removes, moves or overwrites files, or changes their modes.
    Change,
    /// Shows what a file holds.
    Read,
    /// Reaches the network.
    Network,
    /// Changes a repository's history, or what is checked out.
    Repository,
    /// Takes other rights.
    Privilege,
    /// Ends processes.
    Processes,
    /// Runs code.
    Code,
    /// Shows the environment.
    Environment,
    /// Shows what the file of a rule holds.
    Hidden,
    /// Changes the file of a rule.
    Kept,
    /// Anything else.
    Other,
}

/// Programs (with the words that must follow) of one purpose, and what does the same. `{file}` stands for a file of
/// the project.
struct Group {
    purpose: Purpose,
    programs: &'static [&'static [&'static str]],
    substitutes: &'static [&'static str],
}

/// What the command is used for, and other commands for it. Empty, [`Purpose::Other`], for what no group names.
pub(super) fn substitutes(words: &[String], file: &str) -> (Purpose, Vec<String>) {
    let program = |word: &String| word.rsplit('/').next().unwrap_or(word).to_owned();
    let mut own: Vec<String> = words.to_vec();
    if let Some(first) = own.first_mut() {
        *first = program(first);
    }
    let begins =
        |named: &[&str]| own.len() >= named.len() && named.iter().zip(&own).all(|(name, word)| name == word);
    let longest =
        |group: &Group| group.programs.iter().filter(|named| begins(named)).map(|named| named.len()).max();
    let best =
        GROUPS.iter().filter_map(|group| Some((longest(group)?, group))).max_by_key(|(length, _)| *length);
    best.map_or((Purpose::Other, Vec::new()), |(_, group)| {
        (group.purpose, group.substitutes.iter().map(|text| text.replace("{file}", file)).collect())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use portcullis_shell_analysis::parse;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_longest_name_decides_what_a_command_is_for() {
        assert_eq!(substitutes(&words("git push origin"), "x").0, Purpose::Network);
        assert_eq!(substitutes(&words("/bin/rm -rf y"), "x").0, Purpose::Change);
        assert_eq!(substitutes(&words("git status"), "x").0, Purpose::Other);
        assert_eq!(substitutes(&words("npm test"), "x"), (Purpose::Other, Vec::new()));
    }

    #[test]
    fn the_tables_hold_commands_and_none_twice() {
        let mut programs = BTreeSet::new();
        for group in GROUPS {
            assert!(group.programs.iter().all(|named| programs.insert(*named)), "{:?}", group.programs);
            let texts: BTreeSet<&str> = group.substitutes.iter().copied().collect();
            assert_eq!(texts.len(), group.substitutes.len(), "{:?}", group.programs);
            for text in texts {
                assert!(parse(&text.replace("{file}", "x")).is_ok(), "{text}");
            }
        }
    }
}

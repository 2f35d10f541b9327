//! The specifications as values: for people who ask what is known of a program, and for the tests that run
//! every flag of it.

use super::{
    flag_table::Entry,
    gh,
    git_tables::{GLOBAL, SUBCOMMANDS},
    git_writer_tables::WRITERS,
    spec::Operands,
    subcommands, tables,
};
use crate::launchers;

/// Whether a flag takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FlagValue {
    /// It stands alone.
    None,
    /// A value must follow, glued on (`-nVALUE`, `--name=VALUE`) or as the next word.
    Required,
    /// A value may be glued on, never the next word.
    Optional,
}

/// What a flag, or its value, does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FlagRole {
    /// It changes what is printed.
    Harmless,
    /// Its value is a file that is read.
    Reads,
    /// Its value is a path that is only looked at.
    LooksAt,
    /// It writes, a file that its value names or another.
    Writes,
    /// It runs something.
    Runs,
    /// It makes the invocation opaque, or its value is looked into.
    Other,
}

/// A flag of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpecifiedFlag {
    /// Without dashes: one character is a short flag, more are a long one, `#` is a number (`-20`).
    pub name: &'static str,
    /// Its value.
    pub value: FlagValue,
    /// What it does.
    pub role: FlagRole,
}

impl SpecifiedFlag {
    fn new(entry: Entry) -> Self {
        let value = match entry.kind {
            b'=' | b':' => FlagValue::Required,
            b'?' | b'#' => FlagValue::Optional,
            _ => FlagValue::None,
        };
        let role = match entry.role {
            b't' | b'd' => FlagRole::Harmless,
            b'r' | b'R' | b'c' => FlagRole::Reads,
            b'm' => FlagRole::LooksAt,
            b'w' | b'p' | b'P' | b'k' => FlagRole::Writes,
            b'x' => FlagRole::Runs,
            _ => FlagRole::Other,
        };
        Self { name: entry.name, value, role }
    }
}

/// What is known of a program, or of one of its subcommands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Specification {
    /// The programs that read these flags, by base name.
    pub names: &'static [&'static str],
    /// The words behind the name: empty, or a subcommand.
    pub subcommand: Vec<&'static str>,
    /// In the order of the specification. Programs that read their words otherwise (`find`, `test`, `dd`)
    /// have none.
    pub flags: Vec<SpecifiedFlag>,
    /// It runs the words behind its own.
    pub launcher: bool,
}

fn flags(text: &'static str) -> Vec<SpecifiedFlag> {
    text.split_ascii_whitespace().map(|entry| SpecifiedFlag::new(Entry::new(entry))).collect()
}

/// Every program and subcommand that has flags or operands of its own in the specifications, launchers
/// included.
///
/// ```
/// use portcullis_shell_analysis::{FlagRole, specifications};
///
/// let all = specifications();
/// let sort = all.iter().find(|spec| spec.names.contains(&"sort")).unwrap();
/// let output = sort.flags.iter().find(|flag| flag.name == "output").unwrap();
/// assert_eq!(output.role, FlagRole::Writes);
/// assert!(all.iter().any(|spec| spec.names == ["git"] && spec.subcommand == ["log"]));
/// assert!(all.iter().any(|spec| spec.names == ["git"] && spec.subcommand == ["push"]));
/// ```
#[must_use]
pub fn specifications() -> Vec<Specification> {
    let own = tables::all().map(|spec| Specification {
        names: spec.names,
        subcommand: Vec::new(),
        flags: flags(if spec.names.contains(&"git") { GLOBAL } else { spec.flags }),
        launcher: false,
    });
    let reads = SUBCOMMANDS.iter().map(|(name, table, _)| (*name, *table));
    let writes = WRITERS.iter().map(|writer| (writer.name, writer.flags));
    let git = reads.chain(writes).map(|(name, table)| Specification {
        names: &["git"],
        subcommand: vec![name],
        flags: flags(table),
        launcher: false,
    });
    let gh = gh::subcommands().map(|(words, table)| Specification {
        names: &["gh"],
        subcommand: words,
        flags: flags(table),
        launcher: false,
    });
    let launchers = launchers::TABLE.iter().map(|launcher| Specification {
        names: launcher.names,
        subcommand: launcher.subcommand.to_vec(),
        flags: flags(launcher.flags),
        launcher: true,
    });
    let verbs = tables::all().flat_map(|spec| {
        match spec.operands {
            Operands::Verbs(program) => subcommands::rows(program),
            _ => Vec::new(),
        }
        .into_iter()
        .map(|(words, program, row)| Specification {
            names: spec.names,
            subcommand: words,
            flags: flags(row.flags).into_iter().chain(flags(program.general)).collect(),
            launcher: false,
        })
    });
    own.chain(verbs).chain(git).chain(gh).chain(launchers).collect()
}

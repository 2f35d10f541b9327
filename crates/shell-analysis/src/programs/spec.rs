//! The shape of a command specification.
//!
//! Flags are one string of entries separated by blanks. An entry is a name (one character: a short flag,
//! more: a long one), then `=` when a value must follow or `?` when one may be glued on, then what the
//! value is. A flag that does harm by itself has `!` and what it does.
//!
//! | entry | meaning |
//! |---|---|
//! | `n` | `-n`, harmless |
//! | `color?` | `--color` or `--color=WHEN` |
//! | `k=` | `-k TEXT` |
//! | `f=r` | `-f FILE`, which is read (`m`: only looked at; `w`: written) |
//! | `x=x` | `-x PROGRAM`, which is run |
//! | `o=o` | a value that makes the invocation opaque |
//! | `o=p` | `-o FILE`, which is produced: what the program is for, so that no rule has to spell it out as long as it stays in the roots (`P`: a directory, and what is below; `k`: `KIND:PATH`) |
//! | `I=R` | `-I DIR`, read with everything below it |
//! | `C=g` | `-C DIR` or a file: the project that the program works in |
//! | `H=n` | `-H HOST`: with whom it talks |
//! | `i!w` | `-i` writes (`!x` runs something, `!o` is opaque) |
//! | `#` | `-NUMBER` |

use super::{Build, subcommands::Program};

/// What operands are.
#[derive(Clone, Copy)]
pub(crate) enum Operands {
    /// There may be none.
    None,
    /// Text that is never a path.
    Text,
    /// Files whose content is read.
    Read,
    /// Files or directories read with everything below them; the working directory without any.
    ReadBelow,
    /// Paths that are only looked at.
    Metadata,
    /// Files that are created or changed.
    Write,
    /// Files or directories whose files are read and changed in place; the working directory without any.
    ChangeBelow,
    /// Files or directories that are created, with everything below them.
    WriteBelow,
    /// Subcommands.
    Verbs(&'static Program),
    /// Whatever this does.
    Custom(fn(&mut Build<'_>, &Parsed<'_>)),
}

/// A specification.
pub(crate) struct Spec {
    pub(crate) names: &'static [&'static str],
    pub(crate) flags: &'static str,
    pub(crate) operands: Operands,
    /// Every flag of the program is harmless: an unknown word is an operand.
    pub(crate) safe: bool,
    /// Options end at the first operand.
    pub(crate) stops: bool,
}

impl Spec {
    pub(crate) const fn new(names: &'static [&'static str], flags: &'static str, operands: Operands) -> Self {
        Self { names, flags, operands, safe: false, stops: false }
    }

    /// Subcommands.
    pub(crate) const fn verbs(names: &'static [&'static str], program: &'static Program) -> Self {
        Self::new(names, "", Operands::Verbs(program))
    }

    /// All flags harmless.
    pub(crate) const fn safe(self) -> Self {
        Self { safe: true, ..self }
    }

    /// Options stand before operands only.
    pub(crate) const fn stops(self) -> Self {
        Self { stops: true, ..self }
    }
}

pub(crate) use super::flags::Parsed;

//! Programs that read shell scripts and run nothing of them.

use super::spec::{Operands, Spec};
use crate::{Argument, invocation::base_name};

pub(super) const SPECS: &[Spec] = &[
    // Only reached where `only_checks` holds.
    Spec::new(&["bash", "sh", "dash"], "n", Operands::Read).stops(),
    // A script, or the project's `.shellcheckrc`, may name other files; their text is shown with `-a` alone.
    Spec::new(
        &["shellcheck"],
        "C? color? i= include= e= exclude= extended-analysis= f= format= list-optional norc rcfile=r o= enable= P= source-path= s= shell= S= severity= V version W= wiki-link-count= help x!o external-sources!o a!o check-sourced!o",
        Operands::Read,
    ),
];

/// Whether a shell only looks for errors in a file: `bash -n FILE` and no more (bash manual 4.3.1, `noexec`). Another
/// option could switch that off again or start with a file of its own; zsh and ksh run files before they look at theirs.
pub(crate) fn only_checks(words: &[Argument]) -> bool {
    let [program, option, files @ ..] = words else { return false };
    program.value.known().is_some_and(|program| matches!(base_name(program), "bash" | "sh" | "dash"))
        && option.value.known() == Some("-n")
        && !files.is_empty()
        && files.iter().all(|file| file.value.known().is_some_and(|file| !file.starts_with(['-', '+'])))
}

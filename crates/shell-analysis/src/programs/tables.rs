//! All specifications by program name.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    archives, awk, builtin, code, compare, compilers, containers, databases, files, find, gh, git, golang,
    infrastructure, kubernetes, languages, letta, native, network, node, python, python_tools, rust, search,
    sed, spec::Spec, system, text, web, writers,
};

const GROUPS: &[&[Spec]] = &[
    archives::SPECS,
    awk::SPECS,
    builtin::SPECS,
    code::SPECS,
    compare::SPECS,
    files::SPECS,
    find::SPECS,
    gh::SPECS,
    git::SPECS,
    letta::SPECS,
    network::SPECS,
    search::SPECS,
    sed::SPECS,
    system::SPECS,
    text::SPECS,
    compilers::SPECS,
    containers::SPECS,
    databases::SPECS,
    golang::SPECS,
    infrastructure::SPECS,
    kubernetes::SPECS,
    languages::SPECS,
    native::SPECS,
    node::SPECS,
    python::SPECS,
    python_tools::SPECS,
    rust::SPECS,
    web::SPECS,
    writers::SPECS,
];

/// Every specification.
pub(super) fn all() -> impl Iterator<Item = &'static Spec> {
    GROUPS.iter().flat_map(|group| group.iter())
}

static BY_NAME: LazyLock<HashMap<&'static str, &'static Spec>> =
    LazyLock::new(|| all().flat_map(|spec| spec.names.iter().map(move |name| (*name, spec))).collect());

pub(super) fn find(name: &str) -> Option<&'static Spec> {
    BY_NAME.get(name).copied()
}

/// How many flag strings the specifications and launchers have, at most.
#[cfg(test)]
pub(super) fn flag_strings() -> usize {
    let specifications: usize = GROUPS.iter().map(|group| group.len()).sum();
    let subcommands = all().map(|spec| match spec.operands {
        super::spec::Operands::Verbs(program) => super::subcommands::rows(program).len() + 1,
        _ => 0,
    });
    // The tables of git and gh have their own.
    specifications + subcommands.sum::<usize>() + crate::launchers::TABLE.len() + 300
}

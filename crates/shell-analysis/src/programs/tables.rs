//! All specifications by program name.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    archives, awk, builtin, code, compare, files, find, gh, git, letta, network, search, sed, spec::Spec,
    system, text, tools, writers,
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
    tools::SPECS,
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
    // Subcommands have their own, in `git_tables` and the like.
    specifications + crate::launchers::TABLE.len() + 300
}

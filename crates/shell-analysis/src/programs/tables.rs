//! All specifications by program name.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    archives, awk, binutils, builtin, clouds, code, compare, compilers, containers, curl, databases, files,
    find, gh, git, golang, hardware, hosts, infrastructure, json, keys, kubernetes, languages, letta,
    machine, media, native, network, node, pagers, platforms, processes, python, python_tools, rust, search,
    sed, sockets, spec::Spec, syntax_checks, tar, text, transfer, web, writers,
};
use crate::name_hash::Names;

const GROUPS: &[&[Spec]] = &[
    archives::SPECS,
    awk::SPECS,
    media::SPECS,
    binutils::SPECS,
    builtin::SPECS,
    clouds::SPECS,
    code::SPECS,
    compare::SPECS,
    compilers::SPECS,
    containers::SPECS,
    curl::SPECS,
    databases::SPECS,
    files::SPECS,
    find::SPECS,
    gh::SPECS,
    git::SPECS,
    golang::SPECS,
    hardware::SPECS,
    hosts::SPECS,
    infrastructure::SPECS,
    json::SPECS,
    keys::SPECS,
    kubernetes::SPECS,
    languages::SPECS,
    letta::SPECS,
    machine::SPECS,
    native::SPECS,
    network::SPECS,
    node::SPECS,
    pagers::SPECS,
    processes::SPECS,
    platforms::SPECS,
    python::SPECS,
    python_tools::SPECS,
    rust::SPECS,
    search::SPECS,
    sed::SPECS,
    sockets::SPECS,
    syntax_checks::SPECS,
    tar::SPECS,
    text::SPECS,
    transfer::SPECS,
    web::SPECS,
    writers::SPECS,
];

/// Every specification.
pub(super) fn all() -> impl Iterator<Item = &'static Spec> {
    GROUPS.iter().flat_map(|group| group.iter())
}

static BY_NAME: LazyLock<HashMap<&'static str, &'static Spec, Names>> =
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::programs::{flag_table, spec::Operands, subcommands};

    /// Programs of which some words report and others act.
    fn matters(spec: &Spec) -> bool {
        match spec.operands {
            Operands::Verbs(program) => {
                subcommands::rows(program).iter().any(|(words, _, _)| !words.is_empty())
                    || flag_table::of(program.general).does_harm
            }
            // They read their words by functions and tables of their own.
            _ if spec.names.iter().any(|name| ["git", "gh", "find", "letta", "sqlite3"].contains(name)) => {
                true
            }
            _ => flag_table::of(spec.flags).does_harm,
        }
    }

    #[test]
    fn enough_programs_are_known() {
        let names: std::collections::HashSet<&str> = all().flat_map(|spec| spec.names).copied().collect();
        let with: std::collections::HashSet<&str> =
            all().filter(|spec| matters(spec)).flat_map(|spec| spec.names).copied().collect();
        let tables = all().filter(|spec| matters(spec)).count();
        let rows: usize = all()
            .map(|spec| match spec.operands {
                Operands::Verbs(program) => subcommands::rows(program).len(),
                _ => 0,
            })
            .sum();
        println!(
            "{} programs, {} of them with subcommands or flags that matter (in {tables} tables), {rows} rows of subcommands",
            names.len(),
            with.len()
        );
        assert!(names.len() >= 250 && with.len() >= 90 && tables >= 90);
    }

    #[test]
    fn a_program_has_one_specification() {
        let mut seen = BTreeSet::new();
        let twice: Vec<&str> =
            all().flat_map(|spec| spec.names.iter().copied()).filter(|name| !seen.insert(*name)).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}

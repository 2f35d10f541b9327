//! The direction of dependencies: which crate of the workspace may use which.

use crate::metadata::Package;

/// Crate and what it may use, downwards only; anything else is a mistake of layering. Development
/// dependencies obey the same table.
const EDGES: &[(&str, &[&str])] = &[
    ("tool-names", &[]),
    ("paths", &[]),
    ("process", &[]),
    ("shell-analysis", &["paths", "tool-names"]),
    ("matcher", &["tool-names", "paths", "shell-analysis"]),
    ("loader", &["matcher", "paths"]),
    ("trust", &["paths"]),
    ("permissions", &["matcher", "shell-analysis", "tool-names", "paths"]),
    ("sandbox", &["paths", "process"]),
    ("file-guard", &["paths"]),
    ("hooks", &["process"]),
    ("audit", &[]),
    ("spill", &[]),
    ("approval", &["permissions", "audit"]),
    ("tool-pipeline", &["permissions", "approval", "sandbox", "audit", "process"]),
];

/// The crate that may use all others.
const COMPOSITION: &str = "cli";

/// Every edge that the table does not allow, and every crate that it does not know.
pub(crate) fn violations(packages: &[Package]) -> Vec<String> {
    let mut found = Vec::new();
    for package in packages.iter().filter(|package| package.member && package.name != "xtask") {
        let name = short(&package.name);
        if name == COMPOSITION {
            continue;
        }
        let Some((_, allowed)) = EDGES.iter().find(|(crate_name, _)| *crate_name == name) else {
            found.push(format!("crate `{name}` is not in the table of edges"));
            continue;
        };
        let ours = package.dependencies.iter().filter(|used| used.starts_with("portcullis-"));
        for used in ours.map(|used| short(used)).filter(|used| *used != name && !allowed.contains(used)) {
            found.push(format!("`{name}` uses `{used}`, which the table of edges does not allow"));
        }
    }
    found
}

fn short(name: &str) -> &str {
    name.strip_prefix("portcullis-").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, dependencies: &[&str]) -> Package {
        let dependencies = dependencies.iter().map(|&name| name.to_owned()).collect();
        Package { name: name.to_owned(), licence: None, dependencies, member: true }
    }

    #[test]
    fn an_upward_edge_and_an_unknown_crate_are_found() {
        let packages = [
            member("portcullis-paths", &["globset", "portcullis-matcher"]),
            member("portcullis-matcher", &["portcullis-paths"]),
            member("portcullis-new", &[]),
            member("portcullis-cli", &["portcullis-sandbox"]),
        ];
        let found = violations(&packages);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("`paths` uses `matcher`"));
        assert!(found[1].contains("`new`"));
    }

    #[test]
    fn the_table_itself_has_no_cycle() {
        for (position, (_, used)) in EDGES.iter().enumerate() {
            for name in *used {
                let target = EDGES.iter().position(|(other, _)| other == name);
                // Listed before its users, or a later row that uses nothing upwards of them.
                assert!(target.is_some_and(|target| target != position), "{name} is not in the table");
            }
        }
        let mut settled: Vec<&str> = Vec::new();
        while settled.len() < EDGES.len() {
            let before = settled.len();
            for (name, used) in EDGES {
                if !settled.contains(name) && used.iter().all(|used| settled.contains(used)) {
                    settled.push(name);
                }
            }
            assert!(settled.len() > before, "a cycle among {EDGES:?}");
        }
    }
}

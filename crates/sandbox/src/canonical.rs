//! Policies as the kernel will see them: real paths, in the order in which they take effect. A policy
//! built from an unresolved path can match nothing, that is, allow everything; only a [`CanonicalPolicy`] reaches a
//! back end.

use portcullis_paths::{Resolver, is_within};

use crate::{EnvironmentPolicy, Mode, Network, Policy, PolicyError, UnixSockets};

/// A policy whose paths are real, absolute, without trailing slashes and without duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalPolicy {
    pub(crate) mode: Mode,
    pub(crate) network: Network,
    pub(crate) unix_sockets: UnixSockets,
    pub(crate) environment: EnvironmentPolicy,
    pub(crate) workspace: Vec<String>,
    pub(crate) hidden: Vec<String>,
    pub(crate) protected: Vec<String>,
    pub(crate) denied: Vec<String>,
    pub(crate) readonly: Vec<String>,
    /// The workspace roots too, in workspace-write.
    pub(crate) writable: Vec<String>,
    pub(crate) base_writable: Vec<String>,
}

impl Policy {
    /// Resolves every path: the real path of the nearest existing ancestor and the missing rest. Blank
    /// entries are dropped.
    ///
    /// ```
    /// use portcullis_paths::OsResolver;
    /// use portcullis_sandbox::{Policy, PolicyError};
    /// let relative = Policy::workspace_write(["src"]).canonical(&OsResolver);
    /// assert_eq!(relative, Err(PolicyError::Relative("src".into())));
    /// ```
    ///
    /// # Errors
    /// [`PolicyError::Relative`] and [`PolicyError::Unresolvable`] for a path,
    /// [`PolicyError::AncestorCarve`] when a root to be allowed back would expose a denied tree. A workspace
    /// that strictly contains a denied tree is no error: it takes effect before the hole is cut.
    pub fn canonical(&self, resolver: &dyn Resolver) -> Result<CanonicalPolicy, PolicyError> {
        let real = |paths: &[String]| canonical_list(paths, resolver);
        let workspace = real(&self.workspace)?;
        let denied = real(&self.denied)?;
        let mut base_writable = real(&self.base_writable)?;
        let mut writable = real(&self.writable)?;
        let mut readonly = real(&self.readonly)?;
        for root in writable.iter().chain(&readonly) {
            if let Some(denied) = denied.iter().find(|denied| is_within(denied, root)) {
                return Err(PolicyError::AncestorCarve { root: root.clone(), denied: denied.clone() });
            }
        }
        if self.mode == Mode::WorkspaceWrite {
            for root in &workspace {
                if denied.contains(root) {
                    return Err(PolicyError::AncestorCarve { root: root.clone(), denied: root.clone() });
                }
                let contains_hole = denied.iter().any(|denied| is_within(denied, root));
                let list = if contains_hole { &mut base_writable } else { &mut writable };
                if !list.contains(root) {
                    list.push(root.clone());
                }
            }
        }
        readonly.retain(|root| !writable.contains(root));
        // Outer roots first: where roots nest, the inner one is mounted last.
        for list in [&mut base_writable, &mut writable, &mut readonly] {
            list.sort_by_key(|root| root.matches('/').count());
        }
        Ok(CanonicalPolicy {
            mode: self.mode,
            network: self.network,
            unix_sockets: self.unix_sockets,
            environment: self.environment,
            workspace,
            hidden: real(&self.hidden)?,
            protected: real(&self.protected)?,
            denied,
            readonly,
            writable,
            base_writable,
        })
    }
}

impl CanonicalPolicy {
    /// Whether writes are denied except where they are allowed back.
    pub(crate) fn restricts_writes(&self) -> bool {
        self.mode != Mode::DangerFullAccess
    }

    /// Whether the command needs no confinement at all: it is spawned as it is.
    pub(crate) fn is_unrestricted(&self) -> bool {
        !self.restricts_writes()
            && self.network == Network::Open
            && self.denied.is_empty()
            && self.hidden.is_empty()
    }

    /// Whether the command can make no Unix socket under any back end.
    pub(crate) fn refuses_unix_sockets(&self) -> bool {
        self.restricts_writes() && self.unix_sockets == UnixSockets::Refused
    }

    /// All roots below which writes are allowed, before and after the holes.
    pub(crate) fn writable_roots(&self) -> impl Iterator<Item = &String> {
        self.base_writable.iter().chain(&self.writable)
    }

    /// Protected paths that would be writable without protection.
    pub(crate) fn protected_in_writable(&self) -> impl Iterator<Item = (&String, &String)> {
        self.protected.iter().filter_map(|path| {
            // The outermost root: every directory between it and the path is held in place.
            let root =
                self.writable_roots().filter(|root| is_within(path, root)).min_by_key(|root| root.len());
            root.filter(|_| self.restricts_writes()).map(|root| (path, root))
        })
    }
}

fn canonical_list(paths: &[String], resolver: &dyn Resolver) -> Result<Vec<String>, PolicyError> {
    let mut list = Vec::with_capacity(paths.len());
    for path in paths {
        if path.trim().is_empty() {
            continue;
        }
        if !path.starts_with('/') {
            return Err(PolicyError::Relative(path.clone()));
        }
        let unresolvable = |reason: String| PolicyError::Unresolvable { path: path.clone(), reason };
        if path.contains(['\0', '\n']) {
            return Err(unresolvable("it contains a NUL byte or a line break".into()));
        }
        let real = resolver.realpath(path).map_err(|error| unresolvable(error.to_string()))?;
        let trimmed = real.trim_end_matches('/');
        let real = if trimmed.is_empty() { "/".to_owned() } else { trimmed.to_owned() };
        if !list.contains(&real) {
            list.push(real);
        }
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use portcullis_paths::{NoResolver, OsResolver};

    use super::*;

    fn strings(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn paths_are_real_unique_and_without_slash() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        let base = dir.to_str().unwrap();
        std::fs::create_dir(dir.join("real")).unwrap();
        symlink("real", dir.join("link")).unwrap();
        let policy = Policy {
            hidden: vec![format!("{base}/link/new/file"), "  ".into(), format!("{base}/real/new/file/")],
            ..Policy::workspace_write([format!("{base}/link/"), format!("{base}/real")])
        };
        let canonical = policy.canonical(&OsResolver).unwrap();
        assert_eq!(canonical.workspace, [format!("{base}/real")]);
        assert_eq!(canonical.hidden, [format!("{base}/real/new/file")]);
    }

    #[test]
    fn a_root_that_would_expose_a_denied_tree_is_an_error() {
        for (root, fails) in
            [("/h/agents", true), ("/h", true), ("/", true), ("/h/agents/me", false), ("/x", false)]
        {
            for readonly in [true, false] {
                let mut policy = Policy::danger_full_access(["/ws"]);
                policy.denied = strings(&["/h/agents"]);
                let list = if readonly { &mut policy.readonly } else { &mut policy.writable };
                list.push(root.into());
                let result = policy.canonical(&NoResolver);
                assert_eq!(result.is_err(), fails, "{root}");
                if fails {
                    let denied = "/h/agents".to_owned();
                    assert_eq!(result, Err(PolicyError::AncestorCarve { root: root.into(), denied }));
                }
            }
        }
        let mut policy = Policy::workspace_write(["/h"]);
        policy.denied = strings(&["/h/agents"]);
        let canonical = policy.canonical(&NoResolver).unwrap();
        assert_eq!((canonical.base_writable, canonical.writable), (strings(&["/h"]), strings(&[])));
        policy.denied = strings(&["/h"]);
        assert!(policy.canonical(&NoResolver).is_err());
    }

    #[test]
    fn writable_wins_over_readonly_and_outer_roots_come_first() {
        let mut policy = Policy::danger_full_access(["/ws"]);
        policy.denied = strings(&["/h"]);
        policy.readonly = strings(&["/h/a", "/h/b"]);
        policy.writable = strings(&["/h/c/d", "/h/a", "/h/c"]);
        let canonical = policy.canonical(&NoResolver).unwrap();
        assert_eq!(canonical.readonly, ["/h/b"]);
        assert_eq!(canonical.writable, ["/h/a", "/h/c", "/h/c/d"]);
    }

    #[test]
    fn line_breaks_and_relative_paths_are_refused() {
        let error = |path: &str| Policy::read_only([path]).canonical(&NoResolver).unwrap_err();
        assert!(matches!(error("a/b"), PolicyError::Relative(_)));
        assert!(matches!(error("~/x"), PolicyError::Relative(_)));
        assert!(matches!(error("/a\nb"), PolicyError::Unresolvable { .. }));
    }
}

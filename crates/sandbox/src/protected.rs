//! Protected names below the workspace roots: which of them exist.

use portcullis_paths::{Resolver, SensitivePaths, Table, below};

/// The paths of `names` (relative, such as `.git/hooks`) that exist below `roots`, for
/// [`crate::Policy::protected`]. A name that does not exist cannot be protected by a mount without leaving
/// an empty file on the host; that is the gap `protected-new`.
///
/// ```
/// use portcullis_paths::OsResolver;
/// let found = portcullis_sandbox::protected_paths(["/"], [".git/hooks", "etc", "no-such-name"], &OsResolver);
/// assert_eq!(found, ["/etc"]);
/// ```
#[must_use]
pub fn protected_paths<R: AsRef<str>, N: AsRef<str>>(
    roots: impl IntoIterator<Item = R>,
    names: impl IntoIterator<Item = N>,
    resolver: &dyn Resolver,
) -> Vec<String> {
    let names: Vec<N> = names.into_iter().collect();
    let mut found = Vec::new();
    for root in roots {
        for name in &names {
            let path = portcullis_paths::join(root.as_ref(), name.as_ref());
            if resolver.kind(&path).is_some() && !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// Which names are protected below some roots: those of the built-in table, and globs beside it.
///
/// A root may itself lie in a tree that the table protects (an agent's memory lies below `.letta`): the tree is opened by
/// being a root, and what would be protected in any directory (`.git/hooks`) is so in there too.
///
/// ```
/// use portcullis_paths::SensitivePaths;
/// use portcullis_sandbox::ProtectedNames;
///
/// let roots = ["/p", "/h/.letta/memory"];
/// let names = ProtectedNames::new(&SensitivePaths::standard(None), &["/h/.letta/memory/fixed/**".into()], roots);
/// assert!(names.contains("/p/.letta/settings.json") && names.contains("/h/.letta/memory/.git/hooks/update"));
/// assert!(!names.contains("/h/.letta/memory/notes.md") && names.contains("/h/.letta/memory/fixed/notes.md"));
/// ```
#[derive(Clone, Debug)]
pub struct ProtectedNames {
    tables: SensitivePaths,
    /// The table without globs, for what lies below an opened root.
    standard: SensitivePaths,
    /// Roots inside protected trees, with a table that has these trees opened.
    opened: Vec<(String, SensitivePaths)>,
}

impl ProtectedNames {
    /// For these roots, which are absolute real paths. A glob that cannot be read protects nothing; whoever made it knows.
    #[must_use]
    pub fn new<R: AsRef<str>>(
        standard: &SensitivePaths,
        globs: &[String],
        roots: impl IntoIterator<Item = R>,
    ) -> Self {
        let with = |opened: &[String]| standard.clone().adjust(Table::ReadOnly, globs, opened);
        let tables = with(&[]).unwrap_or_else(|_| standard.clone());
        let opened = roots.into_iter().filter_map(|root| {
            let root = root.as_ref().trim_end_matches('/').to_owned();
            let inside = standard.contains(Table::ReadOnly, &root);
            Some((root.clone(), with(&[format!("{root}/**")]).ok()?)).filter(|_| inside)
        });
        Self { opened: opened.collect(), standard: standard.clone(), tables }
    }

    /// Whether an absolute path is protected.
    #[must_use]
    pub fn contains(&self, path: &str) -> bool {
        let opened = self.opened.iter().filter_map(|(root, tables)| Some((tables, below(path, root)?)));
        match opened.min_by_key(|(_, rest)| rest.len()) {
            Some((_, "")) => false,
            Some((tables, rest)) => {
                tables.contains(Table::ReadOnly, path)
                    || self.standard.contains(Table::ReadOnly, &format!("/{}", rest.trim_start_matches('/')))
            }
            None => self.tables.contains(Table::ReadOnly, path),
        }
    }
}

//! Protected names below the workspace roots: which of them exist.

use portcullis_paths::Resolver;

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

//! Whether git comes upon a repository that the text has made.

use portcullis_paths::{is_within, join, normalize};

use super::{Made, Wrote, paths::ends};

/// What makes a directory a repository of git's, or leads it to one (gitrepository-layout(5)).
const REPOSITORY: &[&str] = &[".git", "HEAD", "objects", "refs", "commondir", "gitdir"];

impl Made {
    /// Whether git in `directory` may come upon a repository that the text made or changed.
    pub(crate) fn may_make_repository(&self, directory: &str) -> bool {
        self.anywhere || self.wrote.iter().any(|wrote| wrote.makes_repository(directory, None))
    }

    /// Whether git in `directory`, which lies below `top`, may come upon such a one before it comes to `top` and its
    /// `.git`. What git and other keepers of a project bring does not count here.
    pub(crate) fn may_hide_repository(&self, directory: &str, top: &str) -> bool {
        directory != top
            && is_within(directory, top)
            && self.wrote.iter().any(|wrote| !wrote.kept && wrote.makes_repository(directory, Some(top)))
    }

    /// Whether the text writes in a bare repository.
    pub(crate) fn changes_bare(&self, repository: &str) -> bool {
        self.anywhere
            || self.wrote.iter().any(|wrote| {
                !wrote.kept
                    && (is_within(&wrote.path, repository)
                        || wrote.tree && is_within(repository, &wrote.path))
            })
    }
}

impl Wrote {
    fn makes_repository(&self, directory: &str, top: Option<&str>) -> bool {
        // What git keeps for itself it writes as it should; what it checks out is where it ran.
        if let Some(from) = &self.git {
            return self.tree
                && is_within(directory, &self.path)
                && !from.iter().any(|from| normalize(from) == directory);
        }
        if self.tree && !self.longer && is_within(directory, &self.path) {
            return true;
        }
        let named = |name: &str, above: &str| {
            REPOSITORY.iter().any(|known| if self.longer { known.starts_with(name) } else { *known == name })
                && is_within(directory, above)
                && top.is_none_or(|top| above != top && is_within(above, top))
                && !is_within(directory, &join(above, name))
        };
        ends(&self.path).any(|end| {
            let prefix = self.path.get(..end).unwrap_or_default();
            let (above, name) = prefix.rsplit_once('/').unwrap_or(("", prefix));
            let last = end == self.path.len();
            let above = if above.is_empty() { "/" } else { above };
            (last || !self.longer) && !name.is_empty() && named(name, above)
        })
    }
}

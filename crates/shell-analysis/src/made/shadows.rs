//! Code that a text makes where a program looks for its own: modules of python, files of a tool's project.

use portcullis_paths::{Resolver, is_within, parent};

use super::{Made, Wrote, paths::spellings};

/// How files of python's modules end (the `importlib.machinery` documentation).
const MODULES: &[&str] = &[".py", ".pyc", ".pyd", ".so", ".zip", ".egg", ".pth"];
/// How files end that no tool runs.
const PROSE: &[&str] =
    &[".md", ".txt", ".rst", ".adoc", ".log", ".out", ".csv", ".html", ".svg", ".png", ".diff"];

/// Directories, beside hidden ones, in which tools keep what they run.
const KEPT: &[&str] = &["venv", "env", "node_modules", "vendor", "gradle", "buildSrc", "plugins", "project"];

impl Made {
    /// Whether the text may have made a module for a python that looks in `directory` first.
    pub(crate) fn may_shadow_modules(&self, directory: &str, resolver: Option<&dyn Resolver>) -> bool {
        let places = spellings(directory, resolver);
        self.wrote.iter().any(|wrote| places.iter().any(|place| wrote.is_module_of(place)))
    }

    /// Whether the text has made a file that a tool may take for one of its project's, which lies in `directory` or
    /// above it.
    pub(crate) fn may_join_project(&self, directory: &str, resolver: Option<&dyn Resolver>) -> bool {
        let places = spellings(directory, resolver);
        self.wrote
            .iter()
            .any(|wrote| !(wrote.kept || wrote.empty) && places.iter().any(|place| wrote.joins(place)))
    }
}

impl Wrote {
    fn is_module_of(&self, directory: &str) -> bool {
        if self.tree && is_within(directory, &self.path) {
            return true;
        }
        let Some(below) = portcullis_paths::below(&self.path, directory) else { return false };
        // A directory of modules has a name without a dot, and so has a link to one.
        let package = !below.contains('/') && !below.contains('.') && (self.came || self.tree);
        package || MODULES.iter().any(|end| below.ends_with(end))
    }

    fn joins(&self, directory: &str) -> bool {
        if self.tree && is_within(directory, &self.path) {
            return true;
        }
        let mut above = Some(directory);
        while let Some(place) = above {
            if let Some(rest) = portcullis_paths::below(&self.path, place) {
                let first = rest.split('/').next().unwrap_or(rest);
                if first.len() == rest.len() {
                    return !PROSE.iter().any(|end| rest.ends_with(end));
                }
                return first.starts_with('.') || KEPT.contains(&first);
            }
            above = parent(place).filter(|above| *above != place);
        }
        false
    }
}

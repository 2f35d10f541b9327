//! The workspace that file tools may not leave, checked where it is made.

use portcullis_paths::{FileKind, Resolver, is_absolute, is_within, normalize};

/// A workspace that file tools may not leave.
///
/// ```
/// # use std::sync::Arc;
/// # use portcullis_matcher::{Anchors, Conventions, RuleSet, Rules};
/// # let anchors = Anchors {
/// #     project_root: "/repo".into(), start_directory: "/repo".into(), home: None, user_settings: None,
/// # };
/// use portcullis_permissions::{Context, GateConventions, Gate, Mode, ToolCall, Workspace, decide};
///
/// # let rules = RuleSet::compile(Arc::new(Rules::default()), &anchors, &Conventions::letta());
/// let context = Context {
///     workspace: Some(Workspace::unchecked("/ws/mine", "/ws").expect("nested")),
///     ..Context::bare("/ws/mine", Mode::Unrestricted, GateConventions::letta())
/// };
/// let read = |path: &str| decide(&ToolCall::new("Read", serde_json::json!({ "file_path": path })), &context, &rules);
/// assert_eq!(read("/ws/theirs/notes.md").gate, Gate::WorkspaceGuard);
/// assert_eq!(read("/ws/mine/notes.md").gate, Gate::Mode);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    root: String,
    isolation_root: String,
}

/// Why directories make no workspace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorkspaceError {
    /// One of them is relative.
    #[error("`{0}` is not absolute: write the whole path")]
    NotAbsolute(String),
    /// One of them is missing, or a file.
    #[error("`{0}` is no directory: create it, or name another")]
    NotADirectory(String),
    /// The root is the isolation root, or lies elsewhere.
    #[error("`{root}` does not lie strictly inside `{isolation_root}`: name a directory below it")]
    NotInside {
        /// The root, links followed where they can be.
        root: String,
        /// The isolation root, links followed where they can be.
        isolation_root: String,
    },
    /// Shell calls are the kernel's to hold, and no back end can.
    #[error("no sandbox back end works here, so that shell calls would leave the workspace: {0}")]
    NoBackEnd(String),
}

impl Workspace {
    /// The workspace `root` inside `isolation_root`. `back_end`: whether a kernel sandbox works here, else why none does;
    /// the guard holds file tools only, and leaves shell calls to it.
    ///
    /// # Errors
    /// Directories that are relative, missing or not inside each other once links are followed, or no back end.
    pub fn new(
        root: &str,
        isolation_root: &str,
        resolver: &dyn Resolver,
        back_end: Result<(), String>,
    ) -> Result<Self, WorkspaceError> {
        let workspace = Self::unchecked(root, isolation_root)?;
        let real = |path: &str| {
            let real = resolver.realpath(path).ok();
            let real = real.filter(|real| resolver.kind(real) == Some(FileKind::Directory));
            real.ok_or_else(|| WorkspaceError::NotADirectory(path.to_owned()))
        };
        nested(&real(&workspace.root)?, &real(&workspace.isolation_root)?)?;
        back_end.map_err(WorkspaceError::NoBackEnd)?;
        Ok(workspace)
    }

    /// The workspace by its shape and nesting alone, for decisions about a machine that is not this one.
    ///
    /// # Errors
    /// Directories that are relative or not inside each other.
    pub fn unchecked(root: &str, isolation_root: &str) -> Result<Self, WorkspaceError> {
        for path in [root, isolation_root] {
            if !is_absolute(path) {
                return Err(WorkspaceError::NotAbsolute(path.to_owned()));
            }
        }
        let workspace = Self { root: normalize(root), isolation_root: normalize(isolation_root) };
        nested(&workspace.root, &workspace.isolation_root)?;
        Ok(workspace)
    }

    /// Where writing is possible.
    #[must_use]
    pub fn root(&self) -> &str {
        &self.root
    }

    /// What holds the workspaces of others too.
    #[must_use]
    pub fn isolation_root(&self) -> &str {
        &self.isolation_root
    }
}

fn nested(root: &str, isolation_root: &str) -> Result<(), WorkspaceError> {
    if root != isolation_root && is_within(root, isolation_root) {
        return Ok(());
    }
    Err(WorkspaceError::NotInside { root: root.to_owned(), isolation_root: isolation_root.to_owned() })
}

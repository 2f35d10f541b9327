//! What a host profile means for rules, and the directories that anchor them.

use std::collections::BTreeMap;

use portcullis_tool_names::Aliases;

/// The conventions in which rules are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conventions {
    /// What `/x` in a file rule is relative to.
    pub slash: SlashAnchor,
    /// Whether globs of allow rules match dot files.
    pub allow_dot_files: bool,
    /// In deny and ask, a one-segment `dir/**` matches that name at any depth.
    pub directory_at_any_depth: bool,
    /// In allow, `Edit(p)` covers Write and `NotebookEdit`.
    pub edit_covers_write: bool,
    /// Whether tool names are folded onto canonical ones (engine v2).
    pub fold_names: bool,
    /// `Tool(*)` is the whole tool, for file tools too.
    pub star_is_whole_tool: bool,
    /// The file system takes names that differ in case for one (macOS, FAT, some directories of ext4): rules that
    /// restrict compare paths so too. With a project root of a Windows shape all rules do, whatever this says.
    /// [`portcullis_paths::ignores_case`] finds out.
    pub fold_case: bool,
    /// Spellings of tools: a rule for any of them is one for the canonical tool.
    pub aliases: Aliases,
    /// What payloads of rules for other tools are compared with, where a tool declares it: the tool's name, and the
    /// argument of its calls that holds the text. `*` in such a payload spans anything.
    pub payloads: BTreeMap<String, String>,
}

/// The meaning of a single leading slash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SlashAnchor {
    /// The root of the file system.
    Absolute,
    /// The anchor of the rule's source: project root, starting directory, or the user's settings folder.
    Source,
}

impl Conventions {
    /// The default profile.
    #[must_use]
    pub const fn letta() -> Self {
        Self {
            slash: SlashAnchor::Absolute,
            allow_dot_files: false,
            directory_at_any_depth: false,
            edit_covers_write: false,
            fold_names: true,
            star_is_whole_tool: false,
            fold_case: false,
            aliases: Aliases::standard(),
            payloads: BTreeMap::new(),
        }
    }

    /// The conventions of Claude Code.
    #[must_use]
    pub const fn claude() -> Self {
        Self {
            slash: SlashAnchor::Source,
            allow_dot_files: true,
            directory_at_any_depth: true,
            edit_covers_write: true,
            fold_names: true,
            star_is_whole_tool: true,
            fold_case: false,
            aliases: Aliases::standard(),
            payloads: BTreeMap::new(),
        }
    }

    /// This tool's own.
    #[must_use]
    pub const fn portcullis() -> Self {
        Self {
            slash: SlashAnchor::Absolute,
            allow_dot_files: true,
            directory_at_any_depth: false,
            edit_covers_write: false,
            fold_names: true,
            star_is_whole_tool: false,
            fold_case: false,
            aliases: Aliases::standard(),
            payloads: BTreeMap::new(),
        }
    }
}

/// Absolute directories that rules are relative to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchors {
    /// Pinned when the session starts.
    pub project_root: String,
    /// Where the session started.
    pub start_directory: String,
    /// The user's home directory.
    pub home: Option<String>,
    /// The folder that user-scope `/x` is relative to with [`SlashAnchor::Source`].
    pub user_settings: Option<String>,
}

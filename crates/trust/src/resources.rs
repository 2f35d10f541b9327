//! What a project can bring along that runs code or loosens rules, as a table.

use serde::Serialize;

/// What a resource is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Kind {
    /// A settings file that loosens something (allow rules, mode, directories, environment), or has hooks.
    Settings,
    /// Configuration of git that makes it run a program.
    GitConfig,
    /// A directory of extensions.
    Extensions,
    /// A directory of agents.
    Agents,
    /// A directory of commands.
    Commands,
    /// A directory of skills.
    Skills,
    /// A file that replaces or extends the system prompt.
    SystemInstructions,
    /// `.agents/skills`, shared by several agents.
    SharedSkills,
    /// Servers of the Model Context Protocol, which are started as programs.
    McpServers,
}

impl Kind {
    /// Every kind, in the order in which they are listed.
    pub const ALL: [Self; 9] = [
        Self::Settings,
        Self::GitConfig,
        Self::Extensions,
        Self::Agents,
        Self::Commands,
        Self::Skills,
        Self::SystemInstructions,
        Self::SharedSkills,
        Self::McpServers,
    ];

    /// Its name for machines.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::GitConfig => "git-config",
            Self::Extensions => "extensions",
            Self::Agents => "agents",
            Self::Commands => "commands",
            Self::Skills => "skills",
            Self::SystemInstructions => "system-instructions",
            Self::SharedSkills => "shared-skills",
            Self::McpServers => "mcp-servers",
        }
    }

    /// Its name for people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::GitConfig => "git configuration",
            Self::Extensions => "extensions",
            Self::Agents => "agents",
            Self::Commands => "commands",
            Self::Skills => "skills",
            Self::SystemInstructions => "system instructions",
            Self::SharedSkills => "shared skills",
            Self::McpServers => "MCP servers",
        }
    }
}

/// What has to be there for a row to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A file.
    File,
    /// A directory with at least one file in it, at any depth.
    Directory,
}

/// Folders of agents in a project.
pub(crate) const FOLDERS: [&str; 5] = [".ink", ".letta", ".claude", ".codex", ".gemini"];

/// What each of [`FOLDERS`] may hold.
pub(crate) const IN_FOLDERS: [(&str, Kind, Shape); 6] = [
    ("extensions", Kind::Extensions, Shape::Directory),
    ("agents", Kind::Agents, Shape::Directory),
    ("commands", Kind::Commands, Shape::Directory),
    ("skills", Kind::Skills, Shape::Directory),
    ("SYSTEM.md", Kind::SystemInstructions, Shape::File),
    ("APPEND_SYSTEM.md", Kind::SystemInstructions, Shape::File),
];

/// What the project's directory itself may hold.
pub(crate) const IN_ROOT: [(&str, Kind, Shape); 2] =
    [(".mcp.json", Kind::McpServers, Shape::File), ("mcp.json", Kind::McpServers, Shape::File)];

/// What the project's directory and each one above it, up to the top of its repository, may hold.
pub(crate) const UPWARDS: (&str, Kind, Shape) = (".agents/skills", Kind::SharedSkills, Shape::Directory);

/// Folders whose settings count whatever the host's profile is; the profile's own one counts too.
pub(crate) const SETTINGS_FOLDERS: [&str; 2] = [".letta", ".ink"];

/// The files in a settings folder, and whether a file is the user's own one for this project.
pub(crate) const SETTINGS_FILES: [(&str, bool); 2] =
    [("settings.json", false), ("settings.local.json", true)];

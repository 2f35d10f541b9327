//! Options that every command understands: where to decide, by whose conventions, in which mode.

use std::{io::IsTerminal as _, path::PathBuf};

use crate::session::Surroundings;

use super::names::{MODES, Names, PROFILES};

/// Options in front of or behind any command's name.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Options {
    /// The project whose settings and roots count (default: the host's own variable, the git top level,
    /// else the starting directory)
    #[arg(long, global = true, value_name = "DIR", help_heading = "Deciding")]
    pub(crate) project_root: Option<PathBuf>,

    /// Decide and run as if started here
    #[arg(long, global = true, value_name = "DIR", help_heading = "Deciding")]
    pub(crate) cwd: Option<PathBuf>,

    /// The home directory that `~` and the user's settings are below
    #[arg(long, global = true, value_name = "DIR", help_heading = "Deciding")]
    pub(crate) home: Option<PathBuf>,

    /// Whose conventions to follow: letta, claude or portcullis (default: `PORTCULLIS_PROFILE`, else letta)
    #[arg(long, global = true, value_name = "P", help_heading = "Deciding", value_parser = Names(PROFILES), hide_possible_values = true)]
    pub(crate) profile: Option<String>,

    /// strict, standard, acceptEdits, unrestricted, plan or dontAsk (default: the settings', else standard)
    #[arg(long, global = true, value_name = "M", help_heading = "Deciding", value_parser = Names(MODES), hide_possible_values = true)]
    pub(crate) mode: Option<String>,

    /// Load what this project brings (settings, hooks, servers) from now on, as it is now
    #[arg(long, global = true, help_heading = "Deciding", conflicts_with = "no_trust")]
    pub(crate) trust: bool,

    /// Do not load what this project brings, now and later
    #[arg(long, global = true, help_heading = "Deciding")]
    pub(crate) no_trust: bool,

    /// Print the gates of each decision to standard error
    #[arg(long, global = true, help_heading = "Deciding")]
    pub(crate) trace: bool,

    /// Rules that allow for this invocation, separated by commas or blanks outside parentheses
    #[arg(
        long,
        visible_alias = "allowedTools",
        global = true,
        value_name = "RULES",
        help_heading = "Deciding"
    )]
    pub(crate) allowed_tools: Vec<String>,

    /// Rules that deny for this invocation, separated by commas or blanks outside parentheses
    #[arg(
        long,
        visible_alias = "disallowedTools",
        global = true,
        value_name = "RULES",
        help_heading = "Deciding"
    )]
    pub(crate) disallowed_tools: Vec<String>,

    /// Switch the guard over other agents' memory off; without effect in a subagent
    #[arg(long, global = true, help_heading = "Deciding")]
    pub(crate) disable_memory_guard: bool,

    /// The socket of an approver that answers questions when there is no terminal
    #[arg(long, global = true, value_name = "PATH", help_heading = "Deciding", hide = true)]
    pub(crate) approver: Option<PathBuf>,

    /// Output for people or for machines (default: text; `shell` and --batch answer in JSON)
    #[arg(long, global = true, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,

    /// Colour for people (default: auto, on a terminal unless `NO_COLOR` is set)
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true
    )]
    pub(crate) color: Color,
}

impl Options {
    /// Output for machines was asked for.
    pub(crate) fn json(&self) -> bool {
        self.format == Some(Format::Json)
    }

    /// `--trust` or `--no-trust`.
    pub(crate) fn trust_flag(&self) -> Option<bool> {
        match (self.trust, self.no_trust) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// The flags that say whose settings are meant, as they were given.
    pub(crate) fn whose(&self) -> Vec<String> {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
        let given = [
            ("--project-root", path(&self.project_root)),
            ("--cwd", path(&self.cwd)),
            ("--home", path(&self.home)),
            ("--profile", self.profile.clone()),
        ];
        given.into_iter().filter_map(|(flag, value)| Some([flag.to_owned(), value?])).flatten().collect()
    }

    /// Whether standard output may have colour.
    pub(crate) fn colours_output(&self, surroundings: &Surroundings) -> bool {
        self.colours(surroundings, std::io::stdout().is_terminal())
    }

    /// Whether colour may be written to something that is a terminal or not. The flag beats `NO_COLOR`, which beats what
    /// the terminal can do (no-color.org).
    pub(crate) fn colours(&self, surroundings: &Surroundings, terminal: bool) -> bool {
        let dumb = surroundings.variable("TERM").is_none_or(|term| term == "dumb");
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && !dumb && surroundings.variable("NO_COLOR").is_none(),
        }
    }
}

/// When output has colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Whatever it is written to.
    Always,
    /// Not at all.
    Never,
}

/// Shapes of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// For machines; stable.
    Json,
    /// A page for a browser, all in one file (`explain` alone).
    Html,
}

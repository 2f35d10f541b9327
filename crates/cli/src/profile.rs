//! A host profile: the conventions of every crate, assembled. What they mean is each crate's own affair.

use std::path::Path;

use portcullis_loader::{Layout, Places};
use portcullis_matcher::Conventions;
use portcullis_permissions::GateConventions;
use portcullis_trust::StoreLayout;

use crate::{
    args::{PROFILES, instead},
    report::Report,
};

/// The conventions of one host.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    /// `letta`, `claude` or `portcullis`.
    pub(crate) name: &'static str,
    /// How rules are read.
    pub(crate) rules: Conventions,
    /// What gates answer.
    pub(crate) gates: GateConventions,
    /// `permissions.confinedAuto` when no settings speak of it.
    pub(crate) confined_auto: bool,
    /// Environment variables in which the host names its project, first one first.
    pub(crate) project_variables: &'static [&'static str],
    /// The user's settings folder below the home directory.
    pub(crate) user_folder: &'static str,
    /// The settings folder of a project.
    pub(crate) project_folder: &'static str,
    layout: fn(&Places<'_>) -> Layout,
    trust: fn(&Path) -> StoreLayout,
    /// Whether other agents' memory lies in trees below the home directory.
    pub(crate) agent_trees: bool,
}

/// The name that counts without `--profile` and `PORTCULLIS_PROFILE`.
pub(crate) const DEFAULT: &str = "letta";

impl Profile {
    /// The settings files of this host.
    pub(crate) fn layout(&self, places: &Places<'_>) -> Layout {
        (self.layout)(places)
    }

    /// Where this host keeps which projects are trusted.
    pub(crate) fn trust(&self, home: &Path) -> StoreLayout {
        (self.trust)(home)
    }

    /// The profile of that name.
    ///
    /// # Errors
    /// An unknown name.
    pub(crate) fn named(name: &str) -> Result<Self, Report> {
        Ok(match name {
            "letta" => Self {
                name: "letta",
                user_folder: ".letta",
                project_folder: ".letta",
                layout: Layout::letta,
                trust: StoreLayout::letta,
                rules: Conventions::letta(),
                gates: GateConventions::letta(),
                confined_auto: false,
                project_variables: &[],
                agent_trees: true,
            },
            "claude" => Self {
                name: "claude",
                user_folder: ".claude",
                project_folder: ".claude",
                layout: Layout::claude,
                trust: StoreLayout::portcullis,
                rules: Conventions::claude(),
                gates: GateConventions::claude(),
                confined_auto: false,
                project_variables: &["CLAUDE_PROJECT_DIR"],
                agent_trees: false,
            },
            "portcullis" => Self {
                name: "portcullis",
                user_folder: ".config/portcullis",
                project_folder: ".portcullis",
                layout: Layout::portcullis,
                trust: StoreLayout::portcullis,
                rules: Conventions::portcullis(),
                gates: GateConventions::portcullis(),
                confined_auto: true,
                project_variables: &[],
                agent_trees: false,
            },
            other => {
                return Err(Report::failure("unknown-profile", format!("unknown profile `{other}`"))
                    .at("--profile or PORTCULLIS_PROFILE")
                    .remedy(instead(other, PROFILES)));
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Profile;

    #[test]
    fn an_unknown_profile_is_refused() {
        assert_eq!(Profile::named("Letta").err().map(|report| report.code()), Some("unknown-profile"));
        assert!(["letta", "claude", "portcullis"].iter().all(|name| Profile::named(name).is_ok()));
    }
}

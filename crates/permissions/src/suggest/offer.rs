//! A suggestion as approval shows it.

/// Rules to offer, with the words for it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// The rules, as they would be saved in the allow list; empty: nothing may be remembered.
    pub rules: Vec<String>,
    /// What they cover, in a few words.
    pub description: String,
    /// The words of the button.
    pub button: String,
    /// Where they would be saved.
    pub scope: OfferedScope,
    /// Whether "always" and "session" may be answered.
    pub allow_persistence: bool,
    /// How careful a person should be.
    pub safety: Safety,
}

/// Where an offered rule would be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum OfferedScope {
    /// Memory only.
    Session,
    /// The project's settings.
    Project,
    /// The project's settings of this user alone.
    Local,
    /// The user's settings.
    User,
}

/// How careful a person should be with an offered rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Safety {
    /// Reads, or runs what the project has settled.
    Safe,
    /// Changes things.
    Moderate,
    /// Destroys things, or takes privileges: nothing is remembered.
    Dangerous,
}

impl Suggestion {
    /// Nothing may be remembered.
    pub(crate) fn nothing(safety: Safety) -> Self {
        Self {
            rules: Vec::new(),
            description: String::new(),
            button: String::new(),
            scope: OfferedScope::Session,
            allow_persistence: false,
            safety,
        }
    }

    pub(crate) fn new(
        rules: Vec<String>,
        description: impl Into<String>,
        button: impl Into<String>,
        scope: OfferedScope,
        safety: Safety,
    ) -> Self {
        Self {
            rules,
            description: description.into(),
            button: button.into(),
            scope,
            allow_persistence: true,
            safety,
        }
    }

    /// A rule of an untrusted project would not take effect; this user's own would.
    pub(crate) fn in_untrusted_project(self) -> Self {
        let scope = if self.scope == OfferedScope::Project { OfferedScope::Local } else { self.scope };
        Self { scope, ..self }
    }
}

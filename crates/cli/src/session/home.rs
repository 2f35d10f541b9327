//! The home directory: below it stand the user's settings, and `~` in rules and commands means it.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use portcullis_loader::{Diagnostic, Severity};

use super::{Surroundings, root};
use crate::{args::Options, report::Report};

/// Where it is, and what is doubtful about that.
#[derive(Clone, Debug, Default)]
pub(crate) struct Home {
    /// Absolute; links resolved where it exists, so that what the kernel finds there is recognised as its own.
    pub(crate) path: Option<String>,
    /// Nothing is allowed automatically: rules that deny may have gone unread, or commands find `~` elsewhere.
    pub(crate) doubt: Option<Diagnostic>,
}

impl Home {
    /// `--home`, else `HOME`, else what the accounts of the system say.
    ///
    /// # Errors
    /// A `--home` that cannot be made absolute.
    pub(crate) fn of(options: &Options, surroundings: &Surroundings) -> Result<Self, Report> {
        if let Some(given) = &options.home {
            return Ok(Self {
                path: Some(root::absolute(given, surroundings, "--home")?),
                ..Self::default()
            });
        }
        let set = surroundings.environment.get(OsStr::new("HOME")).map(PathBuf::from);
        if let Some(home) = set.as_deref().and_then(usable) {
            return Ok(Self { path: Some(home), ..Self::default() });
        }
        let path = surroundings.account_home().as_deref().and_then(usable);
        let unread = if path.is_some() { "" } else { ", so the user's settings could not be read" };
        let doubt = match set {
            // Shells take it from the accounts as well.
            None if path.is_some() => None,
            None => Some(doubt(format!("the home directory is not known{unread}"))),
            // Shells take `~` for what it says, whatever that is.
            Some(set) => {
                let shown = set.display();
                Some(doubt(format!("the home directory `{shown}` is not an absolute path in UTF-8{unread}")))
            }
        };
        Ok(Self { path, doubt })
    }
}

fn usable(home: &Path) -> Option<String> {
    if home.is_absolute() { root::real(home).ok() } else { None }
}

fn doubt(message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: PathBuf::from("environment variable HOME"),
        line: None,
        column: None,
        message,
        remedy: "set it to the home directory's absolute path, or give --home DIR; \
                 until then nothing is allowed automatically"
            .to_owned(),
    }
}

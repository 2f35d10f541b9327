//! The settings of a session: found and read by crate loader, what is wrong with them reported once.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use portcullis_loader::{Diagnostic, Layout, Loaded, Places, Scope, SettingsFile, Severity};
use portcullis_matcher::{ListKind, RuleSet};
use portcullis_permissions::misses;
use portcullis_tool_names::Aliases;

use super::Surroundings;
use crate::{profile::Profile, report, report::Report};

/// Which files a session reads and writes.
pub(crate) fn layout(
    profile: &Profile,
    surroundings: &Surroundings,
    project_root: &str,
    home: Option<&str>,
) -> Layout {
    let config = surroundings.variable("XDG_CONFIG_HOME").map(PathBuf::from);
    let places = Places::new(home.map(Path::new), config.as_deref(), Path::new(project_root));
    profile.layout(&places)
}

/// Which settings files count.
pub(crate) enum Files<'a> {
    /// Those of the profile, and those of the folders down to where the session starts.
    InForce,
    /// These and no others, each with the scope that it has among those in force, else as a project's own.
    Only(&'a [PathBuf]),
    /// This one in the place of the file of a scope, or of all that are not the administrator's.
    Instead(&'a Path, Option<Scope>),
}

/// Makes the layout one of the files that count.
///
/// # Errors
/// A named file that does not exist.
pub(super) fn choose(
    layout: &mut Layout,
    files: &Files<'_>,
    surroundings: &Surroundings,
) -> Result<(), Report> {
    match files {
        Files::InForce => {}
        Files::Only(files) => {
            let mut chosen: Vec<SettingsFile> = Vec::new();
            for given in *files {
                let path = existing(given, surroundings)?;
                let known = layout.files.iter().find(|file| file.path == path);
                let scope = known.map_or(Scope::Project, |file| file.scope);
                if !chosen.iter().any(|file| file.path == path) {
                    chosen.push(SettingsFile { scope, path });
                }
            }
            chosen.sort_by_key(|file| file.scope);
            layout.files = chosen;
        }
        Files::Instead(given, scope) => {
            let path = existing(given, surroundings)?;
            layout.files.retain(|file| match scope {
                Some(scope) => file.scope != *scope,
                None => file.scope == Scope::Managed,
            });
            layout.files.push(SettingsFile { scope: scope.unwrap_or(Scope::Project), path });
            layout.files.sort_by_key(|file| file.scope);
        }
    }
    Ok(())
}

fn existing(given: &Path, surroundings: &Surroundings) -> Result<PathBuf, Report> {
    let path = PathBuf::from(super::absolute(given, surroundings, "FILE")?);
    if path.exists() {
        return Ok(path);
    }
    Err(Report::failure("no-such-file", format!("there is no file `{}`", given.display()))
        .remedy("name a settings file"))
}

/// Prints what is wrong: what, where, what to do. Each finding once, notes only when asked for.
pub(crate) fn report(loaded: &Loaded, rules: &RuleSet, with_notes: bool) {
    let mut seen = BTreeSet::new();
    let mut tell = |text: String| {
        if seen.insert(text.clone()) {
            report::note(&text);
        }
    };
    for found in &loaded.diagnostics {
        if found.severity > Severity::Note || with_notes {
            tell(in_lines(found));
        }
    }
    for error in rules.errors() {
        let place = super::exact_place(&error.at).unwrap_or_else(|| error.at.scope.as_str().to_owned());
        let remedy = match error.list {
            ListKind::Deny | ListKind::AlwaysAsk => {
                "mend or remove the rule; until then nothing that it might cover is allowed automatically"
            }
            _ => "mend or remove the rule; until then it has no effect",
        };
        tell(lines(
            &format!(
                "error: rule `{}` in {} cannot be read: {}",
                error.rule,
                error.list.as_str(),
                error.message
            ),
            &place,
            remedy,
        ));
    }
    for &(id, tool) in rules.narrow() {
        let Some(rule) = rules.rule(id) else { continue };
        let place = super::exact_place(&rule.source).unwrap_or_else(|| rule.source.scope.as_str().to_owned());
        let list = rules.kind(id).map(ListKind::as_str).unwrap_or_default();
        let (said, remedy) = portcullis_permissions::narrow(tool);
        tell(lines(&format!("warning: rule `{}` in {list}: {said}", rule.label()), &place, &remedy));
    }
    tell_misses(rules, tell);
}

/// Says which rules that restrict hardly stop what they were written for.
pub(super) fn tell_misses(rules: &RuleSet, mut tell: impl FnMut(String)) {
    for found in misses(rules, &Aliases::standard()) {
        let place = super::exact_place(&found.at).unwrap_or_else(|| match found.at.scope {
            Scope::Cli => "--disallowed-tools".to_owned(),
            scope => scope.as_str().to_owned(),
        });
        let what = format!("warning: rule `{}` in {}: {}", found.rule, found.list.as_str(), found.message);
        tell(lines(&what, &place, &found.remedy));
    }
}

fn in_lines(found: &Diagnostic) -> String {
    let severity = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "note",
    };
    let mut place = found.place();
    if let Some(column) = found.column {
        place.push_str(&format!(":{column}"));
    }
    lines(&format!("{severity}: {}", found.message), &place, &found.remedy)
}

fn lines(what: &str, place: &str, remedy: &str) -> String {
    let escape = portcullis_approval::escape_line;
    format!("portcullis: {}\n  at: {}\n  do: {}", escape(what), escape(place), escape(remedy))
}

//! Saving and removing one rule.

use std::{
    io,
    path::{Path, PathBuf},
};

use jsonc_parser::cst::{CstInputValue, CstObject};
use portcullis_matcher::{
    Anchors, Conventions, ListKind, RuleSet, RuleSource, RuleSpec, Rules, Scope, SourcedRule,
};
use portcullis_paths::files::{self, Locked, NewFile};

use crate::{
    Dialect, Layout, SavedHashes,
    edit::{self, EditError, Misshapen},
    ignore,
    load::is_stored,
    rule_list,
    taking::take_out,
    written,
};

/// Why a rule was not saved or removed. Nothing was written then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// Rules of this scope are not kept in a file that may be edited.
    #[error("rules of scope `{}` cannot be saved (choose user, project or local)", .0.as_str())]
    Scope(Scope),
    /// The scope has a file, but nobody knows where.
    #[error("the settings of scope `{}` have no place: the home directory is not known (set HOME to an absolute path, or choose project or local)", .0.as_str())]
    NoPlace(Scope),
    /// The project is the home directory, whose settings are the user's.
    #[error("the settings of scope `{}` are the user's own here, because the project is the home directory (choose user or local)", .0.as_str())]
    Users(Scope),
    /// The text is no rule.
    #[error("`{rule}` is not a rule: {message}")]
    Rule {
        /// As given.
        rule: String,
        /// What is wrong.
        message: String,
    },
    /// The project's settings are a link that leads out of the project.
    #[error("`{}` leads out of the project to `{}`, so it was not changed (save to the user's settings, or replace the link)", .file.display(), .target.display())]
    LeavesProject {
        /// The settings file.
        file: PathBuf,
        /// What it leads to.
        target: PathBuf,
    },
    /// The file could not be edited.
    #[error(transparent)]
    File(#[from] EditError),
    /// The new content could not be recorded as ours, so that what we saved there before would no longer count.
    #[error("`{file}` was not changed: the new content cannot be recorded as yours, and without that none of your rules in it would count: {message}", file = file.display())]
    Unrecorded {
        /// The settings file.
        file: PathBuf,
        /// Why.
        message: String,
    },
}

/// What a save or a removal did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The settings file.
    pub file: PathBuf,
    /// The rule in the form in which it stands there, or stood.
    pub rule: String,
    /// Whether the file changed: false when an equivalent rule was there already, or none to remove.
    pub changed: bool,
    /// Why something beside the file itself was not done (`.gitignore`, the record of what we saved).
    pub notes: Vec<String>,
}

/// Adds a rule to a list of a scope's file. Everything else in the file stays as it is.
///
/// # Errors
/// See [`SaveError`]; nothing is written then.
pub fn save(
    layout: &Layout,
    rule: &str,
    list: ListKind,
    scope: Scope,
    saved: &dyn SavedHashes,
) -> Result<Saved, SaveError> {
    save_rule(layout, &SourcedRule::text(rule, RuleSource::of(scope)), list, saved)
}

/// Removes every equivalent of a rule from a list of a scope's file.
///
/// # Errors
/// See [`SaveError`]; nothing is written then.
pub fn remove(
    layout: &Layout,
    rule: &str,
    list: ListKind,
    scope: Scope,
    saved: &dyn SavedHashes,
) -> Result<Saved, SaveError> {
    remove_rule(layout, &SourcedRule::text(rule, RuleSource::of(scope)), list, saved)
}

/// [`save`] for any rule, rule objects among them, with its reason; into the file of the scope that it names.
///
/// # Errors
/// See [`SaveError`]; nothing is written then.
pub fn save_rule(
    layout: &Layout,
    rule: &SourcedRule,
    list: ListKind,
    saved: &dyn SavedHashes,
) -> Result<Saved, SaveError> {
    checked(layout, rule, list)?;
    apply(layout, &written::in_normal_form(rule), list, saved, |root, rule| add(root, rule, list))
}

/// [`remove`] for any rule, rule objects among them; its reason is not compared.
///
/// # Errors
/// See [`SaveError`]; nothing is written then.
pub fn remove_rule(
    layout: &Layout,
    rule: &SourcedRule,
    list: ListKind,
    saved: &dyn SavedHashes,
) -> Result<Saved, SaveError> {
    // A rule that cannot be read can still be removed.
    let normal = written::in_normal_form(rule);
    let scope = rule.source.scope;
    if let Some(file) = layout.file(scope).filter(|_| is_stored(scope))
        && std::fs::symlink_metadata(file).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    {
        // Nothing is made where nothing is.
        return Ok(Saved { file: file.to_owned(), rule: normal.label(), changed: false, notes: Vec::new() });
    }
    apply(layout, &normal, list, saved, |root, rule| take(root, rule, list))
}

/// The rule can be read where it will stand.
fn checked(layout: &Layout, rule: &SourcedRule, list: ListKind) -> Result<(), SaveError> {
    let mut rules = Rules::default();
    rule_list::list_mut(&mut rules, list).push(rule.clone());
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let project_root = text(&layout.project_root);
    let user_settings = layout.file(Scope::User).and_then(Path::parent).map(text);
    let anchors = Anchors {
        start_directory: project_root.clone(),
        project_root,
        home: layout.home.as_deref().map(text),
        user_settings,
    };
    let conventions = match layout.dialect {
        Dialect::Claude => Conventions::claude(),
        Dialect::Standard => Conventions::letta(),
    };
    let set = RuleSet::compile(rules.into(), &anchors, &conventions);
    let wrong = |message: &str| SaveError::Rule { rule: rule.label(), message: message.to_owned() };
    // As a text it would be the name of a tool that nobody has.
    if matches!(&rule.spec, RuleSpec::Text(text) if text.trim_start().starts_with('{')) {
        return Err(wrong("a rule object is no text: give its `pattern` or `regex`"));
    }
    match set.errors().first() {
        Some(error) => Err(wrong(&error.message)),
        None => Ok(()),
    }
}

fn apply(
    layout: &Layout,
    rule: &SourcedRule,
    list: ListKind,
    saved: &dyn SavedHashes,
    change: impl FnOnce(&CstObject, &SourcedRule) -> Result<(), Misshapen>,
) -> Result<Saved, SaveError> {
    let scope = rule.source.scope;
    let _span = tracing::debug_span!("save", list = list.as_str(), scope = scope.as_str()).entered();
    if !is_stored(scope) {
        return Err(SaveError::Scope(scope));
    }
    let file = layout.file(scope).ok_or(match &layout.home {
        Some(_) => SaveError::Users(scope),
        None => SaveError::NoPlace(scope),
    })?;
    let new = if scope == Scope::User { NewFile::Private } else { NewFile::Shared };
    let failed = |source| EditError::Io { file: file.to_owned(), source };
    if scope != Scope::User {
        stays_inside(layout, file)?;
    }
    edit::make_folder(file, new)?;
    let locked = Locked::new(file).map_err(failed)?;
    if scope != Scope::User {
        stays_inside(layout, locked.target())?;
    }
    let mut done = Saved { file: file.to_owned(), rule: rule.label(), changed: false, notes: Vec::new() };
    let Some(edited) = edit::change(&locked, file, |root| change(root, rule))? else {
        return Ok(done);
    };
    if let Err(message) = saved.prepare(scope, file, edited.before.as_deref(), &edited.after) {
        // Where what stands there is not ours either, nothing is lost, and what fails here is told behind the save.
        let ours = edited.before.as_deref().is_some_and(|before| saved.is_saved(file, before));
        if scope != Scope::User && ours {
            return Err(SaveError::Unrecorded { file: file.to_owned(), message });
        }
    }
    locked.replace(&edited.after, new).map_err(failed)?;
    done.changed = true;
    if scope != Scope::User {
        match saved.record(scope, file, edited.before.as_deref(), &edited.after) {
            Ok(false) if saved.remembers() => done.notes.push(format!(
                "`{}` was not written by us alone, so it still counts as brought by the project",
                file.display()
            )),
            Ok(_) => {}
            Err(message) => done.notes.push(format!("the new content was not recorded as ours: {message}")),
        }
    }
    drop(locked);
    if scope == Scope::Local {
        done.notes.extend(ignore::add_line(&layout.project_root, file));
    }
    Ok(done)
}

/// A link that a repository brings must not turn an edit of its settings into one of somebody else's file.
fn stays_inside(layout: &Layout, file: &Path) -> Result<(), SaveError> {
    let Ok(root) = layout.project_root.canonicalize() else { return Ok(()) };
    let mut existing = file;
    let target = loop {
        match files::follow(existing) {
            Ok(target) => break target,
            Err(_) => match existing.parent() {
                Some(parent) => existing = parent,
                None => return Ok(()),
            },
        }
    };
    // The part that exists may be the root itself, or lie above it when the root does not exist yet.
    if target.starts_with(&root) || root.starts_with(&target) {
        return Ok(());
    }
    Err(SaveError::LeavesProject { file: file.to_owned(), target })
}

fn misshapen(list: Option<ListKind>) -> Misshapen {
    match list {
        Some(list) => Misshapen { pointer: format!("/permissions/{}", list.as_str()), expected: "an array" },
        None => Misshapen { pointer: "/permissions".into(), expected: "an object" },
    }
}

fn add(root: &CstObject, rule: &SourcedRule, list: ListKind) -> Result<(), Misshapen> {
    let section = root.object_value_or_create("permissions").ok_or_else(|| misshapen(None))?;
    if let Some(property) = section.get(list.as_str())
        && property.value().is_some_and(|value| value.as_null_keyword().is_some())
    {
        property.set_value(CstInputValue::Array(Vec::new()));
    }
    let is_new = section.get(list.as_str()).is_none();
    let array = section.array_value_or_create(list.as_str()).ok_or_else(|| misshapen(Some(list)))?;
    if written::alike(&array, rule, list).is_empty() {
        array.append(written::element(rule));
        if is_new {
            // One rule a line: the next ones make readable differences.
            array.ensure_multiline();
        }
    }
    Ok(())
}

fn take(root: &CstObject, rule: &SourcedRule, list: ListKind) -> Result<(), Misshapen> {
    let Some(section) = root.get("permissions") else { return Ok(()) };
    let section = section.object_value().ok_or_else(|| misshapen(None))?;
    let Some(property) = section.get(list.as_str()) else { return Ok(()) };
    if property.value().is_some_and(|value| value.as_null_keyword().is_some()) {
        return Ok(());
    }
    let array = property.array_value().ok_or_else(|| misshapen(Some(list)))?;
    written::alike(&array, rule, list).into_iter().for_each(take_out);
    Ok(())
}

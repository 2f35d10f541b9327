//! `trust`: which projects may bring settings, hooks and servers of their own; and what others are told of it.

mod show;

use std::path::Path;

use portcullis_approval::escape_line;
use portcullis_audit::Event;
use portcullis_paths::{OsResolver, Resolver as _, is_within, normalize};
use portcullis_trust::{Answer, Basis, key};
use serde_json::{Value, json};

pub(crate) use show::{add, held, lines, state, tell};

use crate::{
    args::{Options, TrustArgs, TrustCommand},
    exit::Exit,
    report::{self, CommandResult, Report},
    session::{self, Keeper, Session, Surroundings},
};

/// The status when there was nothing to forget.
const NOTHING: u8 = 1;

/// Runs one of its commands.
pub(crate) fn run(options: &Options, command: &TrustCommand, surroundings: &Surroundings) -> CommandResult {
    match command {
        TrustCommand::Status(arguments) => status(options, &keeper(options, arguments, surroundings)?),
        TrustCommand::Allow(arguments) => set(options, &keeper(options, arguments, surroundings)?, true),
        TrustCommand::Deny(arguments) => set(options, &keeper(options, arguments, surroundings)?, false),
        TrustCommand::Forget(arguments) => {
            forget(options, arguments, &keeper(options, arguments, surroundings)?)
        }
        TrustCommand::List(arguments) => list(options, arguments, &keeper(options, arguments, surroundings)?),
    }
}

/// The directory that is meant, and the store.
fn keeper(options: &Options, arguments: &TrustArgs, surroundings: &Surroundings) -> Result<Keeper, Report> {
    let whole = Keeper::here(options, surroundings)?;
    match &arguments.directory {
        None => Ok(whole),
        Some(directory) => Ok(whole.at(session::absolute(directory, surroundings, "DIR")?)),
    }
}

fn status(options: &Options, keeper: &Keeper) -> CommandResult {
    let decision =
        keeper.decide(options.trust_flag(), None).map_err(|error| session::trust_failure(&error))?;
    let text = if options.json() {
        format!("{}\n", show::status_json(keeper, &decision))
    } else {
        show::status_text(keeper, &decision)
    };
    report::print(&text)?;
    Ok(Exit::Success)
}

fn set(options: &Options, keeper: &Keeper, trusted: bool) -> CommandResult {
    if options.trust_flag().is_some_and(|flag| flag != trusted) {
        let (flag, word) = if trusted { ("--no-trust", "allow") } else { ("--trust", "deny") };
        return Err(Report::failure("usage", format!("`trust {word}` and {flag} contradict each other"))
            .at(flag)
            .remedy("leave one of them out"));
    }
    let project = keeper.project();
    if trusted && !Path::new(keeper.root()).is_dir() {
        return Err(Report::failure("trust", format!("`{}` is no directory", escape_line(keeper.root())))
            .remedy("check the spelling: trust is in what is there now"));
    }
    let kept = keeper
        .store()?
        .decide(&project, trusted, options.trust_flag().is_some(), Surroundings::now_ms())
        .map_err(|error| session::trust_failure(&error))?;
    keeper.acknowledge();
    let root = key(&OsResolver, keeper.root());
    let inventory = portcullis_trust::inventory(&project);
    note_outer(&root, trusted);
    let text = if options.json() {
        let resources = show::resources_json(&inventory, trusted);
        format!(
            "{}\n",
            json!({ "directory": root, "trusted": trusted, "resources": resources, "kept": kept })
        )
    } else {
        let word = if trusted { "trusted" } else { "not trusted" };
        let mut text = format!("{word}: {}\n", escape_line(&root));
        let below = if trusted { portcullis_trust::below(&project) } else { Vec::new() };
        let below = below.iter().map(|below| &below.inventory);
        for line in std::iter::once(&inventory).chain(below).flat_map(|found| lines(&root, found, &[])) {
            text.push_str(&format!("{}\n", escape_line(&line)));
        }
        text
    };
    report::print_done(&text);
    Ok(Exit::Success)
}

/// A directory inside a repository is no project by itself for who starts there.
fn note_outer(root: &str, trusted: bool) {
    let top = session::git_top_level(root).filter(|top| top != root && trusted);
    if let Some(top) = top {
        let top = escape_line(&top);
        report::note(&format!(
            "portcullis: note: commands that start there belong to the project `{top}`, which this says nothing about"
        ));
        report::note(&format!("  do: `portcullis trust allow {top}`, or give --project-root"));
    }
}

fn forget(options: &Options, arguments: &TrustArgs, keeper: &Keeper) -> CommandResult {
    let store = keeper.store()?;
    // A directory that is gone is known by the spelling that it had; the way to it may lead through links.
    let spelled = arguments.directory.as_deref().and_then(Path::to_str).filter(|path| path.starts_with('/'));
    let mut keys = vec![key(&OsResolver, keeper.root())];
    keys.extend(spelled.map(normalize));
    keys.extend(OsResolver.realpath(keeper.root()));
    keys.dedup();
    let mut forgotten = None;
    for key in keys {
        if forgotten.is_none() && store.forget(&key).map_err(|error| session::trust_store_failure(&error))? {
            forgotten = Some(key);
        }
    }
    keeper.acknowledge();
    let directory = forgotten.clone().unwrap_or_else(|| keeper.root().to_owned());
    let text = if options.json() {
        format!("{}\n", json!({ "directory": directory, "forgotten": forgotten.is_some() }))
    } else {
        let word = if forgotten.is_some() { "forgotten" } else { "nothing was decided about" };
        format!("{word}: {}\n", escape_line(&directory))
    };
    report::print_done(&text);
    Ok(if forgotten.is_some() { Exit::Success } else { Exit::Status(NOTHING) })
}

fn list(options: &Options, arguments: &TrustArgs, keeper: &Keeper) -> CommandResult {
    let store = keeper.store()?;
    let entries = store.read().map_err(|error| session::trust_store_failure(&error))?;
    let below = arguments.directory.as_ref().map(|_| key(&OsResolver, keeper.root()));
    let listed = entries
        .decided()
        .filter(|(directory, _)| below.as_deref().is_none_or(|below| is_within(directory, below)));
    let text = if options.json() {
        let projects: Vec<Value> = listed
            .map(|(directory, entry)| {
                let seen = entry.seen.as_ref();
                json!({
                    "directory": directory,
                    "trusted": entry.trusted,
                    "fingerprint": seen.map(|seen| &seen.fingerprint),
                    "at": seen.map(|seen| &seen.at),
                })
            })
            .collect();
        format!("{}\n", json!({ "store": store.layout().trust, "projects": projects }))
    } else {
        let mut text = String::new();
        for (directory, entry) in listed {
            let word = if entry.trusted { "trusted" } else { "not trusted" };
            let at = entry.seen.as_ref().map(|seen| format!(" (since {})", seen.at)).unwrap_or_default();
            text.push_str(&escape_line(&format!("{word:<12} {directory}{at}")));
            text.push('\n');
        }
        if text.is_empty() {
            text.push_str("nothing was decided\n");
        }
        text
    };
    report::print(&text)?;
    Ok(Exit::Success)
}

/// `trust/decided`, when something was decided just now.
pub(crate) fn event(session: &Session) -> Option<Event> {
    let decision = session.trust.as_ref()?;
    let by = match decision.basis {
        Basis::Flag => "flag",
        Basis::Answered(Answer::Cancelled) => return None,
        Basis::Answered(_) => "terminal",
        _ => return None,
    };
    Some(Event::TrustDecided {
        directory: session.project_root.clone(),
        trusted: decision.trusted,
        stored: decision.stored,
        by: by.to_owned(),
    })
}

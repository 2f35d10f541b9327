//! `shell`: the analysis of a text itself, as JSON, without any decision.

pub(crate) mod render;

use std::io::BufRead as _;

use portcullis_paths::Resolver;
use portcullis_shell_analysis::{self as analysis, Settings, Shell};
use serde_json::{Value, json};

use super::call::text_or_stdin;
use crate::{
    args::{Options, ShellCommand, ShellTextArgs},
    exit::Exit,
    report::{self, CommandResult, Report},
    session::{Purpose, Session, Surroundings},
};

/// Runs one of its commands.
pub(crate) fn run(options: &Options, command: &ShellCommand, surroundings: &Surroundings) -> CommandResult {
    match command {
        ShellCommand::Analyze(arguments) if arguments.batch => return batch(options, surroundings),
        ShellCommand::Analyze(arguments) => {
            let (text, session) = both(arguments, options, surroundings)?;
            print(&render::analysis(&text, &analyze(&text, &session)))?;
        }
        ShellCommand::Effects(arguments) => {
            let (text, session) = both(arguments, options, surroundings)?;
            print(&render::effects(&text, &analyze(&text, &session)))?;
        }
        ShellCommand::Split(arguments) => {
            let words = analysis::split_words(&text(arguments)?);
            let Some(words) = words else {
                return Err(Report::failure("split", "the text is not one simple command of known words")
                    .remedy("see what it is with `portcullis shell analyze`"));
            };
            print(&json!({ "words": words }))?;
        }
        ShellCommand::Unwrap(arguments) => {
            let text = text(arguments)?;
            print(&json!({ "text": analysis::unwrap(&text), "primary": analysis::primary(&text) }))?;
        }
        ShellCommand::Normalize(arguments) => {
            print(&json!({ "text": analysis::normalize(&text(arguments)?) }))?;
        }
    }
    Ok(Exit::Success)
}

fn text(arguments: &ShellTextArgs) -> Result<String, Report> {
    match &arguments.text {
        Some(text) => text_or_stdin(text),
        None => Err(Report::failure("usage", "--batch works with `shell analyze` alone")
            .remedy("give the text as an argument")),
    }
}

fn both(
    arguments: &ShellTextArgs,
    options: &Options,
    surroundings: &Surroundings,
) -> Result<(String, Session), Report> {
    Ok((text(arguments)?, Session::open(options, surroundings, Purpose::Judge)?))
}

fn analyze(text: &str, session: &Session) -> analysis::Analysis {
    let mut roots = vec![session.project_root.clone()];
    roots.extend(session.rules.rules().additional_directories.iter().cloned());
    let context = &session.context;
    analysis::analyze(
        text,
        &Settings {
            shell: context.shell,
            cwd: &context.cwd,
            home: context.home.as_deref(),
            roots: &roots,
            allow_external_paths: context.allow_external_paths,
            trusted: context.trusted,
            scrubbed: context.scrubbed,
            environment: &[],
            resolver: context.resolver.as_deref(),
        },
    )
}

fn print(value: &Value) -> Result<(), Report> {
    report::print(&format!("{value}\n"))
}

/// `shell analyze --batch`: one result a line, in order; a line that cannot be read gives an error object.
fn batch(options: &Options, surroundings: &Surroundings) -> CommandResult {
    let session = Session::open(options, surroundings, Purpose::Judge)?;
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| {
            Report::failure("input", format!("cannot read the input: {error}")).at("standard input")
        })?;
        if line.trim().is_empty() {
            continue;
        }
        print(&one(&line, &session))?;
    }
    Ok(Exit::Success)
}

fn one(line: &str, session: &Session) -> Value {
    let request: Value = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => return failure(&Value::Null, &format!("not JSON: {error}")),
    };
    let id = request.get("id").cloned().unwrap_or(Value::Null);
    let Some(text) = request.get("command").and_then(Value::as_str) else {
        return failure(&id, "`command` is missing or no string");
    };
    let context = &session.context;
    let field = |name: &str, default: &str| match request.get(name) {
        None => Some(default.to_owned()),
        Some(value) => value.as_str().filter(|path| path.starts_with('/')).map(ToOwned::to_owned),
    };
    let Some(cwd) = field("cwd", &context.cwd) else {
        return failure(&id, "`cwd` is no absolute path");
    };
    let Some(home) = field("home", context.home.as_deref().unwrap_or_default()) else {
        return failure(&id, "`home` is no absolute path");
    };
    let roots: Vec<String> = match request.get("roots") {
        None => vec![cwd.clone()],
        Some(roots) => match serde_json::from_value(roots.clone()) {
            Ok(roots) => roots,
            Err(_) => return failure(&id, "`roots` is no list of strings"),
        },
    };
    let Some(shell) = shell(request.get("shell")) else {
        return failure(&id, "`shell` is not bash, sh or zsh");
    };
    let resolver: Option<&dyn Resolver> = context.resolver.as_deref();
    let settings = Settings {
        shell,
        cwd: &cwd,
        home: Some(home.as_str()).filter(|home| !home.is_empty()),
        roots: &roots,
        allow_external_paths: false,
        trusted: context.trusted,
        scrubbed: context.scrubbed,
        environment: &[],
        resolver,
    };
    let mut result = render::analysis(text, &analysis::analyze(text, &settings));
    if let Some(object) = result.as_object_mut() {
        object.shift_insert(0, "id".to_owned(), id);
    }
    result
}

fn failure(id: &Value, message: &str) -> Value {
    json!({ "id": id, "error": { "code": "request", "message": message } })
}

/// The shell that a request names; an unknown name is the caller's mistake.
pub(crate) fn shell(value: Option<&Value>) -> Option<Shell> {
    match value.map(Value::as_str) {
        None | Some(Some("bash")) => Some(Shell::Bash),
        Some(Some("sh" | "dash")) => Some(Shell::Sh),
        Some(Some("zsh")) => Some(Shell::Zsh),
        Some(Some("unknown")) => Some(Shell::Unknown),
        _ => None,
    }
}

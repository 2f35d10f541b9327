//! `shell`: the analysis of a text itself, as JSON, without any decision.

mod batch;
mod plain;
pub(crate) mod render;

use portcullis_paths::Resolver;
use portcullis_shell_analysis::{self as analysis, Analysis, Confinement, Settings, Shell};
use serde_json::{Value, json};

use super::call::text_or_stdin;
use crate::{
    args::{ConfinedArgs, Format, Options, ShellCommand, ShellTextArgs},
    exit::Exit,
    report::{self, CommandResult, Report},
    session::{Purpose, Session, Surroundings, absolute},
};

/// What is asked of a text.
enum Question {
    Analyze,
    Effects,
    Split,
    Unwrap,
    Normalize,
    /// Whether it stays in the surroundings' roots.
    Confined,
}

/// What is known around a text.
struct Around {
    shell: Shell,
    cwd: String,
    home: Option<String>,
    roots: Vec<String>,
    environment: Vec<(String, String)>,
    allow_external_paths: bool,
    trusted: bool,
    scrubbed: bool,
}

/// Runs one of its commands.
pub(crate) fn run(options: &Options, command: &ShellCommand, surroundings: &Surroundings) -> CommandResult {
    let (question, arguments) = match command {
        ShellCommand::Analyze(arguments) => (Question::Analyze, arguments),
        ShellCommand::Effects(arguments) => (Question::Effects, arguments),
        ShellCommand::Split(arguments) => (Question::Split, arguments),
        ShellCommand::Unwrap(arguments) => (Question::Unwrap, arguments),
        ShellCommand::Normalize(arguments) => (Question::Normalize, arguments),
        ShellCommand::Confined(arguments) => (Question::Confined, &arguments.text),
    };
    // What only looks at the text works anywhere, also where settings are broken.
    let session = match question {
        Question::Split | Question::Unwrap | Question::Normalize => None,
        _ => Some(Session::open(options, surroundings, Purpose::Read)?),
    };
    let mut around = session.as_ref().map(around);
    if let (ShellCommand::Confined(arguments), Some(around)) = (command, &mut around) {
        confine(around, arguments, surroundings)?;
    }
    let resolver = session.as_ref().and_then(|session| session.context.resolver.as_deref());
    if arguments.batch {
        return batch::run(options, &question, around.as_ref(), resolver);
    }
    let text = text(arguments)?;
    let answer = answer(&question, &text, around.as_ref(), resolver)?;
    let shown = match options.format {
        Some(Format::Text) => plain::shown(&answer),
        _ => format!("{answer}\n"),
    };
    report::print(&shown)?;
    Ok(if answer.get("confined") == Some(&Value::Bool(false)) { Exit::Ask } else { Exit::Success })
}

fn text(arguments: &ShellTextArgs) -> Result<String, Report> {
    text_or_stdin(arguments.text.as_deref().or(arguments.command.as_deref()).unwrap_or_default())
}

fn around(session: &Session) -> Around {
    let context = &session.context;
    Around {
        shell: context.shell,
        cwd: context.cwd.clone(),
        home: context.home.clone(),
        roots: session.roots(),
        environment: context.environment.clone(),
        allow_external_paths: context.allow_external_paths,
        trusted: context.trusted,
        scrubbed: context.scrubbed,
    }
}

/// The roots and variables of `shell confined`.
fn confine(around: &mut Around, arguments: &ConfinedArgs, surroundings: &Surroundings) -> Result<(), Report> {
    around.roots.clear();
    for root in &arguments.roots {
        let real = absolute(root, surroundings, "--root")?;
        // As it was named too: the text may name it so.
        let named = root.to_str().filter(|root| root.starts_with('/')).map(portcullis_paths::normalize);
        around.roots.extend(named.filter(|named| *named != real));
        around.roots.push(real);
    }
    for pair in &arguments.environment {
        let Some((name, value)) = pair.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            return Err(Report::failure("usage", format!("`{pair}` sets no variable"))
                .at("--env")
                .remedy("give NAME=VALUE"));
        };
        around.environment.retain(|(known, _)| known != name);
        around.environment.push((name.to_owned(), value.to_owned()));
    }
    Ok(())
}

/// The answer as JSON.
///
/// # Errors
/// The text has none: `split` of what is not one simple command.
fn answer(
    question: &Question,
    text: &str,
    around: Option<&Around>,
    resolver: Option<&dyn Resolver>,
) -> Result<Value, Report> {
    let surroundings = || around.ok_or_else(|| Report::failure("usage", "nothing is known around the text"));
    Ok(match question {
        Question::Analyze => render::analysis(text, &analyze(text, surroundings()?, resolver)),
        Question::Effects => render::effects(text, &analyze(text, surroundings()?, resolver)),
        Question::Confined => {
            let around = surroundings()?;
            let place = Confinement {
                roots: &around.roots,
                cwd: Some(&around.cwd),
                home: around.home.as_deref(),
                environment: &around.environment,
                shell: around.shell,
                resolver,
            };
            render::confined(text, &around.roots, &analysis::confined_to(text, &place))
        }
        Question::Split => match analysis::split_words(text) {
            Some(words) => json!({ "words": words }),
            None => {
                return Err(Report::failure("split", "the text is not one simple command of known words")
                    .remedy("see what it is with `portcullis shell analyze`"));
            }
        },
        Question::Unwrap => json!({ "text": analysis::unwrap(text), "primary": analysis::primary(text) }),
        Question::Normalize => json!({ "text": analysis::normalize(text) }),
    })
}

fn analyze(text: &str, around: &Around, resolver: Option<&dyn Resolver>) -> Analysis {
    let settings = Settings {
        shell: around.shell,
        cwd: &around.cwd,
        home: around.home.as_deref(),
        roots: &around.roots,
        allow_external_paths: around.allow_external_paths,
        trusted: around.trusted,
        scrubbed: around.scrubbed,
        environment: &around.environment,
        resolver,
    };
    analysis::analyze(text, &settings)
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

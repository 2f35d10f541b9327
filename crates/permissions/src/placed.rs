//! A shell call may name the directory, the variables and the shell of its command. It is judged as it would
//! run: there, with these, by that one.

use std::borrow::Cow;

use portcullis_paths::{is_within, join};
use portcullis_tool_names::{Commands, Family, commands};

use crate::{
    Context, ToolCall,
    facts::{canonical, shell_named},
};

/// The call's own surroundings.
pub(crate) struct Placed<'a> {
    /// The context as the call changes it.
    pub(crate) context: Cow<'a, Context>,
    /// The commands of a shell call; `unknown` also where their surroundings are.
    pub(crate) commands: Option<Commands>,
}

/// Reads them. `additional_directories` are those of the settings, as they are written.
pub(crate) fn placed<'a>(
    call: &ToolCall,
    context: &'a Context,
    additional_directories: &[String],
) -> Placed<'a> {
    if canonical(call, context).is_none_or(|tool| tool.family() != Family::Shell) {
        return Placed { context: Cow::Borrowed(context), commands: None };
    }
    let mut found = commands(&call.name, &call.arguments);
    let mut context = Cow::Borrowed(context);
    if let Some(directory) = &found.surroundings.directory {
        let there = directory_of(directory, &context);
        found.unknown |= there.is_none();
        // What would be found wherever it runs (`rm -rf /x`) is, also where that is not known.
        let there = there.unwrap_or_else(|| join(&context.cwd, directory));
        // Without a look at the disk nothing is known of a directory outside the project: whose repository is it?
        found.unknown |= context.resolver.is_none() && !in_roots(&there, &context, additional_directories);
        if there != context.cwd {
            context.to_mut().cwd = there;
        }
    }
    for (name, _) in &found.surroundings.variables {
        let settable = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        // The home directory and the working directory are known by other ways, and no longer so.
        let otherwise_known = matches!(name.as_str(), "HOME" | "PWD" | "OLDPWD");
        found.unknown |= !settable || otherwise_known;
        if context.environment.iter().any(|(known, _)| known == name) {
            context.to_mut().environment.retain(|(known, _)| known != name);
        }
    }
    if let Some(shell) = &found.surroundings.shell {
        let shell = shell_named(shell);
        if shell != context.shell {
            context.to_mut().shell = shell;
        }
    }
    Placed { context, commands: Some(found) }
}

/// The directory in which a call runs that names `directory`; `None` where `..` behind a link leads elsewhere than
/// it seems, or where the way there cannot be followed.
fn directory_of(directory: &str, context: &Context) -> Option<String> {
    let there = join(&context.cwd, directory);
    let Some(resolver) = context.resolver.as_deref() else { return Some(there) };
    let real = resolver.realpath(&there).ok()?;
    let climbs = directory.split('/').any(|component| component == "..");
    if climbs {
        let raw = if directory.starts_with('/') {
            directory.to_owned()
        } else {
            format!("{}/{directory}", context.cwd)
        };
        if resolver.realpath(&raw).ok()? != real {
            return None;
        }
    }
    Some(there)
}

fn in_roots(directory: &str, context: &Context, additional_directories: &[String]) -> bool {
    is_within(directory, &context.project_root)
        || is_within(directory, &context.cwd)
        || additional_directories.iter().any(|root| {
            let root = portcullis_paths::expand_home(root, context.home.as_deref());
            is_within(directory, &join(&context.project_root, &root))
        })
}

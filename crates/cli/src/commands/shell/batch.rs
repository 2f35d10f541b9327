//! `--batch`: what is asked of each request's text.

use portcullis_paths::Resolver;
use serde_json::Value;

use super::{Around, Question, answer, shell};
use crate::{
    args::Options,
    commands::batch::{
        self,
        fields::{Fields, bad},
    },
    report::{CommandResult, Report},
};

/// Answers every line of standard input.
pub(super) fn run(
    options: &Options,
    question: &Question,
    around: Option<&Around>,
    resolver: Option<&dyn Resolver>,
) -> CommandResult {
    batch::run(options, "-", |id, request| one(question, id, request, around, resolver))
}

fn one(
    question: &Question,
    id: &Value,
    request: &Value,
    around: Option<&Around>,
    resolver: Option<&dyn Resolver>,
) -> Result<Value, Report> {
    let fields = Fields::of(request, "")?;
    fields.value("id");
    let text = fields.text("command")?.ok_or_else(|| bad("`command` is missing"))?;
    // Read even where nothing around the text counts: what is wrong is wrong everywhere.
    let own = Own::read(&fields)?;
    fields.no_others()?;
    let nowhere = matches!(question, Question::Confined)
        && own.roots.is_none()
        && around.is_some_and(|around| around.roots.is_empty());
    if nowhere {
        return Err(bad("`roots` is missing, and no --root was given"));
    }
    let own = around.map(|around| own.over(question, around));
    let mut result = answer(question, text, own.as_ref(), resolver)?;
    if let Some(object) = result.as_object_mut() {
        object.shift_insert(0, "id".to_owned(), id.clone());
    }
    Ok(result)
}

/// What a request says about its surroundings.
struct Own {
    cwd: Option<String>,
    home: Option<String>,
    shell: portcullis_shell_analysis::Shell,
    roots: Option<Vec<String>>,
}

impl Own {
    fn read(fields: &Fields<'_>) -> Result<Self, Report> {
        let roots = match fields.value("roots") {
            None => None,
            Some(_) => Some(fields.texts("roots")?.into_iter().map(str::to_owned).collect::<Vec<_>>()),
        };
        if roots.iter().flatten().any(|root| !root.starts_with('/')) {
            return Err(bad("`roots` has a path that is not absolute"));
        }
        Ok(Self {
            cwd: absolute(fields, "cwd")?,
            home: absolute(fields, "home")?,
            shell: shell(fields.value("shell"))
                .ok_or_else(|| bad("`shell` is not bash, sh, zsh or unknown"))?,
            roots,
        })
    }

    /// That, else what the invocation has.
    fn over(self, question: &Question, around: &Around) -> Around {
        let roots = match (self.roots, question, &self.cwd) {
            (Some(roots), _, _) => roots,
            (None, Question::Confined, _) | (None, _, None) => around.roots.clone(),
            // A directory of its own is a project of its own.
            (None, _, Some(cwd)) => vec![cwd.clone()],
        };
        Around {
            shell: self.shell,
            cwd: self.cwd.unwrap_or_else(|| around.cwd.clone()),
            home: self.home.or_else(|| around.home.clone()),
            roots,
            environment: around.environment.clone(),
            allow_external_paths: false,
            trusted: around.trusted,
            scrubbed: around.scrubbed,
        }
    }
}

/// A path as it is written: `..` behind a link is not where it seems.
fn absolute(fields: &Fields<'_>, name: &'static str) -> Result<Option<String>, Report> {
    match fields.text(name)? {
        Some(path) if !path.starts_with('/') => Err(bad(format!("`{name}` is no absolute path"))),
        path => Ok(path.map(str::to_owned)),
    }
}

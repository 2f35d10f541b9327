//! What to offer for shell calls: one rule for every part that needs one.

use std::borrow::Cow;

use portcullis_matcher::{ShellPart, Subject};
use portcullis_paths::three_paths;
use portcullis_shell_analysis::{Analysis, EffectKind, Invocation, PathTarget, join_words};

use super::{MOST, OfferedScope, Safety, Suggestion};
use crate::{case::Case, danger, ruling::RuleSetName, suggest_programs as programs};

/// A rule for one part, and how to speak of it.
struct Part {
    rule: String,
    shown: String,
    safety: Safety,
}

/// Offers in the order in which they are tried: prefixes where they are customary, else the exact commands.
pub(super) fn offers(case: &Case<'_>) -> Vec<Suggestion> {
    if danger::first(case).is_some() {
        return vec![Suggestion::nothing(Safety::Dangerous)];
    }
    let followed = !case.facts.unknown_command
        && case.facts.typed.is_none()
        && case.shell().iter().all(|(_, analysis)| analysis.error.is_none() && analysis.opaque.is_none());
    if !followed {
        return vec![Suggestion::nothing(Safety::Moderate)];
    }
    [true, false].into_iter().filter_map(|prefixes| parts(case, prefixes)).map(offer).collect()
}

/// One rule for every invocation that is neither read-only nor covered; `None` when one cannot have any.
fn parts(case: &Case<'_>, prefixes: bool) -> Option<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    for (text, invocation) in case.invocations() {
        // What another invocation names is part of that one.
        if invocation.read_only || invocation.named || covered(case, text, invocation) {
            continue;
        }
        for part in parts_of(case, invocation, prefixes)? {
            if !parts.iter().any(|known| known.rule == part.rule) {
                parts.push(part);
            }
        }
    }
    (!parts.is_empty() && parts.len() <= MOST).then_some(parts)
}

/// Whether the rules that there are already cover this invocation alone.
fn covered(case: &Case<'_>, text: &str, invocation: &Invocation) -> bool {
    let alone = Analysis {
        invocations: vec![invocation.clone()],
        error: None,
        blockers: Vec::new(),
        opaque: None,
        exclude: Vec::new(),
    };
    let part = [ShellPart { text, analysis: &alone }];
    let subject = Subject { shell: &part, ..case.subject() };
    RuleSetName::ALL.into_iter().any(|set| case.rule_set(set).covering_allow(&subject).is_some())
}

fn parts_of(case: &Case<'_>, invocation: &Invocation, prefixes: bool) -> Option<Vec<Part>> {
    if !invocation.code.is_empty() {
        return None;
    }
    let mut parts = redirections(invocation)?;
    if invocation.words.is_empty() {
        return Some(parts);
    }
    let words: Vec<Cow<'_, str>> = invocation
        .words
        .iter()
        .map(|word| word.value.known().map(Cow::Borrowed))
        .collect::<Option<Vec<_>>>()
        .unwrap_or_default();
    let (first, rest) = words.split_first()?;
    if programs::runs_others(first) {
        return None;
    }
    // What only writes through its redirection needs no rule of its own.
    let own_effects = invocation.effects.iter().any(|effect| !effect.redirection);
    if !parts.is_empty() && !own_effects && invocation.specified {
        return Some(parts);
    }
    let rest: Vec<&str> = rest.iter().map(AsRef::as_ref).collect();
    // A prefix of what is asked because it reads outside would have everything outside read.
    let customary =
        prefixes && !invocation.words.iter().any(|word| word.hazard) && !reads_outside(case, invocation);
    let prefix = if customary { programs::prefix(first, &rest, case.context) } else { None };
    parts.push(match prefix {
        Some((prefix, safety)) => {
            Part { rule: format!("Bash({prefix}:*)"), shown: format!("'{prefix}' commands"), safety }
        }
        None => {
            let exact = join_words(&words);
            Part { rule: format!("Bash({exact})"), shown: format!("'{exact}'"), safety: Safety::Moderate }
        }
    });
    Some(parts)
}

/// Whether contents outside the project and its additional directories are read.
fn reads_outside(case: &Case<'_>, invocation: &Invocation) -> bool {
    invocation.effects.iter().any(|effect| match &effect.kind {
        EffectKind::Read { path, .. } => !place_inside(case, path),
        _ => false,
    })
}

fn place_inside(case: &Case<'_>, path: &PathTarget) -> bool {
    let target = match path {
        PathTarget::Path(path) => path.as_str(),
        PathTarget::Glob(_, directory) | PathTarget::Below(directory) => directory.as_str(),
        _ => return false,
    };
    case.inside_roots(&three_paths(target, &case.context.cwd, case.context.resolver.as_deref()))
}

/// `Edit(//path)` for every file that a redirection writes; `None` when one of them is not known.
fn redirections(invocation: &Invocation) -> Option<Vec<Part>> {
    let written = invocation.effects.iter().filter(|effect| effect.redirection);
    let written = written.filter_map(|effect| match &effect.kind {
        EffectKind::Write(path) => Some(path),
        _ => None,
    });
    written
        .map(|path| match path {
            PathTarget::Path(path) if path.starts_with('/') && !crate::reach::is_glob(path) => {
                let path = portcullis_paths::normalize(path);
                Some(Part {
                    rule: format!("Edit(/{path})"),
                    shown: format!("writing {path}"),
                    safety: Safety::Moderate,
                })
            }
            _ => None,
        })
        .collect()
}

fn offer(parts: Vec<Part>) -> Suggestion {
    let safe = parts.iter().all(|part| part.safety == Safety::Safe);
    let shown: Vec<&str> = parts.iter().map(|part| part.shown.as_str()).collect();
    let description = match shown.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    };
    let text = format!("Yes, and don't ask again for {description} in this project");
    let safety = if safe { Safety::Safe } else { Safety::Moderate };
    let rules = parts.into_iter().map(|part| part.rule).collect();
    Suggestion::new(rules, description, text, OfferedScope::Project, safety)
}

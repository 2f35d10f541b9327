//! What the permission mode lets through.

use portcullis_matcher::Mode;
use portcullis_paths::Table;
use portcullis_shell_analysis::{EffectKind, Invocation};

use super::protected_path::{protected_match, takes_existing};
use crate::{
    Decision,
    case::{Access, Case, Place, Touch, is_memory_tool},
    ruling::Ruling,
};

/// Allows everything in unrestricted mode, and edits inside the workspace in acceptEdits.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    let mode = case.context.mode;
    let allows = match mode {
        Mode::Unrestricted => true,
        Mode::AcceptEdits => accepts_edit(case),
        _ => false,
    };
    let (label, reason) = match mode {
        Mode::Unrestricted => ("unrestricted mode", "Permission mode: unrestricted"),
        _ => ("acceptEdits mode", "Permission mode: acceptEdits"),
    };
    allows.then(|| Ruling::new(Decision::Allow, reason).named(label))
}

fn accepts_edit(case: &Case<'_>) -> bool {
    if case.is_shell() {
        // Reading is for the gates behind; whoever writes an ask rule wants to see a command.
        return case.facts.typed.is_none()
            && !super::read_only_shell::holds(case)
            && accepts_commands(case)
            && case.ask_rule().is_none();
    }
    if !case.is_writing_tool() {
        return false;
    }
    if is_memory_tool(&case.call.name) && case.facts.targets.is_empty() {
        return true;
    }
    !case.facts.unknown_target
        && !case.facts.targets.is_empty()
        && case.touches().iter().all(|touch| accepts_touch(case, touch))
}

/// Every effect of every command is a read, write, deletion or metadata change inside the roots.
fn accepts_commands(case: &Case<'_>) -> bool {
    !case.facts.unknown_command
        && !case.shell().is_empty()
        && case.shell().iter().all(|(text, analysis)| {
            analysis.error.is_none()
                && analysis.opaque.is_none()
                && !analysis.invocations.is_empty()
                && analysis
                    .invocations
                    .iter()
                    .all(|item| item.read_only || accepts_invocation(case, text, item))
        })
}

fn accepts_invocation<'a>(case: &Case<'a>, text: &'a str, invocation: &'a Invocation) -> bool {
    let only_paths = invocation.effects.iter().all(|effect| {
        matches!(
            effect.kind,
            EffectKind::Read { .. }
                | EffectKind::Metadata(_)
                | EffectKind::ChangeMetadata(_)
                | EffectKind::Write(_)
                | EffectKind::Delete { .. }
        )
    });
    (invocation.specified || invocation.words.is_empty())
        && only_paths
        && invocation.code.is_empty()
        && invocation.launchers.iter().all(|launcher| launcher.transparent)
        && invocation.assignments.iter().all(|assignment| assignment.harmless)
        && case.invocation_touches(text, invocation).all(|touch| accepts_touch(case, &touch))
}

fn accepts_touch(case: &Case<'_>, touch: &Touch<'_>) -> bool {
    if touch.access == Access::Look {
        return true;
    }
    if !case.place_inside(&touch.place, &case.facts.roots) {
        return false;
    }
    match &touch.place {
        Place::Path(path) => {
            let secret = case.sensitive(Table::Secret, path).is_some();
            let guarded = touch.access.alters() && case.sensitive(Table::Protected, path).is_some();
            !secret && !guarded
        }
        Place::Glob(pattern, _) => {
            !touch.access.alters() || protected_match(case, pattern, takes_existing(touch)).is_none()
        }
        // Something below could be a hook or a start file.
        Place::Below(_) => !touch.access.alters(),
        Place::Unknown => false,
    }
}

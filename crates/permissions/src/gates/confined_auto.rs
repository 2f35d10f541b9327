//! An opaque command (`cargo test`, `python x.py`) runs shut in, unasked.
//!
//! Whether the back end that will run it has none of the gaps that matter is the caller's to know: it sets
//! `Context::confined_auto` only then, and treats the verdict as ask when it cannot confine after all.

use portcullis_shell_analysis::EffectKind;

use crate::{
    Decision,
    case::{Access, Case, Place},
    danger,
    ruling::Ruling,
};

/// Allows it, under confinement that is required.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    let context = case.context;
    let eligible = context.confined_auto
        && context.network_blocked
        && case.is_shell()
        && case.facts.typed.is_none()
        && !case.facts.unknown_command
        && !case.shell().is_empty()
        // What these forbid cannot be hidden from it.
        && case.unlisted(false).is_none()
        && case.may_be_automatic();
    if !eligible || !can_be_shut_in(case) {
        return None;
    }
    Some(Ruling::new(Decision::Allow, "Runs confined"))
}

fn can_be_shut_in(case: &Case<'_>) -> bool {
    case.shell().iter().all(|(_, analysis)| analysis.error.is_none())
        && danger::first(case).is_none()
        && case.invocations().all(|(_, invocation)| {
            // What is known to reach further than files would only fail inside.
            invocation.read_only
                || !invocation.effects.iter().any(|effect| {
                    matches!(effect.kind, EffectKind::Network(_) | EffectKind::System | EffectKind::Process)
                })
        })
        && case.touches().iter().all(|touch| {
            touch.access == Access::Look
                || matches!(touch.place, Place::Unknown)
                || case.place_inside(&touch.place, &case.facts.roots)
        })
}

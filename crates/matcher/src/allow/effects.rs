//! Whether file rules allow what a command does to files.

use portcullis_paths::is_within;
use portcullis_shell_analysis::{Effect, EffectKind, Invocation, RedirectionTarget, tree::RedirectOp};
use portcullis_tool_names::Tool;

use super::{Judge, Restraint};
use crate::ShellPart;
use crate::facts::{Access, EffectFacts, InvocationFacts, Place};
use crate::parsed::{Body, Target};
use crate::paths::PathParts;

impl Judge<'_> {
    /// Redirections write nowhere, or where a file rule allows it; what they read may be read by itself, and what they
    /// have expanded may be shown.
    pub(super) fn redirections_allowed(
        &self,
        invocation: &InvocationFacts<'_>,
        parts: &[ShellPart<'_>],
        restraint: Restraint,
    ) -> bool {
        let plain = invocation.view.invocation;
        // The analysis has said what keeps a reader of it, such as `cat`, from being free.
        let blocked = |effect: &Effect| {
            let mut blockers = parts.iter().flat_map(|part| &part.analysis.blockers);
            blockers.any(|blocker| blocker.span == effect.span)
        };
        let expands = plain.redirections.iter().any(
            |redirection| matches!(&redirection.target, RedirectionTarget::Text(text) if text.0.is_none()),
        );
        let leaks = expands
            && plain.effects.iter().any(|effect| effect.kind == EffectKind::Environment && blocked(effect));
        let reads_freely = plain.effects.iter().zip(&invocation.effects).all(|(effect, touched)| {
            !effect.redirection
                || touched.access != Access::Read
                || !blocked(effect)
                || self.effect_rule(touched, restraint).is_some()
        });
        if leaks || !reads_freely {
            return false;
        }
        let written = invocation.effects.iter().filter(|effect| effect.redirection);
        let known = written.clone().filter(|effect| effect.access == Access::Change).count();
        // What a redirection does beside files (a connection to `/dev/tcp`) is in no command rule's words.
        let only_files = invocation.view.invocation.effects.iter().all(|effect| {
            !effect.redirection
                || matches!(
                    effect.kind,
                    EffectKind::Read { .. } | EffectKind::Write(_) | EffectKind::Metadata(_)
                )
        });
        only_files
            && written.clone().all(|effect| {
                matches!(effect.access, Access::Read | Access::Look)
                    || self.effect_rule(effect, restraint).is_some()
            })
            && known >= writing_redirections(invocation.view.invocation)
    }

    /// Whether every effect is harmless or allowed by a file rule, and the first rule that was needed.
    pub(super) fn effects_allowed(
        &self,
        invocation: &InvocationFacts<'_>,
        restraint: Restraint,
        redirections: bool,
    ) -> Option<Option<u32>> {
        let mut first = None;
        for effect in invocation.effects.iter().filter(|effect| !redirections || effect.redirection) {
            first = first.or(self.effect_rule(effect, restraint)?);
        }
        Some(first)
    }

    /// The file rule that allows an effect, `Some(None)` when none is needed, `None` when it is not allowed.
    pub(super) fn effect_rule(&self, effect: &EffectFacts<'_>, restraint: Restraint) -> Option<Option<u32>> {
        let (paths, below) = match (&effect.place, effect.access) {
            (_, Access::Look) => return Some(None),
            (_, Access::Other)
            | (
                Place::Unknown
                | Place::None
                | Place::Path { lost: true, .. }
                | Place::Many { lost: true, .. },
                _,
            ) => return None,
            (Place::Path { readings, below, file, .. }, _) => (readings, below.is_some() && !file),
            (Place::Many { directory, .. }, _) => (directory, true),
        };
        let own = |path: &PathParts<'_>| {
            std::iter::once(&self.anchors.project_root)
                .chain(self.directories)
                .any(|root| is_within(path.text, root))
        };
        if effect.access == Access::Read && !restraint.asked && paths.iter().all(own) {
            return Some(None);
        }
        let many = matches!(effect.place, Place::Many { .. });
        let mut rules = self.usable(restraint, |index| index.effect(paths));
        let found = rules.find(|(_, rule)| {
            let about = rule.targets.iter().any(|target| {
                matches!(
                    (target, effect.access),
                    (Target::Tool(Tool::Read), Access::Read)
                        | (Target::Tool(Tool::Write | Tool::Edit), Access::Change)
                )
            });
            let covers = |pattern: &crate::paths::PathPattern| {
                paths
                    .iter()
                    .all(|path| (many || pattern.allows(path)) && (!below || pattern.allows_below(path)))
            };
            about && matches!(&rule.body, Body::Path(pattern) if covers(pattern))
        });
        found.map(|(id, _)| Some(id))
    }
}

/// How many redirections write into a file, devices that keep nothing not counted.
fn writing_redirections(invocation: &Invocation) -> usize {
    let harmless = |path: &str| {
        matches!(path, "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty")
            || path.starts_with("/dev/fd/")
    };
    invocation
        .redirections
        .iter()
        .filter(|redirection| {
            !matches!(redirection.op, RedirectOp::Read | RedirectOp::DupInput)
                && matches!(&redirection.target, RedirectionTarget::File(value)
                    if !value.known().is_some_and(harmless))
        })
        .count()
}

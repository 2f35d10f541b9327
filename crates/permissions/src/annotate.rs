//! What a verdict says about parts of a command, as plain values: for whoever shows it to a person without
//! knowing how commands are analysed.

use portcullis_shell_analysis::{EffectKind, PathTarget, Value};

use crate::Verdict;

/// A remark about some bytes of a command.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Annotation {
    /// Which command of the call, from 0.
    pub command: usize,
    /// First byte of the command's text.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
    /// What kind of remark.
    pub kind: AnnotationKind,
    /// One clause, lower case, without a full stop.
    pub text: String,
}

/// Kinds of remarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum AnnotationKind {
    /// The text is not understood from here on.
    Error,
    /// Nobody can know what this does.
    Opaque,
    /// This stands against an automatic answer.
    Blocker,
    /// Something that is changed: files, the machine, other processes, the network.
    Effect,
}

impl Verdict {
    /// Remarks about the call's commands: errors, what is opaque, what stands against an automatic answer, and
    /// every effect that changes something.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use portcullis_matcher::{Anchors, Conventions, RuleSet, Rules};
    /// # let anchors = Anchors {
    /// #     project_root: "/repo".into(), start_directory: "/repo".into(), home: None, user_settings: None,
    /// # };
    /// # let rules = RuleSet::compile(Arc::new(Rules::default()), &anchors, &Conventions::letta());
    /// use portcullis_permissions::{AnnotationKind, Context, GateConventions, Mode, ToolCall, decide};
    ///
    /// let context = Context::bare("/repo", Mode::Standard, GateConventions::letta());
    /// let verdict = decide(&ToolCall::shell("ls; rm old.txt"), &context, &rules);
    /// let marks = verdict.annotations();
    /// let blocker = marks.iter().find(|mark| mark.kind == AnnotationKind::Blocker).unwrap();
    /// assert_eq!((blocker.start, blocker.end), (7, 14));
    /// assert_eq!(blocker.text, "removes `/repo/old.txt`");
    /// ```
    #[must_use]
    pub fn annotations(&self) -> Vec<Annotation> {
        let mut all = Vec::new();
        for (command, (_, analysis)) in self.shell.iter().enumerate() {
            let mut add = |span: portcullis_shell_analysis::Span, kind, text: String| {
                let new = Annotation { command, start: span.start, end: span.end, kind, text };
                if !all.contains(&new) {
                    all.push(new);
                }
            };
            if let Some(error) = &analysis.error {
                add(error.span, AnnotationKind::Error, error.message.clone());
            }
            if let Some(opaque) = &analysis.opaque {
                add(opaque.span, AnnotationKind::Opaque, opaque.reason.to_string());
            }
            for blocker in &analysis.blockers {
                add(blocker.span, AnnotationKind::Blocker, blocker.reason.to_string());
            }
            for effect in analysis.invocations.iter().flat_map(|invocation| &invocation.effects) {
                if changes(&effect.kind) {
                    add(effect.span, AnnotationKind::Effect, describe_effect(&effect.kind));
                }
            }
        }
        all
    }
}

fn changes(kind: &EffectKind) -> bool {
    !matches!(kind, EffectKind::Read { .. } | EffectKind::Metadata(_) | EffectKind::Terminal)
}

/// An effect in words, such as `deletes /repo/build and all below`.
///
/// ```
/// use portcullis_permissions::describe_effect;
/// use portcullis_shell_analysis::{EffectKind, PathTarget};
///
/// let effect = EffectKind::Write(PathTarget::Path("/repo/./a.txt".into()));
/// assert_eq!(describe_effect(&effect), "writes /repo/a.txt");
/// ```
#[must_use]
pub fn describe_effect(kind: &EffectKind) -> String {
    let deep = |recursive: &bool| if *recursive { " and all below" } else { "" };
    match kind {
        EffectKind::Read { path, recursive } => format!("reads {}{}", place(path), deep(recursive)),
        EffectKind::Metadata(path) => format!("looks at {}", place(path)),
        EffectKind::ChangeMetadata(path) => format!("changes mode, owner or times of {}", place(path)),
        EffectKind::Write(path) => format!("writes {}", place(path)),
        EffectKind::Delete { path, recursive } => format!("deletes {}{}", place(path), deep(recursive)),
        EffectKind::Execute(program) => match program {
            Value::Known(program) => format!("runs {program}"),
            _ => "runs a program or code that is not known".to_owned(),
        },
        EffectKind::Network(Some(endpoint)) => format!("uses the network: {endpoint}"),
        EffectKind::Network(None) => "uses the network".to_owned(),
        EffectKind::Environment => "reads or changes the environment".to_owned(),
        EffectKind::Process => "signals or changes other processes".to_owned(),
        EffectKind::System => "changes the machine".to_owned(),
        EffectKind::Terminal => "controls the terminal".to_owned(),
        EffectKind::Opaque(reason) => reason.to_string(),
        _ => "has an effect that is not known".to_owned(),
    }
}

fn place(path: &PathTarget) -> String {
    match path {
        // `..` behind a link is not where it seems, so only what means nothing is left out.
        PathTarget::Path(path) if !path.contains("..") => portcullis_paths::normalize(path),
        PathTarget::Path(path) => path.clone(),
        PathTarget::Glob(glob, _) => format!("what matches {glob}"),
        PathTarget::Below(directory) => format!("something below {directory}"),
        _ => "a path that is not known".to_owned(),
    }
}

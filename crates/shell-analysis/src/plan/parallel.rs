//! What GNU parallel puts into its command (parallel(1), "Replacement strings").

use crate::{Value, programs::flags::Leading};

/// The command as shell text in which each replacement string is a parameter that is not known; not known at all
/// where quotes, other marks for them or code in them may stand in the way.
pub(super) fn command(words: &[&str], parsed: &Leading) -> Value {
    // What stands behind `:::` is arguments.
    let command = words.split(|word| word.starts_with(":::")).next().unwrap_or_default();
    let text = words.join(" ");
    if parsed.values.iter().any(|(flag, ..)| *flag == "I") {
        return Value::Unknown;
    }
    if !command.iter().any(|word| word.contains('{')) {
        // What it reads comes behind the words.
        let reads = command.len() == words.len();
        return Value::Known(if reads { text + " ${1}" } else { text }.into());
    }
    let plain = command.join(" ");
    if plain.contains(['\'', '"', '\\', '`']) || plain.contains("{=") {
        return Value::Unknown;
    }
    let mut out = String::with_capacity(plain.len());
    let mut rest = plain.as_str();
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((mark, after)) = behind.split_once('}') else { break };
        out.push_str(before);
        if mark.chars().all(|letter| letter.is_ascii_alphanumeric() || "./#%:+-_".contains(letter)) {
            out.push_str("${1}");
        } else {
            out.push('{');
            out.push_str(mark);
            out.push('}');
        }
        rest = after;
    }
    out.push_str(rest);
    Value::Known(out.into())
}

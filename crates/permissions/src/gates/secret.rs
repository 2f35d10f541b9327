//! Reading a secret asks, even where a read would be automatic (specification 3.7).

use portcullis_paths::Table;
use portcullis_tool_names::Tool;

use crate::{
    Decision,
    case::{Access, Case, Place},
    ruling::Ruling,
};

/// Asks for a secret that no allow rule names literally, and for a recursive read that could reach one when
/// the runner cannot hide it.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    if !case.sensitive_asked() {
        return None;
    }
    let read = case.touches().iter().find_map(|touch| match &touch.place {
        // An edit shows what it replaces.
        Place::Path(path) if touch.access == Access::Read || case.facts.tool == Some(Tool::Edit) => {
            case.sensitive(Table::Secret, path)
        }
        _ => None,
    });
    let about = read.map(str::to_owned).or_else(|| {
        let first = || case.exclusion().secrets.first().cloned();
        if case.context.hides { None } else { first() }
    })?;
    Some(Ruling::new(Decision::Ask, "Reads a secret").about(about))
}

//! Taking elements out of a list: the element goes, with its comma and its line, and every comment stays.

use jsonc_parser::cst::{CstInputValue, CstNode};

/// Takes an element out of its array.
pub(crate) fn take_out(element: CstNode) {
    take_comma(&element);
    let Some(element) = blanked(element) else { return };
    let starts_line = leading(&element).is_none_or(|node| node.is_newline() || node.is_token());
    let behind = element.next_siblings().find(|node| !is_blank(node));
    match behind {
        Some(newline) if newline.is_newline() && starts_line => {
            blanks_before(&element);
            blanks_behind(&element);
            newline.remove();
        }
        // What ends the line stays, behind whatever stands in front of the element.
        Some(newline) if newline.is_newline() => blanks_before(&element),
        Some(bracket) if bracket.is_token() && !starts_line => blanks_before(&element),
        _ => blanks_behind(&element),
    }
}

/// The comma behind the element, or in front of the last one.
fn take_comma(element: &CstNode) {
    let counts = |node: &CstNode| !node.is_trivia() && !is_nothing(node);
    let next = element.next_siblings().find(counts);
    let previous = element.previous_siblings().find(counts);
    if let Some(comma) = next.filter(CstNode::is_comma).or_else(|| previous.filter(CstNode::is_comma)) {
        comma.remove();
    }
}

/// The element as an empty text: to take a node out of the tree takes comments out as well.
fn blanked(element: CstNode) -> Option<CstNode> {
    let element = match element.as_string_lit() {
        Some(_) => element,
        None => element.as_object()?.replace_with(CstInputValue::String(String::new()))?,
    };
    element.as_string_lit()?.set_raw_value(String::new());
    Some(element)
}

/// The first node in front that is more than blanks.
fn leading(element: &CstNode) -> Option<CstNode> {
    element.previous_siblings().find(|node| !is_blank(node))
}

fn blanks_before(element: &CstNode) {
    let blanks: Vec<CstNode> = element.previous_siblings().take_while(is_blank).collect();
    blanks.into_iter().filter(CstNode::is_whitespace).for_each(CstNode::remove);
}

fn blanks_behind(element: &CstNode) {
    let blanks: Vec<CstNode> = element.next_siblings().take_while(is_blank).collect();
    blanks.into_iter().filter(CstNode::is_whitespace).for_each(CstNode::remove);
}

/// Blanks, and what was taken out before.
fn is_blank(node: &CstNode) -> bool {
    node.is_whitespace() || is_nothing(node)
}

fn is_nothing(node: &CstNode) -> bool {
    node.as_string_lit().is_some_and(|text| text.to_string().is_empty())
}

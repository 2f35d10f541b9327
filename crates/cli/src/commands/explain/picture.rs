//! The picture on a terminal: the answer, the command with marks under its words, its parts as a tree, the gates from
//! top to bottom, and what would change the answer.

use portcullis_permissions::Decision;

use super::{
    columns::{fold, safe, shorten, width},
    page::{Look, Page, Piece, piece},
    source,
    tree::{Node, Standing},
    view::{GROUPS, GateRow, Outcome, View},
};

/// Rows that the label of a part may take; the text above has all of it.
const LABEL_ROWS: usize = 3;

/// Draws all of it on a page of that many columns.
pub(super) fn draw(view: &View<'_>, columns: usize) -> Page {
    let mut page = Page::new(columns);
    let plain = |text: &str| piece(Look::Plain, text);
    page.flow(vec![], look(view.decision), &view.sentence, &[plain("  ")]);
    if let Some((rule, reason)) = &view.rule {
        page.flow(vec![plain("  by ")], Look::Plain, rule, &[plain("     ")]);
        if let Some(words) = reason {
            page.flow(vec![plain("  ")], Look::Plain, words, &[plain("  ")]);
        }
    }
    page.flow(vec![plain("  ")], Look::Faint, &view.surroundings, &[plain("  ")]);
    if let Some(arguments) = &view.arguments {
        page.heading("Call", "");
        page.flow(vec![plain(&format!("  {} ", safe(view.tool)))], Look::Plain, arguments, &[plain("    ")]);
    }
    for command in &view.commands {
        let tool = safe(view.tool);
        page.heading("Command", if tool == "Bash" { "" } else { &tool });
        source::draw(&mut page, command.text, &command.marks);
        page.heading("Parts", "");
        if command.tree.is_empty() {
            page.line(vec![piece(Look::Faint, "  nothing in it is known to run")]);
        }
        nodes(&mut page, &command.tree, "  ");
        if let Some(reach) = command.reach {
            page.line(vec![piece(Look::Allow, format!("  {reach}"))]);
        }
    }
    gates(&mut page, &view.gates);
    if !view.possible.is_empty() {
        page.heading("Rules that may match", "");
        for rule in &view.possible {
            page.flow(vec![plain("  ")], Look::Ask, rule, &[plain("    ")]);
        }
    }
    if !view.exclude.is_empty() {
        page.heading("Hidden from its reads", "");
        page.flow(vec![plain("  ")], Look::Plain, &view.exclude.join("  "), &[plain("  ")]);
    }
    if let Some(confinement) = &view.confinement {
        page.heading("Runs under", "");
        page.flow(vec![plain("  ")], Look::Plain, confinement, &[plain("  ")]);
    }
    changes(&mut page, view);
    page
}

/// The colour of an answer.
pub(super) const fn look(decision: Decision) -> Look {
    match decision {
        Decision::Allow => Look::Allow,
        Decision::Deny => Look::Deny,
        Decision::Ask | Decision::AlwaysAsk => Look::Ask,
    }
}

/// What stands in front of a part, whichever the form.
pub(super) const fn sign(standing: Standing) -> &'static str {
    match standing {
        Standing::Construct => "",
        Standing::Reads | Standing::Covered => "✓",
        Standing::Speaks => "!",
    }
}

fn nodes(page: &mut Page, nodes: &[Node], indent: &str) {
    for (index, node) in nodes.iter().enumerate() {
        let last = index + 1 == nodes.len();
        let (branch, below) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        one(page, node, &format!("{indent}{branch}"), &format!("{indent}{below}"));
    }
}

fn one(page: &mut Page, node: &Node, lead: &str, below: &str) {
    let tone = match node.standing {
        Standing::Construct => Look::Plain,
        Standing::Reads | Standing::Covered => Look::Allow,
        Standing::Speaks => Look::Ask,
    };
    let mut front: Vec<Piece> = vec![piece(Look::Faint, lead)];
    if !node.joint.is_empty() {
        front.push(piece(Look::Faint, format!("{} ", node.joint)));
    }
    let sign = sign(node.standing);
    if !sign.is_empty() {
        front.push(piece(tone, format!("{sign} ")));
    }
    let through = match node.through.as_slice() {
        [] => String::new(),
        all => format!("  (through {})", all.join(", ")),
    };
    let used: usize = front.iter().map(|(_, text)| width(text)).sum();
    let room = page.width().saturating_sub(used);
    let label = if node.label.is_empty() { "(redirections alone)" } else { &node.label };
    let label = safe(&format!("{label}{through}"));
    let inner = format!("{below}{}", if node.children.is_empty() { "    " } else { "│   " });
    let hang = piece(Look::Faint, inner.clone());
    let rest = page.width().saturating_sub(width(&inner));
    let mut rows = fold(&label, room, rest);
    if rows.len() > LABEL_ROWS {
        rows = fold(&shorten(&label, room + rest * (LABEL_ROWS - 1) - 8), room, rest);
    }
    let mut begin = front;
    for row in rows {
        begin.push(piece(tone, row));
        page.line(begin);
        begin = vec![hang.clone()];
    }
    for remark in &node.remarks {
        let (mark, tone) = if remark.speaks { ("! ", Look::Ask) } else { ("  ", Look::Plain) };
        let front = vec![hang.clone(), piece(tone, mark)];
        page.flow(front, tone, &remark.text, &[hang.clone(), piece(Look::Plain, "  ")]);
    }
    nodes(page, &node.children, below);
}

/// The gates: what was silent and what was not asked any more in rows, what spoke on a line of its own.
fn gates(page: &mut Page, gates: &[GateRow]) {
    page.heading("Gates", "in order, the first that speaks decides; │ silent, ┆ not asked any more");
    let wide = GROUPS.iter().map(|group| group.len()).max().unwrap_or(0);
    let mut group = None;
    let mut rest = gates;
    while let Some((first, _)) = rest.split_first() {
        let caption =
            if group == Some(first.group) { "" } else { GROUPS.get(first.group).copied().unwrap_or("") };
        group = Some(first.group);
        let caption = piece(Look::Faint, format!(" {caption:<wide$}  "));
        let below = piece(Look::Plain, " ".repeat(wide + 3));
        if let Outcome::Spoke { decision, message, decided } = &first.outcome {
            let tone = look(*decision);
            let front = vec![
                piece(tone, if *decided { " =>" } else { " * " }),
                caption,
                piece(tone, format!("{}  {}: ", named(first), decision.as_str())),
            ];
            page.flow(front, tone, message, &[piece(Look::Plain, " ".repeat(wide + 8))]);
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        let silent = matches!(first.outcome, Outcome::Silent);
        let alike = |row: &&GateRow| {
            row.group == first.group
                && !matches!(row.outcome, Outcome::Spoke { .. })
                && matches!(row.outcome, Outcome::Silent) == silent
        };
        let run: Vec<String> = rest.iter().take_while(alike).map(named).collect();
        let rail = piece(Look::Faint, if silent { "  │" } else { "  ┆" });
        page.items(vec![rail.clone(), caption], Look::Faint, &run, &[rail, below]);
        rest = rest.get(run.len()..).unwrap_or_default();
    }
}

fn named(row: &GateRow) -> String {
    if row.number.is_empty() { row.name.to_owned() } else { format!("{} {}", row.number, row.name) }
}

fn changes(page: &mut Page, view: &View<'_>) {
    if view.changes.is_empty() && view.remark.is_none() {
        return;
    }
    page.heading("What would change the answer", "");
    for change in view.changes {
        let then = change.then.as_str();
        let front = vec![piece(look(change.then), format!("  {then:<9} ")), piece(Look::Plain, "")];
        let hang = piece(Look::Plain, " ".repeat(12));
        page.flow(front, Look::Plain, &change.sentence(), std::slice::from_ref(&hang));
        for line in change.shown_commands() {
            page.flow(
                vec![piece(Look::Faint, "    $ ")],
                Look::Faint,
                line,
                &[piece(Look::Plain, " ".repeat(8))],
            );
        }
    }
    if let Some(remark) = view.remark {
        page.flow(vec![piece(Look::Plain, "  ")], Look::Faint, remark, &[piece(Look::Plain, "  ")]);
    }
}

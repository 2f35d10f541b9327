//! The same picture as a page for a browser: one file, no outside resources, no script. Every text of the call is escaped
//! for HTML, and what cannot be seen is shown as an escape.

use portcullis_permissions::Decision;

use super::{
    cells::lines,
    columns::safe,
    marks::{Mark, MarkKind},
    picture::sign,
    tree::{Node, Standing},
    view::{Command, GROUPS, GateRow, Outcome, View},
};

/// Readable in dark and light; `color-scheme` gives the browser's own colours to what is not named here.
const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1f2328;--paper:#fff;--faint:#59636e;--line:#d1d9e0;--allow:#116329;--deny:#b3101a;--ask:#7d4e00}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0d1117;--faint:#9198a1;--line:#3d444d;--allow:#56d364;--deny:#ff7b72;--ask:#e3b341}}
body{margin:2rem auto;max-width:62rem;padding:0 1rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.4rem;border-left:.4rem solid;padding-left:.8rem}h2{font-size:1.05rem;margin:1.8rem 0 .5rem}
code,pre,.mono{font:14px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
.allow{color:var(--allow)}.deny{color:var(--deny)}.ask,.alwaysAsk{color:var(--ask)}.faint{color:var(--faint)}
.source{border:1px solid var(--line);border-radius:6px;padding:.6rem 0;margin:0}
.row{display:grid;grid-template-columns:3rem 1fr;white-space:pre-wrap}.row>b{font-weight:400;text-align:right;padding-right:.8rem;color:var(--faint);user-select:none}
.notes{margin:.1rem 0 .4rem 3rem;padding:0;list-style:none;font-size:14px}
mark{background:none;color:inherit;text-decoration:underline 2px}mark.rule,mark.error{color:var(--deny)}mark.reason{color:var(--ask)}
.escape{color:var(--faint);border:1px dotted var(--line)}
ul.tree,ul.tree ul{list-style:none;padding-left:1.3rem;border-left:1px solid var(--line)}ul.tree{margin:0}
ol.gates{list-style:none;padding:0;margin:0;columns:1}ol.gates li{white-space:pre-wrap;border-left:3px solid var(--line);padding-left:.8rem}
ol.gates li.decided{border-left-color:currentcolor;font-weight:600}ol.gates li.group{color:var(--faint);font-size:14px;padding-top:.4rem}
table{border-collapse:collapse}td{padding:.2rem .9rem .2rem 0;vertical-align:top}";

/// The whole page.
pub(super) fn draw(view: &View<'_>) -> String {
    let mut page = String::new();
    page.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    // Nothing is fetched and nothing runs, even if an escape were forgotten (CSP level 3, section 2).
    page.push_str("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.push_str(&format!(
        "<title>{}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n",
        text(&view.sentence)
    ));
    page.push_str(&format!("<h1 class=\"{}\">{}</h1>\n", view.decision.as_str(), text(&view.sentence)));
    if let Some((rule, reason)) = &view.rule {
        page.push_str(&format!("<p>by <code>{}</code></p>\n", text(rule)));
        if let Some(words) = reason {
            page.push_str(&format!("<p>{}</p>\n", text(words)));
        }
    }
    page.push_str(&format!("<p class=\"faint\">{}</p>\n", text(&view.surroundings)));
    if let Some(arguments) = &view.arguments {
        page.push_str(&format!("<h2>Call</h2>\n<pre class=\"source\"><span class=\"row\"><b></b><span>{} {}</span></span></pre>\n", text(view.tool), text(arguments)));
    }
    for command in &view.commands {
        source(&mut page, command);
        page.push_str("<h2>Parts</h2>\n");
        if command.tree.is_empty() {
            page.push_str("<p class=\"faint\">nothing in it is known to run</p>\n");
        } else {
            page.push_str("<ul class=\"tree mono\">\n");
            command.tree.iter().for_each(|node| tree(&mut page, node));
            page.push_str("</ul>\n");
        }
        if let Some(reach) = command.reach {
            page.push_str(&format!("<p class=\"allow\">{reach}</p>\n"));
        }
    }
    gates(&mut page, &view.gates);
    list(&mut page, "Rules that may match", view.possible.iter().map(String::as_str));
    list(&mut page, "Hidden from its reads", view.exclude.iter().map(String::as_str));
    list(&mut page, "Runs under", view.confinement.iter().map(String::as_str));
    changes(&mut page, view);
    page.push_str("</body>\n</html>\n");
    page
}

/// Text between tags or in an attribute in double quotes (HTML standard, section 13.1.2).
fn text(raw: &str) -> String {
    escaped(&safe(raw))
}

fn escaped(shown: &str) -> String {
    let mut done = String::with_capacity(shown.len());
    for character in shown.chars() {
        match character {
            '&' => done.push_str("&amp;"),
            '<' => done.push_str("&lt;"),
            '>' => done.push_str("&gt;"),
            '"' => done.push_str("&quot;"),
            '\'' => done.push_str("&#39;"),
            other => done.push(other),
        }
    }
    done
}

const fn class(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Rule => "rule",
        MarkKind::Error => "error",
        MarkKind::Reason => "reason",
    }
}

/// The command, line by line; the clauses of a line's marks stand below it.
fn source(page: &mut String, command: &Command<'_>) {
    page.push_str("<h2>Command</h2>\n<div class=\"source mono\">\n");
    let lines = lines(command.text);
    let numbered = lines.len() > 1;
    for line in &lines {
        let number = line.number.filter(|_| numbered).map(|number| number.to_string()).unwrap_or_default();
        page.push_str(&format!("<div class=\"row\"><b>{number}</b><span>"));
        let mut open: Option<MarkKind> = None;
        for cell in &line.cells {
            let over = |mark: &&Mark| {
                (mark.span.start as usize) < cell.bytes.end && cell.bytes.start < mark.span.end as usize
            };
            let kind = command.marks.iter().filter(over).map(|mark| mark.kind).min();
            if kind != open {
                page.push_str(if open.is_some() { "</mark>" } else { "" });
                if let Some(kind) = kind {
                    page.push_str(&format!("<mark class=\"{}\">", class(kind)));
                }
                open = kind;
            }
            let shown = escaped(&cell.shown);
            if cell.escaped {
                page.push_str(&format!("<span class=\"escape\">{shown}</span>"));
            } else {
                page.push_str(&shown);
            }
        }
        page.push_str(if open.is_some() { "</mark>" } else { "" });
        page.push_str("</span></div>\n");
        let start = line.cells.first().map_or(line.end, |cell| cell.bytes.start);
        let begins = |mark: &&Mark| (start..=line.end).contains(&(mark.span.start as usize));
        let here: Vec<&Mark> = command.marks.iter().filter(begins).collect();
        if !here.is_empty() {
            page.push_str("<ul class=\"notes\">\n");
            for mark in here {
                let words = mark.span.slice(command.text);
                let tone = if mark.kind == MarkKind::Reason { "ask" } else { "deny" };
                page.push_str(&format!(
                    "<li class=\"{tone}\"><code>{}</code> {}</li>\n",
                    text(words),
                    text(&mark.text)
                ));
            }
            page.push_str("</ul>\n");
        }
    }
    page.push_str("</div>\n");
}

fn tree(page: &mut String, node: &Node) {
    let tone = match node.standing {
        Standing::Construct => "",
        Standing::Reads | Standing::Covered => "allow",
        Standing::Speaks => "ask",
    };
    let label = if node.label.is_empty() { "(redirections alone)" } else { &node.label };
    let through = match node.through.as_slice() {
        [] => String::new(),
        all => format!(" <span class=\"faint\">(through {})</span>", text(&all.join(", "))),
    };
    page.push_str(&format!(
        "<li><span class=\"faint\">{}</span> <span class=\"{tone}\">{} {}</span>{through}",
        escaped(node.joint),
        sign(node.standing),
        text(label)
    ));
    if !node.remarks.is_empty() || !node.children.is_empty() {
        page.push_str("\n<ul>\n");
        for remark in &node.remarks {
            let (tone, sign) = if remark.speaks { ("ask", "! ") } else { ("", "") };
            page.push_str(&format!("<li class=\"{tone}\">{sign}{}</li>\n", text(&remark.text)));
        }
        node.children.iter().for_each(|child| tree(page, child));
        page.push_str("</ul>\n");
    }
    page.push_str("</li>\n");
}

fn gates(page: &mut String, gates: &[GateRow]) {
    page.push_str("<h2>Gates</h2>\n<ol class=\"gates mono\">\n");
    let mut group = None;
    for gate in gates {
        if group != Some(gate.group) {
            page.push_str(&format!(
                "<li class=\"group\">{}</li>\n",
                GROUPS.get(gate.group).copied().unwrap_or("")
            ));
            group = Some(gate.group);
        }
        let name = format!("{:>3} {}", gate.number, gate.name);
        match &gate.outcome {
            Outcome::Silent => {
                page.push_str(&format!("<li>{name} <span class=\"faint\">silent</span></li>\n"));
            }
            Outcome::NotAsked => page.push_str(&format!("<li class=\"faint\">{name} not asked</li>\n")),
            Outcome::Spoke { decision, message, decided } => {
                let decided = if *decided { " decided" } else { "" };
                let decision = decision.as_str();
                page.push_str(&format!(
                    "<li class=\"{decision}{decided}\">{name} {decision}: {}</li>\n",
                    text(message)
                ));
            }
        }
    }
    page.push_str("</ol>\n");
}

fn list<'a>(page: &mut String, heading: &str, items: impl Iterator<Item = &'a str>) {
    let items: Vec<String> = items.map(|item| format!("<code>{}</code>", text(item))).collect();
    if !items.is_empty() {
        page.push_str(&format!("<h2>{heading}</h2>\n<p>{}</p>\n", items.join(" &nbsp; ")));
    }
}

fn changes(page: &mut String, view: &View<'_>) {
    if view.changes.is_empty() && view.remark.is_none() {
        return;
    }
    page.push_str("<h2>What would change the answer</h2>\n<table>\n");
    for change in view.changes {
        let then: Decision = change.then;
        let commands: String = change
            .shown_commands()
            .map(|line| format!("<br><code class=\"faint\">{}</code>", text(line)))
            .collect();
        page.push_str(&format!(
            "<tr><td class=\"{0}\">{0}</td><td>{1}{commands}</td></tr>\n",
            then.as_str(),
            text(&change.sentence())
        ));
    }
    page.push_str("</table>\n");
    if let Some(remark) = view.remark {
        page.push_str(&format!("<p class=\"faint\">{}</p>\n", text(remark)));
    }
}

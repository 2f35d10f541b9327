//! A command as a tree: what its text is built of, and in it the parts that run, each with its effects.

use std::cmp::Reverse;

use portcullis_permissions::describe_effect;
use portcullis_shell_analysis::{
    Analysis, Invocation, Span, Value, join_words, parse,
    tree::{AndOr, Command, CommandKind, List, Pipeline, Script},
};

use super::marks::Asked;

/// A node: a part that runs, or a construct around parts.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// What joins it to what stands before it: `&&`, `|`.
    pub(super) joint: &'static str,
    /// The words after expansion, or the construct.
    pub(super) label: String,
    pub(super) standing: Standing,
    /// The programs around it that are no node of their own.
    pub(super) through: Vec<String>,
    pub(super) remarks: Vec<Remark>,
    pub(super) children: Vec<Node>,
}

/// How a node stands to being automatic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Standing {
    /// No program: a construct.
    #[default]
    Construct,
    /// It only reads, within the roots.
    Reads,
    /// An allow rule covers it.
    Covered,
    /// It keeps the whole from being automatic.
    Speaks,
}

/// A line below a node.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Remark {
    pub(super) text: String,
    /// It speaks against an automatic answer.
    pub(super) speaks: bool,
}

/// The trees of a command, in order.
pub(super) fn of(asked: &Asked<'_>, text: &str, analysis: &Analysis) -> Vec<Node> {
    let script = parse(text).unwrap_or_else(|error| error.complete);
    let mut slots = slots(text, &script);
    let mut loose = Vec::new();
    for invocation in in_order(analysis) {
        match deepest(&mut slots, invocation.span) {
            Some(slot) => slot.runs.push(invocation),
            None => loose.push(invocation),
        }
    }
    let mut nodes: Vec<Node> = slots.into_iter().map(|slot| slot.node(asked, text, analysis)).collect();
    nodes.extend(nested(asked, text, analysis, &loose));
    nodes
}

/// Outer ones before inner ones: by place, then length, then how many programs they run through.
fn in_order(analysis: &Analysis) -> Vec<&Invocation> {
    let mut all: Vec<&Invocation> = analysis.invocations.iter().collect();
    all.sort_by_key(|one| (one.span.start, Reverse(one.span.end), one.launchers.len()));
    all
}

/// A command of the text, before the parts that run are put into it.
struct Slot<'a> {
    joint: &'static str,
    /// Of a construct; of a simple command it is what runs.
    construct: Option<String>,
    span: Span,
    inner: Vec<Slot<'a>>,
    runs: Vec<&'a Invocation>,
}

fn slots<'a>(text: &str, script: &Script) -> Vec<Slot<'a>> {
    let mut slots = Vec::new();
    list(text, &script.list, "", &mut slots);
    slots
}

/// `joint`: what stands before the first of them.
fn list(text: &str, list: &List, joint: &'static str, slots: &mut Vec<Slot<'_>>) {
    for (index, item) in list.items.iter().enumerate() {
        pipeline(text, &item.first, if index == 0 { joint } else { "" }, slots);
        for (joint, next) in &item.rest {
            let joint = match joint {
                AndOr::And => "&&",
                AndOr::Or => "||",
            };
            pipeline(text, next, joint, slots);
        }
    }
}

fn pipeline(text: &str, pipeline: &Pipeline, joint: &'static str, slots: &mut Vec<Slot<'_>>) {
    let mut joint = joint;
    for (index, one) in pipeline.commands.iter().enumerate() {
        slots.push(slot(text, one, joint));
        joint = if pipeline.pipes_stderr.get(index) == Some(&true) { "|&" } else { "|" };
    }
}

fn slot<'a>(text: &str, command: &Command, joint: &'static str) -> Slot<'a> {
    let mut inner = Vec::new();
    let mut add = |body: &List, joint: &'static str| list(text, body, joint, &mut inner);
    let construct = match &command.kind {
        CommandKind::Simple(_) => None,
        CommandKind::Subshell(body) => {
            add(body, "");
            Some("( … ) in a shell of its own".to_owned())
        }
        CommandKind::Group(body) => {
            add(body, "");
            Some("{ … }".to_owned())
        }
        CommandKind::If { branches, otherwise } => {
            for (index, (condition, body)) in branches.iter().enumerate() {
                add(condition, if index == 0 { "" } else { "elif" });
                add(body, "then");
            }
            otherwise.iter().for_each(|body| add(body, "else"));
            Some("if".to_owned())
        }
        CommandKind::Loop { until, condition, body } => {
            add(condition, "");
            add(body, "do");
            Some(if *until { "until" } else { "while" }.to_owned())
        }
        CommandKind::For { name, words, body, select } => {
            add(body, "");
            let shown = words.as_ref().map(|words| {
                let span = words.iter().map(|word| word.span).reduce(Span::to).unwrap_or_default();
                format!(" in {}", span.slice(text))
            });
            let keyword = if *select { "select" } else { "for" };
            Some(format!("{keyword} {name}{}", shown.unwrap_or_default()))
        }
        CommandKind::ArithmeticFor { body, .. } => {
            add(body, "");
            Some("for ((…))".to_owned())
        }
        CommandKind::Case { subject, clauses } => {
            clauses.iter().for_each(|(_, body)| add(body, ""));
            Some(format!("case {}", subject.span.slice(text)))
        }
        CommandKind::Function { name, body } => {
            inner.push(slot(text, body, ""));
            Some(format!("function {name}"))
        }
        CommandKind::Coproc { body, .. } => {
            inner.push(slot(text, body, ""));
            Some("coproc".to_owned())
        }
        _ => Some(command.span.slice(text).to_owned()),
    };
    Slot { joint, construct, span: command.span, inner, runs: Vec::new() }
}

/// The innermost command that holds these bytes.
fn deepest<'s, 'a>(slots: &'s mut [Slot<'a>], span: Span) -> Option<&'s mut Slot<'a>> {
    let slot = slots.iter_mut().find(|slot| within(span, slot.span))?;
    if slot.inner.iter().any(|inner| within(span, inner.span)) {
        return deepest(&mut slot.inner, span);
    }
    Some(slot)
}

const fn within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

impl Slot<'_> {
    fn node(self, asked: &Asked<'_>, text: &str, analysis: &Analysis) -> Node {
        let mut children = nested(asked, text, analysis, &self.runs);
        let inner: Vec<Node> = self.inner.into_iter().map(|slot| slot.node(asked, text, analysis)).collect();
        if let Some(label) = self.construct {
            // Redirections of a construct belong to a part without words.
            let (bare, mut others): (Vec<Node>, Vec<Node>) =
                children.into_iter().partition(|node| node.label.is_empty() && node.children.is_empty());
            let remarks = bare.into_iter().flat_map(|node| node.remarks).collect();
            others.extend(inner);
            return Node { joint: self.joint, label, remarks, children: others, ..Node::default() };
        }
        if children.len() == 1
            && let Some(only) = children.pop()
        {
            return Node { joint: self.joint, ..only };
        }
        let label = self.span.slice(text).to_owned();
        Node { joint: self.joint, label, children, ..Node::default() }
    }
}

/// Parts in parts: what a substitution or a launcher runs stands below the one around it.
fn nested(asked: &Asked<'_>, text: &str, analysis: &Analysis, runs: &[&Invocation]) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut rest = runs;
    while let Some((first, behind)) = rest.split_first() {
        let below = behind.iter().take_while(|one| is_below(one, first)).count();
        let (inner, others) = behind.split_at_checked(below).unwrap_or((behind, &[]));
        let mut node = part(asked, text, analysis, first);
        node.children = nested(asked, text, analysis, inner);
        // A program that the node around it names already needs no word about how it is reached.
        for child in &mut node.children {
            child.through.clear();
        }
        if !nodes.iter().any(|other| same(other, &node)) {
            nodes.push(node);
        }
        rest = others;
    }
    nodes
}

/// A command that loops or is called twice is planned twice; what is the same is shown once.
fn same(left: &Node, right: &Node) -> bool {
    left.label == right.label
        && left.standing == right.standing
        && left.remarks == right.remarks
        && left.children.len() == right.children.len()
        && left.children.iter().zip(&right.children).all(|(left, right)| same(left, right))
}

fn is_below(inner: &Invocation, outer: &Invocation) -> bool {
    let smaller = inner.span != outer.span || inner.launchers.len() > outer.launchers.len();
    within(inner.span, outer.span) && smaller
}

fn part(asked: &Asked<'_>, text: &str, analysis: &Analysis, invocation: &Invocation) -> Node {
    let known: Option<Vec<&str>> = invocation.words.iter().map(|word| word.value.known()).collect();
    let label = match known {
        // Nothing but redirections or assignments.
        Some(words) if words.is_empty() && invocation.assignments.is_empty() => String::new(),
        Some(words) if !words.is_empty() => join_words(&words),
        // The text there is that of the program around it.
        _ if !invocation.launchers.is_empty() => {
            let words = invocation.words.iter();
            words
                .map(|word| word.value.known().map_or("…".to_owned(), |word| join_words(&[word])))
                .collect::<Vec<_>>()
                .join(" ")
        }
        _ => invocation.span.slice(text).to_owned(),
    };
    let covered = asked.covered_by(text, invocation);
    let standing = match (&covered, invocation.read_only) {
        (_, true) => Standing::Reads,
        (Some(_), false) => Standing::Covered,
        (None, false) => Standing::Speaks,
    };
    let mut remarks: Vec<Remark> = Vec::new();
    let mut add = |text: String, speaks: bool| {
        if !remarks.iter().any(|remark| remark.text == text) {
            remarks.push(Remark { text, speaks });
        }
    };
    let uncovered = standing == Standing::Speaks;
    let against = |span: Span| uncovered && analysis.blockers.iter().any(|blocker| blocker.span == span);
    for assignment in invocation.assignments.iter().filter(|assignment| !assignment.harmless) {
        let value = match &assignment.value {
            Value::Known(value) => value.to_string(),
            _ => "a value that is not known".to_owned(),
        };
        add(format!("sets {} to {value}", assignment.name), against(assignment.span));
    }
    for effect in &invocation.effects {
        add(describe_effect(&effect.kind), against(effect.span));
    }
    if !invocation.specified && !invocation.words.is_empty() {
        add("what it does with these words is not known".to_owned(), uncovered);
    }
    if let Some((rule, source)) = covered {
        let place = super::view::place(&source);
        add(format!("covered by the allow rule {rule} ({place})"), false);
    }
    let through = invocation.launchers.iter().map(|launcher| launcher.name.to_string()).collect();
    Node { joint: "", label, standing, through, remarks, children: Vec::new() }
}

//! `export`, `declare` and their kin: builtins whose arguments are assignments.

use super::{
    Call, Context, Flow, Planner, State,
    arithmetic::may_hide,
    braces,
    state::is_integer,
    variables,
    words::{Place, argument, is_name},
};
use crate::{
    Argument, Assignment, EffectKind, Shell, Span, Value, programs,
    tree::{AssignValue, Few, Simple, Word, WordPart},
};

/// The most bytes of values that are kept for what is started later.
const MAX_EXPORTED: usize = 1 << 14;

pub(crate) const NAMES: &[&str] = &["export", "declare", "typeset", "local", "readonly"];

impl Planner<'_> {
    /// Assignment arguments are neither split nor globbed, and keep their name when the value is unknown.
    pub(crate) fn declaration_words(
        &mut self,
        state: &mut State,
        cx: &Context,
        simple: &Simple,
    ) -> Vec<Argument> {
        let mut out = Vec::with_capacity(simple.words.len());
        for word in &simple.words {
            let span = cx.span(word.span);
            if let [WordPart::Assignment(assign)] = word.parts.as_slice() {
                self.assign_value(state, cx, assign);
                // Whatever becomes of it: what follows such an argument is not relied on.
                state.forget(&assign.name);
                if matches!(assign.value, AssignValue::Array(_)) || assign.subscript.is_some() {
                    self.arrays.insert(assign.name.clone());
                }
                self.variable_changed(cx, &assign.name, span);
                let value = match assign.value {
                    AssignValue::Array(_) => unknown_value(&format!("{}=(", assign.name)),
                    AssignValue::Scalar(_) => Value::Unknown,
                };
                out.push(argument(value, false, span));
                continue;
            }
            // Braces come first: `declare x={a,b}` is `declare x=a x=b`, whatever a plain assignment does.
            let plain = assignment_word(word).filter(|_| !braces::has_braces(&word.parts));
            let Some((name, rest)) = plain else {
                out.append(&mut self.arguments(state, cx, std::slice::from_ref(word)));
                continue;
            };
            let value = self.single(state, cx, &rest, Place::Assignment);
            let split = self.shell != Shell::Bash && rest.parts.iter().any(expands);
            match value {
                // Some shells split it, as words of other commands (dash(1) before 0.5.11).
                Value::Known(text) if split && text.contains([' ', '\t', '\n']) => {
                    out.push(argument(Value::Unknown, true, span));
                }
                Value::Known(text) => {
                    out.push(argument(Value::Known(format!("{name}={text}").into()), false, span));
                }
                value => {
                    // The builtin sees `name=` and forgets the value.
                    let _ = value;
                    if split {
                        state.forget_all();
                    }
                    out.push(argument(unknown_value(&format!("{name}=")), false, span));
                }
            }
        }
        out
    }

    /// A function that is walked has declared it as its own.
    fn is_local(&self, name: &str) -> bool {
        self.locals.iter().flatten().any(|(local, _)| local == name)
    }

    pub(crate) fn declare(&mut self, state: &mut State, cx: &Context, program: &str, mut call: Call) -> Flow {
        let mut exported = program == "export";
        let mut local = matches!(program, "declare" | "typeset" | "local");
        // Outside a function nothing is set, and with `-g` not what a function has declared as its own.
        let nowhere = program == "local" && !cx.reach.function;
        let mut global = false;
        let mut frozen = program == "readonly";
        let mut printing = true;
        let mut prints = false;
        let mut array = false;
        let mut changes = None;
        let mut options = true;
        for word in call.words.iter().skip(1) {
            let text = match &word.value {
                Value::Known(text) => &**text,
                Value::Glob(pattern) if pattern.prefix.ends_with('=') => pattern.prefix.as_str(),
                // Its elements are planned already.
                Value::Glob(pattern) if pattern.prefix.ends_with("=(") => {
                    changes = Some(word.span);
                    continue;
                }
                value => {
                    if may_hide(value) {
                        self.make_opaque(
                            word.span,
                            format!("`{program}` may evaluate a value that is not known"),
                        );
                    }
                    changes = Some(word.span);
                    continue;
                }
            };
            if options && text == "--" {
                options = false;
                continue;
            }
            if options && (text.starts_with('-') || text.starts_with('+')) && text.len() > 1 {
                exported |= text.contains('x');
                frozen |= text.starts_with('-') && text.contains('r');
                local &= !text.contains('g');
                global |= text.contains('g');
                prints |= text.starts_with('-') && text.contains('p');
                array |= text.contains(['a', 'A']);
                if !is_plain(program, text) {
                    changes = Some(word.span);
                }
                if makes_assignments_run(text) {
                    self.make_opaque(
                        word.span,
                        format!("what is assigned behind `{program} {text}` may be evaluated"),
                    );
                }
                continue;
            }
            options = false;
            printing = false;
            let (name, value) = match text.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (text, None),
            };
            if !is_name(name) {
                if text.contains(['$', '`']) {
                    self.make_opaque(word.span, format!("`{program}` evaluates a subscript"));
                }
                changes = Some(word.span);
                continue;
            }
            if array {
                self.arrays.insert(name.into());
            }
            if let Some(locals) = self.locals.last_mut().filter(|_| local) {
                // In a loop it is met again and again.
                let same =
                    |(own, outside): &(String, State)| own == name && outside.get(name) == state.get(name);
                if !locals.iter().any(same) {
                    locals.push((name.to_owned(), state.clone()));
                }
            }
            let known = matches!(word.value, Value::Known(_));
            let known_value = value.filter(|_| known);
            // Without a value it keeps the one that it has.
            let given = if value.is_some() { known_value } else { Some("") };
            let harmless = if exported {
                variables::harmless_exported(name, given)
            } else {
                variables::harmless_local(name, given)
            };
            if exported && !harmless {
                self.given.insert(name.into());
                let own = state.get(name).map(|binding| binding.value.clone());
                self.export(known_value.map(|text| Value::Known(text.into())).or(own).as_ref());
            }
            // `declare -a x='($(rm y))'`: what the value of an array holds in parentheses is read as words once more
            // (seen in bash 5.2).
            if value.is_some_and(|value| value.starts_with('(') || !known && self.is_array(name)) {
                self.make_opaque(word.span, format!("`{program}` reads the value of an array as words"));
            }
            if variables::evaluates(name) && value.is_some() && !known_value.is_some_and(is_integer) {
                self.make_opaque(word.span, format!("`{name}` evaluates its value"));
            }
            if value.is_some() || program == "local" || local && cx.reach.function {
                // An array of one kind cannot become one of the other.
                let hidden = nowhere
                    || prints
                    || global && self.is_local(name)
                    || array && value.is_some() && state.get(name).is_some();
                let before = hidden.then(|| state.clone());
                state.set(name, known_value.map_or(Value::Unknown, |text| Value::Known(text.into())), false);
                if let Some(before) = before {
                    state.join_variable(name, &before);
                }
                if value.is_none() && self.shell != Shell::Bash {
                    // In some shells it has the value that it had outside (dash(1)).
                    state.uncover(name);
                }
            } else if array {
                state.forget(name);
            }
            if frozen {
                state.freeze(name);
            }
            call.assignments.push(Assignment {
                name: name.into(),
                value: known_value.map_or(Value::Unknown, |text| Value::Known(text.into())),
                harmless,
                span: word.span,
            });
        }
        let changed = call.assignments.iter().find(|assignment| variables::changes_meaning(&assignment.name));
        let changed = changed.map(|assignment| (assignment.name.clone(), assignment.span));
        let span = call.span;
        if printing || prints {
            self.pend(EffectKind::Environment, span);
        }
        if let Some(at) = changes {
            self.pend(EffectKind::Opaque(format!("`{program}` may set anything here").into()), at);
        }
        self.emit_as(state, cx, call, programs::Known::Nothing);
        if let Some(at) = changes {
            self.change_meaning(at, format!("`{program}` may change what follows"));
            state.forget_all();
        }
        if let Some((name, at)) = changed {
            self.change_meaning(at, format!("`{name}` changes what follows"));
        }
        Flow::default()
    }

    /// A program that runs code may find the value there: `export x='rm y'; make -f - <<< 'a:;$(x)'`.
    pub(super) fn export(&mut self, value: Option<&Value>) {
        for text in value.into_iter().flat_map(|value| value.candidates().unwrap_or_default()) {
            self.exported.push_str(text);
            self.exported.push(' ');
        }
        if self.exported.len() > MAX_EXPORTED {
            self.make_opaque(Span::default(), super::TOO_MANY);
            self.exported.clear();
        }
    }

    /// Whether the variable may be an array: the text makes it one, or bash does (bash manual 5.2).
    fn is_array(&self, name: &str) -> bool {
        const BUILT_IN: &[&str] =
            &["COMPREPLY", "COPROC", "DIRSTACK", "FUNCNAME", "GROUPS", "MAPFILE", "PIPESTATUS", "COMP_WORDS"];
        BUILT_IN.contains(&name) || name.starts_with("BASH_") || self.arrays.contains(name)
    }
}

/// Text that begins like this.
fn unknown_value(prefix: &str) -> Value {
    Value::Glob(crate::GlobPattern { pattern: format!("{prefix}*").into(), prefix: prefix.into() }.into())
}

/// Whether an option does no more than mark variables. With others the builtin fails (`export -r`), takes its words for
/// something else (`-f`, `-n`), or gives other values (`-i`, `-l`, `-u`, `-c`).
fn is_plain(program: &str, option: &str) -> bool {
    let flags = option.get(1..).unwrap_or_default();
    match (program, option.starts_with('-')) {
        ("export" | "readonly", true) => flags.chars().all(|flag| matches!(flag, 'a' | 'A' | 'p')),
        (_, true) => flags.chars().all(|flag| matches!(flag, 'x' | 'r' | 'g' | 'p' | 'a' | 'A')),
        (_, false) => flags == "x" && !matches!(program, "export" | "readonly"),
    }
}

/// Whether assignments that follow may run code: what integers are given is an expression, and the name that a reference
/// is given may have a subscript (bash manual 4.2, `declare -i` and `-n`).
fn makes_assignments_run(option: &str) -> bool {
    option.starts_with('-') && option.contains(['i', 'n'])
}

/// Unquoted, so that its value is split where words are.
fn expands(part: &WordPart) -> bool {
    matches!(part, WordPart::Parameter(_) | WordPart::Command(_) | WordPart::Arithmetic(_))
}

/// `name=rest` when the name and the `=` are unquoted literal text.
fn assignment_word(word: &Word) -> Option<(&str, Word)> {
    let Some(WordPart::Literal(text)) = word.parts.first() else { return None };
    let (name, rest) = text.split_once('=')?;
    if !is_name(name) {
        return None;
    }
    let mut parts = Few::default();
    if !rest.is_empty() {
        parts.push(WordPart::Literal(text.part(rest)));
    }
    word.parts.iter().skip(1).cloned().for_each(|part| parts.push(part));
    Some((name, Word { parts, span: word.span }))
}

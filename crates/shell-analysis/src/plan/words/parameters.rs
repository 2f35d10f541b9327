//! Parameters and variables in words (bash manual 3.5.3).

use super::{Context, Fragment, MAX_VALUES, Place, Planner, State, from_value, is_name, literal_text};
use crate::{
    Directories, EffectKind, Value,
    plan::state::is_integer,
    tree::{Parameter, ParameterOperator, WordPart},
};

impl Planner<'_> {
    pub(super) fn parameter(
        &mut self,
        state: &mut State,
        cx: &Context,
        parameter: &Parameter,
        quoted: bool,
    ) -> Fragment {
        let span = cx.span(parameter.span);
        let mut each = matches!(parameter.name.as_str(), "@" | "*")
            || matches!(parameter.operator, Some(ParameterOperator::Names));
        if let Some(subscript) = &parameter.subscript {
            let text = literal_text(&subscript.parts);
            if matches!(text.as_deref(), Some("@" | "*")) {
                // `"${a[@]}"`: as many words as there are elements.
                each = true;
            } else {
                if subscript.parts.is_empty() {
                    // A bad substitution.
                    self.line_may_end(state);
                }
                self.arithmetic(state, cx, subscript);
            }
        }
        let unknown = Fragment::Unknown { splits: !quoted || each };
        if parameter.indirect && !matches!(parameter.operator, Some(ParameterOperator::Names)) {
            // A number is a name of a parameter too; a name is not evaluated.
            if self.untold(state, &parameter.name) && !self.names(state, &parameter.name) {
                self.make_opaque(span, "`${!name}` evaluates a value that is not known");
            }
            self.hazard("`${!name}` expands a name that is not known", span);
            self.line_may_end(state);
        }
        let (value, integer) = self.variable(state, &parameter.name);
        match &parameter.operator {
            // These only tell whether it is set; its length tells as little.
            Some(ParameterOperator::Alternate(_)) => {}
            Some(ParameterOperator::Names) => self.pend(EffectKind::Environment, span),
            _ if parameter.length => {}
            operator => {
                let whole = matches!(
                    operator,
                    None | Some(
                        ParameterOperator::Default(_)
                            | ParameterOperator::Assign(_)
                            | ParameterOperator::Error(_)
                    )
                );
                self.shows_variable(state, &parameter.name, whole, span);
            }
        }
        match &parameter.operator {
            None => {}
            Some(ParameterOperator::Default(word)) => {
                self.single(state, cx, word, Place::Single);
                let set = value.known().is_some_and(|text| !text.is_empty());
                if !set {
                    return unknown;
                }
            }
            Some(ParameterOperator::Assign(word)) => {
                let noted = self.pending.len();
                self.single(state, cx, word, Place::Assignment);
                self.goes_elsewhere(noted);
                // Nor to all elements at once.
                let element = parameter.subscript.is_some();
                if element || state.is_frozen(&parameter.name) || !is_name(&parameter.name) {
                    self.line_may_end(state);
                }
                state.forget(&parameter.name);
                self.variable_changed(cx, &parameter.name, span);
                return unknown;
            }
            Some(ParameterOperator::Error(word)) => {
                let noted = self.pending.len();
                self.single(state, cx, word, Place::Single);
                self.goes_elsewhere(noted);
                return unknown;
            }
            Some(ParameterOperator::Alternate(word)) => {
                self.single(state, cx, word, Place::Single);
                return unknown;
            }
            // Bash reads these, and calls them bad substitutions.
            Some(ParameterOperator::Case(word)) if matches!(parameter.name.as_str(), "?" | "-") => {
                self.single(state, cx, word, Place::Single);
                self.line_may_end(state);
                return unknown;
            }
            Some(
                ParameterOperator::Remove(word)
                | ParameterOperator::Case(word)
                | ParameterOperator::Replace(word, None),
            ) => {
                self.single(state, cx, word, Place::Single);
                return unknown;
            }
            Some(ParameterOperator::Replace(pattern, Some(with))) => {
                self.single(state, cx, pattern, Place::Single);
                self.single(state, cx, with, Place::Single);
                return unknown;
            }
            Some(ParameterOperator::Substring(offset, length)) => {
                self.arithmetic(state, cx, offset);
                // `${v:}` is a bad substitution; in `${v:$?:1}` bash takes `?` and `:` for those of a choice.
                let status =
                    |part: &WordPart| matches!(part, WordPart::Parameter(inner) if inner.name == "?");
                if offset.parts.is_empty() || offset.parts.iter().any(status) {
                    self.line_may_end(state);
                }
                if let Some(length) = length {
                    self.arithmetic(state, cx, length);
                    // Before the offset.
                    let counted =
                        |text: std::borrow::Cow<'_, str>| text.bytes().all(|byte| byte.is_ascii_digit());
                    if !literal_text(&length.parts).is_some_and(counted) {
                        self.line_may_end(state);
                    }
                }
                return unknown;
            }
            Some(ParameterOperator::Transform(operator)) => {
                if *operator == 'P' {
                    if self.untold(state, &parameter.name) {
                        self.make_opaque(span, "`${name@P}` expands a value that is not known");
                    }
                    self.hazard("`${name@P}` expands a value as a prompt, which can run code", span);
                }
                return unknown;
            }
            Some(ParameterOperator::Names) => {
                if !is_name(&parameter.name) {
                    self.line_may_end(state);
                }
                return unknown;
            }
            Some(ParameterOperator::Other(word)) => {
                self.single(state, cx, word, Place::Single);
                self.make_opaque(span, "an expansion of a form that is not followed");
                return unknown;
            }
        }
        if parameter.length {
            return Fragment::Unknown { splits: false };
        }
        if parameter.indirect || parameter.subscript.is_some() {
            return unknown;
        }
        // A number is one word, whatever it is.
        let number = integer && !self.may_be_blank(state, &parameter.name);
        let splits = !number && !quoted || matches!(parameter.name.as_str(), "@" | "*");
        from_value(value, splits)
    }

    /// Whether what counts as an integer may be nothing: `$!` before anything ran in the background, and what only bash
    /// sets (bash manual 3.4.2 and 5.2, dash(1)).
    pub(crate) fn may_be_blank(&self, state: &State, name: &str) -> bool {
        const BASH_ALONE: &[&str] =
            &["UID", "EUID", "RANDOM", "SRANDOM", "SECONDS", "EPOCHSECONDS", "EPOCHREALTIME"];
        name == "!"
            || state.may_be_blank(name)
            || self.shell != crate::Shell::Bash && BASH_ALONE.contains(&name)
    }

    /// Whether all values of a variable are names.
    fn names(&self, state: &State, name: &str) -> bool {
        let (value, _) = self.variable(state, name);
        value.candidates().is_some_and(|texts| texts.iter().all(|text| is_name(text)))
    }

    /// A variable's value and whether it is provably an integer.
    pub(crate) fn variable(&self, state: &State, name: &str) -> (Value, bool) {
        if let Some(binding) = state.get(name) {
            return (binding.value.clone(), binding.integer);
        }
        match name {
            "?" | "#" | "$" | "!" | "PPID" | "UID" | "EUID" => (Value::Unknown, true),
            "RANDOM" | "SRANDOM" | "LINENO" | "SECONDS" | "EPOCHSECONDS" => (Value::Unknown, true),
            "HOME" if !state.forgotten() => {
                (self.settings.home.map_or(Value::Unknown, |home| Value::Known(home.into())), false)
            }
            "PWD" if !state.forgotten() => match &state.directories {
                Directories::Known(all) => match &**all {
                    [one] => (Value::Known(one.as_str().into()), false),
                    many if many.len() <= MAX_VALUES => {
                        (Value::OneOf(many.iter().map(|one| one.as_str().into()).collect()), false)
                    }
                    _ => (Value::Unknown, false),
                },
                Directories::Unknown => (Value::Unknown, false),
            },
            _ if !state.forgotten() => self.inherited(name),
            _ => (Value::Unknown, false),
        }
    }

    /// A variable that the caller knows of.
    fn inherited(&self, name: &str) -> (Value, bool) {
        let mut known = self.settings.environment.iter();
        match known.find(|(known, _)| known == name) {
            Some((_, value)) => (Value::Known(value.as_str().into()), is_integer(value)),
            None => (Value::Unknown, false),
        }
    }
}

//! What the plan knows at one point of the text: variables and working directories.

use std::{rc::Rc, sync::Arc};

use crate::{Directories, Text, Value, name_set::NameSet};

/// The most values a variable may have before it counts as unknown.
pub(crate) const MAX_VALUES: usize = 64;

/// Variables that are read-only in every shell (bash manual 5.2).
static READ_ONLY: NameSet = NameSet::new(&["BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID"]);

/// Variables that have other values than those that they are set to (bash manual 5.2).
static DYNAMIC: NameSet = NameSet::new(&[
    "_",
    "BASHPID",
    "BASH_ARGV0",
    "BASH_COMMAND",
    "BASH_SUBSHELL",
    "COLUMNS",
    "DIRSTACK",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "HISTCMD",
    "LINENO",
    "LINES",
    "PIPESTATUS",
    "PPID",
    "RANDOM",
    "SECONDS",
    "SRANDOM",
    "UID",
]);

/// A variable that the text has set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Binding {
    pub(crate) name: Text,
    pub(crate) value: Value,
    /// Provably an integer, so that arithmetic may evaluate it.
    pub(crate) integer: bool,
    /// As an integer it may be nothing instead, and stand between blanks.
    pub(crate) blank: bool,
    /// It may still have what the environment gave.
    pub(crate) inherited: bool,
    /// It may be read-only: then it keeps its value whatever sets it.
    pub(crate) frozen: bool,
}

/// Variables and working directories; cloned where control flow forks.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Shared with the states that this one was copied from, until one of them changes.
    bindings: Option<Rc<Vec<Binding>>>,
    /// Every variable may have changed, `HOME` and `PWD` too.
    forgotten: bool,
    pub(crate) directories: Directories,
}

impl State {
    pub(crate) fn new(directories: Directories) -> Self {
        Self { bindings: None, forgotten: false, directories }
    }

    /// What the text set `name` to, if it did.
    pub(crate) fn get(&self, name: &str) -> Option<&Binding> {
        self.bindings().iter().find(|binding| *binding.name == *name)
    }

    /// Setting it may be an error.
    pub(crate) fn is_frozen(&self, name: &str) -> bool {
        READ_ONLY.contains(name) || self.get(name).is_some_and(|binding| binding.frozen)
    }

    fn bindings(&self) -> &[Binding] {
        self.bindings.as_deref().map(Vec::as_slice).unwrap_or_default()
    }

    fn bindings_mut(&mut self) -> &mut Vec<Binding> {
        Rc::make_mut(self.bindings.get_or_insert_default())
    }

    pub(crate) fn forgotten(&self) -> bool {
        self.forgotten
    }

    /// The text sets it.
    pub(crate) fn set(&mut self, name: &str, value: Value, integer: bool) {
        self.bind(name, value, integer, false);
    }

    /// The same, for a name that is shared.
    pub(crate) fn set_shared(&mut self, name: &Text, value: Value, integer: bool) {
        self.bind_as(name, || name.clone(), value, integer, false);
    }

    /// The text sets it to a number that a program prints, or to nothing where that fails.
    pub(crate) fn set_count(&mut self, name: &str) {
        self.set(name, Value::Unknown, true);
        self.mark_blank(name);
    }

    /// Whether what counts as an integer may be nothing.
    pub(crate) fn may_be_blank(&self, name: &str) -> bool {
        self.get(name).is_some_and(|binding| binding.blank)
    }

    fn mark_blank(&mut self, name: &str) {
        if let Some(binding) = self.bindings_mut().iter_mut().find(|binding| *binding.name == *name) {
            binding.blank = true;
        }
    }

    fn bind(&mut self, name: &str, value: Value, integer: bool, inherited: bool) {
        self.bind_as(name, || named(name), value, integer, inherited);
    }

    fn bind_as(
        &mut self,
        name: &str,
        text: impl FnOnce() -> Text,
        value: Value,
        integer: bool,
        inherited: bool,
    ) {
        let dynamic = DYNAMIC.contains(name);
        let value = if dynamic { Value::Unknown } else { value };
        let integer = integer && !dynamic || value.known().is_some_and(is_integer);
        if let Some(at) = self.bindings().iter().position(|binding| *binding.name == *name) {
            if let Some(binding) = self.bindings_mut().get_mut(at) {
                let kept = binding.frozen && binding.value != value;
                binding.value = if kept { Value::Unknown } else { value };
                binding.integer = integer && (!kept || binding.integer);
                binding.blank &= kept;
                binding.inherited = inherited || binding.frozen && binding.inherited;
            }
        } else if self.bindings().len() < 256 {
            // Very many variables would cost quadratic time here; beyond the bound they are unknown.
            let name = text();
            self.bindings_mut().push(Binding {
                name,
                value,
                integer,
                blank: false,
                inherited,
                frozen: false,
            });
        }
    }

    /// It is read-only from here on, if the shell does what the text says.
    pub(crate) fn freeze(&mut self, name: &str) {
        if self.get(name).is_none() {
            self.forget(name);
        }
        if let Some(binding) = self.bindings_mut().iter_mut().find(|binding| *binding.name == *name) {
            binding.frozen = true;
        } else {
            // Beyond the bound on variables nothing is remembered of it.
            self.forget_all();
        }
    }

    /// It may have what the environment gave again.
    pub(crate) fn uncover(&mut self, name: &str) {
        self.bind(name, Value::Unknown, false, true);
    }

    /// It may have been set, or changed.
    pub(crate) fn forget(&mut self, name: &str) {
        self.forget_value(name, false);
    }

    /// The same, for a name that is shared.
    pub(crate) fn forget_shared(&mut self, name: &Text) {
        let (inherited, blank) = match self.get(name) {
            Some(binding) => (binding.inherited, binding.blank),
            None => (true, false),
        };
        self.bind_as(name, || name.clone(), Value::Unknown, false, inherited);
        if blank {
            self.mark_blank(name);
        }
    }

    /// It may have been set, to an integer if so and if `integer`: then it is one if it was one before.
    pub(crate) fn forget_value(&mut self, name: &str, integer: bool) {
        let integer = integer && self.get(name).is_some_and(|binding| binding.integer);
        let inherited = self.get(name).is_none_or(|binding| binding.inherited);
        let blank = self.may_be_blank(name);
        self.bind(name, Value::Unknown, integer, inherited);
        if blank {
            self.mark_blank(name);
        }
    }

    /// Nothing is known of any variable any more, but what the text has set is not what the environment gave.
    pub(crate) fn forget_all(&mut self) {
        if !self.bindings().is_empty() {
            for binding in self.bindings_mut() {
                binding.value = Value::Unknown;
                binding.integer = false;
            }
        }
        self.forgotten = true;
    }

    /// A relative path read from a program's output means something else after a change of directory.
    pub(crate) fn forget_relative(&mut self) {
        if !self.bindings().iter().any(|binding| matches!(binding.value, Value::PathBelow(_))) {
            return;
        }
        for binding in self.bindings_mut() {
            if matches!(binding.value, Value::PathBelow(_)) {
                binding.value = Value::Unknown;
            }
        }
    }

    /// Either this state or `other`: control flow joins.
    pub(crate) fn join(&mut self, other: &Self) {
        self.join_variables(other);
        self.directories = union(&self.directories, &other.directories);
    }

    /// One variable as it is here or in `other`.
    pub(crate) fn join_variable(&mut self, name: &str, other: &Self) {
        match (self.get(name), other.get(name)) {
            (Some(binding), Some(twin)) if binding == twin => {}
            (Some(binding), Some(twin)) => {
                let (value, integer) = (either(&binding.value, &twin.value), binding.integer && twin.integer);
                let inherited = binding.inherited || twin.inherited;
                let frozen = binding.frozen || twin.frozen;
                let blank = binding.blank || twin.blank;
                self.bind(name, value, integer, inherited);
                if blank {
                    self.mark_blank(name);
                }
                if frozen {
                    self.freeze(name);
                }
            }
            (None, None) => self.forget(name),
            (own, twin) => {
                let frozen = own.or(twin).is_some_and(|binding| binding.frozen);
                self.bind(name, Value::Unknown, false, true);
                if frozen {
                    self.freeze(name);
                }
            }
        }
    }

    /// One variable as it is in `other`.
    pub(crate) fn restore(&mut self, name: &str, other: &Self) {
        if self.get(name) == other.get(name) {
            return;
        }
        let bindings = self.bindings_mut();
        bindings.retain(|binding| *binding.name != *name);
        bindings.extend(other.get(name).cloned());
    }

    /// What a shell knows that is started here: of variables that were set there may be anything.
    pub(crate) fn of_inner_shell(&self) -> Self {
        let mut inner = self.clone();
        if !self.bindings().is_empty() {
            for binding in inner.bindings_mut() {
                binding.value = Value::Unknown;
                (binding.integer, binding.inherited, binding.frozen) = (false, true, false);
            }
        }
        inner
    }

    pub(crate) fn join_variables(&mut self, other: &Self) {
        self.forgotten |= other.forgotten;
        match (&self.bindings, &other.bindings) {
            (None, None) => return,
            (Some(own), Some(others)) if Rc::ptr_eq(own, others) => return,
            _ => {}
        }
        for binding in self.bindings_mut() {
            match other.get(&binding.name) {
                Some(twin) => {
                    if twin.value != binding.value {
                        binding.value = either(&binding.value, &twin.value);
                    }
                    binding.integer &= twin.integer;
                    binding.blank |= twin.blank;
                    binding.inherited |= twin.inherited;
                    binding.frozen |= twin.frozen;
                }
                None => {
                    binding.value = Value::Unknown;
                    binding.integer = false;
                    binding.inherited = true;
                }
            }
        }
        for twin in other.bindings() {
            if self.get(&twin.name).is_none() {
                self.forget(&twin.name);
                if twin.frozen {
                    self.freeze(&twin.name);
                }
            }
        }
    }
}

/// A name, without memory of its own where bash sets the variable itself.
fn named(name: &str) -> Text {
    const OWN: &[&str] =
        &["OLDPWD", "REPLY", "MAPFILE", "OPTARG", "OPTIND", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    OWN.iter().find(|own| **own == name).map_or_else(|| name.into(), |own| Text::from_static(own))
}

/// One of the values of both.
pub(crate) fn either(left: &Value, right: &Value) -> Value {
    match (left.candidates(), right.candidates()) {
        (Some(left), Some(right)) => {
            let mut all = left.to_vec();
            for text in right {
                if !all.contains(text) {
                    all.push(text.clone());
                }
            }
            if all.len() > MAX_VALUES { Value::Unknown } else { Value::OneOf(all) }
        }
        _ => Value::Unknown,
    }
}

/// One of the directories of both.
pub(crate) fn union(left: &Directories, right: &Directories) -> Directories {
    match (left, right) {
        (Directories::Known(left), Directories::Known(right)) => {
            let more = || right.iter().filter(|directory| !left.contains(directory));
            if Arc::ptr_eq(left, right) {
                return Directories::Known(Arc::clone(left));
            }
            match more().count() {
                0 => Directories::Known(Arc::clone(left)),
                new if left.len() + new > MAX_VALUES => Directories::Unknown,
                // Put in place at once, as their number is known.
                new if new == right.len() => {
                    Directories::Known(left.iter().chain(&**right).cloned().collect())
                }
                _ => Directories::Known(left.iter().chain(more()).cloned().collect()),
            }
        }
        _ => Directories::Unknown,
    }
}

/// A decimal integer; hexadecimal and octal ones are not needed, and `08` is an error (bash manual 6.5).
pub(crate) fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty()
        && digits.len() < 19
        && (digits.len() == 1 || !digits.starts_with('0'))
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}
